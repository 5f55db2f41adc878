// Arithmetic on data that the level-2 cache holds.

#include <cmath>

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

constexpr std::size_t kElements = 1 << 19;  // 4 MiB in, 4 MiB out
constexpr int kTimes = 256;                 // operations per element, so that reading them does not show

// x (1 - y) + y has one as its fixed point: nothing overflows, and no product is a constant.
__global__ void Multiply(const double* a, double* c, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  double x = a[i], y = a[n - 1 - i];
  for (int k = 0; k < kTimes / 2; ++k) {
    x = x * 0.999 + y * 0.001;
    y = y * 0.999 + x * 0.001;
  }
  c[i] = x + y;
}

__global__ void Exp(const double* a, double* c, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  double x = a[i];
  for (int k = 0; k < 16; ++k) x = exp(-x);
  c[i] = x;
}

// x / y and its root, in turn: both tend to values that neither overflow nor stand still.
__global__ void Divide(const double* a, double* c, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  double x = a[i];
  const double y = a[n - 1 - i];
  for (int k = 0; k < 16; ++k) x = sqrt(y / x);
  c[i] = x;
}

Case MakeMultiply(std::size_t n) {
  const auto a = RandomDoubles(n, 1), c = RandomDoubles(n, 2);
  // A multiplication and a fused addition per line of the loop: what array operations do one at a time.
  Case one = EventCase(static_cast<double>(n) * kTimes * 2, [=](cudaStream_t stream) {
    Multiply<<<BlocksFor(n), 256, 0, stream>>>(a->data(), c->data(), n);
  });
  one.correct = [=] { return std::abs(c->At(5) - a->At(5) - a->At(n - 6)) < 0.5; };
  return one;
}

Case MakeExp(std::size_t n) {
  const auto a = RandomDoubles(n, 1), c = RandomDoubles(n, 2);
  Case one = EventCase(static_cast<double>(n) * 16,
                       [=](cudaStream_t stream) { Exp<<<BlocksFor(n), 256, 0, stream>>>(a->data(), c->data(), n); });
  one.correct = [=] {
    double x = a->At(7);
    for (int k = 0; k < 16; ++k) x = std::exp(-x);
    return std::abs(c->At(7) - x) < 1e-12;
  };
  return one;
}

Case MakeDivide(std::size_t n) {
  const auto a = RandomDoubles(n, 1), c = RandomDoubles(n, 2);
  Case one = EventCase(static_cast<double>(n) * 32,
                       [=](cudaStream_t stream) { Divide<<<BlocksFor(n), 256, 0, stream>>>(a->data(), c->data(), n); });
  one.correct = [=] {
    double x = a->At(7);
    for (int k = 0; k < 16; ++k) x = std::sqrt(a->At(n - 8) / x);
    return std::abs(c->At(7) - x) < 1e-12;
  };
  return one;
}

}  // namespace

void BenchCudaMath(Session& session) {
  const double third = session.seconds() / 3;
  if (const auto point = session.Measure("divide", kElements, &MakeDivide, third)) {
    session.Report(cost::Parameter::kDivisionRate, RateOf(*point), point->timing.samples,
                   "quotients and square roots of float64 in registers");
  }
  if (const auto point = session.Measure("multiply", kElements, &MakeMultiply, third)) {
    session.Report(cost::Parameter::kArithmeticRate, RateOf(*point), point->timing.samples,
                   "float64 products and fused additions in registers");
  }
  if (const auto point = session.Measure("exp", kElements, &MakeExp, third)) {
    session.Report(cost::Parameter::kTranscendentalRate, RateOf(*point), point->timing.samples,
                   "exp of float64 in registers");
  }
}

}  // namespace cpnlint::kernels
