// What is decided element by element: where, compaction by a mask, histograms.

#include <algorithm>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

constexpr std::size_t kBins = 64;

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

// A search among the edges for each value, as for bins of any width.
Case MakeHistogram(std::size_t n) {
  const auto a = RandomArray<double>(n, 1);
  const auto edges = std::make_shared<std::vector<double>>();
  for (std::size_t i = 0; i <= kBins; ++i) edges->push_back(0.5 + static_cast<double>(i) / kBins);
  const auto counts = std::make_shared<std::vector<double>>(kBins);
  Case one = TimedCase(static_cast<double>(n), [=] {
    std::fill(counts->begin(), counts->end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto bin = std::upper_bound(edges->begin(), edges->end(), (*a)[i]) - edges->begin() - 1;
      (*counts)[std::min(static_cast<std::size_t>(bin), kBins - 1)] += 1;
    }
  });
  one.correct = [=] {
    double sum = 0;
    for (const double count : *counts) sum += count;
    return sum == static_cast<double>(n);
  };
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
  if (const auto point = session.Measure("histogram", n, &MakeHistogram, third)) {
    session.Report(cost::Parameter::kHistogramRate, RateOf(*point), point->timing.samples,
                   "a search among 65 edges and a count" + how);
  }
}

}  // namespace cpnlint::kernels
