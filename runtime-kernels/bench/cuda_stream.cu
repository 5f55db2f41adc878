// Bandwidth of the memory and of the level-2 cache, and filling.

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

__global__ void Add(const double* a, const double* b, double* c, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void Fill(double* a, double value, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) a[i] = value;
}

// Three arrays of `bytes` together.
Case MakeAdd(std::size_t bytes) {
  const std::size_t n = bytes / 24;
  const auto a = RandomDoubles(n, 1), b = RandomDoubles(n, 2), c = RandomDoubles(n, 3);
  Case one = EventCase(static_cast<double>(n) * 24, [=](cudaStream_t stream) {
    Add<<<BlocksFor(n), 256, 0, stream>>>(a->data(), b->data(), c->data(), n);
  });
  one.correct = [=] { return c->At(n - 1) == a->At(n - 1) + b->At(n - 1) && c->At(0) == a->At(0) + b->At(0); };
  return one;
}

Case MakeFill(std::size_t bytes) {
  const std::size_t n = bytes / 8;
  const auto a = RandomDoubles(n, 1);
  Case one = EventCase(static_cast<double>(bytes),
                       [=](cudaStream_t stream) { Fill<<<BlocksFor(n), 256, 0, stream>>>(a->data(), 2.5, n); });
  one.correct = [=] { return a->At(0) == 2.5 && a->At(n - 1) == 2.5; };
  return one;
}

}  // namespace

void BenchCudaStream(Session& session) {
  const std::size_t largest = LargestBytes(session);
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 1 << 18; bytes <= largest; bytes *= 2) sizes.push_back(bytes);
  const auto points = session.Sweep(
      "stream", sizes, [](std::size_t bytes) { return MakeAdd(bytes); }, session.seconds() * 0.75);
  session.Draw(RateCurve("add", "B", "B/s", points));
  const std::string method =
      "c = a + b in float64, working sets of 256 KiB to " + std::to_string(largest >> 20) + " MiB";
  ReportMemory(session, points, method);
  const auto fills = session.Sweep(
      "fill", {largest / 4, largest / 2, largest}, [](std::size_t bytes) { return MakeFill(bytes); },
      session.seconds() * 0.25);
  session.ReportRate(cost::Parameter::kFillRate, fills, "a[:] = value in float64");
  // A GPU's memory is there when it is allocated: the first write is one like any other.
  session.ReportRate(cost::Parameter::kFirstTouch, fills, "as the fill rate: nothing is paged in");
}

}  // namespace cpnlint::kernels
