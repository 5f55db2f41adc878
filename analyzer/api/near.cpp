// Names that a reader may have meant.

#include <algorithm>
#include <numeric>
#include <tuple>

#include "analyzer/api/api.h"

namespace cpnlint::api {
namespace {

constexpr std::size_t kLongestName = 64;  // longer than any name of a table; beyond it no distance is worth its time

std::string_view LastComponent(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replaced, previous[j] + 1, current[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string_view WithoutLibrary(std::string_view name) {
  for (const std::string_view prefix : {"numpy.", "cupynumeric.", "np."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

}  // namespace

std::vector<const Entry*> NearNames(std::string_view name, Version version, std::size_t most) {
  if (name.size() > kLongestName) return {};
  const std::string wanted = Lower(WithoutLibrary(name));
  const std::string wanted_last(LastComponent(wanted));
  if (wanted_last.empty()) return {};
  const std::size_t bound = wanted_last.size() < 3 ? 0 : wanted_last.size() < 6 ? 1 : 2;

  struct Candidate {
    bool other_last;    // not the same last component
    std::size_t whole;  // distance of the whole names
    bool missing;       // names that exist come first
    const Entry* entry;
  };
  std::vector<Candidate> candidates;
  for (const Entry& entry : Entries(version)) {
    const std::string tail = Lower(WithoutLibrary(entry.name));
    const std::string_view last = LastComponent(tail);
    const std::size_t longer = std::max(last.size(), wanted_last.size());
    if (longer - std::min(last.size(), wanted_last.size()) > bound) continue;
    const std::size_t distance = EditDistance(last, wanted_last);
    if (distance > bound) continue;
    candidates.push_back({distance != 0, EditDistance(tail, wanted), entry.status == Status::kMissing, &entry});
  }
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tie(a.other_last, a.whole, a.missing, a.entry->name) <
           std::tie(b.other_last, b.whole, b.missing, b.entry->name);
  });
  std::vector<const Entry*> names;
  for (const Candidate& candidate : candidates) {
    if (names.size() == most) break;
    names.push_back(candidate.entry);
  }
  return names;
}

}  // namespace cpnlint::api
