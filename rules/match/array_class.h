#pragma once

// Classes of the program that derive from ndarray: what gives plain arrays loses what they add.

#include <string_view>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// The name of the class whose objects the value may be one of: its own, or the first that the program has, in this
// module before others. Empty where there is none, or the value is no such object: a number, a text, a list.
[[nodiscard]] std::string_view ArrayClassOf(const analysis::Facts& facts, ir::ValueId value, ir::ModuleId module);

}  // namespace cpnlint::rules::match
