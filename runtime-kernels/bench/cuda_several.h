#pragma once

// What several GPUs do at once. One thread of ours drives them all.

#include <utility>
#include <vector>

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {

// Makes a GPU the current one; everything else here runs with the first.
class UseGpu {
 public:
  explicit UseGpu(int gpu) { Check(cudaSetDevice(gpu)); }
  ~UseGpu() { cudaSetDevice(0); }
  UseGpu(const UseGpu&) = delete;
  UseGpu& operator=(const UseGpu&) = delete;
};

// A stream of a GPU, and what it does in one run.
struct Lane {
  int gpu = 0;
  Submit submit;
};
// All lanes begin together; the time is that of the last to end.
[[nodiscard]] Case GroupCase(double amount, std::vector<Lane> lanes);

// Lets a GPU use another one's memory. False: it cannot, and copies between them go through the host.
[[nodiscard]] bool EnablePeer(int from, int to);

template <class T>
[[nodiscard]] OnDevice<T> ArrayOn(int gpu, std::size_t size) {
  const UseGpu use(gpu);
  return std::make_shared<DeviceArray<T>>(size);
}

}  // namespace cpnlint::kernels
