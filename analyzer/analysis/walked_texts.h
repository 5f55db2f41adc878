#pragma once

// What a variable is called by, trip by trip: `for name in ("u", "v", "p"): setattr(self, name, np.zeros(n))`.

#include <vector>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

struct WalkedText {
  Symbol text;
  ir::ValueId literal;  // where it is written
};

// The texts that the item of a loop is, one after the other, where they are written out: `name` of
// `for name in ("u", "v")`, of `for i, name in enumerate(names)`, `for name, shape in zip(names, shapes)` and
// `for name, shape in (("u", n), ("v", m))`. Empty where one is not known.
[[nodiscard]] std::vector<WalkedText> TextsWalked(const Facts::Impl& impl, ir::ValueId item);

}  // namespace cpnlint::analysis
