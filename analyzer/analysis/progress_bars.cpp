#include "analyzer/analysis/progress_bars.h"

#include <algorithm>
#include <array>

namespace cpnlint::analysis {

bool IsProgressBar(std::string_view dotted) {
  constexpr auto kBars = std::to_array<std::string_view>({
      "alive_progress.alive_it",
      "fastprogress.fastprogress.progress_bar",
      "fastprogress.progress_bar",
      "progressbar.progressbar",
      "rich.progress.track",
  });
  return dotted.ends_with("tqdm") || std::ranges::find(kBars, dotted) != kBars.end();
}

bool CountsWithBar(std::string_view dotted) { return dotted.ends_with("trange"); }

Value JoinOrigins(const Interner& names, ValueStore& store, const Value& a, const Value& b) {
  const auto is_bar = [&](const Value& value) {
    if (value.kind != Kind::kApi || !value.name.valid()) return false;
    const std::string_view dotted = names.Text(value.name);
    return IsProgressBar(dotted) || CountsWithBar(dotted);
  };
  const auto stands_in = [&](const Value& value) {
    if (value.kind != Kind::kBuiltin) return value.kind == Kind::kFunction || value.kind == Kind::kClass;
    const std::string_view name = names.Text(value.name);
    return name == "range" || name == "list" || name == "tuple" || name == "iter";
  };
  if (is_bar(a) && (stands_in(b) || is_bar(b))) return a;
  if (is_bar(b) && stands_in(a)) return b;
  return JoinOptional(store, a, b);
}

}  // namespace cpnlint::analysis
