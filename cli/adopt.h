#pragma once

// What happens to the findings of a run before they are shown: known and old ones are hidden, ignores are written or
// taken out, budgets are held against the figures.

#include <optional>

#include "analyzer/base/result.h"
#include "cli/baseline.h"
#include "cli/options.h"
#include "cli/report/document.h"

namespace cpnlint::cli {

// Options that cannot be followed together, or not at all.
[[nodiscard]] Result<int> CheckAdopting(const Options& options);

struct Adopted {
  bool again = false;       // files were changed: what was found of them is of yesterday
  std::optional<int> code;  // the run ends here, without a report, with this exit code
  bool exceeded = false;    // a budget was
};

// The document is judged already. `trouble`: something could not be read. Says what it does on standard error.
// `selects`: whether a rule is shown in a file, given as the document names it.
[[nodiscard]] Adopted Adopt(report::Document& document, const Options& options, bool trouble, const Selects& selects);

}  // namespace cpnlint::cli
