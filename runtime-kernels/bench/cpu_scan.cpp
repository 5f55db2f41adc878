// Cumulative sums.

#include <cmath>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

Case MakeScan(std::size_t bytes) {
  const std::size_t n = bytes / sizeof(double);
  const auto a = RandomArray<double>(n, 1);
  const auto sums = std::make_shared<Array<double>>(n);
  Case one = TimedCase(static_cast<double>(bytes) * 2, [=] {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) (*sums)[i] = sum += (*a)[i];
  });
  one.correct = [=] { return n == 0 || std::abs((*sums)[n - 1] - (*sums)[n - 2] - (*a)[n - 1]) < 1e-6; };
  return one;
}

}  // namespace

void BenchCpuScan(Session& session) {
  const std::size_t largest = LargestArray(session);
  const auto points = session.Sweep(
      "scan", {largest / 2, largest, largest * 2}, [](std::size_t bytes) { return MakeScan(bytes); },
      session.seconds());
  session.ReportRate(cost::Parameter::kScanRate, points, "cumulative sum of float64, bytes in and out, one thread");
}

}  // namespace cpnlint::kernels
