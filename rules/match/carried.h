#pragma once

// What goes from trip to trip of a loop, so that the trips keep their order.

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The array of which a trip reads what another one writes: `A[i, j] -= A[i, :j] @ A[:j, j]`, `x[i] = x[p[i]]`. Empty
// where there is none.
[[nodiscard]] Span CarriedArray(const analysis::Facts& facts, ir::LoopId loop);

// `w` of `e[k] = x[k] - w @ u; w = w + e[k] * u`, `level` of `level = 0.9 * level + x[k]`: a variable that a trip makes
// of what the one before left, other than a running sum or product that no trip reads. Empty where there is none.
[[nodiscard]] Span CarriedVariable(const analysis::Facts& facts, ir::LoopId loop);

// One of the two goes on in an element loop that no whole-array expression takes the place of (R101).
[[nodiscard]] bool KeepsItsOrder(const analysis::Facts& facts, ir::LoopId loop);

// An element loop whose passes do not need each other: none reads or writes what another one writes, as far as every
// subscript in it shows, and no variable goes from pass to pass but sums. `r[x, y] = 0.5 * r[x - 1, y - 1]` over x.
[[nodiscard]] bool PassesAreFree(const analysis::Facts& facts, ir::LoopId loop);

// The loop over x in `for y in range(1, n): for x in range(m): r[x, y] = 0.5 * r[x, y - 1]`: the passes of `outer` need
// each other, and the loop directly in it that does their work has free ones. None() where that is not so.
[[nodiscard]] ir::LoopId FreeLoopInside(const analysis::Facts& facts, ir::LoopId outer);

}  // namespace cpnlint::rules::match
