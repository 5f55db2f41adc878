#pragma once

// Solvers and factorisations of np.linalg: which take many matrices at once, and what gives the same where they do not.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

// Stacks of matrices, which are split over the GPUs. Those of QR and SVD raise.
[[nodiscard]] bool TakesStacks(std::string_view base);

// What helps such a call where it is not known to be one of many.
inline constexpr std::string_view kStackSeveral =
    "several problems of one size, stacked along a leading axis, are split over the GPUs; one alone gains nothing by "
    "that";

// What advice to stack problems has to say of an inverse and of right-hand sides that are vectors, which a stack of
// them is not taken for; empty for others.
[[nodiscard]] Text StacksAreSolved(const Facts& facts, const DeviceCall& call);

// The loop of this function whose counter picks the matrix out of a stack: `A[i]`.
[[nodiscard]] ir::LoopId LoopOverSystems(const Facts& facts, const DeviceCall& call);

// No trip of that loop makes the system of another one: `L = cholesky(C[j])` may as well come before the loop, even
// where each trip changes its own `C[j]` afterwards.
[[nodiscard]] bool AreIndependent(const Facts& facts, const DeviceCall& call, ir::LoopId systems);

// One call for all systems of that stack; a vector on the right-hand side gets an axis more, which the result loses
// again.
[[nodiscard]] Text HelpForStack(const Facts& facts, const DeviceCall& call);

// `np.linalg.solve(A, np.tile(np.eye(n), (len(A), 1, 1)))`, the inverses of a stack: cuPyNumeric 26.6.1 inverts the
// first matrix of each processor's part alone. `stack` is what the call gets, or is to get, written as `words`.
[[nodiscard]] Text InverseOfStack(const Facts& facts, const DeviceCall& call, ir::ValueId stack, Span words);

// What gives those results of an SVD, a QR or a pseudo-inverse of a tall matrix that the program reads; empty for
// others.
[[nodiscard]] Text InsteadOfFactorisation(const Facts& facts, const DeviceCall& call);

}  // namespace cpnlint::rules::match
