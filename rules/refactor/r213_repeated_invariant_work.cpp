// R213 repeated-invariant-work: the same array computed anew on every pass.

#include <algorithm>
#include <string_view>

#include "analyzer/analysis/call_path.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/lifetime.h"
#include "rules/match/made_inside.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r213 {

using ir::OpKind;
using match::DeviceCall;

constexpr std::int64_t kTiny = 1024;  // elements: below, it is a launch and nothing else

// Functions that compute out of an array and leave it alone. Creations are R201's, reshapes R206's; views cost nothing.
static bool Computes(const DeviceCall& call) {
  constexpr std::string_view kLinalg = "linalg.", kFft = "fft.";
  if (call.base.substr(0, kLinalg.size()) == kLinalg || call.base.substr(0, kFft.size()) == kFft)
    return !match::IsOneOf(call.base, {"fft.fftfreq", "fft.rfftfreq"});
  if (!call.method && api::IsUfunc(call.name)) return true;
  if (!call.method && match::IsOneOf(call.base, {"sort", "argsort", "partition", "argpartition"})) return true;
  return match::IsOneOf(
      call.base,
      {"sum",     "prod",       "mean",     "var",          "std",           "max",     "min",       "amax",
       "amin",    "argmax",     "argmin",   "any",          "all",           "cumsum",  "cumprod",   "dot",
       "matmul",  "inner",      "outer",    "tensordot",    "einsum",        "vdot",    "kron",      "trace",
       "where",   "clip",       "convolve", "median",       "quantile",      "average", "histogram", "bincount",
       "diff",    "gradient",   "cross",    "roll",         "flip",          "tile",    "repeat",    "nansum",
       "nanmean", "nanmax",     "nanmin",   "percentile",   "count_nonzero", "round",   "around",    "abs",
       "conj",    "nan_to_num", "isin",     "searchsorted", "digitize",      "take",    "pad",       "triu",
       "tril",    "astype"});
}

static bool MayRaise(const Facts& facts, ir::ValueId op) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  return call && call.base.substr(0, 7) == "linalg." && call.base != "linalg.norm";
}

// An operator, ufunc, reduction or matrix routine that works on an array of rank 1 or more.
static bool IsWork(const Facts& facts, ir::ValueId op) {
  if (!facts.IsDevice(op)) return false;
  const ir::Op& it = facts.program().ops[op];
  switch (it.kind) {
    case OpKind::kBinary:
    case OpKind::kUnary:
    case OpKind::kCompare: return match::IsWholeArray(facts, op) || facts.RankOf(op) >= 1;
    case OpKind::kCall: {
      const DeviceCall call = match::AsDeviceCall(facts, op);
      if (!call || !Computes(call) || facts.KeywordArgument(op, "out").valid()) return false;
      const auto operands = facts.program().Operands(op);
      return match::IsWholeArray(facts, call.array) ||
             std::any_of(operands.begin() + 1, operands.end(),
                         [&](ir::ValueId operand) { return operand.valid() && match::IsWholeArray(facts, operand); });
    }
    default: return false;
  }
}

// Runs on the same passes as `op`, which stands in the loop or in a function that the loop calls.
static bool OnSamePasses(const Facts& facts, ir::ValueId use, ir::ValueId op, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (program.FunctionOf(op) == program.loops[loop].function) return facts.InLoop(use, loop);
  return program.ops[use].block == program.ops[op].block || !program.blocks[program.ops[use].block].guard.valid();
}

// Larger work that is as invariant, and known as surely, takes it in and is told of instead.
static bool InsideInvariantWork(const Facts& facts, ir::ValueId op, ir::LoopId loop) {
  const auto uses = facts.UsesOf(op);
  const auto repeats = [&](ir::ValueId work) {
    return OnSamePasses(facts, work, op, loop) && IsWork(facts, work) && facts.Invariant(work, loop) &&
           facts.ConfidenceOfValue(work) >= facts.ConfidenceOfValue(op);
  };
  return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
    if (facts.program().ops[use].kind != OpKind::kAttr) return repeats(use);
    const auto calls = facts.UsesOf(use);  // (a * b).sum()
    return std::any_of(calls.begin(), calls.end(), repeats);
  });
}

