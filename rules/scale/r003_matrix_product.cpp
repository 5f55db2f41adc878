// R003 matrix-product: products of matrices, which are split over all GPUs.

#include <algorithm>

#include "rules/engine/rule.h"
#include "rules/match/expression.h"
#include "rules/match/matrix_product.h"

namespace cpnlint::rules::r003 {

using ir::OpKind;

constexpr std::int64_t kSmallMatrix = 256;

static bool SmallInEveryDirection(const Facts& facts, const match::MatrixProduct& product) {
  for (const ir::ValueId factor : product.factors) {
    for (int axis = 0; axis < facts.RankOf(factor); ++axis) {
      const auto extent = facts.store().dims().AsConst(facts.ExtentOf(factor, axis));
      if (!extent || *extent >= kSmallMatrix) return false;
    }
    if (facts.RankOf(factor) < 0) return false;
  }
  return true;
}

// Fires when
//   1. the op is a product of device arrays,
//   2. one of them is known to be of rank 2 or more,
//   3. no factor is known to be of an integer or boolean type, and it does not raise otherwise.
// Quiet: (a) is condition 3, (b) is condition 2, (c) every extent is known to be small, (d) is condition 3, (e) inside
// of a loop over elements.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::MatrixProduct product = match::AsMatrixProduct(facts, op);
  if (!trial.Holds(1, static_cast<bool>(product)) || !product) return;
  if (!trial.Holds(2, product.rank >= 2)) return;
  const bool integers = std::any_of(product.factors.begin(), product.factors.end(), [&](ir::ValueId factor) {
    return ir::IsInteger(facts.Of(factor).dtype) || facts.Of(factor).dtype == ir::DType::kBool;
  });
  if (!trial.Holds(3, !integers && !match::RaisesByItself(facts, op, trial.target().version))) return;
  if (trial.Quiet('c', SmallInEveryDirection(facts, product))) return;
  if (trial.Quiet('e', facts.HeatOf(op).in_element_loop)) return;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", facts.program().ops[op].span).Evidence(product.evidence);
  const ir::DType dtype = facts.Of(op).dtype;
  if (dtype != ir::DType::kUnknown) report.Arg("dtype", ir::Name(dtype));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 3,
    .slug = "matrix-product",
    .family = Family::kScales,
    .severity = Severity::kGood,
    .cold = Severity::kGood,
    .summary = "a product of matrices that distributes over all GPUs",
    .message = "`{call}` multiplies[[ {dtype}]] matrices and distributes over all GPUs",
    .why =
        "2-D products run as one three-dimensional launch or on a grid of tiles with slices of at most 128 MiB (26.07)",
    .details = R"md(
Counts `@`, `matmul`, `dot`, `inner`, `tensordot`, `einsum`, `linalg.multi_dot` on device arrays of which one is of rank 2
or more.

Does not count products of integers and booleans (R308), of vectors alone (R002), of matrices below 256 in every direction,
calls with `axes=` or `order=` (R113), and products inside of a loop over elements.

Transposed operands are views. Products of rank 3 and more, `einsum` and `tensordot` go through a contraction library
whose scratch memory is not bounded, so such tasks may wait for each other.
)md",
    .bad = R"py(
import numpy as np

def scores(n, k):
    features = np.ones((n, k))
    basis = np.ones((k, k))
    return features @ basis.T
)py",
    .good = R"py(
import numpy as np

def scores(n):
    a = np.ones(n)
    return a * 2.0
)py",
    .conditions = R"md(
1. a product of device arrays
2. one of them is known to be of rank 2 or more
3. no factor is known to be of an integer or boolean type, and it does not raise otherwise
- (c) every extent is known to be small
- (e) inside of a loop over elements
)md",
    .ops = {OpKind::kBinary, OpKind::kInplaceBinary, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r003
