// Elementwise functions and operators: promotion, broadcasting, and numbers alone staying numbers.

#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

struct UnaryFold {
  std::string_view name;
  double (*apply)(double);
};

constexpr double kPi = 3.14159265358979323846;

constexpr std::array kUnaryFolds = {
    UnaryFold{"abs", [](double x) { return std::fabs(x); }},
    UnaryFold{"absolute", [](double x) { return std::fabs(x); }},
    UnaryFold{"arccos", [](double x) { return std::acos(x); }},
    UnaryFold{"arcsin", [](double x) { return std::asin(x); }},
    UnaryFold{"arctan", [](double x) { return std::atan(x); }},
    UnaryFold{"cbrt", [](double x) { return std::cbrt(x); }},
    UnaryFold{"ceil", [](double x) { return std::ceil(x); }},
    UnaryFold{"cos", [](double x) { return std::cos(x); }},
    UnaryFold{"cosh", [](double x) { return std::cosh(x); }},
    UnaryFold{"deg2rad", [](double x) { return x * kPi / 180; }},
    UnaryFold{"exp", [](double x) { return std::exp(x); }},
    UnaryFold{"fabs", [](double x) { return std::fabs(x); }},
    UnaryFold{"floor", [](double x) { return std::floor(x); }},
    UnaryFold{"log", [](double x) { return std::log(x); }},
    UnaryFold{"log10", [](double x) { return std::log10(x); }},
    UnaryFold{"log2", [](double x) { return std::log2(x); }},
    UnaryFold{"negative", [](double x) { return -x; }},
    UnaryFold{"rad2deg", [](double x) { return x * 180 / kPi; }},
    UnaryFold{"radians", [](double x) { return x * kPi / 180; }},
    UnaryFold{"rint", [](double x) { return std::nearbyint(x); }},
    UnaryFold{"sign", [](double x) { return static_cast<double>((x > 0) - (x < 0)); }},
    UnaryFold{"sin", [](double x) { return std::sin(x); }},
    UnaryFold{"sinh", [](double x) { return std::sinh(x); }},
    UnaryFold{"sqrt", [](double x) { return std::sqrt(x); }},
    UnaryFold{"square", [](double x) { return x * x; }},
    UnaryFold{"tan", [](double x) { return std::tan(x); }},
    UnaryFold{"tanh", [](double x) { return std::tanh(x); }},
};
static_assert(std::ranges::is_sorted(kUnaryFolds, {}, &UnaryFold::name));

struct BinaryFold {
  std::string_view name;
  double (*apply)(double, double);
};

constexpr std::array kBinaryFolds = {
    BinaryFold{"add", [](double x, double y) { return x + y; }},
    BinaryFold{"arctan2", [](double x, double y) { return std::atan2(x, y); }},
    BinaryFold{"divide", [](double x, double y) { return x / y; }},
    BinaryFold{"hypot", [](double x, double y) { return std::hypot(x, y); }},
    BinaryFold{"maximum", [](double x, double y) { return std::max(x, y); }},
    BinaryFold{"minimum", [](double x, double y) { return std::min(x, y); }},
    BinaryFold{"multiply", [](double x, double y) { return x * y; }},
    BinaryFold{"power", [](double x, double y) { return std::pow(x, y); }},
    BinaryFold{"subtract", [](double x, double y) { return x - y; }},
};
static_assert(std::ranges::is_sorted(kBinaryFolds, {}, &BinaryFold::name));

void SetConstant(Value& value, double number) {
  if (!std::isfinite(number)) return;
  value.constant = true;
  value.number = number;
}

void Fold(const Call& call, Value& scalar) {
  const auto x = call.positional() > 0 ? ConstantNumber(&call.Positional(0)) : std::nullopt;
  if (!x) return;
  if (call.positional() == 1) {
    const auto fold = std::ranges::lower_bound(kUnaryFolds, call.name, {}, &UnaryFold::name);
    if (fold != kUnaryFolds.end() && fold->name == call.name) SetConstant(scalar, fold->apply(*x));
  } else if (const auto y = call.positional() == 2 ? ConstantNumber(&call.Positional(1)) : std::nullopt) {
    const auto fold = std::ranges::lower_bound(kBinaryFolds, call.name, {}, &BinaryFold::name);
    if (fold != kBinaryFolds.end() && fold->name == call.name) SetConstant(scalar, fold->apply(*x, *y));
  }
}

constexpr Arguments kNoArguments{};

// An operator as a call; `name` serves folding only.
Call OperatorCall(CallContext& context) {
  return {.context = context, .args = kNoArguments, .name = {}, .library = context.library};
}

