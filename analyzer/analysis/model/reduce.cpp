// Reductions, scans and differences.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

ir::DType SumDType(ir::DType dtype) {
  if (ir::IsUnsigned(dtype)) return ir::DType::kUInt64;
  return dtype == ir::DType::kBool || ir::IsInteger(dtype) ? ir::DType::kInt64 : dtype;
}

ir::DType MeanDType(ir::DType dtype) {
  return dtype == ir::DType::kBool || ir::IsInteger(dtype) ? ir::DType::kFloat64 : dtype;
}

ShapeId ReducedShape(const Call& call, const Operand& operand, const Axes& axes, std::optional<bool> keep_dims) {
  ValueStore& store = call.store();
  const int rank = RankOf(store, operand.shape);
  if (axes.kind == Axes::Kind::kAll && keep_dims == false) return store.Intern(std::span<const ir::DimId>());
  if (rank < 0) return ShapeId::None();
  if (axes.kind == Axes::Kind::kUnknown || axes.kind == Axes::Kind::kOneUnknown || !keep_dims) {
    if (keep_dims == true) return UnknownExtents(store, rank);
    return axes.kind == Axes::Kind::kOneUnknown && keep_dims ? UnknownExtents(store, rank - 1) : ShapeId::None();
  }
  DimList dims;
  const Shape& shape = store.Get(operand.shape);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool reduced = axes.kind == Axes::Kind::kAll || (axes.mask >> i & 1) != 0;
    if (!reduced) {
      dims.Push(shape[i]);
    } else if (*keep_dims) {
      dims.Push(store.dims().Const(1));
    }
  }
  return dims.Intern(store);
}

namespace {

std::optional<bool> KeepDims(const Call& call, std::size_t position) {
  const Value* keep = call.Given(position, "keepdims");
  if (keep != nullptr) return ConstantBool(keep);
  return call.args.has_star ? std::nullopt : std::optional(false);
}

// Positions of dtype, out and keepdims; 99 where the function has no such position.
struct Layout {
  std::size_t dtype, out, keep;
};

Layout LayoutOf(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::kSum:
    case ReduceKind::kMean: return {2, 3, 4};
    case ReduceKind::kSpread: return {2, 3, 5};
    case ReduceKind::kMedian: return {99, 2, 4};
    case ReduceKind::kCount: return {99, 99, 2};
    default: return {99, 2, 3};
  }
}

ir::DType ReducedDType(ReduceKind kind, ir::DType dtype) {
  switch (kind) {
    case ReduceKind::kSum: return SumDType(dtype);
    case ReduceKind::kMean:
    case ReduceKind::kMedian: return MeanDType(dtype);
    case ReduceKind::kSpread: return ir::RealPart(MeanDType(dtype));
    case ReduceKind::kTruth: return ir::DType::kBool;
    case ReduceKind::kIndex:
    case ReduceKind::kCount: return ir::DType::kInt64;
    case ReduceKind::kExtremum:
    case ReduceKind::kRange: return dtype;
  }
  return ir::DType::kUnknown;
}

}  // namespace

std::optional<Value> Reduce(const Call& call) {
  const auto kind = static_cast<ReduceKind>(call.a);
  const Layout layout = LayoutOf(kind);
  if (auto out = OutArgument(call, layout.out)) return out;
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  // `max(m, n)` under `from numpy import *`: a number has no axis, so this is Python's own, which NumPy before 2.0 left
  // alone.
  const Value* second = kind == ReduceKind::kExtremum ? call.Find(1, "axis") : nullptr;
  if (operand.kind == Operand::Kind::kWeak && second != nullptr && IsNumber(second->kind)) {
    const bool whole = call.Find(0, "a")->kind == Kind::kInt && second->kind == Kind::kInt;
    return Of(whole ? Kind::kInt : Kind::kFloat);
  }
  ir::DType dtype = ReducedDType(kind, CommonDType(std::array{operand}));
  if (layout.dtype != 99) dtype = DTypeOr(call, layout.dtype, dtype);
  const Axes axes = AxesOf(call, 1, "axis", RankOf(call.store(), operand.shape));
  return Fresh(call, dtype, ReducedShape(call, operand, axes, KeepDims(call, layout.keep)), operand.unbounded);
}

