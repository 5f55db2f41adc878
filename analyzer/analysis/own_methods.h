#pragma once

// Which methods an object can have whose class is not known to the last: what a class overrides does not run on its
// objects, unless the override hands up to it.

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

[[nodiscard]] bool IsA(const Facts::Impl& impl, ir::ClassId derived, ir::ClassId base);

// The name of the built-in function that the value is a call of.
[[nodiscard]] std::string_view BuiltinCalled(const Facts& facts, const Facts::Impl& impl, ir::ValueId id);

// The method that the function is or stands in; None() of what stands in no class.
[[nodiscard]] ir::FunctionId MethodAround(const ir::Program& program, ir::FunctionId function);

// `self` in the method, or in a function inside of it.
[[nodiscard]] bool IsOwnObject(const Facts& facts, ir::FunctionId method, ir::ValueId value);

// A call of the object's own method from the method `from`, through a function inside of it or not: some class that is
// one of `object` must have both methods, and override neither. `by_class`: super().f(), Base.f(self).
[[nodiscard]] bool RunsWith(const Facts& facts, const Facts::Impl& impl, ir::FunctionId from, ir::FunctionId to,
                            ir::ClassId object, bool by_class);

}  // namespace cpnlint::analysis
