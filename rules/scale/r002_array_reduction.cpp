// R002 array-reduction: a reduction of a whole array, or along an axis, in one parallel call.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"

namespace cpnlint::rules::r002 {

using match::DeviceCall;

static bool Reduces(const Facts& facts, const DeviceCall& call) {
  if (match::IsOneOf(call.base, {"dot", "inner", "vdot"})) {
    return facts.RankOf(call.array) == 1 && facts.RankOf(match::Argument(facts, call, 1, "b")) == 1;
  }
  return match::IsOneOf(
      call.base, {"sum",     "prod",          "max",         "min",         "amax",     "amin",    "mean",   "any",
                  "all",     "count_nonzero", "argmax",      "argmin",      "nansum",   "nanprod", "nanmax", "nanmin",
                  "nanmean", "trace",         "linalg.norm", "array_equal", "allclose", "isclose"});
}

// The result is tested in Python in a hot loop: that test is the finding there.
static bool TestedInHotLoop(const Facts& facts, ir::ValueId op) {
  if (!facts.HeatOf(op).hot) return false;
  for (const ir::ValueId use : facts.DeepUsesOf(op)) {
    const ir::OpKind kind = facts.program().ops[use].kind;
    if (kind == ir::OpKind::kTruth) return true;
    if (kind != ir::OpKind::kCompare) continue;
    for (const ir::ValueId test : facts.UsesOf(use)) {
      if (facts.program().ops[test].kind == ir::OpKind::kTruth) return true;
    }
  }
  return false;
}

// Fires when
//   1. the call is a reduction that cuPyNumeric has, on a device array of rank 1 or more (or of unknown rank), and
//   2. it does not raise there with these arguments.
// Quiet: (a) missing names and (f) builtins are no such calls, (b) var is not in the list, (c) and (d) are condition 2,
// (e) the value is tested in Python in a hot loop, (g) inside of a loop over elements.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  if (!trial.Holds(1, Reduces(facts, call) && facts.IsDevice(call.array) && !facts.IsZeroD(call.array))) return;
  if (!trial.Holds(2, !match::RaisesByItself(facts, op, trial.target().version))) return;
  if (trial.Quiet('e', TestedInHotLoop(facts, op))) return;
  if (trial.Quiet('g', facts.HeatOf(op).in_element_loop)) return;

  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", facts.program().ops[op].span).Evidence(call.evidence);
  const std::string elements = facts.DimText(facts.VolumeOf(call.array));
  if (!elements.empty()) report.Arg("elems", elements);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 2,
    .slug = "array-reduction",
    .family = Family::kScales,
    .severity = Severity::kGood,
    .cold = Severity::kGood,
    .summary = "a reduction in one parallel call",
    .message = "`{call}` reduces[[ {elems} elements]] in parallel and keeps the result on the device",
    .why =
        "partial results are folded by the runtime, the scalar is a future: nothing waits until Python asks for it "
        "(26.07)",
    .details = R"md(
Counts `sum`, `prod`, `max`, `min`, `mean`, `any`, `all`, `count_nonzero`, `argmax`, `argmin`, their `nan` forms, `trace`,
`linalg.norm`, products of vectors, and `array_equal`, `allclose`, `isclose`, as functions and methods of device arrays,
also with `where=` and `out=`.

Does not count `std` and `ptp` (missing: R112), `var` without an axis (it waits on the mean), several but not all axes in
`any`, `all` and `count_nonzero` or complex `max` and `min` (R113), results tested in Python in a hot loop, and builtins.

The order of the summation depends on the number of GPUs: compare with tolerances.
)md",
    .bad = R"py(
import numpy as np

def total_mass(n):
    rho = np.ones(n)
    return np.sum(rho)
)py",
    .good = R"py(
def total_mass(rho):
    total = 0.0
    for r in rho:
        total += r
    return total
)py",
    .conditions = R"md(
1. a reduction that cuPyNumeric has, of a device array of rank 1 or more (or of unknown rank)
2. it does not raise there with these arguments
- (e) the value is tested in Python in a hot loop
- (g) inside of a loop over elements
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r002
