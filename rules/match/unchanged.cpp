#include "rules/match/unchanged.h"

#include <unordered_set>
#include <vector>

namespace cpnlint::rules::match {
namespace {

using analysis::Facts;
using ir::OpKind;
using ir::ValueId;

constexpr std::size_t kMostOps = 200;

class Walk {
 public:
  Walk(const Facts& facts, ir::LoopId loop) : facts_(facts), program_(facts.program()), loop_(loop) {}

  bool Holds(ValueId value) {
    Push(value);
    for (std::size_t at = 0; at < pending_.size(); ++at) {
      if (at == kMostOps || !Look(pending_[at])) return false;
    }
    return true;
  }

 private:
  void Push(ValueId value) {
    if (value.valid() && seen_.insert(value).second) pending_.push_back(value);
  }

  bool Look(ValueId value) {
    const ir::Op& op = program_.ops[value];
    const ValueId root = facts_.RootOf(value);
    if (!facts_.InLoop(value, loop_)) return !facts_.IsArray(value) || !facts_.MutatedIn(root, loop_);
    // What an earlier pass has left.
    if (op.kind == OpKind::kPhi && op.block == program_.loops[loop_].header) return false;
    if (op.kind == OpKind::kLoadCell && !facts_.Invariant(value, loop_)) return false;
    if (facts_.IsArray(value) && !(root.valid() && facts_.InLoop(root, loop_)) && facts_.MutatedIn(root, loop_))
      return false;
    if (op.kind == OpKind::kAttr && facts_.Of(program_.Operand(value, 0)).kind == analysis::Kind::kInstance &&
        facts_.AttributeStoredIn(program_.SymbolOf(op), loop_))
      return false;
    for (const ValueId operand : program_.Operands(value)) Push(operand);
    if (root == value) PushStored(root);
    return true;
  }

  // What this pass puts into an array of its own.
  void PushStored(ValueId root) {
    for (const ir::BlockId block : program_.functions[program_.loops[loop_].function].blocks) {
      if (!facts_.BlockInLoop(block, loop_)) continue;
      for (const ValueId op : program_.blocks[block].ops) {
        if (program_.ops[op].kind == OpKind::kStoreSubscript && facts_.RootOf(program_.Operand(op, 0)) == root)
          Push(program_.Operand(op, 1));
      }
    }
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
  std::vector<ValueId> pending_;
  std::unordered_set<ValueId> seen_;
};

}  // namespace

bool IsMadeOfUnchanged(const Facts& facts, ValueId value, ir::LoopId loop) {
  return loop.valid() && Walk(facts, loop).Holds(value);
}

}  // namespace cpnlint::rules::match
