#pragma once

#include <string>
#include <string_view>

namespace cpnlint::report {

// Python code so written that reformatting does not change it: without comments, line breaks, parentheses, commas
// before a closing bracket and blanks between words and signs; strings in double quotes, their prefixes and numbers in
// small letters. Two pieces of code that mean different things may come out the same; a piece and what a formatter
// makes of it always do.
[[nodiscard]] std::string PlainCode(std::string_view code);

}  // namespace cpnlint::report
