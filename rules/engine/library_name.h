#pragma once

// What a module calls the array library: help texts say it as the code does.

#include <string>

#include "analyzer/analysis/facts.h"
#include "rules/engine/text.h"

namespace cpnlint::rules {

// "numpy" after `import numpy`; "np" where several names, or none, stand for it.
[[nodiscard]] std::string LibraryName(const analysis::Facts& facts, ir::ModuleId module);

// Writes `name.` for `np.` in what is not quoted.
void UseLibraryName(Text& text, std::string_view name);

}  // namespace cpnlint::rules
