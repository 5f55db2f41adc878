#pragma once

// What kind of computation an op belongs to (rules.md E.5).

#include <optional>
#include <string_view>
#include <unordered_set>

#include "analyzer/analysis/facts.h"
#include "rules/verdict/evidence.h"

namespace cpnlint::verdict {

// Arrays of which code in loops combines slices shifted against each other by
// constants.
class ShiftedRoots {
 public:
  ShiftedRoots(const analysis::Facts& facts, ir::FunctionId function);
  // The op reads such an array or a slice of it, or its statement takes such slices.
  [[nodiscard]] bool Feeds(ir::ValueId op) const;

 private:
  const analysis::Facts& facts_;
  std::unordered_set<ir::ValueId> roots_;
  std::unordered_set<ir::StatementId> statements_;
};

// Of an op that works on whole device arrays.
[[nodiscard]] Pattern PatternOfArrayWork(const analysis::Facts& facts, ir::ValueId op, const ShiftedRoots& shifted);

// Of a call of another library or of a Python method: nullopt where it says
// nothing.
[[nodiscard]] std::optional<Pattern> PatternOfForeignCall(const analysis::Facts& facts, ir::ValueId call);
// A method that strings have and hardly anything else, called on a string or on what is not known.
// Draws that do nothing but choose items of other arrays, such as the batch of a descent.
[[nodiscard]] bool PicksItems(const analysis::Facts& facts, ir::ValueId draws);

[[nodiscard]] bool IsTextMethod(const analysis::Facts& facts, ir::ValueId call);

// A loop of a search over a graph: `while queue:` with the frontier in a list
// or deque.
[[nodiscard]] bool IsFrontierLoop(const analysis::Facts& facts, ir::LoopId loop);
// `for k in range(indptr[i], indptr[i + 1])`: the rows of a compressed sparse
// matrix.
[[nodiscard]] bool IsSparseRowLoop(const analysis::Facts& facts, ir::LoopId loop);

// Trips read elements that others may have written, at positions that data or draws tell: `acc[recv[p]] += acc[p]`, a
// Metropolis step.
[[nodiscard]] bool DependsOnOrder(const analysis::Facts& facts, ir::LoopId loop);

// Walks an array, and each pass needs the numbers of the one before.
[[nodiscard]] bool IsSeries(const analysis::Facts& facts, ir::LoopId loop);

// A sweep whose slabs are lines, `p[1:-1, j]`: each waits for the one before, and how long they are is not known.
[[nodiscard]] bool IsLineSweep(const analysis::Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::verdict
