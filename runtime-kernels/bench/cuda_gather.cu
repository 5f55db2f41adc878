// Reading and writing through random indices.

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

constexpr std::size_t kCached = 1 << 19;  // 4 MiB of table, which every level-2 cache holds

__global__ void MakeIndices(std::int64_t* indices, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  std::uint64_t z = i * 0x9E37'79B9'7F4A'7C15 + 1;
  z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
  z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
  indices[i] = static_cast<std::int64_t>((z ^ z >> 31) % n);
}

__global__ void Gather(const double* from, const std::int64_t* indices, double* to, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) to[i] = from[indices[i]];
}

__global__ void Scatter(const double* from, const std::int64_t* indices, double* to, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) to[indices[i]] = from[i];
}

Case Make(std::size_t n, bool gather) {
  const auto from = RandomDoubles(n, 1), to = RandomDoubles(n, 2);
  const auto indices = std::make_shared<DeviceArray<std::int64_t>>(n);
  MakeIndices<<<BlocksFor(n), 256>>>(indices->data(), n);
  Check(cudaDeviceSynchronize());
  Case one = EventCase(static_cast<double>(n), [=](cudaStream_t stream) {
    if (gather) {
      Gather<<<BlocksFor(n), 256, 0, stream>>>(from->data(), indices->data(), to->data(), n);
    } else {
      Scatter<<<BlocksFor(n), 256, 0, stream>>>(from->data(), indices->data(), to->data(), n);
    }
  });
  // Which of several writes to one place wins is open, so a scatter is checked for having written something of `from`.
  one.correct = [=] {
    const auto index = static_cast<std::size_t>(indices->At(n - 1));
    return gather ? to->At(n - 1) == from->At(index) : to->At(index) >= 0.5 && to->At(index) < 1.5;
  };
  return one;
}

}  // namespace

void BenchCudaGather(Session& session) {
  const auto measure = [&](const char* name, std::size_t n, bool gather, cost::Parameter rate, double share) {
    const auto point = session.Measure(
        name, n, [gather](std::size_t m) { return Make(m, gather); }, session.seconds() * share);
    if (!point) return;
    session.Report(rate, RateOf(*point), point->timing.samples,
                   std::to_string(n >> 10) + " Ki elements by random int64 indices");
  };
  const std::size_t largest = LargestBytes(session) / 2 / 8;
  measure("gather", largest, true, cost::Parameter::kGatherRate, 0.4);
  measure("scatter", largest, false, cost::Parameter::kScatterRate, 0.4);
  measure("gather in cache", kCached, true, cost::Parameter::kGatherCachedRate, 0.1);
  measure("scatter in cache", kCached, false, cost::Parameter::kScatterCachedRate, 0.1);
}

}  // namespace cpnlint::kernels
