#include <optional>
#include <string>

#include "analyzer/analysis/strides.h"
#include "rules/engine/rule.h"
#include "rules/match/same_expression.h"
#include "rules/match/stepped_read.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r106 {
namespace {

using analysis::Key;
using analysis::KeyKind;
using ir::OpKind;
using ir::ValueId;

// Where the step of a key is written: in a slice, or in the `slice(...)` that made the key.
Span StepSpan(const Facts& facts, ValueId key) {
  const ir::Program& program = facts.program();
  if (!key.valid()) return {};
  if (program.ops[key].kind == OpKind::kSlice) return program.OperandSpan(key, 2);
  const ValueId source = facts.Source(key);
  if (program.ops[source].kind != OpKind::kCall || program.FunctionOf(source) != program.FunctionOf(key)) return {};
  return facts.PositionalCount(source) == 3 ? program.OperandSpan(source, 3) : Span{};
}

// ` = v`, ` += v` of a store.
Text Stored(const ir::Program& program, ValueId op) {
  const ValueId value = program.Operand(op, 1);
  const bool augmented = (program.ops[op].flags & ir::kAugmented) != 0 && value.valid() &&
                         program.ops[value].kind == OpKind::kInplaceBinary;
  if (!augmented) return Text(" = ").Add(program.OperandSpan(op, 1));
  const auto kind = static_cast<ir::BinaryOp>(program.ops[value].detail);
  return Text(" ").Add(ir::Spelling(kind)).Add("= ").Add(program.OperandSpan(value, 1));
}

// `np.arange(1, n, 2)` for every second number of `np.arange(n)`; empty for what is made otherwise.
Text WithStep(const Facts& facts, ValueId array, std::int64_t first, const Text& k) {
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(array);
  if (program.ops[made].kind != OpKind::kCall || program.FunctionOf(made) != program.FunctionOf(array)) return {};
  const std::size_t ends = facts.PositionalCount(made);
  const bool plain = !facts.HasStarArguments(made) && program.Operands(made).size() == ends + 1;
  if (facts.CalleeOf(made).name != "numpy.arange" || !plain || ends == 0 || ends > 2) return {};
  const auto start = ends == 2 ? facts.IntOf(program.Operand(made, 1)) : std::optional<std::int64_t>(0);
  if (!start || facts.Of(program.Operand(made, static_cast<std::uint32_t>(ends))).kind != analysis::Kind::kInt)
    return {};
  return Text("make the range with its step: `")
      .Add(program.OperandSpan(made, 0))
      .Add("(" + std::to_string(*start + first) + ", ")
      .Add(program.OperandSpan(made, static_cast<std::uint32_t>(ends)))
      .Add(", ")
      .Add(k)
      .Add(")`");
}

// `a[i::n]` with the counter of `for i in range(n)`.
bool BeginsAtCounter(const Facts& facts, ValueId slice, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (program.ops[slice].kind != OpKind::kSlice || program.Operand(slice, 1).valid()) return false;
  const ValueId lower = program.Operand(slice, 0), range = facts.Source(program.loops[loop].iterable);
  const bool counts = lower.valid() && facts.Source(lower) == program.loops[loop].item && range.valid() &&
                      program.ops[range].kind == OpKind::kCall && facts.PositionalCount(range) == 1;
  return counts && facts.Of(range).kind == analysis::Kind::kRange;
}

// ... where each pass takes the entries between those of the others.
Text HelpForShare(const Facts& facts, ValueId op, ValueId slice, Span array, const Text& k) {
  const ir::Program& program = facts.program();
  const Span first = program.OperandSpan(slice, 0);
  const bool reads = program.ops[op].kind == OpKind::kSubscript;
  if (!reads || facts.KeysOf(op).size() != 1 || facts.RankOf(program.Operand(op, 0)) != 1) {
    return Text("split the axis before the loop, by a `reshape` to `(..., -1, ")
        .Add(k)
        .Add(", ...)`, and take the position ")
        .Add(match::Quoted(first))
        .Add(" of the new one in each pass; what the passes add up is a sum over that axis");
  }
  Text split("split the axis and pick a position: `");
  split.Add(array, Binding::kPrimary).Add(".reshape(-1, ").Add(k).Add(")[:, ").Add(first);
  split.Add("]` where the extent is a multiple of `").Add(k).Add("`, else `np.take(").Add(array).Add(", np.arange(");
  split.Add(first).Add(", len(").Add(array).Add("), ").Add(k).Add("), mode='clip')`");
  return split.Add("; a copy, so later writes to it do not reach ").Add(match::Quoted(array));
}

// Where a slice begins, if that does not count from the end: `p * p` of `a[p * p :: p]`.
Span FirstOf(const Facts& facts, ValueId slice) {
  const ir::Program& program = facts.program();
  const ValueId lower = program.ops[slice].kind == OpKind::kSlice ? program.Operand(slice, 0) : ValueId::None();
  if (!lower.valid()) return {};
  const OpKind made = program.ops[facts.Source(lower)].kind;
  const bool from_end = made == OpKind::kUnary || facts.IntOf(lower).value_or(0) < 0;
  return from_end || facts.Of(lower).kind != analysis::Kind::kInt ? Span{} : program.OperandSpan(slice, 0);
}

// What changes nothing as the right operand; empty for operators that have no such number for all arrays.
std::string_view Neutral(ir::BinaryOp op, bool whole) {
  switch (op) {
    case ir::BinaryOp::kAdd:
    case ir::BinaryOp::kSub: return whole ? "0" : "0.0";
    case ir::BinaryOp::kMul:
    case ir::BinaryOp::kDiv:
    case ir::BinaryOp::kPow: return whole ? "1" : "1.0";
    default: return {};
  }
}

// `where` of two whole numbers is int64, which does not go into unsigned integers.
bool TakesInt64(ir::DType dtype) {
  return ir::IsFloat(dtype) || ir::IsComplex(dtype) || (ir::IsInteger(dtype) && !ir::IsUnsigned(dtype));
}

// The mask with an axis more for each one behind its own: `(np.arange(len(p)) % 3 == 0)[:, None]`.
Text AlongAxis(const Text& mask, int axis, int rank) {
  if (axis + 1 >= rank) return mask;
  Text condition = Text("(").Add(mask).Add(")[:");
  for (int behind = axis + 1; behind < rank; ++behind) condition.Add(", None");
  return condition.Add("]");
}

// `p *= np.where(np.arange(len(p)) % 3 == 0, 2.0, 1.0)` for `p[::3] *= 2.0`: neither reads nor writes through the mask.
// On several processors the write ends the process where the array comes from a solver (executed on 26.6.1).
Text WholeUpdate(const Facts& facts, ValueId op, Span array, const Text& mask, int axis) {
  const ir::Program& program = facts.program();
  const ValueId value = program.Operand(op, 1), base = program.Operand(op, 0);
  if ((program.ops[op].flags & ir::kAugmented) == 0 || program.ops[value].kind != OpKind::kInplaceBinary) return {};
  const ValueId operand = program.Operand(value, 1);
  const int rank = facts.RankOf(base);
  const auto kind = static_cast<ir::BinaryOp>(program.ops[value].detail);
  const bool of_float = facts.Of(operand).kind == analysis::Kind::kFloat;
  const std::string_view neutral = Neutral(kind, !of_float);
  if (neutral.empty() || rank < 1 || !match::IsScalar(facts, operand)) return {};
  if (!of_float && !TakesInt64(facts.Of(base).dtype)) return {};
  const Text condition = AlongAxis(mask, axis, rank);
  // A name of another scope would become one of this function, and what a call gives cannot be assigned.
  const bool written_here = program.ops[op].span.Contains(program.ops[base].span);
  const OpKind written = program.ops[base].kind;
  const bool elsewhere =
      written == OpKind::kLoadCell && program.functions[program.FunctionOf(op)].kind != ir::Function::Kind::kModule;
  const bool in_place = written_here && (elsewhere || written == OpKind::kCall);
  return Text("update the whole array: `")
      .Add(array, Binding::kPrimary)
      .Add(in_place ? "[...] " : " ")
      .Add(ir::Spelling(kind))
      .Add("= np.where(")
      .Add(condition)
      .Add(", ")
      .Add(program.OperandSpan(value, 1))
      .Add(", ")
      .Add(neutral)
      .Add(")`");
}

// A mask of the first axis needs the others for a single number, or the write raises (R119).
std::string OtherAxes(const Facts& facts, ValueId op, int rank) {
  const bool augmented = (facts.program().ops[op].flags & ir::kAugmented) != 0;
  std::string axes;
  if (augmented || !match::IsScalar(facts, facts.program().Operand(op, 1))) return axes;
  for (int axis = 1; axis < rank; ++axis) axes += ", :";
  return axes;
}

// The first position, where the slice goes to the end and that is known, of a mask of remainders; of a step without a
// known value where it is positive.
std::optional<std::int64_t> FirstToEnd(const Facts& facts, const Key& key) {
  if (key.upper_given) return {};
  const auto first = key.lower_given ? facts.store().dims().AsConst(key.lower) : std::optional<std::int64_t>(0);
  return first && *first >= 0 && *first < key.step.value_or(1) ? first : std::nullopt;
}

// `a[::-1] = v`: what is written is turned round in place of the array.
Text HelpForTurnedWrite(const Facts& facts, ValueId op, const Key& key, bool only_key, Span array) {
  const ir::Program& program = facts.program();
  const ValueId base = program.Operand(op, 0), stored = program.Operand(op, 1);
  const bool augmented = (program.ops[op].flags & ir::kAugmented) != 0;
  const bool whole = only_key && key.step == -1 && !key.lower_given && !key.upper_given;
  const bool scalar = match::IsScalar(facts, stored);
  const bool same_axes = facts.RankOf(base) > 0 && facts.RankOf(stored) == facts.RankOf(base);
  if (!whole || augmented || (!scalar && !same_axes))
    return "write the slice forwards, with the values turned round by `np.flip` where they have that axis";
  Text help("write it forwards: `");
  help.Add(array, Binding::kPrimary).Add("[:] = ");
  if (scalar) return help.Add(program.OperandSpan(op, 1)).Add("`");
  return help.Add("np.flip(").Add(program.OperandSpan(op, 1), Binding::kConditional).Add(", 0)`");
}

// `a[2:n:3, 1] = v`: what a view without the step shows is written through.
Text HelpForWriteIntoPart(const Facts& facts, ValueId op, const Text& k) {
  const ir::Program& program = facts.program();
  const Text part = match::PartWithoutStep(facts, op);
  if (part.empty()) return "write through a mask over each stepped axis, `np.arange(extent) % step == offset`";
  const std::string name(match::NameForPart(program, op));
  const auto& keys = facts.SubscriptOf(op).keys;
  const auto drops = std::ranges::count_if(keys, [](const Key& one) { return one.kind == KeyKind::kInteger; });
  const int rank = facts.RankOf(program.Operand(op, 0)) - static_cast<int>(drops);
  return Text("write through a mask: `" + name + "[np.arange(len(" + name + ")) % ")
      .Add(k)
      .Add(" == 0" + OtherAxes(facts, op, rank) + "]")
      .Add(Stored(program, op))
      .Add("` after `" + name + " = ")
      .Add(part)
      .Add("`, a view");
}

// `a[:, ::4] = 0.0`: what is stored is one number for all, whatever the axis.
Text HelpForNumber(const Facts& facts, ValueId op, Span array, const Text& k) {
  const ir::Program& program = facts.program();
  const ValueId base = program.Operand(op, 0), stored = program.Operand(op, 1);
  const int rank = facts.RankOf(base);
  const Key* stepped = nullptr;
  for (const Key& key : facts.SubscriptOf(op).keys) {
    if (key.kind == KeyKind::kSlice && key.full) continue;
    if (key.kind != KeyKind::kSlice || stepped != nullptr) return {};
    stepped = &key;
  }
  if (stepped == nullptr || rank < 1 || stepped->axis < 0) return {};
  const std::optional<std::int64_t> first = FirstToEnd(facts, *stepped);
  if (!first) return {};
  const std::string extent = ".shape[" + std::to_string(stepped->axis) + "]";
  Text mask("np.arange(");
  mask.Add(array, Binding::kPrimary).Add(extent + ") % ").Add(k).Add(" == " + std::to_string(*first));
  if ((program.ops[op].flags & ir::kAugmented) != 0) return WholeUpdate(facts, op, array, mask, stepped->axis);
  const ir::DType dtype = facts.Of(base).dtype;
  const analysis::Kind kind = facts.Of(stored).kind;
  const bool fits = kind == analysis::Kind::kBool    ? dtype == ir::DType::kBool
                    : kind == analysis::Kind::kFloat ? ir::IsFloat(dtype) || ir::IsComplex(dtype)
                                                     : analysis::IsNumber(kind) && TakesInt64(dtype);
  if (!fits) return {};
  return Text("write the whole array: `")
      .Add(array, Binding::kPrimary)
      .Add("[...] = np.where(")
      .Add(AlongAxis(mask, stepped->axis, rank))
      .Add(", ")
      .Add(program.OperandSpan(op, 1), Binding::kConditional)
      .Add(", ")
      .Add(array)
      .Add(")`");
}

Text HelpForWrite(const Facts& facts, ValueId op, ValueId slice, const Key& key, bool only_key, Span array,
                  const Text& k) {
  if (key.step && *key.step < 0) return HelpForTurnedWrite(facts, op, key, only_key, array);
  if (!only_key) {
    const Text number = HelpForNumber(facts, op, array, k);
    return number.empty() ? HelpForWriteIntoPart(facts, op, k) : number;
  }
  const int rank = facts.RankOf(facts.program().Operand(op, 0));
  const std::optional<std::int64_t> first = FirstToEnd(facts, key);
  const Text remainders = Text("np.arange(len(").Add(array).Add(")) % ").Add(k);
  Text mask("write through a mask: `");
  mask.Add(array, Binding::kPrimary);
  if (const Span begin = FirstOf(facts, slice); !first && !key.upper_given && !begin.empty()) {  // `a[p * p :: p]`
    mask.Add("[(np.arange(len(").Add(array).Add(")) >= ").Add(begin, Binding::kBitOr);
    mask.Add(") & ((np.arange(len(").Add(array).Add(")) - ").Add(begin, Binding::kProduct).Add(") % ").Add(k);
    return mask.Add(" == 0)" + OtherAxes(facts, op, rank) + "]").Add(Stored(facts.program(), op)).Add("`");
  }
  mask.Add("[").Add(remainders);
  if (!first) return HelpForWriteIntoPart(facts, op, k);
  const std::string at_first = " == " + std::to_string(*first);
  if (const Text whole = WholeUpdate(facts, op, array, Text(remainders).Add(at_first), 0); !whole.empty()) return whole;
  return mask.Add(at_first + OtherAxes(facts, op, rank) + "]").Add(Stored(facts.program(), op)).Add("`");
}

// Of a vector: a reshape picks the entries without a gather where the extent allows it.
Text HelpForVector(const Facts& facts, ValueId base, Span array, std::int64_t step, std::int64_t first,
                   const Text& taken) {
  const Text k(std::to_string(step));
  if (const Text range = WithStep(facts, base, first, k); !range.empty()) return range;
  ir::DimStore& dims = facts.store().dims();
  const auto rest = dims.AsConst(dims.Mod(facts.ExtentOf(base, 0), dims.Const(step)));
  Text split("split the axis and pick a position: `");
  split.Add(array, Binding::kPrimary).Add(".reshape(-1, ").Add(k).Add(")[:, " + std::to_string(first) + "]`");
  const bool named = match::CanBeRepeated(facts, base, array);
  const Text copy = named ? Text("; a copy, so later writes to it do not reach ").Add(match::Quoted(array)) : Text();
  if (rest && *rest != 0) return Text("write ").Add(taken).Add(copy);
  if (!rest) split.Add(" where the extent is a multiple of ").Add(k).Add(", else ").Add(taken);
  return split.Add(copy);
}

Text HelpForRead(const Facts& facts, ValueId op, const Key& key, bool only_key, Span array, const Text& k) {
  const bool whole_axis = !key.lower_given && !key.upper_given;
  if (key.step == -1 && only_key && whole_axis)
    return Text("turn it round with `np.flip(").Add(array).Add(", 0)`: a copy, made on one processor");
  const Text taken = match::WithoutSteps(facts, op);
  const bool turned = key.step && *key.step < 0;
  if (taken.empty() && turned) {
    return Text("take the slice of ")
        .Add(match::Quoted(array))
        .Add(" forwards and turn it round with `np.flip`: a copy, made on one processor");
  }
  const ValueId base = facts.program().Operand(op, 0);
  const std::optional<std::int64_t> first = FirstToEnd(facts, key);
  if (only_key && key.step && first && !turned && facts.RankOf(base) == 1)
    return HelpForVector(facts, base, array, *key.step, *first, taken);
  if (taken.empty()) {
    return "cut without the steps first, and take the positions of each stepped axis of what that gives, `x`: "
           "`np.take(x, np.arange(0, x.shape[axis], step), axis=axis, mode='clip')`; copies, not views";
  }
  Text help;
  if (!key.step) help.Add("where `").Add(k).Add("` is positive, ");
  help.Add("write ").Add(taken);
  if (key.step == -1) return help.Add(": a copy, made on one processor");
  help.Add(": a copy, not a view");
  if (match::CountOfSteps(facts, op) < 2) return help;
  return help
      .Add("; where the extents are multiples of the steps, `reshape` (`(n, m)` to `(n // k, k, m // k, k)`) and ")
      .Add("a pick of positions do it, too");
}

// Fires when
//   1. the subscripted value is a device array,
//   2. one of the keys is a slice with a step, and the step is not known to be 1.
void OnSubscript(const Facts& facts, ValueId op, Trial& trial) {
  const ir::Program& program = facts.program();
  const ValueId base = program.Operand(op, 0);
  if (!trial.Holds(1, facts.IsDevice(base))) return;
  // The read of `a[::2] += b`; the write tells it.
  if (program.ops[op].kind == OpKind::kSubscript && (program.ops[op].flags & ir::kAugmented) != 0) return;

  const auto keys = facts.KeysOf(op);
  const auto& meanings = facts.SubscriptOf(op).keys;
  // A known step says more than one that a run decides.
  const auto weight = [&](const Key& meaning, ValueId written) {
    if (meaning.step || analysis::StepIsLarge(facts, analysis::StepOfKey(facts, written))) return 3;
    return analysis::LoopThatStepCounts(facts, written).valid() ? 2 : 1;
  };
  const Key* key = nullptr;
  int best = 0;
  ValueId slice;
  for (std::size_t i = 0; i < meanings.size() && i < keys.size(); ++i) {
    const Key& meaning = meanings[i];
    if (meaning.kind != KeyKind::kSlice || !meaning.step_given || meaning.step == 1) continue;
    if (const int heavy = weight(meaning, keys[i]); heavy > best) {
      key = &meaning;
      best = heavy;
      slice = keys[i];
    }
  }
  if (!trial.Holds(2, key != nullptr) || key == nullptr) return;

  const Span array = program.OperandSpan(op, 0);
  const Span step = StepSpan(facts, slice);
  Trial::Report report = trial.ReportOp(op);
  // Where nothing tells whose storage it is, the value stands for it.
  const ValueId root = facts.RootOf(base);
  report.Arg("array", array).Root(root.valid() ? root : facts.Source(base)).Evidence(facts.Of(base).evidence);
  if (key->step) report.Arg("k", std::to_string(*key->step));
  if (!key->step) report.Arg("k", step);
  if (best == 1) report.Confidence(Confidence::kPossible);
  const ir::LoopId counted = best == 2 ? analysis::LoopThatStepCounts(facts, slice) : ir::LoopId::None();
  if (counted.valid()) report.Confidence(Confidence::kLikely);
  if (!key->step && step.empty()) report.Message("`{expr}` slices `{array}` with a step given elsewhere");
  report.PrimaryLabel(best == 3 ? "raises NotImplementedError on cuPyNumeric"
                      : counted.valid()
                          ? "raises NotImplementedError on cuPyNumeric wherever the loop makes more than one pass"
                          : "raises NotImplementedError on cuPyNumeric unless the step is 1");
  match::TellOrigin(facts, base, program.ops[op].span, report);
  const Text k = key->step      ? Text(std::to_string(*key->step))
                 : step.empty() ? Text("k")
                                : Text().Add(step, Binding::kUnary);
  const bool share = counted.valid() && BeginsAtCounter(facts, slice, counted);
  const bool writes = program.ops[op].kind == OpKind::kStoreSubscript;
  const auto for_write = [&] {
    Text help = HelpForWrite(facts, op, slice, *key, keys.size() == 1, array, k);
    return key->step ? help : help.Add(", where `").Add(k).Add("` is positive");
  };
  report.Help(share    ? HelpForShare(facts, op, slice, array, k)
              : writes ? for_write()
                       : HelpForRead(facts, op, *key, keys.size() == 1, array, k));
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 106,
    .slug = "strided-slice",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "an array is sliced with a step other than 1",
    .message = "`{expr}` slices `{array}` with step `{k}`",
    .why = "a step other than 1 raises NotImplementedError, for reading and for writing (26.07)",
    .details = R"md(
cuPyNumeric 26.07 takes slices with step 1 only: `a[::2]`, `a[::-1]` and `a[1::3] = 0` raise NotImplementedError, reading or
writing, on any axis.

**Fires when**

1. the subscripted value is a device array
2. one of the keys is a slice with a step that is not known to be 1; *possible* where the step is a name without a known
   value, *likely* where it is the number of passes of a loop around it: `a[i::n]` in `for i in range(n)`

**Stays quiet**

- (a) shapes, tuples, lists, strings, ranges: `a.shape[::-1]`
- (b) host arrays
- (c) `a[::1]` and `a[0:n:None]`
- (d) `np.arange(0, n, 2)`, which makes indices and slices nothing
- (e) objects of pandas, h5py and other libraries
- (f) a step that folds to 1
- (g) subscripts of `a.flat`, an iterator of the host

The migration guide leaves open whether the call gathers; it never does, it raises. Reshaping costs one copy and no wait; the
guide's mask recipe reads an array of unknown length and waits.
)md",
    .bad = R"py(import numpy as np


def coarse(n):
    tide = np.linspace(0.0, 1.0, 2 * n)
    return tide[::2]
)py",
    .good = R"py(import numpy as np


def coarse(n):
    tide = np.linspace(0.0, 1.0, 2 * n)
    return tide.reshape(-1, 2)[:, 0]
)py",
    .recipe = "RR-slice",
    .fix = FixClass::kUnsafe,
    .ops = {OpKind::kSubscript, OpKind::kStoreSubscript},
    .on_op = &OnSubscript,
};

}  // namespace cpnlint::rules::r106
