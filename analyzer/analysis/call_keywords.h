#pragma once

// The argument of a call that its keyword names.

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// Which operand of the call it is; nullopt where the call does not name it.
[[nodiscard]] inline std::optional<std::uint32_t> KeywordOperand(const ir::Program& program, ir::ValueId call,
                                                                 std::string_view keyword) {
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    if (shape.keywords[i].valid() && program.names.Text(shape.keywords[i]) == keyword)
      return static_cast<std::uint32_t>(1 + shape.positional + i);
  }
  return std::nullopt;
}

// None() where the call does not name it.
[[nodiscard]] inline ir::ValueId ArgumentNamed(const ir::Program& program, ir::ValueId call, std::string_view keyword) {
  const std::optional<std::uint32_t> operand = KeywordOperand(program, call, keyword);
  return operand ? program.Operand(call, *operand) : ir::ValueId::None();
}

}  // namespace cpnlint::analysis
