#pragma once

// Whether the items of an array may be text: nothing says what they are, and nothing is done with them that only
// numbers can do.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `np.unique(labels)` of whatever the caller passes, `np.array(names)` of a list of unknown things.
[[nodiscard]] bool MayHoldText(const Facts& facts, ir::ValueId array);

// `np.array(list(vocabulary.keys()))`: the items are keys of a dictionary, and nothing is done with them that only
// numbers can do.
[[nodiscard]] bool MayHoldKeys(const Facts& facts, ir::ValueId array);

}  // namespace cpnlint::analysis
