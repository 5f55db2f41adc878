#pragma once

// Arrays that have one entry per axis of something, as their use says.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `[slice(i, None) for i in v]`, `tuple((slice(a, b) for a, b in zip(u, v)))`: one key per axis of what they select
// from. `users`: what uses the array.
[[nodiscard]] bool MakesKeys(const Facts& facts, const std::vector<ir::ValueId>& users);
// `shape`, `grid_shape`: a parameter or an attribute whose name says that it has an entry for each axis.
[[nodiscard]] bool IsCalledShape(const ir::Program& program, ir::ValueId id);
// How many items the first axis has at most, where the tests around the place say so: `if len(x) <= 6:`.
[[nodiscard]] std::optional<std::int64_t> MostItemsAt(const Facts& facts, ir::ValueId array, ir::BlockId place);
// `def dim(self): return len(self.pos)`: a position has an entry for each axis.
[[nodiscard]] bool CountsAxes(const Facts& facts, ir::ClassId owner, Symbol attribute);

// The code that the test leads to where it holds raises or returns at its end; or raises where it does not hold.
[[nodiscard]] bool EndsWhere(const Facts& facts, ir::ValueId test, bool holds);

// `names.append(x)` and the like: the list may be longer than it was made.
[[nodiscard]] bool GrowsLater(const Facts& facts, ir::ValueId list);

}  // namespace cpnlint::analysis
