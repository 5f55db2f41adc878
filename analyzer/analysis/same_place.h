#pragma once

// Whether two expressions of one function name the same thing, as far as their words tell.

#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// The same name, attribute, item or slice, or the same computed of such: `grid.ny + 2` here and there. What is stored
// between the two nobody looks at.
[[nodiscard]] bool IsSamePlace(const ir::Program& program, ir::ValueId a, ir::ValueId b);

}  // namespace cpnlint::analysis
