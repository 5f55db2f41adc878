// R306 one-device-operation: operations that one processor does, whatever the number of GPUs.

#include <algorithm>
#include <string>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r306 {

static bool OneDevice(const Facts& facts, const match::DeviceCall& call, const api::Entry& row) {
  if (api::RuleOfOneDevice(row) != 306) return false;
  if (row.one_device == api::OneDevice::kAlways) return true;
  return row.one_device == api::OneDevice::kWrapMode &&
         facts.TextOf(facts.KeywordArgument(call.call, "mode")) == "wrap";
}

// The array is the kernel of a convolution, or the other factor of a product of spectra.
static bool IsKernel(const Facts& facts, ir::ValueId array) {
  const auto uses = facts.DeepUsesOf(array);
  return std::ranges::any_of(uses, [&](ir::ValueId use) {
    if (facts.program().ops[use].kind != ir::OpKind::kCall) return false;
    const std::string_view name = facts.CalleeOf(use).name;
    const bool convolves = name.find("convolve") != std::string_view::npos || name.ends_with(".correlate");
    return convolves || name.starts_with("numpy.fft.");
  });
}

// `np.flipud(x)` of `np.fliplr(np.flipud(x))`, and what the call around it does.
static match::DeviceCall WrittenInside(const Facts& facts, const match::DeviceCall& call) {
  const ir::Program& program = facts.program();
  if (!call.array.valid() || program.ops[call.array].span != call.array_span) return {};
  return match::AsDeviceCall(facts, call.array);
}

// Two turns along two axes are one: `np.flip(x, (0, 1))`.
static Text HelpForTwoFlips(const Facts& facts, const match::DeviceCall& call) {
  const match::DeviceCall inner = WrittenInside(facts, call);
  const bool both =
      inner && !inner.array_span.empty() &&
      ((call.base == "fliplr" && inner.base == "flipud") || (call.base == "flipud" && inner.base == "fliplr"));
  if (!both) return {};
  return Text("RR-shift  both at once: `np.flip(").Add(inner.array_span, Binding::kConditional).Add(", (0, 1))`");
}

// `np.broadcast(a, b).shape`: the shape alone takes no arrays.
static Text HelpForBroadcast(const Facts& facts, const match::DeviceCall& call) {
  const ir::Program& program = facts.program();
  const auto uses = facts.DeepUsesOf(call.call);
  const bool shape = !uses.empty() && std::ranges::all_of(uses, [&](ir::ValueId use) {
    return program.ops[use].kind == ir::OpKind::kAttr && program.Name(program.ops[use]) == "shape";
  });
  const std::size_t arrays = facts.PositionalCount(call.call);
  if (!shape || arrays == 0 || facts.HasStarArguments(call.call))
    return "the shape alone is `np.broadcast_shapes`, of shapes; `np.broadcast_to` makes an array of it";
  Text help("write `np.broadcast_shapes(");
  for (std::uint32_t i = 1; i <= arrays; ++i) {
    const bool array = facts.IsArray(program.Operand(call.call, i));
    if (i > 1) help.Add(", ");
    if (!array) help.Add("np.shape(").Add(program.OperandSpan(call.call, i)).Add(")");
    if (array) help.Add(program.OperandSpan(call.call, i), Binding::kPrimary).Add(".shape");
  }
  return help.Add(")` in place of `.shape` of it");
}

static Text Help(const Facts& facts, const match::DeviceCall& call) {
  if (call.base == "broadcast") return HelpForBroadcast(facts, call);
  if (const Text once = HelpForTwoFlips(facts, call); !once.empty()) return once;
  if (call.base.starts_with("flip") || call.base == "rot90") {
    if (!IsKernel(facts, call.call))
      return "RR-shift  turn the data on the host, where it is made or shown; `.T` and `swapaxes` are views";
    return "RR-shift  a symmetric kernel needs no flip, and a kernel can be built reversed on the host; `.T` and "
           "`swapaxes` are views";
  }
  if (call.base == "load") return "read the file in blocks with h5py where one processor and its memory are too small";
  if (call.base == "roots") {
    return Text("a polynomial is small: leave it to the host, `np.asarray(onp.roots(onp.asarray(")
        .Add(call.array_span)
        .Add(")))`");
  }
  if (call.base == "ndimage.convolve") return "RR-shift  ghost layers that are refreshed per pass, and another mode";
  return {};
}

