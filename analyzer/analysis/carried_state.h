#pragma once

// Arrays that a loop, or a function which it calls, changes on each pass and goes on from on the next one.

#include <span>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `q[t] = bucket.step(p[t])` with `self.level += p` and a result made of `self.level`; `q[t] = step(level, p[t])` with
// `level += p`; `self.level = 0.9 * self.level + p[t]` in the loop itself. What is only added up is no state: the order
// of sums does not matter. `ops` are those of the loop.
[[nodiscard]] bool CarriesState(const Facts& facts, ir::LoopId loop, std::span<const ir::ValueId> ops);

// `path.append(path[i] + noise[i])`, `path.append(step(path[-1]))`: arrays that each trip makes of earlier ones.
[[nodiscard]] bool CarriesList(const Facts& facts, ir::LoopId loop, std::span<const ir::ValueId> ops);

// `p = remaining.pop()`: what later trips find depends on what earlier ones took.
[[nodiscard]] bool TakesFromList(const Facts& facts, ir::LoopId loop, std::span<const ir::ValueId> ops);

}  // namespace cpnlint::analysis
