#pragma once

// `u[..., mask]` where the mask has two axes or more: cuPyNumeric 26.6.1 compares the mask with the axis at which the
// Ellipsis stands, before it knows how many axes that is for. Reads and writes raise, wherever the Ellipsis is, and
// however many axes it stands for. A mask of one axis is taken, and so is every mask between colons.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// The mask among the keys of such a Subscript or StoreSubscript of a device array; None() for others.
[[nodiscard]] ir::ValueId MaskBesideEllipsis(const Facts& facts, ir::ValueId op);

// "write `u[:, :, mask]`", with a colon for each axis that the Ellipsis stands for.
[[nodiscard]] Text WithoutEllipsis(const Facts& facts, ir::ValueId op);

}  // namespace cpnlint::rules::match
