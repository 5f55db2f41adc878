#pragma once

// Slices whose bounds a loop moves: nearly the whole array, or a piece of it in each trip.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// A bound of the slice is computed from the induction value.
[[nodiscard]] bool SliceDepends(const Facts& facts, ir::ValueId key, ir::LoopId loop);
// `x[k:]`, `x[:-k]`, `x[p - k : -k]`: the ends of the array, moved by the counter.
[[nodiscard]] bool IsWindow(const Facts& facts, ir::ValueId access, ir::LoopId loop);
// `h * x[i : i + k]`: a piece that the loop cuts out, or what is computed from it element by element and from what is
// the same in each trip.
[[nodiscard]] bool IsPiece(const Facts& facts, ir::ValueId value, ir::LoopId loop);
// `f(x[i - 1 : i + 2])`: pieces that overlap, one for each element. What walks in steps of a batch is none.
[[nodiscard]] bool IsSlidingPiece(const Facts& facts, ir::ValueId value, ir::LoopId loop);
// How many entries `x[s : s + 100]` takes with a counter that moves by 100: each piece begins where the one before
// ends. None() for sliding windows, gaps, and where the step is not known.
[[nodiscard]] ir::DimId PieceOfWhole(const Facts& facts, ir::ValueId slice, ir::LoopId loop);

// `x[i * n - n : i * n]` is what `x[i * n : i * n + n]` was a pass before.
[[nodiscard]] bool IsPieceOfPassBefore(const Facts& facts, ir::ValueId slice, ir::ValueId now, ir::LoopId loop);

}  // namespace cpnlint::analysis
