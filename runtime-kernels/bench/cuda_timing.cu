// Timing by events on streams that are held until all work is enqueued: on one GPU, or on several at once.

#include <algorithm>
#include <cuda/atomic>

#include "runtime-kernels/bench/cuda_several.h"

namespace cpnlint::kernels {
namespace {

// Holds the stream until the host lets go, or half a second has passed: a full queue must not hold the host for ever.
__global__ void Hold(const int* let_go) {
  cuda::atomic_ref<const int, cuda::thread_scope_system> flag(*let_go);
  const long long start = clock64();
  while (flag.load(cuda::memory_order_relaxed) == 0 && clock64() - start < 500'000'000) {
  }
}

// The host's word to all streams that they may go.
class Start {
 public:
  Start() { Check(cudaHostAlloc(&let_go_, sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable)); }
  ~Start() { cudaFreeHost(let_go_); }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  [[nodiscard]] int* get() const { return let_go_; }
  void Give() const { cuda::atomic_ref<int, cuda::thread_scope_system>(*let_go_).store(1); }

 private:
  int* let_go_ = nullptr;
};

class Timer {
 public:
  explicit Timer(int gpu) {
    const UseGpu use(gpu);
    Check(cudaStreamCreate(&stream));
    Check(cudaEventCreate(&begin));
    Check(cudaEventCreate(&end));
  }
  ~Timer() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  [[nodiscard]] double Seconds() const {
    Check(cudaEventSynchronize(end));
    float milliseconds = 0;
    Check(cudaEventElapsedTime(&milliseconds, begin, end));
    return static_cast<double>(milliseconds) * 1e-3;
  }

  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
};

constexpr int kMostHeld = 512;  // launches that surely fit the queue

}  // namespace

Case GroupCase(double amount, std::vector<Lane> lanes) {
  const auto start = std::make_shared<Start>();
  std::vector<std::shared_ptr<Timer>> timers;
  for (const Lane& lane : lanes) timers.push_back(std::make_shared<Timer>(lane.gpu));
  Case one;
  one.amount = amount;
  one.run = [start, timers, lanes](int repeats) {
    *start->get() = repeats > kMostHeld ? 1 : 0;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const UseGpu use(lanes[i].gpu);
      const Timer& timer = *timers[i];
      Hold<<<1, 1, 0, timer.stream>>>(start->get());
      Check(cudaEventRecord(timer.begin, timer.stream));
      for (int repeat = 0; repeat < repeats; ++repeat) lanes[i].submit(timer.stream);
      Check(cudaEventRecord(timer.end, timer.stream));
    }
    start->Give();
    // All begin when the host lets go, so the last one's time is that of all.
    double seconds = 0;
    for (const auto& timer : timers) seconds = std::max(seconds, timer->Seconds());
    Check(cudaGetLastError());
    return seconds;
  };
  return one;
}

Case EventCase(double amount, Submit submit) { return GroupCase(amount, {{0, std::move(submit)}}); }

bool EnablePeer(int from, int to) {
  int reaches = 0;
  Check(cudaDeviceCanAccessPeer(&reaches, from, to));
  if (reaches == 0) return false;
  const UseGpu use(from);
  const cudaError_t error = cudaDeviceEnablePeerAccess(to, 0);
  static_cast<void>(cudaGetLastError());  // neither of these two is an error
  if (error == cudaErrorTooManyPeers) return false;
  if (error != cudaErrorPeerAccessAlreadyEnabled) Check(error);
  return true;
}

}  // namespace cpnlint::kernels
