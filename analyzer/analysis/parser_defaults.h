#pragma once

// What a program takes from its command line: `parser.add_argument("--n-steps", type=int, default=3)`.

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `parser.add_argument(...)`
[[nodiscard]] bool IsAddArgument(const ir::Program& program, ir::ValueId call);

// The attribute that holds the option: `n_steps`; empty where the source does not spell it.
[[nodiscard]] std::string OptionName(const ir::Program& program, ir::ValueId add_argument);

// kInt, kFloat, kBool or kStr where whatever the user gives is one value of that kind; kUnknown for lists, for types of
// the program's own, and for what may be None.
[[nodiscard]] Kind OptionKind(const ir::Program& program, ir::ValueId add_argument);

// What `args.<attribute>` is where nobody gives the option, of those that the module adds; nullopt for others, and for
// options without a number as default.
[[nodiscard]] std::optional<std::int64_t> ParserDefault(const Facts& facts, ir::ModuleId module,
                                                        std::string_view attribute);

}  // namespace cpnlint::analysis
