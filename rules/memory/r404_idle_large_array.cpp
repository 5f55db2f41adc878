// R404 idle-large-array: large arrays that wait in device memory through a loop which needs the room.

#include <algorithm>

#include "cost-model/footprint.h"
#include "rules/engine/rule.h"
#include "rules/match/memory.h"

namespace cpnlint::rules::r404 {

constexpr double kTight = 0.8, kShare = 0.05;

static double PeakIn(const cost::Footprint& footprint, const cost::LoopSpan& loop) {
  double peak = 0;
  for (std::uint32_t step = loop.begin; step < loop.end; ++step) peak = std::max(peak, footprint.bytes[step]);
  return peak;
}

static bool TouchedIn(const cost::MemoryPlan& plan, const cost::Footprint& footprint, const cost::LoopSpan& loop,
                      ir::ValueId array) {
  for (std::uint32_t step = loop.begin; step < loop.end; ++step) {
    for (const analysis::WorkOperand& operand : plan.work->tasks[footprint.tasks[step]].operands) {
      if (operand.root == array) return true;
    }
  }
  return false;
}

// Fires when
//   1. all sizes are known and the peak within a loop exceeds four fifths of the pool,
//   2. an array lives all through the loop, is touched before and after and not in it,
//   3. it takes 5 % of the pool,
//   4. the host's pool has room for it.
// Quiet: (a) and (d) are condition 1, (b) touched at all in the loop, (c) it is a mere fill, (e) small arrays.
static void OnModule(const Facts& facts, ir::ModuleId module, Trial& trial) {
  const cost::MemoryPlan* plan = trial.target().memory;
  if (plan == nullptr || plan->pool <= 0 || !plan->gpu) return;
  for (const cost::Footprint& footprint : plan->roots) {
    for (const cost::LoopSpan& loop : footprint.loops) {
      if (!loop.loop.valid() || loop.begin == loop.end) continue;
      const ir::ValueId inside = plan->work->tasks[footprint.tasks[loop.begin]].op;
      if (!inside.valid() || match::ModuleOf(facts, inside) != module) continue;
      if (!trial.Holds(1, footprint.known && PeakIn(footprint, loop) > kTight * plan->pool)) continue;
      for (const cost::Lifetime& array : footprint.arrays) {
        trial.Considers(array.array);
        const bool waits =
            array.first < loop.begin && array.last >= loop.end && !TouchedIn(*plan, footprint, loop, array.array);
        if (!trial.Holds(2, waits)) continue;
        if (!trial.Holds(3, array.known && array.bytes >= kShare * plan->pool)) continue;
        if (!trial.Holds(4, array.bytes * plan->processors <= plan->host_pool)) continue;
        const Span header = facts.program().loops[loop.loop].header_span;
        trial.ReportOp(array.array)
            .Arg("array", match::ArrayText(facts, array.array))
            .Arg("bytes", match::BytesText(array.bytes))
            .Arg("loop", header)
            .Root(array.array)
            .Evidence(match::SizeEvidence(facts, array.array))
            .Label(header, "not used in this loop");
      }
    }
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 404,
    .slug = "idle-large-array",
    .family = Family::kMemory,
    .severity = Severity::kInfo,
    .cold = Severity::kInfo,
    .cap = Confidence::kLikely,
    .summary = "a large array is idle during a loop that needs the memory",
    .message = "`{array}` ({bytes}) is idle during `{loop}` and needed again afterwards; it could wait in host memory",
    .why =
        "`offload_to(array, target=StoreTarget.SYSMEM)` of Legate moves an array to the host and frees its device "
        "memory; the next use brings it back (26.07)",
    .details = R"md(
Fires on an array of known size that takes at least 5 % of the pool, is used before and after a loop and not in it, while more
than 80 % of the pool are alive in the loop and the host's pool has room for it.

Stays quiet

- (a) where the peak in the loop is below 80 % of the pool
- (b) where the loop touches the array, if only now and then
- (c) on arrays that are filled and not used before the loop
- (d) where a size or the pool is not known
- (e) on small arrays
)md",
    .bad = R"py(
import numpy as np

table = np.random.rand(8_000_000_000)
base = table.sum()
wave = np.random.rand(26_000_000_000)
for _ in range(1000):
    wave *= 0.99
print(base, (table * 2.0).sum(), wave.sum())
)py",
    .good = R"py(
import numpy as np

table = np.random.rand(8_000_000)
base = table.sum()
wave = np.random.rand(26_000_000)
for _ in range(1000):
    wave *= 0.99
print(base, (table * 2.0).sum(), wave.sum())
)py",
    .recipe = "RR-offload",
    .fix = FixClass::kDisplay,
    .preview = true,
    .conditions = R"md(
1. all sizes are known, and the peak within a loop exceeds four fifths of the pool
2. an array lives all through the loop and is touched before and after, not in it
3. it takes 5 % of the pool
4. the host's pool has room for it
)md",
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r404
