#pragma once

#include <chrono>

namespace cpnlint::kernels {

// Seconds since it was made, on the monotonic clock.
class Stopwatch {
 public:
  [[nodiscard]] double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace cpnlint::kernels
