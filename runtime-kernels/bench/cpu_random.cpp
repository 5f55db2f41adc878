// Uniform and normal float64 from Philox4x32-10, the generator that cuPyNumeric draws from on a GPU (Salmon et al.,
// SC'11).

#include <array>
#include <cmath>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

using Words = std::array<std::uint32_t, 4>;

Words Philox(Words counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key0, static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key1, static_cast<std::uint32_t>(first)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

double Uniform(std::uint32_t high, std::uint32_t low) {
  return static_cast<double>((std::uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
}

Case MakeDraws(std::size_t n) {
  const auto draws = std::make_shared<Array<double>>(n);
  Case one = TimedCase(static_cast<double>(n), [=] {
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      const Words words = Philox({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), 0, 0}, 1, 2);
      (*draws)[i] = Uniform(words[0], words[1]);
      (*draws)[i + 1] = Uniform(words[2], words[3]);
    }
  });
  one.correct = [=] {
    // The paper's first test vector, and a mean that 1/2 explains.
    if (Philox({0, 0, 0, 0}, 0, 0) != Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}) return false;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (*draws)[i];
    return sum > 0.49 * static_cast<double>(n) && sum < 0.51 * static_cast<double>(n);
  };
  return one;
}

// Two uniform draws make two normal ones (Box and Muller).
Case MakeNormals(std::size_t n) {
  const auto draws = std::make_shared<Array<double>>(n);
  Case one = TimedCase(static_cast<double>(n), [=] {
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      const Words words = Philox({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), 0, 0}, 1, 2);
      const double radius = std::sqrt(-2 * std::log(1 - Uniform(words[0], words[1])));
      const double angle = 6.283185307179586 * Uniform(words[2], words[3]);
      (*draws)[i] = radius * std::cos(angle);
      (*draws)[i + 1] = radius * std::sin(angle);
    }
  });
  one.correct = [=] {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < n / 2 * 2; ++i) {
      sum += (*draws)[i];
      squares += (*draws)[i] * (*draws)[i];
    }
    const double count = static_cast<double>(n);
    return std::abs(sum / count) < 0.01 && std::abs(squares / count - 1) < 0.01;
  };
  return one;
}

}  // namespace

void BenchCpuRandom(Session& session) {
  const std::size_t n = LargestArray(session) / sizeof(double);
  const double half = session.seconds() / 2;
  if (const auto point = session.Measure("random", n, &MakeDraws, half)) {
    session.Report(cost::Parameter::kRandomRate, RateOf(*point), point->timing.samples,
                   "uniform float64 from Philox4x32-10, one thread");
  }
  if (const auto point = session.Measure("normal", n / 4, &MakeNormals, half)) {
    session.Report(cost::Parameter::kNormalRate, RateOf(*point), point->timing.samples,
                   "normal float64 from Philox4x32-10 by Box and Muller, one thread");
  }
}

}  // namespace cpnlint::kernels
