// R114 data-dependent-shape-in-loop: results of unknown length, made and used on every pass.

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/one_number.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/rewrite.h"
#include "rules/match/same_expression.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r114 {

using analysis::Callee;
using analysis::KeyKind;
using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

constexpr int kMostCalls = 3;             // through which a value is followed into functions of the program
constexpr std::size_t kMostValues = 200;  // copies and parts of one value that are followed

struct Producer {
  ValueId array;
  ValueId mask;  // of a read through a mask
  bool sorted = false;
  analysis::EvidenceSet evidence = 0;

  explicit operator bool() const { return array.valid(); }
};

// `q[q > lim]`
static Producer OfMask(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const ValueId array = program.Operand(op, 0);
  // The load of `x[m] += v` is R212's.
  if (!facts.IsDevice(array) || (program.ops[op].flags & ir::kAugmented) != 0) return {};
  const analysis::SubscriptResult& result = facts.SubscriptOf(op);
  if (result.selects != analysis::SubscriptResult::Selects::kMasked) return {};
  const auto operands = facts.KeysOf(op);
  for (std::size_t i = 0; i < result.keys.size() && i < operands.size(); ++i) {
    if (result.keys[i].kind != KeyKind::kMask || result.keys[i].mask_rank == 0 || !facts.IsDevice(operands[i]))
      continue;
    return {array, operands[i], false,
            static_cast<analysis::EvidenceSet>(facts.Of(array).evidence | facts.Of(operands[i]).evidence)};
  }
  return {};
}

static Producer OfCall(const Facts& facts, ValueId op, const Target& target) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  const api::Entry* row = call ? match::Row(call.name, target.version) : nullptr;
  if (row == nullptr || row->unbound == api::Unbound::kNever) return {};
  if (!facts.IsDevice(call.array)) return {};
  const Producer found{call.array, {}, false, call.evidence};
  switch (row->unbound) {
    case api::Unbound::kNever: return {};
    case api::Unbound::kAlways: return found;
    case api::Unbound::kOneArgument:
      return !call.method && facts.program().ops[op].operand_count == 2 ? found : Producer{};
    case api::Unbound::kArrayCounts:
      return facts.IsArray(match::Argument(facts, call, 1, "repeats")) ? found : Producer{};
    case api::Unbound::kArrayIndex: return facts.IsArray(match::Argument(facts, call, 1, "obj")) ? found : Producer{};
    case api::Unbound::kOneDimensional:
      // The pieces that the processors hold have sizes of their own.
      if (target.gpus <= 1 || facts.RankOf(op) != 1) return {};
      return {call.array, {}, true, call.evidence};
  }
  return {};
}

// Looks for the first op that needs the length of a value, on the same pass of `loop`.
class Consumer {
 public:
  Consumer(const Facts& facts, ir::LoopId loop) : facts_(facts), program_(facts.program()), loop_(loop) {}

  ValueId Find(ValueId producer) {
    Push(producer, 0);
    for (std::size_t i = 0; i < work_.size() && i < kMostValues; ++i) {
      const Step step = work_[i];
      for (const ValueId use : facts_.UsesOf(step.value)) {
        if (!OnThePass(use)) continue;
        if (Needs(use, step)) return use;
      }
    }
    return {};
  }

 private:
  struct Step {
    ValueId value;
    int calls = 0;
  };

  void Push(ValueId value, int calls) {
    for (const Step& step : work_) {
      if (step.value == value) return;
    }
    work_.push_back({value, calls});
  }

  // Behind the loop the wait is paid once.
  [[nodiscard]] bool OnThePass(ValueId use) const {
    if (!loop_.valid()) return true;  // each call of a driver is a pass
    return program_.FunctionOf(use) != program_.loops[loop_].function || facts_.InLoop(use, loop_);
  }

