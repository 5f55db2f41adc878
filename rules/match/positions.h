#pragma once

// What is known of positions in an index array: whether each is given once, whether all are in range, which they are.

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// `np.nonzero(mask)`, one of its arrays, `np.argsort(x)`, `rng.permutation(n)`, `np.unique(x)`: no position twice.
[[nodiscard]] bool AreDistinct(const analysis::Facts& facts, ir::ValueId positions);

// ... of a subscript: no entry is selected twice.
[[nodiscard]] bool AreDistinct(const analysis::Facts& facts, std::span<const ir::ValueId> keys);

// `rng.integers(0, n, size=k)`, `rng.choice(n, k)`: some may be drawn twice.
[[nodiscard]] bool AreDrawn(const analysis::Facts& facts, ir::ValueId positions);

// Proof: none is negative or beyond the end of that axis of the array.
[[nodiscard]] bool AreInRange(const analysis::Facts& facts, ir::ValueId positions, ir::ValueId array, int axis);

// `[1, 2, 3, 0]`, `(-1, 0)`, written out; empty for others.
[[nodiscard]] std::vector<std::int64_t> WrittenOut(const analysis::Facts& facts, ir::ValueId positions);

// What `np.nonzero(x)` or `np.where(x)` is asked about, where the positions are all that it gives, one array for each
// axis; None() for others.
struct AskedFor {
  ir::ValueId value;
  Span words;
  bool mask = false;  // of booleans
};
[[nodiscard]] AskedFor ConditionBehind(const analysis::Facts& facts, ir::ValueId positions);

}  // namespace cpnlint::rules::match
