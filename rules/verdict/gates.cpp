// The six gates (rules.md E.3), and the line that sums them up.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "analyzer/base/quantity.h"
#include "rules/verdict/judge.h"

namespace cpnlint::verdict {
namespace {

using rules::Confidence;

constexpr double kCarries = 0.8;     // of the hot weight: the arrays that decide about size
constexpr double kDominates = 0.5;   // a bad pattern of more than this share fails gate 4
constexpr double kNoticeable = 0.3;  // ... of more than this is uncertain; a
                                     // dense module of this share stands alone
constexpr double kMostlyDevice = 0.7;
constexpr std::size_t kMostEvidence = 5;
constexpr std::string_view kNothingRepeats = "no loop repeats operations on whole arrays";

int FewestGpus(const Settings& settings) {
  return settings.gpus.empty() ? 1 : std::max(1, *std::min_element(settings.gpus.begin(), settings.gpus.end()));
}
int MostGpus(const Settings& settings) {
  return settings.gpus.empty() ? 1 : std::max(1, *std::max_element(settings.gpus.begin(), settings.gpus.end()));
}

bool HasGpus(const Settings& settings) { return settings.capability > 0; }
std::string Gpus(int count, const Settings& settings) { return Processors(count, HasGpus(settings)); }
std::string Unit(const Settings& settings) { return HasGpus(settings) ? "GPU" : "core"; }

void AddEvidence(Gate& gate, std::size_t file, Spot spot, std::string text) {
  if (gate.evidence.size() < kMostEvidence) gate.evidence.push_back({file, spot, std::move(text)});
}

std::string Where(const Region& region) {
  std::string text = region.sum.loop + " loop";
  if (!region.sum.function.empty()) text += " in `" + region.sum.function + "`";
  return text;
}

double SumOf(const PatternWeights& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return sum;
}

double WeightIn(const PatternWeights& weights, Pattern pattern) { return weights[static_cast<std::size_t>(pattern)]; }

double BadPart(const PatternWeights& weights) {
  double bad = 0;
  for (std::size_t i = 0; i < kPatterns; ++i) {
    if (IsBad(static_cast<Pattern>(i))) bad += weights[i];
  }
  return bad;
}

const RegionTime* TimeOf(const Program& program, RegionId region) {
  const auto found = std::find_if(program.times.begin(), program.times.end(),
                                  [&](const RegionTime& time) { return time.region == region; });
  return found == program.times.end() ? nullptr : &*found;
}

// What rests on a default size, or is not all of the work, is told, and decides nothing by itself.
std::string Provisional(bool sizes_known, bool priced) {
  if (!sizes_known) return ", provisional: sizes or passes are assumed";
  return priced ? "" : ", without the part that has no price";
}

// "; 1.2 ms a pass on h100-sxm, bound by memory"
std::string PassText(const Program& program, const Settings& settings, RegionId region) {
  const RegionTime* time = TimeOf(program, region);
  if (time == nullptr || time->pass <= 0) return "";
  return "; " + SecondsText(time->pass) + " a pass on " + settings.machine + ", bound by " + time->bound_by +
         Provisional(time->sizes_known, time->priced);
}

void AddRegions(Gate& gate, const Program& program, std::size_t most, const Settings* target = nullptr) {
  for (const Region& region : program.regions) {
    if (gate.evidence.size() >= most) break;
    if (region.share < 0.01 && region.time.value_or(0) < 0.01) continue;
    if (!region.sum.is_home || (!region.sum.hot && BadPart(region.sum.patterns) <= 0)) continue;
    AddEvidence(gate, region.file, region.sum.start,
                Where(region) + ", " + ShareText(region) +
                    (target == nullptr ? "" : PassText(program, *target, region.sum.region)));
  }
}

// A region of good patterns only that could be moved by itself.
const Region* DenseModule(const Program& program) {
  for (const Region& region : program.regions) {
    if (region.share < kNoticeable) break;
    if (region.sum.device > 0 && BadPart(region.sum.patterns) <= 0.05 * SumOf(region.sum.patterns)) return &region;
  }
  return nullptr;
}

// Most of the bad work is done in loops; what runs once cannot dominate.
bool StandsInLoops(const Program& program) {
  return program.has_hot_work || 2 * BadPart(program.in_loops) >= BadPart(program.total.plain);
}

// A library: array code that somebody else calls, next to which what runs here (a demo) is little.
bool IsLibrary(const Program& program) {
  return program.open_weight > 0 && program.open_weight >= kNoticeable * (program.open_weight + program.hot);
}

// ... beside the bad part.
bool HasOpenArrayWork(const Program& program) {
  if (program.has_hot_work) return IsLibrary(program);
  const auto open = static_cast<double>(program.open_operations), bad = static_cast<double>(program.bad_statements);
  return open > 0 && open >= kNoticeable * (open + bad);
}

// Some hot loop does anything with arrays, be it element by element: the rest walks Python objects.
bool RepeatsArrays(const Program& program) {
  return program.has_hot_work || std::any_of(program.regions.begin(), program.regions.end(), [](const Region& region) {
           return region.sum.hot && region.sum.loop != "item";
         });
}

// The loops that carry the work walk problems that are large enough together (E.3).
bool IsBatchable(const TypicalSize& typical, const Settings& settings) {
  return typical.batched >= static_cast<double>(settings.economic) * FewestGpus(settings);
}

std::string Band(double per_gpu, const Settings& settings) {
  if (per_gpu < 65'536) return "too small for a " + Unit(settings) + " to pay";
  if (per_gpu < 1e6) return "likely slower than NumPy";
  if (per_gpu < 1e7) return "about break-even with NumPy";
  if (!HasGpus(settings)) return "enough work for each core";
  if (per_gpu < 1e8) return "faster than NumPy on one GPU";
  if (per_gpu < 1e9) return "enough work for several GPUs";
  return "enough work for several nodes";
}

bool Dominates(Pattern pattern) {
  return pattern == Pattern::kStencil || pattern == Pattern::kDenseLinalg || pattern == Pattern::kReduction;
}

// "240 GB on 1 GPU, 60 GB on each of 4 GPUs": of the numbers of GPUs that hold it, or of the others. Without GPUs the
// cores of a process have one memory.
std::string Alive(const Peak& peak, const Settings& settings, bool overfull) {
  std::string text, last;
  for (std::size_t i = 0; i < peak.bytes.size(); ++i) {
    if ((peak.bytes[i] > settings.pool) != overfull) continue;
    std::string part = BytesText(peak.bytes[i]);
    if (settings.capability <= 0) {
      part += " in each process";
    } else {
      part += (settings.gpus[i] == 1 ? " on " : " on each of ") + Gpus(settings.gpus[i], settings);
    }
    if (part == last) continue;
    text += (text.empty() ? "" : ", ") + part;
    last = std::move(part);
  }
  return text;
}

}  // namespace

std::string Processors(int count, bool gpu) {
  return std::to_string(count) + (gpu ? " GPU" : " core") + (count == 1 ? "" : "s");
}

namespace {

double RoundedPercent(double share) {
  const double percent = share * 100;
  if (percent >= 99.5) return 100;
  if (percent >= 95) return 95;  // not all of it
  if (percent >= 10) return std::round(percent / 10) * 10;
  return percent >= 1 ? std::round(percent) : 0;
}

std::string PercentText(double percent) { return percent < 1 ? "under 1 %" : CountText(percent) + " %"; }

}  // namespace

std::string Percent(double share) { return PercentText(RoundedPercent(share)); }

std::string PercentBeside(double share, double other) {
  const double percent = RoundedPercent(share);
  return PercentText(share < other ? std::min(percent, 100 - RoundedPercent(other)) : percent);
}

std::string MixText(std::span<const PatternShare> shares, bool with_scaling) {
  std::string mix;
  for (std::size_t i = 0; i < shares.size() && i < 2; ++i) {
    mix += (mix.empty() ? "" : ", ") + std::string(Name(shares[i].pattern)) + " " +
           (i == 0 ? Percent(shares[i].share) : PercentBeside(shares[i].share, shares[0].share));
    if (with_scaling) mix += " (" + std::string(ScalingClass(shares[i].pattern)) + ")";
  }
  return mix;
}

std::string ShareText(const Region& region) {
  if (region.time) return Percent(*region.time) + " of the predicted time";
  return Percent(region.share) + (region.sum.hot ? " of the hot work" : " of the work");
}

std::vector<PatternShare> SharesOf(const Program& program, const Settings& settings) {
  if (settings.pattern) return {{*settings.pattern, 1}};
  // Where no loop works on arrays there is nothing to weigh by size: passes
  // times operations.
  const PatternWeights& weights = program.has_hot_work ? program.total.patterns : program.total.plain;
  const double sum = SumOf(weights);
  std::vector<PatternShare> shares;
  for (std::size_t i = 0; i < kPatterns && sum > 0; ++i) {
    if (weights[i] > 0) shares.push_back({static_cast<Pattern>(i), weights[i] / sum});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const PatternShare& a, const PatternShare& b) { return a.share > b.share; });
  return shares;
}

namespace {

// Sorts by size; how many of them carry four fifths of the weight, from the smallest on.
template <typename Elements>
std::size_t CountCarrying(std::vector<SizedWeight>& sizes, double all, const Elements& elements) {
  std::stable_sort(sizes.begin(), sizes.end(),
                   [&](const SizedWeight& a, const SizedWeight& b) { return elements(a) < elements(b); });
  double carried = 0;
  std::size_t count = 0;
  while (count < sizes.size() && carried < kCarries * all) carried += sizes[count++].weight;
  return count;
}

}  // namespace

TypicalSize TypicalSizeOf(const Program& program) {
  std::vector<SizedWeight> sizes = program.total.sizes;
  double all = 0, unknown = 0;
  for (const SizedWeight& size : sizes) {
    all += size.weight;
    if (!size.volume) unknown += size.weight;
  }
  TypicalSize typical;
  if (all <= 0 || unknown > (1 - kCarries) * all) return typical;
  std::erase_if(sizes, [](const SizedWeight& size) { return !size.volume; });
  const auto batched = [](const SizedWeight& size) { return static_cast<double>(*size.volume) * size.problems; };
  if (const std::size_t count = CountCarrying(sizes, all, batched)) typical.batched = batched(sizes[count - 1]);
  const auto single = [](const SizedWeight& size) { return static_cast<double>(*size.volume); };
  const std::size_t count = CountCarrying(sizes, all, single);
  for (std::size_t i = 0; i < count; ++i) {
    typical.elements = single(sizes[i]);
    typical.confidence = analysis::Weaker(typical.confidence, sizes[i].confidence);
  }
  return typical;
}

// cuPyNumeric 26.07 is built for Volta and newer.
bool IsUnsupported(const Settings& settings) {
  constexpr double kLeastCapability = 7.0;
  return settings.capability > 0 && settings.capability < kLeastCapability;
}

std::optional<Peak> PeakOf(const Program& program, const Settings& settings) {
  std::optional<Peak> peak;
  for (const std::size_t file : program.files) {
    const Evidence& evidence = *program.inputs[file].evidence;
    if (evidence.peaks.empty() || (peak && evidence.peaks.front() <= peak->bytes.front())) continue;
    peak = Peak{file, evidence.peaks, {}, evidence.fewest};
  }
  for (std::size_t i = 0; peak && i < peak->bytes.size(); ++i) {
    if (peak->bytes[i] > settings.pool) peak->overfull.push_back(settings.gpus.at(i));
  }
  return peak;
}

Gate CapacityGate(const Program& program, const Settings& settings) {
  Gate gate{1, "hardware and capacity", Status::kUncertain, "", {}, true};
  const std::string machine = settings.machine + ", " + BytesText(settings.pool) + " for arrays per " +
                              (HasGpus(settings) ? "GPU" : "process") + ", Linux";
  if (IsUnsupported(settings)) {
    char text[128];
    std::snprintf(text, sizeof text, "cuPyNumeric 26.07 needs GPUs of compute capability 7.0 or newer, %s has %.1f",
                  settings.machine.c_str(), settings.capability);
    gate.status = Status::kFail;
    gate.reason = text;
    return gate;
  }
  const double memory = settings.pool * MostGpus(settings);
  const std::optional<Peak> peak = PeakOf(program, settings);
  if (peak) {
    AddEvidence(gate, peak->file, program.inputs[peak->file].evidence->peak,
                BytesText(*std::max_element(peak->bytes.begin(), peak->bytes.end())) + " are alive at once");
  }
  for (const std::size_t file : program.files) {
    const Evidence& evidence = *program.inputs[file].evidence;
    if (evidence.largest_bytes && static_cast<double>(*evidence.largest_bytes) > memory) {
      gate.status = Status::kFail;
      AddEvidence(gate, file, evidence.largest,
                  "an array of " + BytesText(static_cast<double>(*evidence.largest_bytes)));
    }
  }
  if (peak && !peak->overfull.empty()) {
    const std::string fitting = Alive(*peak, settings, false);
    gate.status = fitting.empty() ? Status::kFail : Status::kUncertain;
    constexpr double kJust = 1.05;  // both numbers may look the same
    const bool just = *std::max_element(peak->bytes.begin(), peak->bytes.end()) < kJust * settings.pool;
    gate.reason = "the predicted peak of " + Alive(*peak, settings, true) + (just ? " just" : "") +
                  " exceeds the pool (" + machine + ")";
    if (!fitting.empty()) gate.reason += "; it fits with " + fitting;
    if (fitting.empty() && peak->holds > 0 && settings.capability > 0)
      gate.reason += "; " + Gpus(peak->holds, settings) + " would hold it";
    return gate;
  }
  if (gate.status == Status::kFail) {
    gate.reason =
        "one array alone is larger than the memory of " + Gpus(MostGpus(settings), settings) + " (" + machine + ")";
    return gate;
  }
  std::string other;
  for (const std::size_t file : program.files) {
    for (const Mark& mark : program.inputs[file].evidence->platforms) {
      AddEvidence(gate, file, mark.at, mark.what);
      other = mark.what;
    }
  }
  if (settings.project != nullptr && !settings.project->other_systems.empty())
    other = settings.project->other_systems[0];
  if (!other.empty()) {
    gate.reason =
        "cuPyNumeric runs on Linux and WSL2, and this project also "
        "names other systems (" +
        other + ")";
    return gate;
  }
  if (!peak) {
    gate.reason = "the sizes are not known, so neither is the peak memory (" + machine + ")";
    return gate;
  }
  constexpr double kTight = 0.8;  // of the pool
  const double most = *std::max_element(peak->bytes.begin(), peak->bytes.end());
  gate.status = most > kTight * settings.pool ? Status::kUncertain : Status::kPass;
  gate.reason = "alive at once are at most " + Alive(*peak, settings, false) + " (" + machine + ")";
  // A part of known size says nothing of the rest.
  if (program.has_hot_arrays && !TypicalSizeOf(program).elements) {
    gate.status = Status::kUncertain;
    gate.reason = "alive at once are at most " + Alive(*peak, settings, false) +
                  " in code whose sizes are known, which is not most of the work (" + machine + ")";
  }
  constexpr double kAdvised = 79e9;  // 80 GB as data sheets count them
  if (HasGpus(settings) && settings.memory * MostGpus(settings) < kAdvised) {
    gate.reason += "; for production 80 GB of GPU memory in all are advised";
  }
  return gate;
}

Gate SizeGate(const Program& program, const Settings& settings) {
  Gate gate{2, "problem size", Status::kUncertain, "", {}, true};
  const int gpus = FewestGpus(settings);
  const TypicalSize typical = TypicalSizeOf(program);
  if (!program.has_hot_arrays) {
    gate.reason = kNothingRepeats;
    if (typical.elements) {
      gate.reason += "; arrays of at most " + CountText(*typical.elements) + " elements carry what runs once";
    }
    gate.reason += "; cuPyNumeric overtakes NumPy from about 1e6 to 1e7 elements per " + Unit(settings);
    return gate;
  }
  if (!typical.elements) {
    gate.reason =
        "the source does not tell the sizes; cuPyNumeric overtakes "
        "NumPy from about 1e6 to 1e7 elements per " +
        Unit(settings) + " (say what is meant with --assume)";
    for (const Region& region : program.regions) {
      const RegionTime* time = TimeOf(program, region.sum.region);
      if (time == nullptr || time->break_point.empty()) continue;
      gate.reason += "; on " + settings.machine + " the " + Where(region) + " is " + time->break_point;
      break;
    }
    return gate;
  }
  const double per_gpu = *typical.elements / gpus;
  gate.reason = "arrays of at most " + CountText(*typical.elements) + " elements carry the hot work, " +
                (gpus > 1 ? CountText(per_gpu) + " per " + Unit(settings) + " on " + Gpus(gpus, settings)
                          : "on " + Gpus(gpus, settings)) +
                ": " + Band(per_gpu, settings);
  AddRegions(gate, program, 2, &settings);
  if (per_gpu < static_cast<double>(settings.economic)) {
    if (typical.confidence == Confidence::kPossible) return gate;
    if (IsLibrary(program)) {
      gate.reason +=
          "; but most of the array operations stand in functions that nothing here calls, on arrays of any size";
      return gate;
    }
    if (IsBatchable(typical, settings)) {
      gate.reason += "; a loop over independent problems of that size could become an array axis";
      if (std::isfinite(typical.batched)) gate.reason += ", which makes " + CountText(typical.batched) + " elements";
      return gate;
    }
    gate.status = Status::kFail;
    return gate;
  }
  if (*typical.elements < static_cast<double>(settings.split)) {
    gate.reason += "; arrays below " + std::to_string(settings.split) + " elements are never split";
  }
  gate.status = per_gpu >= 1e6 ? Status::kPass : Status::kUncertain;
  return gate;
}

Gate ShapeGate(const Decision& decision, Tier with_possible) {
  Gate gate{3, "workload shape", Status::kPass, "", {}, false};
  gate.reason = "the findings make it " + std::string(Name(decision.tier));
  if (decision.tier >= Tier::kSignificant) {
    gate.status = Status::kFail;
  } else if (with_possible >= Tier::kSignificant) {
    gate.status = Status::kUncertain;
    gate.reason += ", or " + std::string(Name(with_possible)) + " if the possible findings are real";
  }
  return gate;
}

Gate PatternGate(const Program& program, const Settings& settings, const std::vector<PatternShare>& shares) {
  Gate gate{4, "compute pattern", Status::kPass, "", {}, true};
  if (settings.pattern) {
    gate.status = IsBad(*settings.pattern) ? Status::kFail : Status::kPass;
    gate.reason = std::string(Name(*settings.pattern)) + " (" + std::string(ScalingClass(*settings.pattern)) +
                  "), as --pattern says";
    return gate;
  }
  const std::string mix = MixText(shares, true);
  double bad = 0;
  for (const PatternShare& share : shares) bad += IsBad(share.pattern) ? share.share : 0;
  const auto worst =
      std::find_if(shares.begin(), shares.end(), [](const PatternShare& share) { return IsBad(share.pattern); });
  AddRegions(gate, program, 3);
  if (worst != shares.end() && worst->share > kDominates && StandsInLoops(program)) {
    const bool hot = std::any_of(program.regions.begin(), program.regions.end(),
                                 [](const Region& region) { return region.sum.hot; });
    gate.reason = std::string(Name(worst->pattern)) + " work carries " + Percent(worst->share) +
                  (hot ? " of the hot weight" : " of the work");
    if (const Region* dense = DenseModule(program)) {
      gate.status = Status::kUncertain;
      gate.reason += "; the " + Where(*dense) + " is dense and could be moved by itself";
      return gate;
    }
    if (HasOpenArrayWork(program)) {
      gate.status = Status::kUncertain;
      gate.reason +=
          ", but there are array operations in functions that "
          "nothing here calls: how often they run is not "
          "known";
      return gate;
    }
    gate.status = Status::kFail;
    return gate;
  }
  gate.reason = mix.empty() ? "no array work to classify" : mix;
  if (!program.has_hot_work) {
    gate.status = Status::kUncertain;
    gate.reason = std::string(kNothingRepeats) + (mix.empty() ? "" : "; all in all it is " + mix);
  } else if (bad >= kNoticeable) {
    gate.status = Status::kUncertain;
  } else if (const double thin = program.total.thin / SumOf(program.total.patterns); thin >= kNoticeable) {
    gate.status = Status::kUncertain;
    gate.reason +=
        "; " + Percent(thin) + " are sweeps over lines, one after the other, which pay only if lines are long";
  }
  return gate;
}

Gate BoundaryGate(const Program& program, const Settings& settings) {
  Gate gate{5, "boundary cost", Status::kUncertain, "", {}, false};
  double all = 0, device = 0, foreign = 0;
  double device_seconds = 0, host_seconds = 0;
  bool timed = true, sizes_known = true, priced = true;
  for (const Region& region : program.regions) {
    if (!region.sum.hot) continue;
    if (const RegionTime* time = TimeOf(program, region.sum.region)) {
      device_seconds += time->device;
      host_seconds += time->host;
      sizes_known = sizes_known && time->sizes_known;
      priced = priced && time->priced;
    } else {
      timed = false;
    }
    all += region.weight;
    device += region.sum.device;
    foreign += region.sum.foreign;
  }
  for (const IssueRef ref : program.issues) {
    const Issue& issue = IssueOf(program.inputs, ref);
    const int code = issue.rule->code;
    if ((code != 117 && code != 301 && code != 104) || !Counts(issue, Confidence::kLikely)) continue;
    AddEvidence(gate, ref.file, issue.start, rules::CodeText(*issue.rule) + ' ' + issue.message);
  }
  if (all <= 0) {
    gate.reason = "no loop is hot, so there is no share to measure";
    const PatternWeights& weights = program.total.plain;
    const double sum = SumOf(weights), outside = BadPart(weights) + WeightIn(weights, Pattern::kScipyHeavy);
    if (outside < kNoticeable * sum || outside <= 0 || !StandsInLoops(program)) return gate;
    gate.reason = "no loop is hot; " + Percent(1 - outside / sum) + " of all work is array operations";
    gate.status = 1 - outside / sum < kNoticeable ? Status::kFail : Status::kUncertain;
    return gate;
  }
  double share = device / all;
  std::optional<double> in_time;  // beside a share by weight
  const double seconds = device_seconds + host_seconds;
  constexpr const char* kRest = ", the rest is waits, transfers, single elements and plain Python";
  if (timed && sizes_known && priced && foreign <= 0 && seconds > 0) {  // what other libraries take has no price
    share = device_seconds / seconds;
    gate.reason = Percent(share) + " of " + SecondsText(seconds) + " in hot loops on " + settings.machine +
                  " is array operations" + (host_seconds > 0 ? kRest : "");
  } else {
    std::string_view of = " of the hot work is array operations";
    if (!RepeatsArrays(program)) {  // then gate 4, too, speaks of all work
      foreign = program.total.foreign;
      all = program.total.device + program.total.host + foreign;
      share = program.total.device / all;
      of = " of all work is array operations";
    }
    gate.reason = PercentBeside(share, foreign / all) + std::string(of);
    if (foreign > 0) gate.reason += ", " + PercentBeside(foreign / all, share) + " calls of other libraries";
    // What other libraries take has no time, so a share of it would say nothing.
    if (seconds > 0 && foreign <= 0) {
      in_time = device_seconds / seconds;
      gate.reason += "; of the " + SecondsText(seconds) + " predicted on " + settings.machine + " they take " +
                     Percent(*in_time) + (host_seconds > 0 ? kRest : "") + Provisional(sizes_known, priced);
    }
  }
  const auto status = [](double part) {
    return part >= kMostlyDevice ? Status::kPass : part < kNoticeable ? Status::kFail : Status::kUncertain;
  };
  gate.status = status(share);
  if (in_time && status(*in_time) != gate.status) {
    gate.status = Status::kUncertain;
    gate.reason += "; the two shares speak against each other";
  }
  if (gate.status != Status::kPass) AddRegions(gate, program, kMostEvidence, &settings);
  return gate;
}

Gate OperationalGate(const Program& program, const Settings& settings) {
  Gate gate{6, "operational readiness", Status::kUncertain, "", {}, false};
  for (const std::size_t file : program.files) {
    for (const Mark& mark : program.inputs[file].evidence->exact) AddEvidence(gate, file, mark.at, mark.what);
  }
  std::string exact;
  if (!gate.evidence.empty()) {
    const Place& first = gate.evidence.front();
    exact = PlaceText(program.inputs[first.file].path, first.spot) + ' ' + first.text;
  }
  for (const std::size_t file : program.files) {
    for (const Mark& mark : program.inputs[file].evidence->timers) {
      if (mark.at != program.inputs[file].evidence->timers.front().at) break;  // the first of a file speaks for all
      AddEvidence(gate, file, mark.at,
                  mark.what +
                      ": work is only submitted when a call returns, "
                      "so read a result before the clock, or use "
                      "`legate.timing.time`");
    }
  }
  if (settings.project == nullptr) {
    gate.reason = "the project around the code was not looked at";
  } else {
    const Project& project = *settings.project;
    const auto word = [](const std::vector<std::string>& found) {
      return found.empty() ? std::string("no") : "yes (" + found.front() + ")";
    };
    gate.reason = "benchmark: " + word(project.benchmarks) +
                  "; tests with tolerances: " + word(project.tolerance_tests) +
                  "; reference data: " + word(project.references) + "; launch script: " + word(project.launchers) +
                  "; Doctor: not run yet";
    if (!project.exact_tests.empty()) exact = project.exact_tests.front() + " hashes the bytes of an array";
    if (!project.benchmarks.empty() && (!project.tolerance_tests.empty() || !project.references.empty())) {
      gate.status = Status::kPass;
    }
  }
  if (exact.empty()) return gate;
  gate.status = Status::kFail;
  gate.reason = exact + ", and sums differ in the last digits from one number of " + Unit(settings) + "s to another; " +
                gate.reason;
  return gate;
}

std::optional<Composite> CompositeOf(const Program& program, const Settings& settings, const std::vector<Gate>& gates,
                                     Tier tier, const std::vector<PatternShare>& shares) {
  for (const Gate& gate : gates) {
    if (gate.hard && gate.status == Status::kFail) return Composite::kNoGo;
  }
  const TypicalSize typical = TypicalSizeOf(program);
  if (!typical.elements || !program.has_hot_arrays) return std::nullopt;
  const bool small = *typical.elements / FewestGpus(settings) < static_cast<double>(settings.economic);
  const double elements = small && IsBatchable(typical, settings) ? typical.batched : *typical.elements;
  if (!std::isfinite(elements)) return std::nullopt;
  if (elements < 1e6) return Composite::kNoGo;
  const bool ready = gates[0].status == Status::kPass && gates[1].status == Status::kPass && tier <= Tier::kLight &&
                     gates[4].status == Status::kPass;
  const bool strong = ready && elements >= 1e8 && !shares.empty() && Dominates(shares.front().pattern);
  return strong ? Composite::kStrongGo : Composite::kPilot;
}

}  // namespace cpnlint::verdict
