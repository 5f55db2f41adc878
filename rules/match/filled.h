#pragma once

// Code of the tables with the user's words in it.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// What stands for a name of the code; empty where the user gives nothing.
struct Filling {
  std::string_view name;
  Span words;
};

// `np.max(x, axis) - np.min(x, axis)` with x and axis filled in, in parentheses where it is no single call. A name
// without words is left out with its comma, and with its keyword in `keepdims=keepdims`; nullopt where that cannot be
// done.
[[nodiscard]] std::optional<Text> Filled(std::string_view code, std::span<const Filling> fillings);

// Takes what would be long to repeat, or too long to quote, out of the fillings: the code keeps the names, with `_`
// behind them, and the result says what they are, `y_ = x * y + np.sin(x)`.
[[nodiscard]] Text NameLong(std::string& code, std::vector<Filling>& fillings);

// `a is symmetric` with the user's words for a, in backticks.
[[nodiscard]] Text FilledWords(std::string_view words, std::span<const Filling> fillings);

}  // namespace cpnlint::rules::match
