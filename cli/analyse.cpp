#include "cli/analyse.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <map>
#include <new>
#include <span>
#include <tuple>
#include <utility>

#include "analyzer/analysis/facts.h"
#include "analyzer/base/check.h"
#include "analyzer/ir/verify.h"
#include "analyzer/lower/lower.h"
#include "analyzer/syntax/errors.h"
#include "analyzer/syntax/parse.h"
#include "analyzer/syntax/pragmas.h"
#include "cli/assume.h"
#include "cli/assumed_effect.h"
#include "cli/causes.h"
#include "cli/config/program.h"
#include "cli/near.h"
#include "cli/report/frame.h"
#include "cli/report/plain_code.h"
#include "rules/engine/runner.h"

namespace cpnlint::cli {
namespace {

using Clock = std::chrono::steady_clock;
using report::File;

constexpr std::size_t kMostGoodLines = 3;                 // representative places of what scales, per function
constexpr std::size_t kMostTexts = std::size_t{4} << 20;  // of a program: beyond it they wait on disk
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

// A note about a place in one file; the offset counts in its text.
void AddNote(const source::SourceFile& source, File& file, std::string kind, std::uint32_t offset,
             std::string message) {
  file.notes.push_back({std::move(kind), PlaceOf(source, {offset, offset}).start, std::move(message), {}});
}

// Turns what the analysis says of one module in byte offsets into lines, columns and words.
class Reporter {
 public:
  // `settings`: of the file, where a configuration has some.
  Reporter(const Sources& sources, ir::ModuleId module, const config::FileSettings* settings, File& file)
      : sources_(sources), module_(module.index()), settings_(settings), file_(file) {}

  void AddNotes(std::vector<rules::Note>& notes) {
    for (rules::Note& note : notes) {
      const report::Point start = sources_.PlaceOf({note.span.begin, note.span.begin}).start;
      file_.notes.push_back({note.kind, start, std::move(note.message), {}, std::move(note.codes)});
    }
  }

