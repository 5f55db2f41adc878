#pragma once

// `inspect why FILE:LINE RULE`: tries one rule at everything on one line and keeps what each condition said.

#include <string_view>
#include <vector>

#include "rules/engine/rule.h"

namespace cpnlint::rules {

struct Attempt {
  Span span;                       // what was tried: an op, a loop header, a function's name, the line
  std::vector<Trial::Step> steps;  // in the order asked; a `condition` above '`' is an exception of the Quiet list
  bool reported = false;
  bool shown = false;                  // reported, and neither cold nor dead
  Finding finding;                     // where it is shown
  analysis::EvidenceSet evidence = 0;  // that the report gives; what makes it hot is beside that
};

// `line` is the range of bytes of the line; an attempt belongs to it where it starts there. Attempts of which no
// condition was asked (the rule does not look at such a thing) are left out.
[[nodiscard]] std::vector<Attempt> Why(const Facts& facts, ir::ModuleId module, const Target& target, const Rule& rule,
                                       Span line);

// The rule's own words for a numbered condition (`2. ...`) or an exception (`- (b) ...`), out of its conditions or its
// details.
[[nodiscard]] std::string_view ConditionText(const Rule& rule, int condition);

}  // namespace cpnlint::rules
