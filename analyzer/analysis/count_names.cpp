#include "analyzer/analysis/count_names.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace cpnlint::analysis {
namespace {

struct FewOf {
  std::string_view word;
  std::int64_t usual;
  bool counted = false;  // only as `n_outputs`: an `output` alone is an array as a rule
};

// Terms of the trades whose programs use NumPy for what comes in ones to fours: orders of methods, of polynomials and
// of lag models, channels of an image, spins and polarisations, species of a plasma, objectives of an optimiser,
// regimes of a switching model, treatments and outcomes of a study. A number of components is none of them: of a vector
// it is three, of a decomposition fifty.
constexpr auto kNumbers = std::to_array<FewOf>({{"axes", 3},
                                                {"axis", 3},
                                                {"chan", 4},
                                                {"channel", 4},
                                                {"degree", 3},
                                                {"obj", 3},
                                                {"objective", 3},
                                                {"order", 3},
                                                {"outcome", 3, true},
                                                {"output", 3, true},
                                                {"pol", 4},
                                                {"polarisation", 4},
                                                {"polarization", 4},
                                                {"regime", 3},
                                                {"species", 3},
                                                {"spin", 2},
                                                {"treatment", 3, true}});

// Only as `n_clusters`: what is called so alone may hold anything. Of points, cells, samples, bins and features there
// may be thousands.
constexpr auto kSizes = std::to_array<FewOf>({{"class", 10, true},
                                              {"classe", 10, true},  // of `classes`
                                              {"cluster", 10, true},
                                              {"component", 10, true},
                                              {"group", 10, true},
                                              {"param", 10, true},
                                              {"parameter", 10, true},
                                              {"topic", 20, true}});

// Sequences with an entry for each axis: periodic boundary conditions.
constexpr auto kSequences = std::to_array<FewOf>({{"pbc", 3}});

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
char Lower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// `max_ar_order` and `maxArOrder`: order.
std::string LastWord(std::string_view name) {
  while (!name.empty() && (name.back() == '_' || (name.back() >= '0' && name.back() <= '9'))) name.remove_suffix(1);
  std::size_t at = name.size();
  while (at > 0 && name[at - 1] != '_') {
    --at;
    if (IsUpper(name[at]) && at > 0 && !IsUpper(name[at - 1])) break;
  }
  std::string word(name.substr(at));
  std::transform(word.begin(), word.end(), word.begin(), Lower);
  return word;
}

// `n_outputs`, `num_outputs`
bool SaysNumber(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  return name.starts_with("n_") || name.starts_with("num");
}

std::optional<std::int64_t> UsualOf(std::span<const FewOf> table, std::string_view word, bool counted) {
  const auto is_meant = [&](const FewOf& few) { return few.word == word && (counted || !few.counted); };
  const auto found = std::find_if(table.begin(), table.end(), is_meant);
  return found == table.end() ? std::nullopt : std::optional(found->usual);
}

std::optional<std::int64_t> UsualOfEither(std::span<const FewOf> table, std::string_view name) {
  const std::string last = LastWord(name);
  std::string_view one = last;
  if (one.ends_with('s')) one.remove_suffix(1);
  for (const std::string_view word : {std::string_view(last), one}) {
    if (const auto usual = UsualOf(table, word, SaysNumber(name))) return usual;
    if (!word.starts_with('n')) continue;
    if (const auto usual = UsualOf(table, word.substr(1), true)) return usual;  // `nspin`, `naxes`
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> UsualCountByName(std::string_view name) { return UsualOfEither(kNumbers, name); }

std::optional<std::int64_t> UsualSizeByName(std::string_view name) {
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
  const auto usual = UsualCountByName(name);
  return usual ? usual : UsualOfEither(kSizes, name);
}

std::optional<std::int64_t> UsualLengthByName(std::string_view name) {
  return UsualOf(kSequences, LastWord(name), true);
}

}  // namespace cpnlint::analysis
