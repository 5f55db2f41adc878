#include "rules/match/layout.h"

#include <unordered_set>

#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::DimId;
using ir::OpKind;

std::optional<bool> ChangesLayout(const Facts& facts, ir::ValueId from, ir::ValueId to) {
  if (facts.RankOf(from) < 0 || facts.RankOf(to) < 0) return std::nullopt;
  ir::DimStore& dims = facts.store().dims();
  const auto longer_axes = [&](ir::ValueId array) {
    std::vector<DimId> axes;
    for (int axis = 0; axis < facts.RankOf(array); ++axis) {
      const DimId extent = facts.ExtentOf(array, axis);
      if (!extent.valid() || dims.AsConst(extent).value_or(2) != 1) axes.push_back(extent);
    }
    return axes;
  };
  const std::vector<DimId> before = longer_axes(from);
  const std::vector<DimId> after = longer_axes(to);
  if (before.size() != after.size()) {
    // An axis of unknown extent may be of extent 1; several cannot all be left out of account.
    return before.size() + after.size() >= 3 ? std::optional(true) : std::nullopt;
  }
  bool equal = true;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (dims.KnownDifferent(before[i], after[i])) return true;
    if (!dims.KnownEqual(before[i], after[i])) equal = false;
  }
  return equal || before.size() <= 1 ? std::optional(false) : std::nullopt;
}

namespace {

bool KnownEqualShapes(const Facts& facts, ir::ValueId a, ir::ValueId b) {
  const int rank = facts.RankOf(a);
  if (rank < 0 || rank != facts.RankOf(b)) return false;
  for (int axis = 0; axis < rank; ++axis) {
    if (!facts.store().dims().KnownEqual(facts.ExtentOf(a, axis), facts.ExtentOf(b, axis))) return false;
  }
  return true;
}

// The array whose shape this one repeats: `y` for `x = np.zeros_like(y)`.
ir::ValueId FirstOfShape(const Facts& facts, ir::ValueId array) {
  constexpr int kMostCopies = 8;
  for (int copies = 0; copies < kMostCopies; ++copies) {
    const ir::ValueId made = facts.Source(array);
    const DeviceCall call = AsDeviceCall(facts, made);
    const bool like = call && IsOneOf(call.base, {"zeros_like", "ones_like", "empty_like", "full_like", "copy"});
    if (!like || facts.KeywordArgument(made, "shape").valid() || !facts.IsArray(call.array)) break;
    array = call.array;
  }
  return array;
}

// `computed` is arithmetic on `array` and numbers alone.
bool ComputedFrom(const Facts& facts, ir::ValueId computed, ir::ValueId array) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {computed};
  std::unordered_set<ir::ValueId> seen;
  bool met = false;
  while (!work.empty()) {
    const ir::ValueId now = facts.Source(FirstOfShape(facts, work.back()));
    work.pop_back();
    if (!now.valid() || !seen.insert(now).second) continue;
    if (now == facts.Source(array) || KnownEqualShapes(facts, now, array)) {
      met = true;
      continue;
    }
    if (analysis::IsNumber(facts.Of(now).kind) || facts.IsZeroD(now)) continue;
    const OpKind kind = program.ops[now].kind;
    if (kind != OpKind::kBinary && kind != OpKind::kUnary && kind != OpKind::kCompare) return false;
    if (kind == OpKind::kBinary && static_cast<ir::BinaryOp>(program.ops[now].detail) == ir::BinaryOp::kMatMul)
      return false;
    for (const ir::ValueId operand : program.Operands(now)) work.push_back(operand);
  }
  return met;
}

}  // namespace

bool SameShape(const Facts& facts, ir::ValueId a, ir::ValueId b) {
  if (!facts.IsArray(a) || !facts.IsArray(b)) return false;
  a = FirstOfShape(facts, a);
  b = FirstOfShape(facts, b);
  return KnownEqualShapes(facts, a, b) || ComputedFrom(facts, a, b) || ComputedFrom(facts, b, a);
}

}  // namespace cpnlint::rules::match
