// R303 fft-one-device: transforms that one GPU does.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"

namespace cpnlint::rules::r303 {

using match::DeviceCall;

constexpr std::size_t kMostOperands = 50;  // of an expression that is looked through for its shape

static bool IsRealTransform(std::string_view base) {
  return match::IsOneOf(
      base, {"fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft", "fft.rfft2", "fft.irfft2", "fft.rfftn", "fft.irfftn"});
}

static bool IsTransform(std::string_view base) {
  return IsRealTransform(base) ||
         match::IsOneOf(base, {"fft.fft", "fft.ifft", "fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn"});
}

// The call makes an array of the shape that `shape` holds.
static bool IsMadeWith(const Facts& facts, ir::ValueId made, ir::ValueId shape) {
  const DeviceCall call = match::AsDeviceCall(facts, made);
  if (!call) return false;
  for (const std::string_view name : {"size", "shape"}) {
    const ir::ValueId argument = facts.KeywordArgument(made, name);
    if (argument.valid() && facts.Source(argument) == shape) return true;
  }
  return match::IsOneOf(call.base, {"zeros", "ones", "empty", "full"}) && call.array.valid() &&
         facts.Source(call.array) == shape;
}

// The value is the tuple of extents of `array`: `a.shape`, or what `a` was made with.
static bool IsShapeOf(const Facts& facts, ir::ValueId value, ir::ValueId array) {
  const ir::Program& program = facts.program();
  if (!value.valid() || !array.valid()) return false;
  const ir::ValueId shape = facts.Source(value);
  if (program.ops[shape].kind == ir::OpKind::kAttr && program.Name(program.ops[shape]) == "shape") {
    const ir::ValueId object = program.Operand(shape, 0);
    return facts.IsArray(object) && facts.Source(object) == facts.Source(array);
  }
  bool found = false;
  std::vector<ir::ValueId> work = {facts.Source(array)};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i > kMostOperands) return false;
    if (IsMadeWith(facts, work[i], shape)) {
      found = true;
      continue;
    }
    if (!match::IsElementwise(facts, work[i])) return false;
    for (const ir::ValueId operand : program.Operands(work[i])) {
      if (facts.IsDevice(operand) && !facts.IsZeroD(operand)) work.push_back(facts.Source(operand));
    }
  }
  return found;
}

static ir::ValueId OnlyArgumentOf(const Facts& facts, ir::ValueId call, std::string_view builtin) {
  if (!call.valid() || facts.program().ops[call].kind != ir::OpKind::kCall || facts.PositionalCount(call) != 1)
    return {};
  const analysis::Callee& callee = facts.CalleeOf(call);
  if (callee.kind != analysis::Callee::Kind::kBuiltin || callee.name != builtin) return {};
  return facts.Source(facts.program().Operand(call, 1));
}

// `axes=range(len(shape))`, `axes=tuple(range(a.ndim))`.
static bool NamesEveryAxis(const Facts& facts, ir::ValueId axes, ir::ValueId array) {
  const ir::Program& program = facts.program();
  ir::ValueId source = facts.Source(axes);
  for (const std::string_view display : {"tuple", "list"}) {
    if (const ir::ValueId inner = OnlyArgumentOf(facts, source, display); inner.valid()) source = inner;
  }
  const ir::ValueId bound = OnlyArgumentOf(facts, source, "range");
  if (!bound.valid()) return false;
  if (const ir::ValueId counted = OnlyArgumentOf(facts, bound, "len"); counted.valid())
    return IsShapeOf(facts, counted, array);
  return program.ops[bound].kind == ir::OpKind::kAttr && program.Name(program.ops[bound]) == "ndim" &&
         facts.Source(program.Operand(bound, 0)) == facts.Source(array);
}

// How many axes the call transforms: the number of its default or of a literal axes= tuple; -1 for all of them.
static int TransformedAxes(const Facts& facts, const DeviceCall& call) {
  const bool one = match::IsOneOf(call.base, {"fft.fft", "fft.ifft"});
  if (one) return 1;
  const ir::ValueId axes = match::Argument(facts, call, 2, "axes");
  if (axes.valid() && NamesEveryAxis(facts, axes, call.array)) return -1;
  if (!axes.valid() || facts.IsNoneConstant(axes)) return match::IsOneOf(call.base, {"fft.fft2", "fft.ifft2"}) ? 2 : -1;
  const auto count = facts.store().dims().AsConst(facts.Of(axes).dim);
  return count ? static_cast<int>(*count) : 99;
}

static bool TransformsAll(const Facts& facts, const DeviceCall& call) {
  const int axes = TransformedAxes(facts, call);
  return axes < 0 || (facts.RankOf(call.array) >= 1 && facts.RankOf(call.array) <= axes && axes != 99);
}

// `fft(x, n)` and what operators make of it and others have n entries along the last axis, whatever they had before.
static bool WasGivenLength(const Facts& facts, ir::ValueId array, ir::ValueId size) {
  ir::DimStore& dims = facts.store().dims();
  std::vector<ir::ValueId> work = {facts.Source(array)};
  for (std::size_t i = 0; i < work.size() && i < kMostOperands; ++i) {
    const DeviceCall call = match::AsDeviceCall(facts, work[i]);
    if (call && match::IsOneOf(call.base, {"fft.fft", "fft.ifft"})) {
      const ir::ValueId length = match::Argument(facts, call, 1, "n"), axis = match::Argument(facts, call, 2, "axis");
      const bool last = !axis.valid() || facts.IntOf(axis) == -1;
      if (last && length.valid() && dims.KnownEqual(facts.Of(length).dim, facts.Of(size).dim)) return true;
    }
    if (!match::IsElementwise(facts, work[i])) continue;
    for (const ir::ValueId operand : facts.program().Operands(work[i])) {
      if (facts.IsDevice(operand)) work.push_back(facts.Source(operand));
    }
  }
  return false;
}

