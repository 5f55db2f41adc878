#include "rules/match/holds_zero.h"

#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using analysis::KeyKind;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr int kMostSteps = 12;

// `arange(n)`, `arange(0, n)`, `arange(-3, 4)`.
bool CountsThroughZero(const Facts& facts, ValueId call) {
  const std::size_t given = facts.PositionalCount(call);
  if (facts.HasStarArguments(call) || facts.KeywordArgument(call, "start").valid()) return false;
  if (given == 1) return true;
  const auto start = facts.IntOf(facts.Argument(call, 0, "start"));
  if (!start || given == 0) return false;
  if (*start == 0) return true;
  const auto stop = facts.IntOf(facts.Argument(call, 1, "stop"));
  return given == 2 && stop && *start < 0 && *stop > 0;
}

// `mgrid[0:n]`, `mgrid[:n]`.
bool GridFromZero(const Facts& facts, ValueId subscript) {
  const ir::Program& program = facts.program();
  for (const ValueId key : facts.KeysOf(subscript)) {
    if (!key.valid() || program.ops[key].kind != OpKind::kSlice) return false;
    const ValueId lower = program.Operand(key, 0);
    if (lower.valid() && facts.IntOf(lower) != 0) return false;
  }
  return true;
}

// All elements are kept: only new axes and full slices.
bool KeepsAll(const Facts& facts, ValueId subscript) {
  for (const analysis::Key& key : facts.SubscriptOf(subscript).keys) {
    const bool keeps =
        key.kind == KeyKind::kNewAxis || key.kind == KeyKind::kEllipsis || (key.kind == KeyKind::kSlice && key.full);
    if (!keeps) return false;
  }
  return true;
}

bool KeepsZeros(ir::BinaryOp op) {
  return op == ir::BinaryOp::kMul || op == ir::BinaryOp::kFloorDiv || op == ir::BinaryOp::kMod ||
         op == ir::BinaryOp::kAnd || op == ir::BinaryOp::kLeftShift || op == ir::BinaryOp::kRightShift;
}

}  // namespace

bool HoldsZero(const Facts& facts, ValueId array) {
  const ir::Program& program = facts.program();
  for (int step = 0; step < kMostSteps; ++step) {
    const ValueId made = array.valid() ? facts.Source(array) : array;
    if (!made.valid() || facts.KnownBelow(made, 2) || !facts.MutationsOf(facts.RootOf(made)).empty()) return false;
    const ir::Op& op = program.ops[made];
    switch (op.kind) {
      case OpKind::kCompare: return true;
      case OpKind::kUnary:
        if (static_cast<ir::UnaryOp>(op.detail) == ir::UnaryOp::kInvert) return false;
        array = program.Operand(made, 0);
        break;
      case OpKind::kBinary: {
        const auto binary = static_cast<ir::BinaryOp>(op.detail);
        if (!KeepsZeros(binary)) return false;
        const ValueId right = program.Operand(made, 1);
        if (binary == ir::BinaryOp::kMul && !facts.IsArray(program.Operand(made, 0))) {
          array = right;
        } else {
          array = program.Operand(made, 0);
        }
        break;
      }
      case OpKind::kSubscript:
        if (facts.ApiName(program.Operand(made, 0)) == "numpy.mgrid") return GridFromZero(facts, made);
        if (!KeepsAll(facts, made)) return false;
        array = program.Operand(made, 0);
        break;
      case OpKind::kUnpackItem: {
        const ValueId tuple = facts.Source(program.Operand(made, 0));
        if (!tuple.valid()) return false;
        if (program.ops[tuple].kind == OpKind::kSubscript) {
          return facts.ApiName(program.Operand(tuple, 0)) == "numpy.mgrid" && GridFromZero(facts, tuple);
        }
        const DeviceCall call = AsDeviceCall(facts, tuple);
        if (call.base == "indices") return true;
        const std::uint32_t index = ir::ItemPosition::Unpack(op.payload).index;
        if (call.base != "meshgrid" || index >= facts.PositionalCount(tuple)) return false;
        array = program.Operand(tuple, index + 1);
        break;
      }
      case OpKind::kAttr:
        if (program.Name(op) != "T") return false;
        array = program.Operand(made, 0);
        break;
      case OpKind::kCall: {
        const DeviceCall call = AsDeviceCall(facts, made);
        if (call.base == "arange") return CountsThroughZero(facts, made);
        if (IsOneOf(call.base, {"zeros", "zeros_like", "eye", "identity", "indices"})) return true;
        if (!IsOneOf(call.base, {"astype", "reshape", "ravel", "flatten", "transpose", "copy", "asarray", "array",
                                 "abs", "absolute", "square"})) {
          return false;
        }
        array = call.array;
        break;
      }
      default: return false;
    }
  }
  return false;
}

bool TestsForZero(const Facts& facts, ValueId test, ValueId array) {
  const ir::Program& program = facts.program();
  const ValueId compare = test.valid() ? facts.Source(test) : test;
  if (!compare.valid() || program.ops[compare].kind != OpKind::kCompare) return false;
  const ValueId left = program.Operand(compare, 0), right = program.Operand(compare, 1);
  const auto is_array = [&](ValueId value) { return value.valid() && facts.Source(value) == facts.Source(array); };
  return (is_array(left) && facts.IntOf(right) == 0) || (is_array(right) && facts.IntOf(left) == 0);
}

}  // namespace cpnlint::rules::match
