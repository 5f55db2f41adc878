#pragma once

#include <tree_sitter/api.h>

namespace cpnlint::syntax::internal {

// The same language with a parse table that has a place for each pair of state and symbol. In the table that the
// grammar comes with, most states list their symbols, and the parser looks for the right one at each step; in this one
// it is one read. Takes 1.5 MB and a millisecond to make; lives as long as the program.
[[nodiscard]] const TSLanguage* WithFullTable(const TSLanguage* language);

}  // namespace cpnlint::syntax::internal