std::optional<Value> Quantile(const Call& call) {
  if (auto out = OutArgument(call, 3)) return out;
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const Operand q = OperandOf(call.context, call.Find(1, "q"));
  ir::DType dtype = MeanDType(CommonDType(std::array{operand}));
  if (q.kind != Operand::Kind::kWeak) {
    const bool narrow = q.dtype == ir::DType::kFloat16 || q.dtype == ir::DType::kFloat32;
    dtype = narrow ? ir::DType::kUnknown : ir::Promote(dtype, MeanDType(q.dtype));
  }
  const Axes axes = AxesOf(call, 2, "axis", RankOf(call.store(), operand.shape));
  const ShapeId reduced = ReducedShape(call, operand, axes, KeepDims(call, 6));
  ShapeId shape;
  if (reduced.valid() && q.shape.valid()) {
    DimList dims(call.store().Get(q.shape));
    dims.Append(call.store().Get(reduced));
    shape = dims.Intern(call.store());
  }
  return Fresh(call, dtype, shape);
}

std::optional<Value> Average(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const Value* weights = call.Given(2, "weights");
  ir::DType dtype = CommonDType(std::array{operand});
  const bool whole = dtype == ir::DType::kBool || ir::IsInteger(dtype);
  if (weights != nullptr) dtype = ir::Promote(dtype, OperandOf(call.context, *weights).dtype);
  if (whole) dtype = ir::Promote(dtype, ir::DType::kFloat64);
  const Axes axes = AxesOf(call, 1, "axis", RankOf(call.store(), operand.shape));
  const ShapeId shape = ReducedShape(call, operand, axes, KeepDims(call, 99));
  const Value* returned = call.Given(3, "returned");
  const auto with_sum = returned == nullptr ? std::optional(false) : ConstantBool(returned);
  if (!with_sum) return Unknown();
  if (*with_sum) return TupleOf(call, {Part(call, dtype, shape), Part(call, dtype, shape)});
  return Fresh(call, dtype, shape);
}

std::optional<Value> Scan(const Call& call) {
  if (auto out = OutArgument(call, 3)) return out;
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const ir::DType dtype = DTypeOr(call, 2, SumDType(CommonDType(std::array{operand})));
  if (call.a == 1) {
    const bool longer = call.Has(99, "include_initial");
    const int rank = RankOf(call.store(), operand.shape);
    return Fresh(call, dtype, longer ? UnknownExtents(call.store(), rank) : operand.shape, operand.unbounded);
  }
  const Axes axes = AxesOf(call, 1, "axis", RankOf(call.store(), operand.shape));
  if (axes.kind == Axes::Kind::kUnknown) return Fresh(call, dtype, ShapeId::None());
  if (axes.kind != Axes::Kind::kAll) return Fresh(call, dtype, operand.shape, operand.unbounded);
  const ShapeId flat = call.store().Intern(std::array{VolumeOf(call.store(), operand.shape)});
  return Fresh(call, dtype, flat, operand.unbounded);
}

std::optional<Value> Trace(const Call& call) {
  const bool last = call.b == 1;  // numpy.linalg.trace
  if (auto out = OutArgument(call, last ? 99 : 5)) return out;
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const int rank = RankOf(call.store(), operand.shape);
  const ir::DType dtype = DTypeOr(call, last ? 99 : 4, SumDType(CommonDType(std::array{operand})));
  const auto first = AxisOf(call, last ? 98 : 2, "axis1", rank, last ? -2 : 0);
  const auto second = AxisOf(call, last ? 99 : 3, "axis2", rank, last ? -1 : 1);
  if (rank < 2) return Fresh(call, dtype, ShapeId::None());
  Axes axes;
  axes.kind = Axes::Kind::kKnown;
  if (!first || !second) return FreshWithRank(call, dtype, rank - 2);
  axes.mask = std::uint64_t{1} << *first | std::uint64_t{1} << *second;
  return Fresh(call, dtype, ReducedShape(call, operand, axes, false));
}

std::optional<Value> Diff(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const ir::DType dtype = CommonDType(std::array{operand});
  const int rank = RankOf(call.store(), operand.shape);
  const Value* times = call.Given(1, "n");
  const ir::DimId n = times == nullptr ? call.dims().Const(1) : DimOf(call.store(), *times);
  const auto axis = AxisOf(call, 2, "axis", rank, -1);
  if (!axis || call.Has(3, "prepend") || call.Has(4, "append")) return FreshWithRank(call, dtype, rank);
  DimList dims(call.store().Get(operand.shape));
  ir::DimId& extent = dims[static_cast<std::size_t>(*axis)];
  extent = call.dims().Sub(extent, n);
  if (const auto constant = call.dims().AsConst(extent); constant && *constant < 0) extent = call.dims().Const(0);
  return Fresh(call, dtype, dims.Intern(call.store()), operand.unbounded);
}

