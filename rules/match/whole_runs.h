#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// `record = model.run(k); total += np.sum((record - data[k]) ** 2)`: each pass calls a function that makes many steps
// on arrays of its own, and the rows that the loop picks are no part of that. The loop goes over cases (an item loop of
// rules.md A.5): the work on a row is little beside that of its run.
[[nodiscard]] bool RowsGoBesideRuns(const analysis::Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::rules::match
