#include "analyzer/api/launches.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "analyzer/base/check.h"
#include "embedded/launches.h"

namespace cpnlint::api {
namespace {

struct Table {
  std::deque<std::string> texts;  // what the rows refer to
  std::vector<Launches> rows;
};

std::uint64_t Bit(const std::string& word) {
  const auto found = std::find(kLaunchWords.begin(), kLaunchWords.end(), word);
  CPNLINT_CHECK(found != kLaunchWords.end());
  return std::uint64_t{1} << (found - kLaunchWords.begin());
}

Table Read() {
  Table table;
  const auto keep = [&](const nlohmann::json& text) -> std::string_view {
    return table.texts.emplace_back(text.get_ref<const std::string&>());
  };
  const auto document = nlohmann::json::parse(embedded::launches());
  for (const auto& entry : document.at("rows")) {
    Launches row;
    row.name = keep(entry.at("name"));
    for (const auto& word : entry.at("when")) row.when |= Bit(word.get_ref<const std::string&>());
    row.launches = entry.at("launches");
    row.divided = entry.value("divided", row.launches);
    row.each = entry.value("each", 0.0);
    row.call = keep(entry.at("call"));
    row.seen = keep(entry.at("seen"));
    table.rows.push_back(row);
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const Launches& a, const Launches& b) { return a.name < b.name; });
  return table;
}

const Launches* Best(std::string_view name, std::uint64_t words) {
  const std::span<const Launches> rows = LaunchTable();
  auto row = std::lower_bound(rows.begin(), rows.end(), name,
                              [](const Launches& a, std::string_view wanted) { return a.name < wanted; });
  const Launches* best = nullptr;
  for (; row != rows.end() && row->name == name; ++row) {
    if ((row->when & ~words) != 0) continue;
    if (best == nullptr || std::popcount(row->when) > std::popcount(best->when)) best = &*row;
  }
  return best;
}

}  // namespace

std::span<const Launches> LaunchTable() {
  static const Table table = Read();
  return table.rows;
}

const Launches* FindLaunches(std::string_view canonical_name, std::uint64_t words) {
  if (const Launches* own = Best(canonical_name, words)) return own;
  constexpr std::string_view kMethod = "numpy.ndarray.";
  if (!canonical_name.starts_with(kMethod)) return nullptr;
  return Best("numpy." + std::string(canonical_name.substr(kMethod.size())), words);
}

}  // namespace cpnlint::api
