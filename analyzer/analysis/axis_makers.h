#pragma once

// What the first axis of a call's result is made of, for the functions of NumPy.

#include <optional>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The result has the first axis of the (first) argument. `name` without the namespace.
[[nodiscard]] bool KeepsFirstAxis(std::string_view name);
// `np.zeros(n)`: of that shape.
[[nodiscard]] bool MakesNew(std::string_view name);
// Leaves an axis out: sums, means, norms.
[[nodiscard]] bool LeavesAxisOut(std::string_view name);
// `np.arange(low, high, 2**31 - length)`: pieces of a file, and there is one as a rule.
[[nodiscard]] bool HasHugeStep(const Facts& facts, ir::ValueId call);

// As many entries as all parts have, a number being one, and some more or less, all of it so many times.
struct AxisParts {
  std::vector<ir::ValueId> parts;
  std::int64_t more = 0;
  ir::ValueId times;  // None(): once
};
// Of a result with one axis, or whose parts are joined along the first; nullopt for other functions. At most as many:
// `np.setdiff1d(a, b)` may have fewer.
[[nodiscard]] std::optional<AxisParts> PartsOfAxis(const Facts& facts, ir::ValueId call);
// `np.vstack([low, high])` of what is not known to have two axes: a row for each, as it is mostly used. 0 for other
// calls.
[[nodiscard]] std::int64_t RowsStacked(const Facts& facts, ir::ValueId call);
// `np.array([[0, 0, 1], [x, 0, 1]])`: rows as long as one that holds nothing but numbers. 0 where they are of several
// lengths, or of unknown ones.
[[nodiscard]] std::int64_t ColumnsDisplayed(const Facts& facts, ir::ValueId rows);
// `np.unique(x > 0)`, `np.unique(np.sign(x))`: -1, 0, 1 and what is no number. 0 of other arrays.
[[nodiscard]] std::int64_t DifferentItems(const Facts& facts, ir::ValueId array);
// `np.mgrid[key]`, `np.indices(dims)`: one item per axis; by usage the columns of a file as well,
// `np.loadtxt(f, unpack=True)`.
[[nodiscard]] bool HoldsOnePerAxis(const Facts& facts, ir::ValueId made, bool by_usage);

}  // namespace cpnlint::analysis
