// What a subscript selects, and the shape it gives.

#include <algorithm>
#include <limits>

#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis {

namespace model {

namespace {

// Constant bounds up to this size are taken to lie inside an extent that is not known.
constexpr std::int64_t kSmallBound = 32;
constexpr std::int64_t kLargestBound = std::int64_t{1} << 60;

struct SliceArguments {
  const Value* lower = nullptr;
  const Value* upper = nullptr;
  const Value* step = nullptr;
};

SliceArguments ArgumentsOf(const ValueStore& store, const Value& slice) {
  SliceArguments result;
  if (!slice.elements.valid()) return result;
  const std::vector<Value>& parts = store.Get(slice.elements);
  const auto given = [&](std::size_t i) {
    return i < parts.size() && parts[i].kind != Kind::kNone ? &parts[i] : nullptr;
  };
  return {given(0), given(1), given(2)};
}

Key SliceKey(ValueStore& store, const Value& slice) {
  Key key;
  key.kind = KeyKind::kSlice;
  if (!slice.elements.valid()) {  // a slice object of unknown bounds
    key.lower_given = key.upper_given = key.step_given = true;
    return key;
  }
  const SliceArguments arguments = ArgumentsOf(store, slice);
  key.lower_given = arguments.lower != nullptr;
  key.upper_given = arguments.upper != nullptr;
  key.step_given = arguments.step != nullptr;
  key.lower = DimOf(store, arguments.lower);
  key.upper = DimOf(store, arguments.upper);
  key.step = key.step_given ? ConstantInt(store, arguments.step) : std::optional<std::int64_t>(1);
  key.full = !key.lower_given && !key.upper_given && key.step == 1;
  return key;
}

Key KeyOf(CallContext& context, const Value& value) {
  Key key;
  ValueStore& store = context.store;
  switch (value.kind) {
    case Kind::kInt: key.kind = KeyKind::kInteger; break;
    case Kind::kBool:
      key.kind = KeyKind::kMask;
      key.mask_rank = 0;
      break;
    case Kind::kSlice: return SliceKey(store, value);
    case Kind::kNone: key.kind = KeyKind::kNewAxis; break;
    case Kind::kEllipsis: key.kind = KeyKind::kEllipsis; break;
    case Kind::kApi:
      if (context.names.Text(value.name) == "numpy.newaxis") key.kind = KeyKind::kNewAxis;
      break;
    case Kind::kRange: key.kind = KeyKind::kIndexArray; break;
    case Kind::kNumpyScalar:
      if (ir::IsInteger(value.dtype)) key.kind = KeyKind::kInteger;
      break;
    case Kind::kArray: {
      const int rank = Rank(store, value);
      if (value.dtype == ir::DType::kBool) {
        key.kind = KeyKind::kMask;
        key.mask_rank = rank;
      } else if (ir::IsInteger(value.dtype)) {
        key.kind = rank == 0 ? KeyKind::kInteger : KeyKind::kIndexArray;
        key.device_scalar = rank == 0 && value.library == Library::kDevice;
      }
      break;
    }
    case Kind::kTuple:
    case Kind::kList: {
      const SequenceFacts facts = ArrayOfSequence(context, value);
      if (facts.dtype == ir::DType::kBool) {
        key.kind = KeyKind::kMask;
        key.mask_rank = RankOf(store, facts.shape);
      } else {
        key.kind = KeyKind::kIndexArray;
      }
      break;
    }
    default: break;
  }
  return key;
}

// max(0, dim); symbolic lengths are taken as not negative.
ir::DimId NotNegative(ir::DimStore& dims, ir::DimId dim) {
  const auto constant = dims.AsConst(dim);
  return constant && *constant < 0 ? dims.Const(0) : dim;
}

bool ProvedAtMost(ir::DimStore& dims, ir::DimId a, ir::DimId b) {
  const auto least = dims.LowerBound(dims.Sub(b, a), 0);
  return least && *least >= 0;
}

// One bound of a slice of step 1 as a distance from the start; None() where it cannot be told.
struct Bound {
  ir::DimId at;
  bool from_end = false;  // `at` is extent - distance; where the extent is unknown only `distance` is
  ir::DimId distance;
};

Bound BoundOf(ir::DimStore& dims, ir::DimId extent, bool given, ir::DimId dim, bool is_upper) {
  Bound bound;
  if (!given) {
    bound.from_end = is_upper;
    bound.at = is_upper ? extent : dims.Const(0);
    bound.distance = dims.Const(0);
    return bound;
  }
  if (!dim.valid()) return bound;
  const auto constant = dims.AsConst(dim), whole = dims.AsConst(extent);
  if (constant && (*constant < -kLargestBound || *constant > kLargestBound)) return bound;
  if (constant && whole) {  // exactly as Python clips
    const std::int64_t at = *constant < 0 ? std::max<std::int64_t>(*constant + *whole, 0) : std::min(*constant, *whole);
    bound.at = dims.Const(at);
    bound.distance = bound.at;
    return bound;
  }
  if (constant) {
    // The symbol of an extent stands for something larger than a small margin.
    const std::int64_t distance = *constant < 0 ? -*constant : *constant;
    bound.from_end = *constant < 0;
    bound.distance = dims.Const(distance);
    if (distance > kSmallBound && !ProvedAtMost(dims, bound.distance, extent)) return {};
    bound.at = bound.from_end ? dims.Sub(extent, bound.distance) : dim;
    return bound;
  }
  // `x[:-k]`: nobody writes a negated name but as a margin from the end.
  const ir::DimId negated = dims.Negate(dim);
  if (const auto least = dims.LowerBound(negated, 0); least && *least >= 0) {
    bound.from_end = true;
    bound.distance = negated;
    bound.at = dims.Sub(extent, negated);
    return bound;
  }
  if (const auto least = dims.LowerBound(dim, 0); !least || *least < 0) return bound;
  if (ProvedAtMost(dims, dim, extent)) bound.at = bound.distance = dim;
  return bound;
}

// Extent of a slice of step 1 of an extent that may be unknown.
ir::DimId SliceLength(ir::DimStore& dims, ir::DimId extent, const Key& key) {
  const Bound lower = BoundOf(dims, extent, key.lower_given, key.lower, false);
  const Bound upper = BoundOf(dims, extent, key.upper_given, key.upper, true);
  if (lower.at.valid() && upper.at.valid()) return NotNegative(dims, dims.Sub(upper.at, lower.at));
  // x[-2:] has 2 whatever the extent is.
  if (lower.distance.valid() && upper.distance.valid() && lower.from_end && upper.from_end) {
    return NotNegative(dims, dims.Sub(lower.distance, upper.distance));
  }
  // x[ng:-ng]: margins at both ends.
  if (key.lower_given && key.upper_given && upper.from_end && upper.at.valid() && key.lower.valid()) {
    const bool same_margin =
        dims.LowerBound(key.lower, 0).value_or(-1) >= 0 && dims.Difference(key.lower, upper.distance).has_value();
    if (same_margin) return dims.Sub(upper.at, key.lower);
  }
  // x[i:i+4], x[i*b:(i+1)*b]: a window that moves.
  if (key.lower_given && key.upper_given && key.lower.valid() && key.upper.valid() && !dims.AsConst(key.lower)) {
    const ir::DimId window = dims.Sub(key.upper, key.lower);
    if (dims.LowerBound(window, 0).value_or(-1) >= 0) return window;
  }
  return ir::DimId::None();
}

ir::DimId SteppedLength(ir::DimStore& dims, ir::DimId extent, const Key& key) {
  if (!key.step || *key.step == 0) return ir::DimId::None();
  const std::int64_t step = *key.step;
  if (step > 0) {
    const ir::DimId length = SliceLength(dims, extent, key);
    return step == 1 ? length : dims.CeilDiv(length, dims.Const(step));
  }
  if (step == std::numeric_limits<std::int64_t>::min()) return ir::DimId::None();
  if (!key.lower_given && !key.upper_given) return dims.CeilDiv(extent, dims.Const(-step));
  const auto whole = dims.AsConst(extent);
  const auto lower = key.lower_given ? dims.AsConst(key.lower) : whole ? std::optional(*whole - 1) : std::nullopt;
  const auto upper = key.upper_given ? dims.AsConst(key.upper) : std::optional<std::int64_t>(-1);
  if (!whole || !lower || !upper) return ir::DimId::None();
  const auto clip = [&](std::int64_t at) {
    return at < 0 ? std::max<std::int64_t>(at + *whole, -1) : std::min(at, *whole - 1);
  };
  const std::int64_t from = clip(*lower), to = key.upper_given ? clip(*upper) : -1;
  return dims.CeilDiv(dims.Const(std::max<std::int64_t>(from - to, 0)), dims.Const(-step));
}

// `np.nonzero(x)` with x of unknown rank.
bool HoldsIndexArrays(const ValueStore& store, const Value& tuple) {
  if (!tuple.item.valid()) return false;
  const Value& item = store.Get(tuple.item).front();
  return item.kind == Kind::kArray && ir::IsInteger(item.dtype) && Rank(store, item) != 0;
}

// How many axes of the base a key takes; -1 where it is not known.
int AxesTaken(const Key& key) {
  switch (key.kind) {
    case KeyKind::kInteger:
    case KeyKind::kSlice:
    case KeyKind::kIndexArray: return 1;
    case KeyKind::kNewAxis:
    case KeyKind::kEllipsis: return 0;
    case KeyKind::kMask: return key.mask_rank;
    case KeyKind::kUnknown: return -1;
  }
  return -1;
}

// Sets Key::axis. False where the keys do not fit the rank.
bool PlaceKeys(std::vector<Key>& keys, int rank) {
  int axis = 0;
  bool known = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i].axis = known ? axis : -1;
    if (keys[i].kind == KeyKind::kEllipsis) {
      int after = 0;
      for (std::size_t k = i + 1; k < keys.size(); ++k) {
        const int taken = AxesTaken(keys[k]);
        if (taken < 0 || keys[k].kind == KeyKind::kEllipsis) known = false;
        after += std::max(taken, 0);
      }
      known = known && rank >= 0;
      axis = rank - after;
      if (known && axis < keys[i].axis) return false;
      continue;
    }
    const int taken = AxesTaken(keys[i]);
    if (taken < 0) known = false;
    axis += std::max(taken, 0);
    if (rank >= 0 && known && axis > rank) return false;
  }
  return true;
}

}  // namespace

}  // namespace model

