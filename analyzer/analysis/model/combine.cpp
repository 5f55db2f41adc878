// Joining, splitting, repeating and padding arrays.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

// What is joined: known pieces, or `count` pieces of one form.
struct Pieces {
  bool known = false;
  std::vector<Operand> pieces;
  Operand each;  // where not `known`
  ir::DimId count;
};

// Python numbers become arrays of their default dtype before they are joined.
void Harden(Operand& operand) {
  if (operand.kind != Operand::Kind::kWeak) return;
  operand.kind = Operand::Kind::kScalar;
  operand.dtype = operand.weak ? DefaultDType(*operand.weak) : ir::DType::kUnknown;
}

Pieces PiecesOf(const Call& call, const Value* sequence) {
  Pieces result;
  if (sequence == nullptr) return result;
  if (auto pieces = ElementsOf(call, sequence)) {
    result.known = true;
    result.pieces = std::move(*pieces);
    result.count = call.dims().Const(static_cast<std::int64_t>(result.pieces.size()));
    std::ranges::for_each(result.pieces, Harden);
    return result;
  }
  if (sequence->kind == Kind::kArray) {
    // An array is a sequence of its rows.
    result.each = OperandOf(call.context, *sequence);
    if (RankOf(call.store(), sequence->shape) < 1) {
      result.each.shape = ShapeId::None();
      return result;
    }
    const Shape& shape = call.store().Get(sequence->shape);
    result.count = shape[0];
    result.each.shape = call.store().Intern(std::span<const ir::DimId>(shape).subspan(1));
    return result;
  }
  if (sequence->item.valid()) {
    result.each = OperandOf(call.context, call.store().Get(sequence->item).front());
    Harden(result.each);
    result.count = sequence->dim;
  }
  return result;
}

ir::DType DTypeOfPieces(const Pieces& pieces) {
  return pieces.known ? CommonDType(pieces.pieces) : CommonDType(std::array{pieces.each});
}

// Applies `change` to the shape of every piece of known rank.
template <class Change>
void ChangeShapes(const Call& call, Pieces& pieces, const Change& change) {
  const auto apply = [&](Operand& operand) {
    if (!operand.shape.valid()) return;
    DimList dims(call.store().Get(operand.shape));
    change(dims);
    operand.shape = dims.Intern(call.store());
  };
  apply(pieces.each);
  for (Operand& operand : pieces.pieces) apply(operand);
}

// Of two names for one extent: a number says most.
ir::DimId Agreed(ir::DimStore& dims, ir::DimId a, ir::DimId b) {
  if (!a.valid() || dims.AsConst(b)) return b.valid() ? b : a;
  return a;
}

// The pieces joined along an axis (negative: from the end).
ShapeId JoinAlong(const Call& call, const Pieces& pieces, std::int64_t axis) {
  ValueStore& store = call.store();
  ir::DimStore& dims = call.dims();
  if (!pieces.known) {
    const int rank = RankOf(store, pieces.each.shape);
    const auto normal = NormalAxis(axis, rank);
    if (rank < 0 || !normal) return ShapeId::None();
    DimList result(store.Get(pieces.each.shape));
    ir::DimId& along = result[static_cast<std::size_t>(*normal)];
    along = dims.Mul(along, pieces.count);
    return result.Intern(store);
  }
  std::optional<DimList> result;
  std::size_t at = 0;
  bool all_known = true;
  for (const Operand& piece : pieces.pieces) {
    const int rank = RankOf(store, piece.shape);
    if (rank < 0) {
      all_known = false;
      continue;
    }
    const Shape& shape = store.Get(piece.shape);
    if (!result) {
      const auto normal = NormalAxis(axis, rank);
      if (!normal) return ShapeId::None();
      at = static_cast<std::size_t>(*normal);
      result = DimList(shape);
      continue;
    }
    if (result->size() != shape.size()) return ShapeId::None();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      (*result)[i] = i == at ? dims.Add((*result)[i], shape[i]) : Agreed(dims, (*result)[i], shape[i]);
    }
  }
  if (!result) return ShapeId::None();
  if (!all_known) (*result)[at] = ir::DimId::None();
  return result->Intern(store);
}

bool UnboundedPieces(const Pieces& pieces) { return pieces.each.unbounded || AnyUnbounded(pieces.pieces); }

void EnsureRank(ir::DimStore& dims, DimList& shape, std::size_t rank) {
  while (shape.size() < rank) shape.Insert(0, dims.Const(1));
}

}  // namespace

