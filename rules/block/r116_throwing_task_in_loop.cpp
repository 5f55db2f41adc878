// R116 throwing-task-in-loop: tasks that may raise, which the runtime finishes before it goes on.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analysis/item_doubt.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/factorisation.h"
#include "rules/match/hidden_wait.h"
#include "rules/match/hot_site.h"
#include "rules/match/picked.h"
#include "rules/match/positions.h"
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
  if (const Text peak = match::AtPeak(facts, op, found.key, found.array, array); !peak.empty())
    return Text("RR-bounds  ").Add(peak);
  // Several positions, one for each axis.
  const analysis::Kind kind = facts.Of(found.key).kind;
  if (kind != analysis::Kind::kArray && kind != analysis::Kind::kNumpyScalar)
    return "RR-bounds  find such positions on the host, or work on many at once with index arrays";
  return Text("RR-bounds  where `")
      .Add(found.index)
      .Add("` is never negative or beyond the end: `np.take(")
      .Add(array)
      .Add(", ")
      .Add(found.index, Binding::kPrimary)
      .Add(".reshape(1), axis=0, mode='clip')[0]`");
}

// `x[:, idx]`: the axis along which the one index array selects, where all other keys are `:`; nothing where there is
// another key.
static std::optional<int> OnlyAxis(const Facts& facts, ir::ValueId op) {
  const std::vector<Key>& keys = facts.SubscriptOf(op).keys;
  if (keys.size() != facts.KeysOf(op).size()) return std::nullopt;
  std::optional<int> axis;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].kind == KeyKind::kSlice && keys[i].full) continue;
    if (keys[i].kind != KeyKind::kIndexArray || axis) return std::nullopt;
    axis = static_cast<int>(i);
  }
  return axis;
}

// `:, :, ` in front of the key of the axis.
static std::string Colons(int axis) {
  std::string colons;
  for (int i = 0; i < axis; ++i) colons += ":, ";
  return colons;
}

// `x[:, (1, 2, 3, 0)]` in stretches: `np.concatenate((x[:, 1:4], x[:, :1]), axis=1)`; empty where one `take` does it
// with fewer tasks.
static Text InStretches(const std::vector<std::int64_t>& positions, Span array, int axis) {
  std::vector<std::pair<std::int64_t, std::int64_t>> stretches;
  for (const std::int64_t position : positions) {
    if (!stretches.empty() && stretches.back().second == position && position != 0) {
      ++stretches.back().second;
    } else {
      stretches.emplace_back(position, position + 1);
    }
  }
  const bool from_end = std::ranges::any_of(positions, [](std::int64_t position) { return position < 0; });
  if (stretches.empty() || stretches.size() > (from_end ? 4 : 2)) return {};
  Text slices;
  for (const auto& [first, end] : stretches) {
    if (!slices.empty()) slices.Add(", ");
    slices.Add(array, Binding::kPrimary)
        .Add("[" + Colons(axis) + (first == 0 ? "" : std::to_string(first)) + ":" +
             (end == 0 ? "" : std::to_string(end)) + "]");
  }
  Text help("RR-bounds  ");
  if (stretches.size() == 1) return help.Add("the positions are one stretch: `").Add(slices).Add("` is a view");
  return help.Add("the positions are stretches: `np.concatenate((")
      .Add(slices)
      .Add("), axis=" + std::to_string(axis) + ")`");
}

// A number below 0 is written among the positions: `list(columns) + [-1]`.
static bool CountsFromEnd(const Facts& facts, ir::ValueId positions) {
  return std::ranges::any_of(match::ExpressionOf(facts, positions), [&](ir::ValueId part) {
    const auto number = facts.IntOf(part);
    const auto users = facts.UsesOf(part);
    return number && *number < 0 && std::ranges::any_of(users, [&](ir::ValueId use) {
             const OpKind kind = facts.program().ops[use].kind;
             return kind == OpKind::kList || kind == OpKind::kTuple;
           });
  });
}

