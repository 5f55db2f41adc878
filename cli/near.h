#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpnlint::cli {

// The candidates that a mistyped word may have meant, nearest first, at most three; empty where none is near.
[[nodiscard]] std::vector<std::string> Near(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean `a` or `b`?", or nothing.
[[nodiscard]] std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace cpnlint::cli