std::optional<Value> EdiffOneD(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "ary"));
  const bool longer = call.Has(1, "to_end") || call.Has(2, "to_begin");
  const ir::DimId length =
      longer ? ir::DimId::None() : call.dims().Sub(VolumeOf(call.store(), operand.shape), call.dims().Const(1));
  return Fresh(call, CommonDType(std::array{operand}), call.store().Intern(std::array{length}), operand.unbounded);
}

std::optional<Value> Gradient(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "f"));
  const ir::DType dtype = MeanDType(CommonDType(std::array{operand}));
  const int rank = RankOf(call.store(), operand.shape);
  const Axes axes = AxesOf(call, 99, "axis", rank);
  const Value* axis = call.Given(99, "axis");
  const bool one = axis != nullptr && axis->kind != Kind::kTuple && axis->kind != Kind::kList;
  if (axis != nullptr && !one && axes.kind != Axes::Kind::kKnown) return Unknown();
  if (one || rank == 1) return Fresh(call, dtype, operand.shape, operand.unbounded);
  if (rank < 0) return Unknown();
  const int count = axes.kind == Axes::Kind::kKnown ? axes.count : rank;
  if (count == 1) return Fresh(call, dtype, operand.shape, operand.unbounded);
  const Value part = Part(call, dtype, operand.shape, operand.unbounded);
  return TupleOf(call, std::vector<Value>(static_cast<std::size_t>(count), part));
}

std::optional<Value> Trapezoid(const Call& call) {
  const Operand y = OperandOf(call.context, call.Find(0, "y"));
  const Value* x = call.Given(1, "x");
  ir::DType dtype = MeanDType(CommonDType(std::array{y}));
  if (x != nullptr) dtype = CommonDType(std::array{y, OperandOf(call.context, *x)});
  dtype = MeanDType(dtype);
  const int rank = RankOf(call.store(), y.shape);
  const auto axis = AxisOf(call, 3, "axis", rank, -1);
  if (!axis) return FreshWithRank(call, dtype, rank - 1);
  Axes axes;
  axes.kind = Axes::Kind::kKnown;
  axes.mask = std::uint64_t{1} << *axis;
  return Fresh(call, dtype, ReducedShape(call, y, axes, false));
}

std::optional<Value> Covariance(const Call& call) {
  const Operand m = OperandOf(call.context, call.Find(0, call.name == "cov" ? "m" : "x"));
  const ir::DType dtype = ir::Promote(CommonDType(std::array{m}), ir::DType::kFloat64);
  const Value* rowvar = call.Given(2, "rowvar");
  const auto rows = rowvar == nullptr ? std::optional(true) : ConstantBool(rowvar);
  const int rank = RankOf(call.store(), m.shape);
  if (call.Has(1, "y"))
    return rank == 1 ? Fresh(call, dtype, call.store().Intern(std::array{call.dims().Const(2), call.dims().Const(2)}))
                     : FreshWithRank(call, dtype, 2);
  if (rank == 1) return Fresh(call, dtype, call.store().Intern(std::span<const ir::DimId>()));
  if (rank != 2 || !rows) return rank == 2 ? FreshWithRank(call, dtype, 2) : Fresh(call, dtype, ShapeId::None());
  const ir::DimId side = call.store().Get(m.shape)[*rows ? 0 : 1];
  return Fresh(call, dtype, call.store().Intern(std::array{side, side}));
}

// A Python bool in NumPy, a 0-d array on the device.
std::optional<Value> TruthOfAll(const Call& call) {
  if (call.library == Library::kHost) return Of(Kind::kBool);
  return Fresh(call, ir::DType::kBool, call.store().Intern(std::span<const ir::DimId>()));
}

std::optional<Value> Norm(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "x"));
  const ir::DType dtype = ir::RealPart(MeanDType(CommonDType(std::array{operand})));
  const int rank = RankOf(call.store(), operand.shape);
  if (call.a == 2) {
    Axes axes;
    axes.kind = rank >= 2 && rank < 32 ? Axes::Kind::kKnown : Axes::Kind::kUnknown;
    if (rank >= 2 && rank < 32) axes.mask = std::uint64_t{3} << (rank - 2);
    return Fresh(call, dtype, ReducedShape(call, operand, axes, KeepDims(call, 99)));
  }
  const Axes axes = AxesOf(call, call.a == 1 ? 99 : 2, "axis", rank);
  return Fresh(call, dtype, ReducedShape(call, operand, axes, KeepDims(call, call.a == 1 ? 99 : 3)), operand.unbounded);
}

}  // namespace cpnlint::analysis::model
