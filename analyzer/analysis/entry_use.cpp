#include "analyzer/analysis/entry_use.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/callee_names.h"

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

}  // namespace cpnlint::analysis
