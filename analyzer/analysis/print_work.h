#pragma once

// The text of `cpnlint inspect work FILE`: the tree of each root, one line per task.

#include <functional>
#include <string>

#include "analyzer/analysis/work.h"

namespace cpnlint::analysis {

// `line_of` gives the line of a span's begin in the module, as it is shown.
[[nodiscard]] std::string PrintWork(const Facts& facts, const Work& work, ir::ModuleId module,
                                    const std::function<std::string(std::uint32_t)>& line_of);

}  // namespace cpnlint::analysis
