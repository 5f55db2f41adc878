#pragma once

// Loops over what a person looks at.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// Each pass makes a figure, fills one of the panels of a figure (`for i, ax in enumerate(axes)` of `axes =
// fig.subplots(2, 3)`, not of `fig.subplots(k)`), or does nothing but draw a line that has its own entry in the legend
// (`ax.plot(t, y, label=f"run {i}")`): as many passes as a person looks at.
[[nodiscard]] bool IsOfFigure(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::analysis
