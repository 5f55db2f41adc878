#pragma once

// The fixes to make first, in words that text and report share.

#include <string>

#include "cli/report/document.h"

namespace cpnlint::report {

// "15 min to 1 h"
[[nodiscard]] std::string HoursText(verdict::Hours hours);
// "saves 42 % of the time (2.1 s) for 15 min to 1 h of work; makes way for R201, R209"
[[nodiscard]] std::string FixText(const Document& document, const verdict::Fix& fix);

}  // namespace cpnlint::report
