// R004 vector-conditional: a choice per element without leaving the device.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"

namespace cpnlint::rules::r004 {

using match::DeviceCall;

static bool IsScalar(const Facts& facts, ir::ValueId value) {
  return value.valid() && (analysis::IsNumber(facts.Of(value).kind) || facts.IsNoneConstant(value));
}

static bool AnyDevice(const Facts& facts, ir::ValueId call) {
  for (const ir::ValueId argument : facts.program().Operands(call).subspan(1)) {
    if (facts.IsDevice(argument)) return true;
    if (!argument.valid()) continue;
    const ir::OpKind kind = facts.program().ops[argument].kind;
    if (kind != ir::OpKind::kList && kind != ir::OpKind::kTuple) continue;
    for (const ir::ValueId element : facts.program().Operands(argument)) {
      if (facts.IsDevice(element)) return true;
    }
  }
  return false;
}

static bool Chooses(const Facts& facts, const DeviceCall& call) {
  const std::size_t positional = facts.PositionalCount(call.call);
  if (call.base == "where") return !call.method && positional == 3;
  if (call.base == "select") return true;
  if (call.base == "putmask") return true;
  if (call.base == "copyto") return facts.KeywordArgument(call.call, "where").valid();
  if (call.base == "choose") {
    const auto mode = facts.TextOf(match::Argument(facts, call, 3, "mode"));
    return mode && *mode != "raise";
  }
  if (call.base == "clip") {
    return IsScalar(facts, match::Argument(facts, call, 1, "a_min")) &&
           IsScalar(facts, match::Argument(facts, call, 2, "a_max"));
  }
  if (call.base == "maximum" || call.base == "minimum") {
    return IsScalar(facts, match::Argument(facts, call, 0, "x1")) ||
           IsScalar(facts, match::Argument(facts, call, 1, "x2"));
  }
  return false;
}

// Fires when
//   1. the call chooses values per element and runs as elementwise tasks, and
//   2. a device array takes part and nothing raises.
// Quiet: (a) where with one argument, (b) clip with array bounds, (d) missing names, (e) choose in raise mode are no
// such calls; (c) a ufunc with where= raises, (f) inside of a loop over elements.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  if (!trial.Holds(1, Chooses(facts, call))) return;
  const bool device = (call.method && facts.IsDevice(call.array)) || AnyDevice(facts, op);
  if (!trial.Holds(2, device && !match::RaisesByItself(facts, op, trial.target().version))) return;
  if (trial.Quiet('f', facts.HeatOf(op).in_element_loop)) return;
  trial.ReportOp(op).Arg("call", facts.program().ops[op].span).Evidence(call.evidence);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 4,
    .slug = "vector-conditional",
    .family = Family::kScales,
    .severity = Severity::kGood,
    .cold = Severity::kGood,
    .summary = "a choice per element in one call",
    .message = "`{call}` chooses values per element without leaving the device",
    .why =
        "these are aligned elementwise tasks without a wait; both value arguments are computed in full first (26.07)",
    .details = R"md(
Counts `where` with three arguments, `select`, `choose` with mode clip or wrap, `putmask`, `copyto` with `where=`, and
`maximum`, `minimum`, `clip` with bounds that are numbers.

Does not count `where` with one argument (R204), `clip` with array bounds (they go through the host), a ufunc with
`where=mask` (it raises: R113), and `choose` in raise mode.

The migration guide recommends `where=` for ufuncs and computing on the selected part only. The first raises in 26.07, the
second compacts, waits and scatters.
)md",
    .bad = R"py(
import numpy as np

def albedo(n):
    snow = np.linspace(0.0, 1.0, n)
    return np.where(snow > 0.5, 0.8, 0.2)
)py",
    .good = R"py(
def albedo(snow):
    return [0.8 if s > 0.5 else 0.2 for s in snow]
)py",
    .conditions = R"md(
1. the call chooses values per element and runs as elementwise tasks
2. a device array takes part, and nothing raises
- (f) inside of a loop over elements
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r004
