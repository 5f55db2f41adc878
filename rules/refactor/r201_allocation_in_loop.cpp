// R201 allocation-in-loop: a buffer of the same shape is made anew on every pass.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"
#include "rules/match/lifetime.h"
#include "rules/match/made_inside.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r201 {

using match::DeviceCall;

constexpr std::int64_t kTinyVector = 1024;  // elements of a coefficient vector that nobody minds
constexpr std::int64_t kSmallDraw = 65'536;
constexpr std::int64_t kUnrolled = 8;  // trips below which a constant loop counts as straight-line code

static bool IsCreation(const Facts& facts, const DeviceCall& call) {
  if (call.base == "array") return facts.Of(call.call).constant_items;
  return match::IsOneOf(call.base, {"zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like",
                                    "full_like", "eye", "identity", "arange", "linspace"});
}

static bool IsDraw(const DeviceCall& call) {
  if (call.base.substr(0, 7) != "random.") return false;
  return !match::IsOneOf(call.base, {"random.seed", "random.default_rng", "random.Generator", "random.RandomState"});
}

// `rng.normal(mu, sigma)` without a size: one number, unless the parameters are arrays.
static bool DrawsOne(const Facts& facts, const DeviceCall& call) {
  const api::Entry* row = api::Find(call.name);
  const auto size = row == nullptr ? std::nullopt : api::ParameterPosition(*row, "size");
  return size && !facts.Argument(call.call, *size, "size").valid() && !facts.HasStarArguments(call.call) &&
         facts.RankOf(call.call) <= 0;
}

// In a loop that is there to stay: time steps, solver passes, sweeps. Loops over elements and rows are findings of
// their own, and those over files and objects are not for arrays.
static bool InLastingLoop(const Facts& facts, ir::ValueId site, ir::LoopId loop) {
  for (; loop.valid(); loop = facts.program().loops[loop].parent) {
    const analysis::LoopKind kind = facts.LoopFactOf(loop).kind;
    if (kind == analysis::LoopKind::kRow || kind == analysis::LoopKind::kElement ||
        kind == analysis::LoopKind::kRecurrence || kind == analysis::LoopKind::kChunk) {
      return false;
    }
    const bool lasting = kind == analysis::LoopKind::kStep || kind == analysis::LoopKind::kConvergence ||
                         kind == analysis::LoopKind::kSweep;
    if (lasting && !facts.TripsKnownBelow(loop, kUnrolled) && !match::WalksItems(facts, site, loop)) return true;
  }
  return false;
}

// A branch inside of the loop, or of the function that it calls, that not every pass takes: resets and regridding.
static bool InRareBranch(const Facts& facts, ir::ValueId op, const match::HotSite& hot) {
  const ir::Program& program = facts.program();
  for (ir::GuardId guard = program.blocks[program.ops[op].block].guard; guard.valid();
       guard = program.guards[guard].parent) {
    const ir::LoopId around = program.guards[guard].loop;
    if (program.guards[guard].kind != ir::Guard::Kind::kTest) continue;
    if (!hot.in_function || (around.valid() && facts.LoopContains(hot.loop, around))) return true;
  }
  return false;
}

// arange, linspace, eye and the like hold what their arguments say: they can be kept only where those stay the same.
static bool SameContents(const Facts& facts, const DeviceCall& call, const match::HotSite& hot) {
  if (!match::IsOneOf(call.base, {"eye", "identity", "arange", "linspace"})) return true;
  for (const ir::ValueId argument : facts.program().Operands(call.call).subspan(1)) {
    if (!argument.valid() || facts.Of(argument).constant || facts.Of(argument).kind == analysis::Kind::kDType) continue;
    if (!hot.in_function || !facts.Invariant(argument, hot.loop)) return false;
  }
  return true;
}

// `while not good(a): a = draw()` draws until it fits.
static bool DrawsUntilItFits(const Facts& facts, bool draw, bool rebinds, ir::LoopId loop) {
  return draw && rebinds && facts.program().loops[loop].kind == ir::Loop::Kind::kWhile;
}

