#pragma once

// What is done with the items that a loop takes out of arrays: whether the host needs them, whether a list would do.

#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// One of the arrays that a loop walks, alone or by `zip` and the like.
struct WalkedArray {
  ir::ValueId array;
  Span words;
  std::vector<ir::ValueId> items;  // the names that its item goes by
};
[[nodiscard]] std::vector<WalkedArray> WalkedArrays(const analysis::Facts& facts, ir::LoopId loop);

// Python waits for the item, or for a number computed from it: a list index, a bound of a slice, a test, a conversion.
[[nodiscard]] bool MeetsHost(const analysis::Facts& facts, const WalkedArray& walked);
// ... and nothing else is done with it.
[[nodiscard]] bool ServesHostAlone(const analysis::Facts& facts, const WalkedArray& walked);
// Items that are arrays are taken apart into numbers, as lists can be: walked, unpacked, indexed by one integer.
[[nodiscard]] bool IsTakenApart(const analysis::Facts& facts, const WalkedArray& walked);

}  // namespace cpnlint::rules::match
