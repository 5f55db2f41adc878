#pragma once

// Extents that a function tests before it goes on: `if x.shape != (3, 3): raise`, `assert len(v) <= 5`.

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// How many entries the first (0) or the last axis (-1) of an array or a sequence has at most where a use of it is
// tested so; nullopt where none is. By usage the number may be a default.
[[nodiscard]] std::optional<std::int64_t> CheckedExtent(const Facts& facts, Facts::Impl& impl,
                                                        const std::vector<ir::ValueId>& uses, int axis, Trust trust);

}  // namespace cpnlint::analysis
