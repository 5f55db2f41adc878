#pragma once

// Calls inside of which cuPyNumeric goes through data in Python, one element after the other: edges of bins, weights,
// cells of a result.

#include <string_view>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The names of the tasks of such steps: those that another call does without, and the sums that stay.
inline constexpr std::string_view kElementStep = "element step";
inline constexpr std::string_view kElementSum = "element sum";
[[nodiscard]] inline bool IsElementStep(std::string_view task) { return task == kElementStep || task == kElementSum; }

// The sequences of edges among `bins`, one per axis of the histogram; empty where they are numbers, or not known.
// `base`: "histogram", "histogram2d", "histogramdd".
[[nodiscard]] std::vector<ir::ValueId> BinEdges(const Facts& facts, std::string_view base, ir::ValueId bins);

// How many bins such edges make; None() where that is not known.
[[nodiscard]] ir::DimId BinsBetween(const Facts& facts, ir::ValueId edges);

}  // namespace cpnlint::analysis
