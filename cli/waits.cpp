// How often the host waits in one pass of a hot loop, as the work of the program tells.

#include <algorithm>
#include <map>

#include "cli/pricing.h"
#include "cost-model/steps.h"

namespace cpnlint::cli {
namespace {

constexpr std::size_t kMostPlaces = 5;

struct Sum {
  double waits = 0;
  bool at_least = false;
  std::map<Span, double> places;
};

// The tasks of one pass. A loop within it counts with its passes where these are known, else once.
Sum WaitsOf(const analysis::Facts& facts, const analysis::Work& work, const cost::Sizes& sizes,
            const cost::Region& region) {
  Sum sum;
  const auto passes_of = [&](const analysis::WorkLoop& loop) {
    const bool known = sizes.IsKnown(loop.trips);
    return cost::Times{known ? sizes.Of(loop.trips) : 1, known};
  };
  cost::EachStep(work, region, passes_of, [&](const analysis::WorkStep& step, cost::Times times) {
    if (step.kind != analysis::WorkStep::Kind::kTask || !work.tasks[step.index].waits || times.count <= 0) return;
    const ir::ValueId op = work.tasks[step.index].op;
    sum.waits += times.count;
    sum.at_least = sum.at_least || !times.known;
    if (op.valid()) sum.places[facts.program().ops[op].span] += times.count;
  });
  return sum;
}

}  // namespace

std::vector<report::LoopWaits> Pricing::Waits(const Sources& sources) const {
  std::vector<report::LoopWaits> all;
  const bool any =
      std::any_of(work_.tasks.begin(), work_.tasks.end(), [](const analysis::WorkTask& task) { return task.waits; });
  if (!any) return all;
  for (const cost::Region& region : cost::RegionsOf(*sizes_, work_)) {
    if (!region.loop.valid()) continue;
    const Sum sum = WaitsOf(facts_, work_, *sizes_, region);
    if (sum.waits <= 0) continue;
    const Span header = facts_.program().loops[region.loop].header_span;
    report::LoopWaits loop;
    loop.path = sources.File(sources.ModuleAt(header.begin)).path;
    loop.start = sources.PlaceOf(header).start;
    loop.loop = sources.Words(header);
    loop.waits = sum.waits;
    loop.at_least = sum.at_least;
    std::vector<std::pair<Span, double>> places(sum.places.begin(), sum.places.end());
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (places.size() > kMostPlaces) places.resize(kMostPlaces);
    for (const auto& [span, times] : places) {
      loop.places.push_back({sources.PlaceOf(span), std::string(sources.Words(span)), 0,
                             sources.File(sources.ModuleAt(span.begin)).path});
    }
    all.push_back(std::move(loop));
  }
  // A loop that several entries reach stands for each of them: the heaviest counts.
  std::stable_sort(all.begin(), all.end(),
                   [](const report::LoopWaits& a, const report::LoopWaits& b) { return a.waits > b.waits; });
  std::vector<report::LoopWaits> once;
  for (report::LoopWaits& loop : all) {
    const bool known = std::any_of(once.begin(), once.end(), [&](const report::LoopWaits& other) {
      return other.path == loop.path && other.start == loop.start;
    });
    if (!known) once.push_back(std::move(loop));
  }
  return once;
}

}  // namespace cpnlint::cli
