#pragma once

// Loops that make few passes by what they are, where no number says how many.

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// `for s in sigma`, `for i, s in enumerate(sigma)`: an array or a list that has few items by usage.
[[nodiscard]] bool WalksFewItems(const Facts& facts, ir::ValueId iterable);

// `if len(x) == 3:` around `for item in x`.
[[nodiscard]] std::optional<std::int64_t> ItemsByTests(const Facts& facts, ir::LoopId loop);

// A loop whose passes nothing counts: one that makes figures, walks functions, divides its number on each pass.
[[nodiscard]] bool IsShortByKind(const Facts& facts, Facts::Impl& impl, ir::LoopId loop);
// A loop that a success ends, however many passes it has for that (`most`, where that is known).
[[nodiscard]] bool EndsBySuccess(const Facts& facts, ir::LoopId loop, std::optional<std::int64_t> most);

}  // namespace cpnlint::analysis
