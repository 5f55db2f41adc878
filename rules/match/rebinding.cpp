#include "rules/match/rebinding.h"

#include <algorithm>
#include <optional>

#include "rules/match/lifetime.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;

namespace {

constexpr std::size_t kDeepest = 4;  // of `a.b["c"].d`
constexpr int kMostTests = 8;        // around one place

bool SameKey(const Facts& facts, ir::ValueId a, ir::ValueId b) {
  if (!a.valid() || !b.valid()) return false;
  if (facts.Source(a) == facts.Source(b)) return true;
  if (facts.TextOf(a)) return facts.TextOf(a) == facts.TextOf(b);
  return facts.IntOf(a).has_value() && facts.IntOf(a) == facts.IntOf(b);
}

// Both read one place: one variable, one attribute of one object, one item of one container.
bool SamePlace(const Facts& facts, ir::ValueId a, ir::ValueId b) {
  const ir::Program& program = facts.program();
  for (std::size_t depth = 0; depth < kDeepest; ++depth) {
    if (!a.valid() || !b.valid()) return false;
    a = facts.Source(a);
    b = facts.Source(b);
    if (a == b) return true;
    const ir::Op &left = program.ops[a], &right = program.ops[b];
    if (left.kind != right.kind) return false;
    switch (left.kind) {
      case OpKind::kLoadCell: return left.payload == right.payload;
      case OpKind::kAttr:
        if (left.payload != right.payload) return false;
        break;
      case OpKind::kSubscript:
        if (left.operand_count != 2 || right.operand_count != 2) return false;
        if (!SameKey(facts, program.Operand(a, 1), program.Operand(b, 1))) return false;
        break;
      default: return false;
    }
    a = program.Operand(a, 0);
    b = program.Operand(b, 0);
  }
  return false;
}

ir::ValueId Stored(const ir::Program& program, ir::ValueId store) {
  return program.Operand(store, program.ops[store].kind == OpKind::kStoreCell ? 0 : 1);
}

bool IsCallOfBuiltin(const Facts& facts, ir::ValueId id, std::string_view name) {
  if (facts.program().ops[id].kind != OpKind::kCall) return false;
  const analysis::Callee& callee = facts.CalleeOf(id);
  return callee.kind == analysis::Callee::Kind::kBuiltin && callee.name == name;
}

// `len(place)`, `place.size`, `place.shape[0]`
bool CountsItems(const Facts& facts, ir::ValueId count, ir::ValueId place) {
  const ir::Program& program = facts.program();
  if (IsCallOfBuiltin(facts, count, "len")) return SamePlace(facts, program.Operand(count, 1), place);
  if (program.ops[count].kind == OpKind::kSubscript) {
    count = facts.Source(program.Operand(count, 0));
    return program.ops[count].kind == OpKind::kAttr && program.Name(program.ops[count]) == "shape" &&
           SamePlace(facts, program.Operand(count, 0), place);
  }
  return program.ops[count].kind == OpKind::kAttr && program.Name(program.ops[count]) == "size" &&
         SamePlace(facts, program.Operand(count, 0), place);
}

// The test holds where nothing is at the place yet: `x is None`, `len(x) == 0`, `not hasattr(self, "x")`.
bool AsksWhetherEmpty(const Facts& facts, ir::ValueId test, bool holds, ir::ValueId place) {
  const ir::Program& program = facts.program();
  while (program.ops[test].kind == OpKind::kNot || program.ops[test].kind == OpKind::kTruth) {
    if (program.ops[test].kind == OpKind::kNot) holds = !holds;
    test = program.Operand(test, 0);
    if (!test.valid()) return false;
  }
  const ir::Op& op = program.ops[test];
  if (IsCallOfBuiltin(facts, test, "hasattr")) {
    return !holds && program.ops[place].kind == OpKind::kAttr &&
           facts.TextOf(program.Operand(test, 2)) == program.Name(program.ops[place]) &&
           SamePlace(facts, program.Operand(test, 1), program.Operand(place, 0));
  }
  if (CountsItems(facts, test, place)) return !holds;
  if (op.kind != OpKind::kCompare) return false;
  const ir::ValueId left = facts.Source(program.Operand(test, 0)), right = program.Operand(test, 1);
  const auto compares = static_cast<ir::CompareOp>(op.detail);
  const bool same = compares == ir::CompareOp::kIs || compares == ir::CompareOp::kEq;
  const bool other = compares == ir::CompareOp::kIsNot || compares == ir::CompareOp::kNe;
  if (facts.IsNoneConstant(right)) return SamePlace(facts, left, place) && (holds ? same : other);
  if (facts.IntOf(right) != 0 || !CountsItems(facts, left, place)) return false;
  return holds ? same : other || compares == ir::CompareOp::kGt;
}

// The block runs where nothing is at the place yet.
bool BeginsPlace(const Facts& facts, ir::BlockId block, ir::ValueId place) {
  const ir::Program& program = facts.program();
  ir::GuardId guard = program.blocks[block].guard;
  for (int tests = 0; guard.valid() && tests < kMostTests; guard = program.guards[guard].parent, ++tests) {
    const ir::Guard& around = program.guards[guard];
    const bool one_test = around.kind == ir::Guard::Kind::kTest && around.truth.valid();
    if (one_test && AsksWhetherEmpty(facts, around.truth, around.holds, place)) return true;
  }
  return false;
}

template <class Predicate>
bool AnyOpOfFunction(const ir::Program& program, ir::ValueId of, const Predicate& predicate) {
  const ir::Function& function = program.functions[program.FunctionOf(of)];
  for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    if (predicate(ir::ValueId(i))) return true;
  }
  return false;
}

}  // namespace

