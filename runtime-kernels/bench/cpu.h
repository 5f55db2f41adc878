#pragma once

// The CPU backend: benchmarks of one core and of all of them, under the parameter names of a GPU's.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "runtime-kernels/harness/bench.h"
#include "runtime-kernels/harness/clock.h"

// Compiled for several instruction sets, the best of which is taken at run time. Not under the sanitizers: the choice
// is made before their run time is ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define CPNLINT_BEST_INSTRUCTIONS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CPNLINT_BEST_INSTRUCTIONS
#endif

namespace cpnlint::kernels {

[[nodiscard]] const Backend& CpuBackend();

void BenchCpuStream(Session& session);
void BenchCpuFill(Session& session);
void BenchCpuReduce(Session& session);
void BenchCpuScan(Session& session);
void BenchCpuMath(Session& session);
void BenchCpuRandom(Session& session);
void BenchCpuSort(Session& session);
void BenchCpuGather(Session& session);
void BenchCpuChoose(Session& session);
void BenchCpuProduct(Session& session);
void BenchCpuFactor(Session& session);
void BenchCpuFft(Session& session);
void BenchCpuCopy(Session& session);
void BenchCpuPeers(Session& session);
void BenchCpuHalo(Session& session);
void BenchCpuSkew(Session& session);

// Processors that this process may use, by number.
[[nodiscard]] const std::vector<int>& AllowedProcessors();
void PinTo(int processor);

// Threads pinned to one processor each, the caller's among them, that do things together.
class Team {
 public:
  explicit Team(const std::vector<int>& processors);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int size() const { return static_cast<int>(threads_.size()) + 1; }
  // Every member does `work(member)`; seconds from the start until the last is done.
  double Run(const std::function<void(int)>& work);
  // Every member does `step(member, round)`, waits for the others, and goes on; seconds of so many rounds. Waking the
  // team is not timed: the clock starts when all are there.
  double RunRounds(int rounds, const std::function<void(int, int)>& step);

 private:
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<std::uint32_t> generation_ = 0;
  std::atomic<std::uint32_t> running_ = 0;
  std::atomic<bool> ending_ = false;
  std::vector<std::thread> threads_;
};

// Spins until the flag has reached the value, and gives the processor up now and then: the other may need it.
void WaitFor(const std::atomic<int>& flag, int value);
// Counts this thread in and waits until so many have been.
void Meet(std::atomic<int>& arrived, int all);

// Memory fresh from the system, pages of it touched by whom they are written first.
template <class T>
class Array {
 public:
  explicit Array(std::size_t size) : bytes_(size * sizeof(T)), data_(static_cast<T*>(Map(bytes_))), size_(size) {}
  ~Array() { Unmap(data_, bytes_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  static void* Map(std::size_t bytes);
  static void Unmap(void* data, std::size_t bytes);

  std::size_t bytes_;
  T* data_;
  std::size_t size_;
};

template <class T>
using Shared = std::shared_ptr<Array<T>>;

// Random numbers of [0.5, 1.5): never zeros, which some hardware handles faster.
template <class T>
[[nodiscard]] Shared<T> RandomArray(std::size_t size, std::uint64_t seed);

// A case on this thread: `work` is called so often and the whole is timed.
template <class Work>
[[nodiscard]] Case TimedCase(double amount, Work work) {
  Case one;
  one.amount = amount;
  one.run = [work](int repeats) {
    const Stopwatch watch;
    for (int i = 0; i < repeats; ++i) {
      work();
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    return watch.Seconds();
  };
  return one;
}

// Largest array of a benchmark: what a sweep holds at once stays below an eighth of the memory.
[[nodiscard]] std::size_t LargestArray(const Session& session);

// C += A B for row-major matrices with these leading dimensions; `transposed` reads B as its transpose.
template <class T>
void MultiplyAdd(std::size_t m, std::size_t n, std::size_t k, T factor, const T* a, std::size_t lda, const T* b,
                 std::size_t ldb, bool transposed, T* c, std::size_t ldc);

}  // namespace cpnlint::kernels
