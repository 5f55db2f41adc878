// All GPUs to all, by NCCL, where one receives more than the others.

#include <algorithm>

#include "runtime-kernels/bench/cuda_clique.h"
#include "runtime-kernels/harness/clock.h"
#include "runtime-kernels/harness/skew.h"

namespace cpnlint::kernels {

#if defined(CPNLINT_NCCL)
namespace {

constexpr char Value(int gpu) { return static_cast<char>(gpu + 1); }

void Send(Clique& all, const Exchange& exchange) {
  CheckCode(ncclGroupStart(), "NCCL");
  for (int me = 0; me < exchange.count; ++me) {
    for (int other = 0; other < exchange.count; ++other) {
      CheckCode(ncclSend(all.from[me]->data() + exchange.SendOffset(me, other), exchange.Part(me, other), ncclChar,
                         other, all.communicators[me], all.streams[me]),
                "NCCL");
      CheckCode(ncclRecv(all.to[me]->data() + exchange.ReceiveOffset(other, me), exchange.Part(other, me), ncclChar,
                         other, all.communicators[me], all.streams[me]),
                "NCCL");
    }
  }
  CheckCode(ncclGroupEnd(), "NCCL");
}

// The ends of each part carry their sender's number.
bool Came(const Clique& all, const Exchange& exchange) {
  for (int to = 0; to < exchange.count; ++to) {
    for (int from = 0; from < exchange.count; ++from) {
      const std::size_t bytes = exchange.Part(from, to), start = exchange.ReceiveOffset(from, to);
      if (bytes == 0) continue;
      const DeviceArray<char>& got = *all.to[to];
      if (got.At(start) != Value(from) || got.At(start + bytes - 1) != Value(from)) return false;
    }
  }
  return true;
}

// By the clock of the host, which is what waits.
Case MakeUneven(const Exchange& exchange) {
  std::size_t most = 0;
  for (int to = 0; to < exchange.count; ++to) most = std::max(most, exchange.Received(to));
  const auto all = std::make_shared<Clique>(exchange.count, exchange.Sent(0), most);
  for (int gpu = 0; gpu < exchange.count; ++gpu) {
    const UseGpu use(gpu);
    Check(cudaMemset(all->from[gpu]->data(), Value(gpu), exchange.Sent(gpu)));
    Check(cudaDeviceSynchronize());
  }
  Case one;
  one.amount = static_cast<double>(most);
  one.run = [=](int repeats) {
    const Stopwatch watch;
    for (int i = 0; i < repeats; ++i) Send(*all, exchange);
    all->Wait();
    return watch.Seconds();
  };
  one.correct = [=] { return Came(*all, exchange); };
  return one;
}

}  // namespace

void BenchCudaSkew(Session& session) {
  const std::size_t sent = std::min(LargestBytes(session) / 32, std::size_t{64} << 20);
  MeasureSkew(session, {"GPU", session.device().machine.processors_per_node, sent, &MakeUneven});
}

#else

void BenchCudaSkew(Session& session) { session.Problem("skew: this program was built without NCCL"); }

#endif

}  // namespace cpnlint::kernels
