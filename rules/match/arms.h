#pragma once

// What the arms of a test change.

#include "rules/engine/text.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

struct Arms {
  Text changed;                  // the first array that they change: `u[...]`, `u[0]`, `self.u`; empty: none
  int changes = 0;               // how many of them
  std::string_view bound;        // else a variable that holds what they give it; empty: none
  bool bound_surely = false;     // that is an array or a number
  bool bound_where_not = false;  // it gets its new value where the test does not hold
};
[[nodiscard]] Arms ArmsOf(const analysis::Facts& facts, ir::ValueId truth);

}  // namespace cpnlint::rules::match
