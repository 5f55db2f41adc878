#pragma once

// Functions of SciPy whose result is one array, and what that keeps of the array that they are given.

#include <cstdint>
#include <optional>
#include <string_view>

namespace cpnlint::analysis {

// Of the first argument. The type as well by the filters of `scipy.ndimage`, unless `output=` asks for another (scipy
// 1.17: `_ni_support._get_output`) or, of a convolution, the weights do.
enum class Kept : std::uint8_t { kNothing, kShape, kShapeAndType };

// nullopt where the result need not be one array.
[[nodiscard]] std::optional<Kept> KeptInOneArray(std::string_view dotted);

}  // namespace cpnlint::analysis
