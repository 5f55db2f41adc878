// Functions that tell something about arrays, or take their elements out as Python values.

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

std::optional<Value> OfKind(const Call& call) { return Of(static_cast<Kind>(call.a)); }

std::optional<Value> TextWork(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const bool tests = call.name.starts_with("is") || call.name.ends_with("swith") || call.name.ends_with("equal") ||
                     call.name == "greater" || call.name == "less";
  const bool counts =
      call.name.ends_with("find") || call.name.ends_with("index") || call.name == "count" || call.name == "str_len";
  const ir::DType dtype = tests ? ir::DType::kBool : counts ? ir::DType::kInt64 : ir::DType::kString;
  return Fresh(call, dtype, operand.shape);
}

std::optional<Value> GivesDType(const Call& call) {
  Value value = Of(Kind::kDType);
  value.library = call.context.library;
  std::vector<Operand> operands;
  for (const Value& argument : call.args.positional) {
    Operand operand = OperandOf(call.context, argument);
    if (const ir::DType dtype = DTypeArgument(call.context.names, argument);
        dtype != ir::DType::kUnknown && argument.kind != Kind::kTuple && argument.kind != Kind::kList) {
      operand.kind = Operand::Kind::kScalar;
      operand.dtype = dtype;
    }
    operands.push_back(operand);
  }
  if (!call.args.has_star && !operands.empty()) value.dtype = CommonDType(operands);
  return value;
}

std::optional<Value> NDimOf(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const int rank = RankOf(call.store(), operand.shape);
  return rank < 0 ? Of(Kind::kInt) : Int(call.store(), rank);
}

namespace {

Value ShapeTuple(ValueStore& store, ShapeId shape) {
  if (!shape.valid()) return ContainerOf(store, Kind::kTuple, Of(Kind::kInt));
  std::vector<Value> extents;
  for (const ir::DimId extent : store.Get(shape)) {
    const auto constant = store.dims().AsConst(extent);
    extents.push_back(constant ? Int(store, *constant) : IntDim(extent));
  }
  return Tuple(store, std::move(extents));
}

Value IntOf(ValueStore& store, ir::DimId dim) {
  const auto constant = store.dims().AsConst(dim);
  return constant ? Int(store, *constant) : IntDim(dim);
}

}  // namespace

std::optional<Value> ShapeOf(const Call& call) {
  return ShapeTuple(call.store(), OperandOf(call.context, call.Find(0, "a")).shape);
}

std::optional<Value> SizeOf(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  if (!call.Has(1, "axis")) return IntOf(call.store(), VolumeOf(call.store(), operand.shape));
  const auto axis = AxisOf(call, 1, "axis", RankOf(call.store(), operand.shape), 0);
  if (!axis) return Of(Kind::kInt);
  return IntOf(call.store(), call.store().Get(operand.shape)[static_cast<std::size_t>(*axis)]);
}

namespace {

Value IndexItem(const Call& call, int rank) {
  if (rank < 0) return ContainerOf(call.store(), Kind::kTuple, Of(Kind::kInt));
  return Tuple(call.store(), std::vector<Value>(static_cast<std::size_t>(rank), Of(Kind::kInt)));
}

}  // namespace

std::optional<Value> NdIndex(const Call& call) {
  int rank = static_cast<int>(call.positional());
  ir::DimId count = call.dims().Const(1);
  if (call.args.has_star) {
    rank = -1;
  } else if (rank == 1 && call.Positional(0).kind != Kind::kInt) {
    const ShapeId shape = ShapeArgument(call.store(), call.Positional(0));
    rank = RankOf(call.store(), shape);
    count = VolumeOf(call.store(), shape);
  } else {
    for (const Value& extent : call.args.positional) count = call.dims().Mul(count, DimOf(call.store(), extent));
  }
  Value iterator = ContainerOf(call.store(), Kind::kIterator, IndexItem(call, rank));
  if (rank >= 0) iterator.dim = count;
  return iterator;
}

std::optional<Value> NdEnumerate(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "arr"));
  const Value element = Scalar(CommonDType(std::array{operand}), Library::kHost);
  const Value item = Tuple(call.store(), {IndexItem(call, RankOf(call.store(), operand.shape)), element});
  Value iterator = ContainerOf(call.store(), Kind::kIterator, item);
  iterator.dim = VolumeOf(call.store(), operand.shape);
  return iterator;
}

