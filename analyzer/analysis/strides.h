#pragma once

// Steps of slices that loops tell something of.

#include <cstdint>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The step of a slice, or of the `slice(...)` that made the key; None() where none is given.
[[nodiscard]] ir::ValueId StepOfKey(const Facts& facts, ir::ValueId key);

// The step that a slice is given as a number, `2 * p` with the counter of `for p in range(2, n)`, is at least 2.
[[nodiscard]] bool StepIsLarge(const Facts& facts, ir::ValueId step);

// `a[i::n]` of `for i in range(n)`: no step is smaller than the number of passes, so where the loop repeats it is
// none of 1. The loop: the one that the key stands in, or one around it; None() where there is none.
[[nodiscard]] ir::LoopId LoopThatStepCounts(const Facts& facts, ir::ValueId key);

// The access takes every n-th entry where `loop` makes n passes, or has a larger n on each of them: entries from all
// over the array, and no item of it.
[[nodiscard]] bool TakesShare(const Facts& facts, ir::ValueId access, ir::LoopId loop);

}  // namespace cpnlint::analysis
