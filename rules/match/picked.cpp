#include "rules/match/picked.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "rules/match/device_call.h"
#include "rules/match/same_expression.h"

namespace cpnlint::rules::match {

using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

namespace {

// `x.shape` as a whole; None() for others.
ValueId ArrayOfShape(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(value);
  if (!made.valid() || program.ops[made].kind != OpKind::kAttr || program.Name(program.ops[made]) != "shape") return {};
  return program.Operand(made, 0);
}

bool SameArray(const Facts& facts, ValueId a, ValueId b) {
  return a.valid() && b.valid() && facts.Source(a).valid() && facts.Source(a) == facts.Source(b);
}

bool IsBuiltin(const Facts& facts, ValueId made, std::string_view name) {
  if (!made.valid() || facts.program().ops[made].kind != OpKind::kCall) return false;
  const analysis::Callee& callee = facts.CalleeOf(made);
  return callee.kind == analysis::Callee::Kind::kBuiltin && callee.name == name;
}

// A length, or made of what is not negative by sums and products.
bool IsNeverNegative(const Facts& facts, ValueId value, int depth = 4) {
  if (!value.valid() || depth == 0) return false;
  if (const auto number = facts.IntOf(value)) return *number >= 0;
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(value);
  if (!made.valid()) return false;
  if (IsBuiltin(facts, made, "len")) return true;
  const ir::Op& op = program.ops[made];
  if (op.kind == OpKind::kSubscript) return ArrayOfShape(facts, program.Operand(made, 0)).valid();
  if (op.kind == OpKind::kAttr) return match::IsOneOf(program.Name(op), {"size", "ndim"});
  if (op.kind != OpKind::kBinary) return false;
  const auto binary = static_cast<ir::BinaryOp>(op.detail);
  if (binary != ir::BinaryOp::kAdd && binary != ir::BinaryOp::kMul && binary != ir::BinaryOp::kFloorDiv) return false;
  return std::ranges::all_of(program.Operands(made),
                             [&](ValueId part) { return IsNeverNegative(facts, part, depth - 1); });
}

bool MayBeWhole(const Facts& facts, ValueId end) {
  const Kind kind = facts.Of(end).kind;
  return kind == Kind::kInt || kind == Kind::kUnknown;
}

// `n` of `np.arange(n)` is how many rows the array has.
bool CountsRows(const Facts& facts, const Stretch& stretch, ValueId array) {
  if (!stretch.made.valid() || !stretch.first.empty()) return false;
  ir::DimStore& dims = facts.store().dims();
  const ir::DimId rows = facts.ExtentOf(array, 0), number = facts.Of(stretch.end_value).dim;
  if (rows.valid() && number.valid() && dims.KnownEqual(rows, number)) return true;
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(stretch.end_value);
  if (IsBuiltin(facts, made, "len")) return SameArray(facts, program.Operand(made, 1), array);
  if (!made.valid() || program.ops[made].kind != OpKind::kSubscript) return false;
  return facts.IntOf(program.Operand(made, 1)) == 0 &&
         SameArray(facts, ArrayOfShape(facts, program.Operand(made, 0)), array);
}

// A sum of zeros and one entry has the type of the entry.
bool SumKeepsType(ir::DType dtype) {
  return dtype == ir::DType::kUnknown || ir::IsFloat(dtype) || ir::IsComplex(dtype) || dtype == ir::DType::kInt64;
}

// The array has no name of its own: `np.log(p)[...]`.
bool IsMadeThere(const Facts& facts, ValueId array, Span words) {
  const ir::Op& op = facts.program().ops[array];
  return op.kind != OpKind::kAttr && op.kind != OpKind::kSubscript && op.span == words;
}

// Between the two ops, in one block, nothing writes into the array.
bool StaysBetween(const Facts& facts, ValueId first, ValueId second, ValueId array) {
  const ir::Program& program = facts.program();
  if (program.ops[first].block != program.ops[second].block) return false;
  const auto writes = facts.MutationsOf(facts.RootOf(array));
  return std::ranges::none_of(writes, [&](ValueId write) { return first < write && write < second; });
}

struct Peak {
  std::string_view value;  // "max"
  ValueId of;
};
Peak PeakOf(const Facts& facts, ValueId position) {
  const DeviceCall call = AsDeviceCall(facts, facts.Source(position));
  const std::size_t arguments = call.method ? 0 : 1;
  if (!call || facts.program().Operands(call.call).size() != arguments + 1) return {};
  if (call.base == "argmax") return {"max", call.array};
  if (call.base == "argmin") return {"min", call.array};
  return {};
}

}  // namespace

Stretch StretchOf(const Facts& facts, ValueId positions) {
  const ir::Program& program = facts.program();
  const ValueId made = positions.valid() ? facts.Source(positions) : positions;
  if (!made.valid() || program.ops[made].kind != OpKind::kCall) return {};
  if (IsBuiltin(facts, made, "list") && facts.PositionalCount(made) == 1)
    return StretchOf(facts, program.Operand(made, 1));
  const std::size_t count = facts.PositionalCount(made);
  const bool walks = IsBuiltin(facts, made, "range") || facts.CalleeOf(made).name == "numpy.arange";
  if (!walks || count == 0 || count > 2 || facts.HasStarArguments(made)) return {};
  if (facts.KeywordArgument(made, "step").valid() || facts.KeywordArgument(made, "stop").valid()) return {};
  if (count == 1) return {made, {}, program.Operand(made, 1), {}, program.OperandSpan(made, 1)};
  return {made, program.Operand(made, 1), program.Operand(made, 2), program.OperandSpan(made, 1),
          program.OperandSpan(made, 2)};
}

Text AsSlice(const Stretch& stretch, const Facts& facts, Span array, std::string_view colons) {
  if (!stretch.made.valid() || !MayBeWhole(facts, stretch.end_value)) return {};
  Text slice;
  slice.Add(array, Binding::kPrimary).Add("[").Add(colons).Add(stretch.first).Add(":").Add(stretch.end).Add("]");
  const bool from_start = stretch.first.empty();
  if (!from_start && !MayBeWhole(facts, stretch.first_value)) return {};
  if (from_start || IsNeverNegative(facts, stretch.first_value))
    return Text("the index is one stretch: `").Add(slice).Add("` is a view");
  const std::optional<std::int64_t> first = facts.IntOf(stretch.first_value);
  if (first && *first < 0) return {};
  const bool whole = facts.Of(stretch.first_value).kind == Kind::kInt;
  return Text("the index is one stretch: where `")
      .Add(stretch.first)
      .Add(whole ? "` is not negative, `" : "` is a whole number and not negative, `")
      .Add(slice)
      .Add("` is a view");
}

Text ByColumn(const Facts& facts, ValueId op, Span array) {
  const ir::Program& program = facts.program();
  const ValueId target = program.Operand(op, 0);
  const auto keys = facts.KeysOf(op);
  if (keys.size() != 2 || facts.RankOf(target) != 2 || IsMadeThere(facts, target, array)) return {};
  const ir::DType index = facts.Of(keys[1]).dtype;
  if (!facts.IsArray(keys[1]) || facts.RankOf(keys[1]) != 1 || index == ir::DType::kBool) return {};
  if (!CountsRows(facts, StretchOf(facts, keys[0]), target)) return {};
  const bool store = program.ops[op].kind == OpKind::kStoreSubscript;
  const bool augmented = (program.ops[op].flags & ir::kAugmented) != 0;
  const Span columns = program.OperandSpan(op, store ? 3 : 2);
  Text mask;
  mask.Add(columns, Binding::kPrimary).Add("[:, None] == np.arange(").Add(array, Binding::kPrimary).Add(".shape[1])");
  Text help("`");
  if (store && !augmented && IsNumber(facts, program.Operand(op, 1))) {
    help.Add(array, Binding::kPrimary).Add("[").Add(mask).Add("] = ").Add(program.OperandSpan(op, 1));
  } else if (!store && !augmented && SumKeepsType(facts.Of(target).dtype)) {
    help.Add("np.sum(np.where(").Add(mask).Add(", ").Add(array).Add(", 0), axis=1)");
  } else {
    return {};
  }
  return help.Add("` where `").Add(array).Add("` has few columns and no index is below 0");
}

Text AtPeak(const Facts& facts, ValueId op, ValueId key, ValueId array, Span words) {
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(key);
  const DeviceCall unravel = AsDeviceCall(facts, made);
  const bool several =
      unravel.base == "unravel_index" && facts.PositionalCount(made) == 2 && program.Operands(made).size() == 3;
  const ValueId position = several ? program.Operand(made, 1) : key;
  if (!several && facts.RankOf(array) != 1) return {};
  const Peak peak = PeakOf(facts, position);
  const ValueId found = facts.Source(position);
  if (!peak.value.empty() && SameArray(facts, peak.of, array) && StaysBetween(facts, found, op, array))
    return Text("the value itself is `np.").Add(peak.value).Add("(").Add(words).Add(")`");
  if (!several || IsMadeThere(facts, array, words)) return {};
  if (!SameArray(facts, ArrayOfShape(facts, program.Operand(made, 2)), array)) return {};
  const Span flat = program.OperandSpan(made, 1);
  const bool written = program.ops[program.Operand(made, 1)].span == flat;  // no name yet
  Text help("`np.take(");
  help.Add(words, Binding::kPrimary).Add(".ravel(), ");
  if (!written) return help.Add(flat, Binding::kPrimary).Add(".reshape(1), axis=0, mode='clip')[0]`");
  return help.Add("flat_.reshape(1), axis=0, mode='clip')[0]` with `flat_ = ").Add(flat).Add("`");
}

}  // namespace cpnlint::rules::match
