#pragma once

// Results that outlive the call that made them: a loop that asks again gets what is there.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The block runs only where its function does not have the result yet: `if key in self._made: return self._made[key]`
// before it and `self._made[key] = made` somewhere. Not by a flag: objects that are made on each pass have theirs anew.
[[nodiscard]] bool IsKeptThere(const Facts& facts, ir::BlockId block);

}  // namespace cpnlint::analysis
