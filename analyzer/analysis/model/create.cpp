// Functions that make arrays out of sizes, numbers and Python sequences.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

ShapeId ShapeOr(const Call& call, std::size_t position, std::string_view keyword) {
  const Value* shape = call.Given(position, keyword);
  return shape == nullptr ? ShapeId::None() : ShapeArgument(call.store(), *shape);
}

// max(dim, 0), for lengths: symbolic ones are taken as not negative.
ir::DimId Length(ir::DimStore& dims, ir::DimId dim) {
  const auto constant = dims.AsConst(dim);
  return constant && *constant < 0 ? dims.Const(0) : dim;
}

ShapeId Of1D(const Call& call, ir::DimId extent) { return call.store().Intern(std::array{extent}); }

}  // namespace

std::optional<Value> Zeros(const Call& call) {
  return Fresh(call, DTypeOr(call, call.a, ir::DType::kFloat64), ShapeOr(call, 0, "shape"));
}

std::optional<Value> NdArray(const Call& call) {
  return Fresh(call, DTypeOr(call, 1, ir::DType::kFloat64), ShapeOr(call, 0, "shape"));
}

std::optional<Value> Full(const Call& call) {
  const Value* value = call.Find(1, "fill_value");
  const Operand fill = OperandOf(call.context, value);
  const bool none = value != nullptr && value->kind == Kind::kNone;
  const ir::DType dtype = none ? ir::DType::kObject : CommonDType(std::array{fill});
  return Fresh(call, DTypeOr(call, 2, dtype), ShapeOr(call, 0, "shape"));
}

std::optional<Value> Like(const Call& call) {
  const Operand like = OperandOf(call.context, call.Find(0, "a"));
  const ir::DType dtype = DTypeOr(call, call.a, CommonDType(std::array{like}));
  const bool reshaped = call.Has(call.b, "shape");
  return Fresh(call, dtype, reshaped ? ShapeOr(call, call.b, "shape") : like.shape, like.unbounded && !reshaped);
}

namespace {

// asarray: the argument itself where nothing has to change.
Value SameArray(const Call& call, const Value& base, ir::DType dtype) {
  Value value = base;
  value.library = call.context.library;
  value.dtype = dtype;
  value.constant_items = false;
  if (base.library != value.library) {
    value.device_root = call.context.op;  // attached or gathered: another storage there
  }
  if (dtype != base.dtype) {
    const bool known = dtype != ir::DType::kUnknown && base.dtype != ir::DType::kUnknown;
    value.root = value.device_root = known ? call.context.op : ir::ValueId::None();
  }
  return value;
}

ShapeId AtLeastRank(const Call& call, ShapeId shape, std::int64_t least) {
  const int rank = RankOf(call.store(), shape);
  if (rank < 0 || rank >= least || least > 32) return shape;
  DimList dims;
  for (std::int64_t i = rank; i < least; ++i) dims.Push(call.dims().Const(1));
  dims.Append(call.store().Get(shape));
  return dims.Intern(call.store());
}

}  // namespace

