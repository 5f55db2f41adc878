#pragma once

// Loops over what a generator of the program gives.

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// How many items a call of a generator gives: what the loops around its yields make of them. None() where a test
// decides about one, and for other iterables.
[[nodiscard]] Trips ItemsGenerated(const Facts& facts, ir::ValueId iterable);

// `for x, y in batches(data, 32)`: the generator's own loop counts, many passes by what is known of it, and gives
// arrays.
[[nodiscard]] bool WalksGenerated(const Facts& facts, Facts::Impl& impl, ir::ValueId iterable);

}  // namespace cpnlint::analysis
