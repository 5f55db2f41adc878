#pragma once

// All-to-alls in which one processor receives more than the others, as sorts and gathers of uneven data make them.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "runtime-kernels/harness/bench.h"

namespace cpnlint::kernels {

struct Exchange {
  int count = 0;
  std::vector<std::size_t> bytes;  // from * count + to

  [[nodiscard]] std::size_t Part(int from, int to) const { return bytes[Index(from, to)]; }
  // Where the part begins among what its sender sends, and what its receiver receives.
  [[nodiscard]] std::size_t SendOffset(int from, int to) const;
  [[nodiscard]] std::size_t ReceiveOffset(int from, int to) const;
  [[nodiscard]] std::size_t Sent(int from) const { return SendOffset(from, count); }
  [[nodiscard]] std::size_t Received(int to) const { return ReceiveOffset(count, to); }
  [[nodiscard]] double Skew() const;  // what the fullest receives, over the mean

 private:
  [[nodiscard]] std::size_t Index(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(count) + static_cast<std::size_t>(to);
  }
};

// Everyone sends `sent` bytes: to processor 0 `skew` times the mean, to each other one the same share of the rest.
// Parts are whole multiples of 16 bytes. The skew is at most the number of processors: then 0 receives all.
[[nodiscard]] Exchange SkewedExchange(int count, double skew, std::size_t sent);

struct SkewWays {
  const char* unit;
  int count = 0;
  std::size_t sent = 0;  // bytes of each processor
  std::function<std::optional<Case>(const Exchange& exchange)> make;
};
// A curve of how much longer an exchange takes, over its skew, and a note.
void MeasureSkew(Session& session, const SkewWays& ways);

}  // namespace cpnlint::kernels