// n= or s= says the extents that the array has along the transformed axes.
static bool KeepsLength(const Facts& facts, const DeviceCall& call, ir::ValueId size) {
  ir::DimStore& dims = facts.store().dims();
  if (match::IsOneOf(call.base, {"fft.fft", "fft.ifft"})) {
    const ir::ValueId axis = match::Argument(facts, call, 2, "axis");
    const auto which = axis.valid() ? facts.IntOf(axis) : std::optional<std::int64_t>(-1);
    if (which == -1 && WasGivenLength(facts, call.array, size)) return true;
    return which && dims.KnownEqual(facts.ExtentOf(call.array, static_cast<int>(*which)), facts.Of(size).dim);
  }
  if (IsShapeOf(facts, size, call.array)) return true;
  const analysis::Value& sizes = facts.Of(size);
  const ir::ValueId axes = match::Argument(facts, call, 2, "axes");
  const bool given = axes.valid() && !facts.IsNoneConstant(axes);
  if (!sizes.elements.valid() || (given && !facts.Of(axes).elements.valid())) return false;
  const std::vector<analysis::Value>& extents = facts.store().Get(sizes.elements);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    std::optional<std::int64_t> axis = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(extents.size());
    if (given) {
      const std::vector<analysis::Value>& named = facts.store().Get(facts.Of(axes).elements);
      axis = i < named.size() ? dims.AsConst(named[i].dim) : std::nullopt;
    }
    if (!axis || !dims.KnownEqual(facts.ExtentOf(call.array, static_cast<int>(*axis)), extents[i].dim)) return false;
  }
  return !extents.empty();
}

static bool Resizes(const Facts& facts, const DeviceCall& call) {
  const bool one = match::IsOneOf(call.base, {"fft.fft", "fft.ifft"});
  const ir::ValueId size = match::Argument(facts, call, 1, one ? "n" : "s");
  return size.valid() && !facts.IsNoneConstant(size) && !KeepsLength(facts, call, size);
}

// Fires when
//   1. the call is a transform of np.fft on a device array, and
//   2. all axes are transformed, or it goes between real and complex data, or it is not known to keep the length.
// Quiet: (a) a complex transform that leaves an axis alone is condition 2, (b) (c) (d) (e) shifts, frequencies, SciPy
// and host arrays are no such calls, (g) there is one GPU.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  if (!trial.Holds(1, IsTransform(call.base) && facts.IsDevice(call.array))) return;
  const bool real = IsRealTransform(call.base);
  const bool all = TransformsAll(facts, call);
  if (!trial.Holds(2, real || all || Resizes(facts, call))) return;
  if (trial.Quiet('g', trial.target().gpus <= 1)) return;

  const char* cause = real ? "between real and complex data" : all ? "along every axis" : "to another length";
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", facts.program().OperandSpan(op, 0))
      .Arg("cause", cause)
      .Key(std::string(call.base) + " " + cause)
      .Root(facts.RootOf(call.array))
      .Evidence(call.evidence);
  if (call.base == "fft.rfft" && facts.RankOf(call.array) > 1) {
    report.Help(
        "RR-batch  `np.fft.fft` with the same arguments is split over the other axes; what `rfft` gives is the first "
        "half of it: twice the work, on all GPUs");
  } else if (real) {
    report.Help(
        "RR-batch  between real and complex data many signals use one GPU, too; as rows of one array they are split "
        "over "
        "the GPUs by the complex transforms (`np.fft.fft`, `np.fft.ifft`), at twice the work");
  } else if (!all) {
    report.Help(
        "RR-batch  pad or cut the array before the transform, which is split over the other axes where it keeps the "
        "shape");
  } else if (facts.RankOf(call.array) == 1) {
    report.Help("RR-batch  several signals as rows of one array are split over the GPUs");
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 303,
    .slug = "fft-one-device",
    .family = Family::kInfo,
    .severity = Severity::kWarning,
    .cold = Severity::kInfo,
    .summary = "a Fourier transform that one GPU does",
    .message = "`{call}` transforms {cause}, so it runs on one GPU",
    .why =
        "only axes that are not transformed are split, and only where the shape stays; otherwise input and output are "
        "broadcast to one task; real input is first copied to a complex array (26.07)",
    .details = R"md(
Fires on the transforms of `np.fft` on device arrays where all axes are transformed, where real and complex data meet
(`rfft`, `irfft`, `hfft`, `ihfft` and their 2-D and n-D forms), or where `n=` or `s=` is not known to keep the length. A warning in hot
loops of a run with several GPUs, else info.

Stays quiet on a complex transform that leaves an axis alone, on `fftshift`, on `fftfreq` (missing: R112), on SciPy's
transforms (R301), and on host arrays.

Batching helps the complex case of equal length only. A run without a GPU raises NotImplementedError; integer, boolean and
float16 input raises TypeError (R113).
)md",
    .bad = R"py(
import numpy as np

def spectrum(n):
    signal = np.zeros(n)
    return np.fft.rfft(signal)
)py",
    .good = R"py(
import numpy as np

def spectra(m, n):
    signals = np.zeros((m, n), dtype=np.complex128)
    return np.fft.fft(signals, axis=1)
)py",
    .recipe = "RR-batch",
    .conditions = R"md(
1. the call is a transform of `np.fft` on a device array
2. all axes are transformed, or it goes between real and complex data, or it is not known to keep the length
- (g) there is one GPU
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r303
