#include "cost-model/price.h"
#include "cost-model/steps.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkStep;

bool IsHostSide(WorkKind kind) {
  return kind == WorkKind::kElementAccess || kind == WorkKind::kToHost || kind == WorkKind::kFromHost;
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
    sides.known = sides.known && task.unpriced.empty() && (task.launches == 0 || sizes.IsKnown(task.elements));
    const Parts parts = CostOf(task, sizes, profile, layout, medians).parts;
    for (std::size_t i = 0; i < kParts; ++i) {
      const auto part = static_cast<Part>(i);
      const bool host = IsHostSide(task.kind) || part == Part::kWait || part == Part::kHost;
      (host ? sides.host : sides.device) += times.count * parts[i];
    }
  });
  return sides;
}

}  // namespace cpnlint::cost
