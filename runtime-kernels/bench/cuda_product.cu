// Square matrix products by cuBLAS, float64 and float32 (no TF32).

#include <cublas_v2.h>

#include <cmath>

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

struct Handle {
  cublasHandle_t handle = nullptr;
  Handle() {
    CheckCode(cublasCreate(&handle), "cuBLAS");
    CheckCode(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH), "cuBLAS");
  }
  ~Handle() { cublasDestroy(handle); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

void Multiply(cublasHandle_t handle, int n, const double* a, const double* b, double* c) {
  const double one = 1, zero = 0;
  CheckCode(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n), "cuBLAS");
}

void Multiply(cublasHandle_t handle, int n, const float* a, const float* b, float* c) {
  const float one = 1, zero = 0;
  CheckCode(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n), "cuBLAS");
}

template <class T>
Case MakeProduct(const std::shared_ptr<Handle>& handle, OnDevice<T> (*random)(std::size_t, std::uint64_t),
                 std::size_t n) {
  const auto a = random(n * n, 1), b = random(n * n, 2), c = random(n * n, 3);
  const double order = static_cast<double>(n);
  Case one = EventCase(2 * order * order * order, [=](cudaStream_t stream) {
    CheckCode(cublasSetStream(handle->handle, stream), "cuBLAS");
    Multiply(handle->handle, static_cast<int>(n), a->data(), b->data(), c->data());
  });
  // By columns: c[0] is the first row of a times the first column of b.
  one.correct = [=] {
    std::vector<T> column(n), all(n * n);
    Check(cudaMemcpy(all.data(), a->data(), n * n * sizeof(T), cudaMemcpyDefault));
    Check(cudaMemcpy(column.data(), b->data(), n * sizeof(T), cudaMemcpyDefault));
    double sum = 0;
    for (std::size_t p = 0; p < n; ++p) sum += static_cast<double>(all[p * n]) * static_cast<double>(column[p]);
    return std::abs(static_cast<double>(c->At(0)) - sum) < (sizeof(T) == 8 ? 1e-10 : 1e-3) * sum;
  };
  return one;
}

template <class T>
TwoTerms Fit(Session& session, const char* name, OnDevice<T> (*random)(std::size_t, std::uint64_t),
             std::uint32_t& samples) {
  const auto handle = std::make_shared<Handle>();
  std::vector<std::size_t> orders = {256, 512, 768, 1024, 1536, 2048, 3072, 4096};
  if (session.effort() != Effort::kQuick) orders.push_back(8192);
  const auto points = session.Sweep(
      name, orders, [&](std::size_t n) { return MakeProduct<T>(handle, random, n); }, session.seconds() / 2);
  session.Draw(RateCurve(name, "order", "flop/s", points));
  // t = 2 n^3 / rate + 2 n^2 half / rate: at n = half a product runs at half its rate.
  std::vector<TwoTermPoint> rows;
  for (const SweepPoint& point : points) {
    const double n = static_cast<double>(point.size);
    rows.push_back({2 * n * n, point.amount, point.timing.median, (point.timing.high - point.timing.low) / 4});
  }
  samples = SamplesOf(points);
  return FitTwoTerms(rows);
}

}  // namespace

void BenchCudaProduct(Session& session) {
  std::uint32_t samples = 0;
  const std::string method = "square products by cuBLAS, order 256 and up";
  if (const TwoTerms terms = Fit<double>(session, "matrix product, float64", &RandomDoubles, samples); terms.good) {
    session.Report(cost::Parameter::kProductRate64, terms.rate, samples, method);
    const double rate = terms.rate.value;
    session.Report(cost::Parameter::kProductHalf,
                   {terms.per_first.value * rate, terms.per_first.low * rate, terms.per_first.high * rate}, samples,
                   method);
  }
  if (const TwoTerms terms = Fit<float>(session, "matrix product, float32", &RandomFloats, samples); terms.good) {
    session.Report(cost::Parameter::kProductRate32, terms.rate, samples, method);
  }
}

}  // namespace cpnlint::kernels
