#pragma once

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// `range(size)` stands in the same function: whatever the size comes from, it is one number and no tuple.
[[nodiscard]] bool IsCountedTo(const Facts::Impl& impl, ir::ValueId size);
// The call makes an array of the shape that it is told first.
[[nodiscard]] bool TakesShapeFirst(std::string_view name);

}  // namespace cpnlint::analysis
