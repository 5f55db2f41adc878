// Uniform float64 from cuRAND's Philox, cuPyNumeric's generator on a GPU.

#include <curand.h>

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

struct Generator {
  curandGenerator_t handle = nullptr;
  Generator() {
    CheckCode(curandCreateGenerator(&handle, CURAND_RNG_PSEUDO_PHILOX4_32_10), "cuRAND");
    CheckCode(curandSetPseudoRandomGeneratorSeed(handle, 1), "cuRAND");
  }
  ~Generator() { curandDestroyGenerator(handle); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
};

Case MakeDraws(std::size_t n) {
  const auto generator = std::make_shared<Generator>();
  const auto draws = std::make_shared<DeviceArray<double>>(n);
  Case one = EventCase(static_cast<double>(n), [=](cudaStream_t stream) {
    CheckCode(curandSetStream(generator->handle, stream), "cuRAND");
    CheckCode(curandGenerateUniformDouble(generator->handle, draws->data(), n), "cuRAND");
  });
  one.correct = [=] { return draws->At(0) > 0 && draws->At(0) <= 1 && draws->At(0) != draws->At(n - 1); };
  return one;
}

}  // namespace

void BenchCudaRandom(Session& session) {
  const std::size_t n = LargestBytes(session) / sizeof(double);
  const auto points = session.Sweep("random", {n / 4, n / 2, n}, &MakeDraws, session.seconds());
  session.ReportRate(cost::Parameter::kRandomRate, points, "uniform float64 from cuRAND's Philox");
}

}  // namespace cpnlint::kernels
