#pragma once

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// What is walked or unpacked is no number: `for angle in np.deg2rad(angles)` walks an array, whatever is known of
// `angles`. `value` is what is known of it otherwise.
[[nodiscard]] Value AsWalked(const Facts::Impl& impl, ir::ValueId walked, const Value& value);

}  // namespace cpnlint::analysis
