// Launches of an empty kernel: one by one and as a graph. The floor of a task under Legate lies far above it and comes
// from the profile or the runtime's probes; these curves show how far.

#include "runtime-kernels/bench/cuda.h"
#include "runtime-kernels/harness/clock.h"

namespace cpnlint::kernels {
namespace {

__global__ void Nothing() {}

Case MakeLaunches(std::size_t count) {
  return EventCase(static_cast<double>(count), [count](cudaStream_t stream) {
    for (std::size_t i = 0; i < count; ++i) Nothing<<<1, 32, 0, stream>>>();
  });
}

// What the host needs to enqueue one.
Case MakeSubmissions(std::size_t count) {
  Case one;
  one.amount = static_cast<double>(count);
  one.run = [count](int repeats) {
    double seconds = 0;
    for (int r = 0; r < repeats; ++r) {
      Check(cudaDeviceSynchronize());
      const Stopwatch watch;
      for (std::size_t i = 0; i < count; ++i) Nothing<<<1, 32>>>();
      seconds += watch.Seconds();
    }
    Check(cudaDeviceSynchronize());
    return seconds;
  };
  return one;
}

struct Graph {
  cudaGraphExec_t exec = nullptr;
  ~Graph() {
    if (exec != nullptr) cudaGraphExecDestroy(exec);
  }
};

Case MakeGraph(std::size_t count) {
  const auto graph = std::make_shared<Graph>();
  cudaStream_t stream = nullptr;
  cudaGraph_t recorded = nullptr;
  Check(cudaStreamCreate(&stream));
  Check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (std::size_t i = 0; i < count; ++i) Nothing<<<1, 32, 0, stream>>>();
  Check(cudaStreamEndCapture(stream, &recorded));
  Check(cudaGraphInstantiate(&graph->exec, recorded, 0));
  Check(cudaGraphDestroy(recorded));
  Check(cudaStreamDestroy(stream));
  return EventCase(static_cast<double>(count), [graph](cudaStream_t on) { Check(cudaGraphLaunch(graph->exec, on)); });
}

}  // namespace

void BenchCudaLaunch(Session& session) {
  const std::vector<std::size_t> counts = {1, 10, 100, 500};
  const double third = session.seconds() / 3;
  const std::pair<const char*, Case (*)(std::size_t)> kinds[] = {{"empty kernels in a stream", &MakeLaunches},
                                                                 {"empty kernels in a graph", &MakeGraph},
                                                                 {"empty kernels submitted", &MakeSubmissions}};
  for (const auto& [name, make] : kinds)
    session.Draw(RateCurve(name, "kernels", "1/s", session.Sweep(name, counts, make, third)));
}

}  // namespace cpnlint::kernels
