#include "cost-model/price.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "analyzer/base/quantity.h"
#include "cost-model/formula.h"
#include "cost-model/steps.h"
#include "rules/engine/rule.h"
#include "rules/match/carried.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkStep;
using analysis::WorkTask;

constexpr double kP90 = 1.2816;  // standard normal quantile
constexpr std::string_view kNoSizes = "the sizes that its loops run over are not known";
constexpr std::string_view kNobodyKnows = "how often it runs cannot be told from the source";
constexpr std::string_view kOutside = "it is outside of the loops whose time is told";
constexpr std::string_view kStaysInOrder =
    "each trip needs an earlier one, and only running sums have a whole-array form";
constexpr double kTold = 1.1;         // of a finding's price: what is longer is hidden behind others
constexpr double kNoticeable = 0.02;  // of a finding's price: smaller terms are not told

// What a part of the time rests on most.
Parameter ParameterOf(Part part) {
  switch (part) {
    case Part::kLaunch: return Parameter::kLaunchBase;
    case Part::kMemory: return Parameter::kBandwidth;
    case Part::kCompute: return Parameter::kProductRate64;
    case Part::kCommunication: return Parameter::kCopyBandwidth;
    case Part::kWait: return Parameter::kWait;
    case Part::kHost: return Parameter::kHostBandwidth;
  }
  return Parameter::kLaunchBase;
}

// Half the width of P10 to P90 as a factor.
double FactorOf(const Profile& profile, Part part) {
  const Parameter parameter = ParameterOf(part);
  const Number& number = profile[parameter];
  double spread = Parameters()[static_cast<std::size_t>(parameter)].spread;
  // 95 % are 1.96 standard deviations to either side.
  if (number.low > 0 && number.high > number.low) spread = std::exp(std::log(number.high / number.low) / (2 * 1.96));
  return BandFactor(std::pow(spread, kP90));
}

// "1 launch", "599 launches"
std::string Count(double count, std::string_view what, std::string_view more) {
  const std::string text = CountText(count);
  return fmt::format("{} {}{}", text, what, text == "1" ? "" : more);
}

// `y[i] = y[i - 1] + x[i]`, `y[i] *= y[i - 1]`: `np.cumsum` and `np.cumprod` do it.
bool IsRunningSum(const analysis::Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const std::vector<analysis::LoopFact::Access>& accesses = facts.LoopFactOf(loop).accesses;
  const auto write = std::ranges::find_if(accesses, &analysis::LoopFact::Access::write);
  if (write == accesses.end()) return false;
  const ir::ValueId sum = program.Operand(write->op, 1);
  if (!sum.valid()) return false;
  const ir::OpKind kind = program.ops[sum].kind;
  if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kInplaceBinary) return false;
  const auto sign = static_cast<ir::BinaryOp>(program.ops[sum].detail);
  if (sign != ir::BinaryOp::kAdd && sign != ir::BinaryOp::kMul) return false;
  std::size_t earlier = 0;
  for (const analysis::LoopFact::Access& access : accesses) {
    if (access.root != write->root || access.op == write->op) continue;
    const auto parts = program.Operands(sum);
    if (access.write || std::ranges::find(parts, access.op) == parts.end()) return false;
    if (!std::ranges::equal(facts.KeysOf(access.op), facts.KeysOf(write->op))) ++earlier;
  }
  return earlier == 1;
}

bool StaysInOrder(const analysis::Facts& facts, ir::LoopId loop) {
  if (facts.LoopFactOf(loop).kind == analysis::LoopKind::kRecurrence) return !IsRunningSum(facts, loop);
  return rules::match::KeepsItsOrder(facts, loop);
}

// Leaves those ways to a loop that a region has: the same loop in a call from elsewhere makes other passes.
void KeepLoopsIn(const analysis::Work& work, const Region& region, std::vector<std::uint32_t>& loops) {
  std::vector<bool> seen(work.loops.size(), false);
  std::vector<std::uint32_t> open;
  const auto see = [&](std::uint32_t loop) {
    if (!seen[loop]) open.push_back(loop);
    seen[loop] = true;
  };
  if (region.work_loop != kNoLoop) see(region.work_loop);
  const auto see_all = [&](const std::vector<WorkStep>& steps) {
    for (const WorkStep& step : steps) {
      if (step.kind == WorkStep::Kind::kLoop) see(step.index);
    }
  };
  see_all(StepsOf(work, region));
  while (!open.empty()) {
    const std::uint32_t loop = open.back();
    open.pop_back();
    see_all(work.loops[loop].body);
  }
  if (std::ranges::any_of(loops, [&](std::uint32_t loop) { return seen[loop]; }))
    std::erase_if(loops, [&](std::uint32_t loop) { return !seen[loop]; });
}

