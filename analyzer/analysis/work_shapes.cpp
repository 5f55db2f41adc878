// Extents that nobody tells, by the number of elements.

#include <algorithm>
#include <cmath>

#include "analyzer/analysis/work_impl.h"

namespace cpnlint::analysis {

// The one extent that data decides is what the others leave. Several of them share a known number of elements alike:
// of `x.reshape(-1, 2, 1 << i)` nobody knows more than that.
ShapeId TaskMaker::Completed(ShapeId shape, ir::DimId elements) const {
  if (!shape.valid() || !elements.valid()) return shape;
  Shape extents = facts_.store().Get(shape);
  ir::DimId left = elements;
  for (const ir::DimId extent : extents) left = extent.valid() ? dims_.CeilDiv(left, extent) : left;
  auto open = std::ranges::count(extents, ir::DimId::None());
  const std::optional<std::int64_t> known = dims_.AsConst(left);
  if (open == 0 || (open > 1 && !known)) return shape;
  for (ir::DimId& extent : extents) {
    if (extent.valid()) continue;
    const double even =
        open > 1 ? std::pow(static_cast<double>(*dims_.AsConst(left)), 1.0 / static_cast<double>(open)) : 0;
    extent = open > 1 ? dims_.Const(std::max<std::int64_t>(1, std::llround(even))) : left;
    left = dims_.CeilDiv(left, extent);
    --open;
  }
  return facts_.store().Intern(extents);
}

}  // namespace cpnlint::analysis
