#pragma once

// Code that stands for the call of a missing name, made for that very call and in the user's words.

#include <optional>
#include <string_view>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

struct StandIn {
  std::optional<Text> code;  // nullopt where the name is not called, or is with more than the code has a place for
  Text when;                 // what has to hold for it
  Text names;                // what the code's own names are: `y_ = x * y`
  bool none = false;         // nothing is known for a call like this, whatever the table has for others
};

// `op` asks for the row's name, `of_array` as a method of an array.
[[nodiscard]] StandIn StandInFor(const Facts& facts, ir::ValueId op, const api::Entry& row, bool of_array);

// The keyword of the call that the row's code has no place for and says nothing of; empty where there is none.
[[nodiscard]] std::string_view KeywordWithoutPlace(const Facts& facts, ir::ValueId op, const api::Entry& row);

// `def std(x, axis=None): return np.sqrt(...)` where the function itself is handed over, not called.
[[nodiscard]] std::optional<Text> AsFunction(const Facts& facts, ir::ValueId op, const api::Entry& row);

// `rng.random((n, m))` for `rng.rand(n, m)`: what a Generator has in the place of a RandomState's method.
[[nodiscard]] StandIn OfGenerator(const Facts& facts, ir::ValueId op, const api::Entry& row);

}  // namespace cpnlint::rules::match
