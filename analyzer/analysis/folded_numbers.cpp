// Numbers that are the same in every run: `np.sqrt(n)` of a known n is one, too, where Python takes it out of its
// array.

#include <cmath>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

constexpr double kMost = 9e15;  // beyond it not every integer is a double

std::optional<double> Applied(std::string_view function, double x) {
  if (function == "ceil") return std::ceil(x);
  if (function == "floor" || function == "trunc") return function == "floor" ? std::floor(x) : std::trunc(x);
  if (function == "exp") return std::exp(x);
  if (IsOneOf(function, {"rint", "round", "around"})) return std::nearbyint(x);
  if (x < 0) return std::nullopt;
  if (function == "sqrt") return std::sqrt(x);
  if (x == 0) return std::nullopt;
  if (function == "log") return std::log(x);
  if (function == "log2") return std::log2(x);
  if (function == "log10") return std::log10(x);
  return std::nullopt;
}

std::optional<double> Applied(ir::BinaryOp op, double x, double y) {
  switch (op) {
    case ir::BinaryOp::kAdd: return x + y;
    case ir::BinaryOp::kSub: return x - y;
    case ir::BinaryOp::kMul: return x * y;
    case ir::BinaryOp::kDiv: return y == 0 ? std::nullopt : std::optional(x / y);
    case ir::BinaryOp::kFloorDiv: return y == 0 ? std::nullopt : std::optional(std::floor(x / y));
    case ir::BinaryOp::kPow: return x <= 0 ? std::nullopt : std::optional(std::pow(x, y));
    default: return std::nullopt;
  }
}

std::optional<double> FoldedFunction(std::string_view name, double x) {
  for (const std::string_view library : {"math.", "numpy."}) {
    if (name.starts_with(library)) return Applied(name.substr(library.size()), x);
  }
  return std::nullopt;
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
std::optional<double> Engine::FoldedNumber(ir::ValueId id, ir::ValueId reader, int depth) {
  constexpr int kDeepest = 6;
  if (!id.valid() || depth > kDeepest) return std::nullopt;
  if (id != reader) {
    WatchValue(id, reader);
    const Value& value = Of(id);
    if (value.constant && IsNumber(value.kind))
      return std::abs(value.number) < kMost ? std::optional(value.number) : std::nullopt;
  }
  const ir::Op& op = program_.ops[id];
  std::optional<double> number;
  if (op.kind == ir::OpKind::kBinary) {
    const auto left = FoldedNumber(program_.Operand(id, 0), reader, depth + 1);
    const auto right = left ? FoldedNumber(program_.Operand(id, 1), reader, depth + 1) : std::nullopt;
    if (right) number = Applied(static_cast<ir::BinaryOp>(op.detail), *left, *right);
  } else if (op.kind == ir::OpKind::kCall && program_.Operands(id).size() == 2) {
    const Value callee = Of(program_.Operand(id, 0));
    const auto argument =
        callee.kind == Kind::kApi ? FoldedNumber(program_.Operand(id, 1), reader, depth + 1) : std::nullopt;
    if (argument) number = FoldedFunction(impl_.names.Text(callee.name), *argument);
  }
  return number && std::abs(*number) < kMost ? number : std::nullopt;
}

}  // namespace cpnlint::analysis
