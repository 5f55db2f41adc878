// Choosing, searching, sorting and counting.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

// [?]: as many as the data give.
ShapeId DataLength(const Call& call) { return UnknownExtents(call.store(), 1); }

Value IndexPart(const Call& call) { return Part(call, ir::DType::kInt64, DataLength(call), true); }

}  // namespace

std::optional<Value> Where(const Call& call) {
  if (call.args.has_star) return Unknown();
  if (call.positional() == 1) return Nonzero(call);
  const std::array operands = {OperandOf(call.context, call.Find(0, "condition")),
                               OperandOf(call.context, call.Find(1, "x")), OperandOf(call.context, call.Find(2, "y"))};
  const ir::DType dtype = CommonDType(std::span(operands).subspan(1));
  return Fresh(call, dtype, CommonShape(call.store(), operands), AnyUnbounded(operands));
}

std::optional<Value> Nonzero(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const int rank = RankOf(call.store(), operand.shape);
  if (rank < 0) return ContainerOf(call.store(), Kind::kTuple, IndexPart(call));
  return TupleOf(call, std::vector<Value>(static_cast<std::size_t>(rank), IndexPart(call)));
}

std::optional<Value> FlatNonzero(const Call& call) { return Fresh(call, ir::DType::kInt64, DataLength(call), true); }

std::optional<Value> ArgWhere(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const int rank = RankOf(call.store(), operand.shape);
  const ir::DimId width = rank < 0 ? ir::DimId::None() : call.dims().Const(rank);
  return Fresh(call, ir::DType::kInt64, call.store().Intern(std::array{ir::DimId::None(), width}), true);
}

std::optional<Value> Unique(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "ar"));
  const ir::DType dtype = CommonDType(std::array{operand});
  if (call.a == 0 && call.args.has_star) return Unknown();
  const int rank = RankOf(call.store(), operand.shape);
  ShapeId values = DataLength(call);
  std::array<bool, 3> wanted{};  // index, inverse, counts
  const bool along_axis = call.a == 0 && call.Has(4, "axis");
  if (call.a == 0) {
    constexpr std::array<std::string_view, 3> kFlags = {"return_index", "return_inverse", "return_counts"};
    for (std::size_t i = 0; i < 3; ++i) {
      const Value* flag = call.Given(i + 1, kFlags[i]);
      if (flag == nullptr) continue;
      const auto constant = ConstantBool(flag);
      if (!constant) return Unknown();
      wanted[i] = *constant;
    }
    if (along_axis) {
      const auto axis = AxisOf(call, 4, "axis", rank, 0);
      values = UnknownExtents(call.store(), rank);
      if (axis) {
        DimList dims(call.store().Get(operand.shape));
        dims[static_cast<std::size_t>(*axis)] = ir::DimId::None();
        values = dims.Intern(call.store());
      }
    }
  } else if (call.a >= 2) {
    wanted = {call.name == "unique_all", call.name != "unique_counts", call.name != "unique_inverse"};
  }
  if (wanted == std::array{false, false, false}) return Fresh(call, dtype, values, true);
  std::vector<Value> parts = {Part(call, dtype, values, true)};
  if (wanted[0]) parts.push_back(IndexPart(call));
  if (wanted[1]) parts.push_back(Part(call, ir::DType::kInt64, along_axis ? DataLength(call) : operand.shape));
  if (wanted[2]) parts.push_back(IndexPart(call));
  return TupleOf(call, std::move(parts));
}

std::optional<Value> SetOperation(const Call& call) {
  if (call.Has(3, "return_indices")) return Unknown();
  const std::array operands = {OperandOf(call.context, call.Find(0, "ar1")),
                               OperandOf(call.context, call.Find(1, "ar2"))};
  const bool first_only = call.name == "setdiff1d";
  return Fresh(call, CommonDType(std::span(operands).first(first_only ? 1 : 2)), DataLength(call), true);
}

std::optional<Value> IsIn(const Call& call) {
  const Operand element = OperandOf(call.context, call.Find(0, "element"));
  const Operand among = OperandOf(call.context, call.Find(1, "test_elements"));
  for (const ir::DType dtype : {element.dtype, among.dtype}) {
    if (dtype != ir::DType::kUnknown && !ir::IsSupported(dtype)) return Unknown();  // texts and objects are no arrays
  }
  ShapeId shape = element.shape;
  if (call.name == "in1d") shape = call.store().Intern(std::array{VolumeOf(call.store(), shape)});
  return Fresh(call, ir::DType::kBool, shape, element.unbounded);
}

std::optional<Value> Extract(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(1, "arr"));
  return Fresh(call, CommonDType(std::array{operand}), DataLength(call), true);
}