  bool Needs(ValueId use, const Step& step) {
    const ir::Op& op = program_.ops[use];
    const bool array = facts_.IsDevice(step.value);
    switch (op.kind) {
      case OpKind::kBinary:
      case OpKind::kInplaceBinary:
      case OpKind::kUnary:
      case OpKind::kCompare: return array && facts_.IsDevice(use);
      case OpKind::kStoreSubscript: return array && program_.Operand(use, 1) == step.value;
      case OpKind::kPhi:
      case OpKind::kAnnotate:
      case OpKind::kUnpackItem: Push(use, step.calls); return false;
      case OpKind::kTuple: PushUnpacked(use, step); return false;
      case OpKind::kReturn: Leave(use, step); return false;
      case OpKind::kSubscript:
        // The parts of a tuple; an index of another array is a gather (R116).
        if (program_.Operand(use, 0) != step.value) return false;
        if (!array) Push(use, step.calls);
        return array;
      case OpKind::kAttr:
        if (!array) return false;
        if (match::IsOneOf(program_.Name(op), {"shape", "size"})) return true;
        if (match::IsOneOf(program_.Name(op), {"T", "real", "imag"})) Push(use, step.calls);
        return facts_.Of(use).kind == Kind::kMethod && IsCalled(use);
      case OpKind::kCall: return CallNeeds(use, step, array);
      default: return false;
    }
  }

  // `x, y = x[m], y[m]`: each name gets the item of its place.
  void PushUnpacked(ValueId tuple, const Step& step) {
    const auto items = program_.Operands(tuple);
    for (const ValueId use : facts_.UsesOf(tuple)) {
      const ir::Op& op = program_.ops[use];
      if (op.kind != OpKind::kUnpackItem) continue;
      const ir::ItemPosition at = ir::ItemPosition::Unpack(op.payload);
      if (at.star == ir::ItemPosition::kNoStar && at.index < items.size() && items[at.index] == step.value)
        Push(use, step.calls);
    }
  }

  [[nodiscard]] bool IsCalled(ValueId method) const {
    for (const ValueId use : facts_.UsesOf(method)) {
      if (program_.ops[use].kind == OpKind::kCall && program_.Operand(use, 0) == method && OnThePass(use)) return true;
    }
    return false;
  }

  bool CallNeeds(ValueId call, const Step& step, bool array) {
    const Callee& callee = facts_.CalleeOf(call);
    switch (callee.kind) {
      case Callee::Kind::kApi:
      case Callee::Kind::kMethod: return array && callee.library == analysis::Library::kDevice;
      case Callee::Kind::kBuiltin: return array && callee.name == "len";
      case Callee::Kind::kLocal: Enter(call, callee.function, step); return false;
      default: return false;
    }
  }

  // The parameters of a function of the program that get the value.
  void Enter(ValueId call, ir::FunctionId function, const Step& step) {
    if (step.calls >= kMostCalls) return;
    const std::span<const ir::Param> params = program_.functions[function].params;
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (analysis::HandedOver(facts_, call, function, i).value == step.value) Push(params[i].value, step.calls + 1);
    }
  }

  // What the function returns is what its calls on the pass give.
  void Leave(ValueId returns, const Step& step) {
    if (step.calls >= kMostCalls) return;
    for (const ValueId call : facts_.CallSitesOf(program_.FunctionOf(returns))) {
      if (OnThePass(call)) Push(call, step.calls + 1);
    }
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
  std::vector<Step> work_;
};

// The name of the reduction that the consumer is, if it takes `where=`.
static std::string_view ReductionOf(const Facts& facts, ValueId consumer) {
  ValueId call = consumer;
  const ir::Program& program = facts.program();
  if (program.ops[consumer].kind == OpKind::kAttr) {
    for (const ValueId use : facts.UsesOf(consumer)) call = use;
  }
  const match::DeviceCall found = match::AsDeviceCall(facts, call);
  if (!found || program.ops[call].operand_count > (found.method ? 1U : 2U)) return {};
  return match::IsOneOf(found.base, {"sum", "prod", "mean", "max", "min", "any", "all"}) ? found.base
                                                                                         : std::string_view{};
}

// `np.bincount(c[m], minlength=n)` counts what has the weight 0 as nothing.
static Text HelpForCount(const Facts& facts, ValueId op, ValueId count) {
  const ir::Program& program = facts.program();
  const Span array = program.OperandSpan(op, 0), mask = program.OperandSpan(op, 1);
  const Span weights = match::ArgumentSpan(facts, match::AsDeviceCall(facts, count), 1, "weights");
  if (!weights.empty() || !program.ops[count].span.Contains(program.ops[op].span)) {
    return Text("RR-masked-update  count all of ")
        .Add(match::Quoted(array))
        .Add(", with weights that are 0 where the mask does not hold");
  }
  const Text weighted = Text(array).Add(", weights=").Add(mask, Binding::kPrimary).Add(".astype(np.float64)");
  return Text("RR-masked-update  count with weights: `")
      .Add(match::Replace(program.ops[count].span, {{program.ops[op].span, weighted}}))
      .Add("`, which gives float64");
}

