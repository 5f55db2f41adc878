#pragma once

// Loops that end by a number that each pass moves: `while tries < 5:`, `if i >= 3: break`, `step /= 2`.

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// The most passes that the tests of such a number let the loop make; nullopt where there is none. By usage also with
// what defaults and known callers give to be counted to or down from.
[[nodiscard]] std::optional<std::int64_t> CountedPasses(const Facts& facts, Facts::Impl& impl, ir::LoopId loop,
                                                        Trust trust);
// `while k > 10: ...; k //= 3`, `while n < size: ...; n *= 2`: wherever such a number begins, some passes bring it
// there, hardly ever more than ten or twenty.
[[nodiscard]] bool EndsByScale(const Facts& facts, Facts::Impl& impl, ir::LoopId loop);

}  // namespace cpnlint::analysis
