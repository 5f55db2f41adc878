#pragma once

#include <cstddef>

#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// `if u0 is None: u0 = np.zeros(n)`, `rng = rng or np.random.default_rng()`: the join's operand at `index` is a
// parameter that is None by default, and every other operand comes from where it was found to be None.
[[nodiscard]] bool IsReplacedDefault(const ir::Program& program, const ir::Op& phi, std::size_t index);

}  // namespace cpnlint::analysis
