#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/analysis/value.h"
#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// What the parameters from `first` on get where `arguments` are handed over by their place: one value for each
// parameter that takes something, `*rest` all that are left as a tuple.
[[nodiscard]] std::vector<Value> ByParameter(ValueStore& store, const ir::Function& function, std::size_t first,
                                             std::vector<Value> arguments);

}  // namespace cpnlint::analysis