// Nothing is known against it: one mask, and no rank that another does not have.
static bool MayBeWholeMask(const Facts& facts, ValueId op) {
  const auto keys = facts.KeysOf(op);
  if (keys.size() != 1 || !facts.IsDevice(keys[0])) return false;
  const int array = facts.RankOf(facts.program().Operand(op, 0)), mask = facts.RankOf(keys[0]);
  return array < 0 || mask < 0 || array == mask;
}

// `np.median(x[m])`: the function that puts the selection in order; empty for others.
static std::string_view OrderingOf(const Facts& facts, ValueId consumer) {
  const std::string_view name = match::AsDeviceCall(facts, consumer).base;
  return match::IsOneOf(name, {"median", "percentile", "quantile"}) ? name : std::string_view{};
}

static Text Help(const Facts& facts, ValueId op, const Producer& made, ValueId consumer) {
  const ir::Program& program = facts.program();
  const std::string_view reduction = made.mask.valid() ? ReductionOf(facts, consumer) : std::string_view{};
  const bool whole = match::HasWholeMask(facts, op);
  if (!reduction.empty() && (whole || MayBeWholeMask(facts, op))) {
    const bool extremum = match::IsOneOf(reduction, {"max", "min"});
    const ir::DType dtype = facts.Of(program.Operand(op, 0)).dtype;
    Text help("RR-masked-reduce  write `np.");
    help.Add(reduction).Add("(").Add(program.OperandSpan(op, 0)).Add(", where=").Add(program.OperandSpan(op, 1));
    if (extremum)
      help.Add(ir::IsFloat(dtype) ? (reduction == "max" ? ", initial=-np.inf" : ", initial=np.inf") : ", initial=...");
    help.Add(")`");
    if (!whole) help.Add(" where the mask has all axes of ").Add(match::Quoted(program.OperandSpan(op, 0)));
    if (!extremum) return help;
    return help.Add(ir::IsFloat(dtype) ? ": `initial` where the mask selects nothing, which raises now"
                                       : (reduction == "max" ? ", with a number that no entry is below as `initial`"
                                                             : ", with a number that no entry is above as `initial`"));
  }
  if (made.mask.valid() && match::HasWholeMask(facts, op) && facts.CallsDevice(consumer, "numpy.bincount"))
    return HelpForCount(facts, op, consumer);
  if (const std::string_view ordering = OrderingOf(facts, consumer); made.mask.valid() && !ordering.empty()) {
    return Text("RR-masked-update  `np.")
        .Add(ordering)
        .Add(
            "` takes no `where=`, so it needs the selection: take it on fewer passes, or, where each mask is a group, "
            "sort "
            "once by group before the loop, so that the groups are slices");
  }
  if (made.mask.valid()) {
    return Text("RR-masked-update  compute on all of ")
        .Add(match::Quoted(program.OperandSpan(op, 0)))
        .Add(" and choose with `np.where` or `where=` in the reduction");
  }
  if (made.sorted) return "sort once before the loop, or keep the passes as rows and sort along axis 1";
  return "RR-masked-reduce  keep the mask and let `np.where`, `np.putmask` or `where=` in a reduction use it";
}

// No test stands around the use alone: `if cut > 0: x = x[w]` may not come, and another use is the first.
static bool AlwaysFollows(const ir::Program& program, ValueId op, ValueId use) {
  const ir::GuardId wanted = program.blocks[program.ops[use].block].guard;
  if (!wanted.valid()) return true;
  for (ir::GuardId guard = program.blocks[program.ops[op].block].guard; guard.valid();
       guard = program.guards[guard].parent) {
    if (guard == wanted) return true;
  }
  return false;
}

