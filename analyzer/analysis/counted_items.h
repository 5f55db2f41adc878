#pragma once

// Arrays whose items are read one by one, in loops of few passes and nowhere else.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `for s in (0, 1): a[s]`, `[v[i] for i in range(3)]`: such an array has two or three items, as it is used. Of what is
// computed from arrays item by item one of them. No proof.
[[nodiscard]] bool ItemsAreCounted(const Facts& facts, ir::ValueId array);

}  // namespace cpnlint::analysis
