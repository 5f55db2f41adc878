#pragma once

// Lists that a function writes out, and makes longer by a few items that it writes out as well.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The most items that `names = ["x"]`, `if wide: names.extend(["y", "z"])` has, wherever it is read; nullopt where
// other code may make it longer.
[[nodiscard]] std::optional<std::int64_t> WrittenItems(const Facts& facts, ir::ValueId list);
// ... that a loop walks: `for i, name in enumerate(names)`, `zip(names, units)`.
[[nodiscard]] std::optional<std::int64_t> WrittenItemsWalked(const Facts& facts, ir::ValueId iterable);

// `[device]` that stays as it is written, `getattr(self, "fields", ["T", "E"])`.
[[nodiscard]] bool IsDisplay(const Facts& facts, ir::ValueId id);
// `[*segments]`
[[nodiscard]] bool HoldsStarred(const ir::Program& program, const ir::Op& op);
// Other items may be stored in the list, or appended to it.
[[nodiscard]] bool ChangesLater(const Facts& facts, ir::ValueId list);

}  // namespace cpnlint::analysis
