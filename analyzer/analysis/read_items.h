#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// Some pass looks at the item of the array that the loop walks. `for i, _ in enumerate(x)` and `for _ in x` only count:
// nothing is done with an item, and nothing waits for one. True where that is not seen.
[[nodiscard]] bool ReadsItems(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::analysis
