// Any bytes: load, parse, look for syntax errors, lower, print. The IR must be sound.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/errors.h"
#include "analyzer/syntax/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cpnlint;
  const source::LoadOutcome loaded =
      source::LoadBytes("fuzz.py", std::string(reinterpret_cast<const char*>(data), size));
  if (loaded.file == nullptr) return 0;
  const source::SourceFile& file = *loaded.file;
  const syntax::Tree tree = syntax::Parse(file.text);
  static_cast<void>(syntax::CheckSyntax(tree));
  ir::Program program;
  std::vector<lower::SyntaxNote> notes;
  const ir::ModuleId module = lower::Lower(file, tree, "fuzz", program, notes);
  for (const std::string& broken : ir::Verify(program, module, file.text.size())) {
    std::fprintf(stderr, "the IR is not sound: %s\n", broken.c_str());
    std::abort();
  }
  static_cast<void>(ir::Print(program, module, file.text));
  return 0;
}