// `np.take(x, idx, axis=0, mode='clip')`; empty where the gather is along several axes, or nobody knows which.
static Text HelpForTake(const Facts& facts, ir::ValueId op, const Throwing& found, Span array) {
  const std::optional<int> axis = OnlyAxis(facts, op);
  const bool lone = facts.KeysOf(op).size() == 1;
  // A tuple alone is one index array for each axis, which `take` would gather along the first.
  if (!axis || (lone && facts.Of(found.key).kind == analysis::Kind::kTuple)) return {};
  const analysis::Kind kind = facts.Of(found.key).kind;
  const bool has_axis = facts.RankOf(found.key) >= 0 || facts.HasAxis(found.key) || kind == analysis::Kind::kList ||
                        kind == analysis::Kind::kTuple;
  if (!has_axis && *axis != 0) return {};
  if (const Text stretches = InStretches(match::WrittenOut(facts, found.key), array, *axis); !stretches.empty())
    return stretches;
  if (CountsFromEnd(facts, found.key)) return {};
  const bool in_range = match::AreInRange(facts, found.key, found.array, *axis) ||
                        !match::WrittenOut(facts, found.key).empty();  // or NumPy would raise
  Text help(in_range ? "RR-bounds  every index is in range: `np.take("
                     : "RR-bounds  where no index is negative or beyond the end: `np.take(");
  help.Add(array).Add(", ").Add(found.index).Add(", axis=" + std::to_string(*axis) + ", mode='clip')`");
  if (has_axis) return help;
  return help.Add(", with `")
      .Add(found.index, Binding::kPrimary)
      .Add(".reshape(1)` and a `[0]` behind where it is a single position");
}

static bool IsAugmented(const Facts& facts, ir::ValueId op) {
  return (facts.program().ops[op].flags & ir::kAugmented) != 0;
}

// `x[drawn] += 2.0`, `x[drawn] = 0`: each position gets the same value, however often it is written.
static bool WritesOneNumber(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  if (program.ops[op].kind == OpKind::kSubscript) {  // the half of `x[drawn] += 2.0` that reads
    const auto uses = facts.UsesOf(op);
    const auto store = std::ranges::find_if(uses, [&](ir::ValueId use) {
      return program.ops[use].kind == OpKind::kInplaceBinary && program.ops[use].statement == program.ops[op].statement;
    });
    return store != uses.end() && analysis::IsNumber(facts.Of(program.Operand(*store, 1)).kind);
  }
  if (program.ops[op].kind != OpKind::kStoreSubscript) return false;
  const ir::ValueId stored = program.Operand(op, 1);
  if (!stored.valid()) return false;
  const bool augmented =
      (program.ops[op].flags & ir::kAugmented) != 0 && program.ops[stored].kind == OpKind::kInplaceBinary;
  return analysis::IsNumber(facts.Of(augmented ? program.Operand(stored, 1) : stored).kind);
}

static Text HelpForWrite(const Facts& facts, ir::ValueId op, const Throwing& found) {
  if (match::AreDrawn(facts, found.key)) {
    if (WritesOneNumber(facts, op)) {
      return Text("RR-bounds  what is drawn twice in ")
          .Add(match::Quoted(found.index))
          .Add(" gets the same number each time, so that nothing is undefined")
          .Add(IsAugmented(facts, op) ? ", and as with NumPy it counts once" : "");
    }
    return Text("RR-bounds  of positions that are drawn twice in ")
        .Add(match::Quoted(found.index))
        .Add(" it is undefined which write stays: draw without replacement, or add up with `np.bincount`");
  }
  if (const Text mask = match::ByColumn(facts, op, facts.program().OperandSpan(op, 0)); !mask.empty())
    return Text("RR-bounds  ").Add(mask);
  Text help("RR-bounds  where a mask or a slice selects the same entries, write through it");
  if (match::AreDistinct(facts, facts.KeysOf(op))) return help;
  return help.Add("; duplicates in ").Add(match::Quoted(found.index)).Add(" are undefined");
}