std::optional<Value> Convert(const Call& call) {
  const Value* object = call.Find(0, call.name == "array" ? "object" : "a");
  const auto kind = static_cast<ConvertKind>(call.a);
  Call converter = call;
  converter.library = call.context.library;  // converters are not dispatched (A.3)
  if (object == nullptr) return Fresh(converter, DTypeOr(call, 1, ir::DType::kUnknown), ShapeId::None());
  const Operand operand = OperandOf(call.context, *object);
  ir::DType dtype = operand.dtype;
  if (operand.kind == Operand::Kind::kWeak) dtype = operand.weak ? DefaultDType(*operand.weak) : ir::DType::kUnknown;
  dtype = DTypeOr(call, 1, dtype);
  const auto ndmin = ConstantInt(call.store(), call.Given(5, "ndmin"));
  const bool deeper = call.Has(5, "ndmin") && kind == ConvertKind::kArray;
  if (object->kind == Kind::kArray && !deeper) {
    bool copies = kind == ConvertKind::kArray;
    if (const Value* copy = call.Given(2, "copy"); copy != nullptr && kind == ConvertKind::kArray) {
      copies = ConstantBool(copy).value_or(false);
    }
    if (!copies) {
      Value same = SameArray(converter, *object, dtype);
      same.evidence = call.evidence;
      return same;
    }
    return Fresh(converter, dtype, operand.shape, operand.unbounded);
  }
  // A 0-d array stays one, also on the host.
  Value value = Array(converter.library, dtype, operand.shape, call.evidence);
  value.root = value.device_root = call.context.op;
  value.unbounded = operand.unbounded && HasUnknownExtent(call.store(), operand.shape);
  switch (object->kind) {
    case Kind::kTuple:
    case Kind::kList: {
      const SequenceFacts items = ArrayOfSequence(call.context, *object);
      if (items.ragged && !call.Has(1, "dtype")) return Unknown();
      value.constant_items = items.constant;
      break;
    }
    case Kind::kStr:
    case Kind::kBytes:
    case Kind::kNone:
    case Kind::kDict:
    case Kind::kSet:
    case Kind::kGenerator:
    case Kind::kIterator: {
      const ir::DType plain = object->kind == Kind::kStr     ? ir::DType::kString
                              : object->kind == Kind::kBytes ? ir::DType::kBytes
                                                             : ir::DType::kObject;
      value.dtype = DTypeOr(call, 1, plain);
      value.shape = call.store().Intern(std::span<const ir::DimId>());
      break;
    }
    default: break;
  }
  if (deeper) value.shape = ndmin ? AtLeastRank(call, value.shape, *ndmin) : ShapeId::None();
  return value;
}

std::optional<Value> Arange(const Call& call) {
  const Value* start = call.Given(0, "start");
  const Value* stop = call.Given(1, "stop");
  const Value* step = call.Given(2, "step");
  if (stop == nullptr) std::swap(start, stop);
  bool all_int = !call.args.has_star, any_float = false;
  for (const Value* value : {start, stop, step}) {
    if (value == nullptr) continue;
    const bool scalar = value->kind == Kind::kNumpyScalar || value->kind == Kind::kArray;
    all_int = all_int && (value->kind == Kind::kInt || (scalar && ir::IsInteger(value->dtype)));
    any_float = any_float || value->kind == Kind::kFloat || (scalar && ir::IsFloat(value->dtype));
  }
  const ir::DType computed = any_float ? ir::DType::kFloat64 : all_int ? ir::DType::kInt64 : ir::DType::kUnknown;
  const ir::DType dtype = DTypeOr(call, 3, computed);
  ir::DimStore& dims = call.dims();
  ir::DimId length;
  if (any_float) {
    const auto from = start == nullptr ? std::optional(0.0) : ConstantNumber(start);
    const auto to = ConstantNumber(stop), by = step == nullptr ? std::optional(1.0) : ConstantNumber(step);
    if (from && to && by && *by != 0) {
      const double count = std::ceil((*to - *from) / *by);
      if (count < 1e15) length = dims.Const(count > 0 ? static_cast<std::int64_t>(count) : 0);
    }
  } else if (stop != nullptr && !call.args.has_star) {
    length = DimOf(call.store(), *stop);
    if (start != nullptr) length = dims.Sub(length, DimOf(call.store(), *start));
    if (step != nullptr) length = dims.CeilDiv(length, DimOf(call.store(), *step));
    length = Length(dims, length);
  }
  return Fresh(call, dtype, Of1D(call, length));
}

std::optional<Value> Linspace(const Call& call) {
  const Value* num = call.Given(2, "num");
  const ir::DimId length = num != nullptr       ? DimOf(call.store(), *num)
                           : call.args.has_star ? ir::DimId::None()
                                                : call.dims().Const(50);
  // End points that are not known are taken as numbers: arrays there are next to unheard of.
  Operand number;
  number.kind = Operand::Kind::kWeak;
  number.weak = ir::Weak::kFloat;
  number.shape = call.store().Intern(std::span<const ir::DimId>());
  std::array operands = {OperandOf(call.context, call.Find(0, "start")), OperandOf(call.context, call.Find(1, "stop")),
                         number};
  for (Operand& operand : operands) {
    if (operand.kind == Operand::Kind::kUnknown || operand.kind == Operand::Kind::kOther) operand = number;
    if (operand.kind == Operand::Kind::kSequence && operand.dtype == ir::DType::kInt64)
      operand.dtype = ir::DType::kFloat64;
  }
  const ir::DType dtype = DTypeOr(call, call.a, CommonDType(operands));
  ShapeId shape = CommonShape(call.store(), operands);
  if (shape.valid()) {
    DimList dims;
    dims.Push(length);
    dims.Append(call.store().Get(shape));
    shape = dims.Intern(call.store());
  }
  const Value* step = call.b == 0 ? nullptr : call.Given(call.b, "retstep");
  if (step == nullptr) return Fresh(call, dtype, shape);
  const auto with_step = ConstantBool(step);
  if (!with_step) return Unknown();
  if (!*with_step) return Fresh(call, dtype, shape);
  return TupleOf(call, {Part(call, dtype, shape), Scalar(dtype, call.library)});
}

