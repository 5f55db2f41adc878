#pragma once

// What a pass of a loop may change, in its own code and in the functions of the program that it calls. Private to
// analyzer/analysis.

#include <unordered_set>
#include <vector>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// The functions of the program that an op runs: of a call, of the read of a property. `unknown`: it may run code that
// may store any attribute.
struct Runs {
  std::vector<ir::FunctionId> functions;
  bool unknown = false;
  bool by_library = false;  // handed to a library, which calls them with what it likes
};
[[nodiscard]] Runs RunBy(const Facts& facts, const Facts::Impl& impl, ir::ValueId op);

// Fills the mutation table of one function: every op that changes an array in place, by the array's root.
void FindMutations(const Facts& facts, Facts::Impl& impl, ir::FunctionId function);

// The storage and the parameters of unknown kind that a pass of the loop may change.
[[nodiscard]] const std::unordered_set<ir::ValueId>& ChangedIn(const Facts& facts, Facts::Impl& impl, ir::LoopId loop);
// The attributes that a pass of the loop stores; with None() where a call of code we see or do not see may store any.
[[nodiscard]] const std::unordered_set<Symbol>& AttributesStoredIn(const Facts& facts, Facts::Impl& impl,
                                                                   ir::LoopId loop);

// `self.seen` beside `self.seen.append(x)`: it is longer each time that the function runs.
[[nodiscard]] bool IsKeptAndChanged(const Facts& facts, ir::ValueId container);

}  // namespace cpnlint::analysis
