#include "rules/match/loop_exit.h"

#include <algorithm>
#include <vector>

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

// Some `except` stands in the loop: what is raised may be caught in the same pass.
static bool HasHandler(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  return std::ranges::any_of(program.functions[program.loops[loop].function].blocks, [&](ir::BlockId block) {
    const ir::GuardId id = program.blocks[block].guard;
    if (!id.valid() || program.guards[id].kind != ir::Guard::Kind::kExcept) return false;
    const ir::LoopId around = program.guards[id].loop;
    return around.valid() && facts.LoopContains(loop, around);
  });
}

bool StopsFrom(const Facts& facts, ir::BlockId block, ir::LoopId loop) {
  if (LeavesLoop(facts, block, loop)) return true;
  const ir::Program& program = facts.program();
  const auto ops = program.blocks[block].ops;
  return !ops.empty() && program.ops[ops.back()].kind == OpKind::kRaise && !HasHandler(facts, loop);
}

static ir::ValueId BranchOn(const Facts& facts, ir::ValueId truth) {
  for (const ir::ValueId branch : facts.UsesOf(truth)) {
    if (facts.program().ops[branch].kind == OpKind::kBranch) return branch;
  }
  return {};
}

Span WholeTest(const Facts& facts, ir::ValueId truth) {
  const ir::ValueId branch = BranchOn(facts, truth);
  return branch.valid() ? facts.program().ops[branch].span : Span{};
}

// Where the test, or another part of the same one, leaves the loop; None() where it does not, or is the loop's own.
static ir::BlockId ExitOf(const Facts& facts, ir::ValueId truth, ir::LoopId loop,
                          bool (*leaves)(const Facts&, ir::BlockId, ir::LoopId) = LeavesLoop) {
  constexpr std::size_t kMostParts = 16;
  const ir::Program& program = facts.program();
  const Span whole = WholeTest(facts, truth);
  std::vector<ir::ValueId> parts = {truth};
  for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i) {
    const ir::ValueId branch = BranchOn(facts, parts[i]);
    if (!branch.valid()) continue;
    for (const ir::BlockId next : program.blocks[program.ops[branch].block].succs) {
      if (leaves(facts, next, loop)) return next;
      // `b` of `a and b`, which is asked where `a` holds
      const auto ops = program.blocks[next].ops;
      if (ops.empty() || program.ops[ops.back()].kind != OpKind::kBranch) continue;
      if (program.ops[ops.back()].span == whole) parts.push_back(program.Operand(ops.back(), 0));
    }
  }
  return {};
}

bool EndsLoop(const Facts& facts, ir::ValueId truth, ir::LoopId loop) {
  return facts.program().loops[loop].truth == truth || ExitOf(facts, truth, loop).valid();
}

bool StopsLoop(const Facts& facts, ir::ValueId truth, ir::LoopId loop) {
  return ExitOf(facts, truth, loop, StopsFrom).valid();
}

bool EndsLoopWhereItHolds(const Facts& facts, ir::ValueId truth, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::BlockId exit = ExitOf(facts, truth, loop);
  if (!exit.valid() || program.blocks[exit].ops.empty()) return false;
  // The arm begins with the statement that follows the test; `else` comes later.
  const ir::StatementId first = program.ops[program.blocks[exit].ops.front()].statement;
  return first.index() == program.ops[truth].statement.index() + 1;
}

}  // namespace cpnlint::rules::match
