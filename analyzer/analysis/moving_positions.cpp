#include "analyzer/analysis/moving_positions.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostParts = 32;  // of the expression of one position

bool IsDrawnByPython(const Callee& callee) {
  return callee.kind == Callee::Kind::kForeign && callee.name.starts_with("random.") && callee.name != "random.seed" &&
         callee.name != "random.Random";
}

// Made in the loop itself, of what Python draws and of numbers that go from pass to pass, and of nothing else that
// may change. `moves` where there is one of those.
bool IsMadeOfMoving(const Facts& facts, ir::ValueId key, ir::LoopId loop, bool& moves) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {facts.Source(key)};
  // What a loop inside binds moves with that one.
  if (work[0].valid() && facts.InLoop(work[0], loop) && program.LoopOf(work[0]) != loop) return false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ir::ValueId part = work[i];
    if (i == kMostParts) return false;
    if (!part.valid() || !facts.InLoop(part, loop)) continue;
    const ir::Op& op = program.ops[part];
    if (facts.IsDevice(part)) return false;
    switch (op.kind) {
      case ir::OpKind::kPhi:
        if (op.block != program.loops[loop].header) break;
        if (!IsNumber(facts.Of(part).kind)) return false;
        moves = true;
        continue;
      case ir::OpKind::kCall:
        if (IsDrawnByPython(facts.CalleeOf(part))) {
          moves = true;
          continue;
        }
        if (!IsBuiltin(facts.CalleeOf(part), {"abs", "divmod", "int", "max", "min", "round"})) return false;
        break;
      case ir::OpKind::kBinary:
      case ir::OpKind::kInplaceBinary:
      case ir::OpKind::kUnary:
      case ir::OpKind::kTuple:
      case ir::OpKind::kUnpackItem: break;
      default:
        if (facts.Invariant(part, loop)) continue;
        return false;
    }
    for (const ir::ValueId operand : program.Operands(part).subspan(op.kind == ir::OpKind::kCall ? 1 : 0)) {
      const ir::ValueId source = operand.valid() ? facts.Source(operand) : operand;
      if (std::ranges::find(work, source) == work.end()) work.push_back(source);
    }
  }
  return true;
}

}  // namespace

bool MovesByItself(const Facts& facts, ir::ValueId store, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (program.ops[store].kind != ir::OpKind::kStoreSubscript) return false;
  if (facts.SubscriptOf(store).selects != SubscriptResult::Selects::kElement) return false;
  bool moves = false;
  for (const ir::ValueId key : facts.KeysOf(store)) {
    if (facts.Of(key).kind == Kind::kSlice || !IsMadeOfMoving(facts, key, loop, moves)) return false;
  }
  return moves;
}

bool AnyWorksOnWhole(const Facts& facts, std::span<const ir::ValueId> ops) {
  return std::ranges::any_of(ops, [&](ir::ValueId op) {
    if (!facts.IsArrayWork(op)) return false;
    const bool store = facts.program().ops[op].kind == ir::OpKind::kStoreSubscript;
    return !store || facts.SubscriptOf(op).selects != SubscriptResult::Selects::kElement;
  });
}

}  // namespace cpnlint::analysis
