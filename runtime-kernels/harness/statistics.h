#pragma once

// What is made of repeated timings. Medians and order statistics throughout: what disturbs a measurement only ever
// makes it longer, and a mean would believe it.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cpnlint::kernels {

[[nodiscard]] double Median(std::vector<double> values);  // 0 for none
// Median absolute deviation, scaled to the standard deviation of a normal distribution.
[[nodiscard]] double Spread(std::span<const double> values, double median);
// 97.5 % quantile of Student's t.
[[nodiscard]] double StudentT(int degrees);

struct Timing {
  double median = 0;
  double low = 0, high = 0;  // 95 % interval of the median
  double spread = 0;         // of single samples
  std::uint32_t samples = 0;
  std::uint32_t disturbed = 0;  // left out: the processor was taken away meanwhile, or it ran slower than it can
};

// The interval of the median by order statistics, so nothing is assumed of the distribution; all of the range below
// six samples.
[[nodiscard]] Timing Summarise(std::vector<double> samples);

// When to stop repeating.
struct StopRule {
  double relative = 0.01;  // half-width of the median's interval
  std::uint32_t least = 7, most = 200;
};

// Collects samples of one thing.
class Sampler {
 public:
  explicit Sampler(StopRule rule) : rule_(rule) {}
  // `disturbed` samples count only if there is nothing better.
  void Add(double seconds, bool disturbed);
  [[nodiscard]] bool Done() const;
  [[nodiscard]] Timing Result() const;

 private:
  StopRule rule_;
  std::vector<double> clean_, disturbed_;
};

}  // namespace cpnlint::kernels
