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

}  // namespace cpnlint::rules::match
