#pragma once

// Values that a loop makes anew on each pass: what a piece of code needs that is to be moved out of the loop.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// Where the expression reads a variable that the loop gets by a statement of its own: `, together with the statement
// that makes `att``. Empty where all it reads is there before the loop.
[[nodiscard]] Text AfterWhatItReads(const Facts& facts, ir::ValueId expression, ir::LoopId loop);

// The same for an expression in a function that the loop calls: variables that are no parameters.
[[nodiscard]] Text AfterWhatItsFunctionMakes(const Facts& facts, ir::ValueId expression);

}  // namespace cpnlint::rules::match
