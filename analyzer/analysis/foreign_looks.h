#pragma once

#include <string_view>

namespace cpnlint::analysis {

// A function of another library that looks at the type, the shape or the attributes of what it is given and at none of
// its items: `scipy.sparse.issparse(x)`, `sklearn.utils.check_consistent_length(x, y)`; or one that makes a record
// which keeps it as it is: `OptimizeResult(x=x)`.
[[nodiscard]] bool ReadsNoItems(std::string_view dotted);

}  // namespace cpnlint::analysis