UfuncRule RuleOf(ir::BinaryOp op) {
  switch (op) {
    case ir::BinaryOp::kDiv: return UfuncRule::kDivide;
    case ir::BinaryOp::kFloorDiv:
    case ir::BinaryOp::kMod:
    case ir::BinaryOp::kPow:
    case ir::BinaryOp::kLeftShift:
    case ir::BinaryOp::kRightShift: return UfuncRule::kNoBool;
    default: return UfuncRule::kPromote;
  }
}

// Each operand becomes a float by itself, before the floats are promoted: int8 and uint8 give float16.
ir::DType FloatOfAll(std::span<const Operand> operands, ir::DType common) {
  ir::DType dtype = ir::DType::kUnknown;
  for (const Operand& operand : operands) {
    if (operand.kind == Operand::Kind::kWeak) return ir::FloatResult(common);
    const ir::DType own = ir::FloatResult(operand.dtype);
    dtype = &operand == operands.data() ? own : ir::Promote(dtype, own);
  }
  return dtype;
}

// Objects of other libraries and of the program take the operator over.
bool TakesOver(Kind kind) { return kind == Kind::kForeign || kind == Kind::kInstance || kind == Kind::kFunction; }

}  // namespace

ir::DType UfuncDType(std::uint8_t rule, std::span<const Operand> operands) {
  const ir::DType common = CommonDType(operands);
  switch (static_cast<UfuncRule>(rule)) {
    case UfuncRule::kPromote: return common;
    case UfuncRule::kNoBool: return common == ir::DType::kBool ? ir::DType::kInt8 : common;
    case UfuncRule::kFloat: return FloatOfAll(operands, common);
    case UfuncRule::kDivide: return ir::TrueDivide(common, common);
    case UfuncRule::kBool: return ir::DType::kBool;
    case UfuncRule::kAbsolute: return ir::RealPart(common);
    case UfuncRule::kFloatPower: return ir::Promote(common, ir::DType::kFloat64);
    case UfuncRule::kUInt8: return ir::DType::kUInt8;
    case UfuncRule::kFirstFloat:
      return operands[0].kind == Operand::Kind::kWeak ? ir::DType::kUnknown : ir::FloatResult(operands[0].dtype);
  }
  return ir::DType::kUnknown;
}

std::optional<Value> Elementwise(const Call& call, std::span<const Operand> operands, ir::DType dtype) {
  switch (ElementwiseGives(operands)) {
    case Gives::kEither: return Unknown();
    case Gives::kScalar: {
      Value scalar = Scalar(dtype, call.library);
      Fold(call, scalar);
      return scalar;
    }
    case Gives::kArray: break;
  }
  Value value = Fresh(call, dtype, CommonShape(call.store(), operands), AnyUnbounded(operands));
  if (value.kind == Kind::kArray) value.evidence = StrongestEvidence(operands);
  return value;
}

std::optional<Value> Ufunc(const Call& call) {
  const std::size_t inputs = call.b & 0xf;
  if (auto out = OutArgument(call, inputs)) return out;
  std::array<Operand, 4> storage;
  for (std::size_t i = 0; i < inputs; ++i) storage[i] = OperandOf(call.context, call.Find(i, {}));
  const std::span<const Operand> operands(storage.data(), inputs);
  ir::DType dtype = UfuncDType(call.a, operands);
  if (static_cast<UfuncRule>(call.a) != UfuncRule::kBool) dtype = DTypeOr(call, 99, dtype);
  const std::size_t outputs = call.b >> 4;
  if (outputs <= 1) return Elementwise(call, operands, dtype);
  if (ElementwiseGives(operands) == Gives::kEither) return TupleOf(call, {Unknown(), Unknown()});
  const ShapeId shape = CommonShape(call.store(), operands);
  const auto part = [&](ir::DType part_dtype) {
    if (ElementwiseGives(operands) == Gives::kScalar) return Scalar(part_dtype, call.library);
    Value value = Part(call, part_dtype, shape, AnyUnbounded(operands));
    value.evidence = StrongestEvidence(operands);
    return value;
  };
  return TupleOf(call, {part(dtype), part(call.name == "frexp" ? ir::DType::kInt32 : dtype)});
}

