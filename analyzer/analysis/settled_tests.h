#pragma once

// Tests that come out one way with all that a parameter or an attribute is given: by default and by who calls.

#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {

// `if verbose:` of a function that leaves it off by default and that every known call leaves so: `test.holds` is the
// outcome that is asked for.
[[nodiscard]] bool IsSettledByCalls(const Facts& facts, Facts::Impl& impl, const Test& test, ir::FunctionId function,
                                    std::uint32_t param);
// `if self.method == "newton":` where every object is made so, by default or by who makes it.
[[nodiscard]] bool IsSettledByObjects(const Facts& facts, Facts::Impl& impl, const Test& test);

}  // namespace cpnlint::analysis
