#pragma once

// Who copies to whom between the processors of a node, and what the timings of all pairs say together.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime-kernels/harness/bench.h"

namespace cpnlint::kernels {

struct Pair {
  int from = 0, to = 0;
  bool operator==(const Pair&) const = default;
};

// Both directions of any two. Where those are more than `most`, a choice of them at distances 1, 2, 4, ...
[[nodiscard]] std::vector<Pair> PairsOf(int count, std::size_t most);
// Each to the next, the last to the first.
[[nodiscard]] std::vector<Pair> Ring(int count);

struct PairFit {
  Pair pair;
  std::string path;  // how the system says they are connected: "peer to peer"
  Interval latency;  // of the shortest copy, seconds
  Interval rate;     // of long ones, bytes per second
  Interval longest;  // of the longest as it is, start and all
  std::uint32_t samples = 0;
};
// Of a sweep over sizes, shortest first; nullopt without points.
[[nodiscard]] std::optional<PairFit> FitPair(const Pair& pair, const std::string& path,
                                             std::span<const SweepPoint> points);

// Pairs that are connected alike: on the same path, at rates that lie near one another.
struct PairClass {
  std::string path;
  std::vector<Pair> pairs;
  Interval latency, rate, longest;  // the median of the pairs, with an interval that covers them
  std::uint32_t samples = 0;
};
// Fastest first.
[[nodiscard]] std::vector<PairClass> ClassesOf(std::vector<PairFit> fits);

// The class of the slowest pair of neighbours (i, i + 1): the parts of a divided array lie in order of the processors,
// and a task on all of them waits for the slowest edge. The slowest class of all where no neighbours were measured.
[[nodiscard]] const PairClass* SlowestNeighbours(std::span<const PairClass> classes);

// "1 pair", "3 pairs".
[[nodiscard]] std::string CountOf(std::span<const Pair> pairs);
// "0-1 1-0 2-3", cut after a few.
[[nodiscard]] std::string NamesOf(std::span<const Pair> pairs);

// What is left of a rate: 1 where nothing is lost, with the interval of the quotient.
[[nodiscard]] Interval Kept(const Interval& together, const Interval& alone);
// "55 %".
[[nodiscard]] std::string Percent(double share);

}  // namespace cpnlint::kernels
