#include "rules/match/unchanged.h"

#include <algorithm>
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
  Walk(const Facts& facts, ir::LoopId loop, ValueId reader)
      : facts_(facts), program_(facts.program()), loop_(loop), reader_(reader) {}

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
    if (!facts_.InLoop(value, loop_)) return !facts_.IsArray(value) || !IsChanged(root);
    // What an earlier pass has left.
    if (op.kind == OpKind::kPhi && op.block == program_.loops[loop_].header) return false;
    if (op.kind == OpKind::kLoadCell && !facts_.Invariant(value, loop_)) return false;
    if (facts_.IsArray(value) && !(root.valid() && facts_.InLoop(root, loop_)) && IsChanged(root)) return false;
    if (op.kind == OpKind::kAttr && facts_.Of(program_.Operand(value, 0)).kind == analysis::Kind::kInstance &&
        facts_.AttributeStoredIn(program_.SymbolOf(op), loop_))
      return false;
    for (const ValueId operand : program_.Operands(value)) Push(operand);
    if (root == value) PushStored(root);
    return true;
  }

  [[nodiscard]] bool IsChanged(ValueId root) const {
    if (!facts_.MutatedIn(root, loop_)) return false;
    return !root.valid() || !EachOp([&](ValueId op) { return OnlyReads(op, root); });
  }

  // It has nothing of the array, or is sure to leave it as it is.
  [[nodiscard]] bool OnlyReads(ValueId op, ValueId root) const {
    const OpKind kind = program_.ops[op].kind;
    if (op == reader_) return true;
    if (kind == OpKind::kCall && facts_.CalleeOf(op).kind == analysis::Callee::Kind::kLocal) return false;
    if (kind == OpKind::kSubscript || kind == OpKind::kBinary) return true;
    if (kind == OpKind::kAttr && facts_.Of(op).kind != analysis::Kind::kMethod) return true;
    return std::ranges::none_of(program_.Operands(op),
                                [&](ValueId operand) { return operand.valid() && facts_.RootOf(operand) == root; });
  }

  // What this pass puts into an array of its own.
  void PushStored(ValueId root) {
    EachOp([&](ValueId op) {
      if (program_.ops[op].kind == OpKind::kStoreSubscript && facts_.RootOf(program_.Operand(op, 0)) == root)
        Push(program_.Operand(op, 1));
      return true;
    });
  }

  // True where it holds for every op of the loop.
  bool EachOp(const auto& holds) const {
    return std::ranges::all_of(program_.functions[program_.loops[loop_].function].blocks, [&](ir::BlockId block) {
      return !facts_.BlockInLoop(block, loop_) || std::ranges::all_of(program_.blocks[block].ops, holds);
    });
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
  ValueId reader_;
  std::vector<ValueId> pending_;
  std::unordered_set<ValueId> seen_;
};

}  // namespace

bool IsMadeOfUnchanged(const Facts& facts, ValueId value, ir::LoopId loop, ValueId reader) {
  return loop.valid() && Walk(facts, loop, reader).Holds(value);
}

}  // namespace cpnlint::rules::match
