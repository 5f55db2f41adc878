// R304 rng-layout: random numbers that depend on the number of processors.

#include <algorithm>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/random_draw.h"

namespace cpnlint::rules::r304 {

// One number that is only shown.
static bool IsOnlyShown(const Facts& facts, ir::ValueId op) {
  if (facts.HasAxis(op) || facts.program().Operands(op).size() > 3) return false;
  const auto uses = facts.DeepUsesOf(op);
  return !uses.empty() && std::ranges::all_of(uses, [&](ir::ValueId use) {
    return facts.program().ops[use].kind == ir::OpKind::kFormatString;
  });
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
  const match::HostDraw draw = match::OnHost(facts, op);
  Text help("RR-seed  for reference runs draw on the host: `");
  if (match::DrawsOne(facts, op)) {
    help.Add(draw.code).Add("`");
  } else {
    help.Add("np.asarray(").Add(draw.code).Add(")`");
  }
  if (!draw.made.empty()) help.Add(", with ").Add(draw.made).Add(" made once");
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
without a draw, on one number that is only shown, and in tests.

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
