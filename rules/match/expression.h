#pragma once

// Expressions as the user wrote them: the op at the top and what stands inside of it.

#include <string_view>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The ops of the expression that `root` ends, `root` first: its operands and theirs as far as they are written inside
// of it.
[[nodiscard]] std::vector<ir::ValueId> ExpressionOf(const analysis::Facts& facts, ir::ValueId root);

// An operator other than `@`, or a call of a ufunc, whose result is a device array.
[[nodiscard]] bool IsElementwise(const analysis::Facts& facts, ir::ValueId op);

// So is that, or another call that makes an array of an element each: np.where(c, a, b), np.clip, np.nan_to_num.
[[nodiscard]] bool IsElementwiseStep(const analysis::Facts& facts, ir::ValueId op);

// The op is written inside of another elementwise operation.
[[nodiscard]] bool InsideElementwise(const analysis::Facts& facts, ir::ValueId op);

// A device array with an axis: of known rank, a slice, or, where the rank is unknown, a parameter that is annotated,
// documented or used as an array, a creation, or arithmetic on one. What a reduction or an index may have made does not
// count.
[[nodiscard]] bool IsWholeArray(const analysis::Facts& facts, ir::ValueId value);

// The op raises in the version by itself: a missing name, an argument that is not taken, a slice with a step.
[[nodiscard]] bool RaisesByItself(const analysis::Facts& facts, ir::ValueId op, std::string_view version);
[[nodiscard]] bool SomethingRaises(const analysis::Facts& facts, ir::ValueId root, std::string_view version);

}  // namespace cpnlint::rules::match
