// R211 list-accumulation-in-loop: a list of device values that becomes an array again and again, or by way of the host.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analysis/one_number.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r211 {

using analysis::Kind;
using ir::OpKind;
using match::DeviceCall;

static bool Converts(const DeviceCall& call) {
  return !call.method && match::IsOneOf(call.base, {"array", "asarray", "stack", "concatenate", "hstack", "vstack",
                                                    "asanyarray", "ascontiguousarray"});
}

// `np.mean(losses)` makes an array of the list first.
static bool ReducesList(const DeviceCall& call) {
  return !call.method && match::IsOneOf(call.base, {"mean", "sum", "max", "min", "amax", "amin", "median", "var",
                                                    "average", "prod", "argmin", "argmax"});
}

// Other functions than `np.array` take a list to the host, and that takes lists in lists and lists with numbers there.
static bool AlwaysByHost(const DeviceCall& call) {
  return match::IsOneOf(call.base, {"asarray", "asanyarray", "ascontiguousarray"});
}

// What goes into a list.
struct Filling {
  ir::ValueId op;    // the append, or the comprehension's item
  ir::ValueId item;  // what is added
};

struct Fillings {
  std::vector<Filling> all, device;  // device: arrays and 0-d results
  bool nested = false;               // some of them in a list or tuple of their own
  bool numbers = false;              // Python numbers go in as well
};

// A list or tuple that is written here, or a tuple that a function hands back.
static bool HoldsDevice(const Facts& facts, ir::ValueId item) {
  const ir::ValueId source = facts.Source(item);
  const OpKind kind = facts.program().ops[source].kind;
  if (kind == OpKind::kTuple || kind == OpKind::kList)
    return std::ranges::any_of(facts.program().Operands(source),
                               [&](ir::ValueId element) { return facts.IsDevice(element); });
  const analysis::Value& value = facts.Of(item);
  if (value.kind != Kind::kTuple || !value.elements.valid()) return false;
  return std::ranges::any_of(facts.store().Get(value.elements), [](const analysis::Value& element) {
    return element.kind == Kind::kArray && element.library == analysis::Library::kDevice;
  });
}

static void Add(const Facts& facts, ir::ValueId op, ir::ValueId item, Fillings& fillings) {
  if (!item.valid()) return;
  fillings.all.push_back({op, item});
  if (facts.IsDevice(item)) {
    fillings.device.push_back({op, item});
  } else if (HoldsDevice(facts, item)) {
    fillings.device.push_back({op, item});
    fillings.nested = true;
  } else if (analysis::IsNumber(facts.Of(item).kind)) {
    fillings.numbers = true;
  }
}

// What stands in the list from the beginning, everything that is appended to it, or that its comprehension collects.
static Fillings FillingsOf(const Facts& facts, ir::ValueId list) {
  const ir::Program& program = facts.program();
  Fillings fillings;
  if (program.ops[list].kind == OpKind::kList) {
    for (const ir::ValueId element : program.Operands(list)) {
      if (element.valid() && analysis::IsNumber(facts.Of(element).kind)) fillings.numbers = true;
    }
  }
  for (const ir::ValueId use : facts.DeepUsesOf(list)) {
    const ir::Op& op = program.ops[use];
    if (op.kind == OpKind::kCollectItem && program.Operand(use, 0) == list)
      Add(facts, use, program.Operand(use, 1), fillings);
    if (op.kind != OpKind::kAttr || program.Name(op) != "append") continue;
    for (const ir::ValueId call : facts.UsesOf(use)) {
      if (program.ops[call].kind == OpKind::kCall && program.Operand(call, 0) == use)
        Add(facts, call, program.Operand(call, 1), fillings);
    }
  }
  return fillings;
}

