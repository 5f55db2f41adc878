#pragma once

// Loops that draw until enough of the draws are kept.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `while kept < n: x = rng.uniform(size=2 * n); ...`: each pass draws as many as are wanted in all, or are still
// missing, so a few passes do.
[[nodiscard]] bool DrawsAllAtOnce(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::analysis
