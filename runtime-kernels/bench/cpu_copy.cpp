// Copies at home, which on a CPU stand in for those between host and processor.

#include <cstring>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

Case MakeCopy(std::size_t bytes) {
  const auto from = std::make_shared<Array<char>>(bytes);
  const auto to = std::make_shared<Array<char>>(bytes);
  std::memset(from->data(), 7, bytes);
  Case one = TimedCase(static_cast<double>(bytes), [=] { std::memcpy(to->data(), from->data(), bytes); });
  one.correct = [=] { return (*to)[bytes - 1] == 7; };
  return one;
}

}  // namespace

void BenchCpuCopy(Session& session) {
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 8; bytes < LargestArray(session); bytes *= 8) sizes.push_back(bytes);
  sizes.push_back(LargestArray(session));
  sizes.push_back(LargestArray(session) * 2);
  const auto points = session.Sweep("copy", sizes, &MakeCopy, session.seconds());
  session.Draw(RateCurve("copy, one thread", "B", "B/s", points));
  if (points.empty()) return;
  // The shortest copy says what a copy costs at all; those that no cache holds say how fast it goes on.
  const std::string method = "memcpy by one thread: a CPU's memory is its host's";
  const Timing& shortest = points.front().timing;
  session.Report(cost::Parameter::kHostLatency, {shortest.median, shortest.low, shortest.high}, shortest.samples,
                 method + ", 8 B");
  session.ReportRate(cost::Parameter::kHostBandwidth, LastOf(points, 2),
                     method + ", " + std::to_string(points.back().size >> 20) + " MiB");
}

}  // namespace cpnlint::kernels
