#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The test comes out as the guard asks where nobody asks for anything else: `if verbose:` of `def run(n, verbose=True)`
// that some known call leaves so, `if self.verbose:` of objects that are made so, and what every known call hands over.
[[nodiscard]] bool IsOnByDefault(const analysis::Facts& facts, const ir::Guard& guard);

}  // namespace cpnlint::rules::match