std::optional<Value> UfuncMethod(const Call& call, std::string_view, std::string_view method) {
  const auto rule = static_cast<UfuncRule>(call.a);
  if (method == "at") return Of(Kind::kNone);
  if (method == "outer") {
    const Operand left = OperandOf(call.context, call.Find(0, "A"));
    const Operand right = OperandOf(call.context, call.Find(1, "B"));
    const std::array operands = {left, right};
    ShapeId shape;
    if (left.shape.valid() && right.shape.valid()) {
      DimList dims(call.store().Get(left.shape));
      dims.Append(call.store().Get(right.shape));
      shape = dims.Intern(call.store());
    }
    return Fresh(call, DTypeOr(call, 99, UfuncDType(call.a, operands)), shape, AnyUnbounded(operands));
  }
  const Operand operand = OperandOf(call.context, call.Find(0, "array"));
  const int rank = RankOf(call.store(), operand.shape);
  const bool sums = call.name == "add" || call.name == "multiply";
  ir::DType dtype = sums ? SumDType(operand.dtype) : UfuncDType(call.a, std::array{operand});
  if (rule == UfuncRule::kBool) dtype = ir::DType::kBool;
  if (method == "reduce") {
    if (auto out = OutArgument(call, 3)) return out;
    dtype = DTypeOr(call, 2, dtype);
    Axes axes = AxesOf(call, 1, "axis", rank);
    if (call.Find(1, "axis") == nullptr && !call.args.has_star) {
      axes.kind = rank > 0 ? Axes::Kind::kKnown : Axes::Kind::kOneUnknown;  // the default is axis 0, not all
      axes.mask = 1;
      axes.count = 1;
    }
    const Value* keep = call.Given(4, "keepdims");
    const auto keep_dims = keep == nullptr ? std::optional(false) : ConstantBool(keep);
    return Fresh(call, dtype, ReducedShape(call, operand, axes, keep_dims), operand.unbounded);
  }
  if (method == "accumulate") {
    if (auto out = OutArgument(call, 3)) return out;
    return Fresh(call, DTypeOr(call, 2, dtype), operand.shape, operand.unbounded);
  }
  return FreshWithRank(call, DTypeOr(call, 3, dtype), rank);
}

}  // namespace cpnlint::analysis::model

namespace cpnlint::analysis {

using model::Operand;
using model::OperandOf;

Value ResultOfBinary(CallContext& context, ir::BinaryOp op, const Value& left, const Value& right) {
  if (model::TakesOver(left.kind) || model::TakesOver(right.kind)) return Unknown();
  const std::array operands = {OperandOf(context, left), OperandOf(context, right)};
  const model::Call call = model::OperatorCall(context);
  if (op == ir::BinaryOp::kMatMul) {
    Value value = model::MatMul(call, operands[0], operands[1]);
    if (value.kind == Kind::kArray) value.evidence = model::StrongestEvidence(operands);
    return value;
  }
  const ir::DType dtype = model::UfuncDType(static_cast<std::uint8_t>(model::RuleOf(op)), operands);
  return *model::Elementwise(call, operands, dtype);
}

Value ResultOfInplace(CallContext& context, ir::BinaryOp op, const Value& target, const Value& right) {
  if (target.kind != Kind::kArray) return ResultOfBinary(context, op, target, right);
  if (model::RankOf(context.store, target.shape) != 0) return target;
  // NumPy's 0-d results are immutable scalars: `s += x` makes a new value.
  Value value = ResultOfBinary(context, op, target, right);
  if (value.kind == Kind::kArray && Rank(context.store, right) == 0) {
    value.root = target.root;
    value.device_root = target.device_root;
  }
  return value;
}

Value ResultOfUnary(CallContext& context, ir::UnaryOp op, const Value& operand) {
  const std::array operands = {OperandOf(context, operand)};
  if (operands[0].kind != Operand::Kind::kArray && operands[0].kind != Operand::Kind::kScalar) return Unknown();
  Value value = *model::Elementwise(model::OperatorCall(context), operands, operands[0].dtype);
  if (value.kind == Kind::kNumpyScalar && operand.constant && op != ir::UnaryOp::kInvert) {
    model::SetConstant(value, op == ir::UnaryOp::kNegative ? -operand.number : operand.number);
  }
  return value;
}

Value ResultOfCompare(CallContext& context, ir::CompareOp op, const Value& left, const Value& right) {
  if (op >= ir::CompareOp::kIs) return Of(Kind::kBool);
  if (model::TakesOver(left.kind) || model::TakesOver(right.kind)) return Unknown();
  const std::array operands = {OperandOf(context, left), OperandOf(context, right)};
  // Against None or a string the array is compared element by element.
  const bool left_other = operands[0].kind == Operand::Kind::kOther;
  const bool right_other = operands[1].kind == Operand::Kind::kOther;
  const std::span<const Operand> all(operands);
  const auto compared = left_other ? all.last(1) : right_other ? all.first(1) : all;
  return *model::Elementwise(model::OperatorCall(context), compared, ir::DType::kBool);
}

}  // namespace cpnlint::analysis
