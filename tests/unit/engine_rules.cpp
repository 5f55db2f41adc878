// What every rule's metadata must keep to.

#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "rules/engine/rule.h"
#include "rules/engine/why.h"
#include "rules/recipes/recipe.h"

using namespace cpnlint::rules;  // NOLINT(google-build-using-namespace): a test of exactly this

namespace {

Family FamilyOf(int code) {
  constexpr Family kFamilies[] = {Family::kScales, Family::kBlocks, Family::kRefactor, Family::kInfo, Family::kMemory};
  return kFamilies[code / 100];
}

}  // namespace

TEST_CASE("rules stand in code order, each code and slug once") {
  std::set<std::string> slugs;
  int last = 0;
  for (const Rule* rule : AllRules()) {
    INFO(CodeText(*rule));
    CHECK(rule->code > last);
    last = rule->code;
    CHECK(slugs.insert(rule->slug).second);
    CHECK(rule->family == FamilyOf(rule->code));
  }
  CHECK_FALSE(AllRules().empty());
}

TEST_CASE("every rule has its texts and a hook") {
  for (const Rule* rule : AllRules()) {
    INFO(CodeText(*rule));
    for (const char* text : {rule->slug, rule->summary, rule->message, rule->details, rule->bad, rule->good}) {
      CHECK_FALSE(std::string_view(text).empty());
    }
    if (rule->family != Family::kScales) CHECK_FALSE(std::string_view(rule->why).empty());
    CHECK((rule->on_op || rule->on_loop || rule->on_function || rule->on_module));
    CHECK((rule->on_op != nullptr) == (rule->ops.low != 0));
  }
}

TEST_CASE("messages start in lower case or with the user's words, and have no full stop") {
  for (const Rule* rule : AllRules()) {
    INFO(CodeText(*rule));
    for (const std::string_view text : {std::string_view(rule->message), std::string_view(rule->summary)}) {
      CHECK_FALSE(text.ends_with('.'));
    }
    const char first = rule->message[0];
    CHECK_FALSE((first >= 'A' && first <= 'Z'));
  }
}

TEST_CASE("every recipe that a rule names is there") {
  for (const Rule* rule : AllRules()) {
    INFO(CodeText(*rule) << " " << rule->recipe);
    if (std::string_view(rule->recipe).empty()) continue;
    CHECK(FindRecipe(rule->recipe) != nullptr);
    CHECK_FALSE(RecipeText(rule->recipe).empty());
  }
}

TEST_CASE("recipes are sorted, named once, and complete") {
  std::string_view last;
  for (const Recipe& recipe : AllRecipes()) {
    INFO(recipe.name);
    CHECK(recipe.name > last);
    last = recipe.name;
    CHECK(recipe.name.starts_with("RR-"));
    for (const std::string_view text :
         {recipe.title, recipe.advice, recipe.needs, recipe.before, recipe.after, recipe.proof}) {
      CHECK_FALSE(text.empty());
    }
    CHECK_FALSE(recipe.advice.ends_with('.'));
  }
  CHECK(FindRecipe("RR-none") == nullptr);
  CHECK(RecipeText("").empty());
}

TEST_CASE("a condition's words are found in the details") {
  Rule rule;
  rule.details = "Text.\n\n1. the first\n2. the second\n\n- (a) an exception\n";
  CHECK(ConditionText(rule, 1) == "the first");
  CHECK(ConditionText(rule, 2) == "the second");
  CHECK(ConditionText(rule, 'a') == "an exception");
  CHECK(ConditionText(rule, 3).empty());
}
