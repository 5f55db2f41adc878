// Fourier transforms of complex128 in one dimension by cuFFT.

#include <cufft.h>

#include <cmath>

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

struct Plan {
  cufftHandle handle = 0;
  explicit Plan(std::size_t n) { CheckCode(cufftPlan1d(&handle, static_cast<int>(n), CUFFT_Z2Z, 1), "cuFFT"); }
  ~Plan() { cufftDestroy(handle); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
};

// As the cost model counts them.
double SweepsOf(std::size_t n) { return n <= 4096 ? 1 : n <= std::size_t{1} << 24 ? 2 : 3; }

Case MakeTransform(std::size_t n) {
  const auto plan = std::make_shared<Plan>(n);
  const auto in = RandomDoubles(2 * n, 1), out = RandomDoubles(2 * n, 2);
  Case one = EventCase(SweepsOf(n) * 32 * static_cast<double>(n), [=](cudaStream_t stream) {
    CheckCode(cufftSetStream(plan->handle, stream), "cuFFT");
    CheckCode(cufftExecZ2Z(plan->handle, reinterpret_cast<cufftDoubleComplex*>(in->data()),
                           reinterpret_cast<cufftDoubleComplex*>(out->data()), CUFFT_FORWARD),
              "cuFFT");
  });
  // The first coefficient is the sum, and the mean is one.
  one.correct = [=] { return std::abs(out->At(0) / static_cast<double>(n) - 1) < 0.01; };
  return one;
}

}  // namespace

void BenchCudaFft(Session& session) {
  const auto points = session.Sweep("fft", PowersOfTwo(18, session.effort() == Effort::kQuick ? 24 : 25),
                                    &MakeTransform, session.seconds());
  session.Draw(RateCurve("Fourier transform, complex128", "points", "B/s per sweep", points));
  session.ReportRate(cost::Parameter::kFftRate, points,
                     "cuFFT, complex128, 2^18 points and more, two sweeps up to 2^24");
}

}  // namespace cpnlint::kernels
