#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "runtime-kernels/harness/bench.h"
#include "runtime-kernels/harness/clock.h"

namespace cpnlint::kernels {
namespace {

constexpr double kShortestSample = 50e-6;  // some thousand ticks of the clock
constexpr int kMostRepeats = 1 << 20;

struct Running {
  SweepPoint point;
  Case one;
  Sampler sampler;
  int repeats = 1;
  bool wrong = false;
};

// One warm-up run, then as many repeats to a sample as the clock needs.
void Prepare(Running& running) {
  double seconds = running.one.run(1);
  while (seconds < kShortestSample && running.repeats < kMostRepeats) {
    running.repeats *= 2;
    seconds = running.one.run(running.repeats);
  }
  running.wrong = running.one.correct && !running.one.correct();
}

void Shuffle(std::vector<std::size_t>& order, Session& session) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[session.Random() % i]);
}

}  // namespace

std::uint64_t Session::Random() {  // splitmix64
  std::uint64_t z = seed_ += 0x9E37'79B9'7F4A'7C15;
  z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
  z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
  return z ^ z >> 31;
}

std::vector<SweepPoint> Session::Sweep(const std::string& name, std::vector<std::size_t> sizes, const MakeCase& make,
                                       double seconds) {
  const Stopwatch watch;
  StopRule rule;
  if (effort_ == Effort::kQuick) rule.relative = 0.02;
  Shuffle(sizes, *this);
  std::vector<Running> all;
  for (const std::size_t size : sizes) {
    try {
      std::optional<Case> one = make(size);
      if (!one) continue;
      all.push_back({{size, one->amount, {}}, std::move(*one), Sampler(rule), 1, false});
    } catch (const std::bad_alloc&) {
      Problem(name + ": no memory for size " + std::to_string(size));
      continue;
    }
    Prepare(all.back());
    if (all.back().wrong) {
      Problem(name + ": a wrong result at size " + std::to_string(size) + "; left out");
      all.pop_back();
    }
  }
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // Three passes however slow: one sample says nothing about itself.
  for (int pass = 0; !order.empty() && (pass < 3 || watch.Seconds() < seconds); ++pass) {
    Shuffle(order, *this);
    for (const std::size_t i : order) {
      backend_.before_sample();
      const double taken = all[i].one.run(all[i].repeats) / all[i].repeats;
      all[i].sampler.Add(taken, backend_.disturbed());
    }
    std::erase_if(order, [&](std::size_t i) { return all[i].sampler.Done(); });
  }
  std::vector<SweepPoint> points;
  for (Running& running : all) {
    if (running.one.correct && !running.one.correct()) {
      Problem(name + ": a wrong result at size " + std::to_string(running.point.size) + "; left out");
      continue;
    }
    running.point.timing = running.sampler.Result();
    points.push_back(running.point);
  }
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
  return points;
}

std::optional<SweepPoint> Session::Measure(const std::string& name, std::size_t size, const MakeCase& make,
                                           double seconds) {
  std::vector<SweepPoint> points = Sweep(name, {size}, make, seconds);
  if (points.empty()) return std::nullopt;
  return points.front();
}

void Session::Report(cost::Parameter parameter, const Interval& interval, std::uint32_t samples, std::string method) {
  const bool sensible = std::isfinite(interval.low) && std::isfinite(interval.high) && interval.low >= 0 &&
                        interval.low <= interval.value && interval.value <= interval.high;
  if (!sensible) {
    Problem(std::string(InfoOf(parameter).name) + ": the measurements fit no sensible value");
    return;
  }
  record_.estimates.push_back({parameter, interval.value, interval.low, interval.high, samples, std::move(method)});
}

void Session::ReportRate(cost::Parameter parameter, std::span<const SweepPoint> points, std::string method) {
  if (points.empty()) return;
  Report(parameter, RateThrough(points), SamplesOf(points), std::move(method));
}

Interval RateThrough(std::span<const SweepPoint> points) {
  std::vector<double> rates;
  Interval own = RateOf(points.front());
  for (const SweepPoint& point : points) {
    const Interval rate = RateOf(point);
    rates.push_back(rate.value);
    own = {0, std::min(own.low, rate.low), std::max(own.high, rate.high)};
  }
  own.value = Median(rates);
  const Line line = FitLine(FitPoints(points));
  // A line that no single measurement comes near is one through noise.
  const bool fits = line.good && line.rate.value > 0.5 * own.low && line.rate.value < 2 * own.high;
  return fits ? line.rate : own;
}

double ReportMemory(Session& session, std::span<const SweepPoint> points, const std::string& method) {
  const Knee knee = FitKnee(FitPoints(points));
  if (!knee.good) {
    session.ReportRate(cost::Parameter::kBandwidth, LastOf(points, 3), method);
    session.Problem("stream: no cache shows in the bandwidth");
    return 0;
  }
  const std::uint32_t samples = SamplesOf(points);
  session.Report(cost::Parameter::kBandwidth, knee.streamed.rate, samples, method);
  session.Report(cost::Parameter::kCacheBandwidth, knee.cached.rate, samples, method);
  session.Report(cost::Parameter::kCacheSize, knee.size, samples, method);
  return knee.size.high;
}

std::vector<std::size_t> PowersOfTwo(int first, int last) {
  std::vector<std::size_t> sizes;
  for (int power = first; power <= last; ++power) sizes.push_back(std::size_t{1} << power);
  return sizes;
}

std::vector<FitPoint> FitPoints(std::span<const SweepPoint> points) {
  std::vector<FitPoint> result;
  for (const SweepPoint& point : points) {
    // The median's interval is about 2 standard errors to either side.
    result.push_back({point.amount, point.timing.median, (point.timing.high - point.timing.low) / 4});
  }
  return result;
}

std::uint32_t SamplesOf(std::span<const SweepPoint> points) {
  std::uint32_t samples = 0;
  for (const SweepPoint& point : points) samples += point.timing.samples;
  return samples;
}

Interval RateOf(const SweepPoint& point) {
  const Timing& timing = point.timing;
  if (!(timing.low > 0)) return {};
  return {point.amount / timing.median, point.amount / timing.high, point.amount / timing.low};
}

cost::Curve RateCurve(std::string name, std::string x_unit, std::string y_unit, std::span<const SweepPoint> points) {
  cost::Curve curve{std::move(name), std::move(x_unit), std::move(y_unit), {}};
  for (const SweepPoint& point : points) {
    if (point.timing.median > 0) {
      curve.points.emplace_back(static_cast<double>(point.size), point.amount / point.timing.median);
    }
  }
  return curve;
}

}  // namespace cpnlint::kernels
