#pragma once

// Tests of the array library's version: `parse(np.__version__) < Version("2.0")`, `np.__version__.startswith("1.")`,
// `int(np.__version__.split(".")[0]) >= 2`. cuPyNumeric answers `__version__` with its own (26.6.1 says "26.6.1",
// cupynumeric/_version.py), so every NumPy to date is an older one. Private to analyzer/analysis.

#include <optional>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// What a comparison of the version with a literal gives; nullopt where it is another comparison, or one with a version
// that may be cuPyNumeric's.
[[nodiscard]] std::optional<bool> VersionTest(const Facts::Impl& impl, const ir::Op& compare);
// What `np.__version__.startswith("1.")` gives; nullopt where the call is another one, or the text may begin so.
[[nodiscard]] std::optional<bool> VersionStartsWith(const Facts::Impl& impl, const ir::Op& call);

}  // namespace cpnlint::analysis
