#pragma once

// The GPU backend, a program of its own (cpnlint-cuda): nobody's linter needs CUDA's libraries. One GPU is measured,
// and what goes between GPUs where there are several.

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime-kernels/harness/bench.h"

namespace cpnlint::kernels {

[[nodiscard]] const Backend& CudaBackend();
// `cpnlint-cuda between-nodes FILE`; gives the exit code.
[[nodiscard]] int MeasureBetweenNodes(std::span<const std::string> arguments);

void BenchCudaStream(Session& session);
void BenchCudaLaunch(Session& session);
void BenchCudaReduce(Session& session);
void BenchCudaSort(Session& session);
void BenchCudaGather(Session& session);
void BenchCudaMath(Session& session);
void BenchCudaRandom(Session& session);
void BenchCudaProduct(Session& session);
void BenchCudaFactor(Session& session);
void BenchCudaFft(Session& session);
void BenchCudaCopy(Session& session);
void BenchCudaPeers(Session& session);
void BenchCudaHalo(Session& session);
void BenchCudaExchange(Session& session);
void BenchCudaSkew(Session& session);

// An error of CUDA or one of its libraries ends the benchmark that it happens in.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
void Check(cudaError_t error);
void CheckCode(int code, const char* library);  // 0 is success, as in cuBLAS, cuFFT, cuRAND, cuSOLVER, NCCL

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) { Check(cudaMalloc(&data_, size * sizeof(T))); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T At(std::size_t i) const {
    T value{};
    Check(cudaMemcpy(&value, data_ + i, sizeof value, cudaMemcpyDefault));
    return value;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};
template <class T>
using OnDevice = std::shared_ptr<DeviceArray<T>>;

// Random numbers of [0.5, 1.5): matrix products of zeros draw less power and run faster than real ones.
[[nodiscard]] OnDevice<double> RandomDoubles(std::size_t size, std::uint64_t seed);
[[nodiscard]] OnDevice<float> RandomFloats(std::size_t size, std::uint64_t seed);

using Submit = std::function<void(cudaStream_t)>;
// Times `submit`, called so often, by events; the stream is held until all is enqueued, so that the host's pace does
// not show.
[[nodiscard]] Case EventCase(double amount, Submit submit);

[[nodiscard]] inline unsigned BlocksFor(std::size_t items, unsigned threads = 256) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

// Nothing measured takes more than a fifth of the memory.
[[nodiscard]] std::size_t LargestBytes(const Session& session);

}  // namespace cpnlint::kernels
