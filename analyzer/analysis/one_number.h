#pragma once

#include <algorithm>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// An array whose extents are all 1.
[[nodiscard]] inline bool HoldsOneNumber(const Facts& facts, ir::ValueId id) {
  const Value& value = facts.Of(id);
  if (value.kind != Kind::kArray || !value.shape.valid()) return false;
  const Shape& shape = facts.store().Get(value.shape);
  const auto is_one = [&](ir::DimId extent) { return facts.store().dims().AsConst(extent) == 1; };
  return !shape.empty() && std::ranges::all_of(shape, is_one);
}

// A 0-d value, or one draw of a distribution, which is a number in all but its shape (1,), and what is computed of
// such. `np.array([x])` is none: it stands for arrays of more.
[[nodiscard]] inline bool IsOneNumber(const Facts& facts, ir::ValueId id) {
  return facts.IsZeroD(id) || (HoldsOneNumber(facts, id) && !facts.HasAxis(id));
}

}  // namespace cpnlint::analysis
