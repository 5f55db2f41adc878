#pragma once

// How many tuples itertools makes of some items.

#include <cstdint>
#include <optional>
#include <string_view>

namespace cpnlint::analysis {

[[nodiscard]] constexpr bool MakesChoices(std::string_view name) {
  return name == "itertools.combinations" || name == "itertools.permutations" ||
         name == "itertools.combinations_with_replacement";
}

// Of `count` items `taken` at a time; nullopt for numbers too large to matter.
[[nodiscard]] constexpr std::optional<std::int64_t> ChoicesOf(std::string_view name, std::int64_t count,
                                                              std::int64_t taken) {
  constexpr std::int64_t kMostItems = 64, kMostTaken = 6;
  if (count < 0 || taken < 0 || count > kMostItems || taken > kMostTaken) return std::nullopt;
  const bool again = name == "itertools.combinations_with_replacement";
  const bool ordered = name == "itertools.permutations";
  const std::int64_t from = again && count > 0 ? count + taken - 1 : count;
  std::int64_t choices = 1;
  for (std::int64_t i = 0; i < taken; ++i) {
    choices *= from > i ? from - i : 0;
    if (!ordered) choices /= i + 1;
  }
  return choices;
}

}  // namespace cpnlint::analysis
