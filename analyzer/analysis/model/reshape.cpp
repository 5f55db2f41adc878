// The same elements under another shape, and copies.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

// cuPyNumeric hands out a view only where nothing or just extents of 1 change (facts, views and copies).
std::optional<bool> ReshapeCopies(ValueStore& store, ShapeId from, ShapeId to) {
  if (from == to && from.valid()) return false;
  if (HasUnknownExtent(store, from) || HasUnknownExtent(store, to)) return std::nullopt;
  const auto without_ones = [&](ShapeId shape) {
    DimList dims;
    for (const ir::DimId dim : store.Get(shape)) {
      if (store.dims().AsConst(dim) != 1) dims.Push(dim);
    }
    return dims;
  };
  const DimList left = without_ones(from), right = without_ones(to);
  return !std::ranges::equal(left.span(), right.span());
}

// The one extent written as -1 is what the others leave.
ShapeId FillMinusOne(const Call& call, ShapeId from, std::span<const Value> extents) {
  ir::DimStore& dims = call.dims();
  DimList shape;
  ir::DimId product = dims.Const(1);
  std::optional<std::size_t> open;
  for (const Value& extent : extents) {
    const ir::DimId dim = DimOf(call.store(), extent);
    const auto constant = dims.AsConst(dim);
    if (constant && *constant < 0) {
      open = shape.size();
      shape.Push(ir::DimId::None());
    } else {
      shape.Push(dim);
      product = dims.Mul(product, dim);
    }
  }
  if (open && *open < shape.size()) {
    const ir::DimId volume = VolumeOf(call.store(), from);
    const bool zero = dims.AsConst(product) == 0;
    if (!zero) shape[*open] = dims.FloorDiv(volume, product);
  }
  return shape.Intern(call.store());
}

ShapeId TargetShape(const Call& call, ShapeId from, const Value& target) {
  if ((target.kind == Kind::kTuple || target.kind == Kind::kList) && target.elements.valid()) {
    return FillMinusOne(call, from, call.store().Get(target.elements));
  }
  if (target.kind == Kind::kInt || target.kind == Kind::kNumpyScalar) return FillMinusOne(call, from, {&target, 1});
  return ShapeArgument(call.store(), target);
}

// Fortran order moves the elements.
bool OtherOrder(const Call& call, std::size_t position) {
  const Value* order = call.Given(position, "order");
  return order != nullptr && call.Text(*order) != "C";
}

std::optional<Value> Reshaped(const Call& call, const Operand& operand, ShapeId to, bool other_order) {
  const Value* base = call.Find(0, "a");
  if (other_order) return Fresh(call, CommonDType(std::array{operand}), to, operand.unbounded);
  return Rearranged(call, base, operand, to, ReshapeCopies(call.store(), operand.shape, to));
}

}  // namespace

std::optional<Value> Reshape(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const Value* target = call.Given(1, "shape");
  if (target == nullptr) target = call.Given(1, "newshape");
  const ShapeId to = target == nullptr ? ShapeId::None() : TargetShape(call, operand.shape, *target);
  return Reshaped(call, operand, to, OtherOrder(call, 2));
}

std::optional<Value> ReshapeMethod(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, {}));
  ShapeId to;
  if (!call.args.has_star && call.positional() == 2) {
    to = TargetShape(call, operand.shape, call.Positional(1));
  } else if (!call.args.has_star && call.positional() > 2) {
    to = FillMinusOne(call, operand.shape, call.args.positional.subspan(1));
  } else if (const Value* target = call.Given(99, "shape")) {
    to = TargetShape(call, operand.shape, *target);
  }
  return Reshaped(call, operand, to, OtherOrder(call, 99));
}

std::optional<Value> Ravel(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const ShapeId flat = call.store().Intern(std::array{VolumeOf(call.store(), operand.shape)});
  const bool other_order = OtherOrder(call, 1);
  const int rank = RankOf(call.store(), operand.shape);
  if (call.a == 1 || (other_order && rank != 1)) {
    return Fresh(call, CommonDType(std::array{operand}), flat, operand.unbounded);
  }
  return Rearranged(call, call.Find(0, "a"), operand, flat, rank < 0 ? std::nullopt : std::optional(rank > 1));
}

