#include "rules/match/flag.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "rules/match/loop_exit.h"
#include "rules/match/on_by_default.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;

namespace {

constexpr std::size_t kMostOps = 64;

// The tests between the op and its hot loop, innermost first; all tests of its function where that loop is elsewhere.
std::vector<ir::GuardId> TestsInside(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::LoopId hot = facts.HeatOf(op).loop;
  const bool here = hot.valid() && facts.InLoop(op, hot);
  std::vector<ir::GuardId> guards;
  for (ir::GuardId id = program.blocks[program.ops[op].block].guard; id.valid(); id = program.guards[id].parent) {
    const ir::Guard& guard = program.guards[id];
    if (here && !(guard.loop.valid() && facts.LoopContains(hot, guard.loop))) break;
    if (guard.truth.valid() && program.ops[guard.truth].kind == OpKind::kTruth) guards.push_back(id);
  }
  return guards;
}

bool IsConstant(OpKind kind) {
  return kind == OpKind::kNone || kind == OpKind::kBool || kind == OpKind::kInt || kind == OpKind::kFloat ||
         kind == OpKind::kStr;
}

// `("high", "all")` of `level in ("high", "all")`
bool HoldsConstants(const Facts& facts, ir::ValueId display) {
  const ir::Program& program = facts.program();
  const OpKind kind = program.ops[display].kind;
  if (kind != OpKind::kTuple && kind != OpKind::kList && kind != OpKind::kSet) return false;
  return std::ranges::all_of(program.Operands(display),
                             [&](ir::ValueId item) { return IsConstant(program.ops[facts.Source(item)].kind); });
}

// A parameter that callers may leave out is a setting; others may be different on every call.
bool HasDefault(const Facts& facts, ir::ValueId param) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[program.FunctionOf(param)];
  const std::uint8_t index = program.ops[param].detail;
  return index < function.params.size() && function.params[index].default_value.valid();
}

// The function of the test assigns the attribute, too: in the loop, or on every call.
bool StoredBeside(const Facts& facts, ir::ValueId attribute, ir::LoopId hot, bool here) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[program.FunctionOf(attribute)];
  for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind != OpKind::kStoreAttr || program.SymbolOf(op) != program.SymbolOf(program.ops[attribute])) continue;
    if (!here || facts.InLoop(ir::ValueId(i), hot)) return true;
  }
  return false;
}

// Nothing that the test reads changes from pass to pass of the loop, and its value is not known.
bool IsSetting(const Facts& facts, ir::ValueId test, ir::LoopId hot, bool here) {
  const ir::Program& program = facts.program();
  if (facts.BoolOf(test)) return false;
  std::vector<ir::ValueId> work = {test};
  bool asks = false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ir::ValueId value = facts.Source(work[i]);
    if (!value.valid() || facts.IsArray(value) || i > kMostOps) return false;
    const ir::Op& op = program.ops[value];
    if (IsConstant(op.kind)) continue;
    if (here && !facts.InLoop(value, hot)) {
      asks = true;
      continue;
    }
    switch (op.kind) {
      case OpKind::kNot:
      case OpKind::kUnary: work.push_back(program.Operand(value, 0)); break;
      case OpKind::kCompare: {
        work.push_back(program.Operand(value, 0));
        const auto compare = static_cast<ir::CompareOp>(op.detail);
        const bool among = compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn;
        if (!among || !HoldsConstants(facts, program.Operand(value, 1))) work.push_back(program.Operand(value, 1));
        break;
      }
      case OpKind::kCall: {
        // `method.lower() == "pm"`, `log.isEnabledFor(10)`
        const ir::ValueId method = program.Operand(value, 0);
        if (!method.valid() || program.ops[method].kind != OpKind::kAttr) return false;
        work.push_back(program.Operand(method, 0));
        for (const ir::ValueId operand : program.Operands(value).subspan(1)) work.push_back(operand);
        break;
      }
      case OpKind::kParam:
        if (!HasDefault(facts, value)) return false;
        asks = true;
        break;
      case OpKind::kAttr:
        if (StoredBeside(facts, value, hot, here)) return false;
        asks = true;
        break;
      case OpKind::kSubscript:
        if (facts.Of(program.Operand(value, 1)).kind != analysis::Kind::kStr) return false;
        asks = true;
        break;
      case OpKind::kLoadCell:
        if (program.cells[ir::CellId(op.payload)].stores.size() > 1) return false;
        asks = true;
        break;
      default: return false;
    }
  }
  return asks;
}

