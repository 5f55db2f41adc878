#include "rules/match/square_matrix.h"

#include "rules/match/device_call.h"
#include "rules/match/matrix_product.h"
#include "rules/match/same_expression.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr int kMostSteps = 4;  // of `.conj().T` and the like, and of sums

// A matrix without what turns it: `a` of `a.conj().T`.
struct Turned {
  ValueId matrix;
  bool transposed = false;
  bool conjugated = false;
};

Turned WithoutTurns(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  Turned turned{facts.Source(value)};
  for (int step = 0; step < kMostSteps && turned.matrix.valid(); ++step) {
    const ir::Op& op = program.ops[turned.matrix];
    if (op.kind == OpKind::kAttr) {
      if (program.Name(op) != "T") return turned;
      turned = {facts.Source(program.Operand(turned.matrix, 0)), !turned.transposed, turned.conjugated};
      continue;
    }
    const DeviceCall call = op.kind == OpKind::kCall ? AsDeviceCall(facts, turned.matrix) : DeviceCall();
    if (!call || program.Operands(turned.matrix).size() != (call.method ? 1 : 2)) return turned;
    const bool transposes = call.base == "transpose";
    if (!transposes && !IsOneOf(call.base, {"conj", "conjugate"})) return turned;
    turned = {facts.Source(call.array), turned.transposed != transposes, turned.conjugated == transposes};
  }
  return turned;
}

bool IsSquareWithin(const Facts& facts, ValueId value, int steps) {
  value = facts.Source(value);
  if (!value.valid() || steps == 0) return false;
  if (facts.RankOf(value) == 2) {
    const ir::DimId rows = facts.ExtentOf(value, 0), columns = facts.ExtentOf(value, 1);
    if (const auto excess = facts.store().dims().Difference(rows, columns)) return *excess == 0;
  }
  if (facts.RankOf(value) > 2) return false;
  if (AsGramMatrix(facts, value)) return true;
  const ir::Op& op = facts.program().ops[value];
  if (op.kind != OpKind::kBinary) return false;
  const auto kind = static_cast<ir::BinaryOp>(op.detail);
  if (kind != ir::BinaryOp::kAdd && kind != ir::BinaryOp::kSub) return false;
  return IsSquareWithin(facts, facts.program().Operand(value, 0), steps - 1) ||
         IsSquareWithin(facts, facts.program().Operand(value, 1), steps - 1);
}

}  // namespace

GramMatrix AsGramMatrix(const Facts& facts, ValueId value) {
  value = facts.Source(value);
  if (!value.valid()) return {};
  const MatrixProduct product = AsMatrixProduct(facts, value);
  if (!product || product.einsum || product.factors.size() != 2 || product.rank > 2) return {};
  const Turned left = WithoutTurns(facts, product.factors[0]), right = WithoutTurns(facts, product.factors[1]);
  if (left.transposed == right.transposed || !left.matrix.valid() || !right.matrix.valid()) return {};
  if (facts.RankOf(left.matrix) == 1 || !SameExpression(facts, left.matrix, right.matrix)) return {};
  return {true, left.conjugated != right.conjugated};
}

bool IsSquare(const Facts& facts, ValueId value) { return IsSquareWithin(facts, value, kMostSteps); }

bool HasUnknownShape(const Facts& facts, ValueId value) {
  const int rank = facts.RankOf(value);
  return rank < 0 || (rank == 2 && !facts.ExtentOf(value, 0).valid() && !facts.ExtentOf(value, 1).valid());
}

}  // namespace cpnlint::rules::match
