#include "cli/pricing.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "analyzer/base/quantity.h"
#include "cli/options.h"

namespace cpnlint::cli {
namespace {

std::string NameOf(const analysis::WorkTask& task) {
  return task.name.empty() ? std::string(analysis::Name(task.kind)) : std::string(task.name);
}

std::vector<cost::Point> WithoutFacts(std::vector<cost::Point> points) {
  for (cost::Point& point : points) point.memory.at = nullptr;
  return points;
}

bool Means(const WhatIf& what_if, const rules::Finding& finding, const Sources& sources) {
  if (!rules::SelectorMatches(what_if.rule, *finding.rule)) return false;
  const source::SourceFile& file = sources.File(sources.ModuleAt(finding.span.begin));
  return NamesFile(what_if.place.path, file.path) && IsAt(what_if.place, sources.PlaceOf(finding.span).start);
}

// A price is of a pass of the region, and a finding's message may name another loop than that.
std::string PassOf(const cost::Region& region, const rules::Finding& finding, const analysis::Facts& facts,
                   const Sources& sources) {
  const ir::Program& program = facts.program();
  if (region.loop.valid()) {
    if (region.loop == finding.loop) return "pass";
    return sources.Render(rules::Text("pass of `").Add(program.loops[region.loop].header_span).Add("`"));
  }
  const ir::Function& function = program.functions[region.function];
  return function.name_span.empty() ? "run" : sources.Render(rules::Text("call of `").Add(function.name_span).Add("`"));
}

}  // namespace

Result<WhatIf> ParseWhatIf(const std::string& text) {
  WhatIf what_if;
  what_if.text = text;
  const std::size_t at = text.find('@');
  const auto place = at == std::string::npos ? std::nullopt : SplitPlace(std::string_view(text).substr(at + 1));
  if (text.starts_with("fix=") && at > 4 && place) {
    what_if.rule = text.substr(4, at - 4);
    what_if.place = *place;
    if (!rules::SelectorIsKnown(what_if.rule)) return Fail("--what-if: no rule answers to `" + what_if.rule + "`");
    return what_if;
  }
  return Fail("--what-if: `" + text + "` is not fix=RULE@FILE:LINE, for example fix=R101@src/solver.py:41");
}

Result<CostSettings> CostSettingsOf(const Options& options) {
  auto profile = cost::LoadProfile(options.profile);
  if (!profile) return Fail(NameOf(options, "profile") + ": " + profile.error().message);
  CostSettings settings;
  settings.profile = std::move(*profile);
  settings.argument = options.profile;
  // More than one machine of the profile has are on as many machines as have them, as along the curve.
  const std::int64_t of_node = std::max(1, settings.profile.machine.processors_per_node);
  for (const int gpus : options.gpus) {
    const std::int64_t all = std::int64_t{gpus} * options.nodes;
    if (all > kMostGpus) {
      return Fail(fmt::format("{} and {}: {} GPUs on each of {} nodes are {}; from 1 to {} in all can be told of",
                              NameOf(options, "gpus"), NameOf(options, "nodes"), gpus, options.nodes, all, kMostGpus));
    }
    const std::int64_t nodes = std::max<std::int64_t>(options.nodes, (all + of_node - 1) / of_node);
    settings.options.layouts.push_back({static_cast<int>(all), static_cast<int>(nodes)});
  }
  constexpr double kMebibyte = 1 << 20;
  settings.options.pool = static_cast<double>(options.fbmem) * kMebibyte;
  settings.options.host_pool = static_cast<double>(options.sysmem) * kMebibyte;
  if (options.command == Command::kCheck) settings.options.samples = 0;
  settings.options.curves = options.command == Command::kPredict ? 1 : 0;
  for (const std::string& text : options.what_if) {
    if (auto what_if = ParseWhatIf(text)) settings.what_if.push_back(std::move(*what_if));
  }
  return settings;
}

void Aim(rules::Target& target, const cost::Profile& profile) {
  target.machine = profile.name;
  target.split = profile.machine.split;
  target.bandwidth = profile.Value(cost::Parameter::kBandwidth);
  target.peak = profile.Value(cost::Parameter::kProductRate64);
  const int of_process = std::min(target.gpus, profile.machine.processors_per_node);
  target.launch =
      profile.Value(cost::Parameter::kLaunchBase) + profile.Value(cost::Parameter::kLaunchPerProcessor) * of_process;
  if (target.gpus > of_process) target.launch *= profile.Value(cost::Parameter::kRankFactor);
}

Pricing::Pricing(const analysis::Facts& facts, const CostSettings& settings)
    : facts_(facts),
      settings_(settings),
      work_(analysis::WorkOf(facts)),
      sizes_(std::in_place, facts, work_),
      memory_(cost::PlanMemory(*sizes_, work_, settings.profile, settings.options)),
      peaks_(facts.program().modules.size()) {
  const ir::Program& program = facts.program();
  for (std::size_t root = 0; root < memory_.roots.size(); ++root) {
    const cost::Footprint& footprint = memory_.roots[root];
    if (!footprint.known || footprint.peak.arrays.empty()) continue;
    const ir::ValueId op = work_.tasks[footprint.tasks[footprint.peak.step]].op;
    if (!op.valid()) continue;
    std::optional<Prices::Peak>& peak = peaks_[program.functions[program.FunctionOf(op)].module.index()];
    const std::vector<double>& bytes = memory_.peaks[root].bytes;
    if (!peak || bytes.front() > peak->peaks.bytes.front()) peak = Prices::Peak{memory_.peaks[root], op};
  }
  const std::vector<cost::Layout>& layouts = settings.options.layouts;
  const auto holds = [&](std::size_t layout) {
    return std::ranges::all_of(memory_.peaks, [&](const cost::Peaks& peaks) {
      return peaks.bytes.empty() || peaks.bytes[layout] <= memory_.pool;
    });
  };
  for (std::size_t i = layouts.size(); i > 0; --i) layout_ = holds(i - 1) ? i - 1 : layout_;
}

Pricing::~Pricing() {
  while (!mended_.empty()) mended_.pop_back();
}

const cost::Prediction& Pricing::Prediction() {
  if (!prediction_) prediction_ = cost::Predict(*sizes_, work_, settings_.profile, settings_.options);
  return *prediction_;
}

cost::Pricer& Pricing::Pricer() {
  if (!pricer_) pricer_.emplace(*sizes_, work_, Prediction(), settings_.profile, Layout());
  return *pricer_;
}

Prices::Followed Pricing::FollowWhatIf(std::span<const rules::RunResult> results, const Sources& sources) {
  Prices::Followed followed;
  for (const WhatIf& what_if : settings_.what_if) {
    for (const rules::RunResult& result : results) {
      for (const rules::Finding& finding : result.findings) {
        if (!Means(what_if, finding, sources)) continue;
        const cost::Mend mend = Pricer().MendFor(finding);
        auto mended = std::make_unique<cost::Mended>(work_, facts_, Pricer().SiteOf(finding), mend);
        if (!mended->changed()) {
          const std::string_view why = cost::WhyUnpriced(mend);
          followed.troubles.push_back("--what-if: " + what_if.text + " has no price: " +
                                      (why.empty() ? "nothing that is priced stands there" : std::string(why)));
          continue;
        }
        mended_.push_back(std::move(mended));
        followed.mended.push_back(what_if.text);
        followed.findings.push_back(&finding);
      }
    }
  }
  if (mended_.empty()) return followed;
  pricer_.reset();
  prediction_.reset();
  sizes_.emplace(facts_, work_);
  return followed;
}

std::vector<verdict::RegionTime> Pricing::TimesIn(ir::ModuleId module) {
  std::vector<verdict::RegionTime> times;
  if (settings_.options.samples == 0) return times;  // no region is predicted, only priced
  const ir::Program& program = facts_.program();
  const cost::Sizes& sizes = *sizes_;
  for (const cost::RegionPrediction& predicted : Prediction().regions) {
    const cost::Region& region = predicted.region;
    if (!region.loop.valid() || predicted.asked.empty()) continue;
    if (program.functions[region.function].module != module) continue;
    const cost::Point& point = predicted.asked[layout_];
    const double passes = cost::PassesOf(sizes, region);
    const cost::Sides sides = cost::SidesOf(sizes, work_, region, settings_.profile, Layout());
    verdict::RegionTime time;
    time.region = static_cast<verdict::RegionId>(region.loop.index());
    time.pass = point.time.mid;
    time.all = time.pass * passes;
    // What overlaps is shared out.
    time.device = sides.device > 0 ? time.all * sides.device / (sides.device + sides.host) : 0;
    time.host = time.all - time.device;
    time.bound_by = cost::BoundBy(point);
    time.break_point = predicted.break_point;
    time.priced = sides.priced;
    time.sizes_known = sides.known && sizes.IsKnown(region.passes);
    times.push_back(std::move(time));
  }
  return times;
}

Prices Pricing::Tell(std::span<const ir::ModuleId> judged, std::span<const rules::RunResult> results,
                     rules::Confidence least, const Sources& sources, bool predict) {
  Prices prices;
  memory_ = {};  // the rules are done
  prices.what_if = FollowWhatIf(results, sources);
  for (const ir::ModuleId module : judged) {
    prices.times.push_back(TimesIn(module));
    prices.peaks.push_back(peaks_[module.index()]);
  }
  prices.waits = Waits(sources);
  if (predict) prices.prediction = Predicted(sources);
  const auto price = [&](const rules::Finding& finding) {
    const std::vector<const rules::Finding*>& mended = prices.what_if.findings;
    const bool is_mended = std::find(mended.begin(), mended.end(), &finding) != mended.end();
    cost::FindingCost cost =
        is_mended ? cost::FindingCost() : Pricer().Price(finding);  // there is nothing left to save
    if (cost.unpriced == cost::kSavesNothing) prices.savings[&finding] = {};
    if (!cost.unpriced.empty()) return cost;
    if (!is_mended) cost.per = PassOf(Prediction().regions[cost.region].region, finding, facts_, sources);
    prices.savings[&finding] = {cost.share, cost.gain ? std::optional(cost.gain->mid) : std::nullopt};
    return cost;
  };
  for (const rules::RunResult& result : results) {
    std::vector<cost::FindingCost>& costs = prices.findings.emplace_back();
    for (const rules::Finding& finding : result.findings) {
      if (finding.confidence >= least) {
        costs.push_back(price(finding));
      } else if (finding.confidence >= rules::Confidence::kLikely) {
        (void)price(finding);
      }
    }
    for (const std::vector<rules::Finding>* hidden : {&result.unselected, &result.silenced, &result.withheld}) {
      for (const rules::Finding& finding : *hidden) {
        if (finding.confidence >= rules::Confidence::kLikely) (void)price(finding);
      }
    }
  }
  return prices;
}

// "passes of `while True` in line 5 = 500 (default)"; "... = 3 or 50" where calls of its function ask for both.
std::vector<std::string> Pricing::AssumedPasses(std::vector<ir::LoopId> loops, const Sources& sources) const {
  std::ranges::sort(loops);
  loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
  std::vector<std::string> lines;
  for (const ir::LoopId loop : loops) {
    std::set<double> numbers;
    bool own = true;  // the program says how many, where nobody asks for more
    for (const analysis::WorkLoop& one : work_.loops) {
      if (one.loop != loop || !sizes_->IsAssumed(one)) continue;
      numbers.insert(sizes_->TripsOf(one));
      own = own && sizes_->IsOwnDefault(one.trips);
    }
    std::string passes;
    for (const double number : numbers) passes += fmt::format("{}{:g}", passes.empty() ? "" : " or ", number);
    const Span header = facts_.program().loops[loop].header_span;
    lines.push_back(fmt::format("passes of `{}` in line {} = {} ({})", sources.Words(header),
                                sources.PlaceOf(header).start.line, passes, own ? "the program's default" : "default"));
  }
  return lines;
}

// `sum(x)`: a call that goes through an array is a region without a loop of the program's. Empty for others.
static Span WalkOf(const ir::Program& program, const analysis::Work& work, const cost::Region& region) {
  if (region.loop.valid() || region.work_loop == cost::kNoLoop) return {};
  for (const analysis::WorkStep& step : work.loops[region.work_loop].body) {
    if (step.kind != analysis::WorkStep::Kind::kTask) continue;
    const ir::ValueId op = work.tasks[step.index].op;
    if (op.valid()) return program.ops[op].span;
  }
  return {};
}

report::Prediction Pricing::Predicted(const Sources& sources) {
  const ir::Program& program = facts_.program();
  report::Prediction predicted;
  const cost::Prediction& prediction = Prediction();
  std::vector<ir::LoopId> assumed;  // of all regions
  const auto place_of = [&](const analysis::WorkTask& task) {
    report::UnpricedPlace place;
    if (task.op.valid()) {
      const Span span = program.ops[task.op].span;
      place.path = sources.File(sources.ModuleAt(span.begin)).path;
      place.start = sources.PlaceOf(span).start;
    }
    place.what = NameOf(task);
    // A call of something without a name goes by its words.
    if (task.name == "call" && program.ops[task.op].kind == ir::OpKind::kCall)
      place.what = sources.Words(program.OperandSpan(task.op, 0));
    place.why = task.unpriced;
    return place;
  };
  for (const cost::RegionPrediction& from : prediction.regions) {
    report::PredictedRegion to;
    const cost::Region& region = from.region;
    Span span = program.functions[region.function].name_span;
    if (region.loop.valid()) {
      span = program.loops[region.loop].header_span;
      to.loop = sources.Words(span);
    } else if (const Span walk = WalkOf(program, work_, region); !walk.empty()) {
      span = walk;
      to.loop = sources.Words(span);
    }
    if (span.empty()) span = program.modules[program.functions[region.function].module].text;
    to.path = sources.File(sources.ModuleAt(span.begin)).path;
    if (!to.loop.empty() || !program.functions[region.function].name_span.empty()) {
      to.start = sources.PlaceOf(span).start;
    }
    to.function = facts_.QualifiedName(region.function);
    to.passes_known = sizes_->IsKnown(region.passes);
    to.number_of_passes = cost::PassesOf(*sizes_, region);
    to.passes = facts_.DimText(region.passes);
    if (to.passes.empty()) to.passes = CountText(region.assumed_passes);
    to.share = region.share;
    to.told = region.told;
    to.to_name = region.to_name;
    to.asked = WithoutFacts(from.asked);
    to.strong = WithoutFacts(from.strong);
    to.weak = WithoutFacts(from.weak);
    to.one = from.one;
    to.need = from.need.processor;
    to.fewest = from.fewest;
    to.stop = from.stop;
    to.best = from.best;
    to.formula = from.formula;
    to.break_point = from.break_point;
    to.assumptions = from.assumptions;
    std::vector<ir::LoopId> within = from.assumed;  // the time of a pass of the loop does not rest on its passes
    std::erase(within, region.loop);
    std::ranges::move(AssumedPasses(std::move(within), sources), std::back_inserter(to.assumptions));
    assumed.insert(assumed.end(), from.assumed.begin(), from.assumed.end());
    for (const std::uint32_t task : from.unpriced) to.unpriced.push_back(place_of(work_.tasks[task]));
    predicted.regions.push_back(std::move(to));
  }
  predicted.pool = prediction.pool;
  predicted.left_out = prediction.left_out;
  predicted.left_share = prediction.left_share;
  predicted.assumptions = prediction.assumptions;
  std::ranges::move(AssumedPasses(std::move(assumed), sources), std::back_inserter(predicted.assumptions));
  predicted.unmeasured = prediction.unmeasured;
  for (const auto& [task, why] : prediction.unpriced) predicted.unpriced.push_back(place_of(*task));
  return predicted;
}

}  // namespace cpnlint::cli
