#include "analyzer/analysis/replaced_defaults.h"

#include <algorithm>

#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

bool IsNone(const ir::Program& program, ir::ValueId id) {
  return id.valid() && program.ops[id].kind == ir::OpKind::kNone;
}

bool IsNoneByDefault(const ir::Program& program, ir::ValueId param) {
  const List<ir::Param> params = program.functions[program.FunctionOf(param)].params;
  return std::ranges::any_of(params,
                             [&](const ir::Param& p) { return p.value == param && IsNone(program, p.default_value); });
}

// `param is None`, `not param`: as the test comes out, nothing was handed over.
bool FindsNone(const ir::Program& program, const Test& test, ir::ValueId param) {
  if (test.id == param) return !test.holds;
  const ir::Op& op = program.ops[test.id];
  if (op.kind != ir::OpKind::kCompare || program.Operand(test.id, 0) != param ||
      !IsNone(program, program.Operand(test.id, 1)))
    return false;
  const auto compare = static_cast<ir::CompareOp>(op.detail);
  if (compare == ir::CompareOp::kIs || compare == ir::CompareOp::kEq) return test.holds;
  return (compare == ir::CompareOp::kIsNot || compare == ir::CompareOp::kNe) && !test.holds;
}

}  // namespace

bool IsReplacedDefault(const ir::Program& program, const ir::Op& phi, std::size_t index) {
  const std::span<const ir::ValueId> operands = program.Operands(phi);
  const std::span<const ir::BlockId> before = program.blocks[phi.block].preds;
  const ir::ValueId param = operands[index];
  if (!param.valid() || program.ops[param].kind != ir::OpKind::kParam || operands.size() < 2 ||
      before.size() != operands.size() || !IsNoneByDefault(program, param))
    return false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == param) continue;
    const auto finds = [&](const Test& test, ir::GuardId) { return FindsNone(program, test, param); };
    if (!operands[i].valid() || !AnyTestAround(program, before[i], finds)) return false;
  }
  return true;
}

}  // namespace cpnlint::analysis
