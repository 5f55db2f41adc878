// R007 mask-write: a mask of the whole shape with a number, which stays local to each tile.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/same_expression.h"

namespace cpnlint::rules::r007 {

using ir::OpKind;

struct Use {
  const char* message = nullptr;  // null: no such use
  ir::ValueId array;
  Span array_span;
};

static Use FindUse(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  if (it.kind == OpKind::kStoreSubscript || it.kind == OpKind::kSubscript) {
    const ir::ValueId base = program.Operand(op, 0);
    if ((it.flags & ir::kAugmented) != 0 || !facts.IsDevice(base) || !match::HasWholeMask(facts, op)) return {};
    if (it.kind == OpKind::kStoreSubscript) {
      const ir::ValueId value = program.Operand(op, 1);
      if (!match::IsNumber(facts, value)) return {};
      return {"`{expr}` updates `{array}` through a mask of its shape with a number and stays local to each tile", base,
              program.OperandSpan(op, 0)};
    }
    if (facts.HeatOf(op).hot) return {};
    return {"`{expr}` selects from `{array}` through a mask once, with one wait at the first use", base,
            program.OperandSpan(op, 0)};
  }
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call || !facts.IsDevice(call.array)) return {};
  if (call.base == "putmask") {
    return {"`{expr}` updates `{array}` through a mask and stays local to each tile", call.array, call.array_span};
  }
  const bool reduces =
      match::IsOneOf(call.base, {"sum", "prod", "mean", "max", "min", "amax", "amin", "any", "all", "var"});
  if (!reduces || !facts.IsArray(facts.KeywordArgument(op, "where"))) return {};
  return {"`{expr}` reduces the part of `{array}` that a mask selects, without copying it out", call.array,
          call.array_span};
}

// Fires when
//   1. a number is stored through a mask of the array's shape, or putmask is called, or a reduction takes `where=mask`,
//   or
//      a mask selects outside of hot loops.
// Quiet: (a) selection in a hot loop, (b) an array as the value, (c) and (d) masks of some axes, (e) op= are no such
// uses; (f) inside of a loop over elements.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const Use use = FindUse(facts, op);
  if (!trial.Holds(1, use.message != nullptr) || use.message == nullptr) return;
  if (trial.Quiet('f', facts.HeatOf(op).in_element_loop)) return;
  trial.ReportOp(op).Message(use.message).Arg("array", use.array_span).Evidence(facts.Of(use.array).evidence);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 7,
    .slug = "mask-write",
    .family = Family::kScales,
    .severity = Severity::kGood,
    .cold = Severity::kGood,
    .summary = "a mask of the whole shape used where it stays local",
    .message = "`{expr}` updates `{array}` through a mask and stays local to each tile",
    .why =
        "a full-shape mask with a number, `putmask` and `where=` of a reduction are aligned elementwise tasks (26.07)",
    .details = R"md(
Counts `a[mask] = number` with a mask of a's shape, `putmask`, reductions with `where=mask`, and, marked with its one wait,
`a[mask]` outside of hot loops.

Does not count `a[mask]` in a hot loop (R114), `a[mask] = array` (a scatter), masks of leading or later axes only, and
`a[mask] op= v` (R212).

The migration guide calls reads through a mask local and cheap. They are not: the result is compacted along the first axis,
its length is unknown, the first consumer waits, and its tiles are as uneven as the mask.
)md",
    .bad = R"py(
import numpy as np

def freeze(n):
    temp = np.linspace(250.0, 290.0, n)
    ice = temp < 271.3
    temp[ice] = 271.3
    return temp
)py",
    .good = R"py(
import numpy as np

def warm(n):
    temp = np.linspace(250.0, 290.0, n)
    return temp + 1.0
)py",
    .conditions = R"md(
1. a number is stored through a mask of the array's shape, or `putmask` is called, or a reduction takes `where=mask`, or a mask selects outside of hot loops
- (f) inside of a loop over elements
)md",
    .ops = {OpKind::kStoreSubscript, OpKind::kSubscript, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r007
