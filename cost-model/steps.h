#pragma once

// The walk over one pass of a region that all sums over its tasks have in common.

#include <vector>

#include "cost-model/model.h"

namespace cpnlint::cost {

// How often something runs in one pass.
struct Times {
  double count = 1;
  bool known = true;  // no number of passes in it is assumed
};

// Calls `visit(step, times)` for each task and each run of plain statements of one pass. `passes_of(loop)` gives the
// Times of a loop's body; bodies come after what stands beside their loop.
template <typename PassesOf, typename Visit>
void EachStep(const analysis::Work& work, const Region& region, PassesOf passes_of, Visit visit) {
  struct Open {
    const std::vector<analysis::WorkStep>* steps;
    Times times;
  };
  std::vector<Open> open = {{&StepsOf(work, region), {}}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    for (const analysis::WorkStep& step : *at.steps) {
      const Times times = {at.times.count * step.share, at.times.known};
      if (step.kind != analysis::WorkStep::Kind::kLoop) {
        visit(step, times);
        continue;
      }
      const analysis::WorkLoop& loop = work.loops[step.index];
      const Times passes = passes_of(loop);
      open.push_back({&loop.body, {times.count * passes.count, times.known && passes.known}});
    }
  }
}

}  // namespace cpnlint::cost
