#pragma once

// Sizes that the source does not tell, and that somebody said.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// Whole numbers that names stand for by an assumption: of the command line, the configuration or a comment. Those of
// one function or object (`step.n`) are left out; of several that bind one name the first counts.
[[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> AssumedSizes(const ir::Program& program);

}  // namespace cpnlint::analysis