std::optional<Value> Eye(const Call& call) {
  const ir::DimId rows = DimOf(call.store(), call.Find(0, "N"));
  const Value* columns = call.Given(1, "M");
  const ir::DimId width = columns != nullptr   ? DimOf(call.store(), *columns)
                          : call.args.has_star ? ir::DimId::None()
                                               : rows;
  return Fresh(call, DTypeOr(call, 3, ir::DType::kFloat64), call.store().Intern(std::array{rows, width}));
}

std::optional<Value> Identity(const Call& call) {
  const ir::DimId rows = DimOf(call.store(), call.Find(0, "n"));
  return Fresh(call, DTypeOr(call, 1, ir::DType::kFloat64), call.store().Intern(std::array{rows, rows}));
}

std::optional<Value> Tri(const Call& call) { return Eye(call); }

// The function is called once with whole index arrays: what it gives has their shape unless it returns a constant.
std::optional<Value> FromFunction(const Call& call) {
  return Fresh(call, ir::DType::kUnknown, ShapeOr(call, 1, "shape"));
}

std::optional<Value> FromData(const Call& call) {
  const Value* names = call.Given(99, "names");  // genfromtxt(path, names=True): an array of records
  const bool records = names != nullptr && ConstantBool(names) != false;
  const Value* type = call.Find(call.a, "dtype");
  const bool guessed = type != nullptr && type->kind == Kind::kNone;
  const ir::DType usual = records ? ir::DType::kStructured : guessed ? ir::DType::kUnknown : ir::DType::kFloat64;
  const ir::DType dtype = DTypeOr(call, call.a, usual);
  return call.b == 1 ? Fresh(call, dtype, Of1D(call, ir::DimId::None())) : Fresh(call, dtype, ShapeId::None());
}

std::optional<Value> Window(const Call& call) {
  return Fresh(call, ir::DType::kFloat64, Of1D(call, DimOf(call.store(), call.Find(0, "M"))));
}

// Nodes and weights. cuPyNumeric has no such function, so NumPy makes them on the host.
std::optional<Value> Quadrature(const Call& call) {
  Value part = Part(call, ir::DType::kFloat64, Of1D(call, DimOf(call.store(), call.Find(0, "deg"))));
  part.library = Library::kHost;
  return TupleOf(call, {part, part});
}

std::optional<Value> Meshgrid(const Call& call) {
  if (call.args.has_star) {
    return ContainerOf(call.store(), Kind::kTuple, Part(call, ir::DType::kUnknown, ShapeId::None()));
  }
  const Value* indexing = call.Given(99, "indexing");
  const Value* sparse = call.Given(99, "sparse");
  const bool swapped = indexing == nullptr || call.Text(*indexing) == "xy";
  const bool order_known = indexing == nullptr || (indexing->kind == Kind::kStr && indexing->constant);
  const auto open = sparse == nullptr ? std::optional(false) : ConstantBool(sparse);
  std::vector<Operand> operands;
  DimList dims;
  for (const Value& value : call.args.positional) {
    operands.push_back(OperandOf(call.context, value));
    const ShapeId shape = operands.back().shape;
    dims.Push(RankOf(call.store(), shape) >= 0 ? VolumeOf(call.store(), shape) : ir::DimId::None());
  }
  const std::size_t count = operands.size();
  if (count >= 2 && swapped) std::swap(dims[0], dims[1]);
  if (count >= 2 && !order_known && dims[0] != dims[1]) dims[0] = dims[1] = ir::DimId::None();
  std::vector<Value> parts;
  for (std::size_t i = 0; i < count; ++i) {
    DimList own = dims;
    if (open.value_or(true)) {
      const std::size_t axis = swapped && i < 2 && count >= 2 ? 1 - i : i;
      for (std::size_t k = 0; k < count && k < 32; ++k) {
        if (k != axis) own[k] = open ? call.dims().Const(1) : ir::DimId::None();
      }
      if (!open) own[axis] = dims[axis];
    }
    const ir::DType dtype = CommonDType(std::array{operands[i]});
    parts.push_back(Part(call, dtype, own.Intern(call.store()), operands[i].unbounded));
  }
  return TupleOf(call, std::move(parts));
}

