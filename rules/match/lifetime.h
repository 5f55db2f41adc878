#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The value is kept beyond the pass that makes it: appended, yielded, stored in an attribute or a Python container,
// returned to a caller inside of the loop, or handed to code that may keep it. Becoming the next pass's value of a
// variable is not leaving. `returning`: whether being returned out of a function that the loop calls counts.
[[nodiscard]] bool LeavesThePass(const analysis::Facts& facts, ir::ValueId value, ir::LoopId loop,
                                 bool returning = true);

// The Phi at the header of `loop` that the value becomes on the next pass; None() where it does not.
[[nodiscard]] ir::ValueId NextPassOf(const analysis::Facts& facts, ir::ValueId value, ir::LoopId loop);

}  // namespace cpnlint::rules::match
