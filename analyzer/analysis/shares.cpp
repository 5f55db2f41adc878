#include "analyzer/analysis/shares.h"

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostHops = 8;

bool IsSame(const Facts& facts, ir::ValueId a, ir::ValueId b) {
  if (facts.Source(a) == facts.Source(b)) return true;
  return facts.Of(a).dim.valid() && facts.Of(a).dim == facts.Of(b).dim;
}

// What a call that makes a step of a share is handed: `int(share)`, `max(1, share)`.
ir::ValueId ShareIn(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  const Callee& callee = facts.CalleeOf(call);
  const std::uint32_t operands = program.ops[call].operand_count;
  if (operands == 2 && IsRounding(callee)) return program.Operand(call, 1);
  if (operands != 3 || callee.kind != Callee::Kind::kBuiltin || callee.name != "max") return {};
  return program.Operand(call, facts.IntOf(program.Operand(call, 1)) ? 2 : 1);
}

}  // namespace

bool IsRounding(const Callee& callee) {
  if (callee.kind == Callee::Kind::kBuiltin) return callee.name == "int" || callee.name == "round";
  return IsOneOf(callee.name, {"math.ceil", "math.floor", "numpy.ceil", "numpy.floor", "operator.index"});
}

ir::ValueId PartsOf(const Facts& facts, ir::ValueId range) {
  const ir::Program& program = facts.program();
  if (program.ops[range].operand_count != 4 || !facts.IntOf(program.Operand(range, 1))) return {};
  ir::ValueId step = program.Operand(range, 3);
  for (int hops = 0; hops < kMostHops && step.valid(); ++hops) {
    const ir::ValueId source = facts.Source(step);
    const ir::Op& op = program.ops[source];
    if (op.kind == ir::OpKind::kCall) {
      step = ShareIn(facts, source);
      continue;
    }
    if (op.kind != ir::OpKind::kBinary) return {};
    const ir::ValueId left = program.Operand(source, 0), right = program.Operand(source, 1);
    switch (static_cast<ir::BinaryOp>(op.detail)) {
      case ir::BinaryOp::kAdd: step = facts.IntOf(left) ? right : left; break;
      case ir::BinaryOp::kFloorDiv:
      case ir::BinaryOp::kDiv: return IsSame(facts, left, program.Operand(range, 2)) ? right : ir::ValueId::None();
      default: return {};
    }
  }
  return {};
}

}  // namespace cpnlint::analysis
