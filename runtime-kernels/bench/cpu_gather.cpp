// Reading and writing through random indices, over a table that no cache holds.

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

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
  const std::string method = std::to_string(n >> 20) + " Mi elements by random int64 indices, one thread";
  if (const auto point = session.Measure("gather", n, &MakeGather, session.seconds() / 2)) {
    session.Report(cost::Parameter::kGatherRate, RateOf(*point), point->timing.samples, method);
  }
  if (const auto point = session.Measure("scatter", n, &MakeScatter, session.seconds() / 2)) {
    session.Report(cost::Parameter::kScatterRate, RateOf(*point), point->timing.samples, method);
  }
}

}  // namespace cpnlint::kernels
