#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The two values are one value, or the same expression written twice in one statement: equal operators, names, numbers,
// subscripts and calls of pure functions of the array library. A statement stores at its end, so nothing changes
// between the two.
[[nodiscard]] bool SameExpression(const analysis::Facts& facts, ir::ValueId a, ir::ValueId b);

// A Python number or NumPy scalar.
[[nodiscard]] bool IsNumber(const analysis::Facts& facts, ir::ValueId value);
// A number that takes no array work: a Python number, a NumPy scalar, or an array known to have rank 0.
[[nodiscard]] bool IsScalar(const analysis::Facts& facts, ir::ValueId value);

// One boolean array of the base's shape is the whole key of the Subscript or StoreSubscript.
[[nodiscard]] bool HasWholeMask(const analysis::Facts& facts, ir::ValueId op);

}  // namespace cpnlint::rules::match
