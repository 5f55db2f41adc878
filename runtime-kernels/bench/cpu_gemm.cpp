// A blocked matrix product of our own, so that a rate is measured wherever the program runs. Packing and blocking are
// those of Goto and van de Geijn (ACM TOMS 34, 2008); the inner kernel is compiled once per instruction set.

#include <algorithm>
#include <vector>

#include "runtime-kernels/bench/cpu.h"

namespace cpnlint::kernels {
namespace {

// Rows of C per inner kernel, and bytes of a row of C that it holds in registers.
template <class T>
struct Kernel {
  std::size_t rows = 0, columns = 0;
  void (*run)(std::size_t k, const T* a, const T* b, T* tile) = nullptr;
};

#define CPNLINT_GEMM_ISA
#define CPNLINT_GEMM_NAME(T) Baseline_##T
#define CPNLINT_GEMM_BYTES 16
#define CPNLINT_GEMM_ROWS 4
#include "runtime-kernels/bench/cpu_gemm_kernel.inc"

#if defined(__x86_64__)
#define CPNLINT_GEMM_ISA __attribute__((target("avx2,fma")))
#define CPNLINT_GEMM_NAME(T) Avx2_##T
#define CPNLINT_GEMM_BYTES 32
#define CPNLINT_GEMM_ROWS 6
#include "runtime-kernels/bench/cpu_gemm_kernel.inc"

#define CPNLINT_GEMM_ISA __attribute__((target("avx512f")))
#define CPNLINT_GEMM_NAME(T) Avx512_##T
#define CPNLINT_GEMM_BYTES 64
#define CPNLINT_GEMM_ROWS 8
#include "runtime-kernels/bench/cpu_gemm_kernel.inc"
#endif

enum class Isa : std::uint8_t { kBaseline, kAvx2, kAvx512 };

Isa BestIsa() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return Isa::kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::kAvx2;
#endif
  return Isa::kBaseline;
}

// 2 vectors of the given bytes to a row.
template <class T>
constexpr std::size_t Columns(std::size_t bytes) {
  return 2 * bytes / sizeof(T);
}

template <class T>
Kernel<T> BestKernel();

template <>
Kernel<double> BestKernel() {
#if defined(__x86_64__)
  if (BestIsa() == Isa::kAvx512) return {8, Columns<double>(64), &Avx512_double};
  if (BestIsa() == Isa::kAvx2) return {6, Columns<double>(32), &Avx2_double};
#endif
  return {4, Columns<double>(16), &Baseline_double};
}

template <>
Kernel<float> BestKernel() {
#if defined(__x86_64__)
  if (BestIsa() == Isa::kAvx512) return {8, Columns<float>(64), &Avx512_float};
  if (BestIsa() == Isa::kAvx2) return {6, Columns<float>(32), &Avx2_float};
#endif
  return {4, Columns<float>(16), &Baseline_float};
}

constexpr std::size_t kBlockK = 256, kBlockM = 192,
                      kBlockN = 2048;  // a block of A in the second cache, one of B in the third
constexpr std::size_t kMostTile = 8 * 32;

std::size_t RoundUp(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Strips of `width` rows (of A) or columns (of B), k by k, filled up with zeros.
template <class T, class At>
void Pack(std::size_t count, std::size_t k, std::size_t width, At at, T* packed) {
  for (std::size_t first = 0; first < count; first += width) {
    const std::size_t here = std::min(width, count - first);
    for (std::size_t p = 0; p < k; ++p) {
      for (std::size_t i = 0; i < here; ++i) *packed++ = at(first + i, p);
      for (std::size_t i = here; i < width; ++i) *packed++ = T(0);
    }
  }
}

}  // namespace

template <class T>
void MultiplyAdd(std::size_t m, std::size_t n, std::size_t k, T factor, const T* a, std::size_t lda, const T* b,
                 std::size_t ldb, bool transposed, T* c, std::size_t ldc) {
  static const Kernel<T> kernel = BestKernel<T>();
  thread_local std::vector<T> packed_a, packed_b;
  packed_a.resize(RoundUp(kBlockM, kernel.rows) * kBlockK);
  packed_b.resize(RoundUp(std::min(n, kBlockN), kernel.columns) * kBlockK);
  T tile[kMostTile];
  for (std::size_t n0 = 0; n0 < n; n0 += kBlockN) {
    const std::size_t nb = std::min(kBlockN, n - n0);
    for (std::size_t k0 = 0; k0 < k; k0 += kBlockK) {
      const std::size_t kb = std::min(kBlockK, k - k0);
      Pack(
          nb, kb, kernel.columns,
          [&](std::size_t j, std::size_t p) {
            return transposed ? b[(n0 + j) * ldb + k0 + p] : b[(k0 + p) * ldb + n0 + j];
          },
          packed_b.data());
      for (std::size_t m0 = 0; m0 < m; m0 += kBlockM) {
        const std::size_t mb = std::min(kBlockM, m - m0);
        Pack(
            mb, kb, kernel.rows, [&](std::size_t i, std::size_t p) { return factor * a[(m0 + i) * lda + k0 + p]; },
            packed_a.data());
        for (std::size_t j0 = 0; j0 < nb; j0 += kernel.columns) {
          for (std::size_t i0 = 0; i0 < mb; i0 += kernel.rows) {
            kernel.run(kb, packed_a.data() + i0 * kb, packed_b.data() + j0 * kb, tile);
            const std::size_t rows = std::min(kernel.rows, mb - i0);
            const std::size_t columns = std::min(kernel.columns, nb - j0);
            for (std::size_t i = 0; i < rows; ++i) {
              T* row = c + (m0 + i0 + i) * ldc + n0 + j0;
              for (std::size_t j = 0; j < columns; ++j) row[j] += tile[i * kernel.columns + j];
            }
          }
        }
      }
    }
  }
}

template void MultiplyAdd<double>(std::size_t, std::size_t, std::size_t, double, const double*, std::size_t,
                                  const double*, std::size_t, bool, double*, std::size_t);
template void MultiplyAdd<float>(std::size_t, std::size_t, std::size_t, float, const float*, std::size_t, const float*,
                                 std::size_t, bool, float*, std::size_t);

}  // namespace cpnlint::kernels