// A function that the loop calls gives the result back, and somebody changes or keeps it there.
static bool IsKeptByCallers(const Facts& facts, ir::ValueId op, std::span<const ir::ValueId> calls, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  ir::ValueId value = op;
  for (std::size_t depth = calls.size(); depth > 0; --depth) {
    bool returned = false;
    for (const ir::ValueId leave : program.functions[program.FunctionOf(value)].returns) {
      const ir::ValueId result = program.Operand(leave, 0);
      if (!result.valid()) continue;
      if (program.ops[facts.Source(result)].kind == OpKind::kTuple) {
        const auto elements = program.Operands(facts.Source(result));
        if (std::any_of(elements.begin(), elements.end(),
                        [&](ir::ValueId element) { return facts.RootOf(element) == facts.RootOf(value); }))
          return true;  // which of the results it is, is not followed
      }
      returned = returned || facts.RootOf(result) == facts.RootOf(value);
    }
    if (!returned) return false;
    value = calls[depth - 1];
    if (facts.MutatedIn(facts.RootOf(value), loop) || match::LeavesThePass(facts, value, loop, depth == 1)) return true;
  }
  return false;
}

// Not every pass takes the branch that the op stands in.
static bool InBranchOfLoop(const Facts& facts, ir::ValueId op, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  for (ir::GuardId guard = program.blocks[program.ops[op].block].guard; guard.valid();
       guard = program.guards[guard].parent) {
    const ir::LoopId around = program.guards[guard].loop;
    if (around.valid() && facts.LoopContains(loop, around)) return true;
  }
  return false;
}

// Whatever the function does on a pass, or this loop in it, is the same on each of them, but for `next`, which leads
// on.
static bool DoesTheSame(const Facts& facts, ir::FunctionId function, ir::ValueId next, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const auto changes = [&](ir::ValueId op) {
    if (program.loops[loop].function == function && !facts.InLoop(op, loop)) return false;
    const OpKind kind = program.ops[op].kind;
    const bool carries = kind == OpKind::kPhi && program.ops[op].block == program.loops[loop].header;
    if (carries || kind == OpKind::kStoreAttr || kind == OpKind::kStoreCell || kind == OpKind::kInplaceBinary)
      return true;
    if (IsWork(facts, op)) return !facts.Invariant(op, loop);
    if (kind != OpKind::kCall || op == next) return false;
    const auto arguments = program.Operands(op).subspan(1);
    return facts.CalleeOf(op).receiver.valid() || std::ranges::any_of(arguments, [&](ir::ValueId argument) {
             return argument.valid() && facts.IsDevice(argument) && !facts.Invariant(argument, loop);
           });
  };
  return std::ranges::none_of(program.functions[function].blocks, [&](ir::BlockId block) {
    return std::ranges::any_of(program.blocks[block].ops, changes);
  });
}

// `for _ in range(repeats): price(stocks)`: the loop repeats one computation to measure it.
static bool IsBenchmark(const Facts& facts, std::span<const ir::ValueId> calls, ir::LoopId loop) {
  if (calls.empty() || !DoesTheSame(facts, facts.program().loops[loop].function, calls.front(), loop)) return false;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const ir::ValueId next = i + 1 < calls.size() ? calls[i + 1] : ir::ValueId::None();
    if (!DoesTheSame(facts, facts.CalleeOf(calls[i]).function, next, loop)) return false;
  }
  return true;
}

static bool IsTiny(const Facts& facts, ir::ValueId op) {
  if (facts.RankOf(op) >= 1) return facts.KnownBelow(op, kTiny);
  const auto operands = facts.program().Operands(op);
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (call && facts.KnownBelow(call.array, kTiny)) return true;
  return std::any_of(operands.begin(), operands.end(), [&](ir::ValueId operand) {
    return operand.valid() && facts.RankOf(operand) >= 1 && facts.KnownBelow(operand, kTiny);
  });
}

