// Writing only: over memory that is there, and into pages that the system has yet to give.

#include <sys/mman.h>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

CPNLINT_BEST_INSTRUCTIONS void Fill(double* a, double value, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = value;
}

Case MakeFill(std::size_t bytes) {
  const std::size_t n = bytes / sizeof(double);
  const auto a = RandomArray<double>(n, 1);
  Case one = TimedCase(static_cast<double>(bytes), [=] { Fill(a->data(), 2.5, n); });
  one.correct = [=] { return (*a)[0] == 2.5 && (*a)[n - 1] == 2.5; };
  return one;
}

// Fresh memory each time; asking for it and giving it back are not timed.
Case MakeFirstTouch(std::size_t bytes) {
  const std::size_t n = bytes / sizeof(double);
  Case one;
  one.amount = static_cast<double>(bytes);
  one.run = [n](int repeats) {
    double seconds = 0;
    for (int i = 0; i < repeats; ++i) {
      const Array<double> fresh(n);
      const Stopwatch watch;
      Fill(fresh.data(), 2.5, n);
      seconds += watch.Seconds();
    }
    return seconds;
  };
  return one;
}

}  // namespace

void BenchCpuFill(Session& session) {
  const std::size_t largest = LargestArray(session);
  const std::vector<std::size_t> sizes = {largest, largest * 2, largest * 4};
  const std::string range = ", " + std::to_string(largest >> 20) + " to " + std::to_string(largest >> 18) + " MiB";
  const auto points = session.Sweep(
      "fill", sizes, [](std::size_t bytes) { return MakeFill(bytes); }, session.seconds() / 2);
  session.ReportRate(cost::Parameter::kFillRate, points, "a[:] = value, one thread" + range);
  const auto first = session.Sweep(
      "first touch", {largest / 4, largest / 2, largest}, [](std::size_t bytes) { return MakeFirstTouch(bytes); },
      session.seconds() / 2);
  session.ReportRate(cost::Parameter::kFirstTouch, first, "first write to new pages, one thread");
}

}  // namespace cpnlint::kernels
