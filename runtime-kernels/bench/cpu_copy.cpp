// Between threads: copies of what another core wrote last, everybody meeting everybody, and copies at home, which on a
// CPU stand in for those between host and processor.

#include <atomic>
#include <cstring>
#include <thread>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

constexpr int kSpins = 2000;  // before the processor is given up: the other thread may need it

void WaitFor(const std::atomic<int>& flag, int value) {
  for (int spins = 0; flag.load(std::memory_order_acquire) < value; ++spins) {
    if (spins > kSpins) std::this_thread::yield();
  }
}

// Waking the team is not timed: the clock starts when all are there.
void Meet(std::atomic<int>& arrived, int all) {
  arrived.fetch_add(1, std::memory_order_acq_rel);
  WaitFor(arrived, all);
}

// Two threads take turns: each copies what the other wrote and hands it back, so a run is two copies.
Case MakeHandOver(const std::shared_ptr<Team>& team, std::size_t bytes) {
  const auto first = std::make_shared<Array<char>>(bytes);
  const auto second = std::make_shared<Array<char>>(bytes);
  (*first)[0] = 1;
  Case one;
  one.amount = static_cast<double>(bytes);
  one.run = [=](int repeats) {
    std::atomic<int> arrived = 0, turn = 0;
    double seconds = 0;
    team->Run([&](int member) {
      if (member > 1) return;
      Meet(arrived, 2);
      const Stopwatch watch;
      for (int i = 0; i < repeats; ++i) {
        WaitFor(turn, 2 * i + member);
        if (member == 0) std::memcpy(second->data(), first->data(), bytes);
        if (member == 1) std::memcpy(first->data(), second->data(), bytes);
        turn.store(2 * i + member + 1, std::memory_order_release);
      }
      if (member == 1) seconds = watch.Seconds();  // the last to copy
    });
    return seconds / 2;
  };
  one.correct = [=] { return (*second)[0] == 1; };
  return one;
}

// All threads meet, `repeats` times: everybody has heard of everybody.
Case MakeMeeting(const std::shared_ptr<Team>& team) {
  Case one;
  one.run = [=](int repeats) {
    std::atomic<int> arrived = 0;
    double seconds = 0;
    team->Run([&](int member) {
      Meet(arrived, team->size());
      const Stopwatch watch;
      for (int i = 1; i <= repeats; ++i) Meet(arrived, (i + 1) * team->size());
      if (member == 0) seconds = watch.Seconds();
    });
    return seconds;
  };
  return one;
}

Case MakeCopy(std::size_t bytes) {
  const auto from = std::make_shared<Array<char>>(bytes);
  const auto to = std::make_shared<Array<char>>(bytes);
  std::memset(from->data(), 7, bytes);
  Case one = TimedCase(static_cast<double>(bytes), [=] { std::memcpy(to->data(), from->data(), bytes); });
  one.correct = [=] { return (*to)[bytes - 1] == 7; };
  return one;
}

// The shortest copy says what a copy costs at all; those that no cache holds say how fast it goes on.
void ReportCopies(Session& session, const std::vector<SweepPoint>& points, cost::Parameter latency,
                  cost::Parameter bandwidth, const std::string& method) {
  if (points.empty()) return;
  const Timing& shortest = points.front().timing;
  session.Report(latency, {shortest.median, shortest.low, shortest.high}, shortest.samples, method + ", 8 B");
  session.ReportRate(bandwidth, LastOf(points, 2), method + ", " + std::to_string(points.back().size >> 20) + " MiB");
}

}  // namespace

void BenchCpuCopy(Session& session) {
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 8; bytes < LargestArray(session); bytes *= 8) sizes.push_back(bytes);
  sizes.push_back(LargestArray(session));
  sizes.push_back(LargestArray(session) * 2);
  const double third = session.seconds() / 3;

  const auto home = session.Sweep("copy", sizes, &MakeCopy, third);
  session.Draw(RateCurve("copy, one thread", "B", "B/s", home));
  ReportCopies(session, home, cost::Parameter::kHostLatency, cost::Parameter::kHostBandwidth,
               "memcpy by one thread: a CPU's memory is its host's");

  const auto team = std::make_shared<Team>(AllowedProcessors());
  if (team->size() < 2) {
    session.Problem("copy: one processor has nobody to copy to");
    return;
  }
  const auto handed = session.Sweep(
      "hand over", sizes, [&](std::size_t bytes) { return MakeHandOver(team, bytes); }, third);
  session.Draw(RateCurve("copy between two threads", "B", "B/s", handed));
  ReportCopies(session, handed, cost::Parameter::kCopyLatency, cost::Parameter::kCopyBandwidth,
               "memcpy of what another thread wrote, two threads in turn");
  if (const auto met = session.Measure(
          "meeting", 1, [&](std::size_t) { return MakeMeeting(team); }, third)) {
    const Timing& timing = met->timing;
    session.Report(cost::Parameter::kCollectiveLatency, {timing.median, timing.low, timing.high}, timing.samples,
                   "all " + std::to_string(team->size()) + " threads wait for one another");
  }
}

}  // namespace cpnlint::kernels
