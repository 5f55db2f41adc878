// R310 below-partition-threshold: hot loops over arrays too small to be split.

#include <algorithm>

#include "rules/engine/rule.h"
#include "rules/match/memory.h"
#include "rules/match/workload.h"

namespace cpnlint::rules::r310 {

// Fires when
//   1. there are several GPUs,
//   2. the loop is the outermost hot one of its nest, and the size of all that a pass works on is known,
//   3. the largest array of it is too small to be split.
// Quiet: (a) a view counts as its root, (b) small tables beside a large array, (c) products whose volume is large
// enough and (d) unknown sizes are conditions 2 and 3, (e) is condition 1.
static void OnLoop(const Facts& facts, ir::LoopId loop, Trial& trial) {
  const Target& target = trial.target();
  if (!trial.Holds(1, target.gpus > 1)) return;
  if (!match::IsHotRegion(facts, loop)) return;
  const auto work = match::WorkloadOf(facts, loop);
  if (!trial.Holds(2, work.has_value()) || !work) return;
  const match::Launch& largest =
      *std::max_element(work->launches.begin(), work->launches.end(),
                        [](const match::Launch& a, const match::Launch& b) { return a.launched < b.launched; });
  if (!trial.Holds(3, largest.launched < target.split)) return;

  // The elements are those of the whole array, be it that the pass works on a slice of it.
  const bool slice = largest.touched < largest.stored && largest.root.valid();
  trial.ReportLoop(loop)
      .Arg("array", slice ? match::ArrayText(facts, largest.root) : Text(largest.array))
      .Arg("elems", match::Grouped(largest.stored))
      .Arg("n", match::Grouped(target.split))
      .Arg("gpus", std::to_string(target.gpus))
      .Root(largest.root)
      .Evidence(work->evidence)
      .Confidence(Confidence::kLikely)
      .PrimaryLabel("one GPU works, the others wait")
      .Label(largest.array, "the largest array of a pass")
      .Help(
          "RR-size  batch several cases into one array with a leading axis, run a larger problem, or ask for one GPU: "
          "`legate --gpus 1 ...`");
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 310,
    .slug = "below-partition-threshold",
    .family = Family::kInfo,
    .severity = Severity::kInfo,
    .summary = "a hot loop over arrays too small to be split",
    .message = "`{array}` has {elems} elements, below the {n} needed to be split, so `{loop}` uses one of {gpus} GPUs",
    .why =
        "an array is split over all processors or over none: one of 1,048,575 elements stays on one GPU, one of "
        "1,048,576 goes to all (26.07)",
    .details = R"md(
Fires at the header of an outermost hot loop, when the run has several GPUs and every array operation of a pass is of known
size and too small to be split. What counts is the largest store of an operation: the root of a view, the promoted volume of
a matrix product. Sizes come from literals, `--assume` and pragmas only; the finding is *likely*, because a literal may be
an example's.

Stays quiet

- (a) where a view belongs to a root that is large enough: it keeps the root's tiling
- (b) on coefficient tables that are used with a large array
- (c) on products whose m * k * n reaches the threshold
- (d) where a size is not known, or code out of sight is called
- (e) with one GPU
- on loops over single elements: R101 is their finding

The migration guide's floor of 65,536 elements per GPU is read nowhere in 26.07. `legate --min-gpu-chunk` moves the threshold.
)md",
    .bad = R"py(
import numpy as np

def relax(steps):
    u = np.zeros((100, 100))
    for _ in range(steps):
        u *= 0.99
    return u
)py",
    .good = R"py(
import numpy as np

def relax(steps):
    u = np.zeros((10000, 10000))
    for _ in range(steps):
        u *= 0.99
    return u
)py",
    .recipe = "RR-size",
    .preview = true,
    .conditions = R"md(
1. there are several GPUs
2. the loop is the outermost hot one of its nest, and the size of all that a pass works on is known
3. the largest array of it is too small to be split
)md",
    .on_loop = &OnLoop,
};

}  // namespace cpnlint::rules::r310
