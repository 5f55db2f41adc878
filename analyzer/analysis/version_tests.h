#pragma once

// Tests of the array library's version: `parse(np.__version__) < Version("2.0")`. cuPyNumeric answers `__version__`
// with its own (26.6.1 says "26.6.1", cupynumeric/_version.py), so every NumPy to date is an older one. Private to
// analyzer/analysis.

#include <optional>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// What a comparison of the version with a literal gives; nullopt where it is another comparison, or one with a version
// that may be cuPyNumeric's.
[[nodiscard]] std::optional<bool> VersionTest(const Facts::Impl& impl, const ir::Op& compare);

}  // namespace cpnlint::analysis
