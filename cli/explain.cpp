#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/near.h"
#include "cli/output.h"
#include "cli/report/accuracy.h"
#include "cli/report/document.h"
#include "cli/report/page.h"
#include "cli/terminal.h"
#include "rules/recipes/recipe.h"

namespace cpnlint::cli {
namespace {

using Json = nlohmann::ordered_json;

bool SameWord(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

const rules::Rule* FindRule(std::string_view name) {
  for (const rules::Rule* rule : rules::AllRules()) {
    if (SameWord(name, rules::CodeText(*rule)) || SameWord(name, rule->slug)) return rule;
  }
  return nullptr;
}

Json TextOrNull(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

Json Summary(const rules::Rule& rule) {
  Json json = {{"code", rules::CodeText(rule)},
               {"slug", rule.slug},
               {"family", rules::Name(rule.family)},
               {"severity", rules::Name(rule.severity)},
               {"cold", rule.cold ? Json(rules::Name(*rule.cold)) : Json(nullptr)},
               {"confidence_cap", rules::Name(rule.cap)},
               {"summary", rule.summary},
               {"recipe", TextOrNull(rule.recipe)},
               {"fix", rules::Name(rule.fix)},
               {"doctor", TextOrNull(rule.doctor)},
               {"preview", rule.preview},
               {"valid_for", rule.valid_for}};
  if (const auto accuracy = report::AccuracyOf(rule.code)) {
    json["measured"] = {{"right", accuracy->right}, {"wrong", accuracy->wrong}};
  }
  return json;
}

Json Details(const rules::Rule& rule) {
  Json json = Summary(rule);
  json["message"] = rule.message;
  json["why"] = rule.why;
  json["details"] = rule.details;
  json["conditions"] = TextOrNull(rule.conditions);  // those that `inspect why` names and `details` does not number
  json["bad"] = rule.bad;
  json["good"] = rule.good;
  json["recipe_text"] = TextOrNull(rules::RecipeText(rule.recipe));
  return json;
}

Json RecipeDetails(const rules::Recipe& recipe) {
  return {{"recipe", recipe.name},   {"title", recipe.title}, {"text", recipe.advice}, {"needs", recipe.needs},
          {"before", recipe.before}, {"after", recipe.after}, {"proof", recipe.proof}};
}

std::string Dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

report::Style TerminalStyle(const Options& options) {
  report::Style style;
  style.color = WantsColor(options.color);
  style.width = TerminalWidth();
  return style;
}

bool Wants(const Options& options, std::string_view format) {
  return !options.formats.empty() && options.formats.front() == format;
}

std::string Padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace

int RunExplain(const Options& options) {
  const report::Style style = TerminalStyle(options);
  const bool markdown = Wants(options, "markdown");
  Json json = Json::array();
  std::string text;
  const auto separate = [&] {
    if (!text.empty()) text += markdown ? "\n" : "\n\n";
  };
  const auto add_rule = [&](const rules::Rule& rule) {
    separate();
    if (Wants(options, "json")) {
      json.push_back(Details(rule));
    } else {
      text += markdown ? report::PageMarkdown(rule) : report::PageText(rule, style);
    }
  };
  if (options.all) {
    for (const rules::Rule* rule : rules::AllRules()) add_rule(*rule);
  }
  for (const std::string& name : options.arguments) {
    if (const rules::Rule* rule = FindRule(name)) {
      add_rule(*rule);
      continue;
    }
    const std::vector<std::string> recipes = report::Recipes();
    const auto recipe =
        std::find_if(recipes.begin(), recipes.end(), [&](const std::string& known) { return SameWord(name, known); });
    if (recipe == recipes.end() || rules::RecipeText(*recipe).empty()) {
      std::vector<std::string> known = recipes;
      for (const rules::Rule* rule : rules::AllRules()) {
        known.push_back(rules::CodeText(*rule));
        known.emplace_back(rule->slug);
      }
      Complain("explain: there is no rule or recipe `" + name + "`" + DidYouMean(name, known) +
               " (`cpnlint rules` lists them)");
      return kTrouble;
    }
    separate();
    if (Wants(options, "json")) {
      json.push_back(RecipeDetails(*rules::FindRecipe(*recipe)));
    } else {
      text += markdown ? report::RecipePageMarkdown(*recipe) : report::RecipePageText(*recipe, style);
    }
  }
  return PrintResult(Wants(options, "json") ? Dump(json) : text);
}

int RunRules(const Options& options) {
  if (Wants(options, "json")) {
    Json list = Json::array();
    for (const rules::Rule* rule : rules::AllRules()) list.push_back(Summary(*rule));
    return PrintResult(Dump({{"schema_version", 1},
                             {"rules_version", report::kRulesVersion},
                             {"rules", list},
                             {"recipes", report::Recipes()}}));
  }
  const report::Style style = TerminalStyle(options);
  std::size_t slug = 0;
  for (const rules::Rule* rule : rules::AllRules()) slug = std::max(slug, std::string_view(rule->slug).size());
  std::string text;
  for (const rules::Rule* rule : rules::AllRules()) {
    report::Append(text, style, report::PaintOf(rule->severity), rules::CodeText(*rule));
    text += "  " + Padded(rule->slug, slug) + "  " + Padded(std::string(rules::Name(rule->family)), 8) + "  " +
            Padded(std::string(rules::Name(rule->severity)), 7) + "  " + rule->summary +
            (rule->preview ? " (preview)" : "") + "\n";
  }
  return PrintResult(text);
}

}  // namespace cpnlint::cli