SubscriptResult ResultOfSubscript(CallContext& context, const Value& base, std::span<const Value> keys) {
  using model::DimList;
  using Selects = SubscriptResult::Selects;
  ValueStore& store = context.store;
  ir::DimStore& dims = store.dims();
  SubscriptResult result;
  bool several = false;  // index arrays, nobody knows how many
  // `x[key]` with a tuple in a variable is `x[a, b]`.
  if (keys.size() == 1 && keys[0].kind == Kind::kTuple) {
    if (keys[0].elements.valid()) {
      keys = store.Get(keys[0].elements);
    } else {
      several = model::HoldsIndexArrays(store, keys[0]);
      result.keys.push_back({});
      if (several) result.keys.front().kind = KeyKind::kIndexArray;
    }
  }
  if (result.keys.empty()) {
    for (const Value& key : keys) result.keys.push_back(model::KeyOf(context, key));
  }
  const int rank = Rank(store, base);
  const bool fits = model::PlaceKeys(result.keys, rank);

  bool unknown = !fits, mask = false, gather = false, unknown_mask = false, slices = false;
  int integers = 0, taken = 0;
  for (const Key& key : result.keys) {
    unknown |= key.kind == KeyKind::kUnknown;
    mask |= key.kind == KeyKind::kMask;
    unknown_mask |= key.kind == KeyKind::kMask && key.mask_rank < 0;
    gather |= key.kind == KeyKind::kIndexArray;
    slices |= key.kind == KeyKind::kSlice || key.kind == KeyKind::kNewAxis || key.kind == KeyKind::kEllipsis;
    integers += key.kind == KeyKind::kInteger ? 1 : 0;
    taken += std::max(model::AxesTaken(key), 0);
  }
  const bool element = !unknown && !mask && !gather && rank >= 0 && integers == rank &&
                       std::ranges::none_of(result.keys, [](const Key& key) {
                         return key.kind == KeyKind::kSlice || key.kind == KeyKind::kNewAxis;
                       });
  if (unknown) {
    result.selects = Selects::kUnknown;
  } else if (mask) {
    result.selects = Selects::kMasked;
  } else if (gather) {
    result.selects = Selects::kGather;
  } else if (element) {
    result.selects = Selects::kElement;
  } else if (rank >= 0 || slices) {
    result.selects = Selects::kView;
  }

  Value value = Array(base.library, base.dtype, ShapeId::None(), base.evidence);
  const bool copies = mask || gather || element;
  value.root = copies ? context.op : base.root;
  value.device_root = copies ? context.op : base.device_root;
  if (result.selects == Selects::kUnknown && !unknown) {
    // Integers alone and an unknown rank: an element or a view of the base.
    result.value = value;
    return result;
  }
  if (unknown) {
    // What the key selects is not known, be it a view or a copy.
    if (!copies) value.root = value.device_root = ir::ValueId::None();
    const bool any_axis = std::ranges::any_of(keys, [](const Value& key) { return key.kind == Kind::kStr; });
    result.value = any_axis ? Unknown() : value;
    return result;
  }
  if (base.dtype == ir::DType::kObject && element) {
    result.value = Unknown();
    return result;
  }
  if (element && base.library == Library::kHost) {
    result.value = model::Scalar(base.dtype, Library::kHost);
    return result;
  }
  value.unbounded = base.unbounded || mask;
  if (rank < 0 || unknown_mask || several) {
    // A lone mask of full rank is taken to cover all of it.
    if (rank < 0 && mask && result.keys.size() == 1 && result.keys[0].mask_rank > 1) {
      value.shape = model::UnknownExtents(store, 1);
    }
    result.value = value;
    return result;
  }

  // Walk the axes. Advanced keys (and integers beside them) broadcast to one block of axes: in their place where they
  // stand side by side, else in front.
  const Shape& shape = store.Get(base.shape);
  DimList out;
  ShapeId block = store.Intern(std::span<const ir::DimId>());
  const bool advanced = mask || gather;
  std::optional<std::size_t> block_at;
  bool apart = false, last_was_advanced = false;
  std::size_t axis = 0;
  for (std::size_t i = 0; i < result.keys.size(); ++i) {
    const Key& key = result.keys[i];
    const bool in_block =
        advanced && (key.kind == KeyKind::kInteger || key.kind == KeyKind::kMask || key.kind == KeyKind::kIndexArray);
    if (in_block) {
      if (block_at && !last_was_advanced) apart = true;
      if (!block_at) block_at = out.size();
    }
    last_was_advanced = in_block;
    switch (key.kind) {
      case KeyKind::kInteger: ++axis; break;
      case KeyKind::kNewAxis: out.Push(dims.Const(1)); break;
      case KeyKind::kEllipsis:
        for (int left = rank - taken; left > 0; --left) out.Push(shape[axis++]);
        break;
      case KeyKind::kSlice:
        out.Push(key.full ? shape[axis] : model::SteppedLength(dims, shape[axis], key));
        ++axis;
        break;
      case KeyKind::kMask:
        block = Broadcast(store, block, model::UnknownExtents(store, 1));
        axis += static_cast<std::size_t>(key.mask_rank);
        break;
      case KeyKind::kIndexArray:
        block = Broadcast(store, block, model::OperandOf(context, keys[i]).shape);
        ++axis;
        break;
      case KeyKind::kUnknown: break;
    }
  }
  for (; axis < shape.size(); ++axis) out.Push(shape[axis]);
  if (advanced) {
    if (!block.valid()) {
      result.value = value;
      return result;
    }
    const std::size_t at = apart ? 0 : block_at.value_or(0);
    DimList with_block(out.span().first(at));
    with_block.Append(store.Get(block));
    with_block.Append(out.span().subspan(at));
    out = with_block;
  }
  value.shape = out.Intern(store);
  value.unbounded = value.unbounded && model::HasUnknownExtent(store, value.shape);
  result.value = value;
  return result;
}