// ... and by the methods of an object, to a list that it keeps.
static void AddFromMethods(const Facts& facts, ir::ClassId owner, ir::ValueId list, Fillings& fillings) {
  const ir::Program& program = facts.program();
  for (const ir::FunctionId method : program.classes[owner].methods) {
    for (const ir::ValueId call : program.functions[method].calls) {
      const analysis::Callee& callee = facts.CalleeOf(call);
      if (callee.kind != analysis::Callee::Kind::kContainerMethod || callee.name != "list.append") continue;
      const ir::ValueId append = program.Operand(call, 0);
      if (facts.Of(program.Operand(append, 0)).root == list) Add(facts, call, program.Operand(call, 1), fillings);
    }
  }
}

static bool IsListMadeHere(const Facts& facts, ir::ValueId list) {
  const ir::Op& op = facts.program().ops[list];
  if (op.kind == OpKind::kCollection) return static_cast<ir::CollectionKind>(op.detail) == ir::CollectionKind::kList;
  return op.kind == OpKind::kList;
}

// A filling that runs again and again; the first in the source.
static const Filling* HotFilling(const Facts& facts, const Fillings& fillings) {
  const auto at = std::find_if(fillings.device.begin(), fillings.device.end(), [&](const Filling& filling) {
    return static_cast<bool>(match::HotSiteOf(facts, filling.op));
  });
  return at == fillings.device.end() ? nullptr : &*at;
}

// Each pass of the loop fills in one item, so that item i is that of pass i: the number of the loop, or empty.
static Span CounterOfItems(const Facts& facts, const Fillings& fillings, const Filling& filling, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (fillings.all.size() != 1) return {};
  if (program.LoopOf(filling.op) != loop || facts.Of(program.loops[loop].iterable).kind != Kind::kRange) return {};
  for (ir::GuardId guard = program.blocks[program.ops[filling.op].block].guard; guard.valid();
       guard = program.guards[guard].parent) {
    const ir::LoopId around = program.guards[guard].loop;
    if (around.valid() && facts.LoopContains(loop, around)) return {};
  }
  return program.loops[loop].target_span;
}

// `self.rows.append(x); return np.stack(self.rows)` in a method that a loop calls: one item more and all of them again
// on each pass. A list that something is taken out of stays short.
static bool GrowsWithEachCall(const Facts& facts, ir::ValueId op, const Filling& filling, ir::ValueId list) {
  const ir::Program& program = facts.program();
  const ir::FunctionId method = program.FunctionOf(op);
  const ir::ClassId owner = program.functions[method].owner;
  if (!owner.valid() || program.FunctionOf(filling.op) != method || program.FunctionOf(list) == method) return false;
  const ir::Block &fills = program.blocks[program.ops[filling.op].block],
                  &makes = program.blocks[program.ops[op].block];
  if (fills.loop.valid() || fills.guard.valid() || makes.loop.valid() || makes.guard.valid()) return false;
  const match::HotSite filled = match::HotSiteOf(facts, filling.op), made = match::HotSiteOf(facts, op);
  if (!filled.loop.valid() || filled.in_function || filled.loop != made.loop) return false;
  const auto takes_out = [&](ir::ValueId use) {
    if (program.ops[use].kind == OpKind::kDelSubscript || program.ops[use].kind == OpKind::kStoreSubscript) return true;
    return program.ops[use].kind == OpKind::kAttr &&
           match::IsOneOf(program.Name(program.ops[use]), {"pop", "popleft", "clear", "remove"});
  };
  for (const ir::FunctionId other : program.classes[owner].methods) {
    const ir::Function& function = program.functions[other];
    for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
      const ir::ValueId use(i);
      const ir::Op& changes = program.ops[use];
      if (changes.operand_count != 0 && takes_out(use) && facts.Of(program.Operand(use, 0)).root == list) return false;
    }
  }
  return true;
}

static Span Item(const Facts& facts, const Filling& filling) {
  return match::SpanOfOperand(facts, filling.op, filling.item);
}

// The values that a list written out in a call holds, at any depth.
struct Leaves {
  ir::ValueId device;  // the first one of the device
  std::size_t devices = 0;
  bool nested = false;
  bool numbers = false;
  bool others = false;  // of unknown kind
};

