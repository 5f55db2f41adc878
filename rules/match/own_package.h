#pragma once

#include <string_view>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The op stands in a file of the package `dotted` is a name of: code that imports itself by its full name is no library
// of the host's.
[[nodiscard]] bool IsOwnPackage(const analysis::Facts& facts, ir::ValueId op, std::string_view dotted);

}  // namespace cpnlint::rules::match
