#include "rules/match/carried.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/carried_numbers.h"
#include "analyzer/analysis/earlier_trips.h"
#include "analyzer/analysis/keys.h"
#include "rules/match/device_call.h"
#include "rules/match/only_fetches.h"
#include "rules/match/same_expression.h"
#include "rules/match/story.h"
#include "rules/match/whole_loop.h"

namespace cpnlint::rules::match {

using analysis::Facts;

// A loop inside of `loop` that has both goes on from one trip of its own to the next: `x[t, i] = x[t, i - 1]`.
static bool DependsInside(const Facts& facts, ir::LoopId loop, ir::ValueId op, ir::ValueId store) {
  const ir::Program& program = facts.program();
  for (ir::LoopId in = program.LoopOf(op); in.valid() && in != loop; in = program.loops[in].parent) {
    const analysis::LoopFact& fact = facts.LoopFactOf(in);
    const bool goes_on = fact.kind == analysis::LoopKind::kRecurrence || fact.carried;
    if (goes_on && facts.InLoop(store, in)) return true;
  }
  return false;
}

Span CarriedArray(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> stores;
  const std::span<const ir::BlockId> blocks = program.functions[program.loops[loop].function].blocks;
  const auto each = [&](const auto& look) {
    for (const ir::BlockId block : blocks) {
      const ir::LoopId in = program.blocks[block].loop;
      if (!in.valid() || !facts.LoopContains(loop, in)) continue;
      for (const ir::ValueId op : program.blocks[block].ops) look(op);
    }
  };
  each([&](ir::ValueId op) {
    const ir::ValueId base = program.Operand(op, 0);
    if (program.ops[op].kind != ir::OpKind::kStoreSubscript || !facts.IsDevice(base)) return;
    // What each trip makes anew is handed to no other.
    if (const ir::ValueId root = facts.RootOf(base); root.valid() && !facts.InLoop(root, loop)) stores.push_back(op);
  });
  const auto same_keys = [&](ir::ValueId a, ir::ValueId b) {
    const auto x = analysis::SelectedBy(facts, a, loop).keys, y = analysis::SelectedBy(facts, b, loop).keys;
    return std::ranges::equal(x, y, [&](ir::ValueId one, ir::ValueId other) {
      return one.valid() && other.valid() && SameExpression(facts, one, other);
    });
  };
  Span carried;
  each([&](ir::ValueId op) {
    const ir::OpKind kind = program.ops[op].kind;
    const bool reads = kind == ir::OpKind::kSubscript;
    if (!carried.empty() || (!reads && kind != ir::OpKind::kBinary && !AsDeviceCall(facts, op))) return;
    const auto operands = program.Operands(op);
    for (std::uint32_t i = 0; i < (reads ? 1 : operands.size()); ++i) {
      const ir::ValueId array = operands[i];
      if (!array.valid() || !facts.IsDevice(array)) continue;
      // `x[i]` of `x[i][j]` is read by the second key.
      if (!reads && program.ops[facts.Source(array)].kind == ir::OpKind::kSubscript) continue;
      const ir::ValueId root = facts.RootOf(array);
      const auto is_of_root = [&](ir::ValueId store) { return facts.RootOf(program.Operand(store, 0)) == root; };
      if (!root.valid() || std::none_of(stores.begin(), stores.end(), is_of_root)) continue;
      const bool own = reads && std::all_of(stores.begin(), stores.end(), [&](ir::ValueId store) {
                         if (!is_of_root(store) || same_keys(op, store)) return true;
                         return analysis::AreApart(facts, loop, op, store) && !DependsInside(facts, loop, op, store);
                       });
      if (!own) carried = program.OperandSpan(op, i);
    }
  });
  return carried;
}

// `acc + v` of `acc = acc + v`, `np.maximum(top, v)`: trips may add up in any order.
static bool Accumulates(const Facts& facts, ir::ValueId op, ir::ValueId variable) {
  const ir::Program& program = facts.program();
  const auto returns = [&](ir::ValueId user) { return program.ops[user].kind == ir::OpKind::kPhi; };
  const auto users = facts.UsesOf(op);
  if (std::none_of(users.begin(), users.end(), returns)) return false;
  if (const DeviceCall call = AsDeviceCall(facts, op)) return IsOneOf(call.base, {"maximum", "minimum"});
  const ir::OpKind kind = program.ops[op].kind;
  if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kInplaceBinary) return false;
  const auto binary = static_cast<ir::BinaryOp>(program.ops[op].detail);
  if (binary == ir::BinaryOp::kSub) return program.Operand(op, 0) == variable;
  return binary == ir::BinaryOp::kAdd || binary == ir::BinaryOp::kMul;
}

Span CarriedVariable(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const bool number = analysis::CarriesNumber(facts, loop);
  for (const ir::ValueId variable : program.blocks[program.loops[loop].header].ops) {
    if (program.ops[variable].kind != ir::OpKind::kPhi) break;
    if (!facts.IsDevice(variable) || !(facts.HasAxis(variable) || (number && facts.IsZeroD(variable)))) continue;
    for (const ir::ValueId use : facts.UsesOf(variable)) {
      const bool reads = program.ops[use].kind != ir::OpKind::kPhi && facts.InLoop(use, loop);
      if (reads && !Accumulates(facts, use, variable)) return SpanOfOperand(facts, use, variable);
    }
  }
  return {};
}