// Fires when
//   1. the site is hot and runs more often than every tenth pass,
//   2. a device array of data-dependent length is made there: a read through a mask, nonzero and its kin, unique,
//      compress, delete or repeat with arrays; with several processors a sorted 1-D array, and
//   3. its length is needed on the same pass: by an operator, a call of the library, `.shape`, `.size`, `len`, an
//      assignment into another array, a subscript.
// Quiet: (a) and (b) are no such reads, (c) and (d) fail conditions 1 and 3, (e) host masks are not meant, (f)
// count_nonzero gives a number.
static void OnOp(const Facts& facts, ValueId op, Trial& trial) {
  const bool call = facts.program().ops[op].kind == OpKind::kCall;
  const Producer made = call ? OfCall(facts, op, trial.target()) : OfMask(facts, op);
  if (!trial.Holds(2, static_cast<bool>(made)) || !made) return;
  const match::HotSite hot = match::WaitSiteOf(facts, op);
  if (!trial.Holds(1, static_cast<bool>(hot)) || !hot) return;
  const ValueId consumer = Consumer(facts, hot.loop).Find(op);
  if (!trial.Holds(3, consumer.valid()) || !consumer.valid()) return;

  const ir::Program& program = facts.program();
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Root(op).Evidence(made.evidence).Help(Help(facts, op, made, consumer));
  if (made.sorted) {
    report.Message("`{expr}` leaves pieces of a length that only the device knows[[ {passes}]]")
        .Why(
            "with several processors each one holds a piece of its own length, and the first use waits for it (26.07)");
  }
  if (call && !made.sorted && !match::IsOneOf(match::AsDeviceCall(facts, op).base, {"argwhere", "unique"})) {
    report.Doctor("nonzero");
  }
  match::TellPasses(facts, op, span, report);
  const Span use = program.ops[consumer].span;
  const bool elsewhere = program.FunctionOf(consumer) != program.FunctionOf(op);
  if (!OrderingOf(facts, consumer).empty() && use.Contains(span) && !elsewhere) {
    report.PrimaryLabel("the first use waits for the length").Label(use, "and waits once more, to put it in order");
  } else if (use.empty() || use.Contains(span) || elsewhere || !AlwaysFollows(program, op, consumer)) {
    report.PrimaryLabel("the first use waits for the length");
  } else {
    report.PrimaryLabel("length known only when this is done").Label(use, "waits for the length");
  }
}

// `v[hit] = np.zeros(3)`: an array that is stored through a mask. The mask becomes positions, of which only the device
// knows how many there are, and the store compares shapes.
static void OnStore(const Facts& facts, ValueId store, Trial& trial) {
  const ir::Program& program = facts.program();
  const ValueId array = program.Operand(store, 0), value = program.Operand(store, 1);
  if (!facts.IsDevice(array) || !value.valid() || (program.ops[store].flags & ir::kAugmented) != 0) return;
  const std::vector<analysis::Key>& keys = facts.SubscriptOf(store).keys;
  const auto operands = facts.KeysOf(store);
  ValueId mask;
  std::size_t at = 0;
  for (std::size_t i = 0; i < keys.size() && i < operands.size(); ++i) {
    if (keys[i].kind == KeyKind::kIndexArray || keys[i].device_scalar) return;  // R116
    if (keys[i].kind == KeyKind::kMask && keys[i].mask_rank != 0 && facts.IsDevice(operands[i])) {
      mask = operands[i];
      at = i;
    }
  }
  if (!trial.Holds(2, mask.valid())) return;
  // One number is filled in without positions.
  if (!trial.Holds(3, facts.IsDevice(value) && facts.HasAxis(value) && !analysis::HoldsOneNumber(facts, value))) return;
  // A selection that is stored is told where it is made.
  const auto selects = [&](ValueId part) {
    return facts.IsDevice(part) && (facts.Of(part).unbounded || OfMask(facts, part));
  };
  if (std::ranges::any_of(match::ExpressionOf(facts, value), selects)) return;
  const match::HotSite hot = match::WaitSiteOf(facts, store);
  if (!trial.Holds(1, static_cast<bool>(hot)) || !hot) return;

  const Span span = program.statements[program.ops[store].statement].span;
  Trial::Report report = trial.ReportOp(store);
  report.At(span).Root(store).Evidence(facts.Of(array).evidence | facts.Of(mask).evidence | facts.Of(value).evidence);
  report.Message("`{expr}` stores an array through a mask, and only the device knows at how many places[[, {passes}]]")
      .Why(
          "the mask becomes a list of positions, which the store compares with the shape of what it stores: Python "
          "waits "
          "for it, and then for the scatter (26.07)")
      .PrimaryLabel("waits here");
  const bool whole = match::HasWholeMask(facts, store);
  const int missing = facts.RankOf(array) - facts.RankOf(mask);
  const Span words = program.OperandSpan(store, 0),
             through = program.OperandSpan(store, static_cast<std::uint32_t>(at) + 2);
  const bool lone = operands.size() == 1 && facts.RankOf(array) > 0 && facts.RankOf(mask) > 0;
  if (lone && !whole && missing > 0 && facts.RankOf(value) >= 0 && facts.RankOf(value) <= missing) {
    std::string axes = "[...";
    for (int axis = 0; axis < missing; ++axis) axes += ", None";
    Text help("RR-masked-update  write `");
    help.Add(words).Add("[...] = np.where(").Add(through, Binding::kPrimary).Add(axes + "], ");
    help.Add(program.OperandSpan(store, 1), Binding::kConditional).Add(", ").Add(words).Add(")`");
    report.Help(help);
  } else if (!lone) {
    report.Help(Text("RR-masked-update  compute the values of all places and choose between them and those of ")
                    .Add(match::Quoted(words))
                    .Add(" by `np.where` with ")
                    .Add(match::Quoted(through)));
  } else {
    report.Help(Text("RR-masked-update  compute the values of all places and choose: `np.where` or `np.putmask` with ")
                    .Add(match::Quoted(through))
                    .Add(" and an array of the shape of ")
                    .Add(match::Quoted(words)));
  }
  match::TellPasses(facts, store, span, report);
}

