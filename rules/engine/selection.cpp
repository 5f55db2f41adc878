#include "rules/engine/selection.h"

#include <algorithm>
#include <cctype>

namespace cpnlint::rules {
namespace {

constexpr int kCodeLength = 4;    // "R101"
constexpr int kFamilyWeight = 2;  // as "R1"

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// "r", "r1", "r10", "r101"
bool IsPrefix(std::string_view lower) {
  if (lower.empty() || lower.front() != 'r' || lower.size() > kCodeLength) return false;
  return std::all_of(lower.begin() + 1, lower.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

bool SelectorMatches(std::string_view selector, const Rule& rule) {
  const std::string lower = Lower(selector);
  if (lower == "all") return true;
  if (lower == Name(rule.family) || lower == rule.slug) return true;
  return IsPrefix(lower) && Lower(CodeText(rule)).starts_with(lower);
}

bool SelectorIsKnown(std::string_view selector) {
  const std::string lower = Lower(selector);
  for (const Family family : {Family::kScales, Family::kBlocks, Family::kRefactor, Family::kInfo, Family::kMemory}) {
    if (lower == Name(family)) return true;
  }
  // The hundreds of the families exist even where no rule of theirs does yet.
  if (lower == "all" || lower == "r") return true;
  if (IsPrefix(lower) && lower.size() == 2 && lower[1] <= '4') return true;
  const auto rules = AllRules();
  return std::any_of(rules.begin(), rules.end(), [&](const Rule* rule) { return SelectorMatches(selector, *rule); });
}

Result<int> Selection::WeightOf(std::string_view selector) {
  if (!SelectorIsKnown(selector)) {
    return Fail("no rule answers to `" + std::string(selector) + "`; `cpnlint rules` lists codes, slugs and families");
  }
  const std::string lower = Lower(selector);
  if (lower == "all") return 0;
  if (IsPrefix(lower)) return static_cast<int>(lower.size());
  for (const Family family : {Family::kScales, Family::kBlocks, Family::kRefactor, Family::kInfo, Family::kMemory}) {
    if (lower == Name(family)) return kFamilyWeight;
  }
  return kCodeLength;  // a slug
}

Result<Selection> Selection::Parse(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                                   const std::vector<std::string>& extend_select,
                                   const std::vector<std::string>& extend_ignore) {
  Selection selection;
  selection.default_ = select.empty();
  const auto add = [](const std::vector<std::string>& texts, std::vector<Selector>& out) -> Result<int> {
    for (const std::string& text : texts) {
      const Result<int> weight = WeightOf(text);
      if (!weight) return weight;
      out.push_back({text, *weight});
    }
    return 0;
  };
  if (auto done = add(select, selection.select_); !done) return tl::make_unexpected(done.error());
  if (auto done = add(extend_select, selection.select_); !done) return tl::make_unexpected(done.error());
  if (auto done = add(ignore, selection.ignore_); !done) return tl::make_unexpected(done.error());
  if (auto done = add(extend_ignore, selection.ignore_); !done) return tl::make_unexpected(done.error());
  return selection;
}

void Selection::Hide(const std::vector<std::string>& selectors) {
  hidden_.insert(hidden_.end(), selectors.begin(), selectors.end());
}

bool Selection::Includes(const Rule& rule) const {
  if (Withholds(rule)) return false;
  for (const std::string& selector : hidden_) {
    if (SelectorMatches(selector, rule)) return false;
  }
  int selected = default_ && rule.family != Family::kScales ? 0 : -1;
  for (const Selector& selector : select_) {
    if (SelectorMatches(selector.text, rule)) selected = std::max(selected, selector.weight);
  }
  int ignored = -1;
  for (const Selector& selector : ignore_) {
    if (SelectorMatches(selector.text, rule)) ignored = std::max(ignored, selector.weight);
  }
  return selected > ignored;
}

}  // namespace cpnlint::rules
