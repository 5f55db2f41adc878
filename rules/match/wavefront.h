#pragma once

// Nests of two loops over a table whose entries need their neighbours.

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// `h[i, j] = max(h[i - 1, j - 1] + s, h[i - 1, j] + gap, h[i, j - 1] + gap)`, sweeps of Gauss and Seidel: the entries
// of an anti-diagonal, where i + j is the same, do not need each other, so the diagonals can be worked on one after the
// other, each as an array. `outer`: counts the first index up by one, a loop directly in it the second.
[[nodiscard]] bool IsWavefront(const analysis::Facts& facts, ir::LoopId outer, ir::ValueId table);

}  // namespace cpnlint::rules::match
