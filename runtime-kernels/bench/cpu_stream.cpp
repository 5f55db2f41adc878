// Bandwidth of one core and of all, in memory and in the last cache: c = a + b, the shape of NumPy's operations.

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

CPNLINT_BEST_INSTRUCTIONS void Add(const double* a, const double* b, double* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// Two numbers are read and one is written, whose line is read first.
constexpr double kBytes = 32;

// Three arrays of `bytes` together.
Case MakeAdd(std::size_t bytes) {
  const std::size_t n = bytes / (3 * sizeof(double));
  const auto a = RandomArray<double>(n, 1);
  const auto b = RandomArray<double>(n, 2);
  const auto c = std::make_shared<Array<double>>(n);
  Case one = TimedCase(static_cast<double>(n) * kBytes, [=] { Add(a->data(), b->data(), c->data(), n); });
  one.correct = [=] { return (*c)[0] == (*a)[0] + (*b)[0] && (*c)[n - 1] == (*a)[n - 1] + (*b)[n - 1]; };
  return one;
}

// The same by all threads, each on arrays of its own.
Case MakeSharedAdd(const std::shared_ptr<Team>& team, std::size_t bytes) {
  const std::size_t n = bytes / (3 * sizeof(double)) / static_cast<std::size_t>(team->size());
  std::vector<Shared<double>> arrays(static_cast<std::size_t>(team->size()) * 3);
  team->Run([&](int member) {
    for (std::size_t i = 0; i < 3; ++i)
      arrays[static_cast<std::size_t>(member) * 3 + i] = RandomArray<double>(n, i + 1);
  });
  Case one;
  one.amount = static_cast<double>(n) * kBytes * team->size();
  one.run = [=](int repeats) {
    return team->Run([&](int member) {
      const std::size_t first = static_cast<std::size_t>(member) * 3;
      for (int i = 0; i < repeats; ++i)
        Add(arrays[first]->data(), arrays[first + 1]->data(), arrays[first + 2]->data(), n);
    });
  };
  one.correct = [=] { return (*arrays[2])[n - 1] == (*arrays[0])[n - 1] + (*arrays[1])[n - 1]; };
  return one;
}

// Data beyond every cache: where the last cache is not told or is huge, a quarter of a GiB.
std::vector<SweepPoint> Beyond(const std::vector<SweepPoint>& points, double bytes) {
  std::vector<SweepPoint> large;
  for (const SweepPoint& point : points) {
    if (point.amount >= bytes) large.push_back(point);
  }
  return large;
}

}  // namespace

void BenchCpuStream(Session& session) {
  const std::size_t largest = LargestArray(session) * 4;
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 3 << 18; bytes <= largest; bytes *= 2) {
    sizes.push_back(bytes);
    if (session.effort() != Effort::kQuick && bytes * 3 / 2 <= largest) sizes.push_back(bytes * 3 / 2);
  }
  const auto points = session.Sweep(
      "stream", sizes, [](std::size_t bytes) { return MakeAdd(bytes); }, session.seconds() * 0.7);
  session.Draw(RateCurve("add, one thread", "B", "B/s", points));
  const std::string method =
      "c = a + b in float64, one thread, working sets of 768 KiB to " + std::to_string(largest >> 20) + " MiB";
  const double cached = ReportMemory(session, points, method);

  const auto team = std::make_shared<Team>(AllowedProcessors());
  std::vector<std::size_t> together = {largest / 4, largest / 2, largest};
  const auto shared = session.Sweep(
      "shared", together, [&](std::size_t bytes) { return MakeSharedAdd(team, bytes); }, session.seconds() * 0.3);
  session.Draw(RateCurve("add, all threads", "B", "B/s", shared));
  auto large = Beyond(shared, cached * team->size());
  if (large.size() < 2) large = shared;
  session.ReportRate(cost::Parameter::kBandwidthShared, large,
                     "c = a + b in float64, " + std::to_string(team->size()) + " threads, each on its own arrays");
}

}  // namespace cpnlint::kernels
