#include "runtime-kernels/bench/nvml.h"

#include <dlfcn.h>

#include <array>

namespace cpnlint::kernels {
namespace {

constexpr unsigned kGraphicsProcessors = 1;  // NVML_CLOCK_SM

struct Utilization {
  unsigned gpu = 0, memory = 0;
};

}  // namespace

// False where the library, the function or the answer is missing.
template <class... Arguments>
bool Nvml::Call(const char* name, Arguments... arguments) const {
  if (library_ == nullptr) return false;
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
  return function != nullptr && function(arguments...) == 0;
}

Nvml::Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
  if (library_ == nullptr || Call("nvmlInit_v2")) return;
  dlclose(library_);
  library_ = nullptr;
}

Nvml::~Nvml() {
  Call("nvmlShutdown");
  if (library_ != nullptr) dlclose(library_);
}

void Nvml::Choose(const char* pci_bus) {
  void* gpu = nullptr;
  gpu_ = Call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus, &gpu) ? gpu : nullptr;
}

std::string Nvml::DriverVersion() const {
  std::array<char, 96> text{};
  return Call("nvmlSystemGetDriverVersion", text.data(), static_cast<unsigned>(text.size())) ? text.data() : "";
}

bool Nvml::IsPartitioned() const {
  unsigned current = 0, pending = 0;
  return gpu_ != nullptr && Call("nvmlDeviceGetMigMode", gpu_, &current, &pending) && current == 1;
}

unsigned Nvml::BusyPercent() const {
  Utilization busy;
  return gpu_ != nullptr && Call("nvmlDeviceGetUtilizationRates", gpu_, &busy) ? busy.gpu : 0;
}

unsigned Nvml::Clock() const {
  unsigned clock = 0;
  return gpu_ != nullptr && Call("nvmlDeviceGetClockInfo", gpu_, kGraphicsProcessors, &clock) ? clock : 0;
}

unsigned Nvml::HighestClock() const {
  unsigned clock = 0;
  return gpu_ != nullptr && Call("nvmlDeviceGetMaxClockInfo", gpu_, kGraphicsProcessors, &clock) ? clock : 0;
}

bool Nvml::HasEcc() const {
  unsigned current = 0, pending = 0;
  return gpu_ != nullptr && Call("nvmlDeviceGetEccMode", gpu_, &current, &pending) && current == 1;
}

unsigned Nvml::Temperature() const {
  unsigned degrees = 0;
  return gpu_ != nullptr && Call("nvmlDeviceGetTemperature", gpu_, 0U, &degrees) ? degrees : 0;
}

}  // namespace cpnlint::kernels
