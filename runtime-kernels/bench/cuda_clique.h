#pragma once

// All GPUs of the node as one NCCL clique, where this program is built with NCCL.

#if defined(CPNLINT_NCCL)

#include <nccl.h>

#include <vector>

#include "runtime-kernels/bench/cuda_several.h"

namespace cpnlint::kernels {

// A communicator, a stream and a pair of buffers for each GPU, driven by this one thread.
class Clique {
 public:
  // Room for what each GPU sends, and for what it receives.
  Clique(int count, std::size_t sent, std::size_t received) : communicators(count), streams(count) {
    CheckCode(ncclCommInitAll(communicators.data(), count, nullptr), "NCCL");
    for (int gpu = 0; gpu < count; ++gpu) {
      from.push_back(ArrayOn<char>(gpu, sent));
      to.push_back(ArrayOn<char>(gpu, received));
      const UseGpu use(gpu);
      Check(cudaStreamCreate(&streams[gpu]));
    }
  }
  ~Clique() {
    for (std::size_t gpu = 0; gpu < communicators.size(); ++gpu) {
      cudaStreamDestroy(streams[gpu]);
      ncclCommDestroy(communicators[gpu]);
    }
  }
  Clique(const Clique&) = delete;
  Clique& operator=(const Clique&) = delete;

  void Wait() const {
    for (const cudaStream_t stream : streams) Check(cudaStreamSynchronize(stream));
  }

  std::vector<ncclComm_t> communicators;
  std::vector<cudaStream_t> streams;
  std::vector<OnDevice<char>> from, to;
};

}  // namespace cpnlint::kernels

#else

#include "runtime-kernels/bench/cuda_several.h"

#endif
