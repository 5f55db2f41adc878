// R120 process-ending-call: calls on types, or with divisors, that abort the process.

#include <string>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/holds_zero.h"
#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r120 {

using ir::OpKind;
using ir::ValueId;

struct Ending {
  ValueId array;
  ir::DType dtype = ir::DType::kUnknown;
  ValueId divisor;   // of an integer division
  ValueId repaired;  // where the program sees to the zeros of the divisor afterwards
  ValueId expected;  // the errstate around it that lets divisions by zero pass
  analysis::EvidenceSet evidence = 0;

  explicit operator bool() const { return array.valid(); }
};

// dividend and divisor of `a // b`, `np.fmod(a, b)`, `np.floor_divide(a, b)`, and the name they have in the table.
struct Operands {
  const api::Entry* row = nullptr;
  ValueId left, right;
};

static Operands OperandsOf(const Facts& facts, ValueId op, const Target& target) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  if (it.kind == OpKind::kCall) {
    const match::DeviceCall call = match::AsDeviceCall(facts, op);
    if (!call || call.method) return {};
    return {match::Row(call.name, target.version), facts.Argument(op, 0, "x1"), facts.Argument(op, 1, "x2")};
  }
  const auto binary = static_cast<ir::BinaryOp>(it.detail);
  const bool divides = binary == ir::BinaryOp::kFloorDiv;
  if (!divides && binary != ir::BinaryOp::kMod) return {};
  return {match::Row(divides ? "numpy.floor_divide" : "numpy.remainder", target.version), program.Operand(op, 0),
          program.Operand(op, 1)};
}

static bool IsIntegral(const Facts& facts, ValueId value) {
  const analysis::Value& known = facts.Of(value);
  if (known.kind == analysis::Kind::kInt || known.kind == analysis::Kind::kBool) return true;
  return facts.IsArray(value) && (ir::IsInteger(known.dtype) || known.dtype == ir::DType::kBool);
}

// Where the quotient is mended at the zeros of the divisor: `np.where(d == 0, 0, a // d)`, `q[d == 0] = 0`.
static ValueId RepairOf(const Facts& facts, ValueId quotient, ValueId divisor) {
  const ir::Program& program = facts.program();
  for (const ValueId use : facts.DeepUsesOf(quotient)) {
    if (program.ops[use].kind == OpKind::kCall) {
      const match::DeviceCall call = match::AsDeviceCall(facts, use);
      if (call.base == "where" && facts.PositionalCount(use) == 3 && program.Operand(use, 1) != quotient &&
          match::TestsForZero(facts, program.Operand(use, 1), divisor)) {
        return use;
      }
    }
    if (program.ops[use].kind != OpKind::kStoreSubscript || program.Operand(use, 0) != quotient) continue;
    for (const ValueId key : facts.KeysOf(use)) {
      if (match::TestsForZero(facts, key, divisor)) return use;
    }
  }
  return {};
}

// `with np.errstate(divide="ignore"):` around the op, in its function: the author expects zeros. Where they are to
// raise, they are not.
static ValueId ExpectsZerosAt(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const Span place = program.ops[op].span;
  for (const ir::With& with : program.withs) {
    if (!with.suite.Contains(place) || program.FunctionOf(with.entered) != program.FunctionOf(op)) continue;
    const ValueId context = facts.Source(program.Operand(with.entered, 0));
    if (!context.valid() || program.ops[context].kind != OpKind::kCall) continue;
    if (facts.CalleeOf(context).name != "numpy.errstate") continue;
    const ValueId divide = facts.KeywordArgument(context, "divide");
    const auto how = divide.valid() ? facts.TextOf(divide) : std::nullopt;
    if (how && match::IsOneOf(*how, {"ignore", "warn", "print", "log"})) return context;
  }
  return {};
}

// No zeros are left in it: `np.maximum(d, 1)`, `np.where(d == 0, 1, d)`, `d + 1`, `d | 1`.
static bool IsGuardedDivisor(const Facts& facts, ValueId divisor) {
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(divisor);
  if (!made.valid()) return false;
  if (program.ops[made].kind == OpKind::kBinary) {
    const auto binary = static_cast<ir::BinaryOp>(program.ops[made].detail);
    return binary == ir::BinaryOp::kAdd || binary == ir::BinaryOp::kOr || binary == ir::BinaryOp::kPow;
  }
  const match::DeviceCall call = match::AsDeviceCall(facts, made);
  return match::IsOneOf(call.base, {"where", "maximum", "clip", "fmax", "ones", "ones_like", "full", "full_like"});
}