static void AddLeaves(const Facts& facts, ir::ValueId display, Leaves& leaves) {
  std::vector<std::pair<ir::ValueId, bool>> work = {{display, false}};
  while (!work.empty()) {
    const auto [at, inner] = work.back();
    work.pop_back();
    const ir::Op& op = facts.program().ops[at];
    if (op.kind == OpKind::kList || op.kind == OpKind::kTuple) {
      for (const ir::ValueId element : facts.program().Operands(op)) {
        if (element.valid()) work.emplace_back(element, true);
      }
      leaves.nested = leaves.nested || inner;
    } else if (facts.IsDevice(at)) {
      leaves.device = at;
      ++leaves.devices;
    } else if (analysis::IsNumber(facts.Of(at).kind)) {
      leaves.numbers = true;
    } else {
      leaves.others = true;
    }
  }
}

// `np.array([[u.sum(), 0.0], [0.0, v.sum()]])` on every pass: a wait for each value of the device.
static void OnDisplay(const Facts& facts, const DeviceCall& call, ir::ValueId display, Trial& trial) {
  Leaves leaves;
  AddLeaves(facts, display, leaves);
  const match::HotSite hot = match::WaitSiteOf(facts, call.call);
  if (!trial.Holds(1, leaves.device.valid() && hot) || !leaves.device.valid()) return;
  const bool by_host = AlwaysByHost(call) || (call.base == "array" && (leaves.nested || leaves.numbers));
  if (!trial.Holds(2, by_host)) return;
  if (!trial.Holds(3,
                   !leaves.others && (facts.RankOf(leaves.device) < 0 || analysis::IsOneNumber(facts, leaves.device))))
    return;
  if (trial.Quiet('f', facts.HeatOf(call.call).in_element_loop)) return;

  const Span span = facts.program().ops[call.call].span;
  Trial::Report report = trial.ReportOp(call.call);
  report.Arg("call", span).Root(call.call).Severity(Severity::kWarning);
  report.Evidence(call.evidence | facts.Of(leaves.device).evidence | hot.evidence);
  report.Message("`{call}` takes the device values in it to the host one by one[[ {passes}]]")
      .PrimaryLabel("through the host")
      .Why(
          "`asarray` of a list, nested lists and lists with Python numbers in them go through host NumPy, which waits "
          "for each device value; `array` of device arrays of one shape stays on the device (26.07)")
      .Doctor("array gather");
  match::TellPasses(facts, call.call, span, report);
  if (!leaves.nested && !leaves.numbers) {
    report.Help(Text("RR-collect  write `np.array(")
                    .Add(call.array_span)
                    .Add(")`, which stacks device values of one shape on the device"));
    return;
  }
  report.Help(
      "RR-collect  make an array of each row and of each number, `np.array([np.array([a, b]), np.array([c, d])])`: "
      "device arrays of one shape are stacked on the device");
}

// `log[step] = t, u.max()`: what becomes a row of an array goes the same way. Device values alone stay where they are.
static void OnStore(const Facts& facts, ir::ValueId op, Trial& trial) {
  const ir::Program& program = facts.program();
  const ir::ValueId stored = program.Operand(op, 1);
  if (!stored.valid() || !facts.IsDevice(program.Operand(op, 0))) return;
  const ir::ValueId display = facts.Source(stored);
  const OpKind kind = program.ops[display].kind;
  if (kind != OpKind::kTuple && kind != OpKind::kList) return;
  Leaves leaves;
  AddLeaves(facts, display, leaves);
  const match::HotSite hot = match::WaitSiteOf(facts, op);
  if (!trial.Holds(1, leaves.device.valid() && hot) || !leaves.device.valid()) return;
  if (!trial.Holds(2, leaves.nested || leaves.numbers)) return;
  if (!trial.Holds(3, !leaves.others && analysis::IsOneNumber(facts, leaves.device))) return;
  if (trial.Quiet('f', facts.HeatOf(op).in_element_loop)) return;

  const Span span = program.OperandSpan(op, 1);
  Trial::Report report = trial.ReportOp(op);
  report.At(span).Arg("call", span).Root(leaves.device).Severity(Severity::kWarning);
  report.Evidence(facts.Of(program.Operand(op, 0)).evidence | facts.Of(leaves.device).evidence | hot.evidence);
  report.Message("`{call}` takes the device values in it to the host one by one[[ {passes}]]")
      .PrimaryLabel("through the host")
      .Why(
          "device values and numbers of Python in one list or tuple become an array on the host, which waits for each "
          "device "
          "value; a device value that is stored alone stays on the device (26.07)")
      .Doctor("array gather");
  match::TellPasses(facts, op, span, report);
  const auto keys = facts.KeysOf(op);
  Text help("RR-collect  store the parts one by one");
  if (keys.size() == 1 && !leaves.nested && program.Operands(op).size() == 3) {
    const auto part = [&](std::uint32_t i) {
      help.Add("`").Add(program.OperandSpan(op, 0)).Add("[").Add(program.OperandSpan(op, 2)).Add(", ");
      help.Add(std::to_string(i)).Add("] = ").Add(program.OperandSpan(display, i)).Add("`");
    };
    help.Add(": ");
    part(0);
    if (program.Operands(display).size() > 1) help.Add(", "), part(1);
    if (program.Operands(display).size() > 2) help.Add(" and so on");
  }
  report.Help(help);
}

