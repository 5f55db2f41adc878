#pragma once

// Samples of what a profile is not sure of. Each parameter is log-normal around its value; its range is 95 % of it.
// What moves together in reality moves together here: the parameters of submitting share one factor (the same script
// was half as slow again three days later), those of memory another.

#include <array>
#include <cstddef>
#include <vector>

#include "cost-model/profile.h"

namespace cpnlint::cost {

inline constexpr std::size_t kSamples = 128;

template <std::size_t N>
using Lanes = std::array<double, N>;

// Seconds per unit of each parameter (a rate's inverse), per lane. Lane 0 has the values themselves.
template <std::size_t N>
struct Samples {
  std::array<Lanes<N>, kParameters> unit;
};

// N is 1 (the values alone) or kSamples. The same for equal profiles, always.
template <std::size_t N>
[[nodiscard]] Samples<N> SamplesOf(const Profile& profile);

// The value below which the share `p` of the values lies.
[[nodiscard]] double Quantile(std::vector<double> values, double p);

}  // namespace cpnlint::cost
