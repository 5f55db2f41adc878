#include <span>
#include <string>
#include <vector>

#include "runtime-kernels/harness/bench.h"

namespace cpnlint::kernels {
const Backend& CudaBackend();
int MeasureBetweenNodes(std::span<const std::string> arguments);
}  // namespace cpnlint::kernels

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (!arguments.empty() && arguments[0] == "between-nodes") {
    return cpnlint::kernels::MeasureBetweenNodes(std::span(arguments).subspan(1));
  }
  return cpnlint::kernels::RunWorker(cpnlint::kernels::CudaBackend(), arguments);
}
