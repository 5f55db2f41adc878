#include "cli/analyse.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <set>

#include "analyzer/analysis/facts.h"
#include "analyzer/base/check.h"
#include "analyzer/ir/verify.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/prefilter.h"
#include "analyzer/syntax/errors.h"
#include "analyzer/syntax/parse.h"
#include "cli/report/frame.h"
#include "rules/engine/runner.h"

namespace cpnlint::cli {
namespace {

using Clock = std::chrono::steady_clock;
using report::File;

constexpr std::size_t kMostGoodLines = 3;     // representative places of what scales, per function
constexpr std::size_t kMostSyntaxNotes = 20;  // a file with more broken statements is hardly read note by note

// Adds the time since the last call to one of the sums.
class Stopwatch {
 public:
  void Lap(double& sum) {
    const Clock::time_point now = Clock::now();
    sum += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  Clock::time_point last_ = Clock::now();
};

// Turns what the analysis says in byte offsets into lines, columns and words.
class Reporter {
 public:
  Reporter(const source::SourceFile& source, File& file) : source_(source), file_(file) {}

  void AddNote(std::string kind, std::uint32_t offset, std::string message) {
    file_.notes.push_back({std::move(kind), PlaceOf(source_.lines, {offset, offset}).start, std::move(message), {}});
  }

  void AddFindings(const std::vector<rules::Finding>& findings, const analysis::Facts& facts, rules::Confidence least) {
    std::vector<std::string> words;
    for (const rules::Finding& finding : findings) {
      if (finding.confidence < least) continue;
      file_.findings.push_back(Convert(finding, facts));
      words.emplace_back(std::string_view(source_.text).substr(finding.span.begin, finding.span.size()));
    }
    // Before they are sorted by columns, offsets have sorted them; equal ones stay in the order of their rules.
    report::SetFingerprints(file_, words);
    for (const report::Finding& finding : file_.findings) {
      for (const std::uint32_t line : report::LinesOfFrame(finding)) {
        if (line <= source_.lines.line_count()) file_.text.emplace(line, source_.lines.LineText(line));
      }
    }
  }

  void AddGood(const std::vector<rules::Finding>& findings, const analysis::Facts& facts) {
    for (const rules::Finding& finding : findings) {
      const std::string function(facts.QualifiedName(finding.function));
      auto found = std::find_if(file_.good.begin(), file_.good.end(), [&](const report::Good& good) {
        return good.rule == finding.rule && good.function == function;
      });
      if (found == file_.good.end()) {
        file_.good.push_back({finding.rule, function, 0, {}});
        found = std::prev(file_.good.end());
      }
      found->count += 1 + finding.also.size();
      found->places.push_back(PlaceOf(source_.lines, finding.span));
      for (const Span span : finding.also) found->places.push_back(PlaceOf(source_.lines, span));
    }
    for (report::Good& good : file_.good) {
      std::sort(good.places.begin(), good.places.end());
      if (good.places.size() > kMostGoodLines) good.places.resize(kMostGoodLines);
    }
    std::stable_sort(file_.good.begin(), file_.good.end(), [](const report::Good& a, const report::Good& b) {
      return a.places.front() != b.places.front() ? a.places.front() < b.places.front() : a.rule->code < b.rule->code;
    });
  }

  void SortNotes() {
    std::stable_sort(file_.notes.begin(), file_.notes.end(), [](const report::Note& a, const report::Note& b) {
      return a.start != b.start ? a.start < b.start : a.kind < b.kind;
    });
  }

 private:
  [[nodiscard]] std::string Words(const rules::Text& text) const { return rules::Render(text, source_.text); }

  [[nodiscard]] report::Finding Convert(const rules::Finding& from, const analysis::Facts& facts) const {
    report::Finding to;
    to.rule = from.rule;
    to.severity = from.severity;
    to.confidence = from.confidence;
    to.place = PlaceOf(source_.lines, from.span);
    to.function = facts.QualifiedName(from.function);
    to.message = Words(from.message);
    to.label = Words(from.primary_label);
    to.why = from.why.empty() ? std::string(from.rule->why) : Words(from.why);
    to.help = from.help.empty() ? std::string(rules::RecipeText(from.rule->recipe)) : Words(from.help);
    to.doctor = from.doctor;
    for (const rules::Label& label : from.labels) {
      to.related.push_back({PlaceOf(source_.lines, label.span), Words(label.text), label.swallowed_rule});
    }
    std::stable_sort(to.related.begin(), to.related.end(),
                     [](const report::Related& a, const report::Related& b) { return a.place < b.place; });
    for (const Span span : from.also) to.also.push_back(PlaceOf(source_.lines, span));
    std::sort(to.also.begin(), to.also.end());
    return to;
  }

