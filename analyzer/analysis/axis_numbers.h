#pragma once

// Numbers of axes, as their use says.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `np.zeros([cutoff] * (2 * n))`, `x.transpose(tuple(range(n, 2 * n)) + tuple(range(n)))`: n, or so many times n, is
// the number of an array's axes, of which there are a few.
[[nodiscard]] bool IsNumberOfAxes(const Facts& facts, ir::ValueId number);

}  // namespace cpnlint::analysis
