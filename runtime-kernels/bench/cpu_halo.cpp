// Edges of tiles, which all threads fetch from their neighbours at once.

#include <algorithm>
#include <cstring>

#include "runtime-kernels/bench/cpu.h"
#include "runtime-kernels/harness/halo.h"

namespace cpnlint::kernels {
namespace {

constexpr char Value(int member) { return static_cast<char>(member % 100 + 1); }

struct Tiles {
  std::vector<Shared<char>> own, kept;  // each thread's tile, and where it keeps what its neighbours have
};

std::shared_ptr<Tiles> MakeTiles(int count, std::size_t bytes) {
  auto tiles = std::make_shared<Tiles>();
  for (int member = 0; member < count; ++member) {
    tiles->own.push_back(std::make_shared<Array<char>>(bytes));
    tiles->kept.push_back(std::make_shared<Array<char>>(bytes));
    std::memset(tiles->own.back()->data(), Value(member), bytes);
  }
  return tiles;
}

struct Fetch {
  const char* from = nullptr;
  char* to = nullptr;
  Face face;

  void operator()() const {
    for (std::size_t run = 0; run < face.runs; ++run) {
      std::memcpy(to + run * face.pitch, from + run * face.pitch, face.width);
    }
  }
};

std::optional<Case> MakeHalo(const std::shared_ptr<Team>& team, const Tile& tile, const std::vector<HaloCopy>& copies) {
  const auto tiles = MakeTiles(team->size(), tile.Bytes());
  std::vector<std::vector<Fetch>> fetches(static_cast<std::size_t>(team->size()));
  for (const HaloCopy& copy : copies) {
    const auto to = static_cast<std::size_t>(copy.to);
    const Face face = FaceOf(tile, copy.axis, copy.high);
    // At the other end of the receiver's tile.
    const std::size_t target = FaceOf(tile, copy.axis, !copy.high).start;
    fetches[to].push_back(
        {tiles->own[static_cast<std::size_t>(copy.from)]->data() + face.start, tiles->kept[to]->data() + target, face});
  }
  Case one;
  one.amount = static_cast<double>(MostCopies(copies) * FaceOf(tile, copies.front().axis, false).Bytes());
  one.run = [=](int repeats) {
    return team->RunRounds(repeats, [&](int member, int) {
      for (const Fetch& fetch : fetches[static_cast<std::size_t>(member)]) fetch();
    });
  };
  // Where faces meet, a corner may come from either neighbour, so lines alone are looked at.
  const bool line = std::ranges::all_of(copies, [&](const HaloCopy& copy) { return copy.axis == copies.front().axis; });
  if (!line) return one;
  one.correct = [tiles, fetches, copies] {
    return std::ranges::all_of(copies, [&](const HaloCopy& copy) {
      return std::ranges::any_of(fetches[static_cast<std::size_t>(copy.to)], [&](const Fetch& fetch) {
        const std::size_t last = (fetch.face.runs - 1) * fetch.face.pitch + fetch.face.width - 1;
        return fetch.to[0] == Value(copy.from) && fetch.to[last] == Value(copy.from);
      });
    });
  };
  return one;
}

}  // namespace

void BenchCpuHalo(Session& session) {
  const auto team = std::make_shared<Team>(AllowedProcessors());
  std::size_t most = LargestArray(session) / 4;
  while (static_cast<double>(most) * 64 * team->size() > session.device().host_memory && most > 1 << 20) most /= 2;
  MeasureHalo(session, {"core", team->size(), most, [team](const Tile& tile, const std::vector<HaloCopy>& copies) {
                          return MakeHalo(team, tile, copies);
                        }});
}

}  // namespace cpnlint::kernels
