// R206 reshape-in-loop: an array laid out anew on every pass.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"
#include "rules/match/layout.h"
#include "rules/match/made_inside.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r206 {

constexpr std::int64_t kTiny = 1024;

// Fires when
//   1. the site is hot,
//   2. reshape, ravel or flatten of a device array changes more than axes of extent 1, and
//   3. the array is not known to be small.
// Quiet: (a) (b) (c) are condition 2, (d) is condition 3, (e) host arrays are no device arrays, (g) R205 speaks where
// the result is written to.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call || !match::IsOneOf(call.base, {"reshape", "ravel", "flatten"}) || !facts.IsDevice(call.array)) return;
  if (!trial.Holds(2, match::ChangesLayout(facts, call.array, op).value_or(false))) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(1, static_cast<bool>(hot)) || !hot) return;
  if (!trial.Holds(
          3, !facts.KnownBelow(op, trial.target().economic) && !facts.KnownBelow(call.array, trial.target().economic)))
    return;
  if (trial.Quiet('g', call.base != "flatten" && facts.DeviceRootOf(op) == op && !facts.MutationsOf(op).empty()))
    return;

  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span).Arg("array", call.array_span).Root(facts.RootOf(call.array)).Evidence(call.evidence);
  const std::string elements = facts.DimText(facts.VolumeOf(op));
  if (!elements.empty()) report.Arg("elems", elements);
  if (facts.UsuallyBelow(call.array, kTiny)) report.Confidence(Confidence::kPossible);
  report.PrimaryLabel("copies all of it");
  match::TellPasses(facts, op, span, report);
  match::TellOrigin(facts, call.array, span, report);
  Text help("RR-reshape  ");
  if (hot.in_function && facts.Invariant(call.array, hot.loop)) {
    report.Help(help.Add("nothing in the loop changes `")
                    .Add(call.array_span)
                    .Add("`: take ")
                    .Add(match::Quoted(span))
                    .Add(" once before the loop")
                    .Add(match::AfterWhatItReads(facts, op, hot.loop)));
  } else {
    report.Help(
        help.Add("keep `").Add(call.array_span).Add("` in the shape that the work needs and reshape at the ends only"));
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 206,
    .slug = "reshape-in-loop",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "a reshape that moves data on every pass of a hot loop",
    .message = "`{call}` lays out[[ {elems} elements of]] `{array}` anew[[ {passes}]]",
    .why =
        "merging or splitting axes is a copy in 26.07, two for a general change, and moves data between processors, "
        "because the result is tiled differently",
    .details = R"md(
Fires in hot loops on `reshape`, `ravel` and `flatten`, as methods or functions, that change more than axes of extent 1 of
a device array not known to be smaller than 65,536 elements. *Possible* and no more where defaults and literals make it fewer than
1,024.

Stays quiet where axes of extent 1 come or go (`u.reshape(n, 1, m)`), on the same shape, on `ravel` of a vector, on small
arrays, on host arrays, and where the shapes are not known. A result that is written to is R205.
)md",
    .bad = R"py(
import numpy as np

def energy(ny, nx, steps):
    field = np.arange(ny * nx, dtype=np.float64)
    weight = np.ones((ny, nx))
    total = 0.0
    for _ in range(steps):
        total = total + (field.reshape(ny, nx) * weight).sum()
    return total
)py",
    .good = R"py(
import numpy as np

def energy(ny, nx, steps):
    field = np.arange(ny * nx, dtype=np.float64)
    weight = np.ones((ny, nx))
    grid = field.reshape(ny, nx)
    total = 0.0
    for _ in range(steps):
        total = total + (grid * weight).sum()
    return total
)py",
    .recipe = "RR-reshape",
    .fix = FixClass::kUnsafe,
    .preview = true,
    .conditions = R"md(
1. the site is hot
2. `reshape`, `ravel` or `flatten` of a device array changes more than axes of extent 1
- (g) R205 speaks, as the result is written to
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r206
