#pragma once

// What a program does with a name of the library.

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The call of a name (`np.std`, one that `from numpy import std` binds, one of `import *`), where that is all that is
// done with it; None() for others.
[[nodiscard]] ir::ValueId OnlyCall(const analysis::Facts& facts, ir::ValueId op);

// Nothing reads what `from numpy import std` binds, and the module hands no names on.
[[nodiscard]] bool IsNeverUsed(const analysis::Facts& facts, ir::ValueId import);

}  // namespace cpnlint::rules::match
