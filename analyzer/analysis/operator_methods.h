#pragma once

// The methods that operators call: `a + b` is `a.__add__(b)`, or `b.__radd__(a)` where a has none.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// By ir::BinaryOp, without their underscores.
inline constexpr auto kOperatorMethods = std::to_array<std::string_view>(
    {"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and", "or", "xor"});

// `__add__`
[[nodiscard]] inline std::string OperatorMethod(std::uint8_t op) {
  return "__" + std::string(kOperatorMethods[op]) + "__";
}
// `__radd__`
[[nodiscard]] inline std::string ReflectedMethod(std::uint8_t op) {
  return "__r" + std::string(kOperatorMethods[op]) + "__";
}

// The operand whose method of that name a binary operator calls.
[[nodiscard]] inline ir::ValueId OperandWithMethod(const ir::Program& program, ir::ValueId binary,
                                                   std::string_view method) {
  return program.Operand(binary, method == ReflectedMethod(program.ops[binary].detail) ? 1 : 0);
}

}  // namespace cpnlint::analysis