std::optional<Value> Compress(const Call& call) {
  const Operand operand = OperandOf(call.context, call.method ? call.Find(0, {}) : call.Find(1, "a"));
  const ir::DType dtype = CommonDType(std::array{operand});
  if (!call.Has(2, "axis")) return Fresh(call, dtype, DataLength(call), true);
  const int rank = RankOf(call.store(), operand.shape);
  const auto axis = AxisOf(call, 2, "axis", rank, 0);
  if (!axis) return FreshWithRank(call, dtype, rank, true);
  DimList dims(call.store().Get(operand.shape));
  dims[static_cast<std::size_t>(*axis)] = ir::DimId::None();
  return Fresh(call, dtype, dims.Intern(call.store()), true);
}

std::optional<Value> Take(const Call& call) {
  if (auto out = OutArgument(call, 3)) return out;
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const Operand indices = OperandOf(call.context, call.Find(1, "indices"));
  const ir::DType dtype = CommonDType(std::array{operand});
  if (!call.Has(2, "axis")) return Fresh(call, dtype, indices.shape, indices.unbounded);
  const int rank = RankOf(call.store(), operand.shape);
  const auto axis = AxisOf(call, 2, "axis", rank, 0);
  if (!indices.shape.valid() || rank < 0) return Fresh(call, dtype, ShapeId::None());
  const Shape& picked = call.store().Get(indices.shape);
  if (!axis) return FreshWithRank(call, dtype, rank - 1 + static_cast<int>(picked.size()));
  const std::span<const ir::DimId> old(call.store().Get(operand.shape));
  DimList dims(old.first(static_cast<std::size_t>(*axis)));
  dims.Append(picked);
  dims.Append(old.subspan(static_cast<std::size_t>(*axis) + 1));
  return Fresh(call, dtype, dims.Intern(call.store()), indices.unbounded);
}

std::optional<Value> TakeAlongAxis(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "arr"));
  const Operand indices = OperandOf(call.context, call.Find(1, "indices"));
  return Fresh(call, CommonDType(std::array{operand}), indices.shape, indices.unbounded);
}

std::optional<Value> Select(const Call& call) {
  const auto conditions = ElementsOf(call, call.Find(0, "condlist"));
  auto choices = ElementsOf(call, call.Find(1, "choicelist"));
  if (!conditions || !choices) return Fresh(call, ir::DType::kUnknown, ShapeId::None());
  const Value* fallback = call.Given(2, "default");
  if (fallback != nullptr) {
    choices->push_back(OperandOf(call.context, *fallback));
  } else {
    choices->push_back(OperandOf(call.context, Int(call.store(), 0)));
  }
  const ShapeId shape =
      Broadcast(call.store(), CommonShape(call.store(), *conditions), CommonShape(call.store(), *choices));
  return Fresh(call, CommonDType(*choices), shape);
}

std::optional<Value> Choose(const Call& call) {
  if (auto out = OutArgument(call, 2)) return out;
  const Operand index = OperandOf(call.context, call.Find(0, "a"));
  const auto choices = ElementsOf(call, call.Find(1, "choices"));
  if (!choices) return Fresh(call, ir::DType::kUnknown, ShapeId::None());
  const ShapeId shape = Broadcast(call.store(), index.shape, CommonShape(call.store(), *choices));
  return Fresh(call, CommonDType(*choices), shape, index.unbounded);
}

std::optional<Value> SearchSorted(const Call& call) {
  const Operand values = OperandOf(call.context, call.a == 1 ? call.Find(0, "x") : call.Find(1, "v"));
  return Fresh(call, ir::DType::kInt64, values.shape, values.unbounded);
}

// b: position of axis
std::optional<Value> Sort(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const ir::DType dtype = call.a == 1 ? ir::DType::kInt64 : CommonDType(std::array{operand});
  const Value* axis = call.Find(call.b, "axis");
  const bool flat = axis != nullptr && axis->kind == Kind::kNone;
  const bool sure = axis == nullptr || axis->kind == Kind::kInt || flat;
  if (!sure) return Fresh(call, dtype, ShapeId::None());
  if (!flat) return Fresh(call, dtype, operand.shape, operand.unbounded);
  return Fresh(call, dtype, call.store().Intern(std::array{VolumeOf(call.store(), operand.shape)}), operand.unbounded);
}

std::optional<Value> LexSort(const Call& call) {
  const Value* keys = call.Find(0, "keys");
  ShapeId shape;
  if (const auto each = ElementsOf(call, keys); each && !each->empty()) {
    shape = each->front().shape;
  } else if (const Operand operand = OperandOf(call.context, keys); RankOf(call.store(), operand.shape) >= 1) {
    shape = call.store().Intern(std::span<const ir::DimId>(call.store().Get(operand.shape)).subspan(1));
  }
  return Fresh(call, ir::DType::kInt64, shape);
}

namespace {

// Number of bins along one axis: an int, or one less than the edges.
ir::DimId BinsOf(const Call& call, const Value* bins) {
  if (bins == nullptr) return call.args.has_star ? ir::DimId::None() : call.dims().Const(10);
  if (bins->kind == Kind::kInt) return bins->dim;
  const Operand edges = OperandOf(call.context, *bins);
  if (RankOf(call.store(), edges.shape) != 1) return ir::DimId::None();
  return call.dims().Sub(call.store().Get(edges.shape)[0], call.dims().Const(1));
}

}  // namespace

