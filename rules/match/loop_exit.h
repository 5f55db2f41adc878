#pragma once

// Tests that end a loop.

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The block is outside of the loop, or leads there and nowhere else: `break`, `print(i); break`.
[[nodiscard]] bool LeavesLoop(const analysis::Facts& facts, ir::BlockId block, ir::LoopId loop);

// Whether the loop goes on depends on this Truth op: the test of a `while`, `if err < tol: break`, `: return x`.
[[nodiscard]] bool EndsLoop(const analysis::Facts& facts, ir::ValueId truth, ir::LoopId loop);

}  // namespace cpnlint::rules::match
