#include "analyzer/analysis/axis_numbers.h"

#include <algorithm>

#include "analyzer/analysis/axis_lists.h"
#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostForms = 16;  // of one number

// `2 * n`, `n + 1`: no fewer than half of it, so a few are a few.
bool IsLikeIt(const Facts& facts, ir::ValueId result) {
  const auto operation = static_cast<ir::BinaryOp>(facts.program().ops[result].detail);
  const bool scales = operation == ir::BinaryOp::kMul || operation == ir::BinaryOp::kAdd ||
                      operation == ir::BinaryOp::kSub || operation == ir::BinaryOp::kFloorDiv;
  if (!scales || facts.Of(result).kind != Kind::kInt) return false;
  const auto operands = facts.program().Operands(result);
  return std::ranges::any_of(operands, [&](ir::ValueId operand) { return facts.IntOf(operand).has_value(); });
}

// The number of entries of a sequence that has one for each axis of something.
bool CountsEntries(const Facts& facts, ir::ValueId use) {
  const ir::Op& op = facts.program().ops[use];
  if (op.kind == ir::OpKind::kCall) return IsBuiltin(facts.CalleeOf(use), {"range"}) && BecomesAxes(facts, use, true);
  const bool repeated = op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMul;
  const Kind kind = facts.Of(use).kind;
  return repeated && (kind == Kind::kList || kind == Kind::kTuple) && BecomesAxes(facts, use, true);
}

}  // namespace

bool IsNumberOfAxes(const Facts& facts, ir::ValueId number) {
  if (!number.valid()) return false;
  std::vector<ir::ValueId> forms = {number};
  for (std::size_t i = 0; i < forms.size() && i < kMostForms; ++i) {
    for (const ir::ValueId use : facts.DeepUsesOf(forms[i])) {
      if (CountsEntries(facts, use)) return true;
      if (facts.program().ops[use].kind == ir::OpKind::kBinary && IsLikeIt(facts, use)) forms.push_back(use);
    }
  }
  return false;
}

}  // namespace cpnlint::analysis
