#pragma once

// Tests that end a loop.

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The block is outside of the loop, or leads there and nowhere else: `break`, `print(i); break`.
[[nodiscard]] bool LeavesLoop(const analysis::Facts& facts, ir::BlockId block, ir::LoopId loop);

// ... or ends in a `raise` that nothing in the loop can catch.
[[nodiscard]] bool StopsFrom(const analysis::Facts& facts, ir::BlockId block, ir::LoopId loop);

// Of the Truth op `b` of `if a and not b:` all of `a and not b`; empty where nothing branches on it.
[[nodiscard]] Span WholeTest(const analysis::Facts& facts, ir::ValueId truth);

// Whether the loop goes on depends on this Truth op: the test of a `while` or a part of it, `if err < tol: break`,
// `: return x`.
[[nodiscard]] bool EndsLoop(const analysis::Facts& facts, ir::ValueId truth, ir::LoopId loop);

// One side of the test, or of another part of the same one, stops the loop by StopsFrom.
[[nodiscard]] bool StopsLoop(const analysis::Facts& facts, ir::ValueId truth, ir::LoopId loop);

// EndsLoop of an `if` that ends it in its own arm, not in `else`.
[[nodiscard]] bool EndsLoopWhereItHolds(const analysis::Facts& facts, ir::ValueId truth, ir::LoopId loop);

}  // namespace cpnlint::rules::match
