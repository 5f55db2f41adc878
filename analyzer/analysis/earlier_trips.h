#pragma once

// Keys that name what earlier trips of a loop wrote.

#include <span>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `i - p` against `i` where a loop inside of `loop` counts p up from 1, and `i - p - 1`.
[[nodiscard]] bool IsBefore(const Facts& facts, ir::LoopId loop, ir::ValueId earlier, ir::ValueId later);

// `i - lag`, `i + lead`, `(i - 1) % n`, `i // 2` against the counter `i` of the loop itself, with what the loop does
// not change: another trip's, unless the lag is zero.
[[nodiscard]] bool IsOfAnotherTrip(const Facts& facts, ir::LoopId loop, ir::ValueId other, ir::ValueId own);

// The value depends on what earlier trips of the loop made, or may: on a variable that they bound, on the state of an
// object that is there for all of them.
[[nodiscard]] bool IsCarriedOn(const Facts& facts, ir::ValueId value, ir::LoopId loop);

// The counter of a loop inside of `loop` that runs up to where this one is: `for j in range(i)`.
[[nodiscard]] bool CountsUpTo(const Facts& facts, ir::LoopId loop, ir::ValueId key);

// Where the key may stand: `i - 1` and `i + 1` of `im = i - 1 if forward else i + 1`, and of `i - d` where d is 1 or
// -1. Invalid ids for places that nobody knows.
[[nodiscard]] std::vector<ir::DimId> PositionsOf(const Facts& facts, ir::ValueId key);

struct KeyedAccess {
  ir::ValueId op;  // Subscript or StoreSubscript of one element
  std::span<const ir::ValueId> keys;
};

// A trip of `loop` reads the element that an earlier one wrote: `y[i - 1]` where `y[i]` is written. Two accesses of one
// array with as many keys each. Not `y[i + 1]` as the loop counts up, not another diagonal of a matrix, and not
// what is only added to, `k[e, e] += 1; k[e + 1, e + 1] += 1`: sums may be made in any order.
[[nodiscard]] bool ReadsWhatWasWritten(const Facts& facts, ir::LoopId loop, const KeyedAccess& write,
                                       const KeyedAccess& read);

// Two accesses of one array never meet, or only in one trip: `x[i, 1]` and `x[i, j]`, `x[i]` and `x[i, mask]`, `x[0]`
// and `x[1]`. What follows an ellipsis, a new axis or a mask is not looked at.
[[nodiscard]] bool AreApart(const Facts& facts, ir::LoopId loop, ir::ValueId access, ir::ValueId other);

}  // namespace cpnlint::analysis
