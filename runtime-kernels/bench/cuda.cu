#include "runtime-kernels/bench/cuda.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <array>

#include "runtime-kernels/bench/nvml.h"

namespace cpnlint::kernels {
namespace {

Nvml& Management() {
  static Nvml nvml;
  return nvml;
}

constexpr unsigned kBusyFrom = 10;      // percent
constexpr double kLeastMemory = 1.0e9;  // bytes free
constexpr double kThrottled = 0.75;     // of the highest clock

std::string Refusal(int count, cudaError_t error) {
  if (error == cudaErrorInsufficientDriver) {
    return "no CUDA driver, or one that is older than this program's CUDA: install the driver, or measure with "
           "--backend cpu";
  }
  if (error == cudaErrorNoDevice || count == 0) return "the CUDA driver finds no GPU (is CUDA_VISIBLE_DEVICES empty?)";
  return std::string("CUDA does not start: ") + cudaGetErrorString(error);
}

// The first GPU is measured; the others take part in what goes between GPUs.
void LookAtOthers(Nvml& nvml, int count, Device& device) {
  std::array<char, 32> bus{};
  for (int gpu = 1; gpu < count; ++gpu) {
    cudaDeviceGetPCIBusId(bus.data(), bus.size(), gpu);
    nvml.Choose(bus.data());
    if (const unsigned busy = nvml.BusyPercent(); busy > kBusyFrom) {
      device.notes.push_back("GPU " + std::to_string(gpu) + " was busy (" + std::to_string(busy) +
                             " %): what goes between GPUs may be measured too slow");
    }
  }
  cudaDeviceGetPCIBusId(bus.data(), bus.size(), 0);
  nvml.Choose(bus.data());
}

Result<Device> OpenCuda() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) return Fail(Refusal(count, error));
  cudaDeviceProp properties{};
  if (const cudaError_t asked = cudaGetDeviceProperties(&properties, 0); asked != cudaSuccess) {
    return Fail(Refusal(count, asked));
  }
  std::array<char, 32> bus{};
  cudaDeviceGetPCIBusId(bus.data(), bus.size(), 0);
  Nvml& nvml = Management();
  nvml.Choose(bus.data());
  const std::string name = properties.name;
  // A slice of a GPU has a slice's rates; cuPyNumeric runs on whole ones.
  if (nvml.IsPartitioned() || name.find("MIG") != std::string::npos) {
    return Fail("`" + name +
                "` is partitioned (MIG): a profile is of whole GPUs; switch MIG off or measure another one");
  }
  if (const unsigned busy = nvml.BusyPercent(); busy > kBusyFrom) {
    return Fail("`" + name + "` is busy (" + std::to_string(busy) +
                " %): what is measured now would be wrong; wait, or choose another GPU with CUDA_VISIBLE_DEVICES");
  }
  std::size_t free = 0, all = 0;
  if (const cudaError_t asked = cudaMemGetInfo(&free, &all); asked != cudaSuccess) return Fail(Refusal(count, asked));
  if (static_cast<double>(free) < kLeastMemory) {
    return Fail("`" + name + "` has too little free memory: " + std::to_string(free >> 20) +
                " MiB, and 1000 are needed");
  }
  struct sysinfo info {};
  sysinfo(&info);
  Device device;
  device.machine.processor = name;
  device.machine.gpu = true;
  device.machine.compute_capability = properties.major + 0.1 * properties.minor;
  device.machine.processors_per_node = count;
  device.machine.driver = nvml.DriverVersion();
  device.memory = static_cast<double>(all);
  device.host_memory = static_cast<double>(info.totalram) * info.mem_unit;
  device.cache = properties.l2CacheSize;
  if (nvml.HasEcc()) device.notes.push_back("ECC is on");
  if (const unsigned clock = nvml.HighestClock(); clock > 0) {
    device.notes.push_back("highest clock " + std::to_string(clock) + " MHz, " + std::to_string(nvml.Temperature()) +
                           " degrees at the start");
  }
  LookAtOthers(nvml, count, device);
  return device;
}

void BeforeSample() {}

// The clock was turned down: for heat, for power, or because the GPU had nothing to do until now.
bool Disturbed() {
  static const unsigned highest = Management().HighestClock();
  return highest > 0 && Management().Clock() < kThrottled * highest;
}

constexpr Bench kBenches[] = {
    {"stream", "memory bandwidth", {6, 20, 60}, &BenchCudaStream},
    {"launch", "launches of kernels", {2, 4, 10}, &BenchCudaLaunch},
    {"reduce", "sums and scans", {5, 12, 30}, &BenchCudaReduce},
    {"sort", "sorting", {3, 8, 20}, &BenchCudaSort},
    {"gather", "gather and scatter", {3, 8, 20}, &BenchCudaGather},
    {"math", "arithmetic", {2, 5, 12}, &BenchCudaMath},
    {"random", "random numbers", {2, 5, 12}, &BenchCudaRandom},
    {"product", "matrix products", {8, 30, 90}, &BenchCudaProduct},
    {"factor", "factorisations and spectra", {10, 40, 120}, &BenchCudaFactor},
    {"fft", "Fourier transforms", {4, 12, 30}, &BenchCudaFft},
    {"copy", "copies with the host", {4, 10, 25}, &BenchCudaCopy},
    {"peers", "copies between all pairs of GPUs", {8, 30, 90}, &BenchCudaPeers},
    {"halo", "edges for all neighbours at once", {6, 20, 60}, &BenchCudaHalo},
    {"exchange", "exchanges of all GPUs", {4, 12, 30}, &BenchCudaExchange},
    {"skew", "uneven exchanges of all GPUs", {4, 12, 30}, &BenchCudaSkew},
};

template <class T>
__global__ void Randomize(T* data, std::size_t n, std::uint64_t seed) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    std::uint64_t z = seed * 0x9E37'79B9'7F4A'7C15 + i;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    data[i] = static_cast<T>(0.5 + static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53);
  }
}

template <class T>
OnDevice<T> MakeRandom(std::size_t size, std::uint64_t seed) {
  auto array = std::make_shared<DeviceArray<T>>(size);
  Randomize<<<std::min(BlocksFor(size), 65'535U), 256>>>(array->data(), size, seed);
  Check(cudaGetLastError());
  Check(cudaDeviceSynchronize());
  return array;
}

}  // namespace

const Backend& CudaBackend() {
  static const Backend backend = {"cuda", &OpenCuda, kBenches, &BeforeSample, &Disturbed};
  return backend;
}

void Check(cudaError_t error) {
  if (error == cudaErrorMemoryAllocation) throw std::bad_alloc();
  if (error != cudaSuccess) throw CudaError(cudaGetErrorString(error));
}

void CheckCode(int code, const char* library) {
  if (code != 0) throw CudaError(std::string(library) + " fails with code " + std::to_string(code));
}

OnDevice<double> RandomDoubles(std::size_t size, std::uint64_t seed) { return MakeRandom<double>(size, seed); }
OnDevice<float> RandomFloats(std::size_t size, std::uint64_t seed) { return MakeRandom<float>(size, seed); }

std::size_t LargestBytes(const Session& session) {
  const double most = session.effort() == Effort::kQuick ? 1e9 : 2e9;
  std::size_t bytes = 1 << 20;
  while (static_cast<double>(bytes) * 2 <= std::min(most, session.device().memory / 5)) bytes *= 2;
  return bytes;
}

}  // namespace cpnlint::kernels
