// R203 joining-in-loop: arrays glued together on every pass.

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/analysis/call_path.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/lifetime.h"
#include "rules/match/rebinding.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r203 {

using match::DeviceCall;

constexpr std::int64_t kFewTrips = 5;
constexpr std::int64_t kManyTrips = 100;
constexpr std::int64_t kSmallVector = 1024;

static bool Joins(const DeviceCall& call) {
  return !call.method &&
         match::IsOneOf(call.base, {"concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "block",
                                    "append", "insert", "row_stack", "concat"});
}

// The arrays that are joined: the arguments, and the elements of a list or tuple among them.
static std::vector<ir::ValueId> Pieces(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> pieces;
  for (const ir::ValueId argument : program.Operands(call).subspan(1)) {
    if (!argument.valid()) continue;
    pieces.push_back(argument);
    const ir::OpKind kind = program.ops[argument].kind;
    if (kind != ir::OpKind::kList && kind != ir::OpKind::kTuple) continue;
    for (const ir::ValueId element : program.Operands(argument)) {
      if (element.valid()) pieces.push_back(element);
    }
  }
  return pieces;
}

// The pieces are written out in the call; a list that was gathered before is joined once.
static bool JoinsDisplay(const Facts& facts, ir::ValueId call) {
  const auto operands = facts.program().Operands(call);
  const ir::ValueId first = operands.size() > 1 ? operands[1] : ir::ValueId::None();
  if (!first.valid()) return false;
  const ir::OpKind kind = facts.program().ops[first].kind;
  return facts.IsDevice(first) || ((kind == ir::OpKind::kList || kind == ir::OpKind::kTuple) &&
                                   facts.program().ops[call].span.Contains(facts.program().ops[first].span));
}

static bool HasKnownSize(const Facts& facts, ir::ValueId array) {
  return facts.store().dims().AsConst(facts.VolumeOf(array)).has_value();
}

// Each pass works on a new object of the class that the method is of: what one pass adds is gone in the next.
static bool OnNewObjects(const Facts& facts, ir::ValueId op, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ClassId owner = program.functions[program.FunctionOf(op)].owner;
  if (!owner.valid() || facts.InLoop(op, loop)) return false;
  const auto& calls = program.functions[program.loops[loop].function].calls;
  return std::any_of(calls.begin(), calls.end(), [&](ir::ValueId call) {
    const analysis::Callee& callee = facts.CalleeOf(call);
    return facts.InLoop(call, loop) && callee.kind == analysis::Callee::Kind::kClass && callee.class_id == owner;
  });
}

// `hist[name]` in a loop over the names: another entry on each pass.
static bool IsOtherPlace(const Facts& facts, ir::ValueId place, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (program.ops[place].kind != ir::OpKind::kSubscript) return false;
  const ir::ValueId key = facts.Source(program.Operand(place, 1));
  return key.valid() && !facts.Of(key).constant && facts.InLoop(key, loop);
}

// The piece that the result takes the place of, in an attribute, a dictionary or a variable of others.
static ir::ValueId GrownAtPlace(const Facts& facts, ir::ValueId op, std::span<const ir::ValueId> pieces,
                                ir::LoopId loop) {
  if (!loop.valid() || OnNewObjects(facts, op, loop)) return {};
  const auto grown = std::find_if(pieces.begin(), pieces.end(), [&](ir::ValueId piece) {
    return match::GrowsAtPlace(facts, op, piece) && !IsOtherPlace(facts, piece, loop);
  });
  return grown == pieces.end() ? ir::ValueId::None() : *grown;
}

// The value of the pass before, as this pass has changed it: `xs *= 0.9; xs = np.append(xs, new)`.
static bool ComesFrom(const Facts& facts, ir::ValueId piece, ir::ValueId before) {
  constexpr int kMostSteps = 8;
  const ir::Program& program = facts.program();
  ir::ValueId value = facts.Source(piece);
  for (int step = 0; step < kMostSteps && value.valid(); ++step) {
    if (value == facts.Source(before)) return true;
    if (program.ops[value].kind != ir::OpKind::kInplaceBinary && !match::IsElementwise(facts, value)) return false;
    const auto operands = program.Operands(value);
    const auto array = std::ranges::find_if(operands, [&](ir::ValueId operand) { return facts.HasAxis(operand); });
    value = array == operands.end() ? ir::ValueId::None() : facts.Source(*array);
  }
  return false;
}

