#pragma once

// Objects of other libraries that keep what their constructor was given: `NearestNeighbors(n_neighbors=3).n_neighbors`.

#include <vector>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

struct KeptArgument {
  ir::ValueId value;
  ir::ValueId call;  // of the function of the program that made the object; None() where it is made at the place
};

// What the object was given under the name where it was made, or where what is stored in the attribute that holds it
// was made. Empty where that is not seen, or where others make it as often.
[[nodiscard]] std::vector<KeptArgument> KeptArguments(const Facts& facts, Facts::Impl& impl, ir::ValueId object,
                                                      std::string_view name);

}  // namespace cpnlint::analysis
