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

// A tile is needed where the one across the diagonal lies: only those on it stay.
void Placement::Turn(const Division& division, const ArrayUse& use, Store& store, Terms& terms) const {
  if (std::exchange(store.turned, true)) return;
  const double most = division.processors;
  double stays = 1;
  for (const double colours : division.grid) stays = std::min(stays, 1 / std::max(1.0, colours));
  AddCopies(terms, std::max(1.0, std::round(1 / stays)), use.elements * use.item / most * (1 - stays), layout_);
}

// A tile of the product needs the left matrix's rows over all columns and the right one's columns over all rows; of
// both a processor has a tile.
void Placement::Multiply(const Amounts& amounts, const Division& division, const ArrayUse& use, Store& store,
                         Terms& terms) const {
  if (std::exchange(store.multiplied, true)) return;
  const bool left = !amounts.arrays.empty() && &use == &amounts.arrays.front();
  const Grid grid = GridOf(use.extents, division.processors);
  const Grid product = GridOf({amounts.m, amounts.n}, division.processors);
  if (grid.size() < 2 || product.size() < 2) return;
  // Along the axis that is summed it is cut into so many pieces, of which one is there.
  const double pieces = left != use.turned ? grid[grid.size() - 1] : grid[grid.size() - 2];
  const double bytes = use.elements * use.item / product[left ? 0 : 1];
  if (pieces > 1) AddCopies(terms, pieces - 1, bytes * (1 - 1 / pieces), layout_);
}

void Placement::Read(const Amounts& amounts, const Division& division, const ArrayUse& use, Store& store,
                     Terms& terms) {
  if (!store.placed) {  // made before the region: it lies where its first reader wants it
    store.placed = true;
    store.processors = division.processors;
    store.grid = division.grid;
    store.everywhere = use.replicated;
    store.turned = store.multiplied = true;
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
  const bool matrices = amounts.task->kind == analysis::WorkKind::kProduct && amounts.n > 1 && amounts.m > 1;
  if (matrices && !use.written && use.extents.size() >= 2) return Multiply(amounts, division, use, store, terms);
  if (use.turned && use.extents.size() == division.grid.size()) return Turn(division, use, store, terms);
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

void Placement::Take(std::span<const Move> moves) {
  std::vector<Store> taken;
  for (const Move& move : moves) taken.push_back(stores_[move.from]);
  for (std::size_t i = 0; i < moves.size(); ++i) stores_[moves[i].to] = std::move(taken[i]);
}

Terms Placement::Run(const Amounts& amounts, const Division& division, std::span<const ArrayLink> links) {
  Terms terms;
  if (layout_.processors <= 1 || !amounts.task->unpriced.empty()) return terms;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const ArrayUse& use = amounts.arrays[i];
    const bool known = links[i].root != kNoRoot;
    if (use.read && known && use.elements > 1) Read(amounts, division, use, stores_[links[i].root], terms);
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const ArrayUse& use = amounts.arrays[i];
    if (!use.written || links[i].root == kNoRoot || use.elements <= 1) continue;
    Store& store = stores_[links[i].root];
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
    store.turned = store.multiplied = false;
    store.low.assign(use.extents.size(), 0.0);
    store.high.assign(use.extents.size(), 0.0);
  }
  return terms;
}

}  // namespace cpnlint::cost
