#include "runtime-kernels/harness/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cpnlint::kernels {

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle), values.end());
  const double upper = values[middle];
  if (values.size() % 2 == 1) return upper;
  return (upper + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle))) / 2;
}

double Spread(std::span<const double> values, double median) {
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - median));
  return 1.4826 * Median(std::move(distances));
}

double StudentT(int degrees) {
  static constexpr std::array<double, 11> kFirst = {12.71, 12.71, 4.303, 3.182, 2.776, 2.571,
                                                    2.447, 2.365, 2.306, 2.262, 2.228};
  if (degrees < static_cast<int>(kFirst.size())) return kFirst[static_cast<std::size_t>(std::max(degrees, 0))];
  return 1.96 + 2.5 / degrees;  // within 0.01 of the tables
}

Timing Summarise(std::vector<double> samples) {
  Timing timing;
  if (samples.empty()) return timing;
  std::sort(samples.begin(), samples.end());
  timing.samples = static_cast<std::uint32_t>(samples.size());
  timing.median = Median(samples);
  timing.spread = Spread(samples, timing.median);
  const double n = static_cast<double>(samples.size());
  // Normal approximation of the binomial's quantiles; below six samples no pair of them covers 95 %.
  const double rank = samples.size() < 6 ? 0 : std::floor(n / 2 - 0.98 * std::sqrt(n));
  const auto first = static_cast<std::size_t>(std::max(rank, 0.0));
  timing.low = samples[first];
  timing.high = samples[samples.size() - 1 - first];
  return timing;
}

void Sampler::Add(double seconds, bool disturbed) { (disturbed ? disturbed_ : clean_).push_back(seconds); }

bool Sampler::Done() const {
  if (clean_.size() + disturbed_.size() >= rule_.most) return true;
  if (clean_.size() < rule_.least) return false;
  const Timing timing = Summarise(clean_);
  return timing.high - timing.low <= 2 * rule_.relative * timing.median;
}

Timing Sampler::Result() const {
  const std::size_t all = clean_.size() + disturbed_.size();
  if (clean_.size() >= std::max<std::size_t>(3, all / 4) || disturbed_.empty()) {
    Timing timing = Summarise(clean_);
    timing.disturbed = static_cast<std::uint32_t>(disturbed_.size());
    return timing;
  }
  // On a busy machine hardly any long run is left alone. What disturbs only makes longer, so the faster half stands for
  // them all.
  std::vector<double> samples = clean_;
  samples.insert(samples.end(), disturbed_.begin(), disturbed_.end());
  std::sort(samples.begin(), samples.end());
  samples.resize((all + 1) / 2);
  return Summarise(std::move(samples));
}

}  // namespace cpnlint::kernels
