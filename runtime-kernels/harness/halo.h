#pragma once

// Edges that neighbours give one another: which processors are neighbours, what the faces of a tile look like in
// memory, and how much slower the faces are that lie there in pieces.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "runtime-kernels/harness/bench.h"

namespace cpnlint::kernels {

inline constexpr int kMostAxes = 3;
inline constexpr std::size_t kItem = 8;  // bytes of an element: float64

// The part of an array that one processor has, row-major. Axes from `axes` on have extent 1.
struct Tile {
  int axes = 1;
  std::array<std::size_t, kMostAxes> extents = {1, 1, 1};
  std::size_t thickness = 1;  // layers that a neighbour needs

  [[nodiscard]] std::size_t Bytes() const { return kItem * extents[0] * extents[1] * extents[2]; }
};

// A face in memory: `runs` pieces of `width` bytes, `pitch` bytes from one to the next.
struct Face {
  std::size_t start = 0, width = 0, runs = 1, pitch = 0;

  [[nodiscard]] std::size_t Bytes() const { return width * runs; }
};
// The layers at the low or the high end of an axis.
[[nodiscard]] Face FaceOf(const Tile& tile, int axis, bool high);

// A tile of equal sides whose faces have about `face` bytes; more layers where the tile would have more than `most`
// bytes. nullopt: that would be more than half of the tile.
[[nodiscard]] std::optional<Tile> TileWithFaces(int axes, std::size_t face, std::size_t most);

using Grid = std::array<int, kMostAxes>;  // processors along each axis
[[nodiscard]] Grid LineAlong(int axis, int count);
// As near to equal as whole numbers go, the larger first.
[[nodiscard]] Grid NearEqual(int axes, int count);

// From a face of one tile to where its neighbour keeps a copy. Tiles at the border of the array have no neighbour
// there.
struct HaloCopy {
  int from = 0, to = 0, axis = 0;
  bool high = false;  // which end of the sender's tile
};
[[nodiscard]] std::vector<HaloCopy> HaloCopies(const Grid& grid);
// Of the processor that sends most.
[[nodiscard]] std::size_t MostCopies(const std::vector<HaloCopy>& copies);

// All of these copies at once; the amount of a run is the bytes that the busiest processor sends.
using HaloCase = std::function<std::optional<Case>(const Tile& tile, const std::vector<HaloCopy>& copies)>;

struct HaloWays {
  const char* unit;  // "GPU", "core"
  int count = 0;
  std::size_t most = 0;  // bytes of a tile
  HaloCase make;
};
// Curves over the size of a face, for lines of processors along each axis of 1, 2 and 3 dimensions and for grids, and
// a note on what faces in pieces keep of the rate of contiguous ones.
void MeasureHalo(Session& session, const HaloWays& ways);

}  // namespace cpnlint::kernels
