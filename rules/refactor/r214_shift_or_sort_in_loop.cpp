// R214 shift-or-sort-in-loop: a whole array shifted or sorted anew on every pass where another form needs less.

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/lifetime.h"

#include "rules/match/story.h"

namespace cpnlint::rules::r214 {

using ir::OpKind;
using match::DeviceCall;

constexpr std::int64_t kWidestShift = 16;  // ghost layers that are still thin
constexpr std::size_t kMostUses = 200;     // of the array whose quantiles are taken
constexpr std::int64_t kTiny = 1024;       // elements that nobody minds moving
constexpr std::int64_t kShortAxis = 16;    // turning a batch of so few is no shift of data

// A rewrite that is legal at the site.
struct Rewrite {
  Text help;
  const char* message = nullptr;  // null: the rule's own
  const char* why = nullptr;
};

static bool IsShort(const Facts& facts, ir::ValueId array, std::optional<std::int64_t> axis) {
  if (!axis || !facts.IsDevice(array)) return false;
  const auto extent = facts.store().dims().AsConst(facts.ExtentOf(array, static_cast<int>(*axis)));
  return extent && *extent <= kShortAxis;
}

// The number of cells that are shifted by: of a tuple the largest; nullopt where one is not known.
static std::optional<std::int64_t> Shift(const Facts& facts, ir::ValueId shift) {
  if (!shift.valid()) return std::nullopt;
  if (const auto one = facts.IntOf(shift)) return std::abs(*one);
  const ir::ValueId source = facts.Source(shift);
  const OpKind kind = facts.program().ops[source].kind;
  if (kind != OpKind::kTuple && kind != OpKind::kList) return std::nullopt;
  std::int64_t widest = 0;
  for (const ir::ValueId part : facts.program().Operands(source)) {
    const auto one = facts.IntOf(part);
    if (!one) return std::nullopt;
    widest = std::max(widest, std::abs(*one));
  }
  return widest;
}

// Each use reads the shifted array in arithmetic, as a stencil does.
static bool OnlyInArithmetic(const Facts& facts, ir::ValueId shifted) {
  const std::vector<ir::ValueId> uses = facts.DeepUsesOf(shifted);
  if (uses.empty()) return false;
  return std::all_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
    const OpKind kind = facts.program().ops[use].kind;
    return match::IsElementwise(facts, use) || (kind == OpKind::kInplaceBinary && facts.IsDevice(use)) ||
           match::AsDeviceCall(facts, use).base == "where";
  });
}

static std::optional<Rewrite> OfRoll(const Facts& facts, const DeviceCall& call) {
  const ir::ValueId axis = match::Argument(facts, call, 2, "axis");
  const std::optional<std::int64_t> by = Shift(facts, match::Argument(facts, call, 1, "shift"));
  if (!by || *by == 0 || *by > kWidestShift || !OnlyInArithmetic(facts, call.call)) return std::nullopt;
  // Without an axis an array of two and more axes is shifted as if it were flat.
  if (!axis.valid() && facts.RankOf(call.array) != 1) return std::nullopt;
  const std::optional<std::int64_t> along = axis.valid() ? facts.IntOf(axis) : 0;
  if (IsShort(facts, call.array, along)) return std::nullopt;
  Text help("RR-shift  keep ");
  help.Add(match::Quoted(call.array_span)).Add(" in an array with ").Add(std::to_string(*by));
  help.Add(*by == 1 ? " ghost layer" : " ghost layers");
  help.Add(" on each side, refresh those by slice copies once per pass, and read shifted slices instead");
  return Rewrite{help, nullptr, nullptr};
}

static bool Transforms(const DeviceCall& call) {
  return match::IsOneOf(call.base, {"fft.fft", "fft.ifft", "fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn", "fft.rfft",
                                    "fft.irfft", "fft.rfft2", "fft.irfft2", "fft.rfftn", "fft.irfftn"});
}

// fftshift of data that is transformed in the same pass.
static std::optional<Rewrite> OfFftShift(const Facts& facts, const DeviceCall& call) {
  const auto transformed = [&](ir::ValueId value) { return Transforms(match::AsDeviceCall(facts, value)); };
  const std::vector<ir::ValueId> uses = facts.DeepUsesOf(call.call);
  if (!transformed(facts.Source(call.array)) && !std::any_of(uses.begin(), uses.end(), transformed))
    return std::nullopt;
  Text help(
      "RR-shift  leave the data in the order of the transform, and shift the fixed factors that they meet "
      "(frequencies, filters) once before the loop with `np.fft.ifftshift`");
  return Rewrite{help, "`{call}` moves all of `{array}`[[ {passes}]]", nullptr};
}

