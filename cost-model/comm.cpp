// Copies between processors that Legion makes because data lies where another task left it (26.07: aligned slices,
// moved tilings, replicated operands; not NCCL).

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost-model/demand.h"

namespace cpnlint::cost {
namespace {

constexpr double kSmall = 64 << 10;  // bytes per processor below which a copy is all latency

// Rows that a neighbour owns, on one side of one axis.
double Beyond(const std::vector<double>& had, std::size_t axis) { return axis < had.size() ? had[axis] : 0; }

// A small part of the array: its tiles stay as they are.
bool IsPart(const ArrayUse& use) { return use.used * 2 < use.elements; }

}  // namespace

// The parts of a divided array that start elsewhere than what the task is aligned with need rows of the neighbours.
void Placement::Halo(const Amounts& amounts, const Division& division, const ArrayUse& use, Store& store,
                     Terms& terms) const {
  const std::size_t rank = use.extents.size();
  if (division.key < 0 || rank != division.grid.size()) return;  // nothing is divided, or by other axes
  std::vector<double> home(rank, 0.0);
  const auto writer = std::ranges::find_if(
      amounts.arrays, [&](const ArrayUse& other) { return other.written && other.home.size() == rank; });
  if (writer != amounts.arrays.end()) {
    home = writer->home;
  } else if (const ArrayUse& key = amounts.arrays[static_cast<std::size_t>(division.key)]; key.least.size() == rank) {
    home = key.least;
  }
  store.low.resize(rank, 0.0);
  store.high.resize(rank, 0.0);
  double faces[2] = {0, 0}, bytes[2] = {0, 0};  // within a node, between nodes
  bool crosses = layout_.nodes > 1;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (division.grid[axis] <= 1) continue;
    const double tile = std::ceil(use.extents[axis] / division.grid[axis]);
    double face = use.item;
    for (std::size_t other = 0; other < rank; ++other) {
      if (other != axis) face *= std::ceil(use.extents[other] / division.grid[other]);
    }
    const double low = std::min(tile, std::max(0.0, home[axis] - use.least[axis]));
    const double high = std::min(tile, std::max(0.0, use.most[axis] - home[axis]));
    // Tiles are laid out along the first divided axis over the nodes: one of its two faces is another node's.
    bool far = crosses;
    for (const auto& [reach, had] : {std::pair{low, &store.low}, std::pair{high, &store.high}}) {
      if (reach <= Beyond(*had, axis)) continue;
      (*had)[axis] = reach;
      faces[far ? 1 : 0] += 1;
      bytes[far ? 1 : 0] += reach * face;
      if (PerNode(layout_) > 1) far = false;
    }
    crosses = false;
  }
  const auto add = [&](Parameter parameter, double amount) {
    if (amount > 0) terms.push_back({parameter, amount});
  };
  add(Parameter::kCopyLatency, faces[0]);
  add(Parameter::kCopyBandwidth, bytes[0]);
  add(Parameter::kNetworkLatency, faces[1]);
  add(Parameter::kNetworkBandwidth, bytes[1]);
}

void Placement::Read(const Amounts& amounts, const Division& division, const ArrayUse& use, Terms& terms) {
  Store& store = stores_[use.root];
  if (!store.placed) {  // made before the region: it lies where its first reader wants it
    store.placed = true;
    store.processors = division.processors;
    store.grid = division.grid;
    store.everywhere = use.replicated;
    if (division.grid.size() == use.extents.size()) {
      store.low.assign(use.extents.size(), 1e18);
      store.high.assign(use.extents.size(), 1e18);
    }
    return;
  }
  if (store.stale > 0 && division.processors > 1) AddCopies(terms, 1, std::exchange(store.stale, 0), layout_);
  const double bytes = (IsPart(use) ? use.used : use.elements) * use.item;
  const double most = std::max(division.processors, store.processors);
  if (store.everywhere || most <= 1) return;
  if (use.replicated) {
    store.everywhere = true;
    AddBroadcast(terms, bytes, division.processors, layout_);
    return;
  }
  if (store.processors != division.processors && IsPart(use)) {  // a border: the rest stays where it is
    AddCopies(terms, 1, bytes, layout_);
    return;
  }
  if (store.processors != division.processors) {
    // One side is a single processor, or fewer than all: the data goes through it; what is small goes to everyone.
    const double least = std::min(division.processors, store.processors);
    if (least <= 1 && division.processors > 1 && bytes < kSmall * most) {
      AddBroadcast(terms, bytes, division.processors, layout_);
      store.everywhere = true;
    } else {
      AddCopies(terms, most / least, bytes / least * (1 - least / most), layout_);
    }
    store.processors = division.processors;
    store.grid = division.grid;
    return;
  }
  if (use.extents.size() != division.grid.size()) {
    // Broadcast against a larger array: each processor needs the part along its own axes.
    if (store.other == division.grid) return;
    store.other = division.grid;
    AddCopies(terms, 1, bytes / std::sqrt(most), layout_);
    return;
  }
  if (store.grid != division.grid && store.other != division.grid && store.grid.size() == division.grid.size()) {
    double overlap = 1;  // of a tile with the one that the same processor had
    for (std::size_t axis = 0; axis < store.grid.size(); ++axis)
      overlap *= std::min(store.grid[axis], division.grid[axis]) / std::max(store.grid[axis], division.grid[axis]);
    store.other = division.grid;
    AddCopies(terms, most, bytes / most * (1 - overlap), layout_);
    return;
  }
  Halo(amounts, division, use, store, terms);
}

Terms Placement::Run(const Amounts& amounts, const Division& division) {
  Terms terms;
  if (layout_.processors <= 1 || !amounts.task->unpriced.empty()) return terms;
  for (const ArrayUse& use : amounts.arrays) {
    if (use.read && use.root.valid() && use.elements > 1) Read(amounts, division, use, terms);
  }
  for (const ArrayUse& use : amounts.arrays) {
    if (!use.written || !use.root.valid() || use.elements <= 1) continue;
    Store& store = stores_[use.root];
    if (store.placed && IsPart(use) && store.processors != division.processors) {
      store.stale += use.used * use.item;
      continue;
    }
    store.placed = true;
    store.stale = 0;
    store.processors = division.processors;
    store.grid = use.extents.size() == division.grid.size() ? division.grid : GridOf(use.extents, division.processors);
    store.everywhere = false;
    store.other.clear();
    store.low.assign(use.extents.size(), 0.0);
    store.high.assign(use.extents.size(), 0.0);
  }
  return terms;
}

}  // namespace cpnlint::cost
