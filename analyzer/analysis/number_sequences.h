#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `np.prod(x.shape) > limit`, `np.max((n, m))`: computed from Python numbers alone. It lies on the device, but whoever
// reads it waits for no other work (rules.md A.3).
[[nodiscard]] bool IsOfNumbersAlone(const Facts& facts, ir::ValueId value);

}  // namespace cpnlint::analysis
