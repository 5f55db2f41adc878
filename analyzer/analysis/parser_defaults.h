#pragma once

// Numbers that a program takes from its command line: `parser.add_argument("--n-steps", type=int, default=3)`.

#include <optional>
#include <string_view>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `parser.add_argument(...)`
[[nodiscard]] bool IsAddArgument(const ir::Program& program, ir::ValueId call);

// What `args.<attribute>` is where nobody gives the option, of those that the module adds; nullopt for others, and for
// options without a number as default.
[[nodiscard]] std::optional<std::int64_t> ParserDefault(const Facts& facts, ir::ModuleId module,
                                                        std::string_view attribute);

}  // namespace cpnlint::analysis
