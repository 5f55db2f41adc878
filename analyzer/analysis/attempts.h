#pragma once

// Loops that try until an attempt succeeds.

#include <cstdint>
#include <optional>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `for attempt in range(10): g = fit(u); if g is not None: break; u = 0.9 * u`, `while True: try: x = solve(a); break;
// except LinAlgError: a += shift`: another pass begins only where the attempt of this one has failed, so one pass or a
// few do. `most`: how many passes the loop makes at most, or as a rule. A search through items is no such loop: `for
// part in parts: found = look(part); if found is not None: break`.
[[nodiscard]] bool TriesUntilItWorks(const Facts& facts, ir::LoopId loop, std::optional<std::int64_t> most);

}  // namespace cpnlint::analysis
