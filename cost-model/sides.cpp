#include "cost-model/price.h"
#include "cost-model/steps.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkStep;

// Transfers, accesses of single elements, and arithmetic on what those give.
bool IsHostSide(const Sizes& sizes, const analysis::WorkTask& task) {
  switch (task.kind) {
    case WorkKind::kElementAccess:
    case WorkKind::kToHost:
    case WorkKind::kFromHost: return true;
    case WorkKind::kElementwise:
    case WorkKind::kFill:
    case WorkKind::kCopy: return sizes.IsKnown(task.elements) && sizes.Of(task.elements) <= 1;
    default: return false;
  }
}

}  // namespace

Sides SidesOf(const Sizes& sizes, const analysis::Work& work, const Region& region, const Profile& profile,
              const Layout& layout) {
  const Samples<1> medians = SamplesOf<1>(profile);
  Sides sides;
  const auto passes_of = [&](const analysis::WorkLoop& loop) {
    sides.known = sides.known && sizes.IsKnown(loop.trips);
    return Times{sizes.TripsOf(loop)};
  };
  EachStep(work, region, passes_of, [&](const WorkStep& step, Times times) {
    if (step.kind == WorkStep::Kind::kPython) {
      sides.host += times.count * step.index * profile.Value(Parameter::kStatement);
      return;
    }
    const analysis::WorkTask& task = work.tasks[step.index];
    sides.priced = sides.priced && task.unpriced.empty();
    sides.known = sides.known && (task.launches == 0 || sizes.IsKnown(task.elements));
    const bool host_side = IsHostSide(sizes, task);
    const Parts parts = CostOf(task, sizes, profile, layout, medians).parts;
    for (std::size_t i = 0; i < kParts; ++i) {
      const auto part = static_cast<Part>(i);
      const bool host = host_side || part == Part::kWait || part == Part::kHost;
      (host ? sides.host : sides.device) += times.count * parts[i];
    }
  });
  return sides;
}

}  // namespace cpnlint::cost
