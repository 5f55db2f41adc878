#pragma once

// How a loop comes to code in a function that it calls, and what the calls hand over.

#include <optional>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// A call of the method hands over its object, or its class, before the arguments: not of `Base.step(self, x)` and of
// static methods. `method` is a Value of kind kMethod.
[[nodiscard]] bool IsBound(const Facts& facts, const Value& method);

// What a call (or the read of a property) hands over for a parameter.
struct Handed {
  ir::ValueId value;   // of the calling function; of a default an op of the function around the definition
  bool known = false;  // false: stars, a new object, or a call by a library
};
[[nodiscard]] Handed HandedOver(const Facts& facts, ir::ValueId call, ir::FunctionId function, std::size_t param);

// ... by each known call of the parameter's function.
[[nodiscard]] std::vector<Handed> AllHandedOver(const Facts& facts, ir::ValueId param);

// Some call in the loop leads to the function, through others or not.
[[nodiscard]] bool ReachedFrom(const Facts& facts, ir::FunctionId function, ir::LoopId loop);

// The calls from the loop to the function, outermost first, where there is just one way: each pass of the loop reaches
// the function by no other calls. nullopt where there are several, or where a call may run something else.
[[nodiscard]] std::optional<std::vector<ir::ValueId>> OnlyWayTo(const Facts& facts, ir::FunctionId function,
                                                                ir::LoopId loop);
// Each pass of the loop makes these calls and comes to `op`, and does so once: no test, no inner loop, no `return`
// stands before.
[[nodiscard]] bool RunsOnEachPass(const Facts& facts, const std::vector<ir::ValueId>& calls, ir::ValueId op,
                                  ir::LoopId loop);

}  // namespace cpnlint::analysis