namespace {

ShapeId Permuted(ValueStore& store, ShapeId from, std::span<const Value> axes) {
  const Shape& shape = store.Get(from);
  const int rank = static_cast<int>(shape.size());
  if (axes.size() != shape.size()) return ShapeId::None();
  DimList dims;
  for (const Value& value : axes) {
    const auto axis = ConstantInt(store, &value);
    const auto normal = axis ? NormalAxis(*axis, rank) : std::nullopt;
    if (axis && !normal) return ShapeId::None();
    dims.Push(normal ? shape[static_cast<std::size_t>(*normal)] : ir::DimId::None());
  }
  return dims.Intern(store);
}

ShapeId Reversed(ValueStore& store, ShapeId from) {
  if (!from.valid()) return from;
  DimList dims(store.Get(from));
  DimList reversed;
  for (std::size_t i = dims.size(); i-- > 0;) reversed.Push(dims[i]);
  return reversed.Intern(store);
}

ShapeId PermutedBy(const Call& call, ShapeId from, const Value& axes) {
  if (!from.valid()) return from;
  const bool sequence = axes.kind == Kind::kTuple || axes.kind == Kind::kList;
  if (sequence && axes.elements.valid()) return Permuted(call.store(), from, call.store().Get(axes.elements));
  return UnknownExtents(call.store(), RankOf(call.store(), from));
}

}  // namespace

std::optional<Value> Transpose(const Call& call) {
  const Value* base = call.Find(0, "a");
  const Operand operand = OperandOf(call.context, base);
  const Value* axes = call.Given(1, "axes");
  ShapeId to;
  if (axes != nullptr) {
    to = PermutedBy(call, operand.shape, *axes);
  } else if (!call.args.has_star) {
    to = Reversed(call.store(), operand.shape);
  }
  return Rearranged(call, base, operand, to);
}

std::optional<Value> TransposeMethod(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, {}));
  const int rank = RankOf(call.store(), operand.shape);
  ShapeId to;
  if (call.args.has_star) {
    to = UnknownExtents(call.store(), rank);
  } else if (call.positional() <= 1 || (call.positional() == 2 && call.Positional(1).kind == Kind::kNone)) {
    const Value* axes = call.Given(99, "axes");
    to = axes != nullptr ? PermutedBy(call, operand.shape, *axes) : Reversed(call.store(), operand.shape);
  } else if (call.positional() == 2 && call.Positional(1).kind != Kind::kInt) {
    to = PermutedBy(call, operand.shape, call.Positional(1));
  } else if (rank >= 0) {
    to = Permuted(call.store(), operand.shape, call.args.positional.subspan(1));
  }
  return Rearranged(call, call.Find(0, {}), operand, to);
}

std::optional<Value> MatrixTranspose(const Call& call) {
  const Value* base = call.Find(0, "x");
  const Operand operand = OperandOf(call.context, base);
  ShapeId to;
  if (RankOf(call.store(), operand.shape) >= 2) {
    DimList dims(call.store().Get(operand.shape));
    std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    to = dims.Intern(call.store());
  }
  return Rearranged(call, base, operand, to);
}

std::optional<Value> SwapAxes(const Call& call) {
  const Value* base = call.Find(0, "a");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  const auto first = AxisOf(call, 1, "axis1", rank, 99), second = AxisOf(call, 2, "axis2", rank, 99);
  ShapeId to = UnknownExtents(call.store(), rank);
  if (first && second) {
    DimList dims(call.store().Get(operand.shape));
    std::swap(dims[static_cast<std::size_t>(*first)], dims[static_cast<std::size_t>(*second)]);
    to = dims.Intern(call.store());
  }
  return Rearranged(call, base, operand, to);
}

