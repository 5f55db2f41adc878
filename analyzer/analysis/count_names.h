#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cpnlint::analysis {

// What names of the trade say of a count. A name proves nothing: what rests on one is *possible* and no more.

// How many there usually are of what a count is called after, or of what a number counts through: 4 for `n_channels`
// and `channel`, 3 for `spline_order`. The last word of the name decides: `order_fn` is no order. nullopt for names
// that say nothing.
[[nodiscard]] std::optional<std::int64_t> UsualCountByName(std::string_view name);

// The same of a number that is the side of a matrix or the length of an array: there are tens of clusters, classes and
// parameters, which are many passes and few rows.
[[nodiscard]] std::optional<std::int64_t> UsualSizeByName(std::string_view name);

// The same of the number of entries of a sequence: 3 for `self.pbc`.
[[nodiscard]] std::optional<std::int64_t> UsualLengthByName(std::string_view name);

}  // namespace cpnlint::analysis
