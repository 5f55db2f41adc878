#pragma once

// Subscripts of objects of the library that only read what stands in the brackets: `np.mgrid[-1:1:64j, -1:1:64j]`,
// `np.ogrid[:n, :m]`, `np.c_[x, y]`, `np.r_[x]`, `np.s_[2:n, :]`.

#include <optional>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// `0:1:5j`, `a:b:n * 1j`: the step says how many values there are.
[[nodiscard]] bool CountsValues(const Facts& facts, ir::ValueId slice);

// What gives the same without the object; nullopt where no code is known.
[[nodiscard]] std::optional<Text> WithoutIndexObject(const Facts& facts, ir::ValueId subscript);

}  // namespace cpnlint::rules::match
