// Predictions over numbers of processors.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "cost-model/footprint.h"
#include "cost-model/formula.h"
#include "cost-model/model.h"
#include "cost-model/schedule.h"
#include "cost-model/steps.h"

namespace cpnlint::cost {
namespace {

using analysis::Facts;
using analysis::Work;
using analysis::WorkTask;

constexpr double kGoodDoubling = 1.41;    // T(P) / T(2P) that still returns 70 %
constexpr double kSure = 0.8;             // share of the samples from which on one part is named alone
constexpr double kMatters = 0.05;         // share of the time from which on a parameter is worth naming
constexpr std::size_t kMostRegions = 32;  // predicted in full; the lightest beyond are left out

// The middle is the time at the median of every parameter, so that it agrees with the parts.
Range RangeOf(const Lanes<kSamples>& times) {
  const std::vector<double> values(times.begin(), times.end());
  const double mid = times[0];
  if (!(mid > 0)) return {};
  return {mid / BandFactor(mid / Quantile(values, 0.1)), mid, mid * BandFactor(Quantile(values, 0.9) / mid)};
}

template <std::size_t N>
Part LargestOf(const Timing<N>& timing, std::size_t lane) {
  std::size_t largest = 0;
  for (std::size_t part = 1; part < kParts; ++part) {
    if (timing.parts[part][lane] > timing.parts[largest][lane]) largest = part;
  }
  return static_cast<Part>(largest);
}

struct Machinery {
  const Work& work;
  const Sizes& sizes;
  const Profile& profile;
  Samples<kSamples> samples;
  double pool = 0;  // bytes for arrays of one processor
  // By root, and by layout and growth besides: the regions of a root have them in common.
  mutable std::map<std::uint32_t, Liveness> living = {};
  mutable std::map<std::tuple<std::uint32_t, int, int, double>, Footprint> footprints = {};

  [[nodiscard]] const Footprint& FootprintAt(std::uint32_t root, const Layout& layout, double factor) const {
    const auto [found, is_new] = footprints.try_emplace({root, layout.processors, layout.nodes, factor});
    if (!is_new) return found->second;
    const auto [alive, is_first] = living.try_emplace(root);
    if (is_first) alive->second = LivenessOf(sizes, work, root);
    return found->second = FootprintOf(alive->second, work, sizes, profile, layout, factor);
  }
};

// `demands`: of the plan on the layout.
Point PointAt(const Machinery& machinery, const Plan& plan, const Demands& demands, const Region& region,
              const Layout& layout, double factor) {
  Point point;
  point.layout = layout;
  const Timing<kSamples> timing = Simulate(plan, demands, machinery.samples, machinery.profile, layout);
  point.time = RangeOf(timing.time);
  for (std::size_t part = 0; part < kParts; ++part) point.parts[part] = timing.parts[part][0];
  point.bound_by = LargestOf(timing, 0);
  std::array<int, kParts> counts{};
  for (std::size_t lane = 0; lane < kSamples; ++lane) ++counts[static_cast<std::size_t>(LargestOf(timing, lane))];
  int& same = counts[static_cast<std::size_t>(point.bound_by)];
  point.probability = static_cast<double>(same) / kSamples;
  same = 0;
  if (point.probability < kSure) point.or_by = static_cast<Part>(std::ranges::max_element(counts) - counts.begin());
  point.memory = MemoryOf(machinery.work, region, machinery.FootprintAt(region.root, layout, factor), machinery.pool);
  return point;
}

Point PointAt(const Machinery& machinery, const Plan& plan, const Region& region, const Layout& layout, double factor) {
  return PointAt(machinery, plan, DemandsOf(plan, machinery.profile, layout), region, layout, factor);
}

// Seconds that each parameter stands for in one pass on a layout.
void AddWeights(const Plan& plan, const Demands& demands, const Profile& profile, const Layout& layout, double passes,
                std::array<double, kParameters>& weights) {
  const auto add = [&](Parameter parameter, double amount) {
    weights[static_cast<std::size_t>(parameter)] += passes * SecondsOf({{parameter, amount}}, profile);
  };
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const Demand& demand = demands[i];
    const double times = plan.passes[i];
    if (demand.element) {
      add(Parameter::kElementAccess, times * demand.launches);
    } else {
      add(Parameter::kLaunchBase, times * demand.dispatches);
      add(Parameter::kLaunchPerProcessor, times * demand.dispatches * demand.points);
    }
    if (demand.waits) add(Parameter::kWait, times);
    if (layout.nodes > 1 && demand.launches > 0) {
      weights[static_cast<std::size_t>(Parameter::kRankFactor)] +=
          passes * times * demand.dispatches * profile.Value(Parameter::kLaunchBase);
    }
    for (const Terms* terms :
         {&demand.memory, &demand.compute, &demand.exchange, &demand.before, &demand.after, &demand.host}) {
      for (const Term& term : *terms) add(term.parameter, times * term.amount);
    }
  }
}

std::vector<std::string> Unmeasured(const std::array<double, kParameters>& weights, const Profile& profile) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < kParameters; ++i) {
    if (weights[i] < kMatters * sum || weights[i] <= 0) continue;
    if (profile.numbers[i].provenance != Provenance::kMeasured) order.emplace_back(-weights[i], i);
  }
  std::ranges::sort(order);
  std::vector<std::string> names;
  for (const auto& [weight, i] : order)
    names.push_back(std::string(Parameters()[i].name) + " (" + std::string(Name(profile.numbers[i].provenance)) + ")");
  return names;
}