std::optional<Value> MoveAxis(const Call& call) {
  const Value* base = call.Find(0, "a");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  const Axes from = AxesOf(call, 1, "source", rank), to = AxesOf(call, 2, "destination", rank);
  ShapeId shape = UnknownExtents(call.store(), rank);
  if (from.kind == Axes::Kind::kKnown && to.kind == Axes::Kind::kKnown && from.count == to.count) {
    const Shape& old = call.store().Get(operand.shape);
    DimList dims;
    std::size_t rest = 0;
    for (int i = 0; i < rank; ++i) {
      int moved = -1;
      for (int k = 0; k < to.count; ++k) {
        if (to.order[static_cast<std::size_t>(k)] == i) moved = from.order[static_cast<std::size_t>(k)];
      }
      if (moved < 0) {
        while (rest < old.size() && (from.mask >> rest & 1) != 0) ++rest;
        if (rest == old.size()) break;
        moved = static_cast<int>(rest++);
      }
      dims.Push(old[static_cast<std::size_t>(moved)]);
    }
    if (dims.rank() == rank) shape = dims.Intern(call.store());
  }
  return Rearranged(call, base, operand, shape);
}

std::optional<Value> RollAxis(const Call& call) {
  const Value* base = call.Find(0, "a");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  const auto axis = AxisOf(call, 1, "axis", rank, 99);
  const Value* start = call.Given(2, "start");
  auto target = start == nullptr ? std::optional<std::int64_t>(0) : ConstantInt(call.store(), start);
  ShapeId shape = UnknownExtents(call.store(), rank);
  if (axis && target) {
    if (*target < 0) *target += rank;
    if (*target > *axis) --*target;
    if (*target >= 0 && *target < rank) {
      DimList dims(call.store().Get(operand.shape));
      const ir::DimId moved = dims[static_cast<std::size_t>(*axis)];
      dims.Erase(static_cast<std::size_t>(*axis));
      dims.Insert(static_cast<std::size_t>(*target), moved);
      shape = dims.Intern(call.store());
    }
  }
  return Rearranged(call, base, operand, shape);
}

std::optional<Value> Squeeze(const Call& call) {
  const Value* base = call.Find(0, "a");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  const Axes axes = AxesOf(call, 1, "axis", rank);
  ShapeId shape;
  if (rank >= 0) {
    DimList dims;
    bool known = true;
    const Shape& old = call.store().Get(operand.shape);
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (axes.kind == Axes::Kind::kKnown) {
        if ((axes.mask >> i & 1) == 0) dims.Push(old[i]);
      } else if (axes.kind == Axes::Kind::kAll) {
        // An extent with a name is taken to be no 1; one without may be.
        known = known && old[i].valid();
        if (call.dims().AsConst(old[i]) != 1) dims.Push(old[i]);
      }
    }
    if (axes.kind == Axes::Kind::kOneUnknown && rank > 0) {
      shape = UnknownExtents(call.store(), rank - 1);
    } else if (known && axes.kind != Axes::Kind::kUnknown && axes.kind != Axes::Kind::kOneUnknown) {
      shape = dims.Intern(call.store());
    }
  }
  return Rearranged(call, base, operand, shape);
}

std::optional<Value> ExpandDims(const Call& call) {
  const Value* base = call.Find(0, "a");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  ShapeId shape;
  if (rank >= 0) {
    const Value* axis = call.Find(1, "axis");
    const bool several = axis != nullptr && (axis->kind == Kind::kTuple || axis->kind == Kind::kList);
    const std::size_t added = several && axis->elements.valid() ? call.store().Get(axis->elements).size() : 1;
    const int new_rank = rank + static_cast<int>(added);
    const Axes axes = AxesOf(call, 1, "axis", new_rank);
    if (axes.kind == Axes::Kind::kKnown) {
      DimList dims;
      std::size_t next = 0;
      const Shape& old = call.store().Get(operand.shape);
      for (int i = 0; i < new_rank && i < 32; ++i) {
        const bool one = (axes.mask >> i & 1) != 0;
        dims.Push(one || next == old.size() ? call.dims().Const(1) : old[next++]);
      }
      shape = dims.Intern(call.store());
    } else if (!several) {
      shape = UnknownExtents(call.store(), rank + 1);
    }
  }
  return Rearranged(call, base, operand, shape);
}

