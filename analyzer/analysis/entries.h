#pragma once

// Declared entry points: where a configuration says that the work starts (rules.md A.8). They reach the analysis as an
// assumption of the module that they are in: the name of a function behind these words, none for the module's own code.

#include <string_view>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

inline constexpr std::string_view kStartsAt = "start at ";

// Fills in what the declared ones reach; false where none is declared.
bool ReachFromDeclared(const Facts& facts, Facts::Impl& impl);

}  // namespace cpnlint::analysis