std::optional<Value> Indices(const Call& call) {
  const ShapeId dimensions = ShapeOr(call, 0, "dimensions");
  const ir::DType dtype = DTypeOr(call, 1, ir::DType::kInt64);
  const Value* sparse = call.Given(2, "sparse");
  const auto open = sparse == nullptr ? std::optional(false) : ConstantBool(sparse);
  if (!open) return Unknown();
  if (*open) return ContainerOf(call.store(), Kind::kTuple, Part(call, dtype, ShapeId::None()));
  if (!dimensions.valid()) return Fresh(call, dtype, ShapeId::None());
  DimList dims;
  dims.Push(call.dims().Const(RankOf(call.store(), dimensions)));
  dims.Append(call.store().Get(dimensions));
  return Fresh(call, dtype, dims.Intern(call.store()));
}

std::optional<Value> Vander(const Call& call) {
  const Operand x = OperandOf(call.context, call.Find(0, "x"));
  const ir::DimId rows = VolumeOf(call.store(), x.shape);
  const Value* columns = call.Given(1, "N");
  const ir::DimId width = columns == nullptr ? rows : DimOf(call.store(), *columns);
  const ir::DType dtype = ir::PromoteWeak(x.dtype, ir::Weak::kInt);
  return Fresh(call, dtype, call.store().Intern(std::array{rows, width}), x.unbounded);
}

std::optional<Value> Diag(const Call& call) {
  const Value* v = call.Find(0, "v");
  const Operand operand = OperandOf(call.context, v);
  const Value* k = call.Given(1, "k");
  const auto offset = k == nullptr ? std::optional<std::int64_t>(0) : ConstantInt(call.store(), k);
  const int rank = RankOf(call.store(), operand.shape);
  const ir::DType dtype = CommonDType(std::array{operand});
  ir::DimStore& dims = call.dims();
  if (call.a == 1 || rank == 1) {
    const bool small = offset && *offset > -1'000'000'000 && *offset < 1'000'000'000;
    const ir::DimId volume = VolumeOf(call.store(), operand.shape);
    const ir::DimId side = small ? dims.Add(volume, dims.Const(std::abs(*offset))) : ir::DimId::None();
    return Fresh(call, dtype, call.store().Intern(std::array{side, side}), operand.unbounded);
  }
  if (rank != 2) return Fresh(call, dtype, ShapeId::None());
  const Shape& shape = call.store().Get(operand.shape);
  const ir::DimId length = offset && *offset == 0 ? dims.Min(shape[0], shape[1]) : ir::DimId::None();
  if (v->kind != Kind::kArray) return Fresh(call, dtype, Of1D(call, length));
  return View(call, *v, Of1D(call, length), true);
}

namespace {

Value IndexTuple(const Call& call, std::int64_t count, ir::DimId length) {
  if (count < 0 || count > 32)
    return ContainerOf(call.store(), Kind::kTuple, Part(call, ir::DType::kInt64, Of1D(call, length)));
  const Value part = Part(call, ir::DType::kInt64, Of1D(call, length));
  return TupleOf(call, std::vector<Value>(static_cast<std::size_t>(count), part));
}

}  // namespace

std::optional<Value> TriangleIndices(const Call& call) {
  ir::DimStore& dims = call.dims();
  ir::DimId n;
  bool square = true;
  if (call.a == 0) {
    n = DimOf(call.store(), call.Find(0, "n"));
    square = !call.Has(2, "m");
  } else {
    const Operand operand = OperandOf(call.context, call.Find(0, "arr"));
    if (RankOf(call.store(), operand.shape) == 2) {
      const Shape& shape = call.store().Get(operand.shape);
      n = shape[0];
      square = shape[0].valid() && shape[0] == shape[1];
    }
  }
  const Value* k = call.Given(1, "k");
  const auto offset = k == nullptr ? std::optional<std::int64_t>(0) : ConstantInt(call.store(), k);
  const bool upper = call.name.starts_with("triu");
  ir::DimId length;
  if (square && offset && !call.args.has_star) {
    if (*offset == 0) length = dims.FloorDiv(dims.Mul(n, dims.Add(n, dims.Const(1))), dims.Const(2));
    if (*offset == (upper ? 1 : -1)) length = dims.FloorDiv(dims.Mul(n, dims.Sub(n, dims.Const(1))), dims.Const(2));
  }
  return IndexTuple(call, 2, length);
}

