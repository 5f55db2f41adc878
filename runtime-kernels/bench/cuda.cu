#include "runtime-kernels/bench/cuda.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <array>
#include <cuda/atomic>

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
    {"copy", "copies", {6, 15, 40}, &BenchCudaCopy},
    {"exchange", "exchanges of all GPUs", {4, 12, 30}, &BenchCudaExchange},
};

// Holds the stream until the host lets go, or half a second has passed: a full queue must not hold the host for ever.
__global__ void Hold(const int* let_go) {
  cuda::atomic_ref<const int, cuda::thread_scope_system> flag(*let_go);
  const long long start = clock64();
  while (flag.load(cuda::memory_order_relaxed) == 0 && clock64() - start < 500'000'000) {
  }
}

class Timer {
 public:
  Timer() {
    Check(cudaStreamCreate(&stream));
    Check(cudaEventCreate(&begin));
    Check(cudaEventCreate(&end));
    Check(cudaHostAlloc(&let_go, sizeof(int), cudaHostAllocMapped));
  }
  ~Timer() {
    cudaFreeHost(let_go);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  int* let_go = nullptr;
};

constexpr int kMostHeld = 512;  // launches that surely fit the queue

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

Case EventCase(double amount, Submit submit) {
  const auto timer = std::make_shared<Timer>();
  Case one;
  one.amount = amount;
  one.run = [timer, submit](int repeats) {
    *timer->let_go = repeats > kMostHeld ? 1 : 0;
    Hold<<<1, 1, 0, timer->stream>>>(timer->let_go);
    Check(cudaEventRecord(timer->begin, timer->stream));
    for (int i = 0; i < repeats; ++i) submit(timer->stream);
    Check(cudaEventRecord(timer->end, timer->stream));
    cuda::atomic_ref<int, cuda::thread_scope_system>(*timer->let_go).store(1);
    Check(cudaEventSynchronize(timer->end));
    Check(cudaGetLastError());
    float milliseconds = 0;
    Check(cudaEventElapsedTime(&milliseconds, timer->begin, timer->end));
    return static_cast<double>(milliseconds) * 1e-3;
  };
  return one;
}

std::size_t LargestBytes(const Session& session) {
  const double most = session.effort() == Effort::kQuick ? 1e9 : 2e9;
  std::size_t bytes = 1 << 20;
  while (static_cast<double>(bytes) * 2 <= std::min(most, session.device().memory / 5)) bytes *= 2;
  return bytes;
}

}  // namespace cpnlint::kernels
