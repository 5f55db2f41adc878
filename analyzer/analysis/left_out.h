#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// What there is where whoever may say how many says nothing.

// `options.get("order", 1)`, `getattr(self, "order", 1)`, `settings.numbers("orders", default=[1])`: the last argument.
// An invalid id of other calls.
[[nodiscard]] ir::ValueId DefaultOfLookup(const Facts& facts, ir::ValueId call);

// `options.pop("order", None)`, `len(options.pop("orders", None))`: what nobody gives is set elsewhere.
[[nodiscard]] bool IsNoneWhereLeftOut(const Facts& facts, ir::ValueId id);

// `device_id=0`, `width=1.5`, of which a list is made where it is one number: what nobody gives has no items.
[[nodiscard]] bool IsNumberWhereLeftOut(const Facts& facts, ir::ValueId id);

// `axes="tzc"`: a letter for each item. A long word stands for something else.
[[nodiscard]] std::optional<std::int64_t> FewLettersOf(const Facts& facts, ir::ValueId id);

// `*args` of a function that no call hands a whole list with a star, be it through the `*args` of others.
[[nodiscard]] bool HoldsArguments(const Facts& facts, ir::ValueId id);

// `if n is None: n = 3`, `n = n or 3`: a parameter that is None by default, and that no call in sight gives, of an
// object of the class or of any.
[[nodiscard]] bool NobodyGives(const Facts& facts, Facts::Impl& impl, ir::ValueId id, ir::ClassId object);

// What a join is made of, but for None and what never arrives. By usage without what stands where the function is given
// something else than by default, and no known call gives it: `if isinstance(bands, dict):` of an array by default, and
// without a parameter that nobody gives.
[[nodiscard]] std::vector<ir::ValueId> WaysThatCount(const Facts& facts, Facts::Impl& impl, ir::ValueId phi,
                                                     Trust trust);

}  // namespace cpnlint::analysis