// Fires when
//   1. a list receives device arrays or 0-d results in a hot loop, and
//   2. it is made into an array inside of that loop, which began after the list, or (as is a list written out in a hot
//      loop) by a call that takes it through the host: `asarray`, nested lists, device values mixed with Python
//      numbers; or such a mixture is stored into an array, and
//   3. a form that stays on the device is legal: one item per pass of a counted loop, or a plain stack of device
//   values.
// Quiet: (a) one stack after the loop, (b) numbers, (c) names of files and (d) constants are no device values, (e) a
// pair of arrays written out is joined on the device, (f) R101 speaks of loops over elements.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  if (facts.program().ops[op].kind == OpKind::kStoreSubscript) return OnStore(facts, op, trial);
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call || !call.array.valid() || !(Converts(call) || ReducesList(call))) return;
  ir::ValueId list = facts.Source(call.array);
  const bool kept = facts.program().ops[list].kind == OpKind::kAttr && facts.Of(list).kind == Kind::kList;
  if (kept) list = facts.Of(list).root;  // `self.sums`, made by the constructor
  if (!list.valid() || !IsListMadeHere(facts, list)) return;
  const bool written_out = facts.program().ops[list].kind == OpKind::kList &&
                           facts.program().ops[op].span.Contains(facts.program().ops[list].span);
  if (written_out) return Converts(call) ? OnDisplay(facts, call, list, trial) : void();
  Fillings fillings = FillingsOf(facts, list);
  const ir::ClassId owner = facts.program().functions[facts.program().FunctionOf(op)].owner;
  if (kept && owner.valid()) AddFromMethods(facts, owner, list, fillings);
  const Filling* filling = HotFilling(facts, fillings);
  if (!trial.Holds(1, filling != nullptr) || filling == nullptr) return;
  const match::HotSite filled = match::HotSiteOf(facts, filling->op);
  const bool in_method = kept && fillings.all.size() == 1 && GrowsWithEachCall(facts, op, *filling, list);
  const bool again = in_method || (filled.in_function && facts.InLoop(op, filled.loop) &&
                                   !facts.InLoop(list, filled.loop) && match::HotSiteOf(facts, op));
  const bool as_array = call.base == "array";
  const bool by_host = AlwaysByHost(call) || (as_array && (fillings.nested || fillings.numbers));
  if (!trial.Holds(2, again || by_host)) return;
  const Span counter = filled.in_function ? CounterOfItems(facts, fillings, *filling, filled.loop) : Span{};
  const bool stacks = by_host && !again && !fillings.nested && !fillings.numbers &&
                      fillings.device.size() == fillings.all.size() && facts.program().ops[list].operand_count == 0;
  if (!trial.Holds(3, stacks || in_method || !counter.empty())) return;

  const ir::Program& program = facts.program();
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span).Arg("name", call.array_span).Root(list).Severity(Severity::kWarning);
  report.Evidence(call.evidence | facts.Of(filling->item).evidence | filled.evidence);
  report.Arg("passes", match::PassesText(facts, filling->op));
  Text help("RR-collect  ");
  if (stacks) {
    help.Add("write `np.array(").Add(call.array_span).Add(")`, which stacks device arrays of one shape on the device");
  } else {
    // A counter that nobody reads may be called `_`.
    const Span read = in_method ? Span{} : match::PassNumberOf(facts, filled.loop);
    Text number = read.empty() ? Text("i") : Text(read);
    const std::uint32_t before = program.ops[list].operand_count;  // items that the list begins with
    if (before > 0) number.Add(" + ").Add(std::to_string(before));
    if (fillings.nested) {
      help.Add("make one vector for each of the values before the loop and write its item `").Add(number);
      help.Add("` on each pass");
    } else {
      help.Add("make the vector before the loop and write `hist[").Add(number).Add("] = ");
      help.Add(Item(facts, *filling)).Add("` on each pass");
    }
    if (read.empty()) help.Add(", `i` being its number");
    if (filled.loop.valid() && program.loops[filled.loop].has_break)
      help.Add("; where the loop ends early, take the part that is written");
  }
  report.Help(help).Label(program.ops[filling->op].span, "a device value goes in here");
  if (again) {
    report.PrimaryLabel("all of it, on every pass");
    match::TellHotLoop(facts, op, span, report);
    return;
  }
  report.Message("`{call}` takes the device values in `{name}` to the host one by one")
      .PrimaryLabel("through the host")
      .Why(
          "`asarray` of a list, nested lists and lists with Python numbers in them go through host NumPy, which waits "
          "for each device value; `array` of device arrays of one shape stays on the device (26.07)")
      .Doctor("array gather");
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 211,
    .slug = "list-accumulation-in-loop",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "a list of device values made into an array on every pass, or by way of the host",
    .message = "`{call}` rebuilds an array from the list `{name}`[[ {passes}]]",
    .why = "each pass copies everything gathered so far, one task per item of the list (26.07)",
    .details = R"md(