// np.zeros(u.ndim): as many elements as an array has axes.
static bool SizedByRank(const Facts& facts, const DeviceCall& call) {
  const ir::ValueId extent = call.array.valid() ? facts.Source(call.array) : ir::ValueId::None();
  if (!extent.valid() || facts.program().ops[extent].kind != ir::OpKind::kAttr) return false;
  return facts.program().Name(facts.program().ops[extent]) == "ndim";
}

// The variable that the array is bound to.
static Span NameOf(const Facts& facts, ir::ValueId made) {
  const ir::Program& program = facts.program();
  for (const ir::Binding& binding : program.functions[program.FunctionOf(made)].bindings) {
    if (binding.value == made) return binding.span;
  }
  return {};
}

// What a new array holds; empty where that is not one number.
static Text Content(const Facts& facts, const DeviceCall& call) {
  if (match::IsOneOf(call.base, {"zeros", "zeros_like"})) return "0";
  if (match::IsOneOf(call.base, {"ones", "ones_like"})) return "1";
  if (match::IsOneOf(call.base, {"full", "full_like"})) return match::ArgumentSpan(facts, call, 1, "fill_value");
  return {};
}

static bool TakesBuffer(const DeviceCall& call, std::string_view version) {
  const api::Entry* row = match::Row(call.name, version);
  return row != nullptr && std::ranges::find(row->parameters, "out") != row->parameters.end();
}

static Text AdviceForDraws(const Facts& facts, const DeviceCall& call, ir::LoopId loop, std::string_view version) {
  Text help("RR-alloc  where memory allows, draw for ");
  help.Add(facts.TripsOf(loop).count.valid()
               ? "all passes at once before the loop and use one row per pass"
               : "many passes at once, use one row per pass, and draw anew where they are used up");
  return TakesBuffer(call, version) ? help.Add("; or keep one buffer and pass it as `out=`") : help;
}

static Text Advice(const Facts& facts, const DeviceCall& call, bool rebinds, const match::HotSite& hot) {
  Text help("RR-alloc  ");
  const Text made = match::Quoted(facts.program().ops[call.call].span);
  if (!hot.in_function)
    return help.Add("make ").Add(made).Add(" once where the loop starts and hand it in; fill it with `out=`");
  help.Add("move ").Add(made).Add(" in front of the loop");
  help.Add(match::AfterWhatItReads(facts, call.call, hot.loop));
  if (rebinds) help.Add(" and exchange the two names at the end of the pass: `a, b = b, a`");
  const Span name = NameOf(facts, call.call);
  if (rebinds && (name.empty() || Content(facts, call).empty())) return help;
  if (!facts.MutatedIn(facts.RootOf(call.call), hot.loop)) return help.Add(name.empty() ? "" : ": no pass changes it");
  if (name.empty()) return help.Add(" and write into it on each pass, with `out=` or `buffer[...] = value`");
  const Text content = Content(facts, call);
  if (content.empty()) return help.Add(", where each pass writes all of ").Add(match::Quoted(name));
  return help.Add("; where a pass does not write all of it, begin with `")
      .Add(name)
      .Add("[...] = ")
      .Add(content)
      .Add("`");
}

