#pragma once

#include <string_view>

namespace cpnlint::analysis {

// A function of a library that stands around what a loop walks, shows how far it is and hands on each item: `tqdm(x)`.
// It asks for the length and nothing else of what it walks.
[[nodiscard]] bool IsProgressBar(std::string_view dotted);

}  // namespace cpnlint::analysis
