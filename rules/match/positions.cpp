#include "rules/match/positions.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "rules/match/device_call.h"
#include "rules/match/picked.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

namespace {

// Behind slices, which leave some of the positions out, and names.
ValueId MadeBy(const Facts& facts, ValueId positions) {
  const ir::Program& program = facts.program();
  ValueId made = facts.Source(positions);
  while (made.valid() && program.ops[made].kind == OpKind::kSubscript && facts.RankOf(program.Operand(made, 0)) == 1) {
    const auto keys = facts.KeysOf(made);
    const bool slice = keys.size() == 1 && keys[0].valid() && program.ops[keys[0]].kind == OpKind::kSlice;
    if (!slice) break;
    made = facts.Source(program.Operand(made, 0));
  }
  return made;
}

bool GivesTuple(const Facts& facts, const DeviceCall& call) {
  return call.base == "nonzero" || (call.base == "where" && facts.program().ops[call.call].operand_count == 2);
}

// `np.nonzero(x)` behind one of its arrays: `i, j = np.nonzero(x)`, `np.nonzero(x)[0]`; the axis that it is for.
struct OfAxis {
  DeviceCall call;
  int axis = -1;
};
OfAxis OneAxisOf(const Facts& facts, ValueId made) {
  const ir::Program& program = facts.program();
  if (!made.valid()) return {};
  const ir::Op& op = program.ops[made];
  std::optional<std::int64_t> axis;
  if (op.kind == OpKind::kUnpackItem) axis = ir::ItemPosition::Unpack(op.payload).index;
  if (op.kind == OpKind::kSubscript && facts.KeysOf(made).size() == 1) axis = facts.IntOf(facts.KeysOf(made)[0]);
  if (!axis || *axis < 0) return {};
  const DeviceCall call = AsDeviceCall(facts, facts.Source(program.Operand(made, 0)));
  return call && GivesTuple(facts, call) ? OfAxis{call, static_cast<int>(*axis)} : OfAxis{};
}

bool IsFalse(const Facts& facts, ValueId value) { return value.valid() && facts.BoolOf(value) == false; }

bool Draws(const DeviceCall& call) {
  const std::string_view base = call.base;
  return base.starts_with("random.") && (base.ends_with("randint") || base.ends_with("integers") ||
                                         base.ends_with("random_integers") || base.ends_with("choice"));
}

// The number that the draw or the permutation stays below; None() where that is not written.
ValueId Above(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const std::string_view base = call.base;
  if (!base.starts_with("random.") || facts.HasStarArguments(call.call)) return {};
  const std::size_t given = facts.PositionalCount(call.call);
  if (base.ends_with("permutation") || base.ends_with("choice"))
    return given >= 1 ? program.Operand(call.call, 1) : ValueId();
  if (!base.ends_with("randint") && !base.ends_with("integers")) return {};
  if (facts.KeywordArgument(call.call, "endpoint").valid()) return {};
  const ValueId high = given >= 2 ? program.Operand(call.call, 2) : facts.KeywordArgument(call.call, "high");
  const bool none = !high.valid() || facts.IsNoneConstant(high);
  const ValueId low = given >= 1 ? program.Operand(call.call, 1) : facts.KeywordArgument(call.call, "low");
  if (none) return low;
  return low.valid() && facts.IntOf(low).value_or(-1) >= 0 ? high : ValueId();
}

bool HasEntries(const Facts& facts, ir::DimId number, ValueId array, int axis) {
  const ir::DimId extent = facts.ExtentOf(array, axis);
  return number.valid() && extent.valid() && facts.store().dims().KnownEqual(number, extent);
}

// `len(x)`, `x.shape[0]` of the array itself, whatever its length is.
bool CountsEntries(const Facts& facts, ValueId number, ValueId array, int axis) {
  if (!number.valid() || facts.Of(number).kind != Kind::kInt) return false;
  if (HasEntries(facts, facts.Of(number).dim, array, axis)) return true;
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(number);
  const auto is_own = [&](ValueId other) { return facts.Source(other) == facts.Source(array); };
  if (program.ops[made].kind == OpKind::kCall) {
    const analysis::Callee& callee = facts.CalleeOf(made);
    return axis == 0 && callee.kind == analysis::Callee::Kind::kBuiltin && callee.name == "len" &&
           is_own(program.Operand(made, 1));
  }
  if (program.ops[made].kind != OpKind::kSubscript || facts.IntOf(program.Operand(made, 1)) != axis) return false;
  const ValueId shape = facts.Source(program.Operand(made, 0));
  return shape.valid() && program.ops[shape].kind == OpKind::kAttr && program.Name(program.ops[shape]) == "shape" &&
         is_own(program.Operand(shape, 0));
}

// Made of comparisons, where the type of what is compared is not known.
bool IsMask(const Facts& facts, ValueId value, int depth = 4) {
  if (facts.Of(value).dtype == ir::DType::kBool) return true;
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(value);
  if (!made.valid() || depth == 0) return false;
  const ir::Op& op = program.ops[made];
  const auto all_masks = [&] {
    return std::ranges::all_of(program.Operands(made), [&](ValueId part) { return IsMask(facts, part, depth - 1); });
  };
  switch (op.kind) {
    case OpKind::kCompare: return true;
    case OpKind::kUnary: return static_cast<ir::UnaryOp>(op.detail) == ir::UnaryOp::kInvert && all_masks();
    case OpKind::kBinary: {
      const auto binary = static_cast<ir::BinaryOp>(op.detail);
      return (binary == ir::BinaryOp::kAnd || binary == ir::BinaryOp::kOr || binary == ir::BinaryOp::kXor) &&
             all_masks();
    }
    case OpKind::kCall: {
      const std::string_view base = AsDeviceCall(facts, made).base;
      return base.starts_with("logical_") || IsOneOf(base, {"isnan", "isinf", "isfinite", "isin", "in1d", "isclose"});
    }
    default: return false;
  }
}

// `[0, -1]`, `np.array([2, 5])`, `np.array([k])`: no number twice.
bool WrittenOnce(const Facts& facts, ValueId made) {
  if (!made.valid()) return false;
  const DeviceCall call = AsDeviceCall(facts, made);
  if (call && !call.method && IsOneOf(call.base, {"array", "asarray"})) made = facts.Source(call.array);
  if (!made.valid()) return false;
  const ir::Op& op = facts.program().ops[made];
  if ((op.kind == OpKind::kList || op.kind == OpKind::kTuple) && facts.program().Operands(made).size() == 1) {
    const Kind kind = facts.Of(facts.program().Operand(made, 0)).kind;
    return kind == Kind::kInt;
  }
  std::vector<std::int64_t> numbers = WrittenOut(facts, made);
  std::ranges::sort(numbers);
  return !numbers.empty() && std::ranges::adjacent_find(numbers) == numbers.end();
}

}  // namespace

