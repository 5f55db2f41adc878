// Sorting float64 keys by radix.

#include <cub/cub.cuh>

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

Case MakeSort(std::size_t n) {
  const auto keys = RandomDoubles(n, 1);
  const auto sorted = std::make_shared<DeviceArray<double>>(n);
  std::size_t bytes = 0;
  Check(cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys->data(), sorted->data(), static_cast<int>(n)));
  const auto scratch = std::make_shared<DeviceArray<char>>(bytes);
  Case one = EventCase(static_cast<double>(n), [=](cudaStream_t stream) {
    std::size_t size = scratch->size();
    Check(cub::DeviceRadixSort::SortKeys(scratch->data(), size, keys->data(), sorted->data(), static_cast<int>(n), 0,
                                         64, stream));
  });
  one.correct = [=] {
    return sorted->At(0) <= sorted->At(n / 2) && sorted->At(n / 2) <= sorted->At(n - 1) && sorted->At(n - 1) > 1.4;
  };
  return one;
}

}  // namespace

void BenchCudaSort(Session& session) {
  const auto points = session.Sweep(
      "sort", {1'000'000, 10'000'000, 100'000'000}, [](std::size_t n) { return MakeSort(n); }, session.seconds());
  session.Draw(RateCurve("sort, float64 keys", "keys", "1/s", points));
  for (const SweepPoint& point : points) {
    if (point.size != 10'000'000) continue;
    session.Report(cost::Parameter::kSortRate, RateOf(point), point.timing.samples,
                   "CUB radix sort of 1e7 float64 keys");
  }
}

}  // namespace cpnlint::kernels
