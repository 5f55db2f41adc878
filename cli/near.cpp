#include "cli/near.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace cpnlint::cli {
namespace {

constexpr std::size_t kMost = 3;
constexpr std::size_t kLongest = 64;  // nobody mistypes longer words by a letter or two

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Edits (insert, delete, replace, swap neighbours) between two words.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> Near(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongest) return {};
  const std::string wanted = Lower(word);
  const std::string bare = wanted.substr(std::min(wanted.find_first_not_of('-'), wanted.size()));  // --format
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : candidates) {
    const std::string lower = Lower(candidate);
    const bool part = bare.size() >= 4 && lower.find(bare) != std::string::npos;
    const std::size_t distance = part ? 1 : Distance(wanted, lower);
    if (distance <= std::max<std::size_t>(1, std::min(wanted.size(), lower.size()) / 3)) {
      found.emplace_back(distance, candidate);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < found.size() && i < kMost; ++i) names.push_back(found[i].second);
  return names;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::vector<std::string> near = Near(word, candidates);
  if (near.empty()) return "";
  std::string text = "; did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += '`' + near[i] + '`';
  }
  return text + '?';
}

}  // namespace cpnlint::cli
