#pragma once

// What a micro-benchmark is, and what one gets to work with. CPU and GPU backends differ in how a case is made and
// timed; sweeps, statistics and fits are the same.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "runtime-kernels/calibrate.h"
#include "runtime-kernels/harness/fit.h"
#include "runtime-kernels/harness/record.h"
#include "runtime-kernels/harness/statistics.h"

namespace cpnlint::kernels {

// One kernel at one size, with its data.
struct Case {
  // Runs so many times in a row and gives the seconds of all of them: for a GPU by events on the stream.
  std::function<double(int repeats)> run;
  std::function<bool()> correct;  // after a run: is the result what it should be? Empty: nothing to check
  double amount = 1;              // of one run: bytes, flops, elements
};
// nullopt: there is no memory for this size.
using MakeCase = std::function<std::optional<Case>(std::size_t size)>;

struct SweepPoint {
  std::size_t size = 0;
  double amount = 0;
  Timing timing;  // of one run
};

struct Backend;

class Session {
 public:
  Session(const Backend& backend, const Device& device, Effort effort, std::uint64_t seed, double seconds)
      : backend_(backend), device_(device), effort_(effort), seed_(seed), seconds_(seconds) {}

  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] Effort effort() const { return effort_; }
  [[nodiscard]] double seconds() const { return seconds_; }  // about what the benchmark may take
  [[nodiscard]] std::uint64_t Random();

  // Every size in random order, again and again, so that a drift of the machine meets all sizes alike; until each is
  // known to 1 % or `seconds` are over. Wrong results are told as a problem and left out.
  [[nodiscard]] std::vector<SweepPoint> Sweep(const std::string& name, std::vector<std::size_t> sizes,
                                              const MakeCase& make, double seconds);
  // The same for one case.
  [[nodiscard]] std::optional<SweepPoint> Measure(const std::string& name, std::size_t size, const MakeCase& make,
                                                  double seconds);

  void Report(cost::Parameter parameter, const Interval& interval, std::uint32_t samples, std::string method);
  // RateThrough; nothing where there are no points.
  void ReportRate(cost::Parameter parameter, std::span<const SweepPoint> points, std::string method);
  void Draw(cost::Curve curve) { record_.curves.push_back(std::move(curve)); }
  void Problem(std::string text) { record_.problems.push_back(std::move(text)); }
  [[nodiscard]] Record TakeRecord() { return std::move(record_); }

 private:
  const Backend& backend_;
  const Device& device_;
  Effort effort_;
  std::uint64_t seed_;
  double seconds_;
  Record record_;
};

struct Bench {
  std::string_view name;   // "stream": as in progress and in the partial file
  std::string_view words;  // "memory bandwidth"
  double seconds[3];       // by Effort
  void (*run)(Session& session);
};

struct Backend {
  std::string_view name;     // "cpu", "cuda"
  Result<Device> (*open)();  // an error says why nothing can be measured here
  std::span<const Bench> benches;
  // Around each sample: did something come between (the scheduler, a clock that was turned down)?
  void (*before_sample)();
  bool (*disturbed)();
};

// 2^first, ..., 2^last.
[[nodiscard]] std::vector<std::size_t> PowersOfTwo(int first, int last);
// Of the largest sizes so many, or all there are.
[[nodiscard]] inline std::span<const SweepPoint> LastOf(std::span<const SweepPoint> points, std::size_t count) {
  return points.last(std::min(points.size(), count));
}
[[nodiscard]] std::vector<FitPoint> FitPoints(std::span<const SweepPoint> points);
[[nodiscard]] std::uint32_t SamplesOf(std::span<const SweepPoint> points);
// amount / seconds of one point; the interval is the median's.
[[nodiscard]] Interval RateOf(const SweepPoint& point);
// The rate of a line through the points (one at least); where they scatter too much for a line, the median of their own
// rates with an interval that covers them.
[[nodiscard]] Interval RateThrough(std::span<const SweepPoint> points);
// amount per second over size.
[[nodiscard]] cost::Curve RateCurve(std::string name, std::string x_unit, std::string y_unit,
                                    std::span<const SweepPoint> points);

// Bandwidth in memory and in the last cache, and how large that is, from a sweep over working sets. Gives the bytes
// beyond which nothing is cached; 0 where no cache shows.
double ReportMemory(Session& session, std::span<const SweepPoint> points, const std::string& method);

// Body of a worker process, which writes a line per step to standard output:
//   describe EFFORT              the machine and what can be measured, or why nothing can
//   measure EFFORT ROUND A,B,... these benchmarks
// Gives the exit code.
[[nodiscard]] int RunWorker(const Backend& backend, std::span<const std::string> arguments);

[[nodiscard]] std::string_view Name(Effort effort);  // "quick", "standard", "full"

}  // namespace cpnlint::kernels
