#pragma once

// What the program puts into the slots of its dictionaries and lists: of `rows["a"]` behind `rows = {"a": x[x > 0]}`
// the masked read.

#include <optional>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// All that the slot which the subscript reads may hold; nullopt where something may come from elsewhere.
[[nodiscard]] std::optional<std::vector<ir::ValueId>> SlotValues(const Facts& facts, ir::ValueId read);

}  // namespace cpnlint::analysis
