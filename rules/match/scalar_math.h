#pragma once

// Calls of `math`, `cmath` and their kin with a device value: a function of Python numbers fetches it.

#include <string_view>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

struct ScalarMath {
  std::string_view ufunc;    // "arctan2" of `math.atan2`: what the array library has of it; empty where it has nothing
  bool tested = false;       // some of the number is tested, which waits in any form
  bool has_rewrite = false;  // the function exists, and what becomes of the number can do with an array, or with a test
                             // every few passes
};

// Of a read of HostRead::Kind::kMath.
[[nodiscard]] ScalarMath ScalarMathOf(const analysis::Facts& facts, const analysis::HostRead& read);

// The call walks its argument and needs no single number: `math.fsum`.
[[nodiscard]] bool WalksItsArgument(std::string_view callee);

// An array of more than one element raises: TypeError in NumPy and here.
[[nodiscard]] bool IsSeveral(const analysis::Facts& facts, ir::ValueId value);

}  // namespace cpnlint::rules::match
