#pragma once

// What the attributes of an object hold, as far as what is stored in them tells.

#include <span>
#include <vector>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// Fills impl.attribute_stores, once.
void IndexAttributeStores(Facts::Impl& impl);
// What anybody stores under that name is there by this key, unless a class computes it in a property.
constexpr std::uint64_t KeyOfAnyClass(Symbol attribute) { return 0xffff'ffffULL << 32 | attribute.index(); }
// What the class and its kin store in the attribute.
[[nodiscard]] std::vector<ir::ValueId> StoredByKin(const Facts::Impl& impl, ir::ClassId owner, Symbol attribute);
// ... or, where those store nothing, what anybody does who has the same base.
[[nodiscard]] std::vector<ir::ValueId> StoredIn(Facts::Impl& impl, ir::ClassId owner, Symbol attribute);
// `Model(self.log_prob)` keeps the method in a field: the attributes that hold it, of whatever object, where nothing
// else goes by that name.
[[nodiscard]] std::span<const Symbol> AttributesThatHold(Facts::Impl& impl, ir::FunctionId method);
// `self.scale`: a number is stored there somewhere, and nothing that is known to be an array, a list or a tuple.
[[nodiscard]] bool HoldsNumber(const Facts& facts, Facts::Impl& impl, ir::ValueId attribute);
// `self.counts[i] = n`, `self.counts.append(n)`: a method of the class stores items in what the attribute holds.
[[nodiscard]] bool ItemsChange(const Facts& facts, const Facts::Impl& impl, ir::ClassId owner, Symbol attribute);

// What class bodies of a family assign to the name.
[[nodiscard]] std::vector<ir::ValueId> DeclaredInFamily(const Facts::Impl& impl, ir::ClassId family, Symbol name);

}  // namespace cpnlint::analysis