static Ending OfDivision(const Facts& facts, ValueId op, const Target& target) {
  const Operands operands = OperandsOf(facts, op, target);
  if (operands.row == nullptr || api::FindLimit(*operands.row, api::LimitKind::kZeroDivisor) == nullptr) return {};
  if (!facts.IsDevice(operands.right) || facts.IsZeroD(operands.right)) return {};
  if (!IsIntegral(facts, operands.left) || !IsIntegral(facts, operands.right)) return {};
  Ending ending{
      operands.right, facts.Of(operands.right).dtype, operands.right, {}, {}, facts.Of(operands.right).evidence};
  if (facts.IsArray(operands.left)) ending.evidence |= facts.Of(operands.left).evidence;
  if (match::HoldsZero(facts, operands.right)) return ending;
  ending.repaired = RepairOf(facts, op, operands.right);
  if (!ending.repaired.valid() && !IsGuardedDivisor(facts, operands.right)) ending.expected = ExpectsZerosAt(facts, op);
  return ending.repaired.valid() || ending.expected.valid() ? ending : Ending{};
}

static bool Applies(const Facts& facts, const match::DeviceCall& call, const api::Entry& row, api::GapWhen when) {
  std::size_t position = api::ParameterPosition(row, "axis").value_or(1);
  if (call.method) ++position;
  const ValueId axis = match::Argument(facts, call, position, "axis");
  switch (when) {
    case api::GapWhen::kAlways: return true;
    case api::GapWhen::kWholeArray:
      // With dtype= the sums are made in another type.
      return (axis.valid() ? facts.IsNoneConstant(axis) : !facts.HasStarArguments(call.call)) &&
             !facts.KeywordArgument(call.call, "dtype").valid();
    case api::GapWhen::kWithAxis:
      return axis.valid() &&
             (facts.Of(axis).kind == analysis::Kind::kInt || facts.Of(axis).kind == analysis::Kind::kTuple);
    case api::GapWhen::kZeroDivisor: return false;
  }
  return false;
}

static Ending OfType(const Facts& facts, ValueId op, const Target& target) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  const api::Entry* row = call ? match::Row(call.name, target.version) : nullptr;
  ValueId array = call.array;
  if (!call) {
    const Operands operands = OperandsOf(facts, op, target);
    row = operands.row;
    array =
        facts.IsDevice(operands.left) && ir::IsComplex(facts.Of(operands.left).dtype) ? operands.left : operands.right;
  }
  if (row == nullptr || row->dtypes.empty() || !facts.IsDevice(array)) return {};
  const ir::DType dtype = facts.Of(array).dtype;
  if (dtype == ir::DType::kUnknown) return {};
  const api::DtypeGap* gap = api::FindDtypeGap(*row, ir::Name(dtype), api::DtypeEffect::kEndsProcess);
  if (gap == nullptr) return {};
  if (call ? !Applies(facts, call, *row, gap->when) : gap->when != api::GapWhen::kAlways) return {};
  analysis::EvidenceSet evidence = facts.Of(array).evidence;
  if (call) evidence |= call.evidence;
  return {array, dtype, {}, {}, {}, evidence};
}

// `z != 0`, in parentheses where a method is asked of it.
static Text NotZero(const match::DeviceCall& call) {
  const Text test = Text().Add(call.array_span, Binding::kBitOr).Add(" != 0");
  return call.method ? Text("(").Add(test).Add(")") : test;
}

static Text Help(const Facts& facts, ValueId op, const Ending& ending) {
  const ir::Program& program = facts.program();
  const Span array = match::SpanOfOperand(facts, op, ending.array);
  if (!ending.divisor.valid()) {
    const match::DeviceCall call = match::AsDeviceCall(facts, op);
    if (ir::IsComplex(ending.dtype) && program.ops[op].kind == OpKind::kCall) {
      return Text("RR-guard  compare first, so that booleans are reduced: `")
          .Add(match::Replace(program.ops[op].span, {{call.array_span, NotZero(call)}}))
          .Add("`");
    }
    if (ir::IsComplex(ending.dtype) || ending.dtype == ir::DType::kFloat16) {
      return "RR-guard  NumPy raises TypeError here: convert to a type that has the operation";
    }
    return Text("RR-guard  convert first: `").Add(match::WithArray(facts, call, ".astype(np.float64)")).Add("`");
  }
  Text divisor("np.where(");
  divisor.Add(array, Binding::kBitOr).Add(" == 0, 1, ").Add(array, Binding::kConditional).Add(")");
  Text help("RR-guard  ");
  const ir::Op& it = program.ops[op];
  if (ending.repaired.valid() || it.kind != OpKind::kBinary) {
    help.Add("give the divisor no zeros: `").Add(divisor).Add("`");
    if (ending.repaired.valid()) return help.Add("; mending the quotient afterwards is too late");
    return help.Add(", and set what it gave for them to 0, as NumPy does");
  }
  help.Add("write `np.where(").Add(array, Binding::kBitOr).Add(" == 0, 0, ");
  help.Add(program.OperandSpan(op, 0), Binding::kProduct).Add(" ");
  help.Add(ir::Spelling(static_cast<ir::BinaryOp>(it.detail))).Add(" ").Add(divisor);
  return help.Add(")`: NumPy gives 0 there");
}