// For as long as it lives, loops whose passes are assumed make so many: their extents would say others.
class AsAssumed {
 public:
  AsAssumed(analysis::Work& work, const Sizes& sizes, std::vector<std::uint32_t> loops) : work_(work) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
      analysis::WorkLoop& loop = work_.loops[loops[i]];
      for (const WorkStep& step : loop.body) {
        const bool inner = step.kind == WorkStep::Kind::kLoop && std::ranges::find(loops, step.index) == loops.end();
        if (inner) loops.push_back(step.index);
      }
      if (!loop.trips.valid() || !sizes.IsAssumed(loop)) continue;
      before_.emplace_back(loops[i], loop.trips);
      loop.trips = {};
    }
  }
  ~AsAssumed() {
    for (const auto& [loop, trips] : before_) work_.loops[loop].trips = trips;
  }
  AsAssumed(const AsAssumed&) = delete;
  AsAssumed& operator=(const AsAssumed&) = delete;

 private:
  analysis::Work& work_;
  std::vector<std::pair<std::uint32_t, ir::DimId>> before_;
};

}  // namespace

Pricer::Pricer(const Sizes& sizes, analysis::Work& work, const Prediction& prediction, const Profile& profile,
               Layout layout)
    : facts_(sizes.facts()),
      work_(work),
      prediction_(prediction),
      profile_(profile),
      layout_(layout),
      sizes_(sizes),
      medians_(SamplesOf<1>(profile)),
      book_(sizes_, work),
      regions_(work.tasks.size(), kNowhere),
      as_is_(prediction.regions.size()) {
  loop_regions_.assign(work.loops.size(), kNowhere);
  for (std::uint32_t i = 0; i < prediction.regions.size(); ++i) FindIn(prediction.regions[i].region, i);
  heads_.assign(std::bit_ceil(work.tasks.size() + 1), kNowhere);
  next_.assign(work.tasks.size(), kNowhere);
  for (std::uint32_t i = 0; i < work.tasks.size(); ++i) {
    if (!work.tasks[i].op.valid()) continue;
    std::uint32_t& head = heads_[HeadOf(facts_.program().ops[work.tasks[i].op].span)];
    next_[i] = std::exchange(head, i);
  }
}

// Tasks and loops of a region, which are also those of a lighter one.
void Pricer::FindIn(const Region& region, std::uint32_t index) {
  if (region.work_loop != kNoLoop) loop_regions_[region.work_loop] = std::min(loop_regions_[region.work_loop], index);
  const auto passes_of = [&](const analysis::WorkLoop& loop) {
    std::uint32_t& known = loop_regions_[static_cast<std::size_t>(&loop - work_.loops.data())];
    known = std::min(known, index);
    return Times{sizes_.TripsOf(loop)};
  };
  EachStep(work_, region, passes_of, [&](const WorkStep& step, Times) {
    if (step.kind == WorkStep::Kind::kTask) regions_[step.index] = std::min(regions_[step.index], index);
  });
}

std::size_t Pricer::HeadOf(Span span) const {
  const std::uint64_t mixed = (std::uint64_t{span.begin} << 32 | span.end) * 0x9e37'79b9'7f4a'7c15;
  return (mixed >> 32) & (heads_.size() - 1);
}

// Calls `visit(task, times)` for each task of a region's pass, as the work stands now.
template <typename Visit>
void Pricer::EachTask(const Region& region, Visit visit) const {
  const auto passes_of = [&](const analysis::WorkLoop& loop) { return Times{sizes_.TripsOf(loop)}; };
  EachStep(work_, region, passes_of, [&](const WorkStep& step, Times times) {
    if (step.kind == WorkStep::Kind::kTask) visit(step.index, times.count);
  });
}

