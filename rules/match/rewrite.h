#pragma once

// Rewrites for help texts: pieces of the user's own source put together anew. Nothing here is applied by itself.

#include <string_view>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

// What an operator asks of the code to its left and to its right.
[[nodiscard]] Binding LeftOf(ir::BinaryOp op);
[[nodiscard]] Binding RightOf(ir::BinaryOp op);

// The source of `whole` in which each of `cuts` (sorted, disjoint, inside of it) is replaced by its text.
struct Cut {
  Span span;
  Text replacement;
};
[[nodiscard]] Text Replace(Span whole, const std::vector<Cut>& cuts);

// `a` where the array is written `a.T`; empty elsewhere.
[[nodiscard]] Span Untransposed(const Facts& facts, ir::ValueId array, Span words);

// None of the user's words in it is too long to be shown whole.
[[nodiscard]] bool IsShownWhole(const Text& code);

// The call with something appended to the array that it works on: `np.var(q.astype(np.float64), axis=0)`.
[[nodiscard]] Text WithArray(const Facts& facts, const DeviceCall& call, std::string_view appended);

}  // namespace cpnlint::rules::match
