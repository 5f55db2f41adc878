#pragma once

// Views whose elements do not lie side by side, `cells[:, 0]`: some tasks of cuPyNumeric take their operand for one
// without gaps.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// A vector cut out of a matrix, or an array of more axes, across its rows, where the way it was made shows how that
// lies in memory: parameters are taken to be no transposed views.
[[nodiscard]] bool IsColumn(const Facts& facts, ir::ValueId value);

// Written as such a cut, whatever it is cut out of: for helps, which lose nothing by a copy.
[[nodiscard]] bool MayBeColumn(const Facts& facts, ir::ValueId value);

// All that is computed of the value, `x.strides`, goes into the making of such views: `as_strided(x, shape, strides)`.
[[nodiscard]] bool ServesStridedViews(const Facts& facts, ir::ValueId value);

}  // namespace cpnlint::rules::match
