#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// One run of Python may load both modules: one of them imports both, through others or not, or some module does, as a
// program that uses their package may. Two notebooks or two scripts do not run together.
[[nodiscard]] bool RunTogether(const Facts& facts, ir::ModuleId a, ir::ModuleId b);

}  // namespace cpnlint::analysis
