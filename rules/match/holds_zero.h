#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// Some element of the array is zero, or False, by the way it was made: `arange` and grids from 0, `zeros`, `eye`, a
// comparison, and what keeps zeros of these (`astype`, `reshape`, products).
[[nodiscard]] bool HoldsZero(const analysis::Facts& facts, ir::ValueId array);

// `test` is `array == 0` or `array != 0`, or the like, of this very array.
[[nodiscard]] bool TestsForZero(const analysis::Facts& facts, ir::ValueId test, ir::ValueId array);

}  // namespace cpnlint::rules::match
