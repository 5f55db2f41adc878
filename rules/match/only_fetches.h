#pragma once

// Loops that take numbers out of arrays for Python alone: tables that are printed, lines that are written.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// `for i in range(n): print(x[i], 100 * y[i])`: each number that the loop reads becomes text, and nothing else. No form
// over whole arrays would help; one copy of the array before the loop does. Of a loop of R101's kinds.
[[nodiscard]] bool OnlyFetches(const Facts& facts, const analysis::LoopFact& fact);

}  // namespace cpnlint::rules::match