std::optional<Value> Histogram(const Call& call) {
  ir::DimStore& dims = call.dims();
  const auto one_dimensional = [&](ir::DimId extent) { return call.store().Intern(std::array{extent}); };
  if (call.a == 2) {
    const Value counts = Part(call, ir::DType::kFloat64, ShapeId::None());
    const Value edges = ContainerOf(call.store(), Kind::kTuple, Part(call, ir::DType::kUnknown, DataLength(call)));
    return TupleOf(call, {counts, edges});
  }
  const Value* bins = call.Given(call.a == 1 ? 2 : 1, "bins");
  if (call.a == 1) {
    ir::DimId rows = BinsOf(call, bins), columns = rows;
    if (bins != nullptr && (bins->kind == Kind::kTuple || bins->kind == Kind::kList)) {
      rows = columns = ir::DimId::None();
      if (bins->elements.valid() && call.store().Get(bins->elements).size() == 2) {
        rows = BinsOf(call, &call.store().Get(bins->elements)[0]);
        columns = BinsOf(call, &call.store().Get(bins->elements)[1]);
      }
    }
    const ir::DimId one = dims.Const(1);
    return TupleOf(call, {Part(call, ir::DType::kFloat64, call.store().Intern(std::array{rows, columns})),
                          Part(call, ir::DType::kUnknown, one_dimensional(dims.Add(rows, one))),
                          Part(call, ir::DType::kUnknown, one_dimensional(dims.Add(columns, one)))});
  }
  ir::DType counts = ir::DType::kInt64;
  if (call.Has(4, "weights")) counts = OperandOf(call.context, *call.Given(4, "weights")).dtype;
  if (const Value* density = call.Given(3, "density")) {
    const auto constant = ConstantBool(density);
    if (!constant) counts = ir::DType::kUnknown;
    if (constant == true) counts = ir::DType::kFloat64;
  }
  if (call.args.has_star) counts = ir::DType::kUnknown;
  const Operand data = OperandOf(call.context, call.Find(0, "a"));
  ir::DType edges = ir::FloatResult(data.dtype);
  if (ir::IsInteger(data.dtype) || data.dtype == ir::DType::kBool) edges = ir::DType::kFloat64;
  if (bins != nullptr && bins->kind != Kind::kInt) edges = OperandOf(call.context, *bins).dtype;
  if (bins != nullptr && bins->kind == Kind::kStr) edges = ir::DType::kUnknown;
  const ir::DimId count = BinsOf(call, bins);
  if (call.name == "histogram_bin_edges") return Fresh(call, edges, one_dimensional(dims.Add(count, dims.Const(1))));
  return TupleOf(call, {Part(call, counts, one_dimensional(count)),
                        Part(call, edges, one_dimensional(dims.Add(count, dims.Const(1))))});
}

std::optional<Value> BinCount(const Call& call) {
  const ir::DType dtype = call.Has(1, "weights") ? ir::DType::kFloat64
                          : call.args.has_star   ? ir::DType::kUnknown
                                                 : ir::DType::kInt64;
  return Fresh(call, dtype, DataLength(call), true);
}

std::optional<Value> UnravelIndex(const Call& call) {
  const Operand indices = OperandOf(call.context, call.Find(0, "indices"));
  const Value* shape = call.Find(1, "shape");
  const ShapeId into = shape == nullptr ? ShapeId::None() : ShapeArgument(call.store(), *shape);
  const Value part = Part(call, ir::DType::kInt64, indices.shape, indices.unbounded);
  const int rank = RankOf(call.store(), into);
  if (rank < 0) return ContainerOf(call.store(), Kind::kTuple, part);
  return TupleOf(call, std::vector<Value>(static_cast<std::size_t>(rank), part));
}

std::optional<Value> RavelMultiIndex(const Call& call) {
  const auto indices = ElementsOf(call, call.Find(0, "multi_index"));
  return Fresh(call, ir::DType::kInt64, indices ? CommonShape(call.store(), *indices) : ShapeId::None());
}

std::optional<Value> SomeArray(const Call& call) { return Fresh(call, ir::DType::kUnknown, ShapeId::None()); }

// `sliding_window_view(x, w)` of a vector is (n - w + 1, w).
std::optional<Value> SlidingWindows(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "x"));
  const Value* window = call.Find(1, "window_shape");
  ShapeId shape;
  if (RankOf(call.store(), operand.shape) == 1 && window != nullptr && window->kind == Kind::kInt) {
    const ir::DimId extent = call.store().Get(operand.shape).front();
    DimList dims;
    dims.Push(call.dims().Add(call.dims().Sub(extent, window->dim), call.dims().Const(1)));
    dims.Push(window->dim);
    shape = dims.Intern(call.store());
  }
  return Fresh(call, CommonDType(std::array{operand}), shape);
}

std::optional<Value> TrimZeros(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "filt"));
  return Fresh(call, CommonDType(std::array{operand}), DataLength(call), true);
}

}  // namespace cpnlint::analysis::model
