#include <string>
#include <vector>

#include "runtime-kernels/harness/bench.h"

namespace cpnlint::kernels {
const Backend& CudaBackend();
}

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return cpnlint::kernels::RunWorker(cpnlint::kernels::CudaBackend(), arguments);
}
