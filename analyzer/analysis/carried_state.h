#pragma once

// Arrays that the functions which a loop calls change on each pass and go on from on the next one.

#include <span>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `q[t] = bucket.step(p[t])` with `self.level += p` and a result made of `self.level`; `q[t] = step(level, p[t])` with
// `level += p`. What is only added up is no state: the order of sums does not matter. `ops` are those of the loop.
[[nodiscard]] bool CarriesState(const Facts& facts, ir::LoopId loop, std::span<const ir::ValueId> ops);

}  // namespace cpnlint::analysis
