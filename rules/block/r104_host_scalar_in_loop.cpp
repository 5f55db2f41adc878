#include <string>
#include <string_view>

#include "rules/engine/rule.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r104 {
namespace {

using analysis::Heat;
using analysis::HostRead;
using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

constexpr double kSeldom = 10;  // passes per execution from which on a wait is fine

bool PullsValue(HostRead::Kind kind) {
  return kind == HostRead::Kind::kConversion || kind == HostRead::Kind::kIndex || kind == HostRead::Kind::kContains ||
         kind == HostRead::Kind::kAttribute;
}

// Where the value is written that is pulled: `u` of `float(u)` and of `u.item()`.
Span SpanOfValue(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  const bool method = program.ops[read.op].kind == OpKind::kCall && read.operand == 0;
  const ValueId at = method ? program.Operand(read.op, 0) : read.op;
  if (!at.valid()) return program.ops[read.value].span;
  if (method && program.ops[at].kind != OpKind::kAttr) return program.ops[read.value].span;
  return program.OperandSpan(at, method ? 0 : read.operand);
}

// `log.append(x)`: the receiver, where the value goes into a list and nowhere else.
Span ListThatCollects(const Facts& facts, ValueId value) {
  for (const ValueId use : facts.DeepUsesOf(value)) {
    const ir::Program& program = facts.program();
    if (program.ops[use].kind != OpKind::kCall) continue;
    const analysis::Callee& callee = facts.CalleeOf(use);
    if (callee.kind == analysis::Callee::Kind::kContainerMethod && callee.name == "list.append") {
      const ValueId attribute = program.Operand(use, 0);
      if (attribute.valid() && program.ops[attribute].kind == OpKind::kAttr) return program.OperandSpan(attribute, 0);
    }
  }
  return {};
}

Text Help(const Facts& facts, const HostRead& read, Span value, ir::LoopId loop) {
  const Span list = facts.IsZeroD(read.value) ? ListThatCollects(facts, read.op) : Span{};
  const Span counter = match::CounterOf(facts, loop);
  if (const Span number = match::PassNumberOf(facts, loop); !list.empty() && !number.empty()) {
    return Text("keep it on the device: `hist[")
        .Add(number)
        .Add("] = ")
        .Add(value)
        .Add("` with `hist` made before the loop, and `hist.tolist()` once after it");
  }
  Text text("keep ");
  text.Add(match::Quoted(value)).Add(" on the device and convert it after the loop, or only every k passes");
  if (!counter.empty()) text.Add(" (`if ").Add(counter).Add(" % 100 == 0:`)");
  return text;
}

// Fires when
//   1. the site is hot and runs more often than every tenth pass,
//   2. a device value becomes a Python value there: conversion, index or bound, `in`, an attribute that only the host
//   has,
//   3. the path does not end in a raise.
void OnFunction(const Facts& facts, ir::FunctionId function, Trial& trial) {
  for (const HostRead& read : facts.HostReadsOf(function)) {
    trial.Considers(read.op);
    if (!trial.Holds(2, PullsValue(read.kind))) continue;
    const Heat& heat = facts.HeatOf(read.op);
    if (!trial.Holds(1, heat.hot && heat.period < kSeldom)) continue;
    if (!trial.Holds(3, !heat.dead)) continue;

    const ir::Program& program = facts.program();
    const Span value = SpanOfValue(facts, read);
    const Span primary = program.ops[read.op].span.empty() ? value : program.ops[read.op].span;
    Trial::Report report = trial.ReportOp(read.op);
    report.At(primary).Arg("passes", match::HotLoopText(facts, read.op));
    report.Root(facts.RootOf(read.value)).Evidence(facts.Of(read.value).evidence).Evidence(read.evidence);
    report.PrimaryLabel("waits here");
    match::TellOrigin(facts, read.value, primary, report);
    match::TellHotLoop(facts, read.op, primary, report);
    report.Help(Help(facts, read, value, heat.loop));
    const ValueId root = facts.RootOf(read.value);
    if (!facts.IsZeroD(read.value) && root.valid() && heat.loop.valid() && facts.MutatedIn(root, heat.loop)) {
      report.Why(
          "the whole array is copied to the host and waited for, and each later write to it copies it back (26.07)");
    }
  }
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 104,
    .slug = "host-scalar-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .summary = "a loop pulls a value of an array to the host on each pass",
    .message = "`{expr}` pulls a device value to the host[[ on every pass of {passes}]]",
    .why = "the conversion waits until all work behind the value is done, so the device runs dry on every pass (26.07)",
    .details = R"md(
`float(x)`, `x.item()`, `x.tolist()`, `int(x)`, host `asarray(x)` and the like need the value on the host: cuPyNumeric
maps the whole store there and Python waits until the work behind it is done. Once per run that is nothing; on every pass of
a hot loop the device has nothing queued while Python prepares the next pass. An array larger than one element stays mapped
on the host, so that each later write to it is copied back.

**Fires when**

1. the site is hot and runs more often than every tenth pass
2. a device value becomes a Python value there: a conversion, a list index, slice bound or `range` bound, `y in x`, or one of `.flat`, `.data`, `.ctypes`, `.strides`
3. the path does not end in a raise

**Stays quiet**

- (a) behind a cadence: `if it % 100 == 0: print(float(err))`
- (b) after the loop, or in the `return` of a function that no loop calls
- (c) `len(a)`, `a.shape[0]`, `a.ndim`, `a.size`
- (d) in a message that is about to be raised
- (e) host values: `float(cfg["dt"])`
- (f) `abs(x)` and `pow(x, 2)`, which are operators on the device
- (g) loops over files or settings with a few trips

All forms end in the same wait. An explicit conversion that feeds a test is this finding, not R105.
)md",
    .bad = R"py(import numpy as np


def relax(n, steps):
    u = np.ones(n)
    log = []
    for it in range(steps):
        u = 0.5 * (u + np.roll(u, 1))
        log.append(float(u.max()))
    return u, log
)py",
    .good = R"py(import numpy as np


def relax(n, steps):
    u = np.ones(n)
    hist = np.zeros(steps)
    for it in range(steps):
        u = 0.5 * (u + np.roll(u, 1))
        hist[it] = u.max()
    return u, hist.tolist()
)py",
    .recipe = "RR-sync",
    .fix = FixClass::kUnsafe,
    .doctor = "builtin on array",
    .on_function = &OnFunction,
};

}  // namespace cpnlint::rules::r104
