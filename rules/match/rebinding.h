#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The result of `op` goes where `old`, which it reads, came from, and that is no variable of the function itself:
// `self.x = f(self.x)`, `d["x"] = f(d["x"])`, `x = f(x)` under `global x` or `nonlocal x`. A variable of the function
// is no place: its values follow one another.
[[nodiscard]] bool ReplacesAtPlace(const analysis::Facts& facts, ir::ValueId op, ir::ValueId old);

// `store` puts a value where `read` read one: an attribute, an entry of a dictionary, a variable of others.
[[nodiscard]] bool StoresToPlace(const analysis::Facts& facts, ir::ValueId store, ir::ValueId read);

// The result of `op` goes where `old` came from, and nothing else in its function puts another value there but where
// nothing was there yet: `if self.x is None: self.x = p`.
[[nodiscard]] bool GrowsAtPlace(const analysis::Facts& facts, ir::ValueId op, ir::ValueId old);

// What the place of `old` holds is read in the function of `op` and kept by somebody, or still used after `op`.
[[nodiscard]] bool PlaceIsHeld(const analysis::Facts& facts, ir::ValueId op, ir::ValueId old, ir::LoopId loop);

// The statement is `x = ... x ...` for a variable x of the function: `op` is bound to it, and so was `old`.
[[nodiscard]] bool RebindsVariable(const analysis::Facts& facts, ir::ValueId op, ir::ValueId old);

}  // namespace cpnlint::rules::match