// The same on every pass of the loop that the site is hot in, for all that is known; the loop may lie in a caller.
static bool MayStaySame(const Facts& facts, ir::ValueId op, ir::ValueId value) {
  const ir::LoopId loop = facts.HeatOf(op).loop;
  if (!loop.valid() || !facts.InLoop(op, loop)) return true;
  return facts.Invariant(value, loop) && !facts.MutatedIn(facts.RootOf(value), loop);
}

static Text HelpForRead(const Facts& facts, ir::ValueId op, const Throwing& found, Span array, bool hot) {
  if (const Text sum = match::ByColumn(facts, op, array); !sum.empty()) return Text("RR-bounds  ").Add(sum);
  if (const Text take = HelpForTake(facts, op, found, array); !take.empty()) return take;
  if (const match::AskedFor asked = match::ConditionBehind(facts, found.key); asked.value.valid()) {
    Text help("RR-bounds  keep the mask `");
    if (asked.mask) help.Add(asked.words);
    if (!asked.mask) help.Add(asked.words, Binding::kBitOr).Add(" != 0");
    return help.Add("` and select with it, in place of its positions ")
        .Add(match::Quoted(found.index))
        .Add(": it tests no index");
  }
  if (match::AreDrawn(facts, found.key)) {
    return hot ? "RR-bounds  draw the positions of all passes before the loop and gather once"
               : "RR-bounds  no slice and no mask selects what is drawn: one gather of all that is needed waits once";
  }
  if (!hot || !MayStaySame(facts, op, found.array))
    return "RR-bounds  where a slice or a mask selects the same entries, select with that: it tests no index";
  return Text("RR-bounds  gather once before the loop where ")
      .Add(match::Quoted(array))
      .Add(" and the indices stay the same, or select with slices and masks");
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
      .Add(match::StacksAreSolved(facts, call));
}

static Text Help(const Facts& facts, ir::ValueId op, const Throwing& found, bool hot) {
  const Span array = found.kind == Throwing::Kind::kCall || found.kind == Throwing::Kind::kFactorisation
                         ? Span{}
                         : facts.program().OperandSpan(op, 0);
  switch (found.kind) {
    case Throwing::Kind::kNone: break;
    case Throwing::Kind::kGather:
    case Throwing::Kind::kScatter: {
      if (const auto axis = OnlyAxis(facts, op)) {
        const Text slice = match::AsSlice(match::StretchOf(facts, found.key), facts, array, Colons(*axis));
        if (!slice.empty()) return Text("RR-bounds  ").Add(slice);
      }
      return Writes(facts, op) ? HelpForWrite(facts, op, found) : HelpForRead(facts, op, found, array, hot);
    }
    case Throwing::Kind::kScalarIndex: return HelpForPosition(facts, op, found, array, hot);
    case Throwing::Kind::kCall: return "RR-bounds  where a mask or a slice selects the same entries, write through it";
    case Throwing::Kind::kFactorisation: return HelpForFactorisation(facts, op);
  }
  return {};
}

