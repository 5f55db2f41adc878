#pragma once

// Robust lines through timings: t = a + x / rate, with what the data say about how sure that is.

#include <span>
#include <vector>

namespace cpnlint::kernels {

struct FitPoint {
  double x = 0;      // bytes, flops, elements
  double t = 0;      // seconds
  double error = 0;  // standard error of t; the fit never trusts a point beyond 1 %
};

struct Interval {
  double value = 0, low = 0, high = 0;  // 95 %
};

struct Line {
  Interval start;  // a, seconds
  Interval rate;   // x per second
  double start_variance = 0, slope_variance = 0, covariance = 0;
  double misfit = 0;  // robust loss per point; 1 is what the errors explain
  int points = 0;
  bool good = false;  // enough points, and a positive slope
};

// Huber regression by reweighting. A start below zero has no meaning: then the line is fitted through the origin.
[[nodiscard]] Line FitLine(std::span<const FitPoint> points);

// Two regimes: a working set that fits a cache, and one that does not. `points` in any order.
struct Knee {
  Line cached, streamed;
  Interval size;  // the largest x that still ran at the cached rate, between two measured ones
  bool good = false;
};
[[nodiscard]] Knee FitKnee(std::vector<FitPoint> points);

// t = first * n + second / rate, by the same regression: latency per column and flops of a factorisation.
struct TwoTerms {
  Interval per_first;  // seconds per unit of `first`
  Interval rate;       // units of `second` per second
  bool good = false;
};
struct TwoTermPoint {
  double first = 0, second = 0, t = 0, error = 0;
};
[[nodiscard]] TwoTerms FitTwoTerms(std::span<const TwoTermPoint> points);

}  // namespace cpnlint::kernels
