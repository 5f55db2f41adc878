#pragma once

// The storages of a region as small numbers, and what its variables hold from one pass of a loop to the next.

#include <cstdint>
#include <vector>

#include "cost-model/model.h"

namespace cpnlint::cost {

// `u, v = v, u`: with the next pass `to` is what `from` was.
struct Move {
  std::uint32_t to = 0, from = 0;

  bool operator==(const Move&) const = default;
};

inline constexpr std::uint32_t kNoRoot = 0xffff'ffff;  // a storage that cannot be told from others

// An array of a task in a plan.
struct ArrayLink {
  std::uint32_t root = kNoRoot;
  bool read = false;     // what a task of the plan writes
  bool written = false;  // and a task of the plan reads
};

struct Links {
  struct Link {
    ir::ValueId root;  // as operands have it
    std::uint32_t storage = 0;
  };
  std::vector<Link> links;           // of the operands of the tasks whose root is known
  std::vector<std::uint32_t> first;  // of `links`, by task; one more at the end
  std::uint32_t storages = 0;
  // Moves are made together, when a loop is entered and after each of its passes.
  struct Loop {
    std::vector<Move> enter, pass;
  };
  std::vector<Loop> loops;  // in the order in which the region comes to them
  std::vector<Move> pass;   // after a pass of the region
};

// The tasks are counted as they stand in the region's steps.
[[nodiscard]] Links LinksOf(const analysis::Facts& facts, const analysis::Work& work, const Region& region);

}  // namespace cpnlint::cost
