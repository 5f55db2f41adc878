// Copies between all pairs of GPUs, by copy engines and by kernels.

#include <algorithm>
#include <array>

#include "runtime-kernels/bench/cuda_several.h"
#include "runtime-kernels/harness/peers.h"

namespace cpnlint::kernels {
namespace {

constexpr std::uint64_t kMark = 0x5AFE'C0DE;

// What one pair copies: whole words of 8 bytes, of which each knows its sender and its place.
struct Channel {
  Pair pair;
  OnDevice<std::uint64_t> from, to;
};

__global__ void Number(std::uint64_t* data, std::size_t n, std::uint64_t first) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    data[i] = first + i;
  }
}

// By the sender, which writes into the receiver's memory.
__global__ void Push(std::uint64_t* to, const std::uint64_t* from, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    to[i] = from[i];
  }
}

std::uint64_t FirstOf(int gpu) { return (kMark + static_cast<std::uint64_t>(gpu)) << 32; }

unsigned Blocks(std::size_t words) { return std::min(BlocksFor(words), 4096U); }

Channel MakeChannel(const Pair& pair, std::size_t words) {
  Channel channel{pair, ArrayOn<std::uint64_t>(pair.from, words), ArrayOn<std::uint64_t>(pair.to, words)};
  {
    const UseGpu use(pair.from);
    Number<<<Blocks(words), 256>>>(channel.from->data(), words, FirstOf(pair.from));
    Check(cudaGetLastError());
    Check(cudaDeviceSynchronize());
  }
  const UseGpu use(pair.to);
  Check(cudaMemset(channel.to->data(), 0, words * 8));
  Check(cudaDeviceSynchronize());
  return channel;
}

using Copy = void (*)(const Channel& channel, std::size_t words, cudaStream_t stream);

void ByEngine(const Channel& channel, std::size_t words, cudaStream_t stream) {
  Check(cudaMemcpyPeerAsync(channel.to->data(), channel.pair.to, channel.from->data(), channel.pair.from, words * 8,
                            stream));
}

void ByKernel(const Channel& channel, std::size_t words, cudaStream_t stream) {
  Push<<<Blocks(words), 256, 0, stream>>>(channel.to->data(), channel.from->data(), words);
}

Case MakeCopies(std::span<const Pair> pairs, std::size_t bytes, Copy copy) {
  const std::size_t words = std::max<std::size_t>(bytes / 8, 1);
  std::vector<Channel> channels;
  std::vector<Lane> lanes;
  for (const Pair& pair : pairs) {
    channels.push_back(MakeChannel(pair, words));
    lanes.push_back(
        {pair.from, [channel = channels.back(), words, copy](cudaStream_t stream) { copy(channel, words, stream); }});
  }
  Case one = GroupCase(static_cast<double>(words * 8), std::move(lanes));
  one.correct = [channels, words] {
    return std::ranges::all_of(channels, [&](const Channel& channel) {
      const std::uint64_t first = FirstOf(channel.pair.from);
      return channel.to->At(0) == first && channel.to->At(words / 2) == first + words / 2 &&
             channel.to->At(words - 1) == first + words - 1;
    });
  };
  return one;
}

// Who reaches whose memory, asked and enabled once.
class Reach {
 public:
  explicit Reach(int count) : count_(count) {
    for (int from = 0; from < count; ++from) {
      for (int to = 0; to < count; ++to) reaches_.push_back(from == to || EnablePeer(from, to));
    }
  }
  [[nodiscard]] bool operator()(const Pair& pair) const {
    return reaches_[static_cast<std::size_t>(pair.from * count_ + pair.to)];
  }
  [[nodiscard]] bool All() const {
    return std::ranges::all_of(reaches_, [](bool reaches) { return reaches; });
  }

  // Links of different width have different ranks; what a rank is worth, only the timing tells.
  [[nodiscard]] std::string Path(const Pair& pair) const {
    if (!(*this)(pair)) return "through the host";
    int rank = 0;
    if (cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, pair.from, pair.to) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      return "peer to peer";
    }
    return "peer to peer (rank " + std::to_string(rank) + ")";
  }

 private:
  int count_;
  std::vector<bool> reaches_;
};

std::vector<std::size_t> Sizes(const Session& session) {
  if (session.effort() == Effort::kQuick) return {8, 1 << 20, 1 << 24, 1 << 26};
  std::vector<std::size_t> sizes = {8};
  const std::size_t largest = std::min(LargestBytes(session) / 8, std::size_t{256} << 20);
  for (std::size_t bytes = 1 << 10; bytes <= largest; bytes *= 8) sizes.push_back(bytes);
  if (sizes.back() != largest) sizes.push_back(largest);
  return sizes;
}

}  // namespace

void BenchCudaPeers(Session& session) {
  PeerWays ways;
  ways.unit = "GPU";
  ways.count = session.device().machine.processors_per_node;
  ways.sizes = Sizes(session);
  ways.most_pairs = session.effort() == Effort::kQuick ? 64 : 256;
  const auto reach = std::make_shared<Reach>(ways.count);
  ways.path = [reach](const Pair& pair) { return reach->Path(pair); };
  ways.copy = [](std::span<const Pair> pairs, std::size_t bytes) { return MakeCopies(pairs, bytes, &ByEngine); };
  ways.kernel_copy = [reach](std::span<const Pair> pairs, std::size_t bytes) -> std::optional<Case> {
    const bool all = std::ranges::all_of(pairs, [&](const Pair& pair) { return (*reach)(pair); });
    return all ? std::optional(MakeCopies(pairs, bytes, &ByKernel)) : std::nullopt;
  };
  if (!reach->All()) {
    session.Problem(
        "peers: not all GPUs reach one another's memory; copies between those that do not go through the "
        "host, and kernels cannot copy between them");
  }
  MeasurePeers(session, ways);
}

}  // namespace cpnlint::kernels