bool StoresToPlace(const Facts& facts, ir::ValueId store, ir::ValueId read) {
  const ir::Program& program = facts.program();
  const ir::Op &to = program.ops[store], &from = program.ops[read];
  switch (to.kind) {
    case OpKind::kStoreCell: return from.kind == OpKind::kLoadCell && from.payload == to.payload;
    case OpKind::kStoreAttr:
      return from.kind == OpKind::kAttr && from.payload == to.payload &&
             SamePlace(facts, program.Operand(read, 0), program.Operand(store, 0));
    case OpKind::kStoreSubscript:
      return from.kind == OpKind::kSubscript && from.operand_count == 2 && to.operand_count == 3 &&
             !facts.IsArray(program.Operand(store, 0)) &&
             SameKey(facts, program.Operand(read, 1), program.Operand(store, 2)) &&
             SamePlace(facts, program.Operand(read, 0), program.Operand(store, 0));
    default: return false;
  }
}

bool ReplacesAtPlace(const Facts& facts, ir::ValueId op, ir::ValueId old) {
  if (!old.valid()) return false;
  const auto uses = facts.UsesOf(op);
  return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
    return StoresToPlace(facts, use, old) && Stored(facts.program(), use) == op;
  });
}

bool GrowsAtPlace(const Facts& facts, ir::ValueId op, ir::ValueId old) {
  if (!old.valid()) return false;
  const ir::Program& program = facts.program();
  bool grows = false;
  const bool reset = AnyOpOfFunction(program, op, [&](ir::ValueId store) {
    if (!StoresToPlace(facts, store, old)) return false;
    const ir::ValueId stored = Stored(program, store);
    if (stored == op) {
      grows = true;
      return false;
    }
    if (!stored.valid() || program.ops[stored].kind != OpKind::kPhi)
      return !BeginsPlace(facts, program.ops[store].block, old);
    // `self.x = p if self.x is None else np.append(self.x, p)`
    const auto ways = program.Operands(stored);
    const auto& from = program.blocks[program.ops[stored].block].preds;
    for (std::size_t i = 0; i < ways.size() && i < from.size(); ++i) {
      if (ways[i] == op) {
        grows = true;
      } else if (!BeginsPlace(facts, from[i], old)) {
        return true;
      }
    }
    return false;
  });
  return grows && !reset;
}

bool PlaceIsHeld(const Facts& facts, ir::ValueId op, ir::ValueId old, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  return AnyOpOfFunction(program, op, [&](ir::ValueId read) {
    if (program.ops[read].kind != program.ops[old].kind || !SamePlace(facts, read, old)) return false;
    if (LeavesThePass(facts, read, loop)) return true;
    if (read > op) return false;
    const auto uses = facts.UsesOf(read);
    return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId use) { return use > op; });
  });
}

bool RebindsVariable(const Facts& facts, ir::ValueId op, ir::ValueId old) {
  const ir::Program& program = facts.program();
  if (!old.valid() || program.FunctionOf(old) != program.FunctionOf(op)) return false;
  const ir::Function& function = program.functions[program.FunctionOf(op)];
  const bool joined = program.ops[old].kind == OpKind::kPhi;
  // The first name is that of the statement itself; `y = x` binds the same value once more.
  const auto bound = std::find_if(function.bindings.begin(), function.bindings.end(),
                                  [&](const ir::Binding& binding) { return binding.value == op; });
  if (bound == function.bindings.end()) return false;
  if (joined) return program.SymbolOf(program.ops[old]) == bound->name;
  return std::any_of(function.bindings.begin(), function.bindings.end(),
                     [&](const ir::Binding& binding) { return binding.value == old && binding.name == bound->name; });
}

}  // namespace cpnlint::rules::match
