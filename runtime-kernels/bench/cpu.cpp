#include "runtime-kernels/bench/cpu.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

namespace cpnlint::kernels {
namespace {

std::string ReadFirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string ProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

// "32768K", "32M" as the system writes them.
double CacheBytes(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return 0;
  if (*end == 'K') return number * 1024;
  if (*end == 'M') return number * 1024 * 1024;
  return number;
}

double LastCache() {
  double largest = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    largest = std::max(largest, CacheBytes(ReadFirstLine(folder + "/size")));
  }
  return largest;
}

// What the system would give without swapping; containers may allow less.
double AvailableMemory() {
  std::ifstream file("/proc/meminfo");
  double available = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("MemAvailable:")) available = std::strtod(line.c_str() + 13, nullptr) * 1024;
  }
  if (const std::string limit = ReadFirstLine("/sys/fs/cgroup/memory.max"); !limit.empty() && limit != "max") {
    const double used = std::strtod(ReadFirstLine("/sys/fs/cgroup/memory.current").c_str(), nullptr);
    available = std::min(available, std::strtod(limit.c_str(), nullptr) - used);
  }
  return available;
}

constexpr double kLeastMemory = 1024.0 * 1024 * 1024;

Result<Device> OpenCpu() {
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return Fail("the system does not say how much memory there is");
  const std::vector<int> processors = AllowedProcessors();
  Device device;
  device.machine.processor = ProcessorName();
  device.machine.gpu = false;
  device.machine.processors_per_node = static_cast<int>(processors.size());
  device.machine.split = 16'384;  // Legate's threshold for CPUs (26.07, env_defaults.h:20-30)
  device.host_memory = static_cast<double>(info.totalram) * info.mem_unit;
  device.memory = device.host_memory / device.machine.processors_per_node;
  device.cache = LastCache();
  if (const double available = AvailableMemory(); available < kLeastMemory) {
    return Fail("too little memory: " + std::to_string(static_cast<long>(available / 1024 / 1024)) +
                " MiB are free, and the arrays that no cache holds need 1024");
  }
  std::array<double, 1> load{};
  if (getloadavg(load.data(), 1) == 1 && load[0] > 0.5) {
    std::string shown = std::to_string(load[0]);
    shown.resize(shown.find('.') + 2);
    device.notes.push_back("the machine was busy with other work (load " + shown + " on " +
                           std::to_string(processors.size()) + " processors)");
  }
  if (const std::string governor = ReadFirstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
      !governor.empty() && governor != "performance") {
    device.notes.push_back("the processor's clock is governed by `" + governor + "`");
  }
  PinTo(processors.front());
  return device;
}

long switches = 0;

// How often the scheduler took a processor away from any of our threads.
long Switches() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

void BeforeSample() { switches = Switches(); }
bool Disturbed() { return Switches() != switches; }

constexpr Bench kBenches[] = {
    {"stream", "memory bandwidth", {6, 20, 60}, &BenchCpuStream},
    {"fill", "filling memory", {2, 6, 15}, &BenchCpuFill},
    {"reduce", "sums", {3, 8, 25}, &BenchCpuReduce},
    {"scan", "cumulative sums", {1, 3, 10}, &BenchCpuScan},
    {"math", "arithmetic", {2, 5, 15}, &BenchCpuMath},
    {"random", "random numbers", {2, 5, 15}, &BenchCpuRandom},
    {"sort", "sorting and merging", {3, 14, 36}, &BenchCpuSort},
    {"gather", "gather and scatter", {4, 13, 40}, &BenchCpuGather},
    {"choose", "where, masks and histograms", {2, 6, 20}, &BenchCpuChoose},
    {"product", "matrix products", {4, 20, 60}, &BenchCpuProduct},
    {"factor", "factorisation", {3, 15, 40}, &BenchCpuFactor},
    {"fft", "Fourier transforms", {2, 8, 20}, &BenchCpuFft},
    {"copy", "copies in memory", {1, 3, 8}, &BenchCpuCopy},
    {"peers", "copies between threads", {3, 8, 20}, &BenchCpuPeers},
    {"halo", "edges for all neighbours at once", {2, 6, 15}, &BenchCpuHalo},
    {"skew", "uneven exchanges of all threads", {1, 3, 8}, &BenchCpuSkew},
};

}  // namespace

