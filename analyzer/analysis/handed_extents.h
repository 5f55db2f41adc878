#pragma once

// Arrays of several sizes that the calls of one function hand over: `step(ensemble)` here and `step(truth)` there. In
// the function such an extent is one size, `u.shape[0]`, as a number that calls hand over is.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "analyzer/analysis/facts.h"
#include "analyzer/base/interner.h"

namespace cpnlint::analysis {

// `joined` is the shape of what several ways lead to: what all calls hand over for a parameter, what the branches give
// that a value is one of. Its extents that differ between them become sizes of `array`, which is called `name`, where
// each way says how large they are; axes that are as long as each other on every way are one size.
struct Ways {
  ir::ValueId array;
  Symbol name;
  std::span<const ShapeId> shapes;  // None() of what is no array, or nobody knows
};
[[nodiscard]] ShapeId WithOwnExtents(Facts::Impl& impl, const Ways& ways, ShapeId joined);

// ... of a value that one of several branches gives. Where one of them is one entry long, what meets it decides.
[[nodiscard]] ShapeId OneOfShapes(Facts::Impl& impl, ir::ValueId phi, Symbol name, ShapeId joined);

// The axis that a size of the parameter counts, `u.shape[1]`; nullopt of other sizes.
[[nodiscard]] std::optional<std::size_t> AxisCounted(const Interner& names, const ir::Param& param, Symbol symbol,
                                                     std::uint32_t instance);

// The function puts arrays of the size beside others of which nobody knows that they are no longer: where the size is
// one, what comes out may be as long as these. `is_one` tells of the other sizes that they are one as well.
[[nodiscard]] bool MayGrow(Facts::Impl& impl, ir::FunctionId function, ir::DimId size,
                           const std::function<bool(ir::DimId)>& is_one);

// The largest extent that calls of the program hand over for a size of a parameter, or that branches give the array
// which the size is of; nullopt where that is not known, and for other sizes. No proof: what the command line says on
// one way is left out.
[[nodiscard]] std::optional<std::int64_t> LargestHandedOver(const Facts& facts, Symbol symbol, std::uint32_t instance);

}  // namespace cpnlint::analysis
