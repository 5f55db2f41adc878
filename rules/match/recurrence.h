#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// Whether what the op computes on one pass of `loop` may be what it computes with on a later one: through variables,
// through arrays and attributes that the loop writes. True where that cannot be excluded.
[[nodiscard]] bool MayFeedItself(const analysis::Facts& facts, ir::ValueId op, ir::LoopId loop);

}  // namespace cpnlint::rules::match
