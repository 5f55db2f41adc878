// Arithmetic on data that the first cache holds.

#include <cmath>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

constexpr std::size_t kElements = 1024;  // three arrays of 8 KiB

CPNLINT_BEST_INSTRUCTIONS void Multiply(const double* a, const double* b, double* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
}

Case MakeMultiply(std::size_t n) {
  const auto a = RandomArray<double>(n, 1);
  const auto b = RandomArray<double>(n, 2);
  const auto c = std::make_shared<Array<double>>(n);
  Case one = TimedCase(static_cast<double>(n), [=] { Multiply(a->data(), b->data(), c->data(), n); });
  one.correct = [=] { return (*c)[n - 1] == (*a)[n - 1] * (*b)[n - 1]; };
  return one;
}

// As loops over arrays do them: one element after the other, both in turn.
Case MakeDivide(std::size_t n) {
  const auto a = RandomArray<double>(n, 1);
  const auto b = RandomArray<double>(n, 2);
  const auto c = std::make_shared<Array<double>>(n);
  Case one = TimedCase(2 * static_cast<double>(n), [=] {
    for (std::size_t i = 0; i < n; ++i) (*c)[i] = (*a)[i] / (*b)[i];
    for (std::size_t i = 0; i < n; ++i) (*c)[i] = std::sqrt((*c)[i]);
  });
  one.correct = [=] { return (*c)[n - 1] == std::sqrt((*a)[n - 1] / (*b)[n - 1]); };
  return one;
}

Case MakeExp(std::size_t n) {
  const auto a = RandomArray<double>(n, 1);
  const auto c = std::make_shared<Array<double>>(n);
  Case one = TimedCase(static_cast<double>(n), [=] {
    for (std::size_t i = 0; i < n; ++i) (*c)[i] = std::exp((*a)[i]);
  });
  one.correct = [=] { return std::abs(std::log((*c)[0]) - (*a)[0]) < 1e-12; };
  return one;
}

}  // namespace

void BenchCpuMath(Session& session) {
  const double third = session.seconds() / 3;
  if (const auto point = session.Measure("multiply", kElements, &MakeMultiply, third)) {
    session.Report(cost::Parameter::kArithmeticRate, RateOf(*point), point->timing.samples,
                   "products of float64 in the first cache, one thread");
  }
  if (const auto point = session.Measure("divide", kElements, &MakeDivide, third)) {
    session.Report(cost::Parameter::kDivisionRate, RateOf(*point), point->timing.samples,
                   "quotients and square roots of float64 in the first cache, one thread");
  }
  if (const auto point = session.Measure("exp", kElements, &MakeExp, third)) {
    session.Report(cost::Parameter::kTranscendentalRate, RateOf(*point), point->timing.samples,
                   "exp of float64 from the C library, one thread");
  }
}

}  // namespace cpnlint::kernels
