#pragma once

// The calls that lead to a function of the program, known by what is called or by the name alone.

#include <vector>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

[[nodiscard]] bool IsConstructor(const Facts::Impl& impl, ir::FunctionId function);
// By its name: `_init_poles`, whatever decorates it.
[[nodiscard]] bool IsPrivateMethod(const Facts::Impl& impl, ir::FunctionId function);
// For an object of the class; None(): for any object.
[[nodiscard]] std::vector<ir::ValueId> CallersOf(const Facts& facts, Facts::Impl& impl, ir::FunctionId function,
                                                 ir::ClassId object);

}  // namespace cpnlint::analysis
