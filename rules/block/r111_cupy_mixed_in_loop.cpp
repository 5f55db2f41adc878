#include <string_view>

#include "rules/engine/rule.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r111 {
namespace {

using analysis::Callee;
using analysis::Kind;
using analysis::Library;
using analysis::Value;
using ir::OpKind;
using ir::ValueId;

bool IsCupyName(std::string_view name) {
  return name == "cupy" || name.starts_with("cupy.") || name == "cupyx" || name.starts_with("cupyx.");
}

bool IsCupy(const Facts& facts, ValueId value) {
  const Value& fact = facts.Of(value);
  return fact.kind == Kind::kArray && fact.library == Library::kCupy;
}

bool CallsCupy(const Facts& facts, ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  if (callee.library == Library::kCupy) return true;
  return callee.kind == Callee::Kind::kForeign && IsCupyName(callee.name);
}

// `cp.asnumpy(y)`, `y.get()`: a host copy of a CuPy array.
bool IsHostCopyOfCupy(const Facts& facts, ValueId value) {
  const ValueId source = facts.Source(value);
  if (!source.valid() || facts.program().ops[source].kind != OpKind::kCall || !CallsCupy(facts, source)) return false;
  const std::string_view name = facts.CalleeOf(source).name;
  return name.ends_with(".asnumpy") || name.ends_with(".get");
}

bool CallsDevice(const Facts& facts, ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  return (callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod) &&
         callee.library == Library::kDevice;
}

struct Edge {
  ValueId device;  // None() where data comes from CuPy
  std::uint32_t operand = 0;
  analysis::EvidenceSet evidence = 0;
};

// Where data crosses between the runtimes in this op.
bool FindEdge(const Facts& facts, ValueId op, Edge& edge) {
  const ir::Program& program = facts.program();
  const auto operands = program.Operands(op);
  const bool call = program.ops[op].kind == OpKind::kCall;
  if (call && CallsCupy(facts, op)) {
    for (std::uint32_t i = 1; i < operands.size(); ++i) {
      std::vector<ValueId> values = {operands[i]};
      // kernel((grid,), (block,), (x, y, out))
      if (operands[i].valid() && program.ops[operands[i]].kind == OpKind::kTuple) {
        const auto elements = program.Operands(operands[i]);
        values.assign(elements.begin(), elements.end());
      }
      for (const ValueId value : values) {
        if (!facts.IsDevice(value)) continue;
        edge = {value, i, static_cast<analysis::EvidenceSet>(facts.Of(value).evidence | facts.CalleeOf(op).evidence)};
        return true;
      }
    }
    return false;
  }
  if (call && !CallsDevice(facts, op)) return false;
  bool device = call;
  for (std::uint32_t i = 0; i < operands.size(); ++i) device |= facts.IsDevice(operands[i]);
  if (!device) return false;
  for (std::uint32_t i = call ? 1 : 0; i < operands.size(); ++i) {
    if (!IsCupy(facts, operands[i]) && !IsHostCopyOfCupy(facts, operands[i])) continue;
    edge = {ValueId::None(), i, facts.Of(operands[i]).evidence};
    return true;
  }
  return false;
}

// A Legate task is handed its own piece of the data, and CuPy is how its body works on it.
bool IsLegateTask(const Facts& facts, ir::FunctionId function) {
  const ir::Program& program = facts.program();
  for (const ValueId decorator : program.functions[function].decorators) {
    ValueId callee = decorator;
    for (int depth = 0; depth < 2 && callee.valid(); ++depth) {
      const Value& value = facts.Of(callee);
      const bool named = value.kind == Kind::kForeign || value.kind == Kind::kApi;
      if (named && program.names.Text(value.name).starts_with("legate.")) return true;
      callee = program.ops[callee].kind == OpKind::kCall ? program.Operand(callee, 0) : ValueId::None();
    }
  }
  return false;
}

// Fires when
//   1. data crosses between a device array and CuPy,
//   2. the crossing stands in a loop, or a hot loop calls it.
void OnOp(const Facts& facts, ValueId op, Trial& trial) {
  const ir::Program& program = facts.program();
  Edge edge;
  if (!trial.Holds(1, FindEdge(facts, op, edge))) return;
  if (!trial.Holds(2, program.LoopOf(op).valid() || facts.HeatOf(op).hot)) return;
  if (trial.Quiet('d', IsLegateTask(facts, program.FunctionOf(op)))) return;

  Trial::Report report = trial.ReportOp(op);
  const ValueId value = edge.device.valid() ? edge.device : program.Operand(op, edge.operand);
  // All crossings of one loop have one cause, whichever arrays cross.
  report.Key("cupy").Evidence(edge.evidence).Arg("passes", match::PassesText(facts, op));
  report.PrimaryLabel(edge.device.valid() ? "copied to the host for CuPy" : "copied from CuPy through the host");
  match::TellOrigin(facts, value, program.ops[op].span, report);
  match::TellHotLoop(facts, op, program.ops[op].span, report);
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 111,
    .slug = "cupy-mixed-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kInfo,
    .summary = "a loop hands data between cuPyNumeric and CuPy",
    .message = "`{expr}` hands data between cuPyNumeric and CuPy[[ {passes}]]",
    .why = "the runtimes share no memory pool: data leaves through the host, and Python waits for it (26.07)",
    .details = R"md(
cuPyNumeric and CuPy each keep a memory pool of their own. An array that goes from one to the other leaves through a copy on
the host (DLPack export as well), and Python waits for it; CuPy's pool also takes memory that Legate could reserve. Importing a
CuPy array by DLPack can do without a copy.

**Fires when**

1. data crosses between a device array and CuPy: `cp.asarray(x)`, a CuPy function or kernel called with `x`, `np.asarray(cp.asnumpy(y))`, `y.get()` in array work, an operator between the two
2. the crossing stands in a loop, or a hot loop calls it

It is an error in hot loops and information in others.

**Stays quiet**

- (a) one conversion before and one after the loop
- (b) CuPy that only counts devices or frees pools
- (c) two phases that share no data
- (d) CuPy in the body of a Legate task
- (e) modules that use CuPy alone

The migration guide says Doctor reports the mix; no check does, though a gather of more than ten elements is reported.
)md",
    .bad = R"py(import cupy as cp
import numpy as np


def scan(n, steps):
    x = np.ones(n)
    for _ in range(steps):
        y = cp.cumsum(cp.asarray(x))
        x = np.asarray(cp.asnumpy(y)) * 0.5
    return x
)py",
    .good = R"py(import numpy as np


def scan(n, steps):
    x = np.ones(n)
    for _ in range(steps):
        x = np.cumsum(x) * 0.5
    return x
)py",
    .recipe = "RR-runtime",
    .doctor = "whole-array gather",
    .ops = {OpKind::kCall, OpKind::kBinary, OpKind::kInplaceBinary, OpKind::kStoreSubscript},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r111
