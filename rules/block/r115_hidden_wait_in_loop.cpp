// R115 hidden-wait-in-loop: calls that fetch a value from the device before they return.

#include <algorithm>
#include <string>

#include "analyzer/analysis/element_steps.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hidden_wait.h"
#include "rules/match/hot_site.h"
#include "rules/match/made_inside.h"
#include "rules/match/random_draw.h"
#include "rules/match/standard_draw.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r115 {

using analysis::Callee;
using ir::OpKind;

// The function works on arrays and has a loop, or calls one that has.
// NOLINTNEXTLINE(misc-no-recursion): kDeepest bounds it
static bool RunsLoops(const Facts& facts, ir::FunctionId function, int depth = 0) {
  constexpr int kDeepest = 3;
  if (depth > kDeepest || !facts.FunctionHasArrayWork(function)) return false;
  const ir::Program& program = facts.program();
  const auto& blocks = program.functions[function].blocks;
  const auto loops_on_arrays = [&](ir::BlockId block) {
    return program.blocks[block].loop.valid() &&
           std::ranges::any_of(program.blocks[block].ops, [&](ir::ValueId op) { return facts.IsArrayWork(op); });
  };
  if (std::ranges::any_of(blocks, loops_on_arrays)) return true;
  // NOLINTNEXTLINE(misc-no-recursion)
  return std::ranges::any_of(blocks, [&](ir::BlockId block) {
    // NOLINTNEXTLINE(misc-no-recursion)
    return std::ranges::any_of(program.blocks[block].ops, [&](ir::ValueId op) {
      return program.ops[op].kind == OpKind::kCall && facts.CalleeOf(op).kind == Callee::Kind::kLocal &&
             RunsLoops(facts, facts.CalleeOf(op).function, depth + 1);
    });
  });
}

// One wait does little harm in a pass that runs loops of its own.
static bool IsLongPass(const Facts& facts, ir::LoopId loop) {
  if (!loop.valid()) return false;
  const ir::Program& program = facts.program();
  for (const ir::BlockId id : program.functions[program.loops[loop].function].blocks) {
    const ir::Block& block = program.blocks[id];
    if (!block.loop.valid() || !facts.LoopContains(loop, block.loop)) continue;
    for (const ir::ValueId op : block.ops) {
      if (block.loop != loop && facts.IsArrayWork(op)) return true;
      if (program.ops[op].kind != OpKind::kCall || facts.CalleeOf(op).kind != Callee::Kind::kLocal) continue;
      if (RunsLoops(facts, facts.CalleeOf(op).function)) return true;
    }
  }
  return false;
}

// `np.lexsort((x, y))`, `np.ravel_multi_index((i, j), shape)`
static bool HoldsDevice(const Facts& facts, ir::ValueId value) {
  if (!value.valid() || facts.program().ops[value].kind != OpKind::kTuple) return false;
  const auto items = facts.program().Operands(value);
  return std::any_of(items.begin(), items.end(), [&](ir::ValueId item) { return facts.IsDevice(item); });
}

// The same on every pass of a loop around it, be the loop in a function that calls this one.
static bool IsSame(const Facts& facts, ir::ValueId value, ir::ValueId op) {
  const ir::LoopId loop = facts.HeatOf(op).loop;
  return loop.valid() && value.valid() && facts.Invariant(value, loop);
}

// The edges of bins that the call goes through one by one.
static bool HasEdges(const Facts& facts, const match::DeviceCall& call, const match::HiddenWait& found) {
  return found.wait->when == api::WaitWhen::kWithoutRange && found.value.valid() &&
         !analysis::BinEdges(facts, call.base, found.value).empty();
}

