#pragma once

// The calls that lead to a function of the program, known by what is called or by the name alone.

#include <vector>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

[[nodiscard]] bool IsConstructor(const Facts::Impl& impl, ir::FunctionId function);
// By its name: `_init_poles`, whatever decorates it.
[[nodiscard]] bool IsPrivateMethod(const Facts::Impl& impl, ir::FunctionId function);
// Without the constructors of the class's siblings, where the class has one of its own that hands on: of the calls of
// the base's constructor those that make such an object.
void KeepCallsOfKin(const Facts::Impl& impl, ir::FunctionId function, ir::ClassId object,
                    std::vector<ir::ValueId>& sites);
// `super().__init__(means)` in the constructor of a class that nobody in sight makes an object of: what is handed over
// is a parameter without a default, of which no more is said than of the base's own.
[[nodiscard]] bool HandsOnUnseen(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::ValueId handed);
// For an object of the class; None(): for any object.
[[nodiscard]] std::vector<ir::ValueId> CallersOf(const Facts& facts, Facts::Impl& impl, ir::FunctionId function,
                                                 ir::ClassId object);

}  // namespace cpnlint::analysis