// Fires when
//   1. the site is hot, in a step, convergence or sweep loop,
//   2. the call creates an array, or draws one, in the device namespace,
//   3. its extents are the same on every pass (of arange, linspace, eye the contents, too), and
//   4. the value does not leave the pass, or only as the next pass's value of a variable.
// Quiet: (a) and (f) are condition 4, (b) is condition 3, (c) small draws, (d) rarely taken branches, (e) tiny vectors,
// (g) draws repeated until they fit.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call || !facts.IsDevice(op)) return;
  const bool draw = IsDraw(call);
  if (!trial.Holds(2, draw || IsCreation(facts, call))) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(1, hot.loop.valid() && InLastingLoop(facts, op, hot.loop)) || !hot.loop.valid()) return;
  if (!trial.Holds(3, facts.ExtentsInvariant(op, hot.loop) && SameContents(facts, call, hot))) return;
  if (!trial.Holds(4, !match::LeavesThePass(facts, op, hot.loop))) return;
  if (trial.Quiet('c', draw && (facts.KnownBelow(op, kSmallDraw) || DrawsOne(facts, call)))) return;
  if (trial.Quiet('d', InRareBranch(facts, op, hot))) return;
  if (trial.Quiet('e', facts.KnownBelow(op, kTinyVector) || facts.IsZeroD(op) || SizedByRank(facts, call))) return;

  const bool rebinds = match::NextPassOf(facts, op, hot.loop).valid();
  if (trial.Quiet('g', DrawsUntilItFits(facts, draw, rebinds, hot.loop))) return;
  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span).Root(op).Evidence(call.evidence | facts.Of(op).evidence);
  const std::string elements = facts.DimText(facts.VolumeOf(op));
  // `3*particles` is code, 600 is a number.
  const bool number = elements.find_first_not_of("0123456789,.e+") == std::string::npos;
  if (!elements.empty()) report.Arg("elems", number ? elements : "`" + elements + "`");
  if (facts.UsuallyBelow(op, kTinyVector)) report.Confidence(Confidence::kPossible);
  report.PrimaryLabel(draw ? "a new array of draws on every pass" : "a new array on every pass");
  report.Help(draw ? AdviceForDraws(facts, call, hot.loop, trial.target().version) : Advice(facts, call, rebinds, hot));
  if (facts.KnownBelow(op, trial.target().split)) report.Severity(Severity::kInfo);
  match::TellPasses(facts, op, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 201,
    .slug = "allocation-in-loop",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "an array of the same shape created on every pass of a hot loop",
    .message = "`{call}` makes a new array[[ of {elems} elements]] of the same shape[[ {passes}]]",
    .why = "creation is a fill task and one more live buffer per pass; `np.empty` fills with zeros, too, in 26.07",
    .details = R"md(
Fires in hot step, convergence and sweep loops on `zeros`, `ones`, `empty`, `full`, their `_like` forms, `eye`, `identity`, `arange`, `linspace`,
`array` of a constant list, and on random draws, where the shape is the same on every pass and the value does not outlive
the pass (becoming the next pass's value is fine).

Stays quiet in loops over elements, rows or Python objects alone, where the value is appended, yielded, stored or returned to the loop, where the shape depends on the pass, on
draws of fewer than 65,536 elements, in branches that not every pass takes, and on vectors of fewer than 1,024 elements.

The runtime recycles storage of the same size, so the price is not an allocator: it is the fill, the copy that often
follows, and memory. Copying a draw into a kept buffer does not pay; drawing all passes at once does, as does
`rng.random(out=buffer)`.
)md",
    .bad = R"py(
import numpy as np

def smooth(n, steps):
    u = np.zeros(n)
    for _ in range(steps):
        flux = np.zeros_like(u)
        flux[1:] = u[1:] - u[:-1]
        u -= 0.2 * flux
    return u
)py",
    .good = R"py(
import numpy as np

def smooth(n, steps):
    u = np.zeros(n)
    flux = np.zeros_like(u)
    for _ in range(steps):
        np.subtract(u[1:], u[:-1], out=flux[1:])
        u -= 0.2 * flux
    return u
)py",
    .recipe = "RR-alloc",
    .fix = FixClass::kUnsafe,
    .preview = true,
    .conditions = R"md(
1. the site is hot, in a step, convergence or sweep loop
2. the call creates an array, or draws one, in the device namespace
3. its extents are the same on every pass (of `arange`, `linspace` and `eye` the contents, too)
4. the value does not leave the pass, or only as the next pass's value of a variable
- (c) a small draw
- (d) a branch that is rarely taken
- (e) a tiny vector
- (g) draws that are repeated until they fit
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r201
