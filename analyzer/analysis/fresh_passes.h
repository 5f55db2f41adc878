#pragma once

// Loops in which no pass goes on from what the one before has left.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// Nothing but whole numbers goes from pass to pass: `while k > 10: if score(k) > least: break; k //= 3` asks about one
// number after the other. False where code that we do not see may keep something.
[[nodiscard]] bool CarriesOnlyCounters(const Facts& facts, ir::LoopId loop);

// ... and what ends the loop is asked of what the pass has drawn: `while True: x = rng.normal(size=3); if ok(x): return
// x`. How many passes that takes is a matter of luck, and most draw until they are lucky, which takes a few.
[[nodiscard]] bool DrawsAnew(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::analysis
