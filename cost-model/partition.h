#pragma once

// What Legate decides about dividing data (26.07, partition_manager.cc:52-245): whether, into which tiles, and what a
// tile then needs of its neighbours.

#include <vector>

#include "cost-model/amounts.h"

namespace cpnlint::cost {

// Colours per axis; empty: one piece.
using Grid = std::vector<double>;

// How `pieces` tiles are laid over an array: blocks in one dimension, nearly square ones in two, prime factors to the
// largest axis in more, the last axis kept 32 wide.
[[nodiscard]] Grid GridOf(const std::vector<double>& extents, int pieces);
// Elements of the largest tile.
[[nodiscard]] double TileOf(const std::vector<double>& extents, const Grid& grid);

struct Division {
  int processors = 1;  // that work on the task
  Grid grid;           // of `key`
  int key = -1;        // of Amounts::arrays: the array that the others are aligned with; -1: none
  double share = 1;    // of the task's data that the busiest processor has
};
[[nodiscard]] Division DivisionOf(const Amounts& amounts, const Machine& machine, const Layout& layout);

// Processors that one process drives, at most.
[[nodiscard]] int PerNode(const Layout& layout);

}  // namespace cpnlint::cost