// Which curves of a region are told.
struct Told {
  bool strong = false, weak = false;
};

// The first layout of the curve that holds the region's arrays; the first of all where none does.
std::size_t FewestOf(const Machinery& machinery, const std::vector<Layout>& curve, RegionPrediction& prediction) {
  prediction.fewest = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const Footprint& footprint = machinery.FootprintAt(prediction.region.root, curve[i], 1);
    const Memory memory = MemoryOf(machinery.work, prediction.region, footprint, machinery.pool);
    if (i == 0) prediction.need = memory;
    if (!memory.fits) continue;
    prediction.fewest = curve[i].processors;
    return i;
  }
  return 0;
}

// The curves of a region. Where only their medians are asked for, only these are worked out.
void Follow(const Machinery& machinery, const Plan& plan, const Samples<1>& medians, Told told,
            RegionPrediction& prediction) {
  const std::vector<Layout> curve = CurveOf(machinery.profile);
  std::vector<double> times;
  for (const Layout& layout : curve) {
    const auto same = [&](const Point& point) {
      return point.layout.processors == layout.processors && point.layout.nodes == layout.nodes;
    };
    const auto asked = std::ranges::find_if(prediction.asked, same);
    if (asked == prediction.asked.end() && !told.strong) {
      times.push_back(MidTime(plan, medians, machinery.profile, layout));
      continue;
    }
    Point point = asked != prediction.asked.end() ? *asked : PointAt(machinery, plan, prediction.region, layout, 1);
    times.push_back(point.time.mid);
    if (told.strong) prediction.strong.push_back(point);
    if (!told.weak) continue;
    const double factor = layout.processors;
    prediction.weak.push_back(factor == 1 ? point
                                          : PointAt(machinery, Grown(plan, factor), prediction.region, layout, factor));
  }
  prediction.one = times.front();
  const std::size_t first = FewestOf(machinery, curve, prediction);
  double least = times[first];
  prediction.stop = prediction.best = curve[first].processors;
  for (std::size_t i = first + 1; i < curve.size(); ++i) {
    if (times[i] >= least) continue;
    least = times[i];
    prediction.best = curve[i].processors;
    if (times[i - 1] >= kGoodDoubling * times[i]) prediction.stop = curve[i].processors;
  }
}

// Loops whose number of passes is neither known nor that of an extent.
std::vector<ir::LoopId> AssumedIn(const Sizes& sizes, const Work& work, const Region& region) {
  std::vector<ir::LoopId> loops;
  const auto see = [&](const analysis::WorkLoop& loop) {
    if (loop.loop.valid() && sizes.IsAssumed(loop)) loops.push_back(loop.loop);
    return Times{};
  };
  if (region.work_loop != kNoLoop) (void)see(work.loops[region.work_loop]);
  EachStep(work, region, see, [](const analysis::WorkStep&, Times) {});
  std::ranges::sort(loops);
  loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
  return loops;
}

std::vector<std::uint32_t> UnpricedIn(const Work& work, const Region& region) {
  std::vector<std::uint32_t> tasks;
  EachStep(
      work, region, [](const analysis::WorkLoop&) { return Times{}; },
      [&](const analysis::WorkStep& step, Times) {
        const bool task = step.kind == analysis::WorkStep::Kind::kTask;
        if (task && !work.tasks[step.index].unpriced.empty()) tasks.push_back(step.index);
      });
  std::ranges::sort(tasks);
  tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
  return tasks;
}

