#pragma once

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// The container that the op takes one item of: `x[i]`, the target of `for item in x`, `for i, item in enumerate(x)`,
// `for item, other in zip(x, y)` and `for i, (item, other) in enumerate(zip(x, y))`.
[[nodiscard]] ir::ValueId ContainerOfItem(const ir::Program& program, ir::ValueId id);

// The op is tested for being of such a type; where it is an item of some container, that holds such items.
void SeeItemOfType(Facts::Impl& impl, ir::ValueId item, ir::DType type);

}  // namespace cpnlint::analysis
