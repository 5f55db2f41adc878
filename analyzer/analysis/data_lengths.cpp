#include "analyzer/analysis/data_lengths.h"

#include <algorithm>

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr int kDeepest = 12;
constexpr std::size_t kMostCalls = 8;  // of one function

bool Selects(const Callee& callee) {
  return IsOneOf(callee.name, {"numpy.flatnonzero", "numpy.argwhere", "numpy.compress", "numpy.extract", "numpy.unique",
                               "numpy.ndarray.compress"});
}

bool Joins(const Callee& callee) {
  return IsOneOf(callee.name,
                 {"numpy.column_stack", "numpy.concatenate", "numpy.hstack", "numpy.stack", "numpy.vstack"});
}

bool IsElementwise(const Callee& callee) {
  const api::Entry* row = callee.kind == Callee::Kind::kApi ? api::Find(callee.name) : nullptr;
  return row != nullptr && row->kind == api::Kind::kUfunc;
}

}  // namespace

ir::DimId DataLengths::Half(ir::DimId elements) {
  ir::DimStore& dims = facts_.store().dims();
  return elements.valid() ? dims.CeilDiv(elements, dims.Const(2)) : ir::DimId::None();
}

// NOLINTNEXTLINE(misc-no-recursion): `depth_` bounds it
ir::DimId DataLengths::Of(ir::ValueId array) {
  if (!array.valid()) return {};
  if (const ir::DimId volume = facts_.VolumeOf(array); volume.valid()) return volume;
  array = facts_.Source(array);
  if (!array.valid() || depth_ >= kDeepest || !facts_.IsArray(array)) return {};
  const auto [found, is_new] = known_.try_emplace(array);
  if (!is_new) return found->second;
  ++depth_;
  const ir::DimId length = Find(array);
  --depth_;
  return known_[array] = length;
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::Find(ir::ValueId array) {
  switch (program_.ops[array].kind) {
    case ir::OpKind::kUnpackItem:
    case ir::OpKind::kSubscript: return OfSubscript(array);
    case ir::OpKind::kAttr:
      return program_.Name(program_.ops[array]) == "T" ? Of(program_.Operand(array, 0)) : ir::DimId::None();
    case ir::OpKind::kBinary:
      if (static_cast<ir::BinaryOp>(program_.ops[array].detail) == ir::BinaryOp::kMatMul) return OfProduct(array);
      [[fallthrough]];
    case ir::OpKind::kInplaceBinary:
    case ir::OpKind::kCompare:
    case ir::OpKind::kUnary:
    case ir::OpKind::kPhi: return LargestOf(array, program_.Operands(array));
    case ir::OpKind::kCall: return OfCall(array);
    case ir::OpKind::kParam: return OfParam(array);
    default: return {};
  }
}

// As long as the longest of those with as many axes: `v = 0.5 * (v[:-1] + v[1:])` begins with all of it. Two vectors
// may span a table, so that is no longer than what it is made of is not said of it.
// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::LargestOf(ir::ValueId made, std::span<const ir::ValueId> arrays) {
  const ir::DimStore& dims = facts_.store().dims();
  ir::DimId largest;
  for (const ir::ValueId array : arrays) {
    if (!array.valid() || !facts_.IsArray(array) || facts_.RankOf(array) != facts_.RankOf(made)) continue;
    const ir::DimId length = Of(array);
    const auto known = dims.AsConst(length), before = dims.AsConst(largest);
    if (!largest.valid() || (known && before && *known > *before)) largest = length;
    known_[made] = largest;  // for what a loop makes of it
  }
  return largest;
}