// `np.percentile(x, 5)` and `np.percentile(x, 95)`: the first of several in the same block sorts for all.
static std::optional<Rewrite> OfQuantile(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId axis = match::Argument(facts, call, 2, "axis");
  const auto same_axis = [&](ir::ValueId other) {
    if (!axis.valid() || !other.valid()) return axis.valid() == other.valid();
    return facts.IntOf(axis).has_value() && facts.IntOf(axis) == facts.IntOf(other);
  };
  int others = 0;
  ir::ValueId last;
  const std::vector<ir::ValueId> uses = facts.DeepUsesOf(facts.Source(call.array));
  if (uses.size() > kMostUses) return std::nullopt;
  for (const ir::ValueId op : uses) {
    if (program.ops[op].block != program.ops[call.call].block) continue;
    const DeviceCall other = match::AsDeviceCall(facts, op);
    if (op == call.call || !other || other.base != call.base) continue;
    if (facts.Source(other.array) != facts.Source(call.array)) continue;
    if (!same_axis(match::Argument(facts, other, 2, "axis"))) continue;
    if (op < call.call) return std::nullopt;  // that one tells it
    ++others;
    last = op;
  }
  if (others == 0) return std::nullopt;
  for (const ir::ValueId change : facts.MutationsOf(facts.RootOf(call.array))) {
    if (change > call.call && change < last) return std::nullopt;
  }
  Text help("RR-shift  ask for all of them in one call: `");
  help.Add(program.OperandSpan(call.call, 0)).Add("(").Add(call.array_span).Add(", [");
  help.Add(match::ArgumentSpan(facts, call, 1, "q")).Add(", ...]");
  if (axis.valid()) help.Add(", axis=").Add(match::ArgumentSpan(facts, call, 2, "axis"));
  help.Add(")` sorts once");
  return Rewrite{help, "`{call}` sorts all of `{array}`, as does the next call on it[[, {passes}]]",
                 "percentiles, quantiles and medians sort the whole array, each call anew (26.07)"};
}

// `np.sort(x)[0]`, `np.argsort(x)[-1]`: one end of a sorted vector is an extremum.
static std::optional<Text> OfEnds(const Facts& facts, const DeviceCall& call) {
  if (facts.RankOf(call.array) != 1 || match::Argument(facts, call, 1, "axis").valid()) return std::nullopt;
  const auto uses = facts.DeepUsesOf(call.call);
  if (uses.size() != 1 || facts.program().ops[uses[0]].kind != OpKind::kSubscript) return std::nullopt;
  const auto keys = facts.KeysOf(uses[0]);
  const auto at = keys.size() == 1 ? facts.IntOf(keys[0]) : std::nullopt;
  if (!at || (*at != 0 && *at != -1)) return std::nullopt;
  const bool positions = call.base == "argsort";
  const char* name = *at == 0 ? (positions ? "np.argmin(" : "np.min(") : (positions ? "np.argmax(" : "np.max(");
  return Text("RR-shift  write `").Add(name).Add(call.array_span).Add(")`: one reduction, no sort");
}

static std::optional<Rewrite> OfSort(const Facts& facts, const DeviceCall& call) {
  // x.sort() sorts in place.
  if (call.method && match::IsOneOf(call.base, {"sort", "partition"})) return std::nullopt;
  if (const auto ends = OfEnds(facts, call)) return Rewrite{*ends, nullptr, nullptr};
  const bool partition = match::IsOneOf(call.base, {"partition", "argpartition"});
  const ir::ValueId axis = match::Argument(facts, call, partition ? 2 : 1, "axis");
  const auto along = axis.valid() ? facts.IntOf(axis) : std::nullopt;
  const int rank = facts.RankOf(call.array);
  const bool inner = along && rank >= 2 && *along != -1 && *along != rank - 1;
  if (!inner) return std::nullopt;
  Text help("RR-shift  keep ");
  help.Add(match::Quoted(call.array_span)).Add(" with the sorted axis last, where nothing is swapped in and out");
  return Rewrite{help, nullptr,
                 "a sort along another axis than the last copies the array twice to swap the axes (26.07)"};
}

static std::optional<Rewrite> RewriteOf(const Facts& facts, const DeviceCall& call) {
  if (call.base == "roll") return OfRoll(facts, call);
  if (match::IsOneOf(call.base, {"fft.fftshift", "fft.ifftshift"})) return OfFftShift(facts, call);
  if (match::IsOneOf(call.base, {"percentile", "quantile"})) return OfQuantile(facts, call);
  if (match::IsOneOf(call.base, {"sort", "argsort", "partition", "argpartition"})) return OfSort(facts, call);
  return std::nullopt;
}

