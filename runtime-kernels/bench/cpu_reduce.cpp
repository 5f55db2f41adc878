// Sums: of everything, and along either axis of a matrix.

#include <cmath>
#include <numeric>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

CPNLINT_BEST_INSTRUCTIONS double Sum(const double* a, std::size_t n) {
  double lanes[16] = {};
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    for (std::size_t lane = 0; lane < 16; ++lane) lanes[lane] += a[i + lane];
  }
  for (; i < n; ++i) lanes[0] += a[i];
  return std::accumulate(std::begin(lanes), std::end(lanes), 0.0);
}

CPNLINT_BEST_INSTRUCTIONS void SumRows(const double* a, double* sums, std::size_t rows, std::size_t columns) {
  for (std::size_t j = 0; j < columns; ++j) sums[j] = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) sums[j] += a[i * columns + j];
  }
}

bool Near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

Case MakeSum(std::size_t bytes) {
  const std::size_t n = bytes / sizeof(double);
  const auto a = RandomArray<double>(n, 1);
  const auto sum = std::make_shared<double>(0);
  Case one = TimedCase(static_cast<double>(bytes), [=] { *sum = Sum(a->data(), n); });
  one.correct = [=] { return Near(*sum, std::accumulate(a->data(), a->data() + n, 0.0)); };
  return one;
}

// In the order of the elements, as a loop over an array does it: each sum needs the one before.
Case MakeFold(std::size_t bytes) {
  const std::size_t n = bytes / sizeof(double);
  const auto a = RandomArray<double>(n, 1);
  const auto sum = std::make_shared<double>(0);
  Case one = TimedCase(static_cast<double>(n), [=] { *sum = std::accumulate(a->data(), a->data() + n, 0.0); });
  one.correct = [=] { return Near(*sum, Sum(a->data(), n)); };
  return one;
}

Case MakeAxisSum(std::size_t bytes, bool along_rows) {
  const std::size_t columns = 1024;
  const std::size_t rows = bytes / sizeof(double) / columns;
  const auto a = RandomArray<double>(rows * columns, 1);
  const auto sums = std::make_shared<std::vector<double>>(along_rows ? rows : columns);
  Case one = TimedCase(static_cast<double>(bytes), [=] {
    if (!along_rows) return SumRows(a->data(), sums->data(), rows, columns);
    for (std::size_t i = 0; i < rows; ++i) (*sums)[i] = Sum(a->data() + i * columns, columns);
  });
  one.correct = [=] {
    return Near(std::accumulate(sums->begin(), sums->end(), 0.0),
                std::accumulate(a->data(), a->data() + a->size(), 0.0));
  };
  return one;
}

}  // namespace

void BenchCpuReduce(Session& session) {
  const std::size_t largest = LargestArray(session) * 2;
  const std::vector<std::size_t> sizes = {largest / 2, largest, largest * 2};
  const double part = session.seconds() / 4;
  const auto all = session.Sweep(
      "sum", sizes, [](std::size_t bytes) { return MakeSum(bytes); }, part);
  session.ReportRate(cost::Parameter::kReductionRate, all, "sum of float64, one thread");
  if (const auto point = session.Measure(
          "fold", largest, [](std::size_t bytes) { return MakeFold(bytes); }, part)) {
    session.Report(cost::Parameter::kFoldRate, RateOf(*point), point->timing.samples,
                   "float64 added one after the other, one thread");
  }
  const auto first = session.Measure(
      "sum along axis 0", largest, [](std::size_t bytes) { return MakeAxisSum(bytes, false); }, part);
  const auto second = session.Measure(
      "sum along axis 1", largest, [](std::size_t bytes) { return MakeAxisSum(bytes, true); }, part);
  const std::string how = " of float64, 1024 columns, one thread";
  if (first) {
    session.Report(cost::Parameter::kOuterReductionRate, RateOf(*first), first->timing.samples,
                   "sum along axis 0" + how);
  }
  if (second) {
    session.Report(cost::Parameter::kAxisReductionRate, RateOf(*second), second->timing.samples,
                   "sum along axis 1" + how);
  }
}

}  // namespace cpnlint::kernels
