#pragma once

// What docstrings say of the shapes of results and attributes. Private to analyzer/analysis.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// Fills `documented_items` and adds what is stored in attributes to `documented_extents`. Docstrings are forgotten when
// the values are known, so this is done right then.
void ReadStatedShapes(Facts::Impl& impl);

}  // namespace cpnlint::analysis
