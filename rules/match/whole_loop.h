#pragma once

// Loops over elements, written as one statement over whole arrays.

#include <optional>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// `q[j] = q[j] - k * q[j] * e[j]` without its counter: `q[:] = q - k * q * e`; `b[i] = a[i - 1] + a[i + 1]` over
// `range(1, n - 1)` as `b[1:-1] = a[:-2] + a[2:]`. The statement does what the loop does: it is given only where the
// body (or that of a perfect nest) is this one statement, the counters do nothing but select elements, no trip reads
// what another one writes, and the ends of each range are known against the extents. nullopt elsewhere.
[[nodiscard]] std::optional<Text> WithoutIndex(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::rules::match
