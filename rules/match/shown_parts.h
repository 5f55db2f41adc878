#pragma once

// Loops that report: each pass shows another part of data that the loop leaves as it is, so that none may be left out.

#include "rules/engine/text.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

struct ShownPart {
  bool found = false;
  Span array;  // `cov` of `cov[g].max()`; empty where the counter selects in another way, or the loop walks the parts

  explicit operator bool() const { return found; }
};
// The value, which the op shows, is computed from nothing but the number of the pass, or its item, and of what is the
// same on all passes.
[[nodiscard]] ShownPart ShownPartOf(const analysis::Facts& facts, ir::ValueId op, ir::ValueId value);

[[nodiscard]] Text HelpForShownNumbers(const ShownPart& part);  // that become text
[[nodiscard]] Text HelpForShownParts(const ShownPart& part);    // that are drawn

}  // namespace cpnlint::rules::match
