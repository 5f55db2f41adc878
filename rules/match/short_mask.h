#pragma once

// `a[mask] = number` where the mask has fewer axes than the array: cuPyNumeric 26.6.1 hands both to its mask task,
// which asserts that they have one shape. With a value of several elements, or a slice for each axis that the mask
// lacks, it takes another way.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// The StoreSubscript is such a write, by known axes of both and a value that is one element for sure.
[[nodiscard]] bool WritesOneValueThroughShortMask(const Facts& facts, ir::ValueId op);

// `a[mask, :] = number`, with a colon for each axis that the mask lacks.
[[nodiscard]] Text WithAllAxes(const Facts& facts, ir::ValueId op);

}  // namespace cpnlint::rules::match