// Regions with the same loop, whose function is reached on several ways, are one. It has the passes of all of them that
// run from one entry; other entries are other runs, of which the heaviest counts.
void JoinRegions(ir::DimStore& dims, std::vector<std::pair<double, Region>>& regions) {
  std::vector<std::pair<double, Region>> joined;
  std::map<std::pair<ir::LoopId, std::uint32_t>, std::size_t> places;
  for (const auto& [weight, region] : regions) {
    const auto [place, is_new] = places.try_emplace({region.loop, region.root}, joined.size());
    if (is_new || !region.loop.valid()) {
      joined.emplace_back(weight, region);
      continue;
    }
    auto& [all, first] = joined[place->second];
    all += weight;
    first.passes = dims.Add(first.passes, region.passes);
    first.assumed_passes += region.assumed_passes;
  }
  std::ranges::stable_sort(joined, std::greater<>(), &std::pair<double, Region>::first);
  std::set<ir::LoopId> seen;
  std::erase_if(joined,
                [&](const auto& entry) { return entry.second.loop.valid() && !seen.insert(entry.second.loop).second; });
  regions = std::move(joined);
}

}  // namespace

std::vector<Layout> CurveOf(const Profile& profile) {
  constexpr int kMostProcessors = 1024;
  std::vector<Layout> curve;
  const int per_node = std::max(1, profile.machine.processors_per_node);
  for (int processors = 1; processors <= kMostProcessors; processors *= 2)
    curve.push_back({processors, (processors + per_node - 1) / per_node});
  return curve;
}

double MidTime(const Plan& plan, const Samples<1>& medians, const Profile& profile, const Layout& layout) {
  return Simulate(plan, DemandsOf(plan, profile, layout), medians, profile, layout).time[0];
}

Memory MemoryOf(const Work& work, const Region& region, const Footprint& footprint, double pool) {
  Memory memory;
  memory.host = footprint.host;
  std::size_t end = footprint.bytes.size();
  for (const LoopSpan& loop : footprint.loops) {
    if (loop.work_loop == region.work_loop && region.work_loop != kNoLoop) end = loop.end;
  }
  for (std::size_t step = 0; step < end; ++step) {
    if (footprint.bytes[step] <= memory.processor) continue;
    memory.processor = footprint.bytes[step];
    memory.at = &work.tasks[footprint.tasks[step]];
  }
  // Freed storage of other shapes stays until the pool is full.
  memory.fits = memory.processor <= pool;
  if (end > 0) memory.processor = std::max(memory.processor, std::min(footprint.held[end - 1], pool));
  return memory;
}

double BandFactor(double scatter) {
  return std::exp(std::hypot(std::log(std::max(1.0, scatter)), std::log(kModelError)));
}

std::string BoundBy(const Point& point) {
  std::string text(Name(point.bound_by));
  if (point.or_by) text += " or " + std::string(Name(*point.or_by));
  return text;
}

std::string_view Name(Part part) {
  constexpr std::array<std::string_view, kParts> names = {"launch",        "memory", "compute",
                                                          "communication", "wait",   "host"};
  return names[static_cast<std::size_t>(part)];
}

TaskCost CostOf(const WorkTask& task, const Sizes& sizes, const Profile& profile, const Layout& layout) {
  return CostOf(task, sizes, profile, layout, SamplesOf<1>(profile));
}

TaskCost CostOf(const WorkTask& task, const Sizes& sizes, const Profile& profile, const Layout& layout,
                const Samples<1>& medians) {
  TaskCost cost;
  const Amounts amounts = AmountsOf(task, sizes);
  const Division division = DivisionOf(amounts, profile.machine, layout);
  double bytes = 0;
  for (const ArrayUse& use : amounts.arrays) bytes += use.elements * use.item;
  const bool in_cache = bytes * division.share <= profile.Value(Parameter::kCacheSize);
  const Demand demand = DemandOf(amounts, division, profile, layout, in_cache);
  cost.parts = PartsOf(demand, medians, profile, layout);
  cost.python = profile.Value(Parameter::kLaunchPython) * demand.dispatches;
  cost.processors = demand.processors;
  cost.bound_by = static_cast<Part>(std::ranges::max_element(cost.parts) - cost.parts.begin());
  if (demand.runs) {
    cost.device = std::max({SecondsOf(demand.memory, profile), SecondsOf(demand.compute, profile),
                            profile.Value(Parameter::kTaskFloor)}) +
                  SecondsOf(demand.exchange, profile);
  }
  return cost;
}

