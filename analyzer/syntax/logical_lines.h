#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"

namespace cpnlint::syntax {

// A logical line of Python: one or more physical lines, joined by brackets, backslashes or strings. Found by looking at
// quotes and brackets alone, so it also works on text that does not parse. Blank lines and lines with only a comment
// belong to no logical line.
struct LogicalLine {
  Span span;                 // from the first character to the last; indentation and the comment at the end left out
  std::uint32_t column = 0;  // width of the indentation, tabs to multiples of 8
  enum class Fault : std::uint8_t { kNone, kBracket, kString, kCloser };
  Fault fault = Fault::kNone;  // a bracket or string that never closes, a closing bracket without its opening one
  Span fault_at;               // the bracket or quote
};

// In source order. A bracket that never closes would join everything behind it: where a line that must be a statement
// (`def`, `return`, ...) follows within brackets, or the text ends, the logical line is cut before the first line that
// is not indented deeper than its own first line.
std::vector<LogicalLine> FindLogicalLines(std::string_view text);

// The last logical line that starts at or before `offset`; lines.size() when there is none.
std::size_t LineAt(const std::vector<LogicalLine>& lines, std::uint32_t offset);

// The word (letters, digits, underscore) at the start of a text; empty when it starts with something else.
std::string_view FirstWord(std::string_view text);

}  // namespace cpnlint::syntax
