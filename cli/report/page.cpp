#include "cli/report/page.h"

#include <algorithm>

#include "cli/report/accuracy.h"

namespace cpnlint::report {
namespace {

struct Section {
  std::string heading;
  std::string body;
  bool code = false;
};

struct Page {
  std::string title;
  std::string summary;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Section> sections;
};

std::string Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == '\n' || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text);
}

// "Element loop over an array." of "element loop over an array".
std::string Sentence(std::string_view text) {
  std::string out = Trimmed(text);
  if (out.empty()) return out;
  if (out.front() >= 'a' && out.front() <= 'z') out.front() = static_cast<char>(out.front() - 'a' + 'A');
  if (std::string_view(".!?:`").find(out.back()) == std::string_view::npos || out.back() == '`') out += '.';
  return out;
}

std::string FixText(const rules::Rule& rule) {
  switch (rule.fix) {
    case rules::FixClass::kNone: return "by hand";
    case rules::FixClass::kDisplay: return "shown, never applied";
    case rules::FixClass::kUnsafe: return "unsafe: may change rounding, dtype, aliasing or order";
    case rules::FixClass::kSafe: return "safe where every condition is proved, else unsafe";
  }
  return "";
}

Page PageOf(const rules::Rule& rule) {
  Page page;
  page.title = rules::CodeText(rule) + " " + rule.slug;
  page.summary = Sentence(rule.summary);
  page.facts = {{"family", std::string(rules::Name(rule.family))},
                {"severity", std::string(rules::Name(rule.severity))}};
  const bool same = rule.cold && *rule.cold == rule.severity;
  if (!same)
    page.facts.emplace_back("in code that is not hot", rule.cold ? std::string(rules::Name(*rule.cold)) : "silent");
  if (rule.cap != rules::Confidence::kCertain) {
    page.facts.emplace_back("confidence at most", std::string(rules::Name(rule.cap)));
  }
  if (rule.preview) page.facts.emplace_back("status", "preview: shown with --preview until its precision is measured");
  if (const auto accuracy = AccuracyOf(rule.code)) {
    page.facts.emplace_back("measured precision", std::to_string(accuracy->right) + " of " +
                                                      std::to_string(accuracy->right + accuracy->wrong) +
                                                      " findings read were right");
  }
  if (rule.recipe[0] != '\0') {
    page.facts.emplace_back("recipe", rule.recipe);
    page.facts.emplace_back("rewrite", FixText(rule));
  }
  if (rule.doctor[0] != '\0') page.facts.emplace_back("cuPyNumeric Doctor", rule.doctor);
  page.facts.emplace_back("valid for", std::string("cuPyNumeric ") + rule.valid_for);
  if (rule.why[0] != '\0') page.sections.push_back({"Why", Sentence(rule.why)});
  if (const std::string details = Trimmed(rule.details); !details.empty())
    page.sections.push_back({"Details", details});
  if (const std::string bad = Trimmed(rule.bad); !bad.empty()) page.sections.push_back({"Example", bad, true});
  if (const std::string good = Trimmed(rule.good); !good.empty()) page.sections.push_back({"Instead", good, true});
  if (const std::string recipe = Trimmed(rules::RecipeText(rule.recipe)); !recipe.empty()) {
    page.sections.push_back({std::string("Recipe ") + rule.recipe, recipe});
  }
  if (rule.family != rules::Family::kScales) {
    page.sections.push_back({"Silencing", "`# cpnlint: ignore[" + rules::CodeText(rule) +
                                              "] reason` on the line, or `--ignore " + rules::CodeText(rule) +
                                              "` for a whole run."});
  }
  return page;
}

Page RecipePage(const std::string& recipe) {
  Page page;
  page.title = recipe;
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->recipe != recipe) continue;
    page.facts.emplace_back(rules::CodeText(*rule), std::string(rule->slug) + ": " + rule->summary);
  }
  page.sections.push_back({"Recipe", Trimmed(rules::RecipeText(recipe))});
  return page;
}

std::string Markdown(const Page& page) {
  std::string out = "# " + page.title + "\n";
  if (!page.summary.empty()) out += "\n" + page.summary + "\n";
  if (!page.facts.empty()) {
    out += "\n| | |\n|---|---|\n";
    for (const auto& [name, value] : page.facts) out += "| " + name + " | " + value + " |\n";
  }
  for (const Section& section : page.sections) {
    out += "\n## " + section.heading + "\n\n";
    out += section.code ? "```python\n" + section.body + "\n```\n" : section.body + "\n";
  }
  return out;
}

void AppendIndented(std::string& out, std::string_view text, std::size_t indent) {
  while (true) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) out.append(indent, ' ');
    out += line;
    out += '\n';
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::string Terminal(const Page& page, const Style& style) {
  std::string out;
  Append(out, style, Paint::kBold, page.title);
  out += '\n';
  if (!page.summary.empty()) out += "\n" + page.summary + "\n";
  if (!page.facts.empty()) out += '\n';
  std::size_t widest = 0;
  for (const auto& [name, value] : page.facts) widest = std::max(widest, name.size());
  for (const auto& [name, value] : page.facts) {
    out += "  " + name + std::string(widest - name.size() + 2, ' ') + value + '\n';
  }
  for (const Section& section : page.sections) {
    out += '\n';
    Append(out, style, Paint::kHelp, section.heading);
    out += '\n';
    AppendIndented(out, section.body, section.code ? 4 : 2);
  }
  return out;
}

}  // namespace

std::string PageMarkdown(const rules::Rule& rule) { return Markdown(PageOf(rule)); }

std::string PageText(const rules::Rule& rule, const Style& style) { return Terminal(PageOf(rule), style); }

std::vector<std::string> Recipes() {
  std::vector<std::string> names;
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->recipe[0] != '\0') names.emplace_back(rule->recipe);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string RecipePageMarkdown(const std::string& recipe) {
  return rules::RecipeText(recipe).empty() ? std::string() : Markdown(RecipePage(recipe));
}

std::string RecipePageText(const std::string& recipe, const Style& style) {
  return rules::RecipeText(recipe).empty() ? std::string() : Terminal(RecipePage(recipe), style);
}

}  // namespace cpnlint::report
