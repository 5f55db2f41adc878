// R116 throwing-task-in-loop: tasks that may raise, which the runtime finishes before it goes on.

#include <string>
#include <utility>

#include "analyzer/analysis/item_doubt.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/factorisation.h"
#include "rules/match/hidden_wait.h"
#include "rules/match/hot_site.h"
#include "rules/match/recurrence.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r116 {

using analysis::Key;
using analysis::KeyKind;
using ir::OpKind;

struct Throwing {
  enum class Kind : std::uint8_t { kNone, kGather, kScatter, kScalarIndex, kCall, kFactorisation } kind = Kind::kNone;
  ir::ValueId array;
  Span index;       // what may be out of bounds; empty for calls
  ir::ValueId key;  // its value
  analysis::EvidenceSet evidence = 0;

  explicit operator bool() const { return kind != Kind::kNone; }
};

// A subscript with an index array, or with an index that only the device knows.
static Throwing OfSubscript(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::ValueId array = program.Operand(op, 0);
  if (!facts.IsDevice(array)) return {};
  const bool store = program.ops[op].kind == OpKind::kStoreSubscript;
  const std::vector<Key>& keys = facts.SubscriptOf(op).keys;
  const auto operands = facts.KeysOf(op);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool gathers = keys[i].kind == KeyKind::kIndexArray;
    if (!gathers && !keys[i].device_scalar) continue;
    // One operand may stand for several keys: `np.ix_(i, j)`.
    const std::size_t at = i < operands.size() ? i : 0;
    Throwing found;
    found.kind = !gathers ? Throwing::Kind::kScalarIndex : store ? Throwing::Kind::kScatter : Throwing::Kind::kGather;
    found.array = array;
    found.key = operands[at];
    found.index = program.OperandSpan(op, static_cast<std::uint32_t>(at) + (store ? 2 : 1));
    found.evidence = facts.Of(array).evidence | facts.Of(found.key).evidence;
    return found;
  }
  return {};
}

static Throwing OfCall(const Facts& facts, ir::ValueId op, const Target& target) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  const api::Entry* row = call ? match::Row(call.name, target.version) : nullptr;
  if (row == nullptr || !row->throws || !facts.IsDevice(call.array)) return {};
  if (!match::FindHiddenWait(facts, call, *row, 116, target.gpus)) return {};
  const bool linear = call.base.starts_with("linalg.");
  return {linear ? Throwing::Kind::kFactorisation : Throwing::Kind::kCall, call.array, {}, {}, call.evidence};
}

// The bounds of `np.arange(s, e)` and `range(s, e)` where it is the index; empty spans where it is none.
struct Stretch {
  Span first, end;
};
static Stretch StretchOf(const Facts& facts, ir::ValueId key) {
  const ir::ValueId made = key.valid() ? facts.Source(key) : key;
  if (!made.valid() || facts.program().ops[made].kind != OpKind::kCall) return {};
  const analysis::Callee& callee = facts.CalleeOf(made);
  const bool range = callee.kind == analysis::Callee::Kind::kBuiltin && callee.name == "range";
  const std::size_t count = facts.PositionalCount(made);
  if ((!range && callee.name != "numpy.arange") || count == 0 || count > 2) return {};
  if (count == 1) return {{}, facts.program().OperandSpan(made, 1)};
  return {facts.program().OperandSpan(made, 1), facts.program().OperandSpan(made, 2)};
}

// `w[i] = v`, and both halves of `w[i] += v`.
static bool Writes(const Facts& facts, ir::ValueId op) {
  const ir::Op& it = facts.program().ops[op];
  return it.kind == OpKind::kStoreSubscript || (it.flags & ir::kAugmented) != 0;
}

// One position that is on the device: `take` waits for that as well, but not for an array of one position (executed on
// 26.6.1).
static Text HelpForPosition(const Facts& facts, ir::ValueId op, const Throwing& found, Span array, bool hot) {
  if (Writes(facts, op) || facts.KeysOf(op).size() != 1) {
    return Text("RR-bounds  find such positions on the host")
        .Add(hot ? ", all of them before the loop" : "")
        .Add(", or work on many at once with index arrays");
  }
  const ir::ValueId made = facts.Source(found.key);
  const bool call = facts.program().ops[made].kind == OpKind::kCall;
  const std::string_view name = call ? std::string_view(facts.CalleeOf(made).name) : std::string_view();
  for (const auto& [position, value] : {std::pair("argmax", "max"), std::pair("argmin", "min")}) {
    if (!name.ends_with(position) || facts.PositionalCount(made) != 1) continue;
    const ir::ValueId of = facts.program().Operand(made, 1);
    if (facts.RootOf(of) != facts.RootOf(found.array) || facts.RankOf(found.array) != 1) continue;
    return Text("RR-bounds  the value itself is `np.").Add(value).Add("(").Add(array).Add(")`");
  }
  return Text("RR-bounds  where `")
      .Add(found.index)
      .Add("` is never negative or beyond the end: `np.take(")
      .Add(array)
      .Add(", ")
      .Add(found.index, Binding::kPrimary)
      .Add(".reshape(1), axis=0, mode='clip')[0]`");
}

