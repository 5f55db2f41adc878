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

// "import numpy as np" where the module takes names out of the library (`from numpy import *`) and has none for all of
// it; empty for others.
[[nodiscard]] std::string MissingImport(const analysis::Facts& facts, ir::ModuleId module);

// Adds what a help needs of it: the code says `np.sum` or `onp.asarray`.
void SayImport(Text& help, std::string_view import);

}  // namespace cpnlint::rules