std::optional<Value> DiagonalIndices(const Call& call) {
  if (call.a == 1) {
    const Operand operand = OperandOf(call.context, call.Find(0, "arr"));
    const int rank = RankOf(call.store(), operand.shape);
    return IndexTuple(call, rank, rank > 0 ? call.store().Get(operand.shape)[0] : ir::DimId::None());
  }
  const Value* count = call.Given(1, "ndim");
  const auto rank = count == nullptr ? std::optional<std::int64_t>(2) : ConstantInt(call.store(), count);
  return IndexTuple(call, rank.value_or(-1), DimOf(call.store(), call.Find(0, "n")));
}

std::optional<Value> OpenMesh(const Call& call) {
  if (call.args.has_star) {
    return ContainerOf(call.store(), Kind::kTuple, Part(call, ir::DType::kInt64, ShapeId::None()));
  }
  std::vector<Value> parts;
  for (std::size_t i = 0; i < call.positional(); ++i) {
    const Operand operand = OperandOf(call.context, call.Positional(i));
    // A list that is written out counts its numbers; nobody writes a mask of variables.
    const Value& part = call.Positional(i);
    const bool unknown = operand.dtype == ir::DType::kUnknown;
    const bool written = unknown && part.kind == Kind::kList && part.elements.valid();
    const bool mask = operand.dtype == ir::DType::kBool || (unknown && !written);
    DimList dims;
    for (std::size_t k = 0; k < call.positional(); ++k) dims.Push(call.dims().Const(1));
    const ir::DimId length = written ? part.dim : VolumeOf(call.store(), operand.shape);
    if (i < dims.size()) dims[i] = mask ? ir::DimId::None() : length;
    const ir::DType dtype = operand.dtype == ir::DType::kBool ? ir::DType::kInt64 : operand.dtype;
    parts.push_back(Part(call, dtype, dims.Intern(call.store()), operand.dtype == ir::DType::kBool));
  }
  return TupleOf(call, std::move(parts));
}

std::optional<Value> ScalarClass(const Call& call) {
  const ir::DType dtype = ir::ParseDType(call.name);
  if (call.positional() == 0 || call.positional() > 2) return Scalar(dtype, call.context.library);
  const Value& argument = call.Positional(0);
  Value scalar = Scalar(dtype, call.context.library);
  if (IsNumber(argument.kind) || argument.kind == Kind::kNumpyScalar) {
    scalar.constant = argument.constant;
    scalar.number = argument.number;
    if (ir::IsInteger(dtype)) {
      scalar.dim =
          argument.kind == Kind::kInt || argument.kind == Kind::kNumpyScalar ? argument.dim : ir::DimId::None();
      if (argument.constant && std::fabs(argument.number) < 1e15) {
        scalar.number = std::trunc(argument.number);
        scalar.dim = call.dims().Const(static_cast<std::int64_t>(scalar.number));
      }
    }
    return scalar;
  }
  if (argument.kind == Kind::kStr || argument.kind == Kind::kBytes) return scalar;
  // Arrays are converted on the host, whatever they were.
  const Operand operand = OperandOf(call.context, argument);
  const int rank = RankOf(call.store(), operand.shape);
  if (operand.kind != Operand::Kind::kArray && operand.kind != Operand::Kind::kSequence) return Unknown();
  if (rank == 0) return scalar;
  Call host = call;
  host.library = Library::kHost;
  return Fresh(host, dtype, operand.shape, operand.unbounded);
}

std::optional<Value> DTypeClass(const Call& call) {
  Value value = Of(Kind::kDType);
  value.library = call.context.library;
  if (const Value* argument = call.Given(0, "dtype")) {
    value.dtype = argument->kind == Kind::kArray ? argument->dtype : DTypeArgument(call.context.names, *argument);
  }
  return value;
}

}  // namespace cpnlint::analysis::model
