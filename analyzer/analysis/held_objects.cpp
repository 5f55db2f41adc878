#include "analyzer/analysis/held_objects.h"

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {

bool HoldsObjects(const Facts& facts, ir::ValueId id) {
  if (!id.valid()) return false;
  const Value& value = facts.Of(id);
  if (value.kind != Kind::kList && value.kind != Kind::kTuple && value.kind != Kind::kDict && value.kind != Kind::kSet)
    return false;
  return !value.item.valid() || !IsNumber(facts.store().Get(value.item).front().kind);
}

bool WalksHeldObjects(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  ir::ValueId walked = program.loops[loop].iterable;
  for (int steps = 0; walked.valid() && steps < 4; ++steps) {
    // Items of which nothing is known may be numbers.
    const Value& value = facts.Of(walked);
    const bool told = value.kind == Kind::kDict ||
                      (value.item.valid() && facts.store().Get(value.item).front().kind != Kind::kUnknown);
    if (told && HoldsObjects(facts, walked)) return true;
    const ir::ValueId call = facts.Source(walked);
    if (!call.valid() || program.ops[call].kind != ir::OpKind::kCall) return false;
    const Callee& callee = facts.CalleeOf(call);
    if (IsBuiltin(callee, {"enumerate", "sorted", "reversed", "iter"})) {
      walked = program.Operand(call, 1);
      continue;
    }
    const bool views = callee.kind == Callee::Kind::kContainerMethod &&
                       IsOneOf(callee.name, {"dict.values", "dict.items", "dict.keys"});
    const ir::ValueId method = program.Operand(call, 0);
    if (!views || !method.valid() || program.ops[method].kind != ir::OpKind::kAttr) return false;
    walked = program.Operand(method, 0);
  }
  return false;
}

}  // namespace cpnlint::analysis
