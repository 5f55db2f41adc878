#include "rules/verdict/judge.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cpnlint::verdict {
namespace {

using rules::Confidence;
using rules::Family;
using rules::Severity;

constexpr std::size_t kFixFirst = 5;
constexpr std::size_t kSignificantUnits = 3;
constexpr double kMuchLost = 0.3;  // of the hot code not analysed
constexpr double kMuchOfTime = 0.2;
constexpr double kMinor = 0.01;  // of the work of the run's heaviest program

// Rules that block wherever the line can run, not only in hot code (E.2).
bool BlocksWhenCold(int code) {
  return code == 102 || code == 106 || code == 107 || code == 108 || code == 109 || code == 110 || code == 118;
}

struct UnitKey {
  int code;
  RegionId region;
  friend auto operator<=>(const UnitKey&, const UnitKey&) = default;
};

UnitKey UnitOf(const Issue& issue) { return {issue.rule->code, issue.hot ? issue.region : kNoRegion}; }

double ShareOf(const Program& program, const Issue& issue) {
  if (issue.region == kNoRegion) return 0;
  for (const Region& region : program.regions) {
    if (region.sum.region == issue.region) return region.share;
  }
  return 0;
}

// The heaviest first; equal ones as they stand in the source.
void SortByWeight(const Program& program, std::vector<IssueRef>& refs) {
  std::vector<std::pair<double, IssueRef>> weighed;
  weighed.reserve(refs.size());
  for (const IssueRef ref : refs) weighed.emplace_back(ShareOf(program, IssueOf(program.inputs, ref)), ref);
  std::stable_sort(weighed.begin(), weighed.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::transform(weighed.begin(), weighed.end(), refs.begin(), [](const auto& one) { return one.second; });
}

// What is fixed first is named first: units in the order of `fixes`, each by the finding that stands there.
void PutFixesFirst(const Program& program, std::span<const Fix> fixes, std::vector<IssueRef>& refs) {
  auto next = refs.begin();
  for (const Fix& fix : fixes) {
    const Issue& fixed = IssueOf(program.inputs, fix.issue);
    auto found = std::find(next, refs.end(), fix.issue);
    if (found == refs.end() && !IsApiGap(fixed)) {
      found = std::find_if(next, refs.end(),
                           [&](IssueRef ref) { return UnitOf(IssueOf(program.inputs, ref)) == UnitOf(fixed); });
    }
    if (found == refs.end()) continue;
    std::rotate(next, found, found + 1);
    *next++ = fix.issue;
  }
}

// What mending a unit saves: the sum over its findings, as all of them have to be mended.
using Savings = std::map<UnitKey, double>;

// What mending saves most of the predicted time decides; where nothing has a price, what stands in the heaviest region.
void PutHeaviestFirst(const Program& program, const Savings& savings, std::vector<IssueRef>& refs) {
  const auto weight = [&](IssueRef ref) {
    const Issue& issue = IssueOf(program.inputs, ref);
    const auto unit = IsApiGap(issue) ? savings.end() : savings.find(UnitOf(issue));
    const double saves = unit == savings.end() ? issue.saves.value_or(0) : unit->second;
    return std::pair(saves, issue.hot ? ShareOf(program, issue) : 0);
  };
  const auto heaviest = std::ranges::max_element(refs, {}, weight);
  if (heaviest == refs.end() || weight(*heaviest) == std::pair(0.0, 0.0)) return;
  std::rotate(refs.begin(), heaviest, heaviest + 1);
}

void Add(RegionPart& sum, const RegionPart& part) {
  sum.hot = sum.hot || part.hot;
  for (std::size_t i = 0; i < kPatterns; ++i) {
    sum.patterns[i] += part.patterns[i];
    sum.plain[i] += part.plain[i];
  }
  sum.device += part.device;
  sum.host += part.host;
  sum.foreign += part.foreign;
  sum.lost += part.lost;
  sum.thin += part.thin;
  sum.small += part.small;
  if (part.hot) sum.sizes.insert(sum.sizes.end(), part.sizes.begin(), part.sizes.end());
}

double WeightOf(const RegionPart& part) { return part.device + part.host + part.foreign; }

// Operators around shifts are part of the stencil, and what is made of random numbers part of the Monte Carlo (E.5
// scores regions, not operations).
void ScoreAsOne(PatternWeights& weights) {
  constexpr double kSignal = 0.1;  // of the array work
  const auto at = [&](Pattern pattern) -> double& { return weights[static_cast<std::size_t>(pattern)]; };
  const double operators = at(Pattern::kElementwise), reductions = at(Pattern::kReduction);
  const double stencil = at(Pattern::kStencil), draws = at(Pattern::kMonteCarlo);
  const double all = operators + reductions + stencil + draws;
  if (stencil >= kSignal * all) {
    at(Pattern::kStencil) += std::exchange(at(Pattern::kElementwise), 0);
  } else if (draws >= kSignal * all) {
    at(Pattern::kMonteCarlo) += std::exchange(at(Pattern::kElementwise), 0) + std::exchange(at(Pattern::kReduction), 0);
  }
}

// A few numbers that go along with work on larger arrays (weights of a model, a running mean) make no sequential code.
void CountSmallState(RegionPart& part) {
  constexpr double kSignal = 0.1;  // of the array work
  if (part.small <= 0) return;
  double large = 0;
  for (std::size_t i = 0; i < kPatterns; ++i) large += IsBad(static_cast<Pattern>(i)) ? 0 : part.patterns[i];
  if (large < kSignal * (large + part.small)) return;
  for (PatternWeights* weights : {&part.patterns, &part.plain}) {
    double& sequential = (*weights)[static_cast<std::size_t>(Pattern::kSequential)];
    const double moved = std::min(part.small, sequential);
    sequential -= moved;
    (*weights)[static_cast<std::size_t>(Pattern::kElementwise)] += moved;
  }
}

void ScoreAsOne(RegionPart& part) {
  CountSmallState(part);
  ScoreAsOne(part.patterns);
  ScoreAsOne(part.plain);
}

// What each region takes of the time of all, where all that are hot have one.
void ShareTimes(Program& program) {
  const auto time_of = [&](const Region& region) {
    const auto found = std::find_if(program.times.begin(), program.times.end(),
                                    [&](const RegionTime& time) { return time.region == region.sum.region; });
    return found == program.times.end() ? 0 : found->all;
  };
  double sum = 0;
  for (const Region& region : program.regions) {
    const double time = time_of(region);
    if (time <= 0 && region.sum.hot) return;
    sum += time;
  }
  if (sum <= 0) return;
  for (Region& region : program.regions) region.time = time_of(region) / sum;
}

void GatherRegions(Program& program) {
  std::map<RegionId, Region> regions;
  for (const std::size_t file : program.files) {
    for (const RegionPart& part : program.inputs[file].evidence->regions) {
      Region& region = regions[part.region];
      if (region.sum.region == kNoRegion) region.file = file;
      region.sum.region = part.region;
      Add(region.sum, part);
      if (!part.is_home) continue;
      region.file = file;
      region.sum.is_home = true;
      region.sum.start = part.start;
      region.sum.function = part.function;
      region.sum.loop = part.loop;
    }
  }
  for (auto& [id, region] : regions) {
    ScoreAsOne(region.sum);
    region.weight = WeightOf(region.sum);
    program.hot += region.weight;
    program.has_hot_work = program.has_hot_work || (region.sum.hot && region.sum.device > 0);
    program.has_hot_arrays = program.has_hot_arrays || (region.sum.hot && !region.sum.sizes.empty());
    Add(program.total, region.sum);
    program.regions.push_back(std::move(region));
  }
  for (Region& region : program.regions) region.share = program.hot > 0 ? region.weight / program.hot : 0;
  std::stable_sort(program.regions.begin(), program.regions.end(),
                   [](const Region& a, const Region& b) { return a.weight > b.weight; });
  program.in_loops = program.total.plain;
  for (const std::size_t file : program.files) {
    const Evidence& evidence = *program.inputs[file].evidence;
    program.has_array_work = program.has_array_work || evidence.has_array_work;
    program.open_operations += evidence.open_operations;
    program.open_weight += evidence.open_weight;
    program.cold += WeightOf(evidence.cold);
    program.bad_statements += evidence.bad_statements;
    program.times.insert(program.times.end(), evidence.times.begin(), evidence.times.end());
    if (program.has_hot_work) continue;
    RegionPart cold = evidence.cold;
    ScoreAsOne(cold);
    Add(program.total, cold);
    if (program.has_hot_arrays) continue;
    program.total.sizes.insert(program.total.sizes.end(), cold.sizes.begin(), cold.sizes.end());
  }
  ShareTimes(program);
}

Program ProgramOf(std::span<const Input> inputs, std::vector<std::size_t> files) {
  Program program;
  program.inputs = inputs;
  program.files = std::move(files);
  for (const std::size_t file : program.files) {
    for (std::size_t i = 0; i < inputs[file].evidence->issues.size(); ++i) program.issues.push_back({file, i});
  }
  GatherRegions(program);
  return program;
}

std::string Count(std::size_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

std::string Quote(const Program& program, const Issue& issue, std::size_t file) {
  return rules::CodeText(*issue.rule) + ' ' + issue.message + " (" + PlaceText(program.inputs[file].path, issue.start) +
         ')';
}

std::string Sentence(const Program& program, const Decision& decision) {
  const Units& units = decision.units;
  const std::string chief =
      decision.by.empty() ? "" : Quote(program, IssueOf(program.inputs, decision.by.front()), decision.by.front().file);
  std::string blocks = Count(units.blocks, "blocking unit");
  if (units.structural > 0) blocks += ", " + std::to_string(units.structural) + " structural";
  switch (decision.step) {
    case 3: return "the parallel design has to be replaced: " + chief;
    case 4:
    case 5: return blocks + (units.blocks > 1 ? ", above all " : ": ") + chief;
    case 6: {
      std::string what;
      if (units.refactor > 0) what = Count(units.refactor, "rewrite") + " worth making";
      if (units.api_gaps > 0) what += (what.empty() ? "" : " and ") + Count(units.api_gaps, "API gap") + " to close";
      return "nothing blocks; " + what + (units.refactor + units.api_gaps > 1 ? ", above all " : ": ") + chief;
    }
    case 8:
      return Count(units.api_gaps, "API gap") + " to close before it runs" +
             (units.api_gaps > 1 ? ", above all " : ": ") + chief;
    default: break;
  }
  if (decision.optional == 0) return "nothing blocks and no rewrite is pending";
  return "nothing blocks; " + Count(decision.optional, "rewrite") + (decision.optional == 1 ? " is" : " are") +
         " optional";
}

// What a preview finds counts for nothing, but the predicted time contains it: where much of that is one such finding,
// the sentence would contradict the number.
std::string DominantPreview(const Program& program) {
  const Issue* heaviest = nullptr;
  std::size_t in = 0;
  for (const std::size_t file : program.files) {
    for (const Issue& issue : program.inputs[file].evidence->previews) {
      if (!Counts(issue, Confidence::kLikely) || issue.saves.value_or(0) < kMuchOfTime) continue;
      if (heaviest != nullptr && *issue.saves <= *heaviest->saves) continue;
      heaviest = &issue;
      in = file;
    }
  }
  if (heaviest == nullptr) return "";
  return "; " + Percent(*heaviest->saves) +
         " of the predicted time is a finding that --preview shows: " + Quote(program, *heaviest, in);
}

std::string SentenceOfGate(const Gate& gate, const Decision& decision) {
  std::string text = "gate " + std::to_string(gate.number) + " fails: " + gate.reason;
  if (gate.number == 1) text += "; elsewhere the findings would make it " + std::string(Name(decision.tier));
  if (gate.number == 2) text += "; with larger arrays the findings would make it " + std::string(Name(decision.tier));
  return text;
}

// The share of hot code, or of lines where whole files are missing, that
// nothing is known of.
bool IsProvisional(const Program& program) {
  double lines = 0, failed = 0;
  for (const std::size_t file : program.files) {
    lines += program.inputs[file].lines;
    if (program.inputs[file].failed) failed += program.inputs[file].lines;
  }
  if (lines > 0 && failed / lines > kMuchLost) return true;
  const double host = program.total.host + program.total.device;
  return host > 0 && program.total.lost / (host + program.total.lost) > kMuchLost;
}

ProgramVerdict JudgeProgram(const Program& program, const Settings& settings) {
  ProgramVerdict verdict;
  verdict.root = program.inputs[program.files.front()].program;
  verdict.files = program.files;
  verdict.regions = program.regions;
  verdict.has_hot_arrays = program.has_hot_arrays;
  verdict.weight = program.hot + program.cold;
  for (const std::size_t file : program.files) {
    const Evidence& evidence = *program.inputs[file].evidence;
    verdict.start = std::max(verdict.start, evidence.start);  // of the one that the program is called by
    verdict.ported = verdict.ported || evidence.ported;
  }
  verdict.patterns = SharesOf(program, settings);

  std::vector<Fix> fixes = FixFirst(program, kFixFirst);
  const Decision decision = Decide(program, Confidence::kLikely, fixes);
  const Decision wider = Decide(program, Confidence::kPossible, fixes);
  verdict.units = decision.units;
  verdict.redesign = decision.step == 3 || decision.units.structural > 0;
  verdict.blocking = decision.blocking;
  verdict.tier = decision.tier;
  verdict.with_possible = wider.tier;
  verdict.decided_by = decision.by;
  verdict.sentence = Sentence(program, decision) + DominantPreview(program);

  verdict.gates.push_back(CapacityGate(program, settings));
  verdict.gates.push_back(SizeGate(program, settings));
  verdict.gates.push_back(ShapeGate(decision, wider.tier));
  verdict.gates.push_back(PatternGate(program, settings, verdict.patterns));
  verdict.gates.push_back(BoundaryGate(program, settings));
  verdict.gates.push_back(OperationalGate(program, settings));
  for (const int number : {4, 2, 1}) {
    const Gate& gate = verdict.gates[static_cast<std::size_t>(number) - 1];
    if (gate.status != Status::kFail || (number == 1 && !IsUnsupported(settings))) continue;
    verdict.tier = verdict.with_possible = Tier::kNotRecommended;
    verdict.decided_by_gate = number;
    verdict.decided_by.clear();
    verdict.sentence = SentenceOfGate(gate, decision);
    break;
  }
  if (const std::optional<Peak> peak = PeakOf(program, settings)) {
    verdict.overfull = peak->overfull;
    verdict.holds = peak->holds;
  }
  const Gate& capacity = verdict.gates.front();
  const bool too_large = capacity.status == Status::kFail || !verdict.overfull.empty();
  if (too_large && !IsUnsupported(settings)) verdict.sentence += "; memory: " + capacity.reason;
  if (verdict.with_possible != verdict.tier) {
    verdict.possible =
        static_cast<std::size_t>(std::count_if(program.issues.begin(), program.issues.end(), [&](IssueRef ref) {
          const Issue& issue = IssueOf(program.inputs, ref);
          return issue.reachable && issue.confidence == Confidence::kPossible && issue.severity >= Severity::kWarning;
        }));
  }
  verdict.provisional = IsProvisional(program);
  verdict.composite = CompositeOf(program, settings, verdict.gates, verdict.tier, verdict.patterns);
  if (verdict.tier == Tier::kNotRecommended) return verdict;
  verdict.effort = EffortOf(program, settings);
  verdict.fix_first = std::move(fixes);
  return verdict;
}

// Code that calls nothing of the array library (it only imports it, or another tool compiles what works on arrays) has
// nothing to port, and so there is nothing to say.
bool HasWorkToJudge(const Program& program) {
  if (program.has_array_work || program.bad_statements > 0) return true;
  for (const std::size_t file : program.files) {
    for (const UsedName& used : program.inputs[file].evidence->names) {
      if (used.name != "numpy.random.seed") return true;
    }
  }
  return std::any_of(program.issues.begin(), program.issues.end(), [&](IssueRef ref) {
    const Issue& issue = IssueOf(program.inputs, ref);
    const bool acts = issue.rule->family == Family::kBlocks || issue.rule->family == Family::kRefactor;
    return acts && Counts(issue, Confidence::kLikely);
  });
}

bool IsWorse(const ProgramVerdict& a, const ProgramVerdict& b) {
  if (a.minor != b.minor) return b.minor;
  if (a.tier != b.tier) return a.tier > b.tier;
  if (a.with_possible != b.with_possible) return a.with_possible > b.with_possible;
  return a.units.blocks != b.units.blocks ? a.units.blocks > b.units.blocks : a.units.refactor > b.units.refactor;
}

// A toy beside the work of others says nothing of that; what has to be designed anew does, however little it works.
void FindMinor(std::vector<ProgramVerdict>& programs) {
  double heaviest = 0;
  for (const ProgramVerdict& program : programs) heaviest = std::max(heaviest, program.weight);
  for (ProgramVerdict& program : programs) {
    program.minor = program.weight < kMinor * heaviest && !program.redesign;
  }
}

}  // namespace

std::string_view Name(Tier tier) {
  constexpr std::string_view kNames[] = {"READY", "LIGHT REFACTOR", "SIGNIFICANT REFACTOR", "NOT RECOMMENDED"};
  return kNames[static_cast<std::size_t>(tier)];
}

std::string_view Action(const ProgramVerdict& program) {
  if (program.decided_by_gate == 1) return "take GPUs that cuPyNumeric runs on, as the sentence says";
  if (program.tier == Tier::kReady && program.ported) return "benchmark it; the import is that of cuPyNumeric already";
  constexpr std::string_view kActions[] = {"swap the import and benchmark", "apply the recipes below and check again",
                                           "plan one to three engineer-weeks per module",
                                           "use another tool, or restructure the problem first"};
  return kActions[static_cast<std::size_t>(program.tier)];
}

std::string_view Name(Status status) {
  constexpr std::string_view kNames[] = {"pass", "fail", "uncertain"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string_view Name(Composite composite) {
  constexpr std::string_view kNames[] = {"strong-go", "pilot", "no-go"};
  return kNames[static_cast<std::size_t>(composite)];
}

std::string PlaceText(const std::string& path, Spot spot) {
  std::string text = path;
  if (spot.cell != 0) text += ":cell " + std::to_string(spot.cell);
  if (spot.line != 0) text += ':' + std::to_string(spot.line);
  return text;
}

const Issue& IssueOf(std::span<const Input> files, IssueRef ref) { return files[ref.file].evidence->issues[ref.issue]; }

bool Decides(const Issue& issue) {
  const bool acts = issue.rule->family == Family::kBlocks || issue.rule->family == Family::kRefactor;
  const bool stops = IsApiGap(issue) || issue.raises;
  return (acts || stops) && Counts(issue, Confidence::kLikely) && issue.severity >= Severity::kWarning;
}

bool IsApiGap(const Issue& issue) {
  const int code = issue.rule->code;
  const bool gap = code == 112 || code == 113 || code == 119 || code == 120 || code == 308;
  return gap && !issue.structural && issue.severity == Severity::kError;
}

Decision Decide(const Program& program, Confidence least, std::span<const Fix> fixes) {
  Decision decision;
  std::map<UnitKey, std::vector<IssueRef>> blocks, refactor;
  std::set<UnitKey> structural;
  std::vector<IssueRef> hot_gaps, cold_gaps, mpi;
  std::set<RegionId> cupy;
  bool all_have_substitutes = true;
  for (const IssueRef ref : program.issues) {
    const Issue& issue = IssueOf(program.inputs, ref);
    if (!Counts(issue, least)) continue;
    const int code = issue.rule->code;
    const bool structural_gap = (code == 112 || code == 119) && issue.structural;
    const UnitKey key = UnitOf(issue);
    if (IsApiGap(issue)) {
      ++decision.units.api_gaps;
      (issue.hot ? hot_gaps : cold_gaps).push_back(ref);
      if (issue.hot && !issue.substitute) all_have_substitutes = false;
    } else if (issue.rule->family == Family::kBlocks && code != 112 && code != 113 && code != 119 && code != 120) {
      if (!issue.hot && !BlocksWhenCold(code)) {
        if (!issue.raises) continue;
        ++decision.units.api_gaps;
        cold_gaps.push_back(ref);
        continue;
      }
      if (issue.severity < Severity::kWarning) continue;
      blocks[key].push_back(ref);
      if (issue.structural) structural.insert(key);
      if (code == 108) mpi.push_back(ref);
      if (code == 111) cupy.insert(key.region);
    } else if (structural_gap) {
      blocks[key].push_back(ref);
      structural.insert(key);
    } else if (issue.rule->family == Family::kRefactor && code != 209 && issue.severity >= Severity::kWarning) {
      refactor[key].push_back(ref);
    } else if (issue.raises) {  // a rule about something else that found a line which cannot run
      ++decision.units.api_gaps;
      cold_gaps.push_back(ref);
    } else if (issue.rule->family == Family::kRefactor) {
      ++decision.optional;
    }
  }
  if (cupy.size() > 1) {
    for (const RegionId region : cupy) structural.insert({111, region});
  }
  decision.units.blocks = blocks.size();
  decision.units.structural = structural.size();
  decision.units.refactor = refactor.size();

  Savings savings;
  for (const auto* units : {&blocks, &refactor}) {
    for (const auto& [key, refs] : *units) {
      for (const IssueRef ref : refs) savings[key] += IssueOf(program.inputs, ref).saves.value_or(0);
    }
  }
  const auto in_order = [&](std::vector<IssueRef>& refs) {
    std::sort(refs.begin(), refs.end(),
              [](IssueRef a, IssueRef b) { return a.file != b.file ? a.file < b.file : a.issue < b.issue; });
    SortByWeight(program, refs);
    PutFixesFirst(program, fixes, refs);
    PutHeaviestFirst(program, savings, refs);
  };
  // The finding that saves most stands for its unit; one that can be shown before one that a comment ignores.
  const auto chief_of = [&](const std::vector<IssueRef>& refs) {
    return *std::ranges::max_element(refs, {}, [&](IssueRef ref) {
      const Issue& issue = IssueOf(program.inputs, ref);
      const double sure = issue.confidence == Confidence::kCertain ? 1 : kLessSure;
      return std::pair(issue.hidden != Hidden::kSilenced, sure * issue.saves.value_or(0));
    });
  };
  const auto first_of_each = [&](const auto& units) {
    for (const auto& [key, refs] : units) decision.by.push_back(chief_of(refs));
    in_order(decision.by);
  };
  first_of_each(blocks);
  decision.blocking = std::exchange(decision.by, {});
  if (!mpi.empty()) {
    decision.tier = Tier::kSignificant;
    decision.step = 3;
    decision.by = mpi;
  } else if (blocks.size() >= kSignificantUnits || !structural.empty()) {
    decision.tier = Tier::kSignificant;
    decision.step = 4;
    first_of_each(blocks);
    // What makes it structural is what decides.
    std::stable_partition(decision.by.begin(), decision.by.end(), [&](IssueRef ref) {
      const Issue& issue = IssueOf(program.inputs, ref);
      return structural.contains(UnitOf(issue));
    });
  } else if (!blocks.empty()) {
    decision.tier = Tier::kLight;
    decision.step = 5;
    first_of_each(blocks);
  } else if (!refactor.empty() || !cold_gaps.empty()) {
    decision.tier = Tier::kLight;
    decision.step = 6;
    for (const auto& [key, refs] : refactor) decision.by.push_back(chief_of(refs));
    for (const std::vector<IssueRef>* gaps : {&cold_gaps, &hot_gaps})
      decision.by.insert(decision.by.end(), gaps->begin(), gaps->end());
    in_order(decision.by);
  }
  if (hot_gaps.empty() || decision.tier >= Tier::kSignificant) return decision;
  const bool stays = decision.tier == Tier::kLight && all_have_substitutes;
  if (stays) return decision;
  decision.tier = decision.tier == Tier::kReady ? Tier::kLight : Tier::kSignificant;
  decision.demoted = true;
  decision.step = 8;
  in_order(hot_gaps);
  std::erase_if(decision.by,
                [&](IssueRef ref) { return std::find(hot_gaps.begin(), hot_gaps.end(), ref) != hot_gaps.end(); });
  decision.by.insert(decision.by.begin(), hot_gaps.begin(), hot_gaps.end());
  return decision;
}

std::optional<Verdict> Judge(std::span<const Input> files, const Settings& settings) {
  std::map<std::string, std::vector<std::size_t>> programs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].evidence != nullptr) programs[files[i].program].push_back(i);
  }
  if (programs.empty()) return std::nullopt;
  Verdict verdict;
  for (auto& [root, members] : programs) {
    const Program program = ProgramOf(files, std::move(members));
    if (!HasWorkToJudge(program)) continue;
    verdict.programs.push_back(JudgeProgram(program, settings));
  }
  if (verdict.programs.empty()) return std::nullopt;
  FindMinor(verdict.programs);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < verdict.programs.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return IsWorse(verdict.programs[a], verdict.programs[b]); });
  verdict.worst = order.front();
  const auto fixed =
      std::find_if(order.begin(), order.end(), [&](std::size_t i) { return !verdict.programs[i].fix_first.empty(); });
  verdict.fixed = fixed == order.end() ? verdict.worst : *fixed;
  return verdict;
}

}  // namespace cpnlint::verdict
