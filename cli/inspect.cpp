#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>

#include <nlohmann/json.hpp>

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/print_facts.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/discover.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"
#include "cli/analyse.h"
#include "cli/commands.h"
#include "cli/near.h"
#include "cli/output.h"
#include "rules/engine/why.h"

namespace cpnlint::cli {
namespace {

// A file as far as its IR. Not moved: spans and facts refer to it.
struct Lowered {
  std::unique_ptr<source::SourceFile> source;
  ir::Program program;
  ir::ModuleId module;
};

Result<std::unique_ptr<Lowered>> LowerFile(const std::string& path, const Options& options) {
  auto loaded = source::Load(path);
  if (!loaded) return tl::make_unexpected(loaded.error());
  if (loaded->file == nullptr) {
    return cpnlint::Fail(path + ": " + (loaded->refused ? loaded->refused->message : "cannot be analysed"));
  }
  auto lowered = std::make_unique<Lowered>();
  lowered->source = std::move(loaded->file);
  const syntax::Tree tree = syntax::Parse(lowered->source->text);
  std::vector<lower::SyntaxNote> notes;
  lowered->module = lower::Lower(*lowered->source, tree, ModuleName(path), lowered->program, notes);
  AddAssumptions(lowered->program.modules[lowered->module], options.assume);
  return lowered;
}

int Tell(const Error& error) {
  Complain(error.message);
  return kTrouble;
}

const rules::Rule* FindRule(std::string_view name, std::vector<std::string>& known) {
  const auto same = [&](std::string_view other) {
    return std::equal(name.begin(), name.end(), other.begin(), other.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  };
  for (const rules::Rule* rule : rules::AllRules()) {
    if (same(rules::CodeText(*rule)) || same(rule->slug)) return rule;
    known.push_back(rules::CodeText(*rule));
    known.emplace_back(rule->slug);
  }
  return nullptr;
}

// "a.py:12" -> path and line; nullopt where it is something else.
std::optional<std::pair<std::string, std::uint32_t>> SplitPlace(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  std::uint32_t line = 0;
  const char* end = place.data() + place.size();
  const auto [stop, error] = std::from_chars(place.data() + colon + 1, end, line);
  if (error != std::errc() || stop != end || line == 0) return std::nullopt;
  return std::pair(place.substr(0, colon), line);
}

std::string AttemptText(const rules::Attempt& attempt, const rules::Rule& rule, const source::SourceFile& source) {
  std::string text = "`" + rules::Render(rules::Text(attempt.span), source.text) + "`\n";
  for (const rules::Trial::Step& step : attempt.steps) {
    const bool exception = step.condition >= 'a' && step.condition <= 'z';
    const std::string name =
        exception ? "(" + std::string(1, static_cast<char>(step.condition)) + ")" : std::to_string(step.condition);
    const char* outcome =
        exception ? (step.held ? "applies, so the rule is quiet" : "does not apply") : (step.held ? "holds" : "fails");
    text += "  " + name + " " + outcome;
    if (const std::string_view words = rules::ConditionText(rule, step.condition); !words.empty()) {
      text += ": " + std::string(words);
    }
    text += '\n';
  }
  if (attempt.shown) {
    text += "  reported: " + std::string(rules::Name(attempt.finding.severity)) + ", " +
            std::string(rules::Name(attempt.finding.confidence)) + ": " +
            rules::Render(attempt.finding.message, source.text) + '\n';
  } else if (attempt.reported) {
    text += "  not shown: the rule is silent about code that is not hot, or the code never runs\n";
  } else {
    text += "  not reported\n";
  }
  return text;
}

std::string_view PlainKind(const analysis::Value& value) {
  switch (value.kind) {
    case analysis::Kind::kArray: return "array";
    case analysis::Kind::kUnknown: return "unknown";
    case analysis::Kind::kBottom: return "unreached";
    case analysis::Kind::kNumpyScalar: return "numpy scalar";
    default: return "other";
  }
}

std::string FactsJson(const analysis::Facts& facts, ir::ModuleId module, const source::LineIndex& lines) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const analysis::NamedFact& fact : analysis::NamedFacts(facts, module)) {
    const analysis::Value& value = facts.Of(fact.value);
    const std::uint32_t line = lines.LineOf(fact.at);
    const int rank = value.kind == analysis::Kind::kArray ? analysis::Rank(facts.store(), value) : -1;
    list.push_back({{"line", line},
                    {"byte_column", fact.at - lines.LineSpan(line).begin + 1},
                    {"name", fact.name},
                    {"kind", PlainKind(value)},
                    {"confidence", rules::Name(analysis::ConfidenceOf(value.evidence))},
                    {"rank", rank < 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(rank)},
                    {"text", fact.text}});
  }
  return list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int RunInspectIr(const Options& options) {
  auto lowered = LowerFile(options.arguments.front(), options);
  if (!lowered) return Tell(lowered.error());
  const Lowered& file = **lowered;
  const std::string& text = file.source->text;
  int code = kOk;
  for (const std::string& broken : ir::Verify(file.program, file.module, text.size())) {
    Complain("internal error, which is our bug: the IR is not sound: " + broken);
    code = kTrouble;
  }
  return PrintResult(ir::Print(file.program, file.module, text), code);
}

int RunInspectFacts(const Options& options) {
  auto lowered = LowerFile(options.arguments.front(), options);
  if (!lowered) return Tell(lowered.error());
  Lowered& file = **lowered;
  const analysis::Facts facts(file.program, file.program.names);
  const auto line_of = [&](std::uint32_t offset) { return static_cast<int>(file.source->lines.LineOf(offset)); };
  if (!options.formats.empty() && options.formats.front() == "json") {
    return PrintResult(FactsJson(facts, file.module, file.source->lines));
  }
  return PrintResult(analysis::PrintFacts(facts, file.module, line_of));
}

int RunInspectWhy(const Options& options) {
  const auto place = SplitPlace(options.arguments[0]);
  if (!place) return Tell({"inspect why: `" + options.arguments[0] + "` is not FILE:LINE, for example solver.py:41"});
  std::vector<std::string> known;
  const rules::Rule* rule = FindRule(options.arguments[1], known);
  if (rule == nullptr) {
    return Tell(
        {"inspect why: there is no rule `" + options.arguments[1] + "`" + DidYouMean(options.arguments[1], known)});
  }
  auto lowered = LowerFile(place->first, options);
  if (!lowered) return Tell(lowered.error());
  Lowered& file = **lowered;
  const std::uint32_t lines = file.source->lines.line_count();
  if (place->second > lines) {
    return Tell({place->first + " has no line " + std::to_string(place->second) + "; its last one is " +
                 std::to_string(lines)});
  }
  const analysis::Facts facts(file.program, file.program.names);
  rules::Target target;
  target.version = options.target_version;
  target.gpus = options.gpus.empty() ? 1 : options.gpus.back();
  const Span line = file.source->lines.LineSpan(place->second);
  const std::vector<rules::Attempt> attempts = rules::Why(facts, file.module, target, *rule, line);
  std::string text = rules::CodeText(*rule) + " " + rule->slug + " at " + options.arguments[0] + "\n";
  if (attempts.empty()) text += "nothing that starts on this line is of a kind that the rule looks at\n";
  for (const rules::Attempt& attempt : attempts) text += AttemptText(attempt, *rule, *file.source);
  return PrintResult(text);
}

int RunInspectParse(const Options& options) {
  auto found = source::Discover(options.arguments, options.discover);
  if (!found) return Tell(found.error());
  std::size_t files = 0;
  std::size_t bytes = 0;
  std::size_t lines = 0;
  std::size_t nodes = 0;
  for (const source::DiscoveredFile& file : found->files) {
    auto loaded = source::Load(file.path);
    if (!loaded || loaded->file == nullptr || !MayUseArrays(loaded->file->text)) continue;
    const syntax::Tree tree = syntax::Parse(loaded->file->text);
    for ([[maybe_unused]] const syntax::Node node : tree.root().Subtree()) ++nodes;
    ++files;
    bytes += loaded->file->text.size();
    lines += loaded->file->lines.line_count();
  }
  return PrintResult(std::to_string(files) + " files, " + std::to_string(bytes) + " bytes, " + std::to_string(lines) +
                     " lines, " + std::to_string(nodes) + " nodes\n");
}

}  // namespace cpnlint::cli
