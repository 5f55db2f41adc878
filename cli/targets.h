#pragma once

// The files that a run would write, looked at before it begins: what would be lost there, and whether it can be done.

#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "cli/options.h"

namespace cpnlint::cli {

// `options`: with what is configured. `read`: files besides the analysed ones that the run reads. An error names the
// option and the file, and says what to do.
[[nodiscard]] Result<int> CheckTargets(const Options& options, const std::vector<std::string>& read);

// The same for files that no analysis goes with: a calibration's. Python files are never written over.
[[nodiscard]] Result<int> CheckTarget(const std::string& option, const std::string& path);

}  // namespace cpnlint::cli