std::optional<Value> Concatenate(const Call& call) {
  if (auto out = OutArgument(call, 2)) return out;
  Pieces pieces = PiecesOf(call, call.Find(0, "arrays"));
  const ir::DType dtype = DTypeOr(call, 99, DTypeOfPieces(pieces));
  const Value* axis = call.Find(1, "axis");
  if (axis == nullptr && call.args.has_star) return Fresh(call, dtype, ShapeId::None());
  std::optional<std::int64_t> along = 0;
  if (axis != nullptr && axis->kind == Kind::kNone) {
    ChangeShapes(call, pieces, [&](DimList& dims) {
      ir::DimId volume = call.dims().Const(1);
      for (const ir::DimId dim : dims.span()) volume = call.dims().Mul(volume, dim);
      dims = DimList();
      dims.Push(volume);
    });
  } else if (axis != nullptr) {
    along = ConstantInt(call.store(), axis);
  }
  const ShapeId shape = along ? JoinAlong(call, pieces, *along)
                              : UnknownExtents(call.store(), RankOf(call.store(), JoinAlong(call, pieces, 0)));
  return Fresh(call, dtype, shape, UnboundedPieces(pieces));
}

std::optional<Value> Stack(const Call& call) {
  if (auto out = OutArgument(call, 2)) return out;
  const Pieces pieces = PiecesOf(call, call.Find(0, "arrays"));
  const ir::DType dtype = DTypeOr(call, 99, DTypeOfPieces(pieces));
  ShapeId each = pieces.each.shape;
  for (const Operand& piece : pieces.pieces) {
    if (!piece.shape.valid()) continue;
    if (!each.valid() || HasUnknownExtent(call.store(), each)) each = piece.shape;
  }
  if (!each.valid()) return Fresh(call, dtype, each);
  const int rank = RankOf(call.store(), each) + 1;
  const auto axis = AxisOf(call, 1, "axis", rank, 0);
  if (!axis) return FreshWithRank(call, dtype, rank);
  DimList dims(call.store().Get(each));
  dims.Insert(static_cast<std::size_t>(*axis), pieces.count);
  return Fresh(call, dtype, dims.Intern(call.store()), UnboundedPieces(pieces));
}

std::optional<Value> StackRows(const Call& call) {
  Pieces pieces = PiecesOf(call, call.Find(0, "tup"));
  ir::DimStore& dims = call.dims();
  const auto kind = static_cast<StackKind>(call.a);
  std::int64_t axis = 0;
  ChangeShapes(call, pieces, [&](DimList& shape) {
    switch (kind) {
      case StackKind::kRows: EnsureRank(dims, shape, 2); break;
      case StackKind::kColumns:
        EnsureRank(dims, shape, 1);
        axis = shape.size() == 1 ? 0 : 1;
        break;
      case StackKind::kDepth:
        EnsureRank(dims, shape, 2);
        if (shape.size() == 2) shape.Push(dims.Const(1));
        axis = 2;
        break;
      case StackKind::kColumnStack:
        EnsureRank(dims, shape, 1);
        if (shape.size() == 1) shape.Push(dims.Const(1));
        axis = 1;
        break;
    }
  });
  const ir::DType dtype = DTypeOr(call, 99, DTypeOfPieces(pieces));
  return Fresh(call, dtype, JoinAlong(call, pieces, axis), UnboundedPieces(pieces));
}

std::optional<Value> Block(const Call& call) {
  const Value* arrays = call.Find(0, "arrays");
  if (arrays == nullptr || arrays->kind != Kind::kList || !arrays->elements.valid()) {
    return Fresh(call, ir::DType::kUnknown, ShapeId::None());
  }
  Pieces outer;
  outer.known = true;
  const std::vector<Value>& rows = call.store().Get(arrays->elements);
  const bool nested = std::ranges::any_of(rows, [](const Value& row) { return row.kind == Kind::kList; });
  const auto join_row = [&](const Value& row, std::size_t least) {
    Pieces pieces = PiecesOf(call, &row);
    ChangeShapes(call, pieces, [&](DimList& shape) { EnsureRank(call.dims(), shape, least); });
    Operand joined;
    joined.kind = Operand::Kind::kArray;
    joined.shape = JoinAlong(call, pieces, -1);
    joined.dtype = DTypeOfPieces(pieces);
    joined.unbounded = UnboundedPieces(pieces);
    return joined;
  };
  if (!nested) {
    const Operand joined = join_row(*arrays, 1);
    return Fresh(call, joined.dtype, joined.shape, joined.unbounded);
  }
  for (const Value& row : rows) {
    if (row.kind != Kind::kList) return Fresh(call, ir::DType::kUnknown, ShapeId::None());
    if (row.elements.valid()) {
      for (const Value& piece : call.store().Get(row.elements)) {
        if (piece.kind == Kind::kList) return Fresh(call, ir::DType::kUnknown, ShapeId::None());
      }
    }
    outer.pieces.push_back(join_row(row, 2));
  }
  return Fresh(call, DTypeOfPieces(outer), JoinAlong(call, outer, -2), UnboundedPieces(outer));
}

