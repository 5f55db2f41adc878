#pragma once

// Values that a loop asks the device for and does not change: one fetch before the loop does.

#include <vector>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// The outermost loop around `site`, in its function, that leaves the value as it is; None() where the innermost one
// changes it already, or where that is not known.
[[nodiscard]] ir::LoopId LoopThatKeeps(const Facts& facts, ir::ValueId value, ir::ValueId site);
[[nodiscard]] ir::LoopId LoopThatKeeps(const Facts& facts, const std::vector<ir::ValueId>& values, ir::ValueId site);

// "... once before `for idx in range(n)`: `chosen = set(picks.tolist())`, ..." for what R104 reports; empty where the
// loop changes the value.
[[nodiscard]] Text ConvertBefore(const Facts& facts, const analysis::HostRead& read);

// The same for a test.
[[nodiscard]] Text TestBefore(const Facts& facts, const analysis::HostRead& read);

}  // namespace cpnlint::rules::match