  const source::SourceFile& source_;
  File& file_;
};

// Codes of ignores that no rule answers to. The engine calls such an ignore unused, which it is for a better reason.
void TellUnknownCodes(const ir::Module& module, std::vector<rules::Note>& notes) {
  for (const ir::Pragma& pragma : module.pragmas) {
    const bool ignores = pragma.kind == ir::Pragma::Kind::kIgnore || pragma.kind == ir::Pragma::Kind::kIgnoreFile;
    if (!ignores || pragma.noqa) continue;
    std::size_t unknown = 0;
    for (const std::string& code : pragma.codes) {
      if (rules::SelectorIsKnown(code)) continue;
      ++unknown;
      notes.push_back({"unknown-name", pragma.span, "no rule answers to `" + code + "`; `cpnlint rules` lists them"});
    }
    if (unknown == 0 || unknown < pragma.codes.size()) continue;
    std::erase_if(notes,
                  [&](const rules::Note& note) { return note.kind == "unused-ignore" && note.span == pragma.span; });
  }
}

// False where nothing of the file can be analysed.
bool ReportSyntax(const syntax::Tree& tree, Reporter& reporter) {
  if (tree.incomplete()) {
    reporter.AddNote("budget", 0, "parsing this file would take too long; it was not analysed");
    return false;
  }
  const syntax::SyntaxReport report = syntax::CheckSyntax(tree);
  if (report.not_python3) {
    const std::uint32_t offset = report.python2.empty() ? 0 : report.python2.front().span.begin;
    reporter.AddNote("not-python3", offset, *report.not_python3);
    return false;
  }
  std::size_t told = 0;
  for (const syntax::BrokenStatement& error : report.errors) {
    if (++told > kMostSyntaxNotes) {
      reporter.AddNote("syntax-error", error.error.begin,
                       std::to_string(report.errors.size() - kMostSyntaxNotes) + " more statements cannot be parsed");
      break;
    }
    reporter.AddNote("syntax-error", error.error.begin, error.reason + "; this statement is not analysed");
  }
  return report.errors.empty() || report.errors.size() < report.statements;
}

// Debug builds verify every IR; CPNLINT_VERIFY=1 makes a release build do so, too (the tests set it).
bool MustVerify() {
#ifdef NDEBUG
  static const bool asked = std::getenv("CPNLINT_VERIFY") != nullptr;
  return asked;
#else
  return true;
#endif
}

// Files that mention none of these have no array library in reach.
constexpr std::uint32_t kWanted = source::kMentionsArrayLibrary | source::kMentionsAlias;

void Skip(File& file) {
  file.state = File::State::kSkipped;
  file.notes.push_back({"not-analysed", std::nullopt, "no array library is in reach of this file", {}});
}

verdict::Source VerdictSource(const source::SourceFile& source) {
  return {source.text, [&source](std::uint32_t offset) {
            const source::Position position = source.lines.ToPosition(offset);
            return verdict::Spot{position.line, position.column};
          }};
}

void Analyse(const source::SourceFile& source, const Settings& settings, Outcome& outcome) {
  File& file = outcome.file;
  Stopwatch watch;
  Reporter reporter(source, file);
  if (!MayUseArrays(source.text)) return Skip(file);
  for (const source::LoadNote& note : source.notes) {
    reporter.AddNote(std::string(source::Name(note.kind)), note.offset, note.message);
  }
  file.lines = source.lines.line_count();
  syntax::Tree tree = syntax::Parse(source.text);
  watch.Lap(outcome.timing.parse);
  if (!ReportSyntax(tree, reporter)) {
    file.state = File::State::kFailed;
    return;
  }
  ir::Program program;
  std::vector<lower::SyntaxNote> lost;
  const ir::ModuleId module = lower::Lower(source, tree, ModuleName(file.path), program, lost);
  tree = syntax::Tree();  // the largest part of a file's memory
  AddAssumptions(program.modules[module], settings.assume);
  if (MustVerify()) {
    for (const std::string& broken : ir::Verify(program, module, source.text.size())) {
      throw InternalError("the IR is not sound: " + broken);
    }
  }
  watch.Lap(outcome.timing.lower);
  const analysis::Facts facts(program, program.names);
  watch.Lap(outcome.timing.analyse);
  rules::RunResult result = rules::Run(facts, module, settings.target, settings.selection);
  TellUnknownCodes(program.modules[module], result.notes);
  reporter.AddFindings(result.findings, facts, settings.min_confidence);
  reporter.AddGood(result.good, facts);
  file.evidence =
      verdict::Collect(facts, module, result, settings.target, settings.min_confidence, VerdictSource(source));
  for (const lower::SyntaxNote& note : lost) reporter.AddNote("not-analysed", note.span.begin, note.message);
  for (rules::Note& note : result.notes) reporter.AddNote(note.kind, note.span.begin, std::move(note.message));
  reporter.SortNotes();
  watch.Lap(outcome.timing.rules);
}

void Fail(Outcome& outcome, const std::string& what) {
  File failed;
  failed.path = outcome.file.path;
  failed.state = File::State::kFailed;
  failed.notes.push_back({"internal-error", std::nullopt, what, {}});
  outcome.file = std::move(failed);
  outcome.trouble = outcome.file.path + ": " + what;
}

}  // namespace

void AddAssumptions(ir::Module& module, const std::vector<std::string>& assume) {
  std::vector<ir::Pragma> given;
  for (const std::string& text : assume) {
    ir::Pragma pragma;
    pragma.kind = ir::Pragma::Kind::kAssume;
    pragma.text = text;
    given.push_back(std::move(pragma));
  }
  module.pragmas.insert(module.pragmas.begin(), given.begin(), given.end());
}

report::Place PlaceOf(const source::LineIndex& lines, Span span) {
  const auto point = [&](std::uint32_t offset) {
    const source::Position position = lines.ToPosition(offset);
    return report::Point{position.line, position.column, lines.ToUtf16Position(offset).column,
                         offset - lines.LineSpan(position.line).begin};
  };
  return {point(span.begin), point(std::max(span.begin, span.end))};
}

bool MayUseArrays(std::string_view text) { return source::MentionsAny(text, kWanted); }

std::string ModuleName(const std::string& path) {
  std::string name = path;
  if (name.ends_with(".py")) name.resize(name.size() - 3);
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t slash = std::min(name.find('/', at), name.size());
    std::string part = name.substr(at, slash - at);
    at = slash + 1;
    if (part == ".." || part == "." || part.empty()) {
      parts.clear();
    } else {
      parts.push_back(std::move(part));
    }
  }
  if (parts.size() > 1 && (parts.front() == "src" || parts.front() == "lib")) parts.erase(parts.begin());
  if (parts.size() > 1 && parts.back() == "__init__") parts.pop_back();
  std::string dotted;
  for (const std::string& part : parts) dotted += (dotted.empty() ? "" : ".") + part;
  return dotted;
}

Outcome AnalyseLoaded(const std::string& path, source::LoadOutcome loaded, const Settings& settings) {
  Outcome outcome;
  outcome.file.path = path;
  if (loaded.passed_over) {
    Skip(outcome.file);
    return outcome;
  }
  if (loaded.file == nullptr) {
    outcome.file.state = File::State::kFailed;
    if (loaded.refused) {
      outcome.file.notes.push_back(
          {std::string(source::Name(loaded.refused->kind)), std::nullopt, loaded.refused->message, {}});
    }
    return outcome;
  }
  try {
    Analyse(*loaded.file, settings, outcome);
  } catch (const std::bad_alloc&) {
    Fail(outcome, "not enough memory to analyse this file");
  } catch (const std::exception& error) {
    Fail(outcome, std::string("internal error, which is our bug, not yours: ") + error.what());
  }
  return outcome;
}

Outcome AnalyseFile(const std::string& path, const Settings& settings) {
  Outcome outcome;
  Stopwatch watch;
  try {
    auto loaded = source::Load(path, {.mentions = kWanted});
    double read = 0;
    watch.Lap(read);
    if (loaded) {
      outcome = AnalyseLoaded(path, std::move(*loaded), settings);
    } else {
      outcome.file.path = path;
      outcome.file.state = File::State::kFailed;
      outcome.file.notes.push_back({"skipped", std::nullopt, "cannot be read", {}});
      outcome.trouble = loaded.error().message;
    }
    outcome.timing.read = read;
  } catch (const std::bad_alloc&) {
    outcome.file.path = path;
    Fail(outcome, "not enough memory to read this file");
  }
  return outcome;
}

}  // namespace cpnlint::cli
