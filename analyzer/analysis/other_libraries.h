#pragma once

// Arrays of other libraries: PyTorch, JAX, TensorFlow, ... They have the attributes of NumPy's and nothing to do with
// its namespace (rules.md A.3).

#include <string_view>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// The library of an array type by its dotted name: "torch.FloatTensor", "jax.numpy.ndarray", "mxnet.nd.NDArray".
// kNone for other types, NumPy's own among them.
[[nodiscard]] Library LibraryOfArrayType(std::string_view dotted);
// A type as documentation writes it names such a library: "torch.Tensor of shape (n, 3)", "jnp.ndarray".
[[nodiscard]] bool NamesOtherArrays(std::string_view type);
// The function computes with functions of such a library: what it indexes and asks for its shape may be that library's.
[[nodiscard]] bool ComputesElsewhere(const Facts::Impl& impl, ir::FunctionId function);

}  // namespace cpnlint::analysis
