// Copies with the host.

#include <algorithm>

#include "runtime-kernels/bench/cuda.h"
#include "runtime-kernels/harness/clock.h"

namespace cpnlint::kernels {
namespace {

struct Pinned {
  void* data = nullptr;
  explicit Pinned(std::size_t bytes) { Check(cudaHostAlloc(&data, bytes, cudaHostAllocDefault)); }
  ~Pinned() { cudaFreeHost(data); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
};

Case MakeHostCopy(std::size_t bytes) {
  const auto host = std::make_shared<Pinned>(bytes);
  const auto device = std::make_shared<DeviceArray<char>>(bytes);
  return EventCase(static_cast<double>(bytes), [=](cudaStream_t stream) {
    Check(cudaMemcpyAsync(host->data, device->data(), bytes, cudaMemcpyDefault, stream));
  });
}

// The round trip that a program sees: copy 8 bytes and wait for them.
Case MakeRoundTrip(std::size_t bytes) {
  const auto host = std::make_shared<Pinned>(bytes);
  const auto device = std::make_shared<DeviceArray<char>>(bytes);
  Case one;
  one.amount = static_cast<double>(bytes);
  one.run = [=](int repeats) {
    const Stopwatch watch;
    for (int i = 0; i < repeats; ++i) Check(cudaMemcpy(host->data, device->data(), bytes, cudaMemcpyDefault));
    return watch.Seconds();
  };
  return one;
}

std::vector<std::size_t> Sizes(const Session& session) {
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 8; bytes <= LargestBytes(session) / 4; bytes *= 8) sizes.push_back(bytes);
  return sizes;
}

}  // namespace

void BenchCudaCopy(Session& session) {
  const double half = session.seconds() / 2;
  const auto host = session.Sweep("host copy", Sizes(session), &MakeHostCopy, half);
  session.Draw(RateCurve("copy to the host, pinned", "B", "B/s", host));
  session.ReportRate(cost::Parameter::kHostBandwidth, LastOf(host, 2), "copies to pinned memory of the host");
  if (const auto trip = session.Measure("round trip", 8, &MakeRoundTrip, half)) {
    const Timing& timing = trip->timing;
    session.Report(cost::Parameter::kHostLatency, {timing.median, timing.low, timing.high}, timing.samples,
                   "8 B to the host, waited for");
  }
}

}  // namespace cpnlint::kernels
