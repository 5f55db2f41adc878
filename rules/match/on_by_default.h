#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The test comes out as the guard asks where nobody asks for anything else: `if verbose:` of `def run(n,
// verbose=True)`, `if self.verbose:` of objects that are made with `verbose=True` by default. Every known call leaves
// it so, or hands over what lets it through as well.
[[nodiscard]] bool IsOnByDefault(const analysis::Facts& facts, const ir::Guard& guard);

}  // namespace cpnlint::rules::match
