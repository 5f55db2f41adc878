#pragma once

// What one call of a function gets back where the function hands on a number that it is given: `int(value)` of a
// validator, `2 * n` of a rule for sizes, `np.zeros((n, n))`.

#include <functional>
#include <vector>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// A call: what it hands over for each parameter of the function, None() where nobody knows.
struct GivenCall {
  ir::ValueId call;
  ir::FunctionId function;
  const std::vector<ir::ValueId>& arguments;
  std::function<const Value&(ir::ValueId)> value_of;  // of an argument
};

// `returned` with the numbers of the call for the function's parameters, and with the extents of the arrays that it
// hands over. What has no number there is a number of its own on each call.
[[nodiscard]] Value InNumbersOf(const GivenCall& given, Facts::Impl& impl, Value returned);

}  // namespace cpnlint::analysis
