// Cholesky factorisation, blocked.

#include <algorithm>
#include <cmath>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

constexpr std::size_t kBlock = 48;

// Lower triangle of a, in place; the columns first to last of the rows first to n are up to date.
void FactorPanel(double* a, std::size_t n, std::size_t first, std::size_t last) {
  for (std::size_t j = first; j < last; ++j) {
    const double pivot = std::sqrt(a[j * n + j]);
    a[j * n + j] = pivot;
    for (std::size_t i = j + 1; i < n; ++i) {
      double* row = a + i * n;
      const double value = row[j] /= pivot;
      // Columns to the right of j within the panel, as far as they are computed: those of the diagonal block come
      // from rows above i.
      for (std::size_t k = j + 1; k < std::min(last, i + 1); ++k) row[k] -= value * (k == i ? value : a[k * n + j]);
    }
  }
}

void Cholesky(double* a, std::size_t n) {
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t last = std::min(first + kBlock, n);
    FactorPanel(a, n, first, last);
    // The rest of the matrix, column block by column block, so that only the lower triangle is worked on.
    for (std::size_t j = last; j < n; j += kBlock) {
      const std::size_t end = std::min(j + kBlock, n);
      MultiplyAdd<double>(n - j, end - j, last - first, -1.0, a + j * n + first, n, a + j * n + first, n, true,
                          a + j * n + j, n);
    }
  }
}

// Bringing the matrix back is not timed.
Case MakeCholesky(std::size_t n) {
  const auto source = RandomArray<double>(n * n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) (*source)[j * n + i] = (*source)[i * n + j];
    (*source)[i * n + i] += static_cast<double>(2 * n);
  }
  const auto a = std::make_shared<Array<double>>(n * n);
  Case one;
  const double order = static_cast<double>(n);
  one.amount = order * order * order / 3;
  one.run = [=](int repeats) {
    double seconds = 0;
    for (int i = 0; i < repeats; ++i) {
      std::copy(source->data(), source->data() + n * n, a->data());
      const Stopwatch watch;
      Cholesky(a->data(), n);
      seconds += watch.Seconds();
    }
    return seconds;
  };
  one.correct = [=] {
    for (const std::size_t row : {std::size_t{0}, n / 2, n - 1}) {
      for (const std::size_t column : {std::size_t{0}, row / 2, row}) {
        double sum = 0;
        for (std::size_t p = 0; p <= column; ++p) sum += (*a)[row * n + p] * (*a)[column * n + p];
        if (std::abs(sum - (*source)[row * n + column]) > 1e-8 * order) return false;
      }
    }
    return true;
  };
  return one;
}

}  // namespace

void BenchCpuFactor(Session& session) {
  std::vector<std::size_t> sizes = {64, 96, 128, 192, 256, 384, 512};
  if (session.effort() != Effort::kQuick) sizes.insert(sizes.end(), {768, 1024});
  if (session.effort() == Effort::kFull) sizes.push_back(2048);
  const auto points = session.Sweep("factor", sizes, &MakeCholesky, session.seconds());
  session.Draw(RateCurve("Cholesky, float64", "order", "flop/s", points));
  std::vector<TwoTermPoint> rows;
  for (const SweepPoint& point : points) {
    rows.push_back({static_cast<double>(point.size), point.amount, point.timing.median,
                    (point.timing.high - point.timing.low) / 4});
  }
  const TwoTerms terms = FitTwoTerms(rows);
  const std::string method = "own blocked Cholesky of order 64 to " + std::to_string(sizes.back()) + ", one thread";
  if (!terms.good) {
    session.ReportRate(cost::Parameter::kFactorRate, LastOf(points, 2), method);
    return;
  }
  session.Report(cost::Parameter::kFactorRate, terms.rate, SamplesOf(points), method);
  session.Report(cost::Parameter::kFactorColumn, terms.per_first, SamplesOf(points), method);
}

}  // namespace cpnlint::kernels