namespace {

Value PythonNumber(ir::DType dtype) {
  if (dtype == ir::DType::kBool) return Of(Kind::kBool);
  if (ir::IsInteger(dtype)) return Of(Kind::kInt);
  if (ir::IsFloat(dtype)) return Of(Kind::kFloat);
  if (ir::IsComplex(dtype)) return Of(Kind::kComplex);
  return dtype == ir::DType::kUnknown ? Of(Kind::kNumber) : Unknown();
}

}  // namespace

std::optional<Value> Item(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, {}));
  return PythonNumber(operand.dtype);
}

std::optional<Value> ToList(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, {}));
  Value value = PythonNumber(operand.dtype);
  if (!operand.shape.valid()) {
    value = ContainerOf(call.store(), Kind::kList, Unknown());
    value.root = call.context.op;
    return value;
  }
  const Shape& shape = call.store().Get(operand.shape);
  for (std::size_t i = shape.size(); i-- > 0;) {
    value = ContainerOf(call.store(), Kind::kList, value);
    value.dim = shape[i];
    value.root = call.context.op;
  }
  return value;
}

}  // namespace cpnlint::analysis::model

namespace cpnlint::analysis {

std::optional<Value> AttributeOfArray(CallContext& context, const Value& array, std::string_view attribute) {
  ValueStore& store = context.store;
  static constexpr Arguments kNoArguments{};
  const model::Call call{.context = context,
                         .args = kNoArguments,
                         .name = attribute,
                         .library = array.library,
                         .evidence = array.evidence};
  const auto derived = [&](model::Handler handler, std::uint8_t a) {
    const Arguments arguments{.positional = std::span<const Value>(&array, 1), .keywords = {}};
    return handler({.context = context,
                    .args = arguments,
                    .name = attribute,
                    .a = a,
                    .method = true,
                    .library = array.library,
                    .evidence = array.evidence});
  };
  const auto with_evidence = [&](Value value) {
    value.evidence = array.evidence;
    return value;
  };
  const ir::DimId volume = model::VolumeOf(store, array.shape);
  if (attribute == "shape") return with_evidence(model::ShapeTuple(store, array.shape));
  if (attribute == "ndim") {
    const int rank = Rank(store, array);
    return with_evidence(rank < 0 ? Of(Kind::kInt) : Int(store, rank));
  }
  if (attribute == "T") return derived(&model::Transpose, 0);
  if (attribute == "dtype") {
    Value value = Of(Kind::kDType);
    value.library = array.library;
    value.dtype = array.dtype;
    return with_evidence(value);
  }
  const bool numpy_like = array.library == Library::kDevice || array.library == Library::kHost ||
                          array.library == Library::kCupy || array.library == Library::kJax;
  if (!numpy_like) return std::nullopt;
  if (attribute == "size") return with_evidence(model::IntOf(store, volume));
  if (attribute == "mT") return derived(&model::MatrixTranspose, 0);
  if (attribute == "real") return derived(&model::RealImag, 0);
  if (attribute == "imag") return derived(&model::RealImag, 1);
  if (attribute == "flat") {
    // An iterator over a host copy, where NumPy has one over the array itself.
    Value flat = model::View(call, array, store.Intern(std::array{volume}));
    if (flat.library == Library::kDevice) flat.library = Library::kHost;
    return flat;
  }
  if (attribute == "itemsize" || attribute == "nbytes") {
    const auto size = ir::ItemSize(array.dtype);
    if (!size) return with_evidence(Of(Kind::kInt));
    if (attribute == "itemsize") return with_evidence(Int(store, *size));
    return with_evidence(model::IntOf(store, store.dims().Mul(volume, store.dims().Const(*size))));
  }
  if (attribute == "strides") {
    const int rank = Rank(store, array);
    if (rank < 0) return with_evidence(ContainerOf(store, Kind::kTuple, Of(Kind::kInt)));
    return with_evidence(Tuple(store, std::vector<Value>(static_cast<std::size_t>(rank), Of(Kind::kInt))));
  }
  if (attribute == "base" || attribute == "flags" || attribute == "data" || attribute == "ctypes") return Unknown();
  return std::nullopt;
}

}  // namespace cpnlint::analysis
