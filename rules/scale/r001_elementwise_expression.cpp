// R001 elementwise-expression: whole-array arithmetic, which distributes as it stands.

#include <algorithm>

#include "rules/engine/rule.h"
#include "rules/match/expression.h"

namespace cpnlint::rules::r001 {

using ir::OpKind;

constexpr std::int64_t kSmallConstants = 1024;  // a host array below this rides along with the launch

// The device arrays that enter the expression from outside: names, slices, results of other calls.
static std::vector<ir::ValueId> Leaves(const Facts& facts, ir::ValueId root) {
  std::vector<ir::ValueId> leaves;
  for (const ir::ValueId op : match::ExpressionOf(facts, root)) {
    if (!match::IsElementwise(facts, op)) continue;
    for (const ir::ValueId operand : facts.program().Operands(op)) {
      if (facts.IsArray(operand) && !match::IsElementwise(facts, operand)) leaves.push_back(operand);
    }
  }
  return leaves;
}

static bool Broadcast(const Facts& facts, ir::ValueId a, ir::ValueId b) {
  ir::DimStore& dims = facts.store().dims();
  for (int axis = 1; axis <= std::min(facts.RankOf(a), facts.RankOf(b)); ++axis) {
    const ir::DimId x = facts.ExtentOf(a, -axis);
    const ir::DimId y = facts.ExtentOf(b, -axis);
    const bool one = dims.AsConst(x) == 1 || dims.AsConst(y) == 1;
    if (!one && dims.KnownDifferent(x, y)) return false;
  }
  return true;
}

// Fires when
//   1. the op is the outermost of a tree of operators and ufuncs with a device array in it,
//   2. the arrays are not known to have shapes that do not broadcast,
//   3. no array is known to have a type that the library lacks, and
//   4. nothing in the tree raises.
// Quiet: (a) known small, (b) host arrays are no device arrays, (c) inside of a loop over elements, (d) a large host
// array among the operands, (e) numbers are no arrays.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  if (!trial.Holds(1, match::IsElementwise(facts, op) && !match::InsideElementwise(facts, op))) return;
  if (facts.IsZeroD(op)) return;
  if (trial.Quiet('a', facts.KnownBelow(op, trial.target().economic))) return;
  if (trial.Quiet('c', facts.HeatOf(op).in_element_loop)) return;
  const std::vector<ir::ValueId> leaves = Leaves(facts, op);
  const auto any = [&](auto predicate) { return std::any_of(leaves.begin(), leaves.end(), predicate); };
  if (!any([&](ir::ValueId leaf) { return facts.IsDevice(leaf); })) return;
  if (!trial.Holds(2, !any([&](ir::ValueId leaf) { return !Broadcast(facts, leaves.front(), leaf); }))) return;
  if (!trial.Holds(3, !any([&](ir::ValueId leaf) { return facts.Of(leaf).dtype > ir::DType::kComplex128; }))) return;
  if (trial.Quiet('d', any([&](ir::ValueId leaf) {
                    return facts.IsHost(leaf) && facts.IsArray(leaf) && !facts.KnownBelow(leaf, kSmallConstants);
                  })))
    return;
  if (!trial.Holds(4, !match::SomethingRaises(facts, op, trial.target().version))) return;

  Trial::Report report = trial.ReportOp(op);
  report.Evidence(facts.Of(op).evidence);
  const std::string elements = facts.DimText(facts.VolumeOf(op));
  if (!elements.empty()) report.Arg("elems", elements);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 1,
    .slug = "elementwise-expression",
    .family = Family::kScales,
    .severity = Severity::kGood,
    .cold = Severity::kGood,
    .summary = "whole-array arithmetic that distributes over all GPUs",
    .message = "`{expr}` is whole-array arithmetic[[ on {elems} elements]] and distributes over all GPUs",
    .why = "one task per operator, split over all processors once the array has 1,048,576 elements (26.07)",
    .details = R"md(
Counts the outermost operator or ufunc of an expression with device arrays, where the shapes broadcast, the types are
those of the library and nothing in it raises.

Does not count what is known to be below 65,536 elements, host arrays, work inside of a loop over elements, expressions
with a large host array (it is copied in every time), and arithmetic on extents.

There is no fusion: each operator is a task and makes an array; mixed types insert a converted copy. The setting "65,536
per GPU" of the migration guide is read nowhere in 26.07; what decides is the total number of elements.
)md",
    .bad = R"py(
import numpy as np

def drag(n):
    rho = np.ones(n)
    w = np.linspace(-1.0, 1.0, n)
    return rho * w * np.abs(w)
)py",
    .good = R"py(
def drag(rho, w):
    out = []
    for r, v in zip(rho, w):
        out.append(r * v * abs(v))
    return out
)py",
    .conditions = R"md(
1. the outermost of a tree of operators and ufuncs with a device array in it
2. the arrays are not known to have shapes that do not broadcast
3. no array is known to have a type that the library lacks
4. nothing in the tree raises
- (a) the arrays are known to be small
- (c) inside of a loop over elements
- (d) a large host array is among the operands
)md",
    .ops = {OpKind::kBinary, OpKind::kUnary, OpKind::kCompare, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r001
