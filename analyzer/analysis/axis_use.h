#pragma once

// Arrays that have one entry per axis of something, as their use says.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `x.shape`, `list(x.shape)`, `np.nonzero(x)`, `[n // 2 for n in x.shape]`: a sequence with an entry for each axis; by
// usage also what is called a shape.
[[nodiscard]] bool HasOnePerAxis(const Facts& facts, ir::ValueId sequence, bool by_usage);
// `np.nonzero(x)`, `np.where(x > 0)`: a tuple of arrays of positions, one for each axis.
[[nodiscard]] bool GivesPositions(const Facts& facts, ir::ValueId call);
// The loop of a comprehension with one clause.
[[nodiscard]] ir::LoopId LoopOfComprehension(const Facts& facts, ir::ValueId collection);
// `[slice(i, None) for i in v]`, `tuple((slice(a, b) for a, b in zip(u, v)))`: one key per axis of what they select
// from. `users`: what uses the array.
[[nodiscard]] bool MakesKeys(const Facts& facts, const std::vector<ir::ValueId>& users);
// `shape`, `grid_shape`: a parameter or an attribute whose name says that it has an entry for each axis.
[[nodiscard]] bool IsCalledShape(const ir::Program& program, ir::ValueId id);
// The loop's counter reads an entry of something that is called a shape.
[[nodiscard]] bool CountsAxesByName(const Facts& facts, ir::LoopId loop);  // loop_axes.cpp
// `if multichannel:` around `for i in range(image.shape[-1])`: there are as many passes as channels.
[[nodiscard]] bool CountsChannels(const Facts& facts, ir::LoopId loop);  // loop_axes.cpp
// `for drift in drifts: b[i] = drift(x)`: the items are functions, of which a program names a few.
[[nodiscard]] bool WalksFunctions(const Facts& facts, ir::LoopId loop);  // loop_axes.cpp
// How many items the first axis has at most, where the tests around the place say so: `if len(x) <= 6:`.
[[nodiscard]] std::optional<std::int64_t> MostItemsAt(const Facts& facts, ir::ValueId array, ir::BlockId place);
// `def dim(self): return len(self.pos)`: a position has an entry for each axis.
[[nodiscard]] bool CountsAxes(const Facts& facts, ir::ClassId owner, Symbol attribute);

// `x, y, z = v`: how many names the value is unpacked to, wherever it is made.
[[nodiscard]] std::optional<std::int64_t> NamesUnpackedTo(const Facts& facts, ir::ValueId value);
// `xs, ys = [], []`: the display of the list that the name stands for, and nothing else does; None() of other values.
[[nodiscard]] ir::ValueId ListUnpacked(const Facts& facts, ir::ValueId item);

// The code that the test leads to where it holds raises or returns at its end; or raises where it does not hold.
[[nodiscard]] bool EndsWhere(const Facts& facts, ir::ValueId test, bool holds);
// The code that the test leads to, where it holds or does not, raises at its end.
[[nodiscard]] bool RaisesWhere(const Facts& facts, ir::ValueId test, bool holds);
// `assert len(v) <= 5`: the largest length that is left where the function goes on after comparing it with the number.
[[nodiscard]] std::optional<std::int64_t> MostAfter(const Facts& facts, ir::ValueId compare, std::int64_t number);

// `names.append(x)` and the like: the list may be longer than it was made.
[[nodiscard]] bool GrowsLater(const Facts& facts, ir::ValueId list);

}  // namespace cpnlint::analysis
