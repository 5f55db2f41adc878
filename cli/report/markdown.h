#pragma once

// Text of users inside Markdown: it stays text, whatever is in it.

#include <string>
#include <string_view>

namespace cpnlint::report {

// One line of text with code in back-ticks, as messages are.
[[nodiscard]] std::string MarkdownText(std::string_view text);
// As code, also where it has back-ticks itself.
[[nodiscard]] std::string MarkdownCode(std::string_view text);
// Either of them in a cell of a table.
[[nodiscard]] std::string TableCell(std::string_view markdown);

}  // namespace cpnlint::report
