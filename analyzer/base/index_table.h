#pragma once

// A hash table for things that stand in a table of their own: nodes, sequences, values.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace cpnlint {

inline std::uint64_t Mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdULL;
}

// Open addressing over indices into a table that the caller keeps; `equal` compares a stored index with the candidate.
class IndexTable {
 public:
  template <class Equal>
  std::uint32_t Find(std::uint64_t hash, const Equal& equal) const {
    if (slots_.empty()) return kFree;
    const auto wanted = static_cast<std::uint32_t>(hash);
    for (std::size_t i = wanted & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].index == kFree) return kFree;
      if (slots_[i].hash == wanted && equal(slots_[i].index)) return slots_[i].index;
    }
  }
  void Insert(std::uint64_t hash, std::uint32_t index) {
    if (3 * (count_ + 1) > 2 * slots_.size()) Grow();
    Place({static_cast<std::uint32_t>(hash), index});
    ++count_;
  }

  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();

 private:
  struct Slot {
    std::uint32_t hash = 0;  // half of it: one in four billion pairs is compared in vain
    std::uint32_t index = kFree;
  };

  void Place(Slot slot) {
    std::size_t i = slot.hash & (slots_.size() - 1);
    while (slots_[i].index != kFree) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
  void Grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index != kFree) Place(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace cpnlint
