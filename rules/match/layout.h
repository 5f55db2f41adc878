#pragma once

#include <optional>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// Whether an array of the one shape, seen in the other, needs its elements moved: true where axes other than those of
// extent 1 differ, false where they are proved equal, nullopt where that is not known. Symbolic extents count as more
// than 1.
[[nodiscard]] std::optional<bool> ChangesLayout(const analysis::Facts& facts, ir::ValueId from, ir::ValueId to);

// The two arrays are proved to have one shape: by known extents, or because one is computed element by element from the
// other and numbers.
[[nodiscard]] bool SameShape(const analysis::Facts& facts, ir::ValueId a, ir::ValueId b);

}  // namespace cpnlint::rules::match
