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

// Two sorted halves into one.
Case MakeMerge(std::size_t n) {
  const auto keys = RandomArray<double>(n, 1);
  const auto merged = std::make_shared<Array<double>>(n);
  std::sort(keys->data(), keys->data() + n / 2);
  std::sort(keys->data() + n / 2, keys->data() + n);
  Case one = TimedCase(static_cast<double>(n), [=] {
    std::merge(keys->data(), keys->data() + n / 2, keys->data() + n / 2, keys->data() + n, merged->data());
  });
  one.correct = [=] { return std::is_sorted(merged->data(), merged->data() + n); };
  return one;
}

}  // namespace

void BenchCpuSort(Session& session) {
  const bool quick = session.effort() == Effort::kQuick;
  const double keys = quick ? 1e6 : kKeys;
  if (const auto point = session.Measure("merge", 1 << 20, &MakeMerge, session.seconds() / 5)) {
    session.Report(cost::Parameter::kMergeRate, RateOf(*point), point->timing.samples,
                   "std::merge of two sorted halves of 1 Mi float64, one thread");
  }
  const auto point = session.Measure("sort", static_cast<std::size_t>(keys), &MakeSort, session.seconds() * 4 / 5);
  if (!point) return;
  Interval rate = RateOf(*point);
  const double scale = std::log(keys) / std::log(kKeys);
  rate = {rate.value * scale, rate.low * scale, rate.high * scale};
  session.Report(
      cost::Parameter::kSortRate, rate, point->timing.samples,
      quick ? "std::sort of 1e6 keys, scaled to 1e7 as n log n, one thread" : "std::sort of 1e7 keys, one thread");
}

}  // namespace cpnlint::kernels
