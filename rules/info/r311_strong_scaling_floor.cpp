// R311 strong-scaling-floor: hot loops whose tasks are too short for the number of GPUs.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rules/engine/rule.h"
#include "rules/match/workload.h"

namespace cpnlint::rules::r311 {

constexpr double kGuideline = 1e-3;  // seconds of work that a task should have (vendor guidance)
constexpr double kTooShort = 1e-4;   // from where on it is told

// Seconds that one GPU takes for all of the launch; negative where that is not known.
static double SecondsOf(const match::Launch& launch, const Target& target) {
  if (!launch.bytes) return -1;
  return std::max(*launch.bytes / target.bandwidth, launch.flops / target.peak);
}

// "1.8", "12", "0.3", "0.006"
static std::string Microseconds(double seconds) {
  char text[32];
  const double us = seconds * 1e6;
  std::snprintf(text, sizeof text, us < 0.1 ? "%.1g" : us < 10 ? "%.1f" : "%.0f", us);
  return text;
}

// Fires when
//   1. the loop is the outermost hot one of its nest, and the size of all that a pass works on is known,
//   2. the longest operation of a pass takes each GPU less than 0.1 ms, or has fewer elements for each than the
//   economic floor.
// Quiet: (a) and (d) sizes that are not plain numbers are condition 1, (b) cold code is in no hot loop, (c) large
// products take long, (e) one GPU with tasks of 0.1 ms, (f) arrays and rows that are not split at all: R310.
static void OnLoop(const Facts& facts, ir::LoopId loop, Trial& trial) {
  const Target& target = trial.target();
  if (!match::IsHotRegion(facts, loop)) return;
  const auto work = match::WorkloadOf(facts, loop);
  const bool known = work && std::all_of(work->launches.begin(), work->launches.end(),
                                         [](const match::Launch& launch) { return launch.bytes.has_value(); });
  if (!trial.Holds(1, known) || !known) return;
  const auto longest = std::max_element(
      work->launches.begin(), work->launches.end(),
      [&](const match::Launch& a, const match::Launch& b) { return SecondsOf(a, target) < SecondsOf(b, target); });
  const double alone = SecondsOf(*longest, target);
  const double each = alone / target.gpus;
  const std::int64_t elements = (longest->touched + target.gpus - 1) / target.gpus;
  const bool below_floor = target.gpus > 1 && longest->flops == 0 && elements < target.economic;
  if (!trial.Holds(2, each < kTooShort || below_floor)) return;
  // A row of nine of an array of two million rows lies with one GPU: long axes are the ones that are divided.
  const auto is_unsplit = [&](const match::Launch& launch) {
    const auto part = static_cast<double>(launch.touched), whole = static_cast<double>(launch.stored);
    return launch.launched < target.split || (launch.flops == 0 && part * part * target.gpus <= whole);
  };
  if (trial.Quiet('f', target.gpus > 1 && is_unsplit(*longest))) return;

  const auto enough = static_cast<std::int64_t>(std::max(1.0, std::floor(alone / kGuideline)));
  Trial::Report report = trial.ReportLoop(loop);
  report.Arg("elems", match::Grouped(elements))
      .Arg("n", Microseconds(each))
      .Arg("gpus", target.gpus == 1 ? Text("1 GPU") : Text(std::to_string(target.gpus) + " GPUs"))
      .Root(longest->root)
      .Evidence(work->evidence)
      .Label(longest->array, "the longest operation of a pass works on this");
  char share[16];
  std::snprintf(share, sizeof share, "%.0f %%", 100 * target.launch / (target.launch + each));
  report.PrimaryLabel(Text("on " + target.machine + " an operation's launch takes " + Microseconds(target.launch) +
                           " µs: " + share + " of the time of such a one"));
  if (target.gpus > 1) report.Arg("k", enough == 1 ? Text("1 GPU") : Text(std::to_string(enough) + " GPUs"));
  report.Help(
      "RR-size  merge arrays of one kind into one with a leading axis, batch several cases, run a larger problem, or "
      "ask "
      "for fewer GPUs");
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 311,
    .slug = "strong-scaling-floor",
    .family = Family::kInfo,
    .severity = Severity::kInfo,
    .cap = Confidence::kLikely,
    .summary = "a hot loop whose tasks are too short for the number of GPUs",
    .message =
        "at {gpus} `{loop}` works on {elems} elements per GPU, about {n} µs per task, where 1 ms is the "
        "guideline[[; {k} would suffice]]",
    .why =
        "nothing limits the number of GPUs for small tiles: each operation still costs its launch, and that grows with "
        "the GPUs of a process (26.07)",
    .details = R"md(
Fires at the header of an outermost hot loop, when every array operation of a pass is of known size and type, and the longest
one takes each GPU less than 0.1 ms or gives it fewer than 65,536 elements. The time is what the operation reads and writes
by the memory bandwidth of the target machine (`--profile`, else `h100-sxm`), or the work of a matrix product by its rate. Sizes
come from literals, `--assume` and pragmas only.

Stays quiet

- (a), (d) where a size is not known, a size that grows with the number of GPUs among them
- (b) outside of hot loops
- (c) on large matrix products
- (e) with one GPU where a task takes 0.1 ms
- (f) where the longest operation works on an array too small to be split at all (R310), or on a short row of a long array,
  which one GPU has
- on loops over single elements: R101 is their finding

The number of GPUs that would suffice is the one at which a task takes 1 ms.
)md",
    .bad = R"py(
import numpy as np

def relax(steps):
    u = np.zeros((2000, 2000))
    for _ in range(steps):
        u *= 0.99
    return u
)py",
    .good = R"py(
import numpy as np

def relax(steps):
    u = np.zeros((40000, 40000))
    for _ in range(steps):
        u *= 0.99
    return u
)py",
    .recipe = "RR-size",
    .conditions = R"md(
1. the loop is the outermost hot one of its nest, and the size of all that a pass works on is known
2. the longest operation of a pass takes each GPU less than 0.1 ms, or has fewer elements for each than the economic floor
)md",
    .on_loop = &OnLoop,
};

}  // namespace cpnlint::rules::r311