Fires where a list is filled with device arrays or 0-d results in a hot loop, and

- `array`, `asarray`, `stack`, `concatenate` and the like, or a reduction (`np.mean(list)`), run on it inside of the same loop, so that the array is
  rebuilt on every pass; or
- it becomes an array by way of the host: by `asarray`, as a list of lists, or mixed with Python numbers. The
  finding is on the conversion, also after the loop. A list written out in the call (`np.array([[c, -s], [s, c]])`)
  counts where the call itself is in a hot loop, and so does a row of device values and Python numbers that is stored
  there (`log[step] = t, u.max()`).

Stays quiet on one `np.stack(list)` or `np.array(list)` of device arrays after the loop, on lists of Python numbers,
of names and of constants, on lists that are made anew in each pass, where the filling does not run often, and where
the number of items is not that of the passes (several `append`, one in a branch), unless a plain stack of device values will do.

`np.array` of a list of device arrays of one shape stacks them on the device. `np.asarray` does not: it gathers item
by item.
)md",
    .bad = R"py(
import numpy as np

def watch(n, steps):
    u = np.linspace(0.0, 1.0, n)
    means = []
    for _ in range(steps):
        u *= 0.99
        means.append(u.mean())
    return np.asarray(means)
)py",
    .good = R"py(
import numpy as np

def watch(n, steps):
    u = np.linspace(0.0, 1.0, n)
    means = np.zeros(steps)
    for step in range(steps):
        u *= 0.99
        means[step] = u.mean()
    return means
)py",
    .recipe = "RR-collect",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. a list receives device arrays or 0-d results in a hot loop
2. it is made into an array inside of that loop, which began after the list, or by a call that takes it through the host; or values of the device and of Python are stored as one row
3. a form that stays on the device is legal: one item per pass of a counted loop, or a plain stack of device values
- (f) R101 speaks of the loop over elements
)md",
    .ops = {OpKind::kCall, OpKind::kStoreSubscript},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r211
