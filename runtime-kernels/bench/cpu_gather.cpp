// Reading and writing through random indices, over a table that no cache holds and over one that it does.

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

constexpr std::size_t kCached = 1 << 16;  // half a MiB each of table, indices and result

struct Tables {
  Shared<double> from, to;
  Shared<std::int64_t> indices;
};

Tables MakeTables(std::size_t n) {
  Tables tables{RandomArray<double>(n, 1), std::make_shared<Array<double>>(n),
                std::make_shared<Array<std::int64_t>>(n)};
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
    (*tables.indices)[i] = static_cast<std::int64_t>((state >> 20) % n);
  }
  return tables;
}

Case MakeGather(std::size_t n) {
  const Tables t = MakeTables(n);
  Case one = TimedCase(static_cast<double>(n), [=] {
    for (std::size_t i = 0; i < n; ++i) (*t.to)[i] = (*t.from)[static_cast<std::size_t>((*t.indices)[i])];
  });
  one.correct = [=] { return (*t.to)[n - 1] == (*t.from)[static_cast<std::size_t>((*t.indices)[n - 1])]; };
  return one;
}

Case MakeScatter(std::size_t n) {
  const Tables t = MakeTables(n);
  Case one = TimedCase(static_cast<double>(n), [=] {
    for (std::size_t i = 0; i < n; ++i) (*t.to)[static_cast<std::size_t>((*t.indices)[i])] = (*t.from)[i];
  });
  one.correct = [=] { return (*t.to)[static_cast<std::size_t>((*t.indices)[n - 1])] == (*t.from)[n - 1]; };
  return one;
}

}  // namespace

void BenchCpuGather(Session& session) {
  const std::size_t n = LargestArray(session) * 2 / sizeof(double);
  const auto measure = [&](const char* name, std::size_t size, const MakeCase& make, cost::Parameter rate,
                           double share) {
    const auto point = session.Measure(name, size, make, session.seconds() * share);
    if (!point) return;
    session.Report(rate, RateOf(*point), point->timing.samples,
                   std::to_string(size >> 10) + " Ki elements by random int64 indices, one thread");
  };
  measure("gather", n, &MakeGather, cost::Parameter::kGatherRate, 0.4);
  measure("scatter", n, &MakeScatter, cost::Parameter::kScatterRate, 0.4);
  measure("gather in cache", kCached, &MakeGather, cost::Parameter::kGatherCachedRate, 0.1);
  measure("scatter in cache", kCached, &MakeScatter, cost::Parameter::kScatterCachedRate, 0.1);
}

}  // namespace cpnlint::kernels
