#pragma once

// A rule's page: the same words in the terminal, in docs/rules, in SARIF's help and in JSON.

#include <string>
#include <vector>

#include "cli/report/style.h"
#include "rules/engine/rule.h"

namespace cpnlint::report {

[[nodiscard]] std::string PageMarkdown(const rules::Rule& rule);
[[nodiscard]] std::string PageText(const rules::Rule& rule, const Style& style);

// A recipe ("RR-loop") in the same forms; empty where there is none of that name.
[[nodiscard]] std::string RecipePageMarkdown(const std::string& recipe);
[[nodiscard]] std::string RecipePageText(const std::string& recipe, const Style& style);

// The recipes that rules name, sorted, each once.
[[nodiscard]] std::vector<std::string> Recipes();

}  // namespace cpnlint::report