std::optional<Value> AtLeast(const Call& call) {
  const auto one = [&](const Value& value) {
    const Operand operand = OperandOf(call.context, value);
    const int rank = RankOf(call.store(), operand.shape);
    ShapeId shape = operand.shape;
    if (rank >= 0 && rank < call.a) {
      const ir::DimId unit = call.dims().Const(1);
      DimList dims(call.store().Get(shape));
      if (rank == 0) dims.Push(unit);
      if (call.a >= 2 && rank <= 1) dims.Insert(0, unit);
      if (call.a == 3) dims.Push(unit);
      shape = dims.Intern(call.store());
    }
    return Rearranged(call, &value, operand, shape);
  };
  if (call.args.has_star) return Unknown();
  if (call.positional() == 1) return one(call.Positional(0));
  std::vector<Value> parts;
  for (const Value& value : call.args.positional) {
    parts.push_back(one(value));
    if (value.kind != Kind::kArray) parts.back().root = parts.back().device_root = ir::ValueId::None();
  }
  return TupleOf(call, std::move(parts));
}

std::optional<Value> BroadcastTo(const Call& call) {
  const Value* base = call.Find(0, "array");
  const Value* shape = call.Given(1, "shape");
  const ShapeId to = shape == nullptr ? ShapeId::None() : ShapeArgument(call.store(), *shape);
  return Rearranged(call, base, OperandOf(call.context, base), to);
}

std::optional<Value> BroadcastArrays(const Call& call) {
  if (call.args.has_star) {
    return ContainerOf(call.store(), Kind::kTuple, Part(call, ir::DType::kUnknown, ShapeId::None()));
  }
  std::vector<Operand> operands;
  for (const Value& value : call.args.positional) operands.push_back(OperandOf(call.context, value));
  const ShapeId shape = CommonShape(call.store(), operands);
  std::vector<Value> parts;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Value& base = call.Positional(i);
    parts.push_back(base.kind == Kind::kArray ? View(call, base, shape)
                                              : Part(call, CommonDType(std::array{operands[i]}), shape));
  }
  return TupleOf(call, std::move(parts));
}

std::optional<Value> BroadcastShapes(const Call& call) {
  ShapeId shape = call.store().Intern(std::span<const ir::DimId>());
  if (call.args.has_star) shape = ShapeId::None();
  for (const Value& value : call.args.positional) {
    shape = Broadcast(call.store(), shape, ShapeArgument(call.store(), value));
  }
  if (!shape.valid()) return ContainerOf(call.store(), Kind::kTuple, Of(Kind::kInt));
  std::vector<Value> extents;
  for (const ir::DimId extent : call.store().Get(shape)) extents.push_back(IntDim(extent));
  return TupleOf(call, std::move(extents));
}

std::optional<Value> Flip(const Call& call) {
  const Value* base = call.Find(0, "m");
  const Operand operand = OperandOf(call.context, base);
  return Rearranged(call, base, operand, operand.shape, true);
}

std::optional<Value> Rot90(const Call& call) {
  const Value* base = call.Find(0, "m");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  const Value* k = call.Given(1, "k");
  const auto turns = k == nullptr ? std::optional<std::int64_t>(1) : ConstantInt(call.store(), k);
  ShapeId shape = operand.shape;
  if (rank >= 2 && turns != 0) {
    DimList dims(call.store().Get(shape));
    if (!call.Has(2, "axes") && turns) {
      if (*turns % 2 != 0) std::swap(dims[0], dims[1]);
    } else {
      for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = ir::DimId::None();
    }
    shape = dims.Intern(call.store());
  }
  return Rearranged(call, base, operand, shape, true);
}

std::optional<Value> Diagonal(const Call& call) {
  const Value* base = call.Find(0, "a");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  const bool last = call.b == 1;  // numpy.linalg.diagonal works on the last two axes
  const auto first = AxisOf(call, last ? 98 : 2, "axis1", rank, last ? -2 : 0);
  const auto second = AxisOf(call, last ? 99 : 3, "axis2", rank, last ? -1 : 1);
  const Value* offset = call.Given(1, "offset");
  const auto k = offset == nullptr ? std::optional<std::int64_t>(0) : ConstantInt(call.store(), offset);
  ShapeId shape = UnknownExtents(call.store(), rank - 1);
  if (rank >= 2 && first && second && *first != *second) {
    DimList dims(call.store().Get(operand.shape));
    const ir::DimId rows = dims[static_cast<std::size_t>(*first)], columns = dims[static_cast<std::size_t>(*second)];
    dims.Erase(static_cast<std::size_t>(std::max(*first, *second)));
    dims.Erase(static_cast<std::size_t>(std::min(*first, *second)));
    dims.Push(k == 0 ? call.dims().Min(rows, columns) : ir::DimId::None());
    shape = dims.Intern(call.store());
  }
  return Rearranged(call, base, operand, shape, true);
}