namespace {

// a:b:c as mgrid and r_ read it: the values, or with an imaginary step their number.
struct GridRange {
  ir::DimId length;
  bool fractional = false;
};

GridRange RangeOf(CallContext& context, const Value& slice) {
  ValueStore& store = context.store;
  ir::DimStore& dims = store.dims();
  GridRange range;
  const model::SliceArguments arguments = model::ArgumentsOf(store, slice);
  if (arguments.step != nullptr && arguments.step->kind == Kind::kComplex) {
    range.fractional = true;
    range.length = arguments.step->dim;
    return range;
  }
  for (const Value* part : {arguments.lower, arguments.upper, arguments.step}) {
    range.fractional |= part != nullptr && part->kind != Kind::kInt;
  }
  if (range.fractional || arguments.upper == nullptr) return range;
  range.length = model::DimOf(store, *arguments.upper);
  if (arguments.lower != nullptr) range.length = dims.Sub(range.length, model::DimOf(store, *arguments.lower));
  if (arguments.step != nullptr) range.length = dims.CeilDiv(range.length, model::DimOf(store, *arguments.step));
  range.length = model::NotNegative(dims, range.length);
  return range;
}

}  // namespace

std::optional<Value> ResultOfApiSubscript(CallContext& context, std::string_view name, std::span<const Value> keys) {
  using model::DimList;
  ValueStore& store = context.store;
  ir::DimStore& dims = store.dims();
  if (name == "numpy.s_" || name == "numpy.index_exp") {
    if (keys.size() == 1 && name == "numpy.s_") return keys[0];
    return Tuple(store, std::vector<Value>(keys.begin(), keys.end()));
  }
  const auto fresh = [&](ir::DType dtype, ShapeId shape) {
    Value value = Array(context.library, dtype, shape, 0);
    value.root = value.device_root = context.op;
    return value;
  };
  if (name == "numpy.mgrid" || name == "numpy.ogrid") {
    std::vector<GridRange> ranges;
    for (const Value& key : keys)
      ranges.push_back(key.kind == Kind::kSlice ? RangeOf(context, key) : GridRange{{}, true});
    // Anything but an integer makes the grid float64: a float, or a value that is not known to be an int.
    bool fractional = false, sure = true;
    for (const Value& key : keys) {
      const model::SliceArguments arguments = model::ArgumentsOf(store, key);
      for (const Value* part : {arguments.lower, arguments.upper, arguments.step}) {
        if (part == nullptr || part->kind == Kind::kInt) continue;
        fractional |= part->kind == Kind::kFloat || part->kind == Kind::kComplex;
        sure &= part->kind == Kind::kFloat || part->kind == Kind::kComplex;
      }
    }
    const ir::DType dtype = fractional ? ir::DType::kFloat64 : sure ? ir::DType::kInt64 : ir::DType::kUnknown;
    if (ranges.size() == 1) return fresh(dtype, store.Intern(std::array{ranges[0].length}));
    if (name == "numpy.mgrid") {
      DimList shape;
      shape.Push(dims.Const(static_cast<std::int64_t>(ranges.size())));
      for (const GridRange& range : ranges) shape.Push(range.length);
      return fresh(dtype, shape.Intern(store));
    }
    std::vector<Value> parts;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      DimList shape;
      for (std::size_t k = 0; k < ranges.size(); ++k) shape.Push(k == i ? ranges[i].length : dims.Const(1));
      parts.push_back(Array(context.library, dtype, shape.Intern(store), 0));
    }
    return Tuple(store, std::move(parts));
  }
  if (name != "numpy.r_" && name != "numpy.c_") return std::nullopt;
  ir::DType dtype = ir::DType::kUnknown;
  ir::DimId length = dims.Const(0), columns = dims.Const(0);
  ir::DimId height, width;
  bool first = true, flat = true, tables = true, known = true;
  for (const Value& key : keys) {
    ir::DType own = ir::DType::kUnknown;
    ir::DimId extent;
    int rank = 1;
    if (key.kind == Kind::kSlice) {
      const GridRange range = RangeOf(context, key);
      own = range.fractional ? ir::DType::kUnknown : ir::DType::kInt64;
      const model::SliceArguments arguments = model::ArgumentsOf(store, key);
      for (const Value* part : {arguments.lower, arguments.upper, arguments.step}) {
        const bool inexact = part != nullptr && (part->kind == Kind::kFloat || part->kind == Kind::kComplex);
        if (inexact) own = ir::DType::kFloat64;
      }
      extent = range.length;
    } else {
      const model::Operand operand = model::OperandOf(context, key);
      own = model::CommonDType(std::array{operand});
      rank = model::RankOf(store, operand.shape);
      // `np.r_["-1,2", x]`; a tuple may be all of the keys, `np.r_[tuple(parts)]`.
      if (rank > 2 || rank < 0 || key.kind == Kind::kStr || key.kind == Kind::kTuple) known = false;
      extent = model::VolumeOf(store, operand.shape);
      if (rank == 2) {
        extent = store.Get(operand.shape)[0];
        width = store.Get(operand.shape)[1];
      }
    }
    flat = flat && rank < 2;
    tables = tables && rank == 2;
    dtype = first ? own : ir::Promote(dtype, own);
    if (first || dims.AsConst(extent)) height = extent;
    length = dims.Add(length, extent);
    columns = dims.Add(columns, rank == 2 ? width : dims.Const(1));
    first = false;
  }
  // Vectors and matrices stand side by side as columns, or one behind the other: these are of one kind then.
  if (!known || first) return fresh(dtype, ShapeId::None());
  if (name == "numpy.c_") return fresh(dtype, store.Intern(std::array{height, columns}));
  if (flat) return fresh(dtype, store.Intern(std::array{length}));
  return fresh(dtype, tables ? store.Intern(std::array{length, width}) : ShapeId::None());
}

}  // namespace cpnlint::analysis
