#include "analyzer/analysis/axis_use.h"

#include <algorithm>

namespace cpnlint::analysis {
namespace {

bool IsSlice(const Facts& facts, ir::ValueId id) {
  const ir::Program& program = facts.program();
  return id.valid() && program.ops[id].kind == ir::OpKind::kCall && facts.CalleeOf(id).kind == Callee::Kind::kBuiltin &&
         facts.CalleeOf(id).name == "slice";
}

// The walk of a comprehension that collects slices, or lists of them.
bool IsKeyLoop(const Facts& facts, ir::ValueId iter) {
  const ir::Program& program = facts.program();
  if (program.ops[iter].kind != ir::OpKind::kIter) return false;
  const ir::LoopId loop(program.ops[iter].payload);
  for (const ir::ValueId item : facts.UsesOf(iter)) {
    if (program.ops[item].kind != ir::OpKind::kLoopItem) continue;
    for (const ir::ValueId op : program.blocks[program.ops[item].block].ops) {
      if (program.ops[op].kind != ir::OpKind::kCollectItem || program.LoopOf(op) != loop) continue;
      const ir::ValueId collected = program.Operand(op, 1);
      if (IsSlice(facts, collected)) return true;
      const bool several = collected.valid() && program.ops[collected].kind == ir::OpKind::kTuple;
      const auto parts = several ? program.Operands(collected) : std::span<const ir::ValueId>{};
      if (std::any_of(parts.begin(), parts.end(), [&](ir::ValueId part) { return IsSlice(facts, part); })) return true;
    }
  }
  return false;
}

}  // namespace

bool MakesKeys(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId user : facts.DeepUsesOf(array)) {
    if (IsKeyLoop(facts, user)) return true;
    if (program.ops[user].kind != ir::OpKind::kCall || facts.CalleeOf(user).kind != Callee::Kind::kBuiltin) continue;
    if (facts.CalleeOf(user).name != "zip" && facts.CalleeOf(user).name != "enumerate") continue;
    const std::vector<ir::ValueId> walks = facts.DeepUsesOf(user);
    if (std::any_of(walks.begin(), walks.end(), [&](ir::ValueId walk) { return IsKeyLoop(facts, walk); })) return true;
  }
  return false;
}

bool IsCalledShape(const ir::Program& program, ir::ValueId id) {
  const ir::Op& op = program.ops[id];
  std::string_view name;
  if (op.kind == ir::OpKind::kAttr) name = program.Name(op);
  if (op.kind == ir::OpKind::kParam) {
    const List<ir::Param> params = program.functions[program.FunctionOf(id)].params;
    if (op.detail < params.size()) name = program.names.Text(params[op.detail].name);
  }
  return name == "shape" || name.ends_with("_shape");
}

bool CountsAxes(const Facts& facts, ir::ClassId owner, Symbol attribute) {
  const ir::Program& program = facts.program();
  for (const ir::FunctionId method : program.classes[owner].methods) {
    const ir::Function& function = program.functions[method];
    const std::string_view name = program.names.Text(function.name);
    if (name != "dim" && name != "ndim") continue;
    for (const ir::ValueId leave : function.returns) {
      const ir::ValueId length = facts.Source(program.Operand(leave, 0));
      if (!length.valid() || program.ops[length].kind != ir::OpKind::kCall ||
          facts.CalleeOf(length).kind != Callee::Kind::kBuiltin || facts.CalleeOf(length).name != "len")
        continue;
      const ir::ValueId counted = program.Operand(length, 1);
      if (counted.valid() && program.ops[counted].kind == ir::OpKind::kAttr &&
          program.SymbolOf(program.ops[counted]) == attribute)
        return true;
    }
  }
  return false;
}

}  // namespace cpnlint::analysis
