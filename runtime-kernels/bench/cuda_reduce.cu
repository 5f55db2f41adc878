// Sums of everything, along either axis, and cumulative ones.

#include <cmath>
#include <cub/cub.cuh>

#include "runtime-kernels/bench/cuda.h"

namespace cpnlint::kernels {
namespace {

struct Scratch {
  OnDevice<char> memory;
  std::size_t bytes = 0;
};

// Every algorithm of CUB is called twice: for the size of its scratch memory, then for work.
template <class Call>
Scratch MakeScratch(const Call& call) {
  Scratch scratch;
  Check(call(nullptr, scratch.bytes, nullptr));
  scratch.memory = std::make_shared<DeviceArray<char>>(std::max<std::size_t>(scratch.bytes, 1));
  return scratch;
}

template <class Call>
Case CubCase(double amount, const Call& call) {
  const Scratch scratch = MakeScratch(call);
  return EventCase(amount, [=](cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    Check(call(scratch.memory->data(), bytes, stream));
  });
}

Case MakeSum(std::size_t bytes) {
  const std::size_t n = bytes / 8;
  const auto a = RandomDoubles(n, 1);
  const auto sum = std::make_shared<DeviceArray<double>>(1);
  Case one = CubCase(static_cast<double>(bytes), [=](void* scratch, std::size_t& size, cudaStream_t stream) {
    return cub::DeviceReduce::Sum(scratch, size, a->data(), sum->data(), static_cast<int>(n), stream);
  });
  // Uniform over [0.5, 1.5).
  one.correct = [=] { return std::abs(sum->At(0) / static_cast<double>(n) - 1) < 0.01; };
  return one;
}

Case MakeScan(std::size_t bytes) {
  const std::size_t n = bytes / 8;
  const auto a = RandomDoubles(n, 1);
  const auto sums = std::make_shared<DeviceArray<double>>(n);
  Case one = CubCase(static_cast<double>(bytes) * 2, [=](void* scratch, std::size_t& size, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(scratch, size, a->data(), sums->data(), static_cast<int>(n), stream);
  });
  one.correct = [=] { return std::abs(sums->At(n - 1) / static_cast<double>(n) - 1) < 0.01; };
  return one;
}

constexpr std::size_t kColumns = 1024;

// Along axis 1, one block to a row.
__global__ void SumRows(const double* a, double* sums) {
  double sum = 0;
  for (std::size_t j = threadIdx.x; j < kColumns; j += blockDim.x) sum += a[blockIdx.x * kColumns + j];
  __shared__ typename cub::BlockReduce<double, 256>::TempStorage storage;
  const double all = cub::BlockReduce<double, 256>(storage).Sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

// Along axis 0: a block adds a strip of rows into every column's sum.
__global__ void SumColumns(const double* a, double* sums, std::size_t rows, std::size_t strip) {
  const std::size_t first = blockIdx.x * strip;
  const std::size_t last = min(first + strip, rows);
  for (std::size_t j = threadIdx.x; j < kColumns; j += blockDim.x) {
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += a[i * kColumns + j];
    atomicAdd(sums + j, sum);
  }
}

Case MakeAxisSum(std::size_t bytes, bool along_rows) {
  const std::size_t rows = bytes / 8 / kColumns;
  const std::size_t strip = 64;
  const auto a = RandomDoubles(rows * kColumns, 1);
  const auto sums = std::make_shared<DeviceArray<double>>(along_rows ? rows : kColumns);
  Case one = EventCase(static_cast<double>(bytes), [=](cudaStream_t stream) {
    if (along_rows) {
      SumRows<<<static_cast<unsigned>(rows), 256, 0, stream>>>(a->data(), sums->data());
      return;
    }
    Check(cudaMemsetAsync(sums->data(), 0, kColumns * sizeof(double), stream));
    SumColumns<<<BlocksFor(rows, strip), 256, 0, stream>>>(a->data(), sums->data(), rows, strip);
  });
  const double expected = static_cast<double>(along_rows ? kColumns : rows);
  one.correct = [=] { return std::abs(sums->At(0) / expected - 1) < 0.1; };
  return one;
}

}  // namespace

void BenchCudaReduce(Session& session) {
  const std::size_t largest = LargestBytes(session) / 2;
  const std::vector<std::size_t> sizes = {largest / 4, largest / 2, largest};
  const double share = session.seconds() / 4;
  const auto all = session.Sweep(
      "sum", sizes, [](std::size_t bytes) { return MakeSum(bytes); }, share);
  session.ReportRate(cost::Parameter::kReductionRate, all, "CUB sum of float64");
  const auto scans = session.Sweep(
      "scan", sizes, [](std::size_t bytes) { return MakeScan(bytes); }, share);
  session.ReportRate(cost::Parameter::kScanRate, scans, "CUB inclusive sum of float64, in and out");
  const auto first = session.Measure(
      "sum along axis 0", largest, [](std::size_t b) { return MakeAxisSum(b, false); }, share);
  const auto second = session.Measure(
      "sum along axis 1", largest, [](std::size_t b) { return MakeAxisSum(b, true); }, share);
  const std::string how = " of float64, 1024 columns";
  if (first) {
    session.Report(cost::Parameter::kOuterReductionRate, RateOf(*first), first->timing.samples, "sum along axis 0" + how);
  }
  if (second) {
    session.Report(cost::Parameter::kAxisReductionRate, RateOf(*second), second->timing.samples, "sum along axis 1" + how);
  }
}

}  // namespace cpnlint::kernels
