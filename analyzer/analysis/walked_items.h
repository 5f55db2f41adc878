#pragma once

// Items of a container that a loop walks: it has them all in turn, where a variable has one of several things.

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// `wall` in `for wall in walls:`, `for i, wall in enumerate(walls):`.
[[nodiscard]] inline bool IsWalked(const Facts& facts, ir::ValueId object) {
  constexpr int kMostLayers = 3;  // `for i, (name, wall) in enumerate(walls):`
  const ir::Program& program = facts.program();
  object = facts.Source(object);
  for (int layer = 0; object.valid() && layer < kMostLayers; ++layer) {
    if (program.ops[object].kind != ir::OpKind::kUnpackItem) break;
    object = facts.Source(program.Operand(object, 0));
  }
  return object.valid() && program.ops[object].kind == ir::OpKind::kLoopItem;
}

}  // namespace cpnlint::analysis
