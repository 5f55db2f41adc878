#pragma once

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// All that the function returns comes straight from functions of modules that stand beside its own and have no source
// in Python: compiled ones, whose arrays lie on the host. A docstring that promises arrays means no arrays of the
// device there.
[[nodiscard]] bool ReturnsCompiled(const Facts::Impl& impl, ir::FunctionId function);

}  // namespace cpnlint::analysis
