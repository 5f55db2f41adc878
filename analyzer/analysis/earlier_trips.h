#pragma once

// Keys that name what earlier trips of a loop wrote.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `i - p` against `i` where a loop inside of `loop` counts p up from 1, and `i - p - 1`.
[[nodiscard]] bool IsBefore(const Facts& facts, ir::LoopId loop, ir::ValueId earlier, ir::ValueId later);

// The counter of a loop inside of `loop` that runs up to where this one is: `for j in range(i)`.
[[nodiscard]] bool CountsUpTo(const Facts& facts, ir::LoopId loop, ir::ValueId key);

}  // namespace cpnlint::analysis