const Backend& CpuBackend() {
  static const Backend backend = {"cpu", &OpenCpu, kBenches, &BeforeSample, &Disturbed};
  return backend;
}

namespace {

std::vector<int> AskProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      if (CPU_ISSET(i, &set)) processors.push_back(i);
    }
  }
  if (processors.empty()) processors.push_back(0);
  return processors;
}

}  // namespace

const std::vector<int>& AllowedProcessors() {
  // Asked once, before anybody is pinned: a pinned thread may use one only.
  static const std::vector<int> processors = AskProcessors();
  return processors;
}

void PinTo(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  // Where the system does not let us, the thread stays free to move, which costs precision and nothing else.
  static_cast<void>(sched_setaffinity(0, sizeof set, &set));
}

Team::Team(const std::vector<int>& processors) {
  PinTo(processors.front());
  for (std::size_t i = 1; i < processors.size(); ++i) {
    threads_.emplace_back([this, i, processor = processors[i]] {
      PinTo(processor);
      std::uint32_t seen = 0;
      while (true) {
        generation_.wait(seen);
        seen = generation_.load();
        if (ending_) return;
        (*work_)(static_cast<int>(i));
        if (running_.fetch_sub(1) == 1) running_.notify_one();
      }
    });
  }
}

Team::~Team() {
  ending_ = true;
  ++generation_;
  generation_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

double Team::Run(const std::function<void(int)>& work) {
  const Stopwatch watch;
  work_ = &work;
  running_ = static_cast<std::uint32_t>(threads_.size());
  ++generation_;
  generation_.notify_all();
  work(0);
  for (std::uint32_t left = running_.load(); left != 0; left = running_.load()) running_.wait(left);
  return watch.Seconds();
}

double Team::RunRounds(int rounds, const std::function<void(int, int)>& step) {
  std::atomic<int> arrived = 0;
  double seconds = 0;
  Run([&](int member) {
    Meet(arrived, size());
    const Stopwatch watch;
    for (int round = 0; round < rounds; ++round) {
      step(member, round);
      Meet(arrived, (round + 2) * size());
    }
    if (member == 0) seconds = watch.Seconds();
  });
  return seconds;
}

void WaitFor(const std::atomic<int>& flag, int value) {
  constexpr int kSpins = 2000;
  for (int spins = 0; flag.load(std::memory_order_acquire) < value; ++spins) {
    if (spins > kSpins) std::this_thread::yield();
  }
}

void Meet(std::atomic<int>& arrived, int all) {
  arrived.fetch_add(1, std::memory_order_acq_rel);
  WaitFor(arrived, all);
}

template <class T>
void* Array<T>::Map(std::size_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  return data;
}

template <class T>
void Array<T>::Unmap(void* data, std::size_t bytes) {
  munmap(data, bytes);
}

template <class T>
Shared<T> RandomArray(std::size_t size, std::uint64_t seed) {
  auto array = std::make_shared<Array<T>>(size);
  std::uint64_t state = seed * 2 + 1;
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
    (*array)[i] = static_cast<T>(0.5 + static_cast<double>(state >> 33) * 0x1p-31);
  }
  return array;
}

template class Array<double>;
template class Array<float>;
template class Array<std::int64_t>;
template class Array<char>;
template Shared<double> RandomArray<double>(std::size_t, std::uint64_t);
template Shared<float> RandomArray<float>(std::size_t, std::uint64_t);

std::size_t LargestArray(const Session& session) {
  const int power = session.effort() == Effort::kQuick ? 26 : session.effort() == Effort::kStandard ? 27 : 28;
  std::size_t bytes = std::size_t{1} << power;
  while (static_cast<double>(bytes) * 8 * 4 > session.device().host_memory && bytes > 1 << 20) bytes /= 2;
  return bytes;
}

}  // namespace cpnlint::kernels
