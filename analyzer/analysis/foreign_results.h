#pragma once

// What functions of SciPy keep of the array that they are given.

#include <string_view>

namespace cpnlint::analysis {

// The result has the shape of the first argument: the filters of `scipy.ndimage`, smoothers of `scipy.signal`.
[[nodiscard]] bool KeepsShape(std::string_view dotted);
// ... and its type, unless `output=` asks for another (scipy 1.17: `_ni_support._get_output`).
[[nodiscard]] bool KeepsType(std::string_view dotted);

}  // namespace cpnlint::analysis
