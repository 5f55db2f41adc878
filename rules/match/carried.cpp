#include "rules/match/carried.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/carried_numbers.h"
#include "rules/match/device_call.h"
#include "rules/match/only_fetches.h"
#include "rules/match/same_expression.h"
#include "rules/match/story.h"
#include "rules/match/whole_loop.h"

namespace cpnlint::rules::match {

using analysis::Facts;

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
    const auto x = facts.KeysOf(a), y = facts.KeysOf(b);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](ir::ValueId one, ir::ValueId other) {
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
      const bool own = reads && std::any_of(stores.begin(), stores.end(), [&](ir::ValueId store) {
                         return is_of_root(store) && same_keys(op, store);
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

}  // namespace cpnlint::rules::match
