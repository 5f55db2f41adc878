// R210 layout-ping-pong: one array worked on in two layouts on every pass.

#include <algorithm>
#include <optional>
#include <string>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r210 {

using ir::OpKind;
using match::DeviceCall;

struct Transposed {
  ir::ValueId array;  // None(): no transposed view
  Span array_span;
};

static Transposed AsTransposed(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(value);
  if (!source.valid() || !facts.IsDevice(source)) return {};
  if (program.ops[source].kind == OpKind::kAttr && program.Name(program.ops[source]) == "T")
    return {program.Operand(source, 0), program.OperandSpan(source, 0)};
  const DeviceCall call = match::AsDeviceCall(facts, source);
  if (!call || !match::IsOneOf(call.base, {"transpose", "swapaxes", "moveaxis"})) return {};
  return {call.array, call.array_span};
}

static bool HasTwoAxes(const Facts& facts, ir::ValueId value) {
  return facts.IsDevice(value) && facts.RankOf(value) >= 2;
}

static void Report(const Facts& facts, ir::ValueId op, Span array, const char* cause, const Text& help,
                   analysis::EvidenceSet evidence, Trial& trial) {
  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("array", array).Arg("cause", cause).Evidence(evidence);
  report.PrimaryLabel("laid out anew here").Help(help);
  match::TellPasses(facts, op, span, report);
}

// `v + x.T`: the two meet in one task, which wants one layout.
static void OnOperator(const Facts& facts, ir::ValueId op, const match::HotSite& hot, Trial& trial) {
  const ir::Program& program = facts.program();
  for (std::uint32_t side = 0; side < 2; ++side) {
    const ir::ValueId turned = program.Operand(op, side), other = program.Operand(op, 1 - side);
    const Transposed view = AsTransposed(facts, turned);
    const bool meets = view.array.valid() && HasTwoAxes(facts, view.array) && HasTwoAxes(facts, other) &&
                       !AsTransposed(facts, other).array.valid();
    if (!trial.Holds(2, meets)) continue;
    // The copy can be made once only where the array stays as it is.
    const bool fixed = facts.InLoop(facts.Source(turned), hot.loop) && facts.Invariant(turned, hot.loop) &&
                       !facts.MutatedIn(facts.RootOf(view.array), hot.loop);
    if (!trial.Holds(3, fixed)) continue;
    if (trial.Quiet('e', facts.KnownBelow(view.array, trial.target().split))) continue;
    const Span turned_span = program.OperandSpan(op, side);
    Text help("RR-layout  make the transposed array once before the loop: `");
    help.Add(turned_span, Binding::kPrimary).Add(".copy()`");
    Report(facts, op, view.array_span, "transposed and as it is", help,
           facts.Of(view.array).evidence | facts.Of(other).evidence, trial);
    return;
  }
}

// The axis of a one-axis transform, counted from the front; nullopt where it is not known.
static std::optional<int> AxisOf(const Facts& facts, const DeviceCall& call) {
  // A length or a norm would have to be said for both axes.
  if (match::Argument(facts, call, 1, "n").valid() || match::Argument(facts, call, 3, "norm").valid())
    return std::nullopt;
  const int rank = facts.RankOf(call.array);
  const ir::ValueId given = match::Argument(facts, call, 2, "axis");
  const std::optional<std::int64_t> axis = given.valid() ? facts.IntOf(given) : -1;
  if (rank < 3 || !axis || *axis >= rank || *axis < -rank) return std::nullopt;
  return static_cast<int>(*axis < 0 ? *axis + rank : *axis);
}

