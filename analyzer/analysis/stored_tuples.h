#pragma once

// Tuples of results that a program keeps: `hist.append((k, u.mean()))`, and later `"%d %g" % hist[-1]`.

#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The values of the device in a tuple: one that is written out, an item of a list that the function appends such tuples
// to, or what a loop walks of it. Empty where that is not known, or where another tuple may have no such value there.
[[nodiscard]] std::vector<ir::ValueId> DeviceParts(const Facts& facts, ir::ValueId tuple);

}  // namespace cpnlint::analysis
