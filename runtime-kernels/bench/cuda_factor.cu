// Factorisations and spectra by cuSOLVER, float64: potrf and getrf, gesvd and syevd, each from its own copy of the
// matrix.

#include <cusolverDn.h>

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

struct Solver {
  cusolverDnHandle_t handle = nullptr;
  Solver() { CheckCode(cusolverDnCreate(&handle), "cuSOLVER"); }
  ~Solver() { cusolverDnDestroy(handle); }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
};

struct Problem {
  explicit Problem(std::size_t order)
      : n(static_cast<int>(order)), source(RandomDoubles(order * order, 1)), matrix(order * order), info(1) {}

  int n;
  Solver solver;
  OnDevice<double> source;
  DeviceArray<double> matrix;
  DeviceArray<int> info;
  OnDevice<double> work, values, left, right;
  OnDevice<int> pivots;

  void MakeWork(int size) { work = std::make_shared<DeviceArray<double>>(static_cast<std::size_t>(size) + 1); }
  [[nodiscard]] int WorkSize() const { return static_cast<int>(work->size()); }
};

using Shared = std::shared_ptr<Problem>;

// A random matrix plus its transpose plus a heavy diagonal: symmetric, positive definite, well conditioned.
__global__ void MakePositive(double* a, int n) {
  const std::size_t at = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t order = static_cast<std::size_t>(n);
  if (at >= order * order) return;
  const std::size_t i = at / order, j = at % order;
  if (i > j) a[i * order + j] = a[j * order + i];
  if (i == j) a[at] += 2.0 * n;
}

// The copy is timed too; it is to the factorisation what n^2 is to n^3.
template <class Factor>
Case Timed(const Shared& problem, double flops, Factor factor) {
  const std::size_t elements = problem->source->size();
  MakePositive<<<BlocksFor(elements), 256>>>(problem->source->data(), problem->n);
  Check(cudaDeviceSynchronize());
  Case one = EventCase(flops, [=](cudaStream_t stream) {
    CheckCode(cusolverDnSetStream(problem->solver.handle, stream), "cuSOLVER");
    Check(cudaMemcpyAsync(problem->matrix.data(), problem->source->data(), elements * sizeof(double), cudaMemcpyDefault,
                          stream));
    factor(*problem);
  });
  one.correct = [=] { return problem->info.At(0) == 0; };
  return one;
}

Case MakeCholesky(std::size_t order) {
  const auto problem = std::make_shared<Problem>(order);
  int size = 0;
  CheckCode(cusolverDnDpotrf_bufferSize(problem->solver.handle, CUBLAS_FILL_MODE_LOWER, problem->n,
                                        problem->matrix.data(), problem->n, &size),
            "cuSOLVER");
  problem->MakeWork(size);
  const double n = problem->n;
  return Timed(problem, n * n * n / 3, [](Problem& p) {
    CheckCode(cusolverDnDpotrf(p.solver.handle, CUBLAS_FILL_MODE_LOWER, p.n, p.matrix.data(), p.n, p.work->data(),
                               p.WorkSize(), p.info.data()),
              "cuSOLVER");
  });
}

Case MakeLu(std::size_t order) {
  const auto problem = std::make_shared<Problem>(order);
  int size = 0;
  CheckCode(cusolverDnDgetrf_bufferSize(problem->solver.handle, problem->n, problem->n, problem->matrix.data(),
                                        problem->n, &size),
            "cuSOLVER");
  problem->MakeWork(size);
  problem->pivots = std::make_shared<DeviceArray<int>>(order);
  const double n = problem->n;
  return Timed(problem, 2 * n * n * n / 3, [](Problem& p) {
    CheckCode(cusolverDnDgetrf(p.solver.handle, p.n, p.n, p.matrix.data(), p.n, p.work->data(), p.pivots->data(),
                               p.info.data()),
              "cuSOLVER");
  });
}

Case MakeEigh(std::size_t order) {
  const auto problem = std::make_shared<Problem>(order);
  problem->values = std::make_shared<DeviceArray<double>>(order);
  int size = 0;
  CheckCode(cusolverDnDsyevd_bufferSize(problem->solver.handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER,
                                        problem->n, problem->matrix.data(), problem->n, problem->values->data(), &size),
            "cuSOLVER");
  problem->MakeWork(size);
  const double n = problem->n;
  return Timed(problem, 9 * n * n * n, [](Problem& p) {
    CheckCode(cusolverDnDsyevd(p.solver.handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, p.n, p.matrix.data(),
                               p.n, p.values->data(), p.work->data(), p.WorkSize(), p.info.data()),
              "cuSOLVER");
  });
}

Case MakeSvd(std::size_t order) {
  const auto problem = std::make_shared<Problem>(order);
  problem->values = std::make_shared<DeviceArray<double>>(order);
  problem->left = std::make_shared<DeviceArray<double>>(order * order);
  problem->right = std::make_shared<DeviceArray<double>>(order * order);
  int size = 0;
  CheckCode(cusolverDnDgesvd_bufferSize(problem->solver.handle, problem->n, problem->n, &size), "cuSOLVER");
  problem->MakeWork(size);
  const double n = problem->n;
  return Timed(problem, 20 * n * n * n, [](Problem& p) {
    CheckCode(
        cusolverDnDgesvd(p.solver.handle, 'A', 'A', p.n, p.n, p.matrix.data(), p.n, p.values->data(), p.left->data(),
                         p.n, p.right->data(), p.n, p.work->data(), p.WorkSize(), nullptr, p.info.data()),
        "cuSOLVER");
  });
}

struct Kind {
  const char* name;
  Case (*make)(std::size_t);
  double columns;  // latencies per column, as the model counts them
};

// t = columns n latency + flops / rate, over two kinds together.
void Report(Session& session, const Kind (&kinds)[2], const std::vector<std::size_t>& orders, cost::Parameter rate,
            cost::Parameter column, const std::string& method) {
  std::vector<TwoTermPoint> rows;
  std::uint32_t samples = 0;
  for (const Kind& kind : kinds) {
    const auto points = session.Sweep(kind.name, orders, kind.make, session.seconds() / 4);
    session.Draw(RateCurve(kind.name, "order", "flop/s", points));
    samples += SamplesOf(points);
    for (const SweepPoint& point : points) {
      rows.push_back({kind.columns * static_cast<double>(point.size), point.amount, point.timing.median,
                      (point.timing.high - point.timing.low) / 4});
    }
  }
  const TwoTerms terms = FitTwoTerms(rows);
  if (!terms.good) return;
  session.Report(rate, terms.rate, samples, method);
  session.Report(column, terms.per_first, samples, method);
}

}  // namespace

void BenchCudaFactor(Session& session) {
  std::vector<std::size_t> orders = {256, 512, 1024, 2048, 4096};
  if (session.effort() != Effort::kQuick) orders.push_back(8192);
  Report(session, {{"Cholesky", &MakeCholesky, 1}, {"LU", &MakeLu, 1.5}}, orders, cost::Parameter::kFactorRate,
         cost::Parameter::kFactorColumn, "cuSOLVER potrf and getrf, float64, order 256 and up");
  orders = {128, 256, 512, 1024};
  if (session.effort() == Effort::kFull) orders.push_back(2048);
  Report(session, {{"eigh", &MakeEigh, 1}, {"SVD", &MakeSvd, 1}}, orders, cost::Parameter::kSpectralRate,
         cost::Parameter::kSpectralColumn, "cuSOLVER syevd (9 n^3) and gesvd (20 n^3), float64, order 128 and up");
}

}  // namespace cpnlint::kernels
