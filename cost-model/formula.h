#pragma once

// A region's time in a line that a reader can follow with a pencil.

#include <string>
#include <utility>

#include "cost-model/schedule.h"

namespace cpnlint::cost {

// "about 7·285 us + 48*n bytes / 2.95 TB/s", on one processor.
[[nodiscard]] std::string FormulaOf(const Sizes& sizes, const analysis::Work& work, const Region& region,
                                    const Plan& plan, const Profile& profile);
// "launch-bound below 3.5e7 elements per GPU (n = 5916 on one)": of the widest array, all others grown alike. Empty
// where no size decides.
[[nodiscard]] std::string BreakPointOf(const Sizes& sizes, const Plan& plan, const Profile& profile, double pool);

// "285 us", "1.7 ms", "20 s": three significant digits.
[[nodiscard]] std::string Seconds(double value);

}  // namespace cpnlint::cost