  // `costs`: of the findings that are sure enough, in their order; empty where nothing is priced.
  void AddFindings(const std::vector<rules::Finding>& findings, const analysis::Facts& facts, rules::Confidence least,
                   std::vector<cost::FindingCost> costs) {
    std::vector<std::string> words;
    for (const rules::Finding& finding : findings) {
      if (finding.confidence < least) continue;
      file_.findings.push_back(Convert(finding, facts));
      if (!costs.empty()) file_.findings.back().cost = std::move(costs[words.size()]);
      words.emplace_back(sources_.Words(finding.span));
    }
    // Before they are sorted by columns, offsets have sorted them; equal ones stay in the order of their rules.
    report::SetFingerprints(file_, words);
    for (const report::Finding& finding : file_.findings) {
      const source::SourceFile& source = sources_.File(module_);
      for (const std::uint32_t line : report::LinesOfFrame(finding)) {
        if (line <= source.lines.line_count()) file_.text.emplace(line, SourceLineOf(source, line));
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
      found->places.push_back(sources_.PlaceOf(finding.span));
      for (const Span span : finding.also) found->places.push_back(sources_.PlaceOf(span));
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
  [[nodiscard]] static report::SourceLine SourceLineOf(const source::SourceFile& source, std::uint32_t line) {
    report::SourceLine shown{std::string(source.LineText(line))};
    if (source.notebook != nullptr) {
      const source::NotebookLine& at = source.notebook->lines[line - 1];
      shown.cell = at.cell;
      shown.cell_line = at.line;
    }
    return shown;
  }

  // Of the file that the place is in, where that is another one.
  [[nodiscard]] std::string OtherPath(Span span) const {
    const std::size_t module = sources_.ModuleAt(span.begin);
    return module == module_ ? std::string() : sources_.File(module).path;
  }

  [[nodiscard]] std::string Words(const rules::Text& text) const { return sources_.Render(text); }

  [[nodiscard]] report::Finding Convert(const rules::Finding& from, const analysis::Facts& facts) const {
    report::Finding to;
    to.rule = from.rule;
    to.severity = settings_ == nullptr ? from.severity : SeverityOf(*settings_, *from.rule, from.severity);
    to.confidence = from.confidence;
    to.place = sources_.PlaceOf(from.span);
    to.function = facts.QualifiedName(from.function);
    to.message = Words(from.message);
    to.label = Words(from.primary_label);
    to.why = from.why.empty() ? std::string(from.rule->why) : Words(from.why);
    to.help = from.help.empty() ? std::string(rules::RecipeText(from.rule->recipe)) : Words(from.help);
    to.doctor = from.doctor;
    for (const rules::Label& label : from.labels) {
      to.related.push_back(
          {sources_.PlaceOf(label.span), Words(label.text), label.swallowed_rule, OtherPath(label.span)});
    }
    std::stable_sort(to.related.begin(), to.related.end(), [](const report::Related& a, const report::Related& b) {
      return std::tie(a.path, a.place) < std::tie(b.path, b.place);
    });
    // `dist[s:e], vals[s:e]`: what a line says twice is told once.
    const auto repeats = [](const report::Related& a, const report::Related& b) {
      return a.rule != 0 && std::tie(a.rule, a.path, a.place.start.line, a.message) ==
                                std::tie(b.rule, b.path, b.place.start.line, b.message);
    };
    to.related.erase(std::unique(to.related.begin(), to.related.end(), repeats), to.related.end());
    for (const Span span : from.also) to.also.push_back(sources_.PlaceOf(span));
    std::sort(to.also.begin(), to.also.end());
    to.code.push_back(report::PlainCode(sources_.Words(from.span)));
    for (const Span span : from.also) to.code.push_back(report::PlainCode(sources_.Words(span)));
    to.extent = sources_.PlaceOf(ExtentOf(from, facts));
    for (const Cause& cause : CausesOf(from, facts)) {
      to.causes.push_back({sources_.PlaceOf(cause.span), std::string(cause.what), 0, OtherPath(cause.span)});
    }
    return to;
  }

  const Sources& sources_;
  std::size_t module_;
  const config::FileSettings* settings_;
  File& file_;
};

// Codes of ignores that no rule answers to.
void TellUnknownCodes(const ir::Module& module, std::vector<rules::Note>& notes) {
  for (const ir::Pragma& pragma : module.pragmas) {
    const bool ignores = pragma.kind == ir::Pragma::Kind::kIgnore || pragma.kind == ir::Pragma::Kind::kIgnoreFile;
    if (!ignores || pragma.noqa) continue;
    for (const std::string& code : pragma.codes) {
      if (rules::SelectorIsKnown(code)) continue;
      notes.push_back({"unknown-name", pragma.span,
                       "no rule answers to `" + code + '`' + DidYouMean(code, config::SelectorWords()) +
                           " (`cpnlint rules` lists them)"});
    }
  }
}

// The word that an unknown pragma has in place of a known one: "ignor" of `# cpnlint: ignor[R101]`.
std::string DirectiveOf(std::string_view pragma) {
  const std::size_t colon = pragma.find(':');
  std::string word;
  for (const char c : pragma.substr(std::min(pragma.size(), colon + 1))) {
    if (c == ' ' && word.empty()) continue;
    if (std::isalpha(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') break;
    word += c;
  }
  return word;
}

// Comments that say `cpnlint:` and cannot be followed: whoever wrote one believes that it works.
void TellPragmas(const syntax::Tree& tree, const source::SourceFile& source, File& file) {
  static const std::vector<std::string> directives = {"ignore", "ignore-file", "assume", "host"};
  for (const syntax::Pragma& pragma : syntax::FindPragmas(tree)) {
    if (pragma.type == syntax::Pragma::Type::kMalformed) {
      const std::string word = DirectiveOf(std::string_view(source.text).substr(pragma.span.begin, pragma.span.size()));
      const bool known = std::find(directives.begin(), directives.end(), word) != directives.end();
      AddNote(source, file, word.starts_with("ignore") ? "unused-ignore" : "unknown-name", pragma.span.begin,
              "this comment has no effect: " + pragma.problem + (known ? "" : DidYouMean(word, directives)));
    }
    std::map<std::string, std::string> said;
    for (const syntax::PragmaBinding& binding : pragma.bindings) {
      const auto good = CheckAssumption(binding.name + '=' + binding.value, said);
      if (good) continue;
      AddNote(source, file, "unknown-name", binding.span.begin, "this has no effect: " + good.error().message);
    }
  }
}

// False where nothing of the file can be analysed.
bool ReportSyntax(const syntax::Tree& tree, const source::SourceFile& source, File& file) {
  if (tree.incomplete()) {
    AddNote(source, file, "budget", 0, "parsing this file would take too long; it was not analysed");
    return false;
  }
  const syntax::SyntaxReport report = syntax::CheckSyntax(tree);
  if (report.not_python3) {
    const std::uint32_t offset = report.python2.empty() ? 0 : report.python2.front().span.begin;
    AddNote(source, file, "not-python3", offset, *report.not_python3);
    return false;
  }
  std::size_t told = 0;
  for (const syntax::BrokenStatement& error : report.errors) {
    if (++told > kMostSyntaxNotes) {
      AddNote(source, file, "syntax-error", error.error.begin,
              std::to_string(report.errors.size() - kMostSyntaxNotes) + " more statements cannot be parsed");
      break;
    }
    AddNote(source, file, "syntax-error", error.error.begin, error.reason + "; this statement is not analysed");
  }
  for (std::size_t i = 0; i < std::min(report.refused.size(), kMostSyntaxNotes); ++i) {
    AddNote(source, file, "syntax-error", report.refused[i].error.begin,
            report.refused[i].reason + "; Python does not run this file");
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

// "n=9000, u=(n, n)": the bindings one by one; commas inside of parentheses belong to a shape.
void AddBindings(std::string_view text, std::vector<std::string>& assumed) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth != 0)) continue;
    while (begin < i && text[begin] == ' ') ++begin;
    if (begin < i) assumed.emplace_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
}

// The file that a program is called by: the one that is run (of several the one that leads to most of it), or else the
// first.
std::size_t RootOf(std::span<const verdict::Evidence> evidence) {
  const auto starts = [](const verdict::Evidence& a, const verdict::Evidence& b) {
    return a.start != b.start ? a.start < b.start : a.reach < b.reach;
  };
  return static_cast<std::size_t>(std::max_element(evidence.begin(), evidence.end(), starts) - evidence.begin());
}

// `prices`: null where nothing has one.
verdict::Source VerdictSource(const Sources& sources, const Prices* prices) {
  return {[&sources](Span span) { return sources.Words(span); },
          [&sources](std::uint32_t offset) {
            sources.Trim();  // no words are being looked at
            const report::Point start = sources.PlaceOf({offset, offset}).start;
            return verdict::Spot{start.cell, start.cell == 0 ? start.line : start.cell_line, start.column};
          },
          // What mending saves is what the verdict orders fixes by.
          [prices](const rules::Finding& finding, verdict::Issue& issue) {
            if (prices == nullptr) return;
            const auto saving = prices->savings.find(&finding);
            if (saving == prices->savings.end()) return;
            issue.saves = saving->second.share;
            issue.seconds = saving->second.seconds;
          }};
}

// nullopt where nothing of the file can be analysed; `file` says why.
std::optional<syntax::Tree> ParseModule(const source::SourceFile& source, File& file) {
  for (const source::LoadNote& note : source.notes) {
    AddNote(source, file, std::string(source::Name(note.kind)), note.offset, note.message);
  }
  file.lines = source.lines.line_count();
  std::optional<syntax::Tree> tree = syntax::Parse(source);
  if (ReportSyntax(*tree, source, file)) return tree;
  file.state = File::State::kFailed;
  return std::nullopt;
}

void Fail(Outcome& outcome, const std::string& what) {
  File failed;
  failed.path = outcome.file.path;
  failed.state = File::State::kFailed;
  failed.notes.push_back({"internal-error", std::nullopt, what, {}});
  outcome.file = std::move(failed);
  outcome.trouble = outcome.file.path + ": " + what;
}

void AddTrouble(Outcome& outcome, const std::string& what) {
  outcome.trouble += (outcome.trouble.empty() ? "" : "\n") + what;
}

constexpr const char* kOurBug = "internal error, which is our bug, not yours: ";

}  // namespace

ProgramRun::ProgramRun(std::vector<Input*> inputs, const Linker& linker, const Settings& settings, bool kept)
    : inputs_(std::move(inputs)), linker_(linker), settings_(settings), kept_(kept), outcomes_(inputs_.size()) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) outcomes_[i].file.path = inputs_[i]->path;
}

bool ProgramRun::Read(std::size_t position) {
  Outcome& outcome = outcomes_[position];
  Stopwatch watch;
  std::optional<syntax::Tree> tree;
  try {
    if (ReadAgain(*inputs_[position])) {
      watch.Lap(outcome.timing.read);
      tree = ParseModule(*inputs_[position]->loaded.file, outcome.file);
    } else {  // it could be when the run began
      outcome.file.state = File::State::kFailed;
      outcome.file.notes.push_back({"skipped", std::nullopt, "cannot be read", {}});
      outcome.trouble = std::exchange(inputs_[position]->trouble, {});
      inputs_[position]->loaded = {};
    }
  } catch (const std::bad_alloc&) {
    Fail(outcome, "not enough memory to analyse this file");
  }
  watch.Lap(outcome.timing.parse);

  // Modules are lowered in their order, whichever thread comes first: same input, same bytes out.
  std::unique_lock lock(mutex_);
  turn_changed_.wait(lock, [&] { return turn_ == position; });
  double waited = 0;
  watch.Lap(waited);
  bool lowered = false;
  if (tree && failure_.empty()) {
    try {
      LowerModule(position, *tree);
      lowered = true;
    } catch (const std::exception& error) {
      failure_ = error.what();
    }
  }
  tree.reset();  // the largest part of a file's memory
  if (lowered && IsLarge()) sources_.DropLast();
  watch.Lap(outcome.timing.lower);
  ++turn_;
  turn_changed_.notify_all();
  const bool last = turn_ == inputs_.size();
  lock.unlock();
  if (last && IsLarge()) syntax::ReleaseThreadMemory();  // the facts of the program can use it
  if (last) Finish();
  return last;
}

void ProgramRun::LowerModule(std::size_t position, const syntax::Tree& tree) {
  const source::SourceFile& source = *inputs_[position]->loaded.file;
  if (modules_.empty()) {
    for (const Input* input : inputs_) text_size_ += input->text_size;
    program_.Reserve(text_size_);
  }
  std::vector<lower::SyntaxNote> lost;
  const ir::ModuleId module = lower::Lower(source, tree, ModuleName(inputs_[position]->path), program_, lost);
  sources_.Add(*inputs_[position], program_.modules[module].text.begin);
  modules_.push_back({position, module});
  AddAssumptions(program_.modules[module], settings_.assume);
  TellPragmas(tree, source, outcomes_[position].file);
  for (const lower::SyntaxNote& note : lost) {
    AddNote(source, outcomes_[position].file, "not-analysed", note.span.begin, note.message);
  }
  if (!MustVerify()) return;
  for (const std::string& broken : ir::Verify(program_, module, source.text.size())) {
    throw InternalError("the IR is not sound: " + broken);
  }
}

bool ProgramRun::IsLarge() const { return text_size_ > kMostTexts; }

void ProgramRun::Finish() {
  try {
    if (!failure_.empty()) throw InternalError(failure_);
    Conclude();
  } catch (const std::bad_alloc&) {
    GiveUp("not enough memory to analyse this file");
  } catch (const SourceChanged& error) {
    StartOver(error.what());
  } catch (const std::exception& error) {
    GiveUp(std::string(kOurBug) + error.what());
  }
  Release();
}

// What was found of a program is written down: of the rest nothing is asked for again.
void ProgramRun::Release() {
  program_ = {};
  modules_ = {};
  sources_ = {};
  for (Input* input : inputs_) input->loaded.file.reset();
}

// A text was another one when the report quoted it: the program is read anew, once.
void ProgramRun::StartOver(const std::string& why) {
  if (started_over_) {
    GiveUp(why);
    const auto reported = std::find_if(inputs_.begin(), inputs_.end(), [](const Input* one) { return !one->context; });
    Outcome& first = outcomes_[static_cast<std::size_t>(reported - inputs_.begin())];
    if (inputs_.size() > 1) AddTrouble(first, why);
    return;
  }
  program_ = {};
  modules_ = {};
  sources_ = {};
  for (Input* input : inputs_) {
    if (!input->given) Drop(*input);
  }
  ProgramRun anew(inputs_, linker_, settings_, kept_);
  anew.started_over_ = true;
  for (std::size_t i = 0; i < inputs_.size(); ++i) anew.Read(i);
  outcomes_ = std::move(anew.outcomes_);
  lookups_ = std::move(anew.lookups_);
}

// One file that our bug hits must not take the others with it: each is analysed as a program of its own.
void ProgramRun::GiveUp(const std::string& why) {
  if (inputs_.size() == 1) {
    Fail(outcomes_.front(), why);
    return;
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i]->context) continue;
    ProgramRun alone({inputs_[i]}, linker_, settings_);
    alone.Read(0);
    outcomes_[i] = std::move(alone.outcomes_.front());
  }
}

const config::FileSettings* ProgramRun::FileSettingsOf(std::size_t position) const {
  return settings_.files == nullptr ? nullptr : &settings_.files->Of(inputs_[position]->path);
}

// Adds what the configuration says of the modules, and finds out which assumptions are about something; before the
// analysis gives the names of all of them an entry.
void ProgramRun::AddConfigured() {
  std::vector<std::string> assumed;
  std::vector<Unmet> unmet;
  const auto look = [&](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const bool known =
          std::find(assumed.begin(), assumed.end(), text) != assumed.end() ||
          std::any_of(unmet.begin(), unmet.end(), [&](const Unmet& other) { return other.text == text; });
      if (known) continue;
      if (auto missing = UnmetIn(program_, text)) {
        unmet.push_back(std::move(*missing));
      } else {
        assumed.push_back(text);
      }
    }
  };
  look(settings_.assume);
  for (const LoweredModule& lowered : modules_) {
    for (const ir::Pragma& pragma : program_.modules[lowered.module].pragmas) {
      if (pragma.kind != ir::Pragma::Kind::kAssume || pragma.span.empty()) continue;
      std::vector<std::string> bindings;
      AddBindings(pragma.text, bindings);
      for (const std::string& text : bindings) {
        const auto missing = UnmetIn(program_, text);
        if (!missing) continue;
        const report::Point start = sources_.PlaceOf({pragma.span.begin, pragma.span.begin}).start;
        outcomes_[lowered.position].file.notes.push_back(
            {"unknown-name", start, "assume " + text + " has no effect: " + Sentence(*missing), {}});
      }
      assumed.insert(assumed.end(), bindings.begin(), bindings.end());
    }
  }
  for (const LoweredModule& lowered : modules_) {
    const std::string& path = inputs_[lowered.position]->path;
    for (std::string& message : config::AddEntryPoints(settings_.entry_points, program_, lowered.module, path)) {
      outcomes_[lowered.position].file.notes.push_back({"unknown-name", std::nullopt, std::move(message), {}});
    }
  }
  std::vector<config::ConfiguredModule> configured;
  for (const LoweredModule& lowered : modules_) {
    if (settings_.files == nullptr) break;
    configured.push_back({lowered.module, FileSettingsOf(lowered.position)});
    look(configured.back().settings->assume);
  }
  config::AddAssumptions(program_, configured);
  for (const LoweredModule& lowered : modules_) {
    if (inputs_[lowered.position]->context) continue;
    outcomes_[lowered.position].assumed = assumed;
    outcomes_[lowered.position].unmet = unmet;
  }
}

