// What mending takes (rules.md E.7), and at which stage it is done (C.1).

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "rules/verdict/judge.h"

namespace cpnlint::verdict {
namespace {

constexpr double kMinutes = 1.0 / 60, kDay = 8, kWeek = 40;  // in working hours
constexpr double kRepeated = 0.2;  // what a further identical site of a function costs, of the first
constexpr double kPerNesting = 0.5;

enum class Kind : std::uint8_t { kNothing, kOneLine, kRecipe, kLoop, kBoundary, kStructural, kMpi };

struct Row {
  int code;
  int stage;
  Kind kind;
};
// Stages: 0 mpi4py, 1 wrong runtime and pools, 2 what raises, 3 element,
// iteration and builtin loops, 4 callbacks, 5 waits, 6 joins and lists, 7
// allocation, rebinding, temporaries, 8 masks, 9 reshapes, layouts, shifts, 10
// creation and invariants, 11 memory.
constexpr std::array kRows = {
    Row{101, 3, Kind::kLoop},       Row{102, 4, Kind::kLoop},       Row{103, 3, Kind::kLoop},
    Row{104, 5, Kind::kRecipe},     Row{105, 5, Kind::kRecipe},     Row{106, 2, Kind::kOneLine},
    Row{107, 2, Kind::kStructural}, Row{108, 0, Kind::kMpi},        Row{109, 2, Kind::kOneLine},
    Row{110, 3, Kind::kOneLine},    Row{111, 1, Kind::kStructural}, Row{112, 2, Kind::kOneLine},
    Row{113, 2, Kind::kOneLine},    Row{114, 5, Kind::kRecipe},     Row{115, 5, Kind::kRecipe},
    Row{116, 5, Kind::kRecipe},     Row{117, 5, Kind::kBoundary},   Row{118, 1, Kind::kStructural},
    Row{119, 2, Kind::kOneLine},    Row{120, 2, Kind::kOneLine},    Row{201, 7, Kind::kRecipe},
    Row{202, 7, Kind::kRecipe},     Row{203, 6, Kind::kLoop},       Row{204, 8, Kind::kRecipe},
    Row{205, 7, Kind::kRecipe},     Row{206, 9, Kind::kRecipe},     Row{207, 6, Kind::kLoop},
    Row{208, 10, Kind::kRecipe},    Row{209, 7, Kind::kRecipe},     Row{210, 9, Kind::kRecipe},
    Row{211, 6, Kind::kLoop},       Row{212, 8, Kind::kRecipe},     Row{213, 10, Kind::kRecipe},
    Row{214, 9, Kind::kRecipe},     Row{215, 5, Kind::kRecipe},     Row{216, 10, Kind::kRecipe},
    Row{308, 2, Kind::kOneLine},
};

const Row* RowOf(int code) {
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.code == code; });
  return found == kRows.end() ? nullptr : &*found;
}

Kind KindOf(const Issue& issue) {
  const Row* row = RowOf(issue.rule->code);
  if (row == nullptr) return Kind::kNothing;
  if (issue.structural) return Kind::kStructural;
  if (issue.cadence) return Kind::kRecipe;
  // An array of objects that stays in its function is a change of dtype.
  return issue.rule->code == 107 ? Kind::kRecipe : row->kind;
}

Hours Times(Hours hours, double factor) { return {hours.low * factor, hours.high * factor}; }
Hours Plus(Hours a, Hours b) { return {a.low + b.low, a.high + b.high}; }

// By rule, file, function and, of what does not run, message.
using Parts = std::map<std::tuple<int, std::size_t, std::string, std::string>, Hours>;

// Further findings of one rule in one function are repetitions of the first; of what does not run, those alike.
Parts PartsOf(const Program& program, std::span<const IssueRef> issues) {
  Parts parts;
  for (const IssueRef ref : issues) {
    const Issue& issue = IssueOf(program.inputs, ref);
    const auto [entry, is_new] = parts.try_emplace(
        {issue.rule->code, ref.file, issue.function, IsApiGap(issue) ? issue.message : std::string()});
    const Hours hours = HoursOf(issue);
    entry->second = Plus(entry->second, is_new || issue.structural ? hours : Times(hours, kRepeated));
  }
  return parts;
}

}  // namespace

int StageOf(int code) {
  if (const Row* row = RowOf(code)) return row->stage;
  return code >= 400 ? 11 : 10;
}

Hours HoursOf(const Issue& issue) {
  Hours first;
  switch (KindOf(issue)) {
    case Kind::kNothing: return {};
    case Kind::kOneLine: first = {5 * kMinutes, 20 * kMinutes}; break;
    case Kind::kRecipe: first = {0.25, 1}; break;
    case Kind::kLoop: first = Times({0.5, 4}, 1 + kPerNesting * static_cast<double>(issue.nesting)); break;
    case Kind::kBoundary: first = {2, 8}; break;
    case Kind::kStructural: first = {kDay, 5 * kDay}; break;
    case Kind::kMpi: return {kWeek, 3 * kWeek};
  }
  return Times(first, 1 + kRepeated * static_cast<double>(issue.sites - 1));
}

bool IsLineThatRaises(const Issue& issue) { return StageOf(issue.rule->code) == 2 && KindOf(issue) == Kind::kOneLine; }

Hours HoursOf(const Program& program, std::span<const IssueRef> issues) {
  Hours sum;
  for (const auto& [key, hours] : PartsOf(program, issues)) sum = Plus(sum, hours);
  return sum;
}

Effort EffortOf(const Program& program, const Settings& settings) {
  Effort effort;
  std::vector<IssueRef> counted;
  for (const IssueRef ref : program.issues) {
    const Issue& issue = IssueOf(program.inputs, ref);
    if (Counts(issue, rules::Confidence::kLikely) && issue.severity >= rules::Severity::kWarning)
      counted.push_back(ref);
  }
  const Parts parts = PartsOf(program, counted);
  std::map<int, EffortPart> by_rule;
  for (const auto& [key, hours] : parts) {
    effort.units = Plus(effort.units, hours);
    EffortPart& part = by_rule[std::get<0>(key)];
    part.hours = Plus(part.hours, hours);
  }
  for (auto& [code, part] : by_rule) {
    for (const rules::Rule* rule : rules::AllRules()) {
      if (rule->code == code) part.what = rules::CodeText(*rule) + " " + rule->slug;
    }
    if (part.hours.high > 0) effort.largest.push_back(std::move(part));
  }
  std::stable_sort(effort.largest.begin(), effort.largest.end(),
                   [](const EffortPart& a, const EffortPart& b) { return a.hours.high > b.hours.high; });
  if (effort.largest.size() > 3) effort.largest.resize(3);
  effort.fixed = {kDay + 0.5 * kDay + kDay, kDay + kDay + 2 * kDay};  // plan, reference tests, one-GPU check
  if (std::any_of(settings.gpus.begin(), settings.gpus.end(), [](int gpus) { return gpus > 1; })) {
    effort.fixed = Plus(effort.fixed, {kDay, 2 * kDay});
  }
  if (settings.nodes > 1) effort.fixed = Plus(effort.fixed, {2 * kDay, 5 * kDay});
  return effort;
}

}  // namespace cpnlint::verdict
