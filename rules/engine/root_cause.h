#pragma once

// One cause, one finding (rules.md A.7). What follows from a cause becomes a label of it.

#include <vector>

#include "rules/engine/rule.h"

namespace cpnlint::rules {

// A.7.1 to A.7.5: of several findings on one expression, one value or one loop nest, the one that names the cause. A
// finding of lower confidence never hides one of higher confidence.
[[nodiscard]] std::vector<Finding> KeepCauses(const Facts& facts, std::vector<Finding> found);

// A.7.6: findings of one rule in one function, on one array, in one hot region become one with further sites. Sorted
// by position, then rule.
[[nodiscard]] std::vector<Finding> MergeIdentical(const Facts& facts, std::vector<Finding> found);

}  // namespace cpnlint::rules
