#include "rules/match/extent.h"

#include <algorithm>
#include <string_view>

#include "rules/match/device_call.h"
#include "rules/match/expression.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using ir::OpKind;

namespace {

constexpr int kMostSteps = 6;  // from a value to what it is made of
constexpr std::int64_t kMostAxes = 6;

// `x.shape` and `x.ndim`: as many items as an array has axes, or that number.
bool CountsAxes(const Facts& facts, ir::ValueId value, std::string_view attribute) {
  if (!value.valid()) return false;
  const ir::Op& op = facts.program().ops[facts.Source(value)];
  return op.kind == OpKind::kAttr && facts.program().Name(op) == attribute;
}

// np.array(x.shape), np.eye(x.ndim).
bool IsSizedByAxes(const Facts& facts, const DeviceCall& call) {
  if (IsOneOf(call.base, {"array", "asarray"})) return CountsAxes(facts, call.array, "shape");
  return IsOneOf(call.base, {"zeros", "ones", "empty", "full", "eye", "identity"}) &&
         CountsAxes(facts, call.array, "ndim");
}

std::optional<std::int64_t> Items(const Facts& facts, ir::ValueId array, int steps);

// Every result of the function has that many items at most.
std::optional<std::int64_t> ItemsOfResults(const Facts& facts, const ir::Function& function, int steps) {
  if (function.is_generator || function.is_async) return std::nullopt;
  std::optional<std::int64_t> most;
  for (const ir::ValueId result : function.returns) {
    const auto items = Items(facts, facts.program().Operand(result, 0), steps);
    if (!items) return std::nullopt;
    most = std::max(most.value_or(0), *items);
  }
  return most;
}

std::optional<std::int64_t> ItemsOfOperands(const Facts& facts, ir::ValueId op, int steps) {
  const auto operands = facts.program().Operands(op);
  std::optional<std::int64_t> most;
  for (const ir::ValueId operand : operands.subspan(facts.program().ops[op].kind == OpKind::kCall ? 1 : 0)) {
    if (!operand.valid() || analysis::IsNumber(facts.Of(operand).kind) || facts.IsZeroD(operand)) continue;
    const auto items = CountsAxes(facts, operand, "shape") ? kMostAxes : Items(facts, operand, steps);
    // An array of unknown extent decides; what nothing is known of is taken to fit.
    if (!items && facts.RankOf(operand) >= 1) return std::nullopt;
    if (items) most = std::max(most.value_or(0), *items);
  }
  return most;
}

std::optional<std::int64_t> Items(const Facts& facts, ir::ValueId array, int steps) {
  if (!array.valid() || steps == 0) return std::nullopt;
  if (const auto items = facts.store().dims().AsConst(facts.ExtentOf(array, 0))) return items;
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(array);
  if (program.ops[source].kind == OpKind::kCall && facts.CalleeOf(source).kind == Callee::Kind::kLocal) {
    return ItemsOfResults(facts, program.functions[facts.CalleeOf(source).function], steps - 1);
  }
  if (const DeviceCall call = AsDeviceCall(facts, source); call && IsSizedByAxes(facts, call)) return kMostAxes;
  return IsElementwise(facts, source) ? ItemsOfOperands(facts, source, steps - 1) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> ItemsOf(const Facts& facts, ir::ValueId array) { return Items(facts, array, kMostSteps); }

bool HasAxis(const Facts& facts, ir::ValueId array) {
  if (!facts.IsArray(array)) return false;
  if (facts.RankOf(array) >= 0) return facts.RankOf(array) >= 1;
  const ir::ValueId source = facts.Source(array);
  if (facts.program().ops[source].kind != OpKind::kSubscript) return false;
  const auto keys = facts.KeysOf(source);
  return std::any_of(keys.begin(), keys.end(),
                     [&](ir::ValueId key) { return key.valid() && facts.program().ops[key].kind == OpKind::kSlice; });
}

}  // namespace cpnlint::rules::match
