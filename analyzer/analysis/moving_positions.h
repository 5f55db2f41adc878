#pragma once

// Positions that change from pass to pass although no counter gives them: drawn by Python, or carried on.

#include <span>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `counts[random.randrange(n)] += 1`, `x = (7 * x + 1) % n; visits[x, y] += 1`: the store puts one entry at a position
// that the loop itself binds anew on each pass.
[[nodiscard]] bool MovesByItself(const Facts& facts, ir::ValueId store, ir::LoopId loop);

// Some of the ops computes with a whole array or a part of one: what a pass of their loop is for.
[[nodiscard]] bool AnyWorksOnWhole(const Facts& facts, std::span<const ir::ValueId> ops);

}  // namespace cpnlint::analysis
