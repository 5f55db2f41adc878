#pragma once

// Loops that end by a flag: `while not_found:` with `not_found = False` in one arm of a test.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// Some way through the loop's body from the block leads to another trip, given what flags are set on it to constants.
[[nodiscard]] bool ComesAround(const Facts& facts, ir::BlockId block, ir::LoopId loop);

}  // namespace cpnlint::analysis
