#include "runtime-kernels/harness/skew.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace cpnlint::kernels {
namespace {

constexpr std::size_t kGrain = 16;  // bytes; all that copies anything is at its best from such boundaries

std::string Short(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

}  // namespace

std::size_t Exchange::SendOffset(int from, int to) const {
  std::size_t offset = 0;
  for (int other = 0; other < to; ++other) offset += Part(from, other);
  return offset;
}

std::size_t Exchange::ReceiveOffset(int from, int to) const {
  std::size_t offset = 0;
  for (int other = 0; other < from; ++other) offset += Part(other, to);
  return offset;
}

double Exchange::Skew() const {
  std::size_t most = 0, all = 0;
  for (int to = 0; to < count; ++to) {
    most = std::max(most, Received(to));
    all += Received(to);
  }
  return all == 0 ? 1 : static_cast<double>(most) * count / static_cast<double>(all);
}

Exchange SkewedExchange(int count, double skew, std::size_t sent) {
  Exchange exchange{count, {}};
  const std::size_t grains = sent / kGrain;
  const double share = std::clamp(skew / count, 0.0, 1.0);
  const auto first = count == 1 ? grains : static_cast<std::size_t>(std::llround(share * static_cast<double>(grains)));
  const std::size_t others = static_cast<std::size_t>(count) - 1;
  for (int from = 0; from < count; ++from) {
    exchange.bytes.push_back(first * kGrain);
    std::size_t left = grains - first;
    for (std::size_t remaining = others; remaining > 0; --remaining) {
      const std::size_t part = left / remaining;
      exchange.bytes.push_back(part * kGrain);
      left -= part;
    }
  }
  return exchange;
}

void MeasureSkew(Session& session, const SkewWays& ways) {
  const std::string unit = ways.unit;
  if (ways.count < 2) {
    session.Problem("skew: one " + unit + " has nobody to exchange with; uneven exchanges need two " + unit + "s");
    return;
  }
  std::vector<std::size_t> percent;
  for (const std::size_t skew : {100, 150, 200, 300, 400}) {
    if (skew <= 100 * static_cast<std::size_t>(ways.count)) percent.push_back(skew);
  }
  const auto points = session.Sweep(
      "uneven exchange", percent,
      [&](std::size_t skew) {
        return ways.make(SkewedExchange(ways.count, static_cast<double>(skew) / 100, ways.sent));
      },
      session.seconds());
  if (points.size() < 2 || points.front().size != 100) return;
  cost::Curve curve{"uneven all-to-all, " + std::to_string(ways.count) + " " + unit + "s",
                    "fullest receiver / mean",
                    "time / that of an even one",
                    {}};
  const Timing &even = points.front().timing, &last = points.back().timing;
  for (const SweepPoint& point : points) {
    curve.points.emplace_back(static_cast<double>(point.size) / 100, point.timing.median / even.median);
  }
  const auto& [skew, longer] = curve.points.back();
  session.Problem("skew: an all-to-all in which one " + unit + " receives " + Short(skew) + " times the mean takes " +
                  Short(longer) + " times (" + Short(last.low / even.high) + " to " + Short(last.high / even.low) +
                  ") as long as an even one; the model counts all as even");
  session.Draw(std::move(curve));
}

}  // namespace cpnlint::kernels
