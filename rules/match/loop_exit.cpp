#include "rules/match/loop_exit.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;

bool LeavesLoop(const Facts& facts, ir::BlockId block, ir::LoopId loop) {
  constexpr int kLongest = 4;
  const ir::Program& program = facts.program();
  for (int length = 0; length < kLongest; ++length) {
    const ir::LoopId in = program.blocks[block].loop;
    if (!in.valid() || !facts.LoopContains(loop, in)) return true;
    const auto ops = program.blocks[block].ops;
    if (!ops.empty() && program.ops[ops.back()].kind == OpKind::kReturn) return true;
    const auto next = program.blocks[block].succs;
    if (next.size() != 1) return false;
    block = next[0];
    if (block == program.loops[loop].header) return false;
  }
  return false;
}

bool EndsLoop(const Facts& facts, ir::ValueId truth, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (program.loops[loop].truth == truth) return true;
  for (const ir::ValueId branch : facts.UsesOf(truth)) {
    if (program.ops[branch].kind != OpKind::kBranch) continue;
    for (const ir::BlockId next : program.blocks[program.ops[branch].block].succs) {
      if (LeavesLoop(facts, next, loop)) return true;
    }
  }
  return false;
}

}  // namespace cpnlint::rules::match