// `np.load("u.npy")`; what an archive gives is no array, and raises (R119).
static bool LoadsArray(const Facts& facts, const match::DeviceCall& call) {
  return call.base == "load" && !match::OpensArchive(facts, call);
}

// The call around this one is told, and this one with it: `np.fliplr(np.flipud(x))`.
static bool IsPartOfAnother(const Facts& facts, ir::ValueId op, const Target& target) {
  return std::ranges::any_of(facts.UsesOf(op), [&](ir::ValueId use) {
    const match::DeviceCall around = match::AsDeviceCall(facts, use);
    const api::Entry* row = around ? match::Row(around.name, target.version) : nullptr;
    return row != nullptr && around.array == op && OneDevice(facts, around, *row) &&
           facts.program().ops[use].span.Contains(facts.program().ops[op].span);
  });
}

// Fires when
//   1. the call is done by one processor by the API table, and no other rule speaks about it, and
//   2. it works on a device array, or makes one.
// Quiet: (a) `.T` and swapaxes are no such calls, (b) the array is known to be too small to be split anyway, (c) host
// arrays fail condition 2, (d) there is one GPU, (e) `[::-1]` is R106,
// (f) such a call around this one is told.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  const api::Entry* row = call ? match::Row(call.name, trial.target().version) : nullptr;
  if (!trial.Holds(1, row != nullptr && OneDevice(facts, call, *row)) || row == nullptr) return;
  // A list is small, and what it holds is on the host.
  const analysis::Kind kind = facts.Of(call.array).kind;
  const bool list = kind == analysis::Kind::kList || kind == analysis::Kind::kTuple;
  const bool device = facts.IsDevice(call.array) || (facts.IsDevice(op) && !list);
  if (!trial.Holds(2, device || LoadsArray(facts, call))) return;
  const ir::ValueId array = facts.IsDevice(call.array) ? call.array : op;
  if (trial.Quiet('b', facts.KnownBelow(array, trial.target().split))) return;
  if (trial.Quiet('d', trial.target().gpus <= 1)) return;
  if (trial.Quiet('f', IsPartOfAnother(facts, op, trial.target()))) return;

  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span).Key(std::string(call.base)).Root(facts.RootOf(array)).Evidence(call.evidence);
  report.Why(std::string(row->one_device_note) + ", so the whole array is moved to it and the others are idle (26.07)");
  if (const Text help = Help(facts, call); !help.empty()) report.Help(help);
  if (array == call.array) match::TellOrigin(facts, array, span, report);
  match::TellHotLoop(facts, op, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 306,
    .slug = "one-device-operation",
    .family = Family::kInfo,
    .severity = Severity::kWarning,
    .cold = Severity::kInfo,
    .summary = "an operation that one processor does",
    .message = "`{call}` is done by one processor, whatever the number of GPUs",
    .why =
        "its operands are broadcast to one task: the whole array is moved to one device and the others are idle "
        "(26.07)",
    .details = R"md(
A few operations of cuPyNumeric are not cut over the processors: the whole array goes to one of them, has to fit there, and is
cut again for the next operation.

**Fires when**

1. the call is one of them: `flip`, `fliplr`, `flipud`, `rot90`, `roots`, `load`, the class `broadcast`, `ndimage.convolve(mode='wrap')`
2. it works on a device array, or makes one

It is a warning on every pass of a hot loop.

**Stays quiet**

- (a) `.T` and `swapaxes`, which are views
- (b) arrays known to be too small to be split anyway
- (c) host arrays
- (d) runs on one GPU
- (e) `[::-1]`, which raises (R106)
- (f) calls inside of another one, `np.fliplr(np.flipud(x))`, which are told once

Factorisations are R302 and R305, transforms R303.
)md",
    .bad = R"py(import numpy as np


def mirrored(n):
    u = np.ones((n, n))
    return u + np.flip(u, axis=0)
)py",
    .good = R"py(import numpy as np


def mirrored(n):
    u = np.ones((n, n))
    return u + u.T
)py",
    .recipe = "RR-shift",
    .fix = FixClass::kUnsafe,
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r306
