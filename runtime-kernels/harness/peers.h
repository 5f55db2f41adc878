#pragma once

// Copies between all pairs of processors, one pair after another and all at once: what a backend has to offer for it,
// and what is measured and reported on any.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime-kernels/harness/pairs.h"

namespace cpnlint::kernels {

// These copies begin together, so many bytes each; the amount of a run is the bytes of one of them.
using CopyTogether = std::function<std::optional<Case>(std::span<const Pair> pairs, std::size_t bytes)>;

struct PeerWays {
  std::string unit;  // "GPU", "core"
  int count = 0;
  std::function<std::string(const Pair&)> path;  // how two are connected, in words
  CopyTogether copy;                             // as the runtime copies
  CopyTogether kernel_copy;                      // by kernels, for review; empty: there is no such way
  std::vector<std::size_t> sizes;                // ascending
  std::size_t most_pairs = 0;
  bool symmetric = false;  // a copy alone goes there and back, so one direction of each two is enough
};

// Reports the latency and bandwidth of copies, what kinds of pairs there are, and what is left when all copy at once.
void MeasurePeers(Session& session, const PeerWays& ways);

}  // namespace cpnlint::kernels
