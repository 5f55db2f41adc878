#include "runtime-kernels/harness/halo.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "runtime-kernels/harness/pairs.h"

namespace cpnlint::kernels {
namespace {

constexpr double kLittleLost = 0.9;

std::size_t Power(std::size_t base, int exponent) {
  std::size_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

// The largest whole number whose power is at most `value`; 1 at least.
std::size_t Root(std::size_t value, int exponent) {
  if (exponent <= 1) return std::max<std::size_t>(value, 1);
  auto root = static_cast<std::size_t>(std::pow(static_cast<double>(value), 1.0 / exponent)) + 1;
  while (root > 1 && Power(root, exponent) > value) --root;
  return root;
}

std::vector<std::size_t> FaceSizes() {
  return {std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 18, std::size_t{1} << 22, std::size_t{1} << 24};
}

struct Along {
  int axes = 1, axis = 0;
  std::vector<SweepPoint> points;
};

std::vector<SweepPoint> SweepFaces(Session& session, const HaloWays& ways, int axes, const Grid& grid,
                                   const std::string& name, double seconds) {
  const std::vector<HaloCopy> copies = HaloCopies(grid);
  auto points = session.Sweep(
      name, FaceSizes(),
      [&](std::size_t bytes) -> std::optional<Case> {
        const auto tile = TileWithFaces(axes, bytes, ways.most);
        return tile ? ways.make(*tile, copies) : std::nullopt;
      },
      seconds);
  if (!points.empty()) session.Draw(RateCurve(name, "B per face", std::string("B/s per ") + ways.unit, points));
  return points;
}

// What the rates keep of those at the same sizes of the contiguous faces, over the larger half of the sizes.
double Efficiency(std::span<const SweepPoint> pieces, std::span<const SweepPoint> whole) {
  std::vector<double> shares;
  for (const SweepPoint& point : LastOf(pieces, (pieces.size() + 1) / 2)) {
    const auto same = std::ranges::find(whole, point.size, &SweepPoint::size);
    const double rate = RateOf(point).value;
    if (same != whole.end() && rate > 0) shares.push_back(rate / RateOf(*same).value);
  }
  return Median(std::move(shares));
}

}  // namespace

Face FaceOf(const Tile& tile, int axis, bool high) {
  const auto at = static_cast<std::size_t>(axis);
  std::size_t inner = kItem;  // bytes of one layer within one run
  for (std::size_t i = at + 1; i < kMostAxes; ++i) inner *= tile.extents[i];
  Face face;
  for (std::size_t i = 0; i < at; ++i) face.runs *= tile.extents[i];
  face.pitch = inner * tile.extents[at];
  face.width = inner * tile.thickness;
  face.start = high ? face.pitch - face.width : 0;
  return face;
}

std::optional<Tile> TileWithFaces(int axes, std::size_t face, std::size_t most) {
  Tile tile;
  tile.axes = axes;
  const std::size_t wanted = std::max<std::size_t>(face / kItem, 1);
  if (axes <= 1) {
    tile.thickness = wanted;
    tile.extents[0] = 4 * wanted;
    return tile.Bytes() <= most ? std::optional(tile) : std::nullopt;
  }
  const std::size_t side = std::min(Root(wanted, axes - 1), Root(most / kItem, axes));
  for (int axis = 0; axis < axes; ++axis) tile.extents[static_cast<std::size_t>(axis)] = side;
  tile.thickness = std::max<std::size_t>(wanted / Power(side, axes - 1), 1);
  if (tile.thickness * 2 > side) return std::nullopt;
  return tile;
}

Grid LineAlong(int axis, int count) {
  Grid grid = {1, 1, 1};
  grid[static_cast<std::size_t>(axis)] = count;
  return grid;
}

Grid NearEqual(int axes, int count) {
  Grid best = LineAlong(0, count);
  for (int second = 1; axes > 1 && second <= count; ++second) {
    if (count % second != 0) continue;
    for (int third = 1; third <= (axes > 2 ? second : 1); ++third) {
      const int first = count / second / third;
      if (count / second % third != 0 || first < second) continue;
      if (first < best[0] || (first == best[0] && second < best[1])) best = {first, second, third};
    }
  }
  return best;
}

std::vector<HaloCopy> HaloCopies(const Grid& grid) {
  std::vector<HaloCopy> copies;
  const int count = grid[0] * grid[1] * grid[2];
  const Grid steps = {grid[1] * grid[2], grid[2], 1};
  for (int from = 0; from < count; ++from) {
    for (int axis = 0; axis < kMostAxes; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      const int place = from / steps[at] % grid[at];
      if (place > 0) copies.push_back({from, from - steps[at], axis, false});
      if (place + 1 < grid[at]) copies.push_back({from, from + steps[at], axis, true});
    }
  }
  return copies;
}

std::size_t MostCopies(const std::vector<HaloCopy>& copies) {
  std::size_t most = 0;
  for (const HaloCopy& one : copies) {
    most = std::max(
        most, static_cast<std::size_t>(std::ranges::count(copies, one.from, [](const auto& c) { return c.from; })));
  }
  return most;
}

void MeasureHalo(Session& session, const HaloWays& ways) {
  const std::string unit = ways.unit;
  if (ways.count < 2) {
    session.Problem("halo: one " + unit + " has no neighbours; edges need two " + unit + "s");
    return;
  }
  const double share = session.seconds() / 8;
  std::vector<Along> lines;
  for (int axes = 1; axes <= kMostAxes; ++axes) {
    for (int axis = 0; axis < axes; ++axis) {
      const std::string name =
          "edges, " + std::to_string(axes) + "-D, tiles in a line along axis " + std::to_string(axis);
      lines.push_back({axes, axis, SweepFaces(session, ways, axes, LineAlong(axis, ways.count), name, share)});
    }
    const Grid grid = NearEqual(axes, ways.count);
    if (axes == 1 || grid[1] == 1) continue;  // a line, as above
    const std::string shape = std::to_string(grid[0]) + " x " + std::to_string(grid[1]) +
                              (axes > 2 ? " x " + std::to_string(grid[2]) : std::string());
    static_cast<void>(SweepFaces(session, ways, axes, grid, "edges, " + shape + " tiles", share));
  }
  for (const Along& line : lines) {
    if (line.axis == 0) continue;
    const auto whole =
        std::ranges::find_if(lines, [&](const Along& other) { return other.axes == line.axes && other.axis == 0; });
    const double kept = Efficiency(line.points, whole->points);
    if (kept <= 0 || kept >= kLittleLost) continue;
    session.Problem("halo: edges along axis " + std::to_string(line.axis) + " of " + std::to_string(line.axes) +
                    "-D arrays lie in pieces and keep " + Percent(kept) +
                    " of the rate of contiguous ones; the model counts all edges as contiguous");
  }
}

}  // namespace cpnlint::kernels
