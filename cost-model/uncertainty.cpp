#include "cost-model/uncertainty.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "cost-model/demand.h"

namespace cpnlint::cost {
namespace {

constexpr double kTwoSigma = 2 * 1.959964;  // width of a 95 % range in standard deviations

// Peter Acklam's rational approximation of the normal distribution's inverse; relative error below 1.2e-9.
double NormalInverse(double p) {
  constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                          1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                          -1.328068155288572e+01};
  constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                          -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
  const auto tail = [&](double q) {
    return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
           ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  };
  if (p < 0.02425) return tail(std::sqrt(-2 * std::log(p)));
  if (p > 1 - 0.02425) return -tail(std::sqrt(-2 * std::log(1 - p)));
  const double q = p - 0.5, r = q * q;
  return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
         (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

// A Latin hypercube with a fixed seed: in every dimension (one per parameter, one per common factor) each of the
// equally likely slices of the normal distribution comes once, in an order of its own.
using Normals = std::array<std::array<double, kSamples>, kParameters + 2>;

// The dimensions of the common factors, and that of a parameter. Those that came later stand behind the factors, so
// that the bands of all that does not depend on them are what they were.
constexpr std::size_t kFactors = static_cast<std::size_t>(Parameter::kRuntimeWork);
constexpr std::size_t DimensionOf(std::size_t parameter) { return parameter < kFactors ? parameter : parameter + 2; }

const Normals& StandardNormals() {
  static const Normals normals = [] {
    Normals all{};
    std::uint64_t state = 0x5eed;
    const auto next = [&state] {  // splitmix64
      std::uint64_t z = state += 0x9e3779b97f4a7c15ULL;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      return z ^ (z >> 31);
    };
    for (auto& dimension : all) {  // lane 0 stays at the median
      for (std::size_t lane = 1; lane < kSamples; ++lane)
        dimension[lane] = NormalInverse((static_cast<double>(lane) - 0.5) / (kSamples - 1));
      for (std::size_t lane = kSamples - 1; lane > 1; --lane) std::swap(dimension[lane], dimension[1 + next() % lane]);
    }
    return all;
  }();
  return normals;
}

// Which common factor moves the parameter.
enum class Group { kNone, kLaunch, kMemory };

Group GroupOf(Parameter parameter) {
  switch (parameter) {
    case Parameter::kLaunchBase:
    case Parameter::kLaunchPerProcessor:
    case Parameter::kLaunchPython:
    case Parameter::kRankFactor:
    case Parameter::kTaskFloor:
    case Parameter::kDependentLatency:
    case Parameter::kScalarLatency:
    case Parameter::kScalarLatencyPerDoubling:
    case Parameter::kWait:
    case Parameter::kRuntimeWork:
    case Parameter::kElementAccess: return Group::kLaunch;
    case Parameter::kBandwidth:
    case Parameter::kBandwidthShared:
    case Parameter::kCacheBandwidth:
    case Parameter::kFillRate:
    case Parameter::kFirstTouch:
    case Parameter::kReductionRate:
    case Parameter::kAxisReductionRate:
    case Parameter::kOuterReductionRate:
    case Parameter::kScanRate: return Group::kMemory;
    default: return Group::kNone;
  }
}

constexpr double kShared = 0.7;  // of the variance of a parameter of a group: what the group's factor carries

}  // namespace

template <std::size_t N>
Samples<N> SamplesOf(const Profile& profile) {
  static_assert(N == 1 || N == kSamples);
  const Normals& normals = StandardNormals();
  Samples<N> samples;
  for (std::size_t i = 0; i < kParameters; ++i) {
    const auto parameter = static_cast<Parameter>(i);
    const Number& number = profile[parameter];
    const double sigma =
        number.low > 0 && number.high > number.low ? std::log(number.high / number.low) / kTwoSigma : 0;
    const Group group = GroupOf(parameter);
    for (std::size_t lane = 0; lane < N; ++lane) {
      double value = number.value;
      if (lane > 0 && sigma > 0) {
        double z = normals[DimensionOf(i)][lane];
        if (group != Group::kNone) {
          const double common = normals[kFactors + (group == Group::kLaunch ? 0 : 1)][lane];
          z = std::sqrt(kShared) * common + std::sqrt(1 - kShared) * z;
        }
        value *= std::exp(sigma * z);
      }
      samples.unit[i][lane] = IsRate(parameter) ? (value > 0 ? 1 / value : 0) : value;
    }
  }
  return samples;
}

template Samples<1> SamplesOf<1>(const Profile& profile);
template Samples<kSamples> SamplesOf<kSamples>(const Profile& profile);

double Quantile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  const double at = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(below));
  const double low = values[below];
  if (below + 1 == values.size()) return low;
  const double high = *std::ranges::min_element(values.begin() + static_cast<std::ptrdiff_t>(below) + 1, values.end());
  return low + (at - static_cast<double>(below)) * (high - low);
}

}  // namespace cpnlint::cost
