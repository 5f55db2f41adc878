#include "analyzer/api/launches.h"

#include <algorithm>
#include <bit>
#include <string>

namespace cpnlint::api {
namespace {

#include "analyzer/api/launches.inc"

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

std::span<const Launches> LaunchTable() { return kLaunches; }

const Launches* FindLaunches(std::string_view canonical_name, std::uint64_t words) {
  if (const Launches* own = Best(canonical_name, words)) return own;
  constexpr std::string_view kMethod = "numpy.ndarray.";
  if (!canonical_name.starts_with(kMethod)) return nullptr;
  return Best("numpy." + std::string(canonical_name.substr(kMethod.size())), words);
}

}  // namespace cpnlint::api
