// Elementwise functions that are no ufuncs, and a few of their one-dimensional kin.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

std::optional<Value> Clip(const Call& call) {
  if (auto out = OutArgument(call, 3)) return out;
  std::array<Operand, 3> operands = {OperandOf(call.context, call.Find(0, "a"))};
  std::size_t count = 1;
  for (std::size_t i = 1; i < 3; ++i) {
    const Value* bound = call.Given(i, i == 1 ? "a_min" : "a_max");
    if (bound == nullptr) bound = call.Given(99, i == 1 ? "min" : "max");
    if (bound != nullptr) operands[count++] = OperandOf(call.context, *bound);
  }
  const std::span<const Operand> used(operands.data(), count);
  if (operands[0].kind != Operand::Kind::kArray || call.args.has_star)
    return Elementwise(call, used, CommonDType(used));
  // Bounds of an array are numbers where nothing is known of them: arrays as bounds have its shape.
  for (std::size_t i = 1; i < count; ++i) {
    if (operands[i].kind == Operand::Kind::kUnknown) operands[i].shape = operands[0].shape;
  }
  return Elementwise(call, used, DTypeOr(call, 99, CommonDType(used)));
}

std::optional<Value> Round(const Call& call) {
  if (auto out = OutArgument(call, 2)) return out;
  const std::array operands = {OperandOf(call.context, call.Find(0, "a"))};
  const ir::DType dtype = CommonDType(operands);
  return Elementwise(call, operands, dtype == ir::DType::kBool ? ir::DType::kFloat16 : dtype);
}

std::optional<Value> OneInput(const Call& call) {
  const Value* base = call.Find(0, "x");
  const std::array operands = {OperandOf(call.context, base)};
  if (call.name == "nan_to_num" && base != nullptr && base->kind == Kind::kArray) {
    const Value* copy = call.Given(1, "copy");
    if (copy != nullptr && ConstantBool(copy) == false) return *base;
  }
  ir::DType dtype = UfuncDType(call.a, operands);
  if (call.name == "angle") dtype = ir::RealPart(dtype);
  if (call.name == "sinc" || call.name == "i0") dtype = MeanDType(CommonDType(operands));
  return Elementwise(call, operands, dtype);
}

std::optional<Value> IsClose(const Call& call) {
  const std::array operands = {OperandOf(call.context, call.Find(0, "a")), OperandOf(call.context, call.Find(1, "b"))};
  return Elementwise(call, operands, ir::DType::kBool);
}

std::optional<Value> Interp(const Call& call) {
  const std::array x = {OperandOf(call.context, call.Find(0, "x"))};
  const Operand fp = OperandOf(call.context, call.Find(2, "fp"));
  const ir::DType dtype = fp.dtype == ir::DType::kUnknown ? fp.dtype
                          : ir::IsComplex(fp.dtype)       ? ir::DType::kComplex128
                                                          : ir::DType::kFloat64;
  return Elementwise(call, x, dtype);
}

std::optional<Value> PolyVal(const Call& call) {
  const Operand p = OperandOf(call.context, call.Find(0, "p"));
  const std::array x = {OperandOf(call.context, call.Find(1, "x"))};
  return Elementwise(call, x, CommonDType(std::array{p, x[0]}));
}

std::optional<Value> Piecewise(const Call& call) {
  const std::array x = {OperandOf(call.context, call.Find(0, "x"))};
  return Elementwise(call, x, CommonDType(x));
}

std::optional<Value> Unwrap(const Call& call) {
  const std::array p = {OperandOf(call.context, call.Find(0, "p"))};
  return Elementwise(call, p, MeanDType(CommonDType(p)));
}

std::optional<Value> Cross(const Call& call) {
  const std::array operands = {OperandOf(call.context, call.Find(0, "a")), OperandOf(call.context, call.Find(1, "b"))};
  ShapeId shape = CommonShape(call.store(), operands);
  const auto is_plane = [&](const Operand& operand) {
    const int rank = RankOf(call.store(), operand.shape);
    return rank >= 1 && call.dims().AsConst(call.store().Get(operand.shape).back()) == 2;
  };
  const int rank = RankOf(call.store(), shape);
  const bool axes = call.Has(2, "axisa") || call.Has(3, "axisb") || call.Has(4, "axisc") || call.Has(5, "axis");
  if (axes) {
    shape = UnknownExtents(call.store(), rank);
  } else if (is_plane(operands[0]) && is_plane(operands[1]) && rank >= 1) {
    DimList dims(call.store().Get(shape));
    dims.Erase(dims.size() - 1);
    shape = dims.Intern(call.store());
  } else if (rank >= 1) {
    DimList dims(call.store().Get(shape));
    dims[dims.size() - 1] = call.dims().Const(3);
    shape = dims.Intern(call.store());
  }
  return Fresh(call, CommonDType(operands), shape, AnyUnbounded(operands));
}

std::optional<Value> Convolve(const Call& call) {
  const std::array operands = {OperandOf(call.context, call.Find(0, "a")), OperandOf(call.context, call.Find(1, "v"))};
  const ir::DType dtype = CommonDType(operands);
  ir::DimStore& dims = call.dims();
  std::string_view mode = call.a == 1 ? "valid" : "full";
  if (const Value* given = call.Given(2, "mode")) mode = call.Text(*given);
  if (RankOf(call.store(), operands[0].shape) > 1) return Fresh(call, dtype, operands[0].shape);
  const ir::DimId a = VolumeOf(call.store(), operands[0].shape), v = VolumeOf(call.store(), operands[1].shape);
  ir::DimId length;
  if (mode == "full") length = dims.Sub(dims.Add(a, v), dims.Const(1));
  if (mode == "same") length = dims.Max(a, v);
  if (mode == "valid") length = dims.Add(dims.Sub(dims.Max(a, v), dims.Min(a, v)), dims.Const(1));
  return Fresh(call, dtype, call.store().Intern(std::array{length}), AnyUnbounded(operands));
}

std::optional<Value> Fit(const Call& call) {
  if (call.Has(4, "full") || call.Has(6, "cov")) return Unknown();
  const Operand y = OperandOf(call.context, call.Find(1, "y"));
  const Value* degree = call.Find(2, "deg");
  const bool number = degree != nullptr && degree->kind == Kind::kInt;
  const ir::DimId length = call.dims().Add(number ? degree->dim : ir::DimId::None(), call.dims().Const(1));
  if (RankOf(call.store(), y.shape) == 1) {
    return Fresh(call, ir::DType::kFloat64, call.store().Intern(std::array{length}));
  }
  return Fresh(call, ir::DType::kFloat64, ShapeId::None());
}

}  // namespace cpnlint::analysis::model
