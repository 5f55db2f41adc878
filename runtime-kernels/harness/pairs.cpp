#include "runtime-kernels/harness/pairs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace cpnlint::kernels {
namespace {

// Rates of pairs that are wired alike differ by a few percent, and kinds of wires by a factor.
constexpr double kApart = 1.25;
constexpr std::size_t kLongest = 2;  // sizes that a rate is taken from
constexpr std::size_t kNamed = 6;    // pairs that a note names

Interval Covering(const std::vector<Interval>& all) {
  std::vector<double> values, lows, highs;
  for (const Interval& one : all) {
    values.push_back(one.value);
    lows.push_back(one.low);
    highs.push_back(one.high);
  }
  return {Median(values), std::min(Median(lows), *std::min_element(values.begin(), values.end())),
          std::max(Median(highs), *std::max_element(values.begin(), values.end()))};
}

PairClass ClassOf(std::span<const PairFit> fits) {
  PairClass one;
  one.path = fits.front().path;
  std::vector<Interval> latencies, rates, longest;
  for (const PairFit& fit : fits) {
    one.pairs.push_back(fit.pair);
    one.samples += fit.samples;
    latencies.push_back(fit.latency);
    rates.push_back(fit.rate);
    longest.push_back(fit.longest);
  }
  one.latency = Covering(latencies);
  one.rate = Covering(rates);
  one.longest = Covering(longest);
  return one;
}

bool HasNeighbours(const PairClass& one) {
  return std::ranges::any_of(one.pairs, [](const Pair& pair) { return std::abs(pair.from - pair.to) == 1; });
}

}  // namespace

std::vector<Pair> PairsOf(int count, std::size_t most) {
  std::vector<Pair> pairs;
  const auto n = static_cast<std::size_t>(std::max(count, 0));
  const bool all = n * (n - std::min<std::size_t>(n, 1)) <= most;
  for (int distance = 1; distance < count; distance = all ? distance + 1 : distance * 2) {
    for (int from = 0; from < count; ++from) pairs.push_back({from, (from + distance) % count});
  }
  if (pairs.size() <= most) return pairs;
  // Steps that are no whole number do not meet the same kind of pair again and again.
  std::vector<Pair> chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(pairs[i * pairs.size() / most]);
  return chosen;
}

std::vector<Pair> Ring(int count) {
  std::vector<Pair> pairs;
  for (int from = 0; count > 1 && from < count; ++from) pairs.push_back({from, (from + 1) % count});
  return pairs;
}

std::optional<PairFit> FitPair(const Pair& pair, const std::string& path, std::span<const SweepPoint> points) {
  if (points.empty()) return std::nullopt;
  const Timing& shortest = points.front().timing;
  return PairFit{pair,
                 path,
                 {shortest.median, shortest.low, shortest.high},
                 RateThrough(LastOf(points, std::min(kLongest, std::max<std::size_t>(points.size() - 1, 1)))),
                 RateOf(points.back()),
                 SamplesOf(points)};
}

std::vector<PairClass> ClassesOf(std::vector<PairFit> fits) {
  std::ranges::stable_sort(fits, [](const PairFit& a, const PairFit& b) {
    return a.path != b.path ? a.path < b.path : a.rate.value > b.rate.value;
  });
  std::vector<PairClass> classes;
  const std::span<const PairFit> all(fits);
  for (std::size_t first = 0; first < fits.size();) {
    std::size_t end = first + 1;
    while (end < fits.size() && fits[end].path == fits[first].path &&
           fits[end].rate.value * kApart >= fits[end - 1].rate.value) {
      ++end;
    }
    classes.push_back(ClassOf(all.subspan(first, end - first)));
    first = end;
  }
  std::ranges::stable_sort(classes, [](const auto& a, const auto& b) { return a.rate.value > b.rate.value; });
  return classes;
}

const PairClass* SlowestNeighbours(std::span<const PairClass> classes) {
  const PairClass* slowest = nullptr;
  for (const PairClass& one : classes) {
    if (HasNeighbours(one)) slowest = &one;
  }
  return slowest == nullptr && !classes.empty() ? &classes.back() : slowest;
}

std::string CountOf(std::span<const Pair> pairs) {
  return std::to_string(pairs.size()) + (pairs.size() == 1 ? " pair" : " pairs");
}

std::string NamesOf(std::span<const Pair> pairs) {
  std::string text;
  for (std::size_t i = 0; i < pairs.size() && i < kNamed; ++i) {
    text += (i > 0 ? " " : "") + std::to_string(pairs[i].from) + "-" + std::to_string(pairs[i].to);
  }
  if (pairs.size() > kNamed) text += " and " + std::to_string(pairs.size() - kNamed) + " more";
  return text;
}

Interval Kept(const Interval& together, const Interval& alone) {
  if (!(alone.low > 0)) return {};
  return {together.value / alone.value, together.low / alone.high, together.high / alone.low};
}

std::string Percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", share * 100);
  return text;
}

}  // namespace cpnlint::kernels
