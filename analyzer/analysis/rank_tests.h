#pragma once

// Tests that tell how many axes an array has: `x.ndim == 2`, `len(x.shape) != 1`, `np.ndim(x) == 3`.

#include <optional>

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/object_items.h"

namespace cpnlint::analysis {

// The array that the test looks at, and how many axes it has where the test comes out true and false; -1 where that is
// open.
struct RankTest {
  ir::ValueId array;
  int holds = -1, fails = -1;
};
[[nodiscard]] std::optional<RankTest> RankTestOf(const ir::Program& program, const ValueOf& value_of, ir::ValueId test);

}  // namespace cpnlint::analysis
