#pragma once

// Parts of arrays that a loop hands out and does nothing else with.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `out[key] = table[i]`, `rows.append((name, table[i]))`: the view that the subscript gives goes into a dictionary, or
// into a list of which no array is made, on each pass of the loop, and nothing computes with it. A view is no task.
[[nodiscard]] bool IsPutAway(const Facts& facts, ir::ValueId subscript, ir::LoopId loop);

}  // namespace cpnlint::analysis
