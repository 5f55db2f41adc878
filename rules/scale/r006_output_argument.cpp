// R006 output-argument: results written into storage that is there already.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"

namespace cpnlint::rules::r006 {

using ir::OpKind;

// Type that the operands of an elementwise call give; unknown where one of them is.
static ir::DType Computed(const Facts& facts, ir::ValueId call, ir::ValueId out) {
  ir::DType result = ir::DType::kUnknown;
  for (const ir::ValueId argument : facts.program().Operands(call).subspan(1)) {
    if (!facts.IsArray(argument) || argument == out) continue;
    const ir::DType dtype = facts.Of(argument).dtype;
    result = result == ir::DType::kUnknown ? dtype : ir::Promote(result, dtype);
    if (result == ir::DType::kUnknown) return result;
  }
  return result;
}

// out= of another type or shape than what is computed: a temporary and a conversion.
static bool Converts(const Facts& facts, ir::ValueId call, ir::ValueId out) {
  const ir::DType computed = Computed(facts, call, out);
  const ir::DType kept = facts.Of(out).dtype;
  if (computed == ir::DType::kUnknown || kept == ir::DType::kUnknown) return false;
  return ir::IsInexact(computed) && computed != kept;
}

static bool ChangesInPlace(const Facts& facts, ir::ValueId op) {
  const ir::ValueId target = facts.program().Operand(op, 0);
  if (!facts.IsDevice(target) || facts.IsZeroD(target)) return false;
  const ir::ValueId source = facts.Source(target);
  if (facts.program().ops[source].kind != OpKind::kSubscript) return true;
  const auto selects = facts.SubscriptOf(source).selects;
  return !facts.IsDevice(facts.program().Operand(source, 0)) || selects == analysis::SubscriptResult::Selects::kView;
}

// `u, w = w, u` in a loop: each becomes the other on the next pass.
static bool Exchanges(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  if (program.ops[op].operand_count != 2 || !program.LoopOf(op).valid()) return false;
  const ir::ValueId a = program.Operand(op, 0);
  const ir::ValueId b = program.Operand(op, 1);
  if (a == b || !facts.IsDevice(a) || !facts.IsDevice(b)) return false;
  if (program.ops[a].kind != OpKind::kPhi || program.ops[b].kind != OpKind::kPhi) return false;
  const auto becomes = [&](ir::ValueId phi, ir::ValueId other) {
    return std::ranges::find(program.Operands(phi), other) != program.Operands(phi).end();
  };
  return becomes(a, b) && becomes(b, a);
}

struct Reuse {
  ir::ValueId array;
  Span array_span;
};

static Reuse FindReuse(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  switch (program.ops[op].kind) {
    case OpKind::kInplaceBinary:
      return ChangesInPlace(facts, op) ? Reuse{program.Operand(op, 0), program.OperandSpan(op, 0)} : Reuse{};
    case OpKind::kTuple:
      return Exchanges(facts, op) ? Reuse{program.Operand(op, 0), program.OperandSpan(op, 0)} : Reuse{};
    default: break;
  }
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return {};
  if (call.method && call.base == "fill" && facts.HeatOf(op).hot) return {call.array, call.array_span};
  const ir::ValueId out = facts.KeywordArgument(op, "out");
  if (!facts.IsDevice(out) || Converts(facts, op, out)) return {};
  return {out, facts.KeywordSpan(op, "out")};
}

// Fires when
//   1. a call gets `out=` of the type it computes, or `op=` changes a device array or a view of one, or two buffers
//   change
//      places in a loop, or a buffer is filled anew in a hot loop, and
//   2. it does not raise.
// Quiet: (a) other types, (c) numbers, (d) masks and (e) host arrays are no such uses, (b) out= where there is none
// raises, (f) inside of a loop over elements.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const Reuse reuse = FindReuse(facts, op);
  if (!trial.Holds(1, reuse.array.valid()) || !reuse.array.valid()) return;
  if (!trial.Holds(2, !match::SomethingRaises(facts, op, trial.target().version))) return;
  if (trial.Quiet('f', facts.HeatOf(op).in_element_loop)) return;
  trial.ReportOp(op)
      .Arg("call", facts.program().ops[op].span)
      .Arg("array", reuse.array_span)
      .Evidence(facts.Of(reuse.array).evidence);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 6,
    .slug = "output-argument",
    .family = Family::kScales,
    .severity = Severity::kGood,
    .cold = Severity::kGood,
    .summary = "a result written into an array that is there already",
    .message = "`{call}` writes into `{array}` and needs no new array",
    .why =
        "with the same type nothing is allocated; operands that overlap the output only in part are copied first "
        "(26.07)",
    .details = R"md(
Counts `out=` with an array of the type that is computed, `op=` on a device array or a view of one, the exchange of two
buffers in a loop (`u, w = w, u`), and `fill` of a buffer in a hot loop.

Does not count `out=` of another type (a temporary and a conversion), `out=` on functions that lack it (R113), `op=` on
numbers, `x[mask] op= y` (R212), and host arrays.

Most reductions do accept `out=`, but its shape must match exactly.
)md",
    .bad = R"py(
import numpy as np

def damp(n):
    vel = np.ones(n)
    np.multiply(vel, 0.99, out=vel)
    return vel
)py",
    .good = R"py(
import numpy as np

def damp(n):
    vel = np.ones(n)
    return vel * 0.99
)py",
    .conditions = R"md(
1. a call gets `out=` of the type it computes, or `op=` changes a device array or a view of one, or two buffers change places in a loop, or a buffer is filled anew in a hot loop
2. it does not raise
- (f) inside of a loop over elements
)md",
    .ops = {OpKind::kCall, OpKind::kInplaceBinary, OpKind::kTuple},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r006
