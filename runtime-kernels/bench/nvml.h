#pragma once

// What the driver's management library knows, asked without linking it: it is there where a driver is.

#include <string>

namespace cpnlint::kernels {

class Nvml {
 public:
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // All of these are careful guesses where the library is missing: "", false, 0.
  void Choose(const char* pci_bus);  // the GPU that the others ask about
  [[nodiscard]] std::string DriverVersion() const;
  [[nodiscard]] bool IsPartitioned() const;    // MIG
  [[nodiscard]] unsigned BusyPercent() const;  // of the last sampling period
  [[nodiscard]] unsigned Clock() const;        // MHz of the multiprocessors, now
  [[nodiscard]] unsigned HighestClock() const;
  [[nodiscard]] bool HasEcc() const;
  [[nodiscard]] unsigned Temperature() const;

 private:
  template <class... Arguments>
  bool Call(const char* name, Arguments... arguments) const;

  void* library_ = nullptr;
  void* gpu_ = nullptr;
};

}  // namespace cpnlint::kernels
