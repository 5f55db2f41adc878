#pragma once

// Rewrites that several rules share: one text for help lines, `cpnlint explain RR-loop`, documentation and hover.

#include <span>
#include <string_view>

namespace cpnlint::rules {

struct Recipe {
  std::string_view name;    // "RR-loop"
  std::string_view title;   // "element loop to whole-array expression"
  std::string_view advice;  // one line, what to write; stands behind "help:" where a rule has nothing more particular
  std::string_view needs;   // Markdown: what must hold for the rewrite to be legal
  std::string_view before;  // Python, complete
  std::string_view after;
  std::string_view proof;  // Markdown: how equal the two are, and where they part
};

// All of them, by name.
[[nodiscard]] std::span<const Recipe> AllRecipes();
// Null for a name that is none.
[[nodiscard]] const Recipe* FindRecipe(std::string_view name);

// The parts of the table, by what they are about.
namespace recipes {
[[nodiscard]] std::span<const Recipe> Loops();
[[nodiscard]] std::span<const Recipe> Waits();
[[nodiscard]] std::span<const Recipe> Storage();
[[nodiscard]] std::span<const Recipe> Spelling();
[[nodiscard]] std::span<const Recipe> Structure();
[[nodiscard]] std::span<const Recipe> Memory();
}  // namespace recipes

}  // namespace cpnlint::rules
