#include "runtime-kernels/harness/peers.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace cpnlint::kernels {
namespace {

constexpr double kLittleLost = 0.9;  // of a rate; more is worth a note

std::string Quantities(const PairClass& one) {
  char text[96];
  std::snprintf(text, sizeof text, "%.3g GB/s, %.2g us", one.rate.value * 1e-9, one.latency.value * 1e6);
  return text;
}

std::string Named(const PeerWays& ways, const Pair& pair) {
  return "copy from " + ways.unit + " " + std::to_string(pair.from) + " to " + std::to_string(pair.to);
}

class Peers {
 public:
  Peers(Session& session, const PeerWays& ways) : session_(session), ways_(ways) {}

  void Run() {
    std::vector<Pair> pairs = PairsOf(ways_.count, ways_.most_pairs);
    if (ways_.symmetric) {
      const std::vector<Pair> all = pairs;
      std::erase_if(pairs, [&](const Pair& pair) {
        return pair.from > pair.to && std::ranges::find(all, Pair{pair.to, pair.from}) != all.end();
      });
    }
    // A half for the pairs, the rest for what is done together.
    const double each = session_.seconds() / 2 / static_cast<double>(pairs.size());
    std::vector<PairFit> fits;
    for (const Pair& pair : pairs) {
      const auto points = session_.Sweep(
          Named(ways_, pair), ways_.sizes,
          [&](std::size_t bytes) {
            return ways_.copy({&pair, 1}, bytes);
          },
          each);
      if (auto fit = FitPair(pair, ways_.path(pair), points)) fits.push_back(std::move(*fit));
      if (pair == pairs.front()) Draw("copy between two " + ways_.unit + "s", points);
    }
    DrawRows(fits);
    classes_ = ClassesOf(std::move(fits));
    const PairClass* slowest = SlowestNeighbours(classes_);
    if (slowest == nullptr) return;
    if (classes_.size() > 1) TellClasses();
    for (const PairClass& one : classes_) OtherWays(one, session_.seconds() / 8 / static_cast<double>(classes_.size()));
    session_.Report(cost::Parameter::kCopyLatency, slowest->latency, slowest->samples,
                    "copies of " + std::to_string(ways_.sizes.front()) + " B, " + slowest->path + ", " +
                        CountOf(slowest->pairs) + " of " + ways_.unit + "s; Legate's own share is not in it");
    ReportBandwidth(*slowest);
  }

 private:
  // Each to the next, all of them: how tasks on all processors get the edges that they need.
  void ReportBandwidth(const PairClass& slowest) {
    const std::string kind = "large copies, " + slowest.path;
    const auto ring = Together(Ring(ways_.count), "copies to the next", session_.seconds() / 8);
    const Interval together = ring ? RateOf(*ring) : slowest.longest;
    const Interval kept = Kept(together, slowest.longest);
    if (kept.value < 1 && ring) {
      session_.Report(cost::Parameter::kCopyBandwidth, together, ring->timing.samples,
                      kind + ", each " + ways_.unit + " to the next at once: " + Percent(kept.value) +
                          " of what a pair alone reaches");
    } else {
      session_.Report(cost::Parameter::kCopyBandwidth, slowest.rate, slowest.samples,
                      kind + ", " + CountOf(slowest.pairs) + " of " + ways_.unit + "s");
    }
    if (ring && kept.value < kLittleLost) {
      session_.Problem("peers: when each " + ways_.unit + " copies to the next at once, a copy keeps " +
                       Percent(kept.value) + " of the rate that it has alone; the profile has the rate of all at once");
    }
    if (ways_.count < 3) return;  // the ring was all there is
    const auto everyone = Together(PairsOf(ways_.count, ways_.most_pairs), "all pairs", session_.seconds() / 8);
    if (!everyone) return;
    // So many copies leave a processor at once.
    const double out = static_cast<double>(PairsOf(ways_.count, ways_.most_pairs).size()) / ways_.count;
    const Interval rate = RateOf(*everyone);
    const double share = rate.value * out / slowest.longest.value;
    session_.Problem("peers: when all pairs copy at once, a " + ways_.unit + " sends " + Percent(share) +
                     " of what one copy alone reaches");
  }

  std::optional<SweepPoint> Together(const std::vector<Pair>& pairs, const std::string& name, double seconds) {
    return session_.Measure(
        name, ways_.sizes.back(), [&](std::size_t bytes) { return ways_.copy(pairs, bytes); }, seconds);
  }

  // Both directions at once, and copies by kernels: for review, not for the model, so a quick look does without.
  void OtherWays(const PairClass& one, double seconds) {
    if (session_.effort() == Effort::kQuick) return;
    const Pair there = one.pairs.front();
    const Pair both[] = {there, {there.to, there.from}};
    const std::string name = ", " + one.path + ", " + NamesOf({&there, 1});
    const auto draw = [&](const char* words, const CopyTogether& copy, std::span<const Pair> pairs) {
      if (!copy) return;
      const auto points = session_.Sweep(
          words + name, ways_.sizes, [&](std::size_t bytes) { return copy(pairs, bytes); }, seconds / 3);
      Draw(words + name, points);
    };
    draw("copy, both directions at once", ways_.copy, both);
    draw("copy by a kernel", ways_.kernel_copy, {&there, 1});
    draw("copy by kernels, both directions at once", ways_.kernel_copy, both);
  }

  void TellClasses() {
    std::string text = "peers: " + std::to_string(classes_.size()) + " kinds of pairs of " + ways_.unit + "s: ";
    for (const PairClass& one : classes_) {
      if (&one != &classes_.front()) text += "; ";
      text += one.path + ", " + NamesOf(one.pairs) + ": " + Quantities(one);
    }
    session_.Problem(text + "; the profile has the slowest kind between neighbours");
  }

  void Draw(const std::string& name, std::span<const SweepPoint> points) {
    if (!points.empty()) session_.Draw(RateCurve(name, "B", "B/s per direction", points));
  }

  // The matrix of all pairs, a curve for each row.
  void DrawRows(std::span<const PairFit> fits) {
    if (ways_.count < 3) return;
    for (int from = 0; from < ways_.count; ++from) {
      cost::Curve row{
          "large copies from " + ways_.unit + " " + std::to_string(from), "number of the receiver, from 1", "B/s", {}};
      for (const PairFit& fit : fits) {
        if (fit.pair.from == from) row.points.emplace_back(fit.pair.to + 1, fit.rate.value);
      }
      std::ranges::sort(row.points);
      if (row.points.size() > 1) session_.Draw(std::move(row));
    }
  }

  Session& session_;
  const PeerWays& ways_;
  std::vector<PairClass> classes_;
};

}  // namespace

void MeasurePeers(Session& session, const PeerWays& ways) {
  if (ways.count < 2 || ways.sizes.empty()) {
    session.Problem("peers: one " + ways.unit + " has nobody to copy to; copies between " + ways.unit + "s need two");
    return;
  }
  Peers(session, ways).Run();
}

}  // namespace cpnlint::kernels
