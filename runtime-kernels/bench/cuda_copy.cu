// Copies with the host, and from one GPU to the next.

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

// A buffer on the second GPU.
struct Neighbour {
  char* data = nullptr;
  explicit Neighbour(std::size_t bytes) {
    Check(cudaSetDevice(1));
    const cudaError_t error = cudaMalloc(&data, bytes);
    Check(cudaSetDevice(0));
    Check(error);
  }
  ~Neighbour() { cudaFree(data); }
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;
};

Case MakePeerCopy(std::size_t bytes) {
  const auto here = std::make_shared<DeviceArray<char>>(bytes);
  const auto there = std::make_shared<Neighbour>(bytes);
  return EventCase(static_cast<double>(bytes), [=](cudaStream_t stream) {
    Check(cudaMemcpyPeerAsync(there->data, 1, here->data(), 0, bytes, stream));
  });
}

std::vector<std::size_t> Sizes(const Session& session) {
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 8; bytes <= LargestBytes(session) / 4; bytes *= 8) sizes.push_back(bytes);
  return sizes;
}

}  // namespace

void BenchCudaCopy(Session& session) {
  const double third = session.seconds() / 3;
  const auto host = session.Sweep("host copy", Sizes(session), &MakeHostCopy, third);
  session.Draw(RateCurve("copy to the host, pinned", "B", "B/s", host));
  session.ReportRate(cost::Parameter::kHostBandwidth, LastOf(host, 2), "copies to pinned memory of the host");
  if (const auto trip = session.Measure("round trip", 8, &MakeRoundTrip, third / 2)) {
    const Timing& timing = trip->timing;
    session.Report(cost::Parameter::kHostLatency, {timing.median, timing.low, timing.high}, timing.samples,
                   "8 B to the host, waited for");
  }
  if (session.device().machine.processors_per_node < 2) return;
  int reaches = 0;
  Check(cudaDeviceCanAccessPeer(&reaches, 0, 1));
  if (reaches != 0) {
    const cudaError_t error = cudaDeviceEnablePeerAccess(1, 0);
    if (error != cudaErrorPeerAccessAlreadyEnabled) Check(error);
    cudaGetLastError();
  }
  const std::string method =
      std::string("copies from GPU 0 to GPU 1, ") + (reaches != 0 ? "peer to peer" : "through the host");
  const auto peers = session.Sweep("peer copy", Sizes(session), &MakePeerCopy, third);
  session.Draw(RateCurve("copy between two GPUs", "B", "B/s", peers));
  session.ReportRate(cost::Parameter::kCopyBandwidth, LastOf(peers, 2), method);
  if (peers.empty()) return;
  const Timing& shortest = peers.front().timing;
  session.Report(cost::Parameter::kCopyLatency, {shortest.median, shortest.low, shortest.high}, shortest.samples,
                 method + ", 8 B; Legate's own share is not in it");
}

}  // namespace cpnlint::kernels
