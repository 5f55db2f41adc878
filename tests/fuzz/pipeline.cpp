// Any bytes through the whole pipeline: facts, work, every rule, the words of every finding.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/print_facts.h"
#include "analyzer/analysis/print_work.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"
#include "rules/engine/runner.h"

namespace {

using namespace cpnlint;

// A span that does not lie in the text would be cut out of it nevertheless.
void Check(Span span, const std::string& text) {
  if (span.begin <= span.end && span.end <= text.size()) return;
  std::fprintf(stderr, "a span lies outside of the text\n");
  std::abort();
}

void Read(const rules::Text& text, const std::string& source) {
  for (const rules::Text::Piece& piece : text.pieces) Check(piece.span, source);
  static_cast<void>(rules::Render(text, source));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const source::LoadOutcome loaded =
      source::LoadBytes(CPNLINT_FUZZ_FILE, std::string(reinterpret_cast<const char*>(data), size));
  if (loaded.file == nullptr) return 0;
  const source::SourceFile& file = *loaded.file;
  const syntax::Tree tree = syntax::Parse(file);
  ir::Program program;
  std::vector<lower::SyntaxNote> notes;
  const ir::ModuleId module = lower::Lower(file, tree, "fuzz", program, notes);
  const analysis::Facts facts(program, program.names);
  const auto line_of = [](std::uint32_t) { return std::string("0"); };
  static_cast<void>(analysis::PrintFacts(facts, module, line_of));
  static_cast<void>(analysis::PrintWork(facts, analysis::WorkOf(facts), module, line_of));
  rules::Selection selection;
  selection.ShowPreview(true);
  const std::vector<rules::RunResult> results = rules::Run(facts, {&module, 1}, rules::Target(), selection);
  for (const rules::Finding& finding : results.front().findings) {
    Check(finding.span, file.text);
    for (const Span span : finding.also) Check(span, file.text);
    for (const rules::Label& label : finding.labels) {
      Check(label.span, file.text);
      Read(label.text, file.text);
    }
    Read(finding.message, file.text);
    Read(finding.help, file.text);
    Read(finding.why, file.text);
    Read(finding.primary_label, file.text);
  }
  return 0;
}
