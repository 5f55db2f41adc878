#include "runtime-kernels/harness/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime-kernels/harness/statistics.h"

namespace cpnlint::kernels {
namespace {

// One observation of t = u * p + v * q.
struct Row {
  double u = 0, v = 0, t = 0, error = 0;
};

struct Solution {
  double p = 0, q = 0;
  double variance_p = 0, variance_q = 0, covariance = 0;
  double misfit = 0;
  int degrees = 0;
  bool good = false;
};

constexpr double kHuber = 1.345;  // 95 % efficient where errors are normal
constexpr double kLeastError = 0.01;
constexpr int kRounds = 50;

double Scale(const Row& row) { return std::max(row.error, kLeastError * row.t); }

double Loss(double residual) {
  const double size = std::abs(residual);
  return size <= kHuber ? size * size : kHuber * (2 * size - kHuber);
}

// Iteratively reweighted least squares; `with_p` false holds p at 0.
Solution Solve(std::span<const Row> rows, bool with_p) {
  Solution solution;
  const int unknowns = with_p ? 2 : 1;
  solution.degrees = static_cast<int>(rows.size()) - unknowns;
  if (solution.degrees < 0) return solution;
  std::vector<double> weights(rows.size(), 1);
  double uu = 0, uv = 0, vv = 0, determinant = 0;
  for (int round = 0; round < kRounds; ++round) {
    double ut = 0, vt = 0;
    uu = uv = vv = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      const double weight = weights[i] / (Scale(row) * Scale(row));
      if (with_p) {
        uu += weight * row.u * row.u;
        uv += weight * row.u * row.v;
        ut += weight * row.u * row.t;
      }
      vv += weight * row.v * row.v;
      vt += weight * row.v * row.t;
    }
    determinant = with_p ? uu * vv - uv * uv : vv;
    const double size = with_p ? uu * vv : vv;
    if (!(determinant > 1e-12 * size)) return solution;  // all points alike: nothing to tell the two terms apart by
    const double p = with_p ? (ut * vv - vt * uv) / determinant : 0;
    const double q = with_p ? (vt * uu - ut * uv) / determinant : vt / vv;
    const bool settled =
        std::abs(p - solution.p) <= 1e-10 * std::abs(p) && std::abs(q - solution.q) <= 1e-10 * std::abs(q);
    solution.p = p;
    solution.q = q;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double residual = std::abs(rows[i].t - p * rows[i].u - q * rows[i].v) / Scale(rows[i]);
      weights[i] = residual <= kHuber ? 1 : kHuber / residual;
    }
    if (settled && round > 0) break;
  }
  double loss = 0;
  for (const Row& row : rows) loss += Loss((row.t - solution.p * row.u - solution.q * row.v) / Scale(row));
  solution.misfit = loss / static_cast<double>(rows.size());
  // Where the points scatter more than their own errors say, the scatter counts.
  const double inflation = std::max(1.0, loss / std::max(solution.degrees, 1));
  solution.variance_p = with_p ? inflation * vv / determinant : 0;
  solution.variance_q = with_p ? inflation * uu / determinant : inflation / vv;
  solution.covariance = with_p ? -inflation * uv / determinant : 0;
  solution.good = true;
  return solution;
}

Interval Around(double value, double variance, int degrees) {
  const double half = StudentT(degrees) * std::sqrt(std::max(variance, 0.0));
  return {value, value - half, value + half};
}

// 1 / slope. An interval of the slope that reaches zero bounds the rate from below alone; twice the value stands in.
Interval Inverse(const Interval& slope) {
  Interval rate{1 / slope.value, 1 / slope.high, 2 / slope.value};
  if (slope.low > 0) rate.high = std::min(rate.high, 1 / slope.low);
  return rate;
}

Solution SolveNotNegative(std::span<const Row> rows) {
  Solution solution = Solve(rows, true);
  if (solution.good && solution.p >= 0) return solution;
  return Solve(rows, false);
}

}  // namespace

Line FitLine(std::span<const FitPoint> points) {
  std::vector<Row> rows;
  for (const FitPoint& point : points) {
    if (point.t > 0) rows.push_back({1, point.x, point.t, point.error});
  }
  Line line;
  line.points = static_cast<int>(rows.size());
  const Solution solution = SolveNotNegative(rows);
  if (!solution.good || !(solution.q > 0)) return line;
  line.start = Around(solution.p, solution.variance_p, solution.degrees);
  line.start.low = std::max(line.start.low, 0.0);
  line.rate = Inverse(Around(solution.q, solution.variance_q, solution.degrees));
  line.start_variance = solution.variance_p;
  line.slope_variance = solution.variance_q;
  line.covariance = solution.covariance;
  line.misfit = solution.misfit;
  line.good = true;
  return line;
}

TwoTerms FitTwoTerms(std::span<const TwoTermPoint> points) {
  std::vector<Row> rows;
  for (const TwoTermPoint& point : points) {
    if (point.t > 0) rows.push_back({point.first, point.second, point.t, point.error});
  }
  TwoTerms terms;
  const Solution solution = SolveNotNegative(rows);
  if (!solution.good || !(solution.q > 0)) return terms;
  terms.per_first = Around(solution.p, solution.variance_p, solution.degrees);
  terms.per_first.low = std::max(terms.per_first.low, 0.0);
  terms.rate = Inverse(Around(solution.q, solution.variance_q, solution.degrees));
  terms.good = true;
  return terms;
}

Knee FitKnee(std::vector<FitPoint> points) {
  std::sort(points.begin(), points.end(), [](const FitPoint& a, const FitPoint& b) { return a.x < b.x; });
  Knee best;
  double least = std::numeric_limits<double>::infinity();
  constexpr std::size_t kLeast = 3;  // points of a regime
  for (std::size_t cut = kLeast; cut + kLeast <= points.size(); ++cut) {
    const std::span<const FitPoint> all(points);
    const Line cached = FitLine(all.first(cut));
    const Line streamed = FitLine(all.subspan(cut));
    if (!cached.good || !streamed.good) continue;
    const double loss =
        cached.misfit * static_cast<double>(cut) + streamed.misfit * static_cast<double>(points.size() - cut);
    if (loss >= least) continue;
    least = loss;
    best.cached = cached;
    best.streamed = streamed;
    best.size = {std::sqrt(points[cut - 1].x * points[cut].x), points[cut - 1].x, points[cut].x};
  }
  // A cache that is hardly faster than memory is none: on a busy machine the best cut of a flat line lies anywhere.
  constexpr double kFaster = 1.3;
  best.good = std::isfinite(least) && best.cached.rate.value > kFaster * best.streamed.rate.value;
  return best;
}

}  // namespace cpnlint::kernels