// Fires when
//   1. the site is hot, in a loop of its own function or in a function that the loop calls by one way only,
//   2. an operator, ufunc, reduction or matrix routine works on a device array,
//   3. nothing that it reads changes in the loop, and its result does not either, and
//   4. every pass computes it.
// Quiet: (a) and (c) are condition 3, (b) draws, (d) 0-d arithmetic and tiny arrays, (e) what can raise in a loop that
// may make no pass, (f) views are no work, (g) the result is kept by each pass, (h) the loop repeats one computation.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  if (!trial.Holds(2, IsWork(facts, op))) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(1, hot.loop.valid()) || !hot.loop.valid()) return;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> calls;
  if (!hot.in_function) {
    std::optional<std::vector<ir::ValueId>> way = analysis::OnlyWayTo(facts, program.FunctionOf(op), hot.loop);
    if (!trial.Holds(1, way && !way->empty())) return;
    calls = std::move(*way);
  }
  if (!trial.Holds(4, hot.in_function ? !InBranchOfLoop(facts, op, hot.loop)
                                      : analysis::RunsOnEachPass(facts, calls, op, hot.loop)))
    return;
  if (!trial.Holds(3, facts.Invariant(op, hot.loop) && !facts.MutatedIn(facts.RootOf(op), hot.loop))) return;
  if (trial.Quiet('d', IsTiny(facts, op))) return;
  if (trial.Quiet('e', MayRaise(facts, op) && !facts.TripsKnownAtLeast(hot.loop, 1))) return;
  const bool kept = match::LeavesThePass(facts, op, hot.loop, hot.in_function);
  if (trial.Quiet('g', kept || IsKeptByCallers(facts, op, calls, hot.loop))) return;
  if (trial.Quiet('h', IsBenchmark(facts, calls, hot.loop))) return;
  if (InsideInvariantWork(facts, op, hot.loop)) return;

  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Root(op).Evidence(facts.Of(op).evidence).PrimaryLabel("the same on every pass");
  report.Arg("header", match::HotLoopText(facts, op));
  const Text trips = match::Trips(facts, hot.loop);
  if (!trips.empty()) report.Arg("times", trips);
  Text help("RR-hoist  nothing in the loop changes what it reads: compute ");
  help.Add(match::Quoted(span));
  if (hot.in_function) {
    help.Add(" once before the loop").Add(match::AfterWhatItReads(facts, op, hot.loop));
  } else {
    help.Add(" once before the loop that calls this function").Add(match::AfterWhatItsFunctionMakes(facts, op));
    help.Add(", and hand the result over");
  }
  report.Help(help);
  report.Evidence(facts.HeatOf(op).evidence);
  match::TellHotLoop(facts, op, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 213,
    .slug = "repeated-invariant-work",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "an array computed anew on every pass of a hot loop from what the loop does not change",
    .message = "`{expr}` gives the same on every pass of {header}[[, yet is computed {times} times]]",
    .why = "nothing is kept from one launch to the next: the same tasks run again on every pass (26.07)",
    .details = R"md(
Fires in hot loops on operators, ufuncs, reductions, transforms and matrix routines on device arrays, where nothing
that they read changes in the loop (no name, no element through any alias, no attribute that a called method may
assign) and where the result is neither written to nor kept by each pass. The work may stand in a function that each
pass calls, where the loop comes to it by one call alone, and what that hands over stays the same.

Stays quiet on what is rotated (`u, w = w, u`), on random draws, on views and creations (R201), reshapes (R206), 0-d
arithmetic and arrays of fewer than 1,024 elements, in branches that not every pass takes, on matrix routines
that can raise, where the loop may make no pass at all, and where the loop does nothing but repeat one computation, as benchmarks do. Code that is not seen, called in the loop, may assign any
attribute and change what it is handed.

Hoisting exactly the expression that is written keeps the bits; taking a part out of `u + dt * f * a` that Python
does not compute first changes the rounding.
)md",
    .bad = R"py(
import numpy as np

def attenuate(n, steps):
    u = np.ones(n)
    depth = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u *= np.exp(-depth)
    return u
)py",
    .good = R"py(
import numpy as np

def attenuate(n, steps):
    u = np.ones(n)
    depth = np.linspace(0.0, 1.0, n)
    factor = np.exp(-depth)
    for _ in range(steps):
        u *= factor
    return u
)py",
    .recipe = "RR-hoist",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. the site is hot, in a loop of its own function or in a function that the loop calls by one way only
2. an operator, ufunc, reduction or matrix routine works on a device array
3. nothing that it reads changes in the loop, and its result does not either
4. every pass computes it
- (d) arithmetic on 0-d values, or a tiny array
- (e) it can raise, in a loop that may make no pass
- (g) each pass keeps the result
- (h) the loop repeats one computation, as benchmarks do
)md",
    .ops = {OpKind::kBinary, OpKind::kUnary, OpKind::kCompare, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r213
