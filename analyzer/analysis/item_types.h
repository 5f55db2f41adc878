#pragma once

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// The op is tested for being of such a type; where it is an item of some container, that holds such items.
void SeeItemOfType(Facts::Impl& impl, ir::ValueId item, ir::DType type);

}  // namespace cpnlint::analysis