std::optional<Value> Append(const Call& call) {
  Pieces pieces;
  pieces.known = true;
  pieces.pieces = {OperandOf(call.context, call.Find(0, "arr")), OperandOf(call.context, call.Find(1, "values"))};
  std::ranges::for_each(pieces.pieces, Harden);
  const ir::DType dtype = CommonDType(pieces.pieces);
  const bool unbounded = UnboundedPieces(pieces);
  const Value* axis = call.Given(2, "axis");
  if (axis == nullptr) {
    const ir::DimId length =
        call.dims().Add(VolumeOf(call.store(), pieces.pieces[0].shape), VolumeOf(call.store(), pieces.pieces[1].shape));
    return Fresh(call, dtype, call.store().Intern(std::array{length}), unbounded);
  }
  const auto along = ConstantInt(call.store(), axis);
  const int rank = RankOf(call.store(), pieces.pieces[0].shape);
  return Fresh(call, dtype, along ? JoinAlong(call, pieces, *along) : UnknownExtents(call.store(), rank), unbounded);
}

namespace {

// insert and delete: the array with the extent along `axis` (position of that argument) changed by `change`.
Value WithChangedExtent(const Call& call, const Operand& operand, std::size_t axis_position, ir::DimId change,
                        bool unbounded) {
  const ir::DType dtype = CommonDType(std::array{operand});
  const int rank = RankOf(call.store(), operand.shape);
  if (!call.Has(axis_position, "axis")) {
    const ir::DimId length = call.dims().Add(VolumeOf(call.store(), operand.shape), change);
    return Fresh(call, dtype, call.store().Intern(std::array{length}), unbounded);
  }
  const auto axis = AxisOf(call, axis_position, "axis", rank, 0);
  if (!axis) return FreshWithRank(call, dtype, rank, unbounded);
  DimList dims(call.store().Get(operand.shape));
  ir::DimId& extent = dims[static_cast<std::size_t>(*axis)];
  extent = call.dims().Add(extent, change);
  return Fresh(call, dtype, dims.Intern(call.store()), unbounded);
}

}  // namespace

std::optional<Value> Insert(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "arr"));
  const Value* where = call.Find(1, "obj");
  const Operand values = OperandOf(call.context, call.Find(2, "values"));
  ir::DimId added;
  if (where != nullptr && (where->kind == Kind::kInt || where->kind == Kind::kNumpyScalar)) {
    const bool flat = !call.Has(3, "axis");
    if (flat || RankOf(call.store(), values.shape) == 0) added = VolumeOf(call.store(), values.shape);
  } else if (where != nullptr) {
    added = VolumeOf(call.store(), OperandOf(call.context, *where).shape);
  }
  return WithChangedExtent(call, operand, 3, added, operand.unbounded);
}

std::optional<Value> Delete(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "arr"));
  const Value* what = call.Find(1, "obj");
  ir::DimId change;
  if (what != nullptr && (what->kind == Kind::kInt || what->kind == Kind::kNumpyScalar)) {
    change = call.dims().Const(-1);
  } else if (what != nullptr && what->kind == Kind::kList && what->elements.valid() &&
             OperandOf(call.context, *what).dtype == ir::DType::kInt64) {
    change = call.dims().Const(-static_cast<std::int64_t>(call.store().Get(what->elements).size()));
  }
  return WithChangedExtent(call, operand, 2, change, true);
}

namespace {

constexpr std::int64_t kMostParts = 64;

ShapeId WithExtent(const Call& call, ShapeId shape, std::size_t axis, ir::DimId extent) {
  DimList dims(call.store().Get(shape));
  dims[axis] = extent;
  return dims.Intern(call.store());
}

}  // namespace

