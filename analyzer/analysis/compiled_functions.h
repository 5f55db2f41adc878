#pragma once

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

enum class CompiledAs : std::uint8_t {
  kOther,     // for a device or by a library with arrays of its own; or nobody knows by whom
  kHostCode,  // numba.njit, Cython, Pythran: gives what the function says, on the host
  kUfunc,     // numba.vectorize: gives an array where it is given one, whatever the function says
};

// Who compiles a function that is compiled elsewhere (decorators.cpp).
[[nodiscard]] CompiledAs CompiledFor(Facts::Impl& impl, ir::FunctionId function);

// What such code gives where the same function, not compiled, would give `returned` (compiled_results.cpp).
[[nodiscard]] Value OnHost(ValueStore& store, const Value& returned, ir::ValueId call);

[[nodiscard]] Value HostArray(ir::ValueId root);

}  // namespace cpnlint::analysis
