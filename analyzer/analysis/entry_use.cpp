#include "analyzer/analysis/entry_use.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/loop_windows.h"

namespace cpnlint::analysis {

bool IsTestedOrConverted(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {op};
  for (std::size_t i = 0; i < work.size() && i < 16; ++i) {
    for (const ir::ValueId user : facts.DeepUsesOf(work[i])) {
      const ir::Op& use = program.ops[user];
      if (use.kind == ir::OpKind::kTruth) return true;
      if (use.kind == ir::OpKind::kCompare) {
        for (const ir::ValueId reader : facts.UsesOf(user)) {
          if (program.ops[reader].kind == ir::OpKind::kTruth) return true;
        }
      }
      const bool product = static_cast<ir::BinaryOp>(use.detail) == ir::BinaryOp::kMatMul;
      if ((use.kind == ir::OpKind::kBinary && !product) || use.kind == ir::OpKind::kUnary) work.push_back(user);
      if (use.kind != ir::OpKind::kCall) continue;
      const Callee& callee = facts.CalleeOf(user);
      if (IsBuiltin(callee, {"abs"})) work.push_back(user);
      const bool compares = (callee.name == "min" || callee.name == "max") && facts.PositionalCount(user) >= 2;
      const bool converts = callee.name == "float" || callee.name == "int" || callee.name == "bool" || compares;
      if (callee.kind == Callee::Kind::kBuiltin && converts) return true;
      if (callee.name.starts_with("math.")) return true;
    }
  }
  return false;
}

bool NamesItem(const Facts& facts, ir::ValueId number) {
  return std::ranges::any_of(facts.DeepUsesOf(number), [&](ir::ValueId user) {
    const ir::OpKind kind = facts.program().ops[user].kind;
    const bool subscript = kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript;
    return subscript && std::ranges::count(facts.KeysOf(user), number) > 0;
  });
}

bool MeetsUnknownArithmetic(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const std::vector<ir::ValueId> users = facts.DeepUsesOf(op);
  return std::all_of(users.begin(), users.end(), [&](ir::ValueId user) {
    const auto operands = program.Operands(user);
    return program.ops[user].kind == ir::OpKind::kBinary &&
           std::any_of(operands.begin(), operands.end(), [&](ir::ValueId operand) {
             return operand.valid() && operand != op && facts.Of(operand).kind == Kind::kUnknown;
           });
  });
}

bool MeetsUnknown(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const std::vector<ir::ValueId> users = facts.DeepUsesOf(op);
  const bool looks_up = std::any_of(users.begin(), users.end(), [&](ir::ValueId user) {
    return program.ops[user].kind == ir::OpKind::kSubscript && program.Operand(user, 0) != op;
  });
  if (looks_up) return false;
  for (const ir::ValueId user : users) {
    const ir::Op& use = program.ops[user];
    if (use.kind != ir::OpKind::kBinary && use.kind != ir::OpKind::kInplaceBinary && use.kind != ir::OpKind::kCall)
      continue;
    for (const ir::ValueId operand : program.Operands(user)) {
      if (operand.valid() && operand != op && facts.Of(operand).kind == Kind::kUnknown) return true;
    }
  }
  return false;
}

// Made of an item that the loop takes out of something: `norm(x[k, :] * w)`.
static bool IsMadeOfItem(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  constexpr std::size_t kMostValues = 64;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {value};
  for (std::size_t i = 0; i < work.size() && i < kMostValues; ++i) {
    const ir::ValueId made = work[i].valid() ? facts.Source(work[i]) : work[i];
    if (!made.valid() || !facts.InLoop(made, loop)) continue;
    const auto operands = program.Operands(made);
    if (program.ops[made].kind == ir::OpKind::kSubscript &&
        std::ranges::any_of(operands.subspan(1), [&](ir::ValueId key) {
          return facts.DependsOnInduction(key, loop) || SliceDepends(facts, key, loop);
        }))
      return true;
    work.insert(work.end(), operands.begin(), operands.end());
  }
  return false;
}

// A call of a function of the program that takes its time, and is no expression that could take all items at once.
static bool GoesThroughLoops(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  if (program.ops[call].kind != ir::OpKind::kCall || facts.CalleeOf(call).kind != Callee::Kind::kLocal) return false;
  const ir::FunctionId function = facts.CalleeOf(call).function;
  return function.valid() && std::ranges::any_of(program.functions[function].blocks,
                                                 [&](ir::BlockId block) { return program.blocks[block].loop.valid(); });
}

bool StoresUnknownResult(const Facts& facts, ir::ValueId store, ir::LoopId loop) {
  constexpr int kMostSteps = 4;
  const ir::Program& program = facts.program();
  ir::ValueId value = program.Operand(store, 1);
  for (int steps = 0; steps < kMostSteps && value.valid(); ++steps) {
    value = facts.Source(value);
    if (!value.valid() || !facts.InLoop(value, loop)) return false;
    const Kind kind = facts.Of(value).kind;
    const ir::OpKind made = program.ops[value].kind;
    const bool either = kind == Kind::kArray && facts.RankOf(value) < 0 && GoesThroughLoops(facts, value);
    if (kind != Kind::kUnknown && kind != Kind::kForeign && !either) return false;
    if (made == ir::OpKind::kCall) return !IsMadeOfItem(facts, value, loop);
    if (made != ir::OpKind::kSubscript && made != ir::OpKind::kAttr && made != ir::OpKind::kUnpackItem) return false;
    value = program.Operand(value, 0);
  }
  return false;
}

}  // namespace cpnlint::analysis