double MidTimeOf(const Sizes& sizes, const Work& work, const Region& region, const Profile& profile,
                 const Layout& layout) {
  return MidTime(PlanOf(sizes, work, region), SamplesOf<1>(profile), profile, layout);
}

Prediction Predict(const Sizes& sizes, const Work& work, const Profile& profile, const Options& options) {
  Prediction prediction;
  prediction.pool = PoolOf(profile, options);
  const Samples<1> medians = SamplesOf<1>(profile);
  AmountsBook book(sizes, work);  // functions that are called from several places stand in several regions
  std::vector<Layout> asked = options.layouts;
  if (asked.empty()) asked.push_back({});

  std::vector<std::pair<double, Region>> regions;
  double all = 0;
  for (Region& region : RegionsOf(sizes, work)) {
    const double time = MidTime(PlanOf(sizes, work, region, book), medians, profile, asked.front());
    DoubtLength(sizes, work, time, region);
    regions.emplace_back(time * region.assumed_passes, region);
  }
  JoinRegions(sizes.facts().store().dims(), regions);
  std::ranges::stable_partition(regions, [](const auto& entry) { return entry.second.told; });
  for (const auto& [weight, region] : regions) all += region.told ? weight : 0;
  const bool prices_only = options.samples == 0;
  const auto too_light = [&, place = std::size_t{0}, untold = std::size_t{0}](const auto& entry) mutable {
    return (entry.second.told ? ++place : ++untold) > kMostRegions;
  };
  if (!prices_only) {
    const std::size_t all_regions = regions.size();
    std::erase_if(regions, too_light);
    prediction.left_out = all_regions - regions.size();
    double kept = 0;
    for (const auto& [weight, region] : regions) kept += region.told ? weight : 0;
    prediction.left_share = all > 0 ? std::max(0.0, 1 - kept / all) : 0;
  }

  const Machinery machinery{work, sizes, profile, prices_only ? Samples<kSamples>() : SamplesOf<kSamples>(profile),
                            PoolOf(profile, options)};
  std::array<double, kParameters> weights{};
  std::vector<Plan> plans;
  std::vector<ir::DimId> dims;  // that the regions rest on
  std::size_t heaviest = 0;     // as a report orders them: a test in front of all loops is taken for passed
  double most = 0;
  for (const auto& [weight, region] : regions) {
    RegionPrediction& made = prediction.regions.emplace_back();
    made.region = region;
    made.region.share = all > 0 && region.told ? weight / all : 0;
    if (prices_only || !region.told) continue;
    const Plan& plan = plans.emplace_back(PlanOf(sizes, work, region, book));
    for (const Layout& layout : asked) {
      const Demands demands = DemandsOf(plan, profile, layout);
      made.asked.push_back(PointAt(machinery, plan, demands, region, layout, 1));
      AddWeights(plan, demands, profile, layout, region.assumed_passes, weights);
    }
    made.unpriced = UnpricedIn(work, region);
    made.assumed = AssumedIn(sizes, work, region);
    const std::vector<ir::DimId> some = DimsOf(sizes, work, region);
    made.assumptions = sizes.AssumptionsIn(some);
    dims.insert(dims.end(), some.begin(), some.end());
    made.formula = FormulaOf(sizes, work, region, plan, profile);
    made.break_point = BreakPointOf(sizes, plan, profile, prediction.pool);
    const double time = made.asked.front().time.mid * PassesOf(sizes, region);
    if (time <= most) continue;
    most = time;
    heaviest = plans.size() - 1;
  }
  for (std::size_t i = 0; options.curves > 0 && i < plans.size(); ++i) {
    const Told told{i == heaviest || i < static_cast<std::size_t>(options.curves), i == heaviest};
    Follow(machinery, plans[i], medians, told, prediction.regions[i]);
  }
  if (prices_only) return prediction;
  std::ranges::sort(dims);
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  prediction.assumptions = sizes.AssumptionsIn(dims);
  prediction.unmeasured = Unmeasured(weights, profile);
  for (const WorkTask& task : work.tasks) {
    if (!task.unpriced.empty()) prediction.unpriced.emplace_back(&task, std::string(task.unpriced));
  }
  return prediction;
}

}  // namespace cpnlint::cost
