#pragma once

// Positions that something simpler stands for: a stretch, one position in each row, the place of the largest value.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// `np.arange(s, e)`, `np.arange(e)`, `range(s, e)` and lists of it; `made` is None() where it is none.
struct Stretch {
  ir::ValueId made;
  ir::ValueId first_value, end_value;  // None() for a first that is not written
  Span first, end;
};
[[nodiscard]] Stretch StretchOf(const Facts& facts, ir::ValueId positions);

// `x[:, s:e]` in place of `x[:, np.arange(s, e)]`, with what has to hold for it; empty where the ends are no whole
// numbers. `colons` is what is written in front of the key.
[[nodiscard]] Text AsSlice(const Stretch& stretch, const Facts& facts, Span array, std::string_view colons);

// `p[np.arange(n), y]`, one entry of each row of p: `np.sum(np.where(y[:, None] == np.arange(p.shape[1]), p, 0),
// axis=1)`, or the mask to write a number through; empty for others.
[[nodiscard]] Text ByColumn(const Facts& facts, ir::ValueId op, Span array);

// `x[np.unravel_index(np.argmax(x), x.shape)]`: `np.max(x)`, or a take of the flat array; empty for others.
[[nodiscard]] Text AtPeak(const Facts& facts, ir::ValueId op, ir::ValueId key, ir::ValueId array, Span words);

}  // namespace cpnlint::rules::match