std::optional<Value> RealImag(const Call& call) {
  const bool imag = call.a == 1;
  const Value* base = call.Find(0, "val");
  const Operand operand = OperandOf(call.context, base);
  const std::array operands = {operand};
  const ir::DType dtype = ir::RealPart(CommonDType(operands));
  if (base == nullptr || base->kind != Kind::kArray) return Elementwise(call, operands, dtype);
  const bool unknown = operand.dtype == ir::DType::kUnknown;
  const bool complex = ir::IsComplex(operand.dtype) || operand.dtype == ir::DType::kComplexLongDouble;
  Value view = View(call, *base, operand.shape, unknown ? std::nullopt : std::optional(complex || imag));
  view.dtype = dtype;
  if (imag && !complex) view.root = unknown ? ir::ValueId::None() : call.context.op;
  return view;
}

std::optional<Value> AsType(const Call& call) {
  const Value* base = call.Find(0, "x");
  const Operand operand = OperandOf(call.context, base);
  const ir::DType dtype = DTypeOr(call, 1, ir::DType::kUnknown);
  Value value = Fresh(call, dtype, operand.shape, operand.unbounded);
  if (base == nullptr || base->kind != Kind::kArray || value.kind != Kind::kArray) return value;
  const bool known = dtype != ir::DType::kUnknown && operand.dtype != ir::DType::kUnknown;
  const bool same = known && dtype == operand.dtype && base->library == call.library;
  if (same) value.device_root = base->device_root;  // cuPyNumeric gives the array itself, copy=True or not
  if (!known) value.device_root = ir::ValueId::None();
  const Value* copy = call.Given(call.method ? 5 : 99, "copy");
  if (copy != nullptr && ConstantBool(copy) != true) {
    if (same) value.root = base->root;
    if (!known) value.root = ir::ValueId::None();
  }
  return value;
}

std::optional<Value> Copy(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  return Fresh(call, CommonDType(std::array{operand}), operand.shape, operand.unbounded);
}

std::optional<Value> ViewMethod(const Call& call) {
  const Value* base = call.Find(0, {});
  if (base == nullptr || base->kind != Kind::kArray) return std::nullopt;
  const Value* target = call.Given(1, "dtype");
  if (target == nullptr) target = call.Given(2, "type");
  if (target == nullptr) return View(call, *base, base->shape);
  const ir::DType dtype = DTypeArgument(call.context.names, *target);
  if (dtype == ir::DType::kUnknown && (target->kind == Kind::kApi || target->kind == Kind::kClass)) {
    return View(call, *base, base->shape);  // a subclass of ndarray
  }
  const auto from = ir::ItemSize(base->dtype), to = ir::ItemSize(dtype);
  ShapeId shape = base->shape;
  if (!from || !to || *from != *to) {
    if (!shape.valid() || !from || !to || call.store().Get(shape).empty()) {
      shape = UnknownExtents(call.store(), RankOf(call.store(), shape));
    } else {
      ir::DimStore& dims = call.dims();
      DimList list(call.store().Get(shape));
      ir::DimId& last = list[list.size() - 1];
      last = *from > *to ? dims.Mul(last, dims.Const(*from / *to)) : dims.FloorDiv(last, dims.Const(*to / *from));
      shape = list.Intern(call.store());
    }
  }
  Value view = View(call, *base, shape);
  view.dtype = dtype;
  // The bytes of records lie on the host, whatever they are seen as.
  if (base->dtype == ir::DType::kStructured && dtype != base->dtype) view.library = Library::kHost;
  return view;
}

std::optional<Value> Conjugate(const Call& call) {
  const Value* base = call.Find(0, {});
  if (base == nullptr || base->kind != Kind::kArray) return std::nullopt;
  if (ir::IsComplex(base->dtype)) return Fresh(call, base->dtype, base->shape, base->unbounded);
  Value value = View(call, *base, base->shape);
  if (base->dtype == ir::DType::kUnknown) value.root = value.device_root = ir::ValueId::None();
  return value;
}

}  // namespace cpnlint::analysis::model
