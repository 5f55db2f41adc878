#pragma once

// Numbers that a function tests before it goes on: `if n > 4: raise`, `assert order in (1, 2)`.

#include <optional>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The test is made whatever happens: it stands behind others at most that raise, as the second one of `if n < 1 or n >
// 4: raise`.
[[nodiscard]] bool IsAlwaysTested(const Facts& facts, ir::ValueId test);
// The largest of `(1, 2, 3)`, `range(1, 4)`; nullopt where those are not all known.
[[nodiscard]] std::optional<std::int64_t> LargestChoice(const Facts& facts, ir::ValueId choices);
// The largest that the number can be where the function goes on; nullopt where no test says.
[[nodiscard]] std::optional<std::int64_t> MostByTests(const Facts& facts, ir::ValueId number);
// `if dim == 2:`, `dim in (2, 3)`: some test takes it for one of the numbers from 1 to `most`.
[[nodiscard]] bool IsComparedWithFew(const Facts& facts, ir::ValueId number, std::int64_t most);

}  // namespace cpnlint::analysis