// The mask behind the positions that `np.nonzero(mask)` or `np.where(mask)` gives, one array for each axis; empty for
// others.
static Span MaskBehind(const Facts& facts, ir::ValueId key) {
  const ir::ValueId made = facts.Source(key);
  if (!made.valid() || facts.program().ops[made].kind != OpKind::kCall || facts.PositionalCount(made) != 1) return {};
  const std::string_view name = facts.CalleeOf(made).name;
  return name == "numpy.nonzero" || name == "numpy.where" ? facts.program().OperandSpan(made, 1) : Span{};
}

static Text HelpForFactorisation(const Facts& facts, ir::ValueId op) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  Text help("RR-batch  ");
  const bool stacks = match::TakesStacks(call.base);
  if (const ir::LoopId systems = match::LoopOverSystems(facts, call);
      stacks && systems.valid() && match::AreIndependent(facts, call, systems)) {
    const Span loop = facts.program().loops[systems].header_span;
    return help.Add(match::HelpForStack(facts, call)).Add(", before ").Add(match::Quoted(loop));
  }
  help.Add("factorise once before the loop where the matrix stays the same");
  if (!stacks) return help.Add("; ").Add(match::Quoted(facts.program().OperandSpan(op, 0))).Add(" takes no stacks");
  const ir::LoopId loop = facts.HeatOf(op).loop;
  const bool depends = loop.valid() && facts.InLoop(op, loop) && match::MayFeedItself(facts, op, loop);
  return help
      .Add(depends ? "; where each pass needs the one before, run several problems side by side, stacked along a "
                     "leading axis"
                   : ", or stack the problems of the passes along a leading axis")
      .Add(match::StacksAreSolved(call.base));
}

static Text Help(const Facts& facts, ir::ValueId op, const Throwing& found, bool hot) {
  const Span array = found.kind == Throwing::Kind::kCall || found.kind == Throwing::Kind::kFactorisation
                         ? Span{}
                         : facts.program().OperandSpan(op, 0);
  switch (found.kind) {
    case Throwing::Kind::kNone: break;
    case Throwing::Kind::kGather:
    case Throwing::Kind::kScatter: {
      const Stretch stretch = StretchOf(facts, found.key);
      if (!stretch.end.empty() && facts.KeysOf(op).size() == 1) {
        Text help("RR-bounds  the index is one stretch: `");
        return help.Add(array, Binding::kPrimary)
            .Add("[")
            .Add(stretch.first)
            .Add(":")
            .Add(stretch.end)
            .Add("]` is a view");
      }
      if (Writes(facts, op)) {
        return Text("RR-bounds  where a mask or a slice selects the same entries, write through it; duplicates in ")
            .Add(match::Quoted(found.index))
            .Add(" are undefined");
      }
      // A tuple of index arrays is one for each axis, which `take` would gather along the first.
      const bool several = facts.Of(found.key).kind == analysis::Kind::kTuple || facts.SubscriptOf(op).keys.size() != 1;
      if (const Span mask = several ? MaskBehind(facts, found.key) : Span{}; !mask.empty()) {
        return Text("RR-bounds  keep the mask ")
            .Add(match::Quoted(mask))
            .Add(" and select with it, in place of its positions ")
            .Add(match::Quoted(found.index))
            .Add(": it tests no index");
      }
      if (facts.KeysOf(op).size() == 1 && !several) {
        Text help("RR-bounds  where no index is negative or beyond the end: `np.take(");
        help.Add(array).Add(", ").Add(found.index).Add(", axis=0, mode='clip')`");
        if (facts.RankOf(found.key) >= 0 || facts.Of(found.key).kind == analysis::Kind::kList) return help;
        return help.Add(", with `")
            .Add(found.index, Binding::kPrimary)
            .Add(".reshape(1)` and a `[0]` behind where it is a single position");
      }
      if (!hot)
        return "RR-bounds  where a slice or a mask selects the same entries, select with that: it tests no index";
      return "RR-bounds  gather once before the loop where the indices stay the same, or select with slices and masks";
    }
    case Throwing::Kind::kScalarIndex: return HelpForPosition(facts, op, found, array, hot);
    case Throwing::Kind::kCall: return "RR-bounds  where a mask or a slice selects the same entries, write through it";
    case Throwing::Kind::kFactorisation: return HelpForFactorisation(facts, op);
  }
  return {};
}