static Text Instead(const Facts& facts, const match::DeviceCall& call, const match::HiddenWait& found) {
  const match::HotSite hot = match::HotSiteOf(facts, call.call);
  const bool draws = match::IsDraw(call.base);
  if (!draws && hot.in_function && IsSame(facts, call.call, call.call)) {
    return Text("nothing in the loop changes what it reads: compute ")
        .Add(match::Quoted(facts.program().ops[call.call].span))
        .Add(" once before the loop")
        .Add(match::AfterWhatItReads(facts, call.call, hot.loop));
  }
  if (found.wait->when == api::WaitWhen::kDeviceParameter && !IsSame(facts, found.value, call.call)) {
    const std::optional<Text> standard = match::StandardDraw(facts, call, found.value);
    if (standard) return Text("draw without it, and apply it to what is drawn: `").Add(*standard).Add("`");
    return "the parameter is another one on each pass and is needed on the host, so this wait stays; fetch it once for "
           "all draws that take it";
  }
  if (HasEdges(facts, call, found))
    return "where the edges are evenly spaced, pass the number of bins and `range=` as host numbers instead";
  if (!found.wait->instead.empty()) return found.wait->instead;
  return "call it once before or after the loop, or every k passes only";
}

static std::string_view CauseOf(const Facts& facts, const match::DeviceCall& call, const match::HiddenWait& found) {
  if (found.wait->when != api::WaitWhen::kWithoutRange) return found.wait->cause;
  if (HasEdges(facts, call, found)) return "tests its edges one by one in Python, and each is waited for";
  const ir::ValueId bins = match::Argument(facts, call, 1, "bins");
  const bool left_out = !bins.valid() && !facts.HasStarArguments(call.call);
  const bool counted = left_out || facts.Of(bins).kind == analysis::Kind::kInt || call.base != "histogram";
  return counted ? "reads the smallest and the largest value" : found.wait->cause;
}

// `np.median(x[m])`: what each pass selects has a length of its own, for which the call waits first. R114 tells both.
static bool OrdersSelection(const Facts& facts, const match::DeviceCall& call) {
  const ir::Program& program = facts.program();
  if (!match::IsOneOf(call.base, {"median", "percentile", "quantile"}) || !call.array.valid()) return false;
  const ir::ValueId selection = facts.Source(call.array);
  if (!selection.valid() || program.ops[selection].kind != OpKind::kSubscript) return false;
  if (program.ops[selection].statement != program.ops[call.call].statement) return false;
  const auto keys = facts.KeysOf(selection);
  return facts.SubscriptOf(selection).selects == analysis::SubscriptResult::Selects::kMasked &&
         std::ranges::any_of(keys, [&](ir::ValueId key) {
           return facts.IsDevice(key) && facts.Of(key).dtype == ir::DType::kBool && facts.RankOf(key) != 0;
         });
}

// Fires when
//   1. the site is hot and runs more often than every tenth pass,
//   2. the call works on device arrays and, as it is written, waits inside by the API table.
// Quiet: (a) to (d) and (f) are the conditions of the table, (e) is condition 1.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  const api::Entry* row = call ? match::Row(call.name, trial.target().version) : nullptr;
  if (row == nullptr || row->waits.empty()) return;
  const match::HiddenWait found = match::FindHiddenWait(facts, call, *row, 115, trial.target().gpus);
  // What was a list a moment ago has no work behind it to wait for.
  const bool device = facts.IsDevice(call.array) || found.on_device || HoldsDevice(facts, call.array);
  if (!trial.Holds(2, found && device) || !found) return;
  if (!trial.Holds(1, static_cast<bool>(match::WaitSiteOf(facts, op)))) return;
  if (trial.Quiet('g', OrdersSelection(facts, call))) return;

  const ir::Program& program = facts.program();
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span).Arg("cause", CauseOf(facts, call, found)).Key(std::string(call.base));
  report.Root(facts.IsDevice(op) ? op : facts.RootOf(call.array)).Evidence(found.evidence);
  match::TellPasses(facts, op, span, report);
  if (!found.argument.empty() && found.argument != span) report.Label(found.argument, "because of this argument");
  const bool light = found.wait->count == 1 && !found.wait->gathers && IsLongPass(facts, facts.HeatOf(op).loop);
  if (light) report.Severity(Severity::kWarning);
  if (found.wait->gathers) {
    report.Why("whole arrays are copied to the host and the result back, and Python waits for both (26.07)");
  }
  report.Help(Text("RR-range  ").Add(Instead(facts, call, found)));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 115,
    .slug = "hidden-wait-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .summary = "a call that waits for the device before it returns",
    .message = "`{call}` waits for the device[[ {passes}]]: {cause}",
    .why =
        "the call needs a value on the host before it can go on, so Python waits for all work behind it and queues "
        "nothing meanwhile (26.07)",
    .details = R"md(
