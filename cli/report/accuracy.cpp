#include "cli/report/accuracy.h"

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "embedded/accuracy.h"
#include "rules/engine/rule.h"

namespace cpnlint::report {
namespace {

constexpr int kEnough = 20;  // findings from which on a share says something

std::map<int, Accuracy> Read() {
  std::map<int, Accuracy> table;
  const auto document = nlohmann::json::parse(embedded::accuracy());
  for (const rules::Rule* rule : rules::AllRules()) {
    const auto found = document.at("rules").find(rules::CodeText(*rule));
    if (found != document.at("rules").end()) table[rule->code] = {found->at("right"), found->at("wrong")};
  }
  return table;
}

}  // namespace

std::optional<Accuracy> AccuracyOf(int code) {
  static const std::map<int, Accuracy> table = Read();
  const auto found = table.find(code);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

std::string_view PrecisionName(const std::optional<Accuracy>& accuracy) {
  if (!accuracy || accuracy->right + accuracy->wrong == 0) return "";
  const int all = accuracy->right + accuracy->wrong;
  const double share = static_cast<double>(accuracy->right) / all;
  if (share >= 0.95 && all >= kEnough) return "very-high";
  if (share >= 0.90) return "high";
  return share >= 0.70 ? "medium" : "low";
}

}  // namespace cpnlint::report
