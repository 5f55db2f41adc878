#include "analyzer/analysis/number_sequences.h"
#include "rules/engine/rule.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r105 {
namespace {

using analysis::Heat;
using analysis::HostRead;
using ir::OpKind;
using ir::ValueId;

constexpr double kSeldom = 10;  // passes per execution from which on a wait is fine

// What the condition is about: `err` of `not (err < tol)`. The root of the finding, so that a conversion of the same
// value and this test are told as one.
ValueId Tested(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  for (int depth = 0; depth < 16; ++depth) {
    value = facts.Source(value);
    if (!value.valid()) return value;
    const OpKind kind = program.ops[value].kind;
    if (kind != OpKind::kCompare && kind != OpKind::kUnary && kind != OpKind::kBinary && kind != OpKind::kNot)
      return value;
    ValueId next;
    for (const ValueId operand : program.Operands(value)) {
      if (!next.valid() && facts.IsDevice(operand)) next = operand;
    }
    if (!next.valid()) return value;
    value = next;
  }
  return value;
}

// 4 under `if it % 4 == 0:`; the tests on the way from a loop of a caller are another matter.
double CadenceAt(const Facts& facts, ValueId op, ir::LoopId hot) {
  constexpr int kMostTests = 32;
  const ir::Program& program = facts.program();
  double cadence = 1;
  ir::GuardId guard = program.blocks[program.ops[op].block].guard;
  for (int tests = 0; guard.valid() && tests < kMostTests; guard = program.guards[guard].parent, ++tests) {
    const ir::LoopId loop = program.guards[guard].loop;
    if (hot.valid() && loop.valid() && facts.LoopContains(hot, loop)) cadence *= facts.GuardPeriod(guard);
  }
  return cadence;
}

Text Help(const Facts& facts, const HostRead& read, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (loop.valid() && program.loops[loop].kind == ir::Loop::Kind::kWhile) {
    return "count the passes and test every k of them only (`if it % k == 0 and ...:`); the loop may then run up to k "
           "- 1 "
           "passes longer";
  }
  const Span counter = match::CounterOf(facts, loop);
  const Span condition = match::SpanOfOperand(facts, read.op, read.value);
  // Where the test does not end the loop, skipping it would change what the passes do.
  if (!loop.valid() || facts.LoopFactOf(loop).kind != analysis::LoopKind::kConvergence) {
    return Text("where both arms only assign arrays, let `np.where` with ")
        .Add(match::Quoted(condition))
        .Add(" choose per element; what else depends on it waits");
  }
  if (!counter.empty()) {
    return Text("test every k passes only: `if ")
        .Add(counter)
        .Add(" % 25 == 0 and ")
        .Add(condition)
        .Add(":`; where both arms only assign arrays, write `np.where`");
  }
  return Text("test ")
      .Add(match::Quoted(condition))
      .Add(" every k passes only; where both arms only assign arrays, write `np.where`");
}

// Fires when
//   1. the site is hot and runs more often than every tenth pass,
//   2. a value computed on the device is tested for truth.
void OnFunction(const Facts& facts, ir::FunctionId function, Trial& trial) {
  for (const HostRead& read : facts.HostReadsOf(function)) {
    trial.Considers(read.op);
    if (!trial.Holds(2, read.kind == HostRead::Kind::kTruth)) continue;
    const Heat& heat = facts.HeatOf(read.op);
    if (!trial.Holds(1, heat.hot && heat.period < kSeldom && !heat.dead)) continue;

    const ir::Program& program = facts.program();
    const bool call = program.ops[read.op].kind == OpKind::kCall;  // min(x, y), max(x, y)
    const Span primary = call ? program.ops[read.op].span : program.OperandSpan(read.op, read.operand);
    const ValueId tested = Tested(facts, read.value);
    if (facts.IsNoArrayAt(tested, read.op) || analysis::IsOfNumbersAlone(facts, tested)) continue;
    Trial::Report report = trial.ReportOp(read.op);
    report.At(primary).Arg("passes", match::HotLoopText(facts, read.op)).Root(facts.RootOf(tested));
    report.Evidence(facts.Of(read.value).evidence).PrimaryLabel("Python waits here for the device");
    const double cadence = CadenceAt(facts, read.op, heat.loop);
    if (cadence > 1) {
      report.Arg("cadence", Text(std::to_string(static_cast<int>(cadence))));
      report.Message(call ? "`{expr}` compares device values in Python[[ every {cadence} passes of {passes}]]"
                          : "condition `{expr}` is computed on the device[[ and tested every {cadence} passes of "
                            "{passes}]]");
    } else if (call) {
      report.Message("`{expr}` compares device values in Python[[ on every pass of {passes}]]");
    }
    match::TellOrigin(facts, tested, primary, report);
    match::TellHotLoop(facts, read.op, primary, report);
    report.Help(call ? Text("write `np.minimum` or `np.maximum`: the result stays on the device")
                     : Help(facts, read, heat.loop));
  }
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 105,
    .slug = "branch-on-array-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .summary = "a loop branches on a value that the device computes",
    .message = "condition `{expr}` is computed on the device[[ and tested on every pass of {passes}]]",
    .why =
        "a truth test fetches the value, so Python waits for all work behind it and the next pass is not queued "
        "meanwhile (26.07)",
    .details = R"md(
`if err < tol`, `while np.abs(r).max() > tol`, `assert np.allclose(a, b)`: the truth of a device value is known only when
the device has computed it. Python waits there, and while it waits it queues nothing: the overlap of one pass with the next
is lost, which costs more than the few bytes that travel.

**Fires when**

1. the site is hot and runs more often than every tenth pass
2. a value computed on the device is tested for truth: `if`, `while`, `assert`, a conditional expression, `and`/`or`/`not`, the filter of a comprehension, or Python's `min(x, y)` and `max(x, y)` of single device values

**Stays quiet**

- (a) `x is None`, `isinstance(x, ...)`, `x.ndim == 2`, `len(x) > 4`
- (b) conditions on host values, such as a Python bool that is refreshed every k passes
- (c) a cadence in front: `if it % 50 == 0 and err < tol`, which asks the cheap question first
- (d) `np.where(cond, ...)` and masks that stay arrays
- (e) a single test before or after the loop

The migration guide says Doctor reports this; no Doctor check does.
)md",
    .bad = R"py(import numpy as np


def solve(n, tol):
    x = np.ones(n)
    err = np.abs(x).max()
    while err > tol:
        y = 0.5 * (x + np.roll(x, 1))
        err = np.abs(y - x).max()
        x = y
    return x
)py",
    .good = R"py(import numpy as np


def solve(n, tol, every=25, most=100_000):
    x = np.ones(n)
    for it in range(1, most + 1):
        y = 0.5 * (x + np.roll(x, 1))
        if it % every == 0 and np.abs(y - x).max() <= tol:
            return y
        x = y
    return x
)py",
    .recipe = "RR-converge",
    .fix = FixClass::kUnsafe,
    .on_function = &OnFunction,
};

}  // namespace cpnlint::rules::r105
