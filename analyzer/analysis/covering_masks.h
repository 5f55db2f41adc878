#pragma once

#include <span>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// How many axes are left where neither the array's rank nor the mask's is known. A mask is taken to cover it all, so
// that it is one: `x[x > 0]`, `x[good]`. A mask that has lost axes of this array leaves those as well, so that
// `x[x.sum(axis=1) > 0]` has two; of one that has lost axes of another array nobody knows.
void SettleMaskedRank(Facts::Impl& impl, ir::ValueId base, std::span<const ir::ValueId> keys, SubscriptResult& result);

}  // namespace cpnlint::analysis
