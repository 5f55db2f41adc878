#include "rules/match/arms.h"

#include <algorithm>
#include <optional>

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;
using ir::ValueId;

namespace {

// `swaps[k, 0]` of `swaps[k, 0] += 1`, and of `swaps[k, 0] = 1`.
Text EntryOf(const Facts& facts, ValueId store) {
  const ir::Program& program = facts.program();
  Text entry;
  entry.Add(program.OperandSpan(store, 0), Binding::kPrimary).Add("[");
  for (std::uint32_t key = 0; key < facts.KeysOf(store).size(); ++key)
    entry.Add(key == 0 ? "" : ", ").Add(program.OperandSpan(store, key + 2));
  return entry.Add("]");
}

// How the test has come out where the block runs; nothing where the block does not depend on it.
std::optional<bool> HoldsIn(const ir::Program& program, ValueId truth, ir::BlockId block) {
  for (ir::GuardId guard = program.blocks[block].guard; guard.valid(); guard = program.guards[guard].parent) {
    if (program.guards[guard].truth == truth) return program.guards[guard].holds;
  }
  return std::nullopt;
}

// An arm of the test makes the array itself.
bool MadeUnder(const Facts& facts, ValueId array, ValueId truth) {
  const ir::Program& program = facts.program();
  const ValueId root = facts.RootOf(array);
  return root.valid() && program.FunctionOf(root) == program.FunctionOf(truth) &&
         HoldsIn(program, truth, program.ops[root].block);
}

// What the op changes of an array that others see; empty for all else.
Text ChangedBy(const Facts& facts, ValueId op, ValueId truth) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  const auto is_others = [&](ValueId array) { return facts.IsDevice(array) && !MadeUnder(facts, array, truth); };
  switch (it.kind) {
    case OpKind::kStoreSubscript: return is_others(program.Operand(op, 0)) ? EntryOf(facts, op) : Text();
    case OpKind::kStoreAttr:
      if (!facts.IsDevice(program.Operand(op, 1))) return {};
      return Text().Add(program.OperandSpan(op, 0), Binding::kPrimary).Add(".").Add(program.Name(it));
    case OpKind::kInplaceBinary: {
      const ir::Op& target = program.ops[program.Operand(op, 0)];
      // What it gives to an entry or an attribute is stored behind it.
      const bool stored = (target.flags & ir::kAugmented) != 0 || target.kind == OpKind::kAttr;
      if (stored || !is_others(program.Operand(op, 0))) return {};
      return Text().Add(program.OperandSpan(op, 0), Binding::kPrimary).Add("[...]");
    }
    default: return {};
  }
}

constexpr int kOfDevice = 2;

// How surely the device can choose the value: 2 for its own and numbers, 1 for what may be one, 0 for all else.
int Choosable(const Facts& facts, ValueId value) {
  if (!value.valid()) return 0;
  const analysis::Kind kind = facts.Of(value).kind;
  if (facts.IsDevice(value) || kind == analysis::Kind::kFloat) return kOfDevice;
  return kind == analysis::Kind::kUnknown ? 1 : 0;
}

class Finder {
 public:
  Finder(const Facts& facts, ValueId truth) : facts_(facts), program_(facts.program()), truth_(truth) {}

  Arms Find() {
    const auto& blocks = program_.functions[program_.FunctionOf(truth_)].blocks;
    for (const ir::BlockId block : blocks) {
      const std::optional<bool> holds = Itself(block);
      if (!first_) first_ = holds;
      if (holds && holds == first_ && Leaves(block)) leaves_ = true;
    }
    for (const ir::BlockId block : blocks) {
      const std::optional<bool> holds = Itself(block);
      const bool arm = holds && !IsRest(*holds);
      for (const ValueId op : program_.blocks[block].ops) {
        if (program_.ops[op].kind == OpKind::kPhi) LookAtVariable(op);
        if (arm) LookAtChange(op);
      }
    }
    arms_.bound_surely = surest_ == kOfDevice;
    return arms_;
  }

 private:
  // `return`, `continue`: what stands behind the test is no arm of it.
  [[nodiscard]] bool Leaves(ir::BlockId block) const {
    const auto ops = program_.blocks[block].ops;
    if (ops.empty()) return false;
    if (program_.ops[ops.back()].kind == OpKind::kReturn) return true;
    const ir::LoopId loop = program_.LoopOf(truth_);
    return loop.valid() && program_.ops[ops.back()].kind == OpKind::kJump &&
           program_.blocks[block].succs.front() == program_.loops[loop].header;
  }
  [[nodiscard]] bool IsRest(bool holds) const { return leaves_ && holds != first_; }

  // Whether the block runs where the test holds; nothing where another test comes between, or none is made.
  [[nodiscard]] std::optional<bool> Itself(ir::BlockId block) const {
    const ir::GuardId guard = program_.blocks[block].guard;
    if (!guard.valid() || program_.guards[guard].truth != truth_) return std::nullopt;
    return program_.guards[guard].holds;
  }

  void LookAtChange(ValueId op) {
    const Text changed = ChangedBy(facts_, op, truth_);
    if (changed.empty()) return;
    if (arms_.changes++ == 0) arms_.changed = changed;
  }

  // Where the ways meet, at the end of the test or of the pass, the variable has other values by them.
  void LookAtVariable(ValueId phi) {
    const ir::Block& block = program_.blocks[program_.ops[phi].block];
    const ir::LoopId loop = program_.LoopOf(phi);
    const bool head = loop.valid() && program_.loops[loop].header == program_.ops[phi].block;
    const auto values = program_.Operands(phi);
    ValueId first;
    bool differ = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (head && !facts_.BlockInLoop(block.preds[i], loop)) continue;
      differ = differ || (first.valid() && values[i] != first);
      first = first.valid() ? first : values[i];
    }
    if (!differ) return;
    // What an arm makes is the new value, and the other way hands on the old one.
    const auto made_in = [&](ValueId value) {
      return value.valid() ? HoldsIn(program_, truth_, program_.ops[value].block) : std::nullopt;
    };
    const bool any_made = std::ranges::any_of(values, [&](ValueId value) { return made_in(value).has_value(); });
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::optional<bool> holds = HoldsIn(program_, truth_, block.preds[i]);
      const bool is_new = holds && (!any_made || made_in(values[i]) == holds);
      const int choosable = is_new && !IsRest(*holds) && values[i] != phi ? Choosable(facts_, values[i]) : 0;
      if (choosable <= surest_) continue;
      surest_ = choosable;
      arms_.bound = program_.Name(program_.ops[phi]);
      arms_.bound_where_not = !*holds;
    }
  }

  const Facts& facts_;
  const ir::Program& program_;
  ValueId truth_;
  Arms arms_;
  std::optional<bool> first_;  // whether the test holds on the way that is written first
  bool leaves_ = false;        // that way ends the pass, or the function
  int surest_ = 0;
};

}  // namespace

Arms ArmsOf(const Facts& facts, ValueId truth) { return Finder(facts, truth).Find(); }

}  // namespace cpnlint::rules::match
