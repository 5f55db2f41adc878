#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::cost {

// The symbol counts an axis of a part of an array, and no mask decides how much of it: `x[:k].shape[0]`.
[[nodiscard]] bool CountsPart(const analysis::Facts& facts, Symbol symbol, std::uint32_t instance);

}  // namespace cpnlint::cost