bool KeepsItsOrder(const Facts& facts, ir::LoopId loop) {
  const analysis::LoopFact& fact = facts.LoopFactOf(loop);
  if (fact.kind != analysis::LoopKind::kElement || OnlyFetches(facts, fact) || WithoutIndex(facts, loop)) return false;
  return !CarriedArray(facts, loop).empty() || !CarriedVariable(facts, loop).empty();
}

namespace {

std::vector<ir::ValueId> OpsIn(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> ops;
  for (const ir::BlockId block : program.functions[program.loops[loop].function].blocks) {
    const ir::LoopId in = program.blocks[block].loop;
    if (in.valid() && facts.LoopContains(loop, in))
      ops.insert(ops.end(), program.blocks[block].ops.begin(), program.blocks[block].ops.end());
  }
  return ops;
}

bool IsAccess(ir::OpKind kind) { return kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript; }

// A function of the program, or one that nobody knows, may change anything; so may a store into an object.
bool MayChangeMore(const Facts& facts, ir::ValueId op) {
  const ir::OpKind kind = facts.program().ops[op].kind;
  if (kind == ir::OpKind::kStoreAttr) return true;
  if (kind != ir::OpKind::kCall) return false;
  const analysis::Callee::Kind callee = facts.CalleeOf(op).kind;
  return callee == analysis::Callee::Kind::kLocal || callee == analysis::Callee::Kind::kUnknown;
}

// `state = f(state, x[i])`, a number or an array that a pass takes over from the one before, other than a sum.
bool TakesOver(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId variable : program.blocks[program.loops[loop].header].ops) {
    if (program.ops[variable].kind != ir::OpKind::kPhi) break;
    if (facts.IsBareInduction(variable, loop)) continue;
    for (const ir::ValueId use : facts.UsesOf(variable)) {
      const bool reads = program.ops[use].kind != ir::OpKind::kPhi && facts.InLoop(use, loop);
      if (reads && !Accumulates(facts, use, variable)) return true;
    }
  }
  return false;
}

}  // namespace

bool PassesAreFree(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const analysis::LoopFact& fact = facts.LoopFactOf(loop);
  if (fact.kind != analysis::LoopKind::kElement || fact.carried || program.loops[loop].has_break) return false;
  if (analysis::CarriesNumber(facts, loop) || TakesOver(facts, loop)) return false;
  const std::vector<ir::ValueId> ops = OpsIn(facts, loop);
  if (std::ranges::any_of(ops, [&](ir::ValueId op) { return MayChangeMore(facts, op); })) return false;
  std::vector<ir::ValueId> stores;
  for (const ir::ValueId op : ops) {
    const ir::ValueId base = program.Operand(op, 0);
    if (program.ops[op].kind != ir::OpKind::kStoreSubscript || !facts.IsDevice(base)) continue;
    const ir::ValueId root = facts.RootOf(base);
    if (!root.valid()) return false;
    if (!facts.InLoop(root, loop)) stores.push_back(op);
  }
  return std::ranges::all_of(stores, [&](ir::ValueId store) {
    const ir::ValueId root = facts.RootOf(program.Operand(store, 0));
    return std::ranges::all_of(ops, [&](ir::ValueId op) {
      const ir::OpKind kind = program.ops[op].kind;
      if (IsAccess(kind)) {
        const ir::ValueId base = program.Operand(op, 0);
        if (!facts.IsDevice(base)) return true;
        const ir::ValueId of = facts.RootOf(base);
        return of.valid() && (of != root || analysis::AreApart(facts, loop, op, store));
      }
      if (kind == ir::OpKind::kPhi) return true;
      return std::ranges::none_of(program.Operands(op), [&](ir::ValueId operand) {  // all of the array
        return operand.valid() && facts.IsDevice(operand) && facts.RootOf(operand) == root &&
               program.ops[facts.Source(operand)].kind != ir::OpKind::kSubscript;
      });
    });
  });
}

ir::LoopId FreeLoopInside(const Facts& facts, ir::LoopId outer) {
  const ir::Program& program = facts.program();
  const analysis::LoopFact& fact = facts.LoopFactOf(outer);
  if (fact.kind != analysis::LoopKind::kRecurrence) return {};
  ir::LoopId inside;
  for (const analysis::LoopFact::Access& access : fact.accesses) {
    ir::LoopId loop = program.LoopOf(access.op);
    while (loop.valid() && loop != outer && program.loops[loop].parent != outer) loop = program.loops[loop].parent;
    if (!loop.valid() || loop == outer) return {};  // work of the outer passes themselves
    if (loop == inside) continue;
    if (!PassesAreFree(facts, loop)) return {};
    if (!inside.valid()) inside = loop;
  }
  return inside;
}

}  // namespace cpnlint::rules::match
