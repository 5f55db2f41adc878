// Edges of tiles, from all GPUs to all of their neighbours at once.

#include <algorithm>

#include "runtime-kernels/bench/cuda_several.h"
#include "runtime-kernels/harness/halo.h"

namespace cpnlint::kernels {
namespace {

// Each GPU's tile, and the tile beside which it keeps what its neighbours send.
struct Tiles {
  std::vector<OnDevice<char>> own, kept;
};

constexpr char Value(int gpu) { return static_cast<char>(gpu + 1); }

std::shared_ptr<Tiles> MakeTiles(int count, std::size_t bytes) {
  auto tiles = std::make_shared<Tiles>();
  for (int gpu = 0; gpu < count; ++gpu) {
    tiles->own.push_back(ArrayOn<char>(gpu, bytes));
    tiles->kept.push_back(ArrayOn<char>(gpu, bytes));
    const UseGpu use(gpu);
    Check(cudaMemset(tiles->own.back()->data(), Value(gpu), bytes));
    Check(cudaMemset(tiles->kept.back()->data(), 0, bytes));
    Check(cudaDeviceSynchronize());
  }
  return tiles;
}

// Where the neighbour keeps it: at the other end of its tile.
Face Target(const Tile& tile, const HaloCopy& copy) { return FaceOf(tile, copy.axis, !copy.high); }

Lane MakeLane(const std::shared_ptr<Tiles>& tiles, const Tile& tile, const HaloCopy& copy) {
  const Face from = FaceOf(tile, copy.axis, copy.high), to = Target(tile, copy);
  cudaMemcpy3DPeerParms what{};
  what.srcDevice = copy.from;
  what.dstDevice = copy.to;
  what.srcPtr = make_cudaPitchedPtr(tiles->own[copy.from]->data() + from.start, from.pitch, from.pitch, from.runs);
  what.dstPtr = make_cudaPitchedPtr(tiles->kept[copy.to]->data() + to.start, to.pitch, to.pitch, to.runs);
  what.extent = make_cudaExtent(from.width, from.runs, 1);
  return {copy.from, [tiles, what](cudaStream_t stream) { Check(cudaMemcpy3DPeerAsync(&what, stream)); }};
}

// The first and the last byte of the face have come, and nothing beside it.
bool Came(const Tiles& tiles, const Tile& tile, const HaloCopy& copy) {
  const Face face = Target(tile, copy);
  const DeviceArray<char>& kept = *tiles.kept[copy.to];
  const std::size_t last = face.start + (face.runs - 1) * face.pitch + face.width - 1;
  const bool clean = face.pitch <= 2 * face.width || kept.At(face.width) == 0;
  return clean && kept.At(face.start) == Value(copy.from) && kept.At(last) == Value(copy.from);
}

std::optional<Case> MakeHalo(const Tile& tile, const std::vector<HaloCopy>& copies, int count) {
  const auto tiles = MakeTiles(count, tile.Bytes());
  std::vector<Lane> lanes;
  for (const HaloCopy& copy : copies) lanes.push_back(MakeLane(tiles, tile, copy));
  const auto bytes = static_cast<double>(FaceOf(tile, copies.front().axis, false).Bytes());
  Case one = GroupCase(bytes * static_cast<double>(MostCopies(copies)), std::move(lanes));
  // Where faces meet, a corner may have come from either neighbour, so lines alone are looked at.
  const bool line = std::ranges::all_of(copies, [&](const HaloCopy& copy) { return copy.axis == copies.front().axis; });
  if (line) {
    one.correct = [=] {
      return std::ranges::all_of(copies, [&](const HaloCopy& copy) { return Came(*tiles, tile, copy); });
    };
  }
  return one;
}

}  // namespace

void BenchCudaHalo(Session& session) {
  const int count = session.device().machine.processors_per_node;
  int through_host = 0;
  for (const HaloCopy& copy : HaloCopies(LineAlong(0, count))) through_host += EnablePeer(copy.from, copy.to) ? 0 : 1;
  if (through_host > 0) {
    session.Problem("halo: " + std::to_string(through_host) +
                    " of the copies between neighbours go through the host: those GPUs do not reach one another's "
                    "memory");
  }
  MeasureHalo(session, {"GPU", count, LargestBytes(session) / 8,
                        [count](const Tile& tile, const auto& copies) { return MakeHalo(tile, copies, count); }});
}

}  // namespace cpnlint::kernels
