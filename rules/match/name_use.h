#pragma once

// What a program does with a name of the library.

#include "analyzer/analysis/facts.h"
#include "analyzer/api/api.h"

namespace cpnlint::rules::match {

// The call of a name (`np.std`, one that `from numpy import std` binds, one of `import *`), where that is all that is
// done with it; None() for others.
[[nodiscard]] ir::ValueId OnlyCall(const analysis::Facts& facts, ir::ValueId op);

// A function that the library has no substitute for, or one of a module that it does not have
// (`np.polynomial.legendre.leggauss(16)`), is called with Python numbers, texts and host arrays alone: host NumPy does
// it. `call` is the call where that is the only one.
struct HostUse {
  bool whole = false;
  ir::ValueId call;
};
[[nodiscard]] HostUse CalledOnHostData(const analysis::Facts& facts, ir::ValueId op, const api::Entry& row);

// Each call of the name has an array of the host, or what pandas made, as its first argument.
[[nodiscard]] bool WorksOnHostArrays(const analysis::Facts& facts, ir::ValueId op);

// Nobody knows code for it in one line.
[[nodiscard]] bool HasNoSubstitute(const api::Entry& row);

// Nothing reads what `from numpy import std` binds, and the module hands no names on.
[[nodiscard]] bool IsNeverUsed(const analysis::Facts& facts, ir::ValueId import);

}  // namespace cpnlint::rules::match
