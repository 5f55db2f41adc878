#include <algorithm>
#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "runtime-kernels/harness/fit.h"
#include "runtime-kernels/harness/statistics.h"

using namespace cpnlint::kernels;

namespace {

// Reproducible noise: the same generator everywhere, made normal by hand.
class Noise {
 public:
  double operator()() {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(engine_()) / 4294967296.0;
    return sum - 6;
  }
  double Uniform() { return static_cast<double>(engine_()) / 4294967296.0; }

 private:
  std::mt19937 engine_{12345};
};

}  // namespace

TEST_CASE("statistics: median and spread") {
  CHECK(Median({}) == 0);
  CHECK(Median({3}) == 3);
  CHECK(Median({4, 1, 3}) == 3);
  CHECK(Median({4, 1, 3, 2}) == 2.5);
  const double values[] = {1, 2, 3, 4, 100};
  CHECK(Spread(values, 3) == Approx(1.4826));  // one outlier moves nothing
}

TEST_CASE("statistics: Student's t") {
  CHECK(StudentT(1) == Approx(12.71));
  CHECK(StudentT(10) == Approx(2.228));
  CHECK(StudentT(20) == Approx(2.086).margin(0.01));
  CHECK(StudentT(1000) == Approx(1.962).margin(0.01));
}

TEST_CASE("statistics: the interval of a median covers it") {
  Noise noise;
  int covered = 0;
  const int trials = 500;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples;
    for (int i = 0; i < 25; ++i) samples.push_back(10 + noise());
    const Timing timing = Summarise(samples);
    CHECK(timing.low <= timing.median);
    CHECK(timing.median <= timing.high);
    covered += timing.low <= 10 && 10 <= timing.high ? 1 : 0;
  }
  CHECK(covered >= trials * 93 / 100);
  CHECK(covered <= trials * 99 / 100);
}

TEST_CASE("statistics: few samples give their whole range") {
  const Timing timing = Summarise({1, 5, 3});
  CHECK(timing.low == 1);
  CHECK(timing.median == 3);
  CHECK(timing.high == 5);
}

TEST_CASE("sampler: stops when the median is known, or at the most") {
  Sampler exact({0.01, 7, 200});
  for (int i = 0; i < 6; ++i) exact.Add(1, false);
  CHECK_FALSE(exact.Done());
  exact.Add(1, false);
  CHECK(exact.Done());

  Noise noise;
  Sampler noisy({0.001, 7, 50});
  int taken = 0;
  for (; !noisy.Done(); ++taken) noisy.Add(1 + 0.5 * std::abs(noise()), false);
  CHECK(taken == 50);
}

TEST_CASE("sampler: disturbed samples do not count while there are others") {
  Sampler sampler({0.01, 3, 100});
  for (int i = 0; i < 5; ++i) sampler.Add(1, false);
  for (int i = 0; i < 10; ++i) sampler.Add(9, true);
  CHECK(sampler.Result().median == 1);
  CHECK(sampler.Result().disturbed == 10);
}

TEST_CASE("sampler: where all are disturbed, the faster half stands for them") {
  Sampler sampler({0.01, 3, 100});
  for (int i = 0; i < 10; ++i) sampler.Add(1, true);
  for (int i = 0; i < 10; ++i) sampler.Add(9, true);
  CHECK(sampler.Result().median == 1);
  CHECK(sampler.Result().samples == 10);
}

TEST_CASE("fit: a line and its interval") {
  Noise noise;
  int covered = 0;
  const int trials = 200;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<FitPoint> points;
    for (double x = 1e6; x < 2e9; x *= 2) {
      const double t = 20e-6 + x / 10e9;
      points.push_back({x, t * (1 + 0.01 * noise()), 0.01 * t});
    }
    const Line line = FitLine(points);
    REQUIRE(line.good);
    CHECK(line.rate.value == Approx(10e9).epsilon(0.03));
    CHECK(line.start.value == Approx(20e-6).epsilon(0.3));
    covered += line.rate.low <= 10e9 && 10e9 <= line.rate.high ? 1 : 0;
  }
  CHECK(covered >= trials * 90 / 100);
}

