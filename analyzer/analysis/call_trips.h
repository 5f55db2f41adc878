#pragma once

// How many passes a loop makes for one call of its function: `smooth(u, 2)` here and `smooth(u, 50)` there.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The size with what the call hands over for the function's parameters; a parameter stays of which that is not known.
[[nodiscard]] ir::DimId HandedOverIn(const Facts& facts, ir::DimId size, ir::ValueId call, ir::FunctionId function);

// Passes of a loop whose number is not known where a way of calls leads to `trips` of them (AssumedTrips in work.h).
[[nodiscard]] double AssumedTripsOf(const Facts& facts, ir::LoopId loop, ir::DimId trips, double extent);

}  // namespace cpnlint::analysis
