// What is decided element by element: where, compaction by a mask, histograms.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

constexpr std::size_t kBins = 64;
constexpr std::size_t kCounted = 1 << 21;  // values of a histogram

struct Chosen {
  Shared<double> a, b, to;
  Shared<char> mask;  // half of it, at random: no branch can be foretold
};

Chosen MakeChosen(std::size_t n) {
  Chosen chosen{RandomArray<double>(n, 1), RandomArray<double>(n, 2), std::make_shared<Array<double>>(n),
                std::make_shared<Array<char>>(n)};
  const auto random = RandomArray<double>(n, 3);
  for (std::size_t i = 0; i < n; ++i) (*chosen.mask)[i] = (*random)[i] > 1 ? 1 : 0;
  return chosen;
}

Case MakeWhere(std::size_t n) {
  const Chosen c = MakeChosen(n);
  Case one = TimedCase(static_cast<double>(n), [=] {
    for (std::size_t i = 0; i < n; ++i) (*c.to)[i] = (*c.mask)[i] != 0 ? (*c.a)[i] : (*c.b)[i];
  });
  one.correct = [=] { return (*c.to)[n - 1] == ((*c.mask)[n - 1] != 0 ? (*c.a)[n - 1] : (*c.b)[n - 1]); };
  return one;
}

// Counts, then copies: the length has to be known before there is memory for it.
Case MakeCompaction(std::size_t n) {
  const Chosen c = MakeChosen(n);
  const auto kept = std::make_shared<std::size_t>(0);
  Case one = TimedCase(static_cast<double>(n), [=] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += static_cast<std::size_t>((*c.mask)[i]);
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if ((*c.mask)[i] != 0) (*c.to)[at++] = (*c.a)[i];
    }
    *kept = at == count ? at : 0;
  });
  one.correct = [=] {
    return *kept == static_cast<std::size_t>(std::count(c.mask->data(), c.mask->data() + n, char{1}));
  };
  return one;
}

// As cuPyNumeric's task does it where there are many: values and weights in order by a radix sort whose digits have 4
// bits, then a search for each edge.
class RadixHistogram {
 public:
  explicit RadixHistogram(std::size_t n)
      : values_(RandomArray<double>(n, 1)), keys_(n), other_keys_(n), weights_(n), other_weights_(n) {}

  void Run() {
    // The values are positive, so their bits have their order.
    for (std::size_t i = 0; i < keys_.size(); ++i) keys_[i] = std::bit_cast<std::uint64_t>((*values_)[i]);
    std::fill(weights_.begin(), weights_.end(), 1.0);
    for (int shift = 0; shift < 64; shift += kDigitBits) Pass(shift);
    std::fill(counts_.begin(), counts_.end(), 0.0);
    std::size_t from = 0;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      const double edge = 0.5 + static_cast<double>(bin + 1) / kBins;
      const auto end =
          bin + 1 == kBins ? keys_.end() : std::ranges::lower_bound(keys_, std::bit_cast<std::uint64_t>(edge));
      for (const auto to = static_cast<std::size_t>(end - keys_.begin()); from < to; ++from)
        counts_[bin] += weights_[from];
    }
  }

  [[nodiscard]] bool Correct() const {
    return std::ranges::is_sorted(keys_) &&
           std::accumulate(counts_.begin(), counts_.end(), 0.0) == static_cast<double>(keys_.size());
  }

 private:
  static constexpr int kDigitBits = 4;

  void Pass(int shift) {
    constexpr std::uint64_t kMask = (1 << kDigitBits) - 1;
    std::array<std::size_t, 1 << kDigitBits> places{};
    for (const std::uint64_t key : keys_) ++places[(key >> shift) & kMask];
    std::exclusive_scan(places.begin(), places.end(), places.begin(), std::size_t{0});
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const std::size_t place = places[(keys_[i] >> shift) & kMask]++;
      other_keys_[place] = keys_[i];
      other_weights_[place] = weights_[i];
    }
    keys_.swap(other_keys_);
    weights_.swap(other_weights_);
  }

  Shared<double> values_;
  std::vector<std::uint64_t> keys_, other_keys_;
  std::vector<double> weights_, other_weights_;
  std::array<double, kBins> counts_{};
};

Case MakeHistogram(std::size_t n) {
  const auto histogram = std::make_shared<RadixHistogram>(n);
  Case one = TimedCase(static_cast<double>(n), [=] { histogram->Run(); });
  one.correct = [=] { return histogram->Correct(); };
  return one;
}

}  // namespace

void BenchCpuChoose(Session& session) {
  const std::size_t n = LargestArray(session) / sizeof(double);
  const double third = session.seconds() / 3;
  const std::string how = ", " + std::to_string(n >> 20) + " Mi float64, one thread";
  if (const auto point = session.Measure("where", n, &MakeWhere, third)) {
    session.Report(cost::Parameter::kChoiceRate, RateOf(*point), point->timing.samples,
                   "one of two arrays by a random mask" + how);
  }
  if (const auto point = session.Measure("compaction", n, &MakeCompaction, third)) {
    session.Report(cost::Parameter::kMaskRate, RateOf(*point), point->timing.samples,
                   "elements under a random mask counted, then copied" + how);
  }
  if (const auto point = session.Measure("histogram", std::min(n, kCounted), &MakeHistogram, third)) {
    session.Report(cost::Parameter::kHistogramRate, RateOf(*point), point->timing.samples,
                   "values and weights sorted by digits of 4 bits, 2 Mi float64, one thread");
  }
}

}  // namespace cpnlint::kernels