// Fires when
//   1. the site is hot,
//   2. a call of the device library shifts or sorts a device array not known to be small, and
//   3. a form that moves less is legal there: ghost cells for shifts by a few cells that only enter arithmetic, fixed
//      factors shifted instead of a spectrum, one call for several quantiles, an extremum, the sorted axis last.
// Quiet: (a) and (c) small arrays are condition 2, (b) seldom is condition 1, (d) host arrays, (e) a short axis and (f)
// slices are no such calls; (g) what is the same on every pass is R213's.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call || !facts.IsDevice(call.array) || facts.IsZeroD(call.array)) return;
  const bool moves = match::IsOneOf(call.base, {"roll", "fft.fftshift", "fft.ifftshift", "percentile", "quantile",
                                                "sort", "argsort", "partition", "argpartition"});
  if (!moves) return;
  if (!trial.Holds(2, !facts.KnownBelow(call.array, trial.target().economic))) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(1, static_cast<bool>(hot)) || !hot) return;
  if (trial.Quiet('g', hot.in_function && facts.Invariant(op, hot.loop))) return;
  const std::optional<Rewrite> rewrite = RewriteOf(facts, call);
  if (!trial.Holds(3, rewrite.has_value()) || !rewrite) return;

  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span).Arg("array", call.array_span).Root(facts.RootOf(call.array)).Evidence(call.evidence);
  if (rewrite->message != nullptr) report.Message(rewrite->message);
  if (rewrite->why != nullptr) report.Why(rewrite->why);
  report.Help(rewrite->help);
  if (facts.UsuallyBelow(call.array, kTiny)) report.Confidence(Confidence::kPossible);
  report.PrimaryLabel(call.base == "roll" ? "a new array and two copies" : "moves all of it");
  match::TellPasses(facts, op, span, report);
  match::TellOrigin(facts, call.array, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 214,
    .slug = "shift-or-sort-in-loop",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "a whole array shifted or sorted anew on every pass of a hot loop",
    .message = "`{call}` moves all of `{array}`[[ {passes}]]",
    .why =
        "`roll` makes a new array and two slice copies per axis, `sort` exchanges data between all processors: traffic "
        "for the whole array where a form that moves less would do (26.07)",
    .details = R"md(
Fires in hot loops, on device arrays not known to be below 65,536 elements, where a form that moves less is legal:

- `roll` by a known number of at most 16 cells whose result only enters arithmetic: an array with ghost layers and
  shifted slices
- `fft.fftshift` and `ifftshift` beside a transform: the fixed factors are shifted once instead
- several `percentile` or `quantile` calls on one array: one call with a list
- `sort` or `argsort` of a vector of which only the first or the last element is used: a reduction
- `sort`, `argsort`, `partition` along another axis than the last: the sorted axis last

Stays quiet on shifts by a number that is not known, on axes of 16 and fewer (turning a batch), on small arrays,
behind a cadence, on host arrays, on what is the same on every pass (R213), and where nothing better is known: a
`flip`, or a sort whose order is needed. *Possible* and no more where defaults and literals make it fewer than 1,024 elements.

`roll` is a copy, not a full repartition: only strips cross processors for small shifts. `axis=None` on two axes and
more adds two reshape copies. `partition`, `median` and `percentile` are full sorts.
)md",
    .bad = R"py(
import numpy as np

def diffuse(n, steps):
    u = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u += 0.1 * (np.roll(u, 1) + np.roll(u, -1))
    return u
)py",
    .good = R"py(
import numpy as np

def diffuse(n, steps):
    g = np.zeros(n + 2)
    g[1:-1] = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        g[:1] = g[-2:-1]
        g[-1:] = g[1:2]
        g[1:-1] += 0.1 * (g[:-2] + g[2:])
    return g[1:-1].copy()
)py",
    .recipe = "RR-shift",
    .fix = FixClass::kDisplay,
    .preview = true,
    .conditions = R"md(
1. the site is hot
2. a call of the device library shifts or sorts a device array that is not known to be small
3. a form that moves less is legal there: ghost cells for shifts by a few cells that only enter arithmetic, fixed factors shifted instead of a spectrum, one call for several quantiles, an extremum, the sorted axis last
- (g) it is the same on every pass, and R213 speaks
)md",
    .ops = {OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r214
