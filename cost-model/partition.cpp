#include "cost-model/partition.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;

constexpr double kLeastLast = 32;  // entries of the last axis that a tile of three dimensions or more keeps

// Orders from which on a factorisation works on several processors (26.07, _solve.py:59, _cholesky.py:337, _qr.py:50).
constexpr double kLeastSolve = 2048, kLeastCholesky = 8192, kLeastQr = 1048576;

Grid Square(double rows, double columns, int pieces) {
  const bool swap = rows > columns;
  if (swap) std::swap(rows, columns);
  const double ideal = std::sqrt(pieces * rows / std::max(1.0, columns));
  int down = std::clamp(static_cast<int>(ideal + 1e-12), 1, pieces), up = down;
  while (pieces % down != 0) --down;
  up = std::clamp(static_cast<int>(std::ceil(ideal - 1e-12)), 1, pieces);
  while (pieces % up != 0) ++up;
  const auto longest = [&](int n) { return std::max(rows / n, columns / (pieces / n)); };
  const int n = longest(down) <= longest(up) ? down : up;
  const Grid grid = {static_cast<double>(n), static_cast<double>(pieces / n)};
  return swap ? Grid{grid[1], grid[0]} : grid;
}

Grid Factors(const std::vector<double>& extents, int pieces) {
  Grid grid(extents.size(), 1.0);
  std::vector<int> primes;
  for (int factor = 2; pieces > 1; ++factor) {
    for (; pieces % factor == 0; pieces /= factor) primes.push_back(factor);
  }
  for (auto prime = primes.rbegin(); prime != primes.rend(); ++prime) {
    std::size_t widest = 0;
    for (std::size_t axis = 1; axis < extents.size(); ++axis) {
      const double tile = extents[axis] / grid[axis];
      if (axis + 1 == extents.size() && tile / *prime < kLeastLast) continue;
      if (tile > extents[widest] / grid[widest]) widest = axis;
    }
    grid[widest] *= *prime;
  }
  return grid;
}

// True where the operation works on one processor whatever the size.
bool OnOne(const Amounts& amounts) {
  const analysis::WorkTask& task = *amounts.task;
  if (task.one_device || task.kind == WorkKind::kElementAccess) return true;
  if (task.kind != WorkKind::kFactorise || amounts.batch > 1) return false;
  const std::string_view name = task.name.substr(task.name.rfind('.') + 1);
  if (name == "solve" || name == "inv") return amounts.n < kLeastSolve;
  if (name == "cholesky") return amounts.n < kLeastCholesky;
  if (name == "qr") return std::max(amounts.m, amounts.n) * amounts.n < kLeastQr;
  return true;  // svd, eig and what is made of them
}

// Kinds that can only be cut along what does not take part: the transforms and matrices of a batch.
bool ByBatch(WorkKind kind) { return kind == WorkKind::kFft || kind == WorkKind::kFactorise; }

}  // namespace

int PerNode(const Layout& layout) {
  const int nodes = std::max(1, layout.nodes);
  return std::max(1, (layout.processors + nodes - 1) / nodes);
}

Grid GridOf(const std::vector<double>& extents, int pieces) {
  if (pieces <= 1 || extents.empty()) return {};
  if (extents.size() == 1) return {std::min(extents[0], static_cast<double>(pieces))};
  if (extents.size() == 2) return Square(extents[0], extents[1], pieces);
  return Factors(extents, pieces);
}

double TileOf(const std::vector<double>& extents, const Grid& grid) {
  double tile = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    tile *= grid.empty() ? extents[axis] : std::ceil(extents[axis] / grid[axis]);
  return tile;
}

Division DivisionOf(const Amounts& amounts, const Machine& machine, const Layout& layout) {
  Division division;
  for (std::size_t i = 0; i < amounts.arrays.size(); ++i) {
    const ArrayUse& use = amounts.arrays[i];
    if (use.extents.empty() || use.replicated) continue;
    const double best = division.key < 0 ? 0 : amounts.arrays[static_cast<std::size_t>(division.key)].elements;
    if (use.elements > best) division.key = static_cast<int>(i);
  }
  if (layout.processors <= 1 || OnOne(amounts) || amounts.elements < static_cast<double>(machine.split))
    return division;
  division.processors = layout.processors;
  if (ByBatch(amounts.task->kind) && amounts.batch > 1) {
    division.processors = static_cast<int>(std::min(amounts.batch, static_cast<double>(layout.processors)));
    division.share = std::ceil(amounts.batch / division.processors) / amounts.batch;
    if (division.key >= 0) {
      division.grid.assign(amounts.arrays[static_cast<std::size_t>(division.key)].extents.size(), 1.0);
      division.grid[0] = division.processors;
    }
    return division;
  }
  division.share = 1.0 / division.processors;
  if (division.key < 0) return division;
  const ArrayUse& key = amounts.arrays[static_cast<std::size_t>(division.key)];
  // A mask or nonzero is only cut along the first axis.
  if (amounts.task->kind == WorkKind::kMaskRead && key.extents.size() > 1) {
    division.grid.assign(key.extents.size(), 1.0);
    division.grid[0] = std::min(key.extents[0], static_cast<double>(layout.processors));
    division.processors = static_cast<int>(division.grid[0]);
  } else {
    division.grid = GridOf(key.extents, layout.processors);
    if (key.extents.size() == 1) division.processors = static_cast<int>(division.grid[0]);
  }
  division.share =
      std::clamp(TileOf(key.extents, division.grid) / std::max(1.0, key.elements), 1.0 / division.processors, 1.0);
  return division;
}

}  // namespace cpnlint::cost
