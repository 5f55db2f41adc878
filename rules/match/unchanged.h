#pragma once

// Values that each pass of a loop makes anew, of arrays that no pass changes.

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// `np.stack((x + i, x - i))` in `for i in range(n)`: the passes that come later can be known before the loop. False for
// `x[:, None]` where a pass does `x += dx` or `x = x * 2.0`, and where that is not known. `reader`, a call of another
// library, changes nothing of what it is given.
[[nodiscard]] bool IsMadeOfUnchanged(const analysis::Facts& facts, ir::ValueId value, ir::LoopId loop,
                                     ir::ValueId reader);

}  // namespace cpnlint::rules::match