// Fires when
//   1. the site is hot and runs more often than every tenth pass; elsewhere once per function, for information, and
//      not for factorisations,
//   2. (a) an array is read or written through an index array, a list of integers, a range, `np.ix_`, or an index that
//      only the device knows, (b) put is called, or (c) a matrix is factorised, inverted or solved with.
// Quiet: (a), (b) and (e) slices, masks and Python integers are no such index, (c) `take` in clip mode is another call.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const bool call = facts.program().ops[op].kind == OpKind::kCall;
  const Throwing found = call ? OfCall(facts, op, trial.target()) : OfSubscript(facts, op);
  if (!trial.Holds(2, static_cast<bool>(found)) || !found) return;
  // What is there for sure when it is cold says more than what may be hot.
  const match::HotSite site = match::WaitSiteOf(facts, op);
  const bool hot = site && analysis::ConfidenceOf(site.evidence) != Confidence::kPossible;
  if (!trial.Holds(1, hot || found.kind != Throwing::Kind::kFactorisation)) return;

  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Evidence(found.evidence).Help(Help(facts, op, found, hot));
  if (analysis::MayHoldKeys(facts, found.array)) report.Confidence(Confidence::kPossible);
  if (!hot) {
    report.Key("indexing").Severity(Severity::kInfo).PrimaryLabel("the host waits here until it is done");
    return;
  }
  report.Root(facts.RootOf(found.array)).PrimaryLabel("the host waits here until it is done");
  match::TellPasses(facts, op, span, report);
  if (found.kind != Throwing::Kind::kCall && found.kind != Throwing::Kind::kFactorisation)
    report.Doctor("advanced indexing");
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 116,
    .slug = "throwing-task-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kInfo,
    .summary = "a task that may raise, so that the host waits for it",
    .message = "`{expr}` may raise inside its task, so the host waits for it[[ on every pass of {passes}]]",
    .why =
        "an index may be out of bounds and a matrix singular; the runtime finishes such a task before Python goes on, "
        "to raise at the right line (26.07)",
    .details = R"md(
An index array may hold an index that is out of bounds, and a matrix may be singular. cuPyNumeric raises what NumPy raises,
at the line where NumPy raises it, so the runtime finishes such a task before the next Python statement. On every pass of a
hot loop the device runs dry.

**Fires when**

1. the site is hot and runs more often than every tenth pass; elsewhere it is information, once per function, and not for (c)
2. any of
   - (a) an array is read or written through an index array, a list of integers, a range, `np.ix_(...)`, or an index that only the device knows, such as `a[np.argmax(b)]`
   - (b) `np.put`
   - (c) `linalg.cholesky`, `qr`, `svd`, `solve`, `inv`, `eig`, `eigh`, `eigvals`, `eigvalsh`, `pinv`, of any size

**Stays quiet**

- (a) slices and Python integers
- (b) a mask of the whole shape with a number: `a[m] = 0.0`
- (c) `np.take(a, idx, axis, mode='clip')` and `'wrap'`, which do not test
- (d) `a[k]` with the counter of a `range` or `enumerate`

With `CUPYNUMERIC_DISABLE_BOUNDS_CHECKING=all` reads, writes, `put` and `take` no longer wait; factorisations still do.
A gather moves data between all processors. With duplicates in the index of a write the result is undefined; NumPy's last
value wins only there. Doctor reports the slow keys alone (two index arrays, an index array beside a slice); the plain
`a[idx]` and all factorisations pass unseen.
)md",
    .bad = R"py(import numpy as np


def propagate(n, steps):
    u = np.ones(n)
    source = np.arange(n, dtype=np.int64) // 2
    for _ in range(steps):
        u = 0.5 * (u + u[source])
    return u
)py",
    .good = R"py(import numpy as np


def propagate(n, steps):
    u = np.ones(n)
    source = np.arange(n, dtype=np.int64) // 2
    for _ in range(steps):
        u = 0.5 * (u + np.take(u, source, axis=0, mode='clip'))
    return u
)py",
    .recipe = "RR-bounds",
    .fix = FixClass::kUnsafe,
    .ops = {OpKind::kSubscript, OpKind::kStoreSubscript, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r116