// `predict` says which of them change nothing.
bool ProgramRun::TellsOfAssumptions() const {
  return settings_.cost && settings_.cost->options.curves > 0 && !settings_.assume.empty();
}

void ProgramRun::Conclude() {
  Stopwatch watch;
  if (modules_.empty()) return;
  linker_.Link(program_, modules_, inputs_, kept_ ? &lookups_ : nullptr);
  report::Timing& timing = outcomes_[modules_.front().position].timing;
  watch.Lap(timing.lower);
  AddConfigured();
  const analysis::Facts facts(program_, program_.names);
  const bool again = settings_.page || TellsOfAssumptions();
  if (!again) program_.ForgetDocstrings();  // the page's model infers again, with other sizes
  watch.Lap(timing.analyse);
  std::vector<ir::ModuleId> reported;
  std::vector<std::size_t> positions;
  for (const LoweredModule& lowered : modules_) {
    if (inputs_[lowered.position]->context) continue;
    reported.push_back(lowered.module);
    positions.push_back(lowered.position);
  }
  std::optional<Pricing> pricing;
  rules::Target target = settings_.target;
  if (settings_.cost && !reported.empty()) {
    pricing.emplace(facts, *settings_.cost);
    target.memory = &pricing->memory();
  }
  std::vector<const rules::Selection*> selections;
  for (const std::size_t position : positions) {
    const config::FileSettings* file = FileSettingsOf(position);
    selections.push_back(file == nullptr ? &settings_.selection : &file->selection);
  }
  const std::vector<bool> called = verdict::CalledFrom(facts, reported);
  std::vector<ir::ModuleId> judged = reported;
  if (!reported.empty()) AddCalled(called, judged, positions);
  selections.resize(judged.size(), &settings_.selection);
  std::vector<rules::RunResult> results = rules::Run(facts, judged, target, selections, reported.size());
  std::optional<Prices> prices;
  if (pricing) {
    prices = pricing->Tell(judged, results, settings_.min_confidence, sources_, settings_.predict);
    target.memory = nullptr;
    pricing.reset();  // of a large program as large as all that is known of its values
  }
  const verdict::Source words = VerdictSource(sources_, prices ? &*prices : nullptr);
  std::vector<verdict::Evidence> evidence =
      verdict::Collect(facts, judged, called, results, target, settings_.min_confidence, words);
  if (prices) {
    for (std::size_t i = 0; i < judged.size(); ++i) {
      evidence[i].times = std::move(prices->times[i]);
      if (!prices->peaks[i] || !called[program_.FunctionOf(prices->peaks[i]->op).index()]) continue;
      evidence[i].peaks = std::move(prices->peaks[i]->peaks.bytes);
      evidence[i].fewest = prices->peaks[i]->peaks.fewest;
      evidence[i].peak = words.at(program_.ops[prices->peaks[i]->op].span.begin);
    }
    report::File& first = outcomes_[positions.front()].file;
    first.what_if = std::move(prices->what_if.mended);
    for (const std::string& trouble : prices->what_if.troubles) AddTrouble(outcomes_[positions.front()], trouble);
    first.waits = std::move(prices->waits);
    first.prediction = std::move(prices->prediction);
    if (first.prediction && TellsOfAssumptions())
      first.prediction->without_effect = WithoutEffect(program_, settings_.assume);
  }
  const std::span<const verdict::Evidence> named(evidence.data(), reported.size());
  const std::string root = reported.empty() ? "" : inputs_[positions[RootOf(named)]]->path;
  for (std::size_t i = reported.size(); i < judged.size(); ++i) {
    report::File& file = outcomes_[positions[i]].file;
    file.notes.clear();
    file.state = File::State::kRead;
    for (verdict::Issue& issue : evidence[i].issues) issue.shown.reset();
    file.evidence = std::move(evidence[i]);
    file.program = root;
  }
  for (std::size_t i = 0; i < reported.size(); ++i) {
    rules::RunResult& result = results[i];
    TellUnknownCodes(program_.modules[reported[i]], result.notes);
    sources_.Trim();
    Reporter reporter(sources_, reported[i], FileSettingsOf(positions[i]), outcomes_[positions[i]].file);
    reporter.AddFindings(result.findings, facts, settings_.min_confidence,
                         prices ? std::move(prices->findings[i]) : std::vector<cost::FindingCost>());
    reporter.AddGood(result.good, facts);
    reporter.AddNotes(result.notes);
    reporter.SortNotes();
    report::File& file = outcomes_[positions[i]].file;
    file.evidence = std::move(evidence[i]);
    result = {};  // it is written down
    if (judged.size() > 1) file.program = root;
  }
  if (settings_.page && prices) AddPage(facts, reported, positions);
  watch.Lap(timing.rules);
}