// `fft(fft(v, axis=0), axis=1)`: each forbids to split its axis, so the array is laid out anew between the two.
static void OnTransform(const Facts& facts, const DeviceCall& outer, const match::HotSite& hot, Trial& trial) {
  const DeviceCall inner = match::AsDeviceCall(facts, facts.Source(outer.array));
  const bool pair = inner && inner.base == outer.base && facts.InLoop(inner.call, hot.loop);
  if (!trial.Holds(2, pair) || !pair) return;
  const std::optional<int> first = AxisOf(facts, inner), second = AxisOf(facts, outer);
  if (!trial.Holds(3, first && second && *first != *second && facts.UsesOf(inner.call).size() == 1) || !first ||
      !second)
    return;
  if (trial.Quiet('e', facts.KnownBelow(outer.array, trial.target().split))) return;
  Text help("RR-layout  transform both axes in one call: `np.fft.");
  help.Add(outer.base == "fft.fft" ? "fftn(" : "ifftn(").Add(inner.array_span).Add(", axes=(");
  help.Add(std::to_string(*first))
      .Add(", ")
      .Add(std::to_string(*second))
      .Add("))`, which splits a third axis throughout");
  Report(facts, outer.call, inner.array_span, "transformed along one axis, then along another", help,
         inner.evidence | outer.evidence, trial);
}

// Fires when
//   1. the site is hot and there is more than one GPU,
//   2. an array and a transposed view meet in one operator, or one array is transformed along one axis and then along
//      another,
//   3. a form with one layout is legal: the view is the same on every pass; nothing stands between the transforms of an
//      array of three axes and more, and
//   4. the array is not known to be too small to be split.
// Quiet: (a) products of matrices and einsum take their operands as they lie, (b) a transpose before the loop, (c) a
// view that is only reduced, (d) all uses transposed, (e) is condition 4, (f) one GPU.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  const bool transform = call && match::IsOneOf(call.base, {"fft.fft", "fft.ifft"});
  const bool elementwise = facts.program().ops[op].kind == OpKind::kBinary && match::IsElementwise(facts, op);
  if (!transform && !elementwise) return;
  if (trial.Quiet('f', trial.target().gpus < 2)) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(1, hot.loop.valid() && hot.in_function) || !hot.loop.valid()) return;
  if (transform) return OnTransform(facts, call, hot, trial);
  OnOperator(facts, op, hot, trial);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 210,
    .slug = "layout-ping-pong",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .cap = Confidence::kLikely,
    .summary = "one array worked on in two layouts on every pass of a hot loop",
    .message = "`{array}` is used in two layouts ({cause})[[ {passes}]]",
    .why =
        "an operator takes the tiling of one operand and the other is copied tile by tile, between processors where "
        "there are several: about half of the data changes its owner (inferred from the source of 26.07)",
    .details = R"md(
Fires in hot loops, for more than one GPU, on arrays not known to be below 1,048,576 elements, where

- an array and a transposed view of one that the loop does not change meet in an operator (`v + w.T`): the view can
  be copied once before the loop; or
- an array of three axes or more is transformed along one axis and at once along another (`fft(fft(v, axis=0),
  axis=1)`): `fftn(v, axes=...)` does both.

Stays quiet on matrix products and `einsum`, which take their operands as they lie, on a transpose before the loop,
on views that are only reduced, where both operands are transposed, on small arrays, with `--gpus 1`, and where the
array changes on every pass, because then no form keeps one layout. Masks and positions, which are split along the
first axis only, are told by R114, R204 and R212.

A transpose is a view and costs nothing by itself. It is the next operator that aligns its operands.
)md",
    .bad = R"py(
import numpy as np

def relax(n, steps):
    u = np.zeros((n, n))
    w = np.linspace(0.0, 1.0, n * n).reshape(n, n)
    for _ in range(steps):
        u += 0.1 * (u + w.T)
    return u
)py",
    .good = R"py(
import numpy as np

def relax(n, steps):
    u = np.zeros((n, n))
    w = np.linspace(0.0, 1.0, n * n).reshape(n, n)
    turned = w.T.copy()
    for _ in range(steps):
        u += 0.1 * (u + turned)
    return u
)py",
    .recipe = "RR-layout",
    .fix = FixClass::kDisplay,
    .preview = true,
    .conditions = R"md(
1. the site is hot and there is more than one GPU
2. an array and a transposed view meet in one operator, or one array is transformed along one axis and then along another
3. a form with one layout is legal: the view is the same on every pass, or nothing stands between the transforms of an array of three axes and more
- (e) the array is known to be too small to be split
- (f) there is one GPU
)md",
    .ops = {OpKind::kBinary, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r210
