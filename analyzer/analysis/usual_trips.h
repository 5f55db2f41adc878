#pragma once

// How many passes a loop makes where nobody asks for more.

#include <cstdint>
#include <optional>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// The most that `range(self.order)` counts to, by the constants that are assigned to the attribute, handed over for a
// parameter, or stand as its default. No proof: others may ask for more. nullopt where a count comes from anywhere
// else.
[[nodiscard]] std::optional<std::int64_t> UsualTrips(const Facts& facts, Facts::Impl& impl, ir::LoopId loop);

}  // namespace cpnlint::analysis
