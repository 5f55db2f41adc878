#pragma once

// Sequences whose entries become the axes of an array: the parts of `np.meshgrid(*parts)`, the numbers of a shape, the
// keys of a subscript.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The sequence, or what is made of each of its entries, is used so. `by_usage`: also where the work multiplies with
// each entry, as that of `itertools.product(*lists)`.
[[nodiscard]] bool BecomesAxes(const Facts& facts, ir::ValueId sequence, bool by_usage);
// ... or what the loop collects, one entry on each pass.
[[nodiscard]] bool CollectsAxes(const Facts& facts, ir::LoopId loop, bool by_usage);

}  // namespace cpnlint::analysis
