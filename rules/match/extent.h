#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// How many items the first axis of an array has, at most, where that is a known number. Finds it behind a function of
// the program (`def cross(a, b): return np.array((.., .., ..))`) and behind operators, too, whose other operands are
// taken to have no further axes where nothing is known of them.
[[nodiscard]] std::optional<std::int64_t> ItemsOf(const analysis::Facts& facts, ir::ValueId array);

// The array has an axis, of whatever extent: known rank, or a slice of something (`x[:, c]`).
[[nodiscard]] bool HasAxis(const analysis::Facts& facts, ir::ValueId array);

}  // namespace cpnlint::rules::match
