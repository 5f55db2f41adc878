#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// How many axes an array has at least where the op `site` uses it, by the keys that it is read with there and by what
// it is made of: three of `stress[:, 0, 1]` and of `places[:, :, np.newaxis]`. 0 where nothing says so.
[[nodiscard]] int LeastRank(const Facts& facts, ir::ValueId array, ir::ValueId site);
// A parameter that some call of the program hands a stack of matrices, and none a single one; or made of such a one.
// The matrix is a stack of them where one branch binds it, and no plain matrix where another does:
// `w = w0 if w0 is not None else np.tile(np.eye(n), [m, 1, 1])`.
[[nodiscard]] bool IsStackOnOneWay(const Facts& facts, ir::ValueId matrix);
// No proof: others may call.
[[nodiscard]] bool IsStackByCallers(const Facts& facts, ir::ValueId matrix);
// A parameter that some call of the program hands an array of two axes or more, and none one of fewer.
[[nodiscard]] bool HasRowsByCallers(const Facts& facts, ir::ValueId array);

}  // namespace cpnlint::analysis
