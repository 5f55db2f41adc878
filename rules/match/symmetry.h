#pragma once

// Loops over all pairs of a matrix that look whether it is symmetric.

#include <optional>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// `if not np.array_equal(c, c.T): raise ...` for `for i in range(n): for j in range(i): if c[i, j] != c[j, i]: raise
// ...`, with the words around it; nullopt where the nest does anything else.
[[nodiscard]] std::optional<Text> InsteadOfSymmetryTest(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::rules::match
