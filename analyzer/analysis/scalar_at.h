#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The value is a number of Python, or a test around the op finds it to be one: `if isinstance(x, float):`.
[[nodiscard]] bool IsScalarAt(const Facts& facts, ir::ValueId value, ir::ValueId op);

}  // namespace cpnlint::analysis
