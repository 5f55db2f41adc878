#pragma once

// How many elements arrays have whose length data decides, or that are of one size here and of another there.

#include <unordered_map>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `np.bincount(x, minlength=n)` is longer than n only where a number in `x` is that large; None() for other calls.
[[nodiscard]] ir::DimId UsualCount(const Facts& facts, ir::ValueId call);

// What a mask or `np.nonzero` selects is taken for half of what there is to select from, a slice of unknown bounds for
// all of it, a parameter for the largest array that a call hands over. What is made of such arrays, also in a function
// that is given one, is as long as they are, and so
// is what has other axes for the same elements: `x.reshape(-1, 2, 1 << i)`. None() where the source does not tell.
class DataLengths {
 public:
  explicit DataLengths(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  [[nodiscard]] ir::DimId Of(ir::ValueId array);
  // Of what a mask covers: of `u[i, mask]` a row.
  [[nodiscard]] ir::DimId Covered(ir::ValueId subscript);
  // Of what a loop walks, where data decides how many items that has: such a vector, the positions that `np.nonzero`
  // gives, a list or an iterator that is made of one item after the other. None() for others.
  [[nodiscard]] ir::DimId OfWalked(ir::ValueId iterable);

 private:
  [[nodiscard]] ir::DimId OfCollected(ir::ValueId list);
  [[nodiscard]] ir::DimId OfGathered(ir::ValueId op);
  [[nodiscard]] ir::DimId LargestPositions(ir::ValueId op);
  [[nodiscard]] ir::DimId Find(ir::ValueId array);
  [[nodiscard]] ir::DimId OfSubscript(ir::ValueId op);
  [[nodiscard]] ir::DimId OfView(ir::ValueId op, ir::ValueId base);
  [[nodiscard]] ir::DimId OfCall(ir::ValueId op);
  [[nodiscard]] ir::DimId OfProduct(ir::ValueId op);
  [[nodiscard]] ir::DimId OfJoined(ir::ValueId pieces);
  [[nodiscard]] ir::DimId OfParam(ir::ValueId param);
  [[nodiscard]] bool HasNames(ir::DimId size) const;
  [[nodiscard]] ir::DimId LargestOf(ir::ValueId made, std::span<const ir::ValueId> arrays);
  [[nodiscard]] ir::DimId OfNumbers(ir::ValueId list) const;
  [[nodiscard]] ir::DimId PassesSince(ir::ValueId op, ir::ValueId before) const;
  [[nodiscard]] ir::DimId Half(ir::DimId elements);

  const Facts& facts_;
  const ir::Program& program_;
  std::unordered_map<ir::ValueId, ir::DimId> known_;
  int depth_ = 0;
  int walked_ = 0;  // from what a loop walks to what it is made of: functions may call themselves
};

// What makes arrays whose length nobody knows before it is asked for, on the host (rules.md R114): reads through masks,
// `np.nonzero`, `np.unique`. What is computed from one has a length that is known by then (26.07 looks at the operands'
// shapes first; executed).
class Selections {
 public:
  explicit Selections(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  // The ops of this function that give the array or views of it: a selection, a call or a parameter that hands one on,
  // what an attribute holds.
  [[nodiscard]] std::vector<ir::ValueId> Behind(ir::ValueId array);

 private:
  [[nodiscard]] bool IsOne(ir::ValueId op);
  [[nodiscard]] bool CallGivesOne(ir::ValueId call);
  [[nodiscard]] bool IsHandedOne(ir::ValueId param);

  const Facts& facts_;
  const ir::Program& program_;
  std::unordered_map<ir::ValueId, bool> known_;
};

}  // namespace cpnlint::analysis