bool AreDistinct(const Facts& facts, ValueId positions) {
  const ValueId made = MadeBy(facts, positions);
  // Of several axes each is there many times; one that is unknown is not taken for several.
  if (const OfAxis one = OneAxisOf(facts, made); one.call) return one.axis == 0 && facts.RankOf(one.call.array) <= 1;
  if (StretchOf(facts, positions).made.valid() || WrittenOnce(facts, made)) return true;
  const DeviceCall call = AsDeviceCall(facts, made);
  if (!call) return false;
  if (GivesTuple(facts, call) || IsOneOf(call.base, {"flatnonzero", "unique"})) return true;
  if (call.base == "argsort") return facts.RankOf(call.array) == 1;
  if (!call.base.starts_with("random.")) return false;
  if (call.base.ends_with("choice")) return IsFalse(facts, Argument(facts, call, 2, "replace"));
  return call.base.ends_with("permutation") && facts.Of(call.array).kind == Kind::kInt;
}

bool AreDistinct(const Facts& facts, std::span<const ValueId> keys) {
  const auto alone = [&](ValueId key) { return key.valid() && AreDistinct(facts, key); };
  if (std::ranges::any_of(keys, alone)) return true;
  // `x[i, j]` of `i, j = np.nonzero(x)`
  const OfAxis first = keys.empty() ? OfAxis() : OneAxisOf(facts, facts.Source(keys[0]));
  if (!first.call || facts.RankOf(first.call.array) != std::ssize(keys)) return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const OfAxis one = OneAxisOf(facts, facts.Source(keys[i]));
    if (one.call.call != first.call.call || one.axis != static_cast<int>(i)) return false;
  }
  return true;
}

bool AreDrawn(const Facts& facts, ValueId positions) {
  const DeviceCall call = AsDeviceCall(facts, MadeBy(facts, positions));
  return call && Draws(call) && !AreDistinct(facts, positions);
}

bool AreInRange(const Facts& facts, ValueId positions, ValueId array, int axis) {
  const ValueId made = MadeBy(facts, positions);
  if (const OfAxis one = OneAxisOf(facts, made); one.call)
    return HasEntries(facts, facts.ExtentOf(one.call.array, one.axis), array, axis);
  const DeviceCall call = AsDeviceCall(facts, made);
  if (!call) return false;
  if (call.base == "argsort" || call.base == "flatnonzero")
    return facts.RankOf(call.array) == 1 && HasEntries(facts, facts.ExtentOf(call.array, 0), array, axis);
  return CountsEntries(facts, Above(facts, call), array, axis);
}

std::vector<std::int64_t> WrittenOut(const Facts& facts, ValueId positions) {
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(positions);
  if (!made.valid() || (program.ops[made].kind != OpKind::kTuple && program.ops[made].kind != OpKind::kList)) return {};
  std::vector<std::int64_t> numbers;
  for (const ValueId item : program.Operands(made)) {
    const auto number = facts.IntOf(item);
    if (!number || facts.Of(item).kind != Kind::kInt) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

AskedFor ConditionBehind(const Facts& facts, ValueId positions) {
  const DeviceCall call = AsDeviceCall(facts, facts.Source(positions));
  if (!call || !GivesTuple(facts, call)) return {};
  return {call.array, call.array_span, IsMask(facts, call.array)};
}

}  // namespace cpnlint::rules::match
