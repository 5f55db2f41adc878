#pragma once

// Symmetric matrices: loops over all pairs that look whether one is, and what is made to be one.

#include <optional>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// `if not np.array_equal(c, c.T): raise ...` for `for i in range(n): for j in range(i): if c[i, j] != c[j, i]: raise
// ...`, with the words around it; nullopt where the nest does anything else.
[[nodiscard]] std::optional<Text> InsteadOfSymmetryTest(const Facts& facts, ir::LoopId loop);

// `0.5 * (a + a.T)`, `a @ a.conj().T`: what is computed here is a Hermitian matrix, by how it is written.
[[nodiscard]] bool IsMadeHermitian(const Facts& facts, ir::ValueId matrix);

}  // namespace cpnlint::rules::match
