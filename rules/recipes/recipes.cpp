#include <algorithm>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/recipes/recipe.h"

namespace cpnlint::rules {

std::span<const Recipe> AllRecipes() {
  static const std::vector<Recipe> all = [] {
    std::vector<Recipe> table;
    for (const auto part : {recipes::Loops(), recipes::Waits(), recipes::Storage(), recipes::Spelling(),
                            recipes::Structure(), recipes::Memory()}) {
      table.insert(table.end(), part.begin(), part.end());
    }
    std::sort(table.begin(), table.end(), [](const Recipe& a, const Recipe& b) { return a.name < b.name; });
    return table;
  }();
  return all;
}

const Recipe* FindRecipe(std::string_view name) {
  const auto all = AllRecipes();
  const auto at =
      std::lower_bound(all.begin(), all.end(), name, [](const Recipe& r, std::string_view n) { return r.name < n; });
  return at != all.end() && at->name == name ? &*at : nullptr;
}

std::string_view RecipeText(std::string_view recipe) {
  const Recipe* found = FindRecipe(recipe);
  return found != nullptr ? found->advice : std::string_view();
}

}  // namespace cpnlint::rules
