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

}  // namespace cpnlint::analysis
