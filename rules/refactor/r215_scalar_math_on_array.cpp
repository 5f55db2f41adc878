// R215 scalar-math-on-array: a function for Python numbers fetches a device value.

#include <string_view>

#include "rules/engine/rule.h"
#include "rules/match/hot_site.h"
#include "rules/match/scalar_math.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r215 {

using analysis::HostRead;
using ir::OpKind;

// Fires when
//   1. a function of `math`, `cmath`, `decimal`, `fractions` or the like gets a device value in a hot loop (of rank 0,
//      or of unknown rank), or one with several elements anywhere, which raises, and
//   2. the array library has the function and the number only enters arithmetic on arrays, or it feeds a test of the
//      loop, which every few passes are enough for.
// Quiet: (a) and (c) Python numbers are no device values, (b) outside of hot loops, (d) the finding on an element loop
// takes it in, (e) behind a cadence.
static void OnFunction(const Facts& facts, ir::FunctionId function, Trial& trial) {
  const ir::Program& program = facts.program();
  for (const HostRead& read : facts.HostReadsOf(function)) {
    trial.Considers(read.op);
    if (read.kind != HostRead::Kind::kMath || program.ops[read.op].kind != OpKind::kCall) continue;
    if (match::WalksItsArgument(facts.CalleeOf(read.op).name)) continue;
    const bool several = match::IsSeveral(facts, read.value);
    const match::HotSite hot = match::HotSiteOf(facts, read.op);
    if (!trial.Holds(1, several || (facts.RankOf(read.value) <= 0 && hot))) continue;
    const match::ScalarMath math = match::ScalarMathOf(facts, read);
    if (!trial.Holds(2, math.has_rewrite)) continue;

    const Span span = program.ops[read.op].span;
    const Span array = program.OperandSpan(read.op, read.operand);
    Trial::Report report = trial.ReportOp(read.op);
    report.Arg("call", span).Arg("array", array).Root(facts.RootOf(read.value));
    report.Evidence(facts.Of(read.value).evidence);
    Text help("RR-ufunc  write `np.");
    help.Add(math.ufunc).Add("` for `").Add(program.OperandSpan(read.op, 0)).Add("`");
    if (several) {
      report.Message("`{call}` needs a Python number and `{array}` is an array of several, so it raises TypeError")
          .PrimaryLabel("raises")
          .Why("`math` and its kin take one number; an array of several cannot become one, in NumPy neither")
          .Severity(Severity::kError);
      report.Help(help);
      continue;
    }
    report.PrimaryLabel("waits here");
    if (math.tested) {
      help = Text("RR-converge  where a few passes more do no harm, make the call and the test every k passes only");
    } else {
      help.Add(": the value then stays on the device");
    }
    report.Help(help);
    match::TellPasses(facts, read.op, span, report);
    match::TellOrigin(facts, read.value, span, report);
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 215,
    .slug = "scalar-math-on-array",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "a function for Python numbers called with a device value on every pass of a hot loop",
    .message = "`{call}` needs a Python number, so `{array}` is fetched from the device first[[, {passes}]]",
    .why = "the conversion to a Python number waits until all work behind the value is done (26.07)",
    .details = R"md(
Fires in hot loops on calls of `math` and `cmath` whose argument is a 0-d device value, such as the result of a
reduction, where the array library has the same function and the result only enters arithmetic on arrays, or where
it feeds a test of the loop, which can be made every few passes. Fires as an error on an array of several elements
anywhere: that raises TypeError.

Stays quiet on Python numbers, on constants (`math.pi`), outside of hot loops, behind a cadence, where the number is
used on the host for something else (it must come over in any case, which R104 tells), on `math.floor`, `ceil` and
`trunc`, which give integers, and on what walks its argument (`math.fsum`, `statistics.mean`).

`np.exp` of a 0-d value differs from `math.exp` in the last bit at most. `math.sqrt` and `math.log` raise where
NumPy gives NaN, `math.exp` where it gives infinity.
)md",
    .bad = R"py(
import math

import numpy as np

def cool(n, steps):
    u = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u *= math.exp(-u.mean())
    return u
)py",
    .good = R"py(
import numpy as np

def cool(n, steps):
    u = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u *= np.exp(-u.mean())
    return u
)py",
    .recipe = "RR-ufunc",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. a function of `math`, `cmath`, `decimal`, `fractions` or the like gets a device value in a hot loop, or one with several elements anywhere, which raises
2. the array library has the function and the number only enters arithmetic on arrays, or it feeds a test of the loop, which every few passes are enough for
)md",
    .on_function = &OnFunction,
};

}  // namespace cpnlint::rules::r215