std::optional<std::uint32_t> Pricer::HeaviestRegion(const Site& site) const {
  std::uint32_t heaviest = kNowhere;  // regions are heaviest first
  for (const std::uint32_t task : site.tasks) heaviest = std::min(heaviest, regions_[task]);
  // A loop is in one place, where what it calls may be called elsewhere as well.
  std::vector<std::uint32_t> open = site.loops;
  while (!open.empty()) {
    const std::uint32_t loop = open.back();
    open.pop_back();
    heaviest = std::min(heaviest, loop_regions_[loop]);
    for (const WorkStep& step : work_.loops[loop].body) {
      if (step.kind == WorkStep::Kind::kLoop) open.push_back(step.index);
    }
  }
  return heaviest == kNowhere ? std::nullopt : std::optional(heaviest);
}

const Pricer::AsIs& Pricer::AsItIs(std::uint32_t region) {
  std::optional<AsIs>& known = as_is_[region];
  if (!known) {
    const Region& at = prediction_.regions[region].region;
    known = AsIs{MidTime(PlanOf(sizes_, work_, at, book_), medians_, profile_, layout_), SumsOf(at, {}),
                 std::make_shared<const std::vector<std::string>>(sizes_.AssumptionsIn(DimsOf(sizes_, work_, at)))};
  }
  return *known;
}

Pricer::Sums Pricer::SumsOf(const Region& region, std::span<const std::uint32_t> edited) {
  Sums sums;
  std::vector<std::pair<std::uint32_t, TaskCost>> anew;
  anew.reserve(edited.size());
  const auto cost_of = [&](const WorkTask& task) { return CostOf(task, sizes_, profile_, layout_, medians_); };
  for (const std::uint32_t task : edited) anew.emplace_back(task, cost_of(work_.tasks[task]));
  const auto as_it_is = [&](std::uint32_t index) -> const TaskCost& {
    const auto [known, is_new] = cost_of_.try_emplace(index);
    if (is_new) known->second = cost_of(work_.tasks[index]);
    return known->second;
  };
  EachTask(region, [&](std::uint32_t index, double times) {
    const WorkTask& task = work_.tasks[index];
    const auto other = std::ranges::lower_bound(anew, index, {}, &std::pair<std::uint32_t, TaskCost>::first);
    const bool is_edited = other != anew.end() && other->first == index;
    const TaskCost& cost = is_edited ? other->second : as_it_is(index);
    for (std::size_t i = 0; i < kParts; ++i) sums.parts[i] += times * cost.parts[i];
    sums.python += times * cost.python;
    sums.launches += times * task.launches;
    if (task.waits) sums.waits += times;
  });
  return sums;
}

std::vector<PriceTerm> Pricer::TermsOf(const Sums& before, const Sums& after, double saved) const {
  std::vector<PriceTerm> terms;
  double told = 0;
  const auto add = [&](const char* name, double seconds, std::string formula) {
    if (seconds <= kNoticeable * saved) return;
    told += seconds;
    terms.push_back({name, seconds, std::move(formula)});
  };
  const auto part = [&](Part which) {
    const auto i = static_cast<std::size_t>(which);
    return before.parts[i] - after.parts[i];
  };
  const double launches = before.launches - after.launches;
  if (launches > 0) {
    add("launches", part(Part::kLaunch),
        fmt::format("{} of {}", Count(launches, "launch", "es"), Seconds(part(Part::kLaunch) / launches)));
  }
  add("stream", part(Part::kMemory), Seconds(part(Part::kMemory)) + " of memory traffic");
  add("flop", part(Part::kCompute), Seconds(part(Part::kCompute)) + " of arithmetic");
  add("a2a", part(Part::kCommunication), Seconds(part(Part::kCommunication)) + " of data between processors");
  const double python = before.python - after.python;
  add("python", python, Seconds(python) + " of Python");
  const double link = part(Part::kHost) - python;
  add("d2h", link, Seconds(link) + " over the host link");
  // A wait costs its round trip and the work that could have been submitted meanwhile.
  const double waits = before.waits - after.waits;
  if (waits > 0) {
    const double drain = std::max(part(Part::kWait), saved - told);
    add("drain", drain, fmt::format("{} of {}", Count(waits, "wait", "s"), Seconds(drain / waits)));
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [](const PriceTerm& a, const PriceTerm& b) { return a.seconds > b.seconds; });
  // What the device's work hides saves less than itself: of the launches the rest is told, of other parts nothing.
  const auto first = std::ranges::find_if(terms, [&](const PriceTerm& term) { return term.seconds <= kTold * saved; });
  if (first == terms.begin() || first == terms.end()) return terms;
  const bool hides_launches =
      std::any_of(terms.begin(), first, [](const auto& term) { return term.name == "launches"; });
  terms.erase(terms.begin(), first);
  double rest = saved;
  for (const PriceTerm& term : terms) rest -= term.seconds;
  if (!hides_launches || rest <= kNoticeable * saved) return terms;
  terms.push_back({"launches", rest, fmt::format("{} of {}", Seconds(rest), Count(launches, "launch", "es"))});
  std::stable_sort(terms.begin(), terms.end(),
                   [](const PriceTerm& a, const PriceTerm& b) { return a.seconds > b.seconds; });
  return terms;
}