TEST_CASE("fit: outliers do not bend the line") {
  std::vector<FitPoint> points;
  for (double x = 1e6; x < 2e9; x *= 2) points.push_back({x, 5e-6 + x / 10e9, 0});
  points[3].t *= 4;
  points[8].t *= 3;
  const Line line = FitLine(points);
  REQUIRE(line.good);
  CHECK(line.rate.value == Approx(10e9).epsilon(0.03));
  CHECK(line.rate.low <= 10e9);
  CHECK(line.rate.high >= 10e9);
}

TEST_CASE("fit: a start is never negative") {
  const std::vector<FitPoint> points = {{1e6, 0.9e-4, 0}, {2e6, 2.1e-4, 0}, {4e6, 4.1e-4, 0}, {8e6, 8.3e-4, 0}};
  const Line line = FitLine(points);
  REQUIRE(line.good);
  CHECK(line.start.value == 0);
  CHECK(line.rate.value == Approx(1e10).epsilon(0.06));
}

TEST_CASE("fit: nothing to fit is no line") {
  CHECK_FALSE(FitLine({}).good);
  CHECK_FALSE(FitLine(std::vector<FitPoint>{{1e6, 0, 0}, {2e6, 0, 0}}).good);
  // Two points at one place do not tell start and rate apart; a line through the origin is what is left.
  CHECK_FALSE(FitLine(std::vector<FitPoint>{{1e6, 1e-4, 0}, {1e6, 1e-4, 0}}).start.value > 0);
  CHECK_FALSE(FitKnee({{1, 1, 0}, {2, 2, 0}}).good);
}

TEST_CASE("fit: the knee of a cache") {
  Noise noise;
  std::vector<FitPoint> points;
  for (double x = 1 << 18; x <= 1 << 29; x *= 2) {
    const double rate = x <= 16 << 20 ? 60e9 : 15e9;
    points.push_back({x, (1e-6 + x / rate) * (1 + 0.01 * noise()), 0});
  }
  std::reverse(points.begin(), points.end());
  const Knee knee = FitKnee(points);
  REQUIRE(knee.good);
  CHECK(knee.cached.rate.value == Approx(60e9).epsilon(0.08));
  CHECK(knee.streamed.rate.value == Approx(15e9).epsilon(0.08));
  CHECK(knee.size.low == 16 << 20);
  CHECK(knee.size.high == 32 << 20);
}

TEST_CASE("fit: without a cache there is no knee") {
  std::vector<FitPoint> points;
  for (double x = 1 << 18; x <= 1 << 29; x *= 2) points.push_back({x, 1e-6 + x / 20e9, 0});
  CHECK_FALSE(FitKnee(points).good);
}

TEST_CASE("fit: memory that is slower in places is no cache") {
  // One core of a busy virtual machine, 768 KiB to 384 MiB, in 1e9 B/s.
  const double rates[] = {27.5, 28.0, 27.9, 28.9, 27.2, 28.0, 28.2, 27.2, 23.5, 27.7,
                          27.6, 25.4, 27.8, 27.4, 24.6, 27.4, 24.1, 26.3, 23.8};
  std::vector<FitPoint> points;
  double x = 3 << 18;
  for (std::size_t i = 0; i < std::size(rates); ++i) {
    points.push_back({x, x / (rates[i] * 1e9), 0});
    x *= i % 2 == 0 ? 1.5 : 4.0 / 3;
  }
  CHECK_FALSE(FitKnee(points).good);
}

TEST_CASE("fit: latency per column and rate") {
  std::vector<TwoTermPoint> points;
  for (const double n : {64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0}) {
    const double flops = n * n * n / 3;
    points.push_back({n, flops, n * 0.8e-6 + flops / 20e9, 0});
  }
  const TwoTerms terms = FitTwoTerms(points);
  REQUIRE(terms.good);
  CHECK(terms.per_first.value == Approx(0.8e-6).epsilon(0.01));
  CHECK(terms.rate.value == Approx(20e9).epsilon(0.01));
}
