#pragma once

// What reads the entries that slices with steps select, without such a slice.

#include "analyzer/analysis/facts.h"
#include "rules/engine/text.h"

namespace cpnlint::rules::match {

// "`np.take(a[5, :], np.arange(0, a.shape[1], 4), axis=0, mode='clip')`" for `a[5, ::4]`: the axis counts behind the
// indices, and what an extent bounds is cut first, under a name that the function does not have. Empty where a key
// tells neither what it selects nor how it is written.
[[nodiscard]] Text WithoutSteps(const analysis::Facts& facts, ir::ValueId subscript);

// `a[1:n, 3]` of `a[1:n:2, 3]`, a view whose first axis is the one that the only step is of; empty for others.
[[nodiscard]] Text PartWithoutStep(const analysis::Facts& facts, ir::ValueId subscript);

// How many slices with steps its keys are.
[[nodiscard]] std::size_t CountOfSteps(const analysis::Facts& facts, ir::ValueId subscript);

// Written as `x`, `self.x`, `x[0]`: words that can stand several times.
[[nodiscard]] bool CanBeRepeated(const analysis::Facts& facts, ir::ValueId array, Span words);

// A name for a part of what the op is written with, which nothing in its function has.
[[nodiscard]] std::string_view NameForPart(const ir::Program& program, ir::ValueId op);

}  // namespace cpnlint::rules::match
