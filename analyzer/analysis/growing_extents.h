#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `if basis.shape[1] >= limit:`, `if len(lines) >= limit:` where each pass of the loop adds to what is measured, and
// what the test decides begins anew with less: it holds every so many passes, as `i % limit == 0` does.
[[nodiscard]] bool HoldsWhereFull(const Facts& facts, ir::GuardId guard);

}  // namespace cpnlint::analysis