static void OnAny(const Facts& facts, ValueId op, Trial& trial) {
  facts.program().ops[op].kind == OpKind::kStoreSubscript ? OnStore(facts, op, trial) : OnOp(facts, op, trial);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 114,
    .slug = "data-dependent-shape-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .summary = "a result whose length only the device knows, on every pass",
    .message = "`{expr}` has a length that only the device knows[[, made anew {passes}]]",
    .why =
        "operators and reductions look at the shapes on the host first, so the first use waits until the selection is "
        "done (26.07)",
    .details = R"md(
How many elements `q[q > lim]` has is known when the comparison has run. The read itself is queued, but every operator and
reduction looks at shapes on the host before it queues anything, so the first one that gets the selection waits for it, and
with it for all work behind. The selection is also cut as unevenly as the mask selects.

**Fires when**

1. the site is hot and runs more often than every tenth pass
2. a device array of data-dependent length is made there: a read through a mask, `nonzero`, `where(c)`, `argwhere`, `flatnonzero`, `unique`, `compress`, `extract`, `delete` with an array, `repeat` with counts in an array, `tril_indices` and its kin; with several processors a sorted 1-D array (`sort`, `argsort`, `partition`); or an array is written through a mask, which becomes positions: `v[hit] = np.zeros(3)`
3. its length is needed on the same pass: by an operator, a call of the library, `.shape`, `.size`, `len`, an assignment into another array, or a subscript

**Stays quiet**

- (a) `a[m] = 0.0` with a mask of the whole shape
- (b) `np.sum(a, where=m)`
- (c) a selection made once before the loop, whose wait is paid once
- (d) one that is stored and used after the loop only
- (e) masks that are host arrays
- (f) `np.count_nonzero(m)`

`x[m] += v` is R212, positions that only index arrays of the mask's own shape are R204, and gathers through index arrays are
R116. The migration guide counts reads through masks as scaling; they are where no loop repeats them (R007).
)md",
    .bad = R"py(import numpy as np


def settle(n, steps):
    q = np.linspace(0.0, 1.0, n)
    heat = np.zeros(steps)
    for it in range(steps):
        q = q * 0.99
        heat[it] = q[q > 0.5].sum()
    return heat
)py",
    .good = R"py(import numpy as np


def settle(n, steps):
    q = np.linspace(0.0, 1.0, n)
    heat = np.zeros(steps)
    for it in range(steps):
        q = q * 0.99
        heat[it] = np.sum(q, where=q > 0.5)
    return heat
)py",
    .recipe = "RR-masked-reduce",
    .fix = FixClass::kUnsafe,
    .ops = {OpKind::kSubscript, OpKind::kStoreSubscript, OpKind::kCall},
    .on_op = &OnAny,
};

}  // namespace cpnlint::rules::r114