// `a` of `def grow(a, b): return np.concatenate((a, b))` where a loop calls it as `xs = grow(xs, new)`.
static ir::ValueId GrownByCalls(const Facts& facts, ir::ValueId op, std::span<const ir::ValueId> pieces,
                                ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const auto uses = facts.UsesOf(op);
  const auto returns = [&](ir::ValueId use) { return program.ops[use].kind == ir::OpKind::kReturn; };
  if (!loop.valid() || facts.InLoop(op, loop) || std::ranges::none_of(uses, returns)) return {};
  const ir::FunctionId function = program.FunctionOf(op);
  const std::span<const ir::Param> params = program.functions[function].params;
  for (const ir::ValueId call : facts.CallSitesOf(function)) {
    const ir::ValueId before = facts.InLoop(call, loop) ? match::NextPassOf(facts, call, loop) : ir::ValueId::None();
    if (!before.valid()) continue;
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (std::ranges::find(pieces, params[i].value) == pieces.end()) continue;
      if (ComesFrom(facts, analysis::HandedOver(facts, call, function, i).value, before)) return params[i].value;
    }
  }
  return {};
}

// One row more: a vector that is stacked, or one entry that is appended to a vector.
static bool IsOneRow(const Facts& facts, const DeviceCall& call, ir::ValueId piece) {
  const int rank = facts.RankOf(piece);
  if (match::IsOneOf(call.base, {"vstack", "row_stack"}) && rank == 1) return true;
  const bool along_rows = match::IsOneOf(call.base, {"vstack", "row_stack"}) ||
                          (match::IsOneOf(call.base, {"concatenate", "concat", "append", "hstack"}) && rank == 1);
  return along_rows && rank >= 1 && facts.store().dims().AsConst(facts.ExtentOf(piece, 0)) == 1;
}

// The row that a pass writes where it adds one row, each pass does, and the rows before the loop are counted.
static Text RowOfPass(const Facts& facts, const DeviceCall& call, std::span<const ir::ValueId> pieces,
                      ir::ValueId grown, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (!facts.InLoop(call.call, loop) || program.LoopOf(call.call) != loop || program.loops[loop].has_break) return {};
  const ir::GuardId guard = program.blocks[program.ops[call.call].block].guard;
  if (guard.valid() && program.guards[guard].loop == loop) return {};
  const Span counter = match::PassNumberOf(facts, loop);
  std::vector<ir::ValueId> parts;
  std::copy_if(pieces.begin(), pieces.end(), std::back_inserter(parts), [&](ir::ValueId piece) {
    return program.ops[piece].kind != ir::OpKind::kList && program.ops[piece].kind != ir::OpKind::kTuple;
  });
  const bool one = parts.size() == 2 && parts[0] == grown && IsOneRow(facts, call, parts[1]);
  const ir::ValueId phi = facts.Source(grown);
  if (counter.empty() || !one || !phi.valid() || program.ops[phi].kind != ir::OpKind::kPhi) return {};
  std::optional<std::int64_t> before;
  for (const ir::ValueId entering : program.Operands(phi)) {
    if (!entering.valid() || facts.InLoop(entering, loop)) continue;
    if (before) return {};
    before = facts.store().dims().AsConst(facts.ExtentOf(entering, 0));
    if (!before) return {};
  }
  if (!before) return {};
  Text row(counter);
  return *before == 0 ? row : row.Add(" + ").Add(std::to_string(*before));
}

// Something else in the loop reads the array as far as it is.
static bool IsReadBetween(const Facts& facts, ir::ValueId op, ir::ValueId grown, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId value : {op, grown}) {
    for (const ir::ValueId use : facts.UsesOf(value)) {
      const bool joins = use == op || program.ops[op].span.Contains(program.ops[use].span);
      if (facts.InLoop(use, loop) && !joins && program.ops[use].kind != ir::OpKind::kPhi) return true;
    }
  }
  return false;
}

