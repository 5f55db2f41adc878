#include "cost-model/price.h"

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
  struct Open {
    const std::vector<WorkStep>* steps;
    double times;
  };
  Sides sides;
  std::vector<Open> open = {{&StepsOf(work, region), 1}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    for (const WorkStep& step : *at.steps) {
      const double times = at.times * step.share;
      if (step.kind == WorkStep::Kind::kLoop) {
        const analysis::WorkLoop& loop = work.loops[step.index];
        open.push_back({&loop.body, times * sizes.TripsOf(loop)});
        sides.known = sides.known && sizes.IsKnown(loop.trips);
      } else if (step.kind == WorkStep::Kind::kPython) {
        sides.host += times * step.index * profile.Value(Parameter::kStatement);
      } else {
        const analysis::WorkTask& task = work.tasks[step.index];
        sides.known = sides.known && task.unpriced.empty() && (task.launches == 0 || sizes.IsKnown(task.elements));
        const Parts parts = CostOf(task, sizes, profile, layout).parts;
        for (std::size_t i = 0; i < kParts; ++i) {
          const auto part = static_cast<Part>(i);
          const bool host = IsHostSide(task.kind) || part == Part::kWait || part == Part::kHost;
          (host ? sides.host : sides.device) += times * parts[i];
        }
      }
    }
  }
  return sides;
}

}  // namespace cpnlint::cost
