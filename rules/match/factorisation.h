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

// The loop of this function whose counter picks the matrix out of a stack: `A[i]`.
[[nodiscard]] ir::LoopId LoopOverSystems(const Facts& facts, const DeviceCall& call);

// No trip of that loop makes the system of another one: `L = cholesky(C[j])` may as well come before the loop, even
// where each trip changes its own `C[j]` afterwards.
[[nodiscard]] bool AreIndependent(const Facts& facts, const DeviceCall& call, ir::LoopId systems);

// One call for all systems of that stack; a vector on the right-hand side gets an axis more, which the result loses
// again.
[[nodiscard]] Text HelpForStack(const Facts& facts, const DeviceCall& call);

// What gives those results of an SVD, a QR or a pseudo-inverse of a tall matrix that the program reads; empty for
// others.
[[nodiscard]] Text InsteadOfFactorisation(const Facts& facts, const DeviceCall& call);

}  // namespace cpnlint::rules::match