// Fires when
//   1. the site is hot, or its loop is known to run 8 times or more,
//   2. a call of the device library joins arrays, and
//   3. the result is the next pass's value of one of its inputs (growing form: a variable, an attribute, an entry of a
//      dictionary), or has the same shape on every pass (constant form).
// Quiet: (a) outside of loops and of a list gathered before, (b) list.append and (c) other libraries are no such calls,
// (d) two small vectors, (e) few constant trips, (f) host arrays, (g) loops over the items of a Python list.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!trial.Holds(2, call && Joins(call) && facts.IsDevice(op))) return;
  if (!call) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  const ir::LoopId around = facts.program().LoopOf(op);
  const ir::LoopId loop = around.valid() ? around : hot.loop;  // what grows, grows in the loop around the statement
  if (!loop.valid() && !hot.driven) return;
  if (!trial.Holds(1, hot || facts.TripsKnownAtLeast(loop, 8))) return;
  if (trial.Quiet('a', !around.valid() && !JoinsDisplay(facts, op))) return;
  const std::vector<ir::ValueId> pieces = Pieces(facts, op);
  const ir::ValueId next = loop.valid() ? match::NextPassOf(facts, op, loop) : ir::ValueId::None();
  ir::ValueId grown;
  for (const ir::ValueId piece : pieces) {
    if (next.valid() && ComesFrom(facts, piece, next)) grown = piece;
  }
  const bool at_place = !grown.valid();
  if (at_place) grown = GrownAtPlace(facts, op, pieces, loop);
  if (!grown.valid()) grown = GrownByCalls(facts, op, pieces, loop);
  const bool growing = grown.valid();
  const bool same_shape = loop.valid() ? facts.ExtentsInvariant(op, loop) : HasKnownSize(facts, op);
  if (!trial.Holds(3, growing || (same_shape && !match::LeavesThePass(facts, op, loop, false)))) return;
  if (trial.Quiet('d', facts.KnownBelow(op, kSmallVector))) return;
  if (trial.Quiet('e', loop.valid() && facts.TripsKnownBelow(loop, kFewTrips))) return;
  if (trial.Quiet('g', loop.valid() && match::WalksItems(facts, op, loop))) return;

  const ir::Program& program = facts.program();
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  const ir::ValueId of_place = at_place ? facts.RootOf(grown) : next;
  report.Arg("call", span).Root(growing ? of_place : op).Evidence(call.evidence | facts.Of(op).evidence);
  if (!match::IsOneOf(call.base, {"hstack", "vstack"})) report.Doctor("");  // it watches no other
  match::TellPasses(facts, op, span, report);
  if (!growing) {
    report.Message("`{call}` copies its parts into a new array of the same shape[[ {passes}]]")
        .PrimaryLabel("every part is copied")
        .Why("each pass allocates the joined array and copies every part into it")
        .Help("RR-stack  make the array once before the loop and write each part into its slice");
    return;
  }
  report.PrimaryLabel("copies what was there and adds to it");
  if (facts.TripsKnownAtLeast(loop, kManyTrips)) report.Severity(Severity::kError);
  Text help("RR-stack  ");
  if (const Text row = RowOfPass(facts, call, pieces, grown, loop); !row.empty()) {
    help.Add("allocate all rows before the loop and write row `").Add(row).Add("` on each pass");
  } else if (next.valid() && !at_place && facts.Source(grown) != facts.Source(next)) {
    help.Add(
        "the passes change all of it: make the array in its final length before the loop and work on the part of it "
        "that is filled");
  } else {
    help.Add("collect the pieces in a list and join them once after the loop");
    if (IsReadBetween(facts, op, grown, loop)) help.Add(", where nothing in it needs all of them");
  }
  report.Help(help);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 203,
    .slug = "joining-in-loop",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "arrays joined on every pass of a hot loop",
    .message = "`{call}` copies everything gathered so far into a new array[[ {passes}]]",
    .why =
        "each pass allocates an array of a new size and copies every operand; new sizes defeat the recycling of "
        "storage",
    .details = R"md(
Fires in hot loops, and in loops of eight passes or more, on `concatenate`, `stack`, `hstack`, `vstack`, `dstack`,
`column_stack`, `block`, `append`, `insert` of device arrays, where the result becomes one of the inputs of the next pass
(the array grows, in a variable, an attribute or an entry of a dictionary, whether the pass changes it first or a function of the
program joins it; an error from 100 passes on) or has the same shape on every pass (ghost cells put on anew each step).

Stays quiet on one call after the loop, on `list.append`, on pandas, on small vectors, on loops of four passes or fewer,
on loops that walk a Python list by its index, and on host arrays.

The runtime allocates and makes one slice copy per operand. Doctor watches `hstack` and `vstack` only, from the second
call on a line.
)md",
    .bad = R"py(
import numpy as np

def record(n, steps):
    p = np.zeros(n)
    track = p[None, :]
    for _ in range(steps):
        p = p + 0.1
        track = np.vstack([track, p])
    return track
)py",
    .good = R"py(
import numpy as np

def record(n, steps):
    p = np.zeros(n)
    track = np.zeros((steps + 1, n))
    for i in range(steps):
        p += 0.1
        track[i + 1] = p
    return track
)py",
    .recipe = "RR-stack",
    .fix = FixClass::kUnsafe,
    .doctor = "repeated stacking",
    .conditions = R"md(
1. the site is hot, or its loop is known to run 8 times or more
2. a call of the device library joins arrays
3. the result is the next pass's value of one of its inputs, or has the same shape on every pass
- (a) a list that was gathered before is joined, outside of the loop that filled it
- (d) two small vectors are joined
- (e) the loop makes a few constant trips
- (g) a loop over the items of a Python list
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r203
