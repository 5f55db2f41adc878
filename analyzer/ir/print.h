#pragma once

#include <string>
#include <string_view>

#include "analyzer/ir/program.h"

namespace cpnlint::ir {

// The IR of a module as text, for `inspect ir` and golden files. One function after the other, each numbered for
// itself, so that a change in one leaves the others' lines alone. `text` is the module's source: positions are then
// `line:column` (bytes, from 1); where it is empty they are byte offsets.
[[nodiscard]] std::string Print(const Program& program, ModuleId module, std::string_view text);

// One function of it, without the module's head.
[[nodiscard]] std::string PrintFunction(const Program& program, FunctionId function, std::string_view text);

}  // namespace cpnlint::ir
