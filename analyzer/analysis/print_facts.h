#pragma once

#include <functional>
#include <string>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// What is known of a module, one line per assigned name, parameter and loop, in source order:
//   12: u = f64[n] view-of(grid)
//   15: loop step trips nt hot
// `line_of` gives the 1-based line of a byte offset.
[[nodiscard]] std::string PrintFacts(const Facts& facts, ir::ModuleId module,
                                     const std::function<int(std::uint32_t)>& line_of);

}  // namespace cpnlint::analysis
