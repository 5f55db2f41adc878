#pragma once

#include "analyzer/analysis/value.h"

namespace cpnlint::analysis {

// No array of texts gets onto the device.
[[nodiscard]] constexpr bool IsTextArray(const Value& value) {
  return value.kind == Kind::kArray && (value.dtype == ir::DType::kString || value.dtype == ir::DType::kBytes);
}

// ... nor does one of objects, dates or records.
[[nodiscard]] constexpr bool HoldsNoNumbers(const Value& value) {
  return value.kind == Kind::kArray && value.dtype >= ir::DType::kObject;
}

// A variable that holds objects or records on one path, and is another array on another: `joined` is what it is at all.
// `each(see)` shows what it is on each path. `np.array(x)` of a single thing is no such array: what `x` is may not be
// settled yet.
template <class Each>
[[nodiscard]] bool MixesItems(const ValueStore& store, const Value& joined, const Each& each) {
  if (joined.kind != Kind::kArray || HoldsNoNumbers(joined)) return false;
  bool mixed = false;
  each([&](const Value& value) {
    const bool others = value.dtype == ir::DType::kObject || value.dtype == ir::DType::kStructured;
    mixed = mixed || (value.kind == Kind::kArray && others && Rank(store, value) != 0);
  });
  return mixed;
}

}  // namespace cpnlint::analysis