// Rows of a matrix times a vector.
// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfProduct(ir::ValueId op) {
  const ir::ValueId left = program_.Operand(op, 0), right = program_.Operand(op, 1);
  const ir::DimId columns = facts_.ExtentOf(left, 1), elements = Of(left);
  if (facts_.RankOf(left) != 2 || facts_.RankOf(right) != 1 || !columns.valid() || !elements.valid()) return {};
  return facts_.store().dims().CeilDiv(elements, columns);
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfJoined(ir::ValueId pieces) {
  pieces = facts_.Source(pieces);
  if (!pieces.valid()) return {};
  const ir::OpKind kind = program_.ops[pieces].kind;
  if (kind != ir::OpKind::kList && kind != ir::OpKind::kTuple) return {};
  ir::DimStore& dims = facts_.store().dims();
  ir::DimId sum = dims.Const(0);
  for (const ir::ValueId piece : program_.Operands(pieces)) sum = dims.Add(sum, Of(piece));
  return sum;
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::Covered(ir::ValueId subscript) {
  const ir::ValueId base = program_.Operand(subscript, 0);
  const int rank = facts_.RankOf(base);
  if (rank < 1) return Of(base);
  std::vector<bool> dropped(static_cast<std::size_t>(rank));
  for (const Key& key : facts_.SubscriptOf(subscript).keys) {
    if (key.kind == KeyKind::kInteger && key.axis >= 0 && key.axis < rank)
      dropped[static_cast<std::size_t>(key.axis)] = true;
  }
  if (std::ranges::count(dropped, true) == 0) return Of(base);
  ir::DimStore& dims = facts_.store().dims();
  ir::DimId covered = dims.Const(1);
  for (int axis = 0; axis < rank; ++axis) {
    if (!dropped[static_cast<std::size_t>(axis)]) covered = dims.Mul(covered, facts_.ExtentOf(base, axis));
  }
  return covered;
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfSubscript(ir::ValueId op) {
  const ir::ValueId base = facts_.Source(program_.Operand(op, 0));
  if (!base.valid()) return {};
  if (program_.ops[base].kind == ir::OpKind::kCall && GivesPositions(facts_, base)) {
    const Callee& callee = facts_.CalleeOf(base);
    return Half(Of(callee.receiver.valid() ? callee.receiver : program_.Operand(base, 1)));
  }
  if (program_.ops[op].kind != ir::OpKind::kSubscript) return {};
  switch (facts_.SubscriptOf(op).selects) {
    case SubscriptResult::Selects::kMasked: return Half(Covered(op));
    case SubscriptResult::Selects::kGather:
      return facts_.KeysOf(op).size() == 1 ? LargestOf(op, facts_.KeysOf(op)) : ir::DimId::None();
    case SubscriptResult::Selects::kView:
      return facts_.RankOf(op) == facts_.RankOf(base) ? Of(base) : ir::DimId::None();  // at most
    default: return {};
  }
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfCall(ir::ValueId op) {
  const Callee& callee = facts_.CalleeOf(op);
  if (callee.kind == Callee::Kind::kLocal) {
    const auto returns = program_.functions[callee.function].returns;
    return returns.size() == 1 ? Of(program_.Operand(returns.front(), 0)) : ir::DimId::None();
  }
  const ir::ValueId first = callee.receiver.valid() ? callee.receiver : program_.Operand(op, 1);
  if (Selects(callee)) return Half(Of(first));
  if (Joins(callee)) return OfJoined(first);
  if (IsElementwise(callee)) return LargestOf(op, program_.Operands(op).subspan(1));
  const bool longer = IsOneOf(callee.name, {"numpy.append", "numpy.repeat", "numpy.tile", "numpy.ndarray.repeat"});
  if (longer || !facts_.Of(op).unbounded || facts_.RankOf(op) != facts_.RankOf(first)) return {};
  return Of(first);
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfParam(ir::ValueId param) {
  const ir::FunctionId function = program_.FunctionOf(param);
  const std::span<const ir::ValueId> calls = facts_.CallSitesOf(function);
  const auto& params = program_.functions[function].params;
  const auto at = std::ranges::find(params, param, [](const auto& one) { return one.value; });
  if (at == params.end() || calls.size() > kMostCalls) return {};
  std::vector<ir::ValueId> handed_over;
  for (const ir::ValueId call : calls) {
    const Handed handed = HandedOver(facts_, call, function, static_cast<std::size_t>(at - params.begin()));
    if (handed.known) handed_over.push_back(handed.value);
  }
  return LargestOf(param, handed_over);
}

}  // namespace cpnlint::analysis