std::optional<Value> Split(const Call& call) {
  const Value* base = call.Find(0, "ary");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  ir::DimStore& dims = call.dims();
  std::optional<int> axis;
  if (call.a == 0) {
    axis = AxisOf(call, 2, "axis", rank, 0);
  } else if (rank >= 1) {
    axis = NormalAxis(call.a == 2 && rank == 1 ? 0 : call.a - 1, rank);
  }
  const auto part = [&](ir::DimId extent) {
    const ShapeId shape = axis ? WithExtent(call, operand.shape, static_cast<std::size_t>(*axis), extent)
                               : UnknownExtents(call.store(), rank);
    if (base != nullptr && base->kind == Kind::kArray) return View(call, *base, shape);
    return Part(call, CommonDType(std::array{operand}), shape);
  };
  const ir::DimId whole = axis ? call.store().Get(operand.shape)[static_cast<std::size_t>(*axis)] : ir::DimId::None();
  const Value* sections = call.Find(1, "indices_or_sections");
  std::vector<Value> parts;
  if (const auto count = ConstantInt(call.store(), sections); count && *count > 0 && *count <= kMostParts) {
    const ir::DimId n = dims.Const(*count);
    const auto constant = dims.AsConst(whole);
    for (std::int64_t i = 0; i < *count; ++i) {
      ir::DimId extent = dims.FloorDiv(whole, n);
      if (call.name == "array_split") {
        // The first parts are one longer where it does not divide.
        if (constant) extent = dims.Const(*constant / *count + (i < *constant % *count ? 1 : 0));
        if (!constant && dims.AsConst(dims.Mod(whole, n)) != 0) extent = ir::DimId::None();
      }
      parts.push_back(part(extent));
    }
    return ListOf(call, std::move(parts));
  }
  const bool sequence = sections != nullptr && (sections->kind == Kind::kList || sections->kind == Kind::kTuple);
  if (sequence && sections->elements.valid()) {
    ir::DimId begin = dims.Const(0);
    for (const Value& element : call.store().Get(sections->elements)) {
      const ir::DimId end = DimOf(call.store(), element);
      const auto constant = dims.AsConst(end);
      const auto last = dims.AsConst(whole);
      const bool inside = !constant || (*constant >= 0 && (!last || *constant <= *last));
      const ir::DimId extent = inside ? dims.Sub(end, begin) : ir::DimId::None();
      const auto negative = dims.AsConst(extent);
      parts.push_back(part(negative && *negative < 0 ? ir::DimId::None() : extent));
      begin = inside ? end : ir::DimId::None();
    }
    parts.push_back(part(dims.Sub(whole, begin)));
    return ListOf(call, std::move(parts));
  }
  Value list = ContainerOf(call.store(), Kind::kList, part(ir::DimId::None()));
  list.root = call.context.op;
  if (sections != nullptr && sections->kind == Kind::kInt) list.dim = sections->dim;
  return list;
}

std::optional<Value> Unstack(const Call& call) {
  const Value* base = call.Find(0, "x");
  const Operand operand = OperandOf(call.context, base);
  const int rank = RankOf(call.store(), operand.shape);
  const auto axis = AxisOf(call, 1, "axis", rank, 0);
  ShapeId shape = UnknownExtents(call.store(), rank - 1);
  ir::DimId count;
  if (axis) {
    DimList dims(call.store().Get(operand.shape));
    count = dims[static_cast<std::size_t>(*axis)];
    dims.Erase(static_cast<std::size_t>(*axis));
    shape = dims.Intern(call.store());
  }
  const Value part = base != nullptr && base->kind == Kind::kArray
                         ? View(call, *base, shape)
                         : Part(call, CommonDType(std::array{operand}), shape);
  const auto constant = call.dims().AsConst(count);
  if (constant && *constant >= 0 && *constant <= kMostParts) {
    return TupleOf(call, std::vector<Value>(static_cast<std::size_t>(*constant), part));
  }
  Value tuple = ContainerOf(call.store(), Kind::kTuple, part);
  tuple.dim = count;
  return tuple;
}

std::optional<Value> Tile(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "A"));
  const Value* reps = call.Find(1, "reps");
  const ShapeId factors = reps == nullptr ? ShapeId::None() : ShapeArgument(call.store(), *reps);
  ShapeId shape;
  if (factors.valid() && operand.shape.valid()) {
    DimList dims(call.store().Get(operand.shape)), times(call.store().Get(factors));
    const std::size_t rank = std::max(dims.size(), times.size());
    EnsureRank(call.dims(), dims, rank);
    EnsureRank(call.dims(), times, rank);
    for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = call.dims().Mul(dims[i], times[i]);
    shape = dims.Intern(call.store());
  }
  return Fresh(call, CommonDType(std::array{operand}), shape, operand.unbounded);
}

