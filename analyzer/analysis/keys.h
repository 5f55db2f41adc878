#pragma once

// Keys of subscripts.

#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The key as it selects: `*slices` is any number of keys, `np.arange(n)` whole numbers whatever `n` is.
[[nodiscard]] Value SelectingKey(const Facts::Impl& impl, ir::ValueId key);

// `np.ix_(rows, columns)` as a key: its parts are whole numbers, whatever it is made of.
[[nodiscard]] bool MakesOpenMesh(const Facts::Impl& impl, ir::ValueId key);
[[nodiscard]] Value MeshAsKey(ValueStore& store, const Value& mesh);

// One position of an axis.
[[nodiscard]] bool IsOnePosition(const Facts& facts, ir::ValueId key);
// `a[i]` of `a[i][j]`: nothing but the way to the elements.
[[nodiscard]] bool LeadsOn(const Facts& facts, ir::ValueId subscript);

struct Selected {
  ir::ValueId array;
  std::vector<ir::ValueId> keys;
};
// `a[i][j]` selects of `a` what `a[i, j]` does; links made outside of the loop are followed no further.
[[nodiscard]] Selected SelectedBy(const Facts& facts, ir::ValueId access, ir::LoopId loop);

}  // namespace cpnlint::analysis
