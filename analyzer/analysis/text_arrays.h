#pragma once

#include "analyzer/analysis/value.h"

namespace cpnlint::analysis {

// No array of texts gets onto the device.
[[nodiscard]] constexpr bool IsTextArray(const Value& value) {
  return value.kind == Kind::kArray && (value.dtype == ir::DType::kString || value.dtype == ir::DType::kBytes);
}

}  // namespace cpnlint::analysis
