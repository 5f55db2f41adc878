// R303 fft-one-device: transforms that one GPU does.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::r303 {

using match::DeviceCall;

static bool IsRealTransform(std::string_view base) {
  return match::IsOneOf(
      base, {"fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft", "fft.rfft2", "fft.irfft2", "fft.rfftn", "fft.irfftn"});
}

static bool IsTransform(std::string_view base) {
  return IsRealTransform(base) ||
         match::IsOneOf(base, {"fft.fft", "fft.ifft", "fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn"});
}

// How many axes the call transforms: the number of its default or of a literal axes= tuple; -1 for all of them.
static int TransformedAxes(const Facts& facts, const DeviceCall& call) {
  const bool one = match::IsOneOf(call.base, {"fft.fft", "fft.ifft"});
  if (one) return 1;
  const ir::ValueId axes = match::Argument(facts, call, 2, "axes");
  if (!axes.valid() || facts.IsNoneConstant(axes)) return match::IsOneOf(call.base, {"fft.fft2", "fft.ifft2"}) ? 2 : -1;
  const auto count = facts.store().dims().AsConst(facts.Of(axes).dim);
  return count ? static_cast<int>(*count) : 99;
}

static bool TransformsAll(const Facts& facts, const DeviceCall& call) {
  const int axes = TransformedAxes(facts, call);
  return axes < 0 || (facts.RankOf(call.array) >= 1 && facts.RankOf(call.array) <= axes && axes != 99);
}

static bool Resizes(const Facts& facts, const DeviceCall& call) {
  const bool one = match::IsOneOf(call.base, {"fft.fft", "fft.ifft"});
  const ir::ValueId size = match::Argument(facts, call, 1, one ? "n" : "s");
  return size.valid() && !facts.IsNoneConstant(size);
}

// Fires when
//   1. the call is a transform of np.fft on a device array, and
//   2. all axes are transformed, or it goes between real and complex data, or it changes the length.
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

  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", facts.program().OperandSpan(op, 0))
      .Arg("cause", real  ? "between real and complex data"
                    : all ? "along every axis"
                          : "to another length")
      .Root(facts.RootOf(call.array))
      .Evidence(call.evidence);
  if (real && facts.RankOf(call.array) > 1) {
    report.Help(Text("RR-batch  a complex transform of the same length is split over the other axes: `np.fft.fft(")
                    .Add(call.array_span)
                    .Add(", ...)` and its first half, twice the work on all GPUs"));
  } else if (all && facts.RankOf(call.array) == 1) {
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
(`rfft`, `irfft`, `hfft`, `ihfft` and their 2-D and n-D forms), or where `n=` or `s=` changes the length. A warning in hot
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
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r303
