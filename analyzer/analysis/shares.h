#pragma once

// What ranges count: by one, objects, parts of a whole.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// Gives about as much as it is handed: `int(x)`, `math.ceil(x)`.
[[nodiscard]] bool IsRounding(const Callee& callee);

// `range(n)` of `for i in range(n)` and `for i, x in enumerate(range(n))`; None() for other iterables.
[[nodiscard]] ir::ValueId RangeOf(const Facts& facts, ir::ValueId iterable);

// The loop counts by `range(n)` or `range(a, n)`, with no step that is given.
[[nodiscard]] bool CountsByOne(const Facts& facts, ir::LoopId loop);

// `range(len(objects))`: the counter walks what it was made from, unless that is an array. `range` is the call.
[[nodiscard]] bool CountsObjects(const Facts& facts, ir::ValueId range);

// The least that a number where a range begins or ends can be: a constant, a counter of a loop and what stands above
// it.
[[nodiscard]] std::optional<std::int64_t> LeastOfCounter(const Facts& facts, ir::ValueId id);

// `parts` of `range(0, n, n // parts)` and `range(0, n, max(1, int(n / parts)))`; None() for other ranges. Such a range
// has one item for each part, and one for the rest.
[[nodiscard]] ir::ValueId PartsOf(const Facts& facts, ir::ValueId range);

}  // namespace cpnlint::analysis
