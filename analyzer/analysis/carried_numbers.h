#pragma once

// Numbers that each pass of a loop makes from those of the pass before.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `level = 0.9 * level + x`: a number of the device goes from pass to pass through more than a sum or a product, so no
// reduction or scan of NumPy gives the same.
[[nodiscard]] bool CarriesNumber(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::analysis