// Fires when
//   1. the types of the operands are known and the table says that the call ends the process on them: var(axis=None)
//      of narrow integers and booleans, any and all of complex128 along an axis, `//` and trunc of complex, inv and
//      cholesky of float16, or
//   2. integers are divided by an array that holds a zero by the way it was made, or whose zeros the program sees to
//      afterwards or lets pass.
// Quiet: (a) float operands, (b) divisors that are numbers or guarded, (c) Python scalars, (d) host arrays, (e) unknown
// types fail both.
static void OnOp(const Facts& facts, ValueId op, Trial& trial) {
  Ending ending = OfType(facts, op, trial.target());
  if (!trial.Holds(1, static_cast<bool>(ending)) || !ending) ending = OfDivision(facts, op, trial.target());
  if (!trial.Holds(2, static_cast<bool>(ending)) || !ending) return;
  const ir::Program& program = facts.program();
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op).Raises();
  report.Arg("call", span)
      .Arg("dtype", ir::Name(ending.dtype))
      .Root(facts.RootOf(ending.array))
      .Evidence(ending.evidence);
  report.Help(Help(facts, op, ending));
  if (ending.divisor.valid()) {
    report.Message("`{call}` divides integers by `{array}`, whose zeros end the process (seen on CPU)")
        .Arg("array", match::SpanOfOperand(facts, op, ending.array));
  }
  if (ending.repaired.valid() && !program.ops[ending.repaired].span.Contains(span)) {
    report.Label(program.ops[ending.repaired].span, "the zeros are seen to here");
  }
  if (ending.expected.valid()) report.Label(program.ops[ending.expected].span, "zeros are expected here");
  match::TellOrigin(facts, ending.array, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 120,
    .slug = "process-ending-call",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .cap = Confidence::kLikely,
    .summary = "a call that ends the process instead of raising",
    .message = "`{call}` on {dtype} ends the process (seen on CPU)",
    .why = "the task aborts and the runtime cannot unwind it, so no `try` catches it (26.07)",
    .details = R"md(
A few calls neither give a result nor raise: the process ends. Executed with cuPyNumeric 26.6.1 on CPU; the source of 26.07 is
the same there. GPU kernels were not run.

**Fires when**

1. the types of the operands are known, and the call ends the process on them:

   | call | types | NumPy |
   |---|---|---|
   | `var` without `axis=` | bool, int8 to int32, uint8 to uint32 | a number |
   | `any`, `all` along an axis | complex128 | booleans |
   | `//`, `trunc` | complex | TypeError |
   | `linalg.inv`, `linalg.cholesky` | float16 | TypeError |

2. or integers are divided (`//`, `%`, `fmod`, `remainder`) by an array that holds a zero by the way it was made (`arange` from 0, `zeros`, `eye`, a comparison, an index grid from 0), or whose zeros the program sees to afterwards (`np.where(d == 0, 0, a // d)`, `q[d == 0] = 0`) or lets pass (`with np.errstate(divide="ignore"):`): NumPy warns and gives 0

**Stays quiet**

- (a) float operands, whose division by zero is fine
- (b) a divisor that is a number, or is guarded: `np.maximum(d, 1)`, `np.where(d == 0, 1, d)`, `d + 1`
- (c) Python numbers
- (d) host arrays
- (e) operands whose types are not known

`np.errstate` itself does not exist in cuPyNumeric (R112). Forms that survive with another
number are R314.
)md",
    .bad = R"py(import numpy as np


def share(n: int):
    total = np.ones(n, dtype=np.int64)
    rank = np.arange(n)
    return np.where(rank == 0, 0, total // rank)
)py",
    .good = R"py(import numpy as np


def share(n: int):
    total = np.ones(n, dtype=np.int64)
    rank = np.arange(n)
    return np.where(rank == 0, 0, total // np.where(rank == 0, 1, rank))
)py",
    .recipe = "RR-guard",
    .fix = FixClass::kUnsafe,
    .preview = true,
    .may_raise = true,
    .ops = {OpKind::kBinary, OpKind::kInplaceBinary, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r120
