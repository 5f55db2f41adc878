#pragma once

// Rewrites for help texts: pieces of the user's own source put together anew. Nothing here is applied by itself.

#include <optional>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// `q[j] = q[j] - k * q[j] * e[j]` without its index: `q = q - k * q * e`, written into the storage of `q`. Offered
// where the loop's body (or that of a perfect nest around it) is this one statement and every array in it is indexed by
// the bare counters; nullopt elsewhere.
[[nodiscard]] std::optional<Text> WithoutIndex(const Facts& facts, ir::LoopId loop);

// The source of `whole` in which each of `cuts` (sorted, disjoint, inside of it) is replaced by its text.
struct Cut {
  Span span;
  Text replacement;
};
[[nodiscard]] Text Replace(Span whole, const std::vector<Cut>& cuts);

}  // namespace cpnlint::rules::match
