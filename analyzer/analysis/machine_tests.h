#pragma once

// Tests of the interpreter and of the system: cuPyNumeric runs under CPython, on Linux (WSL2 included) and on macOS.
// Private to analyzer/analysis.

#include <optional>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// What `sys.implementation.name == "pypy"`, `platform.python_implementation().lower() in ("pypy", "ironpython")`,
// `sys.platform.startswith("win")` give; nullopt for other tests.
[[nodiscard]] std::optional<bool> ComesOutOnMachine(const Facts& facts, ir::ValueId test);

}  // namespace cpnlint::analysis
