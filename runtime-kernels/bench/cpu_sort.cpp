// Sorting float64 keys.

#include <algorithm>
#include <cmath>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

constexpr double kKeys = 1e7;  // what the parameter is told for

// Bringing the disorder back is not timed.
Case MakeSort(std::size_t n) {
  const auto source = RandomArray<double>(n, 1);
  const auto keys = std::make_shared<Array<double>>(n);
  Case one;
  one.amount = static_cast<double>(n);
  one.run = [=](int repeats) {
    double seconds = 0;
    for (int i = 0; i < repeats; ++i) {
      std::copy(source->data(), source->data() + n, keys->data());
      const Stopwatch watch;
      std::sort(keys->data(), keys->data() + n);
      seconds += watch.Seconds();
    }
    return seconds;
  };
  one.correct = [=] { return std::is_sorted(keys->data(), keys->data() + n); };
  return one;
}

}  // namespace

void BenchCpuSort(Session& session) {
  const bool quick = session.effort() == Effort::kQuick;
  const double keys = quick ? 1e6 : kKeys;
  const auto point = session.Measure("sort", static_cast<std::size_t>(keys), &MakeSort, session.seconds());
  if (!point) return;
  Interval rate = RateOf(*point);
  const double scale = std::log(keys) / std::log(kKeys);
  rate = {rate.value * scale, rate.low * scale, rate.high * scale};
  session.Report(
      cost::Parameter::kSortRate, rate, point->timing.samples,
      quick ? "std::sort of 1e6 keys, scaled to 1e7 as n log n, one thread" : "std::sort of 1e7 keys, one thread");
}

}  // namespace cpnlint::kernels