void ProgramRun::AddPage(const analysis::Facts& facts, const std::vector<ir::ModuleId>& reported,
                         const std::vector<std::size_t>& positions) {
  const ArrayLives lives(facts, *settings_.cost, sources_);
  for (std::size_t i = 0; i < reported.size(); ++i) {
    report::File& file = outcomes_[positions[i]].file;
    if (file.findings.empty()) continue;
    file.page = PageFileOf(program_, reported[i], sources_.File(reported[i].index()), sources_, lives);
  }
  if (positions.empty()) return;
  const auto model = PageModelOf(program_, *settings_.cost, *settings_.page, sources_);
  if (model == nullptr) return;
  report::File& first = outcomes_[positions.front()].file;
  model->program = first.program.empty() ? first.path : first.program;
  first.model = model;
}

// Runs the rules over modules that were not asked for and that code of `judged` calls, and adds those.
void ProgramRun::AddCalled(const std::vector<bool>& called, std::vector<ir::ModuleId>& judged,
                           std::vector<std::size_t>& positions) const {
  for (const LoweredModule& lowered : modules_) {
    if (!inputs_[lowered.position]->context) continue;
    const ir::Module& module = program_.modules[lowered.module];
    const auto first = called.begin() + static_cast<std::ptrdiff_t>(module.first_function.index());
    const auto end = called.begin() + static_cast<std::ptrdiff_t>(module.end_function.index());
    if (std::find(first, end, true) == end) continue;
    judged.push_back(lowered.module);
    positions.push_back(lowered.position);
  }
}

// The outcomes that somebody hears of.
bool ProgramRun::IsTold(std::size_t position) const {
  return !inputs_[position]->context || outcomes_[position].file.state == File::State::kRead;
}

std::vector<Outcome> ProgramRun::TakeOutcomes() {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (IsTold(i)) outcomes.push_back(std::move(outcomes_[i]));
  }
  return outcomes;
}

std::vector<const Outcome*> ProgramRun::outcomes() const {
  std::vector<const Outcome*> reported;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (IsTold(i)) reported.push_back(&outcomes_[i]);
  }
  return reported;
}

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

}  // namespace cpnlint::cli
