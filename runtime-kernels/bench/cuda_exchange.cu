// All GPUs of the node to all, by NCCL: what sorting and gathering across GPUs wait for.

#include "runtime-kernels/bench/cuda_clique.h"
#include "runtime-kernels/harness/clock.h"

namespace cpnlint::kernels {

#if defined(CPNLINT_NCCL)
namespace {

void ExchangeEvenly(Clique& all, std::size_t bytes) {
  const int count = static_cast<int>(all.communicators.size());
  CheckCode(ncclGroupStart(), "NCCL");
  for (int me = 0; me < count; ++me) {
    for (int other = 0; other < count; ++other) {
      CheckCode(ncclSend(all.from[me]->data() + bytes * other, bytes, ncclChar, other, all.communicators[me],
                         all.streams[me]),
                "NCCL");
      CheckCode(
          ncclRecv(all.to[me]->data() + bytes * other, bytes, ncclChar, other, all.communicators[me], all.streams[me]),
          "NCCL");
    }
  }
  CheckCode(ncclGroupEnd(), "NCCL");
}

// By the clock of the host, which is what waits: `size` bytes from each to each.
Case MakeExchange(int count, std::size_t size) {
  const auto all = std::make_shared<Clique>(count, size * count, size * count);
  Case one;
  one.amount = static_cast<double>(size) * (count - 1);
  one.run = [=](int repeats) {
    const Stopwatch watch;
    for (int i = 0; i < repeats; ++i) ExchangeEvenly(*all, size);
    all->Wait();
    return watch.Seconds();
  };
  return one;
}

}  // namespace

void BenchCudaExchange(Session& session) {
  const int count = session.device().machine.processors_per_node;
  if (count < 2) {
    session.Problem("exchange: one GPU has nobody to exchange with");
    return;
  }
  const auto points = session.Sweep(
      "exchange", {8, 1 << 10, 1 << 14, 1 << 18, 1 << 22},
      [count](std::size_t bytes) { return MakeExchange(count, bytes); }, session.seconds());
  session.Draw(
      RateCurve("all to all by NCCL, " + std::to_string(count) + " GPUs", "B per pair", "B/s per GPU", points));
  if (points.empty()) return;
  const Timing& shortest = points.front().timing;
  session.Report(cost::Parameter::kCollectiveLatency, {shortest.median, shortest.low, shortest.high}, shortest.samples,
                 "NCCL send and receive of 8 B from each of " + std::to_string(count) + " GPUs to each");
}

#else

void BenchCudaExchange(Session& session) { session.Problem("exchange: this program was built without NCCL"); }

#endif

}  // namespace cpnlint::kernels
