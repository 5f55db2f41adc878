#pragma once

// Methods that make another object of their class, of as many items as this one has, and lists that are handed over for
// that.

#include <span>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `Mixture([m[axes] for m in self.means])`: the loop walks one of the attributes, alone or beside others, of this
// object or of one like it.
[[nodiscard]] bool WalksOneOf(const Facts& facts, const Facts::Impl& impl, ir::ValueId iterable,
                              std::span<const ir::ValueId> attributes);
// The list that the call of a function or class of the program hands over may be longer afterwards: what takes it does
// more than reading it.
[[nodiscard]] bool GrowsThere(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::ValueId list);

}  // namespace cpnlint::analysis
