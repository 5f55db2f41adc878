// R304 rng-layout: random numbers that depend on the number of processors.

#include <algorithm>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/random_draw.h"

namespace cpnlint::rules::r304 {

// `matplotlib.colors.hsv_to_rgb`, `colorsys.hls_to_rgb`
static bool MakesColours(const Facts& facts, ir::ValueId call) {
  const analysis::Callee& callee = facts.CalleeOf(call);
  return callee.kind == analysis::Callee::Kind::kForeign &&
         (callee.name.starts_with("colorsys.") || callee.name.starts_with("matplotlib.colors."));
}

// The function of the store makes the array or list itself, by an array library or as a display, so all that holds it
// is among the uses of this value.
static bool IsMadeHere(const Facts& facts, ir::ValueId container, ir::ValueId use) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(container);
  if (!source.valid()) return false;
  if (program.FunctionOf(source) != program.FunctionOf(use)) return false;
  if (program.ops[source].kind == ir::OpKind::kList) return true;
  if (program.ops[source].kind != ir::OpKind::kCall || facts.RootOf(container) != source) return false;  // a view
  const analysis::Callee::Kind kind = facts.CalleeOf(source).kind;
  return kind == analysis::Callee::Kind::kApi || kind == analysis::Callee::Kind::kMethod;
}

// What is made of the value and holds it still: sums, displays, arrays of it, what it is stored in. None() elsewhere.
static ir::ValueId HolderBehind(const Facts& facts, ir::ValueId use, ir::ValueId value) {
  const ir::Program& program = facts.program();
  switch (program.ops[use].kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kList:
    case ir::OpKind::kPhi:
    case ir::OpKind::kSubscript:
    case ir::OpKind::kTuple:
    case ir::OpKind::kUnary: return use;
    case ir::OpKind::kStoreSubscript: {
      const ir::ValueId container = program.Operand(use, 0);
      if (facts.Source(container) == value) return value;
      return IsMadeHere(facts, container, use) ? container : ir::ValueId::None();
    }
    case ir::OpKind::kCall: {
      const match::DeviceCall call = match::AsDeviceCall(facts, use);
      return match::IsOneOf(call.base, {"array", "asarray", "concatenate", "stack"}) ? use : ir::ValueId::None();
    }
    default: return {};
  }
}

// One number that is only shown: in a text, or as a colour.
static bool IsOnlyShown(const Facts& facts, ir::ValueId op) {
  constexpr std::size_t kMostValues = 64;
  const ir::Program& program = facts.program();
  if (!match::FilledBy(facts, op).empty()) return false;
  if (!match::DrawsOne(facts, op) && (facts.HasAxis(op) || program.Operands(op).size() > 3)) return false;
  std::vector<ir::ValueId> values = {op};
  bool shown = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == kMostValues) return false;
    for (const ir::ValueId use : facts.DeepUsesOf(values[i])) {
      // What is computed of it may be the result of the program, which is printed.
      const bool text = i == 0 && program.ops[use].kind == ir::OpKind::kFormatString;
      const bool sink = text || (program.ops[use].kind == ir::OpKind::kCall && MakesColours(facts, use));
      shown = shown || sink;
      if (sink) continue;
      const ir::ValueId holder = HolderBehind(facts, use, values[i]);
      if (!holder.valid()) return false;
      const ir::ValueId made = facts.Source(holder);
      if (std::ranges::find(values, made) == values.end()) values.push_back(made);
    }
  }
  return shown;
}

// Fires when
//   1. the call draws from np.random, by module function or generator; the first one of a module stands for all, and
//   that of a generator for the modules that draw from it.
// Quiet: (a) Python's random, (b) host draws and (c) names in annotations are no such calls, (e) seeding alone draws
// nothing, (f) one number that is only shown.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  if (!trial.Holds(1, match::IsDraw(call.base))) return;
  if (trial.Quiet('f', IsOnlyShown(facts, op))) return;
  Text help("RR-seed  for reference runs ");
  help.Add(match::DrawOnHost(facts, op));
  trial.ReportOp(op)
      .Evidence(call.evidence)
      .Root(match::GeneratorOf(facts, op))
      .Help(help.Add("; or keep the numbers in a file"));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 304,
    .slug = "rng-layout",
    .family = Family::kInfo,
    .severity = Severity::kInfo,
    .cold = Severity::kInfo,
    .summary = "random draws that differ with the number of processors",
    .message = "draws such as `{expr}` depend on the processor layout: other numbers of GPUs give other numbers",
    .why =
        "each processor has a substream of its own, XORWOW by default; the same non-zero seed and the same layout give "
        "the "
        "same numbers (26.07)",
    .details = R"md(
Fires once per module, on the first draw from `np.random`, by module function or generator; once for the modules whose first
draw is from one generator that the program makes in one place.

Stays quiet on Python's `random`, on draws of host NumPy that are copied in, on `np.random.Generator` as a type, on seeds
without a draw, on one number that is only shown, in a text or as a colour, and in tests.

Seeding works for `default_rng` with a seed other than 0; `np.random.seed` has no effect on any sampler. The layout is fixed
by `--gpus` or `LEGATE_CONFIG`.
)md",
    .bad = R"py(
import numpy as np

def noise(n):
    return np.random.normal(0.0, 1.0, n)
)py",
    .good = R"py(
import random

import numpy as np

def pick(n):
    level = random.random()
    return np.full(n, level)
)py",
    .recipe = "RR-seed",
    .conditions = R"md(
1. the call draws from `np.random`, by a function of the module or a generator; the first one of a module stands for all
- (f) one number that is only shown
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r304
