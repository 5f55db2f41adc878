#pragma once

// What is done with one entry of an array, which tells a number from a slab where the rank is not known.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// It, or what is computed from it element by element, is tested or made a Python number: that has no more entries than
// it.
[[nodiscard]] bool IsTestedOrConverted(const Facts& facts, ir::ValueId entry);
// All that is done with it is arithmetic with values of unknown kind.
[[nodiscard]] bool MeetsUnknownArithmetic(const Facts& facts, ir::ValueId entry);
// Combined with a value of unknown kind: if that is an array, this is a coefficient of it. What looks an item of
// something else up, as in `pop[a].CV`, is a number whatever it is passed to as well.
[[nodiscard]] bool MeetsUnknown(const Facts& facts, ir::ValueId entry);

// `data[i] = f(i, x)`, `data[i] = f(x)[0]` with a function that nobody knows: a number, or a slab. Not of what `f`
// makes of an item that the loop takes: `data[i] = f(x[i, :])`.
[[nodiscard]] bool StoresUnknownResult(const Facts& facts, ir::ValueId store, ir::LoopId loop);

// It is a key of a subscript: `d[tour[i]]`.
[[nodiscard]] bool NamesItem(const Facts& facts, ir::ValueId number);

}  // namespace cpnlint::analysis
