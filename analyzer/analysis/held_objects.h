#pragma once

// Lists and dictionaries of objects, of which there are few.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

inline constexpr double kUsualItems = 10;  // rules.md A.5, of item loops

// A list of layers, names or whatever else is handed about in Python; one of numbers may be as long as an array.
[[nodiscard]] bool HoldsObjects(const Facts& facts, ir::ValueId id);

// The loop goes through one, as it is or by `enumerate`, `sorted`, `.values()` and their like.
[[nodiscard]] bool WalksHeldObjects(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::analysis