Most of cuPyNumeric only queues work. Some functions need a number to go on with: the range of the data, whether all
indices are in bounds, the length of a result. They fetch it, and Python waits until everything that the number depends on is
done. Nothing in the call shows it, and the migration guide does not list it.

**Fires when**

1. the site is hot and runs more often than every tenth pass
2. the call works on device arrays and, as it is written, waits inside

| call | waits |
|---|---|
| `histogram`, `histogram2d`, `histogramdd` | without `range=`, or with bins given as an array |
| `bincount`, `cumsum`, `cumprod`, `nancumsum`, `nancumprod`, `digitize`, `fill_diagonal`, `place`, `unravel_index`, `ravel_multi_index`, `insert`, `delete`, `roots`, `nanmedian`, `nanquantile`, `nanpercentile`, `take_along_axis`, `put_along_axis` | always |
| `median`, `percentile`, `quantile` | of 1-D or flattened data, on more than one processor |
| `unique`, `pad` with a constant | on more than one processor |
| `average(weights=)`, `cov(aweights=)`, `searchsorted(sorter=)` | with that argument |
| `var` | without `axis=` |
| `clip` | with bounds that are arrays, single device values included: through the host |
| `take`, `choose` | with `mode='raise'`, the default |
| `full`, `fill`, `logspace`, distribution parameters | with a device value as the argument |
| shapes of `zeros` and its like, `reshape`, `eye`, sizes of draws, `roll`, `diag`, `tril`, `triu`, `trace`, `gradient`, `linspace`, `quantile`, `nan_to_num`, `round` | where a number that they need on the host is a device value that each pass makes: `np.gradient(u, x[1] - x[0])`, `np.zeros(labels.max())` |
| `repeat` with counts in an array, `pad` with `linear_ramp`, `lexsort` of several keys, `isin` of floats, `real_if_close` of complex data | so |
| `cupynumeric.linalg.cho_factor`, `cho_solve`, `solve_triangular`, `expm`, `tssvd` | always |

Some go through data in Python on top of that, one element after the other: the edges of bins given as an array, the
weights of `cov`, the cells of what `nanmedian`, `nanquantile` and `nanpercentile` give. Each step is an operation of its
own, and the price counts them.

`cpnlint api NAME` says it of one name. One wait in a pass that runs loops of its own is a warning only.

**Stays quiet**

- (a) `histogram(x, bins=64, range=(0.0, 1.0))`
- (b) `median`, `percentile`, `quantile` along an axis of a 2-D array
- (c) `clip(a, 0.0, 1.0)`
- (d) `take(..., mode='clip')`
- (e) the same call outside of loops, or every tenth pass
- (f) `average(a)` without weights
- (g) `median`, `percentile` and `quantile` of what a mask selects, `np.median(x[m])`: the wait is part of R114

Index arrays in subscripts, `put` and factorisations are R116, conversions R104. With
`CUPYNUMERIC_DISABLE_BOUNDS_CHECKING` the bounds tests of `take` and its kin are gone.
)md",
    .bad = R"py(import numpy as np


def step_all(u, lo, hi, steps):
    lo, hi = np.zeros(1000), np.ones(1000)
    u = 2 * lo
    for _ in range(steps):
        u = np.clip(u + 0.5 * hi, lo, hi)
    return u
)py",
    .good = R"py(import numpy as np


def step_all(u, lo, hi, steps):
    lo, hi = np.zeros(1000), np.ones(1000)
    u = 2 * lo
    for _ in range(steps):
        u = np.minimum(np.maximum(u + 0.5 * hi, lo), hi)
    return u
)py",
    .recipe = "RR-range",
    .fix = FixClass::kUnsafe,
    .ops = {OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r115