bool Under(const ir::Program& program, ir::ValueId op, ir::GuardId guard) {
  for (ir::GuardId id = program.blocks[program.ops[op].block].guard; id.valid(); id = program.guards[id].parent) {
    if (id == guard) return true;
  }
  return false;
}

// The variable gets a new value behind the test.
bool SetUnder(const Facts& facts, ir::ValueId variable, ir::GuardId guard) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {variable};
  std::unordered_set<ir::ValueId> seen = {variable};
  for (std::size_t i = 0; i < work.size() && i < kMostOps; ++i) {
    if (Under(program, work[i], guard)) return true;
    if (program.ops[work[i]].kind != OpKind::kPhi) continue;
    for (const ir::ValueId operand : program.Operands(work[i])) {
      if (operand.valid() && seen.insert(operand).second) work.push_back(operand);
    }
  }
  return false;
}

bool AttributeSetUnder(const Facts& facts, Symbol name, ir::FunctionId function, ir::GuardId guard) {
  const ir::Program& program = facts.program();
  const auto& blocks = program.functions[function].blocks;
  return std::any_of(blocks.begin(), blocks.end(), [&](ir::BlockId block) {
    const auto& ops = program.blocks[block].ops;
    return std::any_of(ops.begin(), ops.end(), [&](ir::ValueId op) {
      return program.ops[op].kind == OpKind::kStoreAttr && program.SymbolOf(program.ops[op]) == name &&
             Under(program, op, guard);
    });
  });
}

}  // namespace

Flag FlagAround(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  bool on = false;
  const auto tested = [&](ir::ValueId site) {
    const ir::LoopId hot = facts.HeatOf(site).loop;
    const bool here = facts.InLoop(site, hot);  // never where a driver's call stands for the loop
    const std::vector<ir::GuardId> tests = TestsInside(facts, site);
    return std::any_of(tests.begin(), tests.end(), [&](ir::GuardId guard) {
      const ir::Guard& test = program.guards[guard];
      if (!IsSetting(facts, program.Operand(test.truth, 0), hot, here)) return false;
      const bool by_default = IsOnByDefault(facts, test);
      on = on || by_default;
      return !by_default;
    });
  };
  // Through the calls that lead here from the hot loop: each of them must be under a flag.
  std::vector<ir::ValueId> sites = {op};
  std::unordered_set<ir::ValueId> seen = {op};
  bool any = false;
  for (std::size_t i = 0; i < sites.size() && i < kMostOps; ++i) {
    const analysis::Heat& heat = facts.HeatOf(sites[i]);
    if (!heat.hot || heat.dead) continue;
    if (tested(sites[i])) {
      any = true;
      continue;
    }
    const auto calls = facts.CallSitesOf(program.FunctionOf(sites[i]));
    if (facts.InLoop(sites[i], heat.loop) || calls.empty()) return on ? Flag::kOn : Flag::kNone;
    for (const ir::ValueId call : calls) {
      if (seen.insert(call).second) sites.push_back(call);
    }
  }
  return any ? Flag::kUnknown : on ? Flag::kOn : Flag::kNone;
}

// The test only says when to stop: behind it is what all passes but the last one do (`if err < tol: break`, `raise`).
static bool OnlyStops(const Facts& facts, ir::GuardId guard, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::LoopId hot = facts.HeatOf(op).loop;
  if (!hot.valid() || !facts.InLoop(op, hot)) return false;
  return StopsLoop(facts, program.guards[guard].truth, hot) && !StopsFrom(facts, program.ops[op].block, hot);
}

bool RunsUnderDeviceTest(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const std::vector<ir::GuardId> tests = TestsInside(facts, op);
  return std::any_of(tests.begin(), tests.end(), [&](ir::GuardId guard) {
    return facts.IsDevice(program.Operand(program.guards[guard].truth, 0)) && !OnlyStops(facts, guard, op);
  });
}

bool RunsAtMarks(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  for (const ir::GuardId guard : TestsInside(facts, op)) {
    const ir::ValueId test = facts.Source(program.guards[guard].truth);
    if (!test.valid() || program.ops[test].kind != OpKind::kCompare) continue;
    for (const ir::ValueId side : program.Operands(test)) {
      if (!side.valid() || facts.IsDevice(side)) continue;
      const ir::Op& it = program.ops[side];
      if (it.kind == OpKind::kPhi && SetUnder(facts, side, guard)) return true;
      if (it.kind == OpKind::kAttr && AttributeSetUnder(facts, program.SymbolOf(it), program.FunctionOf(op), guard)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace cpnlint::rules::match