FindingCost Pricer::Price(const rules::Finding& finding) {
  FindingCost cost;
  const Mend mend = MendFor(finding);
  cost.unpriced = WhyUnpriced(mend);
  const bool collapses = mend == Mend::kWholeArray && finding.loop.valid() && !finding.site.valid();
  if (collapses && StaysInOrder(facts_, finding.loop)) cost.unpriced = kStaysInOrder;
  if (!cost.unpriced.empty()) return cost;
  Site site = SiteOf(finding);
  const std::optional<std::uint32_t> index = HeaviestRegion(site);
  if (!index) {
    cost.unpriced = site.loops.empty() ? kNobodyKnows : kOutside;
    return cost;
  }
  const Region& region = prediction_.regions[*index].region;
  if (!region.told) {
    cost.unpriced = kNoSizes;
    return cost;
  }
  KeepLoopsIn(work_, region, site.loops);
  const auto& [before, sums_before, assumptions] = AsItIs(*index);
  double after = before;
  Sums sums_after = sums_before;
  {
    if (mend == Mend::kEveryFewPasses && !loops_of_) loops_of_.emplace(work_);
    const AsAssumed assumed(work_, sizes_, site.loops);
    const Mended mended(work_, facts_, site, mend, loops_of_ ? &*loops_of_ : nullptr);
    if (!mended.changed()) {
      cost.unpriced = "what mending it saves cannot be told from the source";
      return cost;
    }
    const std::vector<std::uint32_t> edited = mended.EditedTasks();
    for (const std::uint32_t task : edited) book_.Forget(task);
    after = MidTime(PlanOf(sizes_, work_, region, book_), medians_, profile_, layout_);
    sums_after = SumsOf(region, edited);
    for (const std::uint32_t task : edited) book_.Forget(task);
  }
  // Where the region's own loop becomes one expression, one pass does the work of all.
  const bool whole = region.work_loop != kNoLoop && (mend == Mend::kWholeArray || mend == Mend::kBatch) &&
                     std::find(site.loops.begin(), site.loops.end(), region.work_loop) != site.loops.end();
  if (whole) {
    const double share = 1 / std::max(1.0, sizes_.TripsOf(work_.loops[region.work_loop]));
    after *= share;
    for (double& part : sums_after.parts) part *= share;
    sums_after.python *= share;
    sums_after.launches *= share;
    sums_after.waits *= share;
  }
  const double saved = before - after;
  if (!(saved > 0)) {
    cost.unpriced = kSavesNothing;
    return cost;
  }
  cost.terms = TermsOf(sums_before, sums_after, saved);
  cost.bound_by = PartOf(cost.terms);
  const double factor = FactorOf(profile_, cost.bound_by);
  cost.per_pass = {saved / factor, saved, saved * factor};
  cost.share = before > 0 ? saved / before * region.share : 0;
  cost.region = *index;
  cost.passes = region.passes.valid() ? facts_.DimText(region.passes) : fmt::format("{:g}", region.assumed_passes);
  if (sizes_.IsKnown(region.passes)) {
    const double passes = sizes_.Of(region.passes);
    cost.gain = Range{cost.per_pass.low * passes, saved * passes, cost.per_pass.high * passes};
  }
  cost.assumptions = assumptions;
  return cost;
}

Part PartOf(const std::vector<PriceTerm>& terms) {
  constexpr std::pair<std::string_view, Part> kTerms[] = {
      {"launches", Part::kLaunch}, {"stream", Part::kMemory}, {"flop", Part::kCompute}, {"a2a", Part::kCommunication},
      {"python", Part::kHost},     {"d2h", Part::kHost},      {"drain", Part::kWait}};
  for (const auto& [name, part] : kTerms) {
    if (!terms.empty() && terms.front().name == name) return part;
  }
  return Part::kLaunch;
}

}  // namespace cpnlint::cost
