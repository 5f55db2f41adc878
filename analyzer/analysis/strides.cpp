#include "analyzer/analysis/strides.h"

#include <algorithm>
#include <optional>

#include "analyzer/analysis/shares.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostSteps = 4;  // of arithmetic in a step

// NOLINTNEXTLINE(misc-no-recursion): `steps` bounds it
std::optional<std::int64_t> LeastOf(const Facts& facts, ir::ValueId number, int steps = 0) {
  constexpr std::int64_t kEnough = 1'000'000;  // more says nothing more, and products stay small
  if (const auto known = facts.IntOf(number)) return std::clamp(*known, -kEnough, kEnough);
  const ir::ValueId made = number.valid() ? facts.Source(number) : number;
  if (!made.valid() || steps == kMostSteps) return std::nullopt;
  const ir::Op& op = facts.program().ops[made];
  if (op.kind != ir::OpKind::kBinary) return LeastOfCounter(facts, made);
  const auto kind = static_cast<ir::BinaryOp>(op.detail);
  if (kind != ir::BinaryOp::kAdd && kind != ir::BinaryOp::kMul) return std::nullopt;
  const auto left = LeastOf(facts, facts.program().Operand(made, 0), steps + 1);
  const auto right = LeastOf(facts, facts.program().Operand(made, 1), steps + 1);
  if (!left || !right) return std::nullopt;
  if (kind == ir::BinaryOp::kAdd) return std::min(*left + *right, kEnough);
  if (*left < 0 || *right < 0) return std::nullopt;
  return std::min(*left * *right, kEnough);
}

// As large as the number of passes, whatever that is: `n` and `n + 1` of `range(n)`.
bool IsNoLess(const Facts& facts, ir::ValueId step, ir::LoopId loop) {
  const Trips& trips = facts.TripsOf(loop);
  const ir::ValueId iterable = facts.program().loops[loop].iterable;
  const bool counts = iterable.valid() && facts.Of(iterable).kind == Kind::kRange;
  if (!step.valid() || (!counts && trips.evidence != 0)) return false;
  return facts.store().dims().Difference(facts.Of(step).dim, trips.count).value_or(-1) >= 0;
}

}  // namespace

ir::ValueId StepOfKey(const Facts& facts, ir::ValueId key) {
  const ir::Program& program = facts.program();
  if (!key.valid()) return {};
  if (program.ops[key].kind == ir::OpKind::kSlice) return program.Operand(key, 2);
  const ir::ValueId source = facts.Source(key);
  const bool calls = source.valid() && program.ops[source].kind == ir::OpKind::kCall &&
                     facts.Of(key).kind == Kind::kSlice && facts.CalleeOf(source).name == "slice";
  return calls && facts.PositionalCount(source) == 3 ? program.Operand(source, 3) : ir::ValueId::None();
}

bool StepIsLarge(const Facts& facts, ir::ValueId step) { return step.valid() && LeastOf(facts, step).value_or(0) >= 2; }

ir::LoopId LoopThatStepCounts(const Facts& facts, ir::ValueId key) {
  const ir::Program& program = facts.program();
  const ir::ValueId step = StepOfKey(facts, key);
  if (!step.valid() || facts.IntOf(step)) return {};
  for (ir::LoopId loop = program.LoopOf(key); loop.valid(); loop = program.loops[loop].parent) {
    if (IsNoLess(facts, step, loop)) return loop;
  }
  return {};
}

bool TakesShare(const Facts& facts, ir::ValueId access, ir::LoopId loop) {
  const ir::OpKind kind = facts.program().ops[access].kind;
  if (kind != ir::OpKind::kSubscript && kind != ir::OpKind::kStoreSubscript) return false;
  if (!facts.IsDevice(facts.program().Operand(access, 0))) return false;
  return std::ranges::any_of(facts.KeysOf(access), [&](ir::ValueId key) {
    const ir::ValueId step = StepOfKey(facts, key);
    return IsNoLess(facts, step, loop) || (facts.DependsOnInduction(step, loop) && StepIsLarge(facts, step));
  });
}

}  // namespace cpnlint::analysis
