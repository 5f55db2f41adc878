#pragma once

// Tests that tell what an array holds, or how its bytes lie: `x.dtype.kind == "U"`, `x.dtype == object`,
// `x.dtype.names is not None`, `x.dtype.isnative`.

#include <optional>
#include <string_view>

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/object_items.h"

namespace cpnlint::analysis {

// `x` of `x.dtype`, where the attribute is called so; None() for anything else.
[[nodiscard]] ir::ValueId ObjectOfAttribute(const ir::Program& program, ir::ValueId id, std::string_view name);

// The array that the test looks at, and what it holds where the test comes out true and false; kUnknown where that may
// be numbers.
struct DTypeTest {
  ir::ValueId array;
  ir::DType holds = ir::DType::kUnknown, fails = ir::DType::kUnknown;
};
[[nodiscard]] std::optional<DTypeTest> DTypeTestOf(const ir::Program& program, const ValueOf& value_of,
                                                   ir::ValueId test);
// The op stands where the array holds texts, objects or records.
[[nodiscard]] bool HoldsNoNumbersAt(const Facts& facts, ir::ValueId array, ir::ValueId op);
// What a test of the order of bytes, or of the number of axes, comes to for an array of the device: its order is the
// machine's own, and an array that has an axis has a shape.
[[nodiscard]] std::optional<bool> ComesOutOnDevice(const Facts& facts, ir::ValueId test);

}  // namespace cpnlint::analysis
