#pragma once

// How many elements arrays have whose length data decides, or that are of one size here and of another there.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// What a mask or `np.nonzero` selects is taken for half of what there is to select from, a slice of unknown bounds for
// all of it, a parameter for the largest array that a call hands over. What is made of such arrays, also in a function
// that is given one, is as long as they are. None() where the source does not tell.
class DataLengths {
 public:
  explicit DataLengths(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  [[nodiscard]] ir::DimId Of(ir::ValueId array);
  // Of what a mask covers: of `u[i, mask]` a row.
  [[nodiscard]] ir::DimId Covered(ir::ValueId subscript);

 private:
  [[nodiscard]] ir::DimId Find(ir::ValueId array);
  [[nodiscard]] ir::DimId OfSubscript(ir::ValueId op);
  [[nodiscard]] ir::DimId OfCall(ir::ValueId op);
  [[nodiscard]] ir::DimId OfProduct(ir::ValueId op);
  [[nodiscard]] ir::DimId OfJoined(ir::ValueId pieces);
  [[nodiscard]] ir::DimId OfParam(ir::ValueId param);
  [[nodiscard]] ir::DimId LargestOf(ir::ValueId made, std::span<const ir::ValueId> arrays);
  [[nodiscard]] ir::DimId Half(ir::DimId elements);

  const Facts& facts_;
  const ir::Program& program_;
  std::unordered_map<ir::ValueId, ir::DimId> known_;
  int depth_ = 0;
};

}  // namespace cpnlint::analysis
