#include "rules/match/matrix_product.h"

#include <algorithm>

#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;

namespace {

// Elements of a list or tuple display as well.
void AddFactor(const Facts& facts, ir::ValueId operand, std::vector<ir::ValueId>& factors) {
  const ir::Program& program = facts.program();
  if (!operand.valid()) return;
  const OpKind kind = program.ops[operand].kind;
  if (kind != OpKind::kList && kind != OpKind::kTuple) {
    factors.push_back(operand);
    return;
  }
  for (const ir::ValueId element : program.Operands(operand)) {
    if (element.valid()) factors.push_back(element);
  }
}

}  // namespace

MatrixProduct AsMatrixProduct(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  MatrixProduct product;
  if (it.kind == OpKind::kBinary || it.kind == OpKind::kInplaceBinary) {
    if (static_cast<ir::BinaryOp>(it.detail) != ir::BinaryOp::kMatMul) return {};
    product.factors = {program.Operand(op, 0), program.Operand(op, 1)};
  } else {
    const DeviceCall call = AsDeviceCall(facts, op);
    if (!call) return {};
    product.einsum = call.base == "einsum";
    std::size_t most = 2;
    if (match::IsOneOf(call.base, {"linalg.matrix_power", "linalg.multi_dot"})) {
      most = 1;
    } else if (product.einsum) {
      most = program.Shape(it).positional;
    } else if (!match::IsOneOf(call.base, {"matmul", "dot", "inner", "tensordot"})) {
      return {};
    }
    for (std::size_t i = product.einsum ? 1 : 0; i < most; ++i) {
      AddFactor(facts, Argument(facts, call, i, i == 0 ? "a" : "b"), product.factors);
    }
    product.evidence = call.evidence;
  }
  if (product.factors.empty()) return {};
  for (const ir::ValueId factor : product.factors) {
    if (!facts.IsDevice(factor)) return {};
    product.rank = std::max(product.rank, facts.RankOf(factor));
    product.evidence |= facts.Of(factor).evidence;
  }
  product.op = op;
  return product;
}

bool NeedsMatrixKernel(const MatrixProduct& product) {
  return product.einsum ? product.factors.size() >= 2 : product.rank >= 2;
}

bool IsOfIntegers(const Facts& facts, const MatrixProduct& product) {
  return std::all_of(product.factors.begin(), product.factors.end(), [&](ir::ValueId factor) {
    return ir::IsInteger(facts.Of(factor).dtype) || facts.Of(factor).dtype == ir::DType::kBool;
  });
}

}  // namespace cpnlint::rules::match