// `float(x[idx])`, `set(x[idx])`, `ax.scatter(u, v, c=c[idx])`: what the gather gives is fetched in the same
// expression, and the wait is charged there (rules.md A.7.3).
static bool IsFetchedAtOnce(const Facts& facts, ir::ValueId op, bool hot) {
  using Read = analysis::HostRead::Kind;
  const ir::Program& program = facts.program();
  if (program.ops[op].kind != OpKind::kSubscript) return false;
  const auto uses = facts.UsesOf(op);
  const auto reads = facts.HostReadsOf(program.FunctionOf(op));
  return !uses.empty() && std::ranges::all_of(uses, [&](ir::ValueId use) {
    if (program.ops[use].statement != program.ops[op].statement) return false;
    return std::ranges::any_of(reads, [&](const analysis::HostRead& read) {
      const bool call = program.ops[use].kind == OpKind::kCall;
      const std::string_view name = call ? facts.CalleeOf(use).name : std::string_view();
      const bool walks =
          call && read.kind == Read::kIteration && match::IsOneOf(name, {"frozenset", "list", "set", "tuple"});
      const bool lists = call && read.kind == Read::kConversion && name.ends_with(".tolist");
      // R104 and R117 speak of hot sites alone.
      const bool converts = walks || lists || (hot && (read.kind == Read::kConversion || read.kind == Read::kForeign));
      return read.op == use && read.value == op && converts;
    });
  });
}

// `v[q], y[q], z[q]`: the first op of the statement that selects by the same index. They are one finding.
static ir::ValueId FirstByIndex(const Facts& facts, ir::ValueId op, const Throwing& found) {
  const ir::Program& program = facts.program();
  const ir::ValueId index = found.key.valid() ? facts.Source(found.key) : found.key;
  if (!index.valid() || !facts.IsDevice(index)) return op;
  for (const ir::ValueId other : facts.UsesOf(index)) {
    if (other == op || program.ops[other].statement != program.ops[op].statement) continue;
    if (program.ops[other].kind != program.ops[op].kind || program.ops[other].kind != OpKind::kSubscript) continue;
    const Throwing first = OfSubscript(facts, other);
    if (first && facts.Source(first.key) == index && other < op) op = other;
  }
  return op;
}

// One index array, with whole axes and numbers beside it, is the way that Doctor takes for fast, of arrays of up to
// four axes; several, and one beside a part of an axis or a mask, are not (26.6.1, executed).
static bool DoctorSpeaks(const Facts& facts, ir::ValueId op) {
  constexpr int kFirstSlowRank = 5;
  const std::vector<Key>& keys = facts.SubscriptOf(op).keys;
  const auto selects = [](const Key& key) {
    return key.kind == KeyKind::kIndexArray || key.kind == KeyKind::kMask || key.device_scalar;
  };
  const auto cuts = [](const Key& key) { return key.kind == KeyKind::kSlice && !key.full; };
  return std::ranges::count_if(keys, selects) > 1 || std::ranges::any_of(keys, cuts) ||
         facts.RankOf(facts.program().Operand(op, 0)) >= kFirstSlowRank;
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
  if (trial.Quiet('f', !call && IsFetchedAtOnce(facts, op, hot))) return;
  if (!trial.Holds(1, hot || found.kind != Throwing::Kind::kFactorisation)) return;

  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Evidence(found.evidence).Help(Help(facts, op, found, hot));
  if (analysis::MayHoldKeys(facts, found.array)) report.Confidence(Confidence::kPossible);
  if (!hot) {
    report.Key("indexing").Severity(Severity::kInfo).PrimaryLabel("the host waits here until it is done");
    return;
  }
  const ir::ValueId first = call ? op : FirstByIndex(facts, op, found);
  report.Root(facts.RootOf(first == op ? found.array : facts.program().Operand(first, 0)));
  report.PrimaryLabel("the host waits here until it is done");
  match::TellPasses(facts, op, span, report);
  if (!call && DoctorSpeaks(facts, op)) report.Doctor("advanced indexing");
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 116,
    .slug = "throwing-task-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kInfo,
    .summary = "a task that may raise, so that the host waits for it",
    .message = "`{expr}` may raise inside its task, so the host waits for it[[ {passes}]]",
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
- (f) a gather that the same expression fetches, where that is told: in a loop `float(a[idx])` (R104) and
  `ax.scatter(u, v, c=c[idx])` (R117), everywhere `set(a[idx])`, `list(a[idx])` (R103) and `a[idx].tolist()`, where the list itself waits

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