std::optional<Value> Repeat(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const Value* repeats = call.Find(1, "repeats");
  const bool number = repeats != nullptr && (repeats->kind == Kind::kInt || repeats->kind == Kind::kNumpyScalar ||
                                             repeats->kind == Kind::kUnknown);
  const bool counts = repeats != nullptr && Rank(call.store(), *repeats) >= 1;  // one count per element
  const ir::DimId times = number ? DimOf(call.store(), *repeats) : ir::DimId::None();
  const ir::DType dtype = CommonDType(std::array{operand});
  const int rank = RankOf(call.store(), operand.shape);
  const bool unbounded = operand.unbounded || counts;
  if (!call.Has(2, "axis")) {
    const ir::DimId length = call.dims().Mul(VolumeOf(call.store(), operand.shape), times);
    return Fresh(call, dtype, call.store().Intern(std::array{length}), unbounded);
  }
  const auto axis = AxisOf(call, 2, "axis", rank, 0);
  if (!axis) return FreshWithRank(call, dtype, rank, unbounded);
  DimList dims(call.store().Get(operand.shape));
  ir::DimId& extent = dims[static_cast<std::size_t>(*axis)];
  extent = call.dims().Mul(extent, times);
  return Fresh(call, dtype, dims.Intern(call.store()), unbounded);
}

namespace {

// before + after of one axis: k, (k,), (before, after).
ir::DimId PaddingOf(const Call& call, const Value& width) {
  ir::DimStore& dims = call.dims();
  if (width.kind == Kind::kInt) return dims.Mul(dims.Const(2), width.dim);
  if ((width.kind != Kind::kTuple && width.kind != Kind::kList) || !width.elements.valid()) return ir::DimId::None();
  const std::vector<Value>& sides = call.store().Get(width.elements);
  if (sides.size() == 1) return dims.Mul(dims.Const(2), DimOf(call.store(), sides[0]));
  if (sides.size() != 2) return ir::DimId::None();
  return dims.Add(DimOf(call.store(), sides[0]), DimOf(call.store(), sides[1]));
}

}  // namespace

std::optional<Value> Pad(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "array"));
  const Value* width = call.Find(1, "pad_width");
  const ir::DType dtype = CommonDType(std::array{operand});
  if (!operand.shape.valid()) return Fresh(call, dtype, operand.shape, operand.unbounded);
  DimList dims(call.store().Get(operand.shape));
  const bool sequence = width != nullptr && (width->kind == Kind::kTuple || width->kind == Kind::kList);
  if (width == nullptr || (sequence && !width->elements.valid())) {
    return FreshWithRank(call, dtype, dims.rank(), operand.unbounded);
  }
  bool per_axis = false;
  if (sequence) {
    const std::vector<Value>& widths = call.store().Get(width->elements);
    per_axis = !widths.empty() && (widths[0].kind == Kind::kTuple || widths[0].kind == Kind::kList);
    if (per_axis && widths.size() != 1 && widths.size() != dims.size()) {
      return FreshWithRank(call, dtype, dims.rank(), operand.unbounded);
    }
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Value* own = width;
    if (per_axis) {
      const std::vector<Value>& widths = call.store().Get(width->elements);
      own = &widths[widths.size() == 1 ? 0 : i];
    }
    dims[i] = call.dims().Add(dims[i], PaddingOf(call, *own));
  }
  return Fresh(call, dtype, dims.Intern(call.store()), operand.unbounded);
}

std::optional<Value> SameShape(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  ir::DType dtype = CommonDType(std::array{operand});
  switch (static_cast<DTypeOf>(call.a)) {
    case DTypeOf::kSame: break;
    case DTypeOf::kBool: dtype = ir::DType::kBool; break;
    case DTypeOf::kInt64: dtype = ir::DType::kInt64; break;
    case DTypeOf::kFloat: dtype = MeanDType(dtype); break;
  }
  return Fresh(call, dtype, operand.shape, operand.unbounded);
}

std::optional<Value> Resize(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const Value* shape = call.Given(1, "new_shape");
  const ShapeId to = shape == nullptr ? ShapeId::None() : ShapeArgument(call.store(), *shape);
  return Fresh(call, CommonDType(std::array{operand}), to);
}

}  // namespace cpnlint::analysis::model
