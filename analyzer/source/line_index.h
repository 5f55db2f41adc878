#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"

namespace cpnlint::source {

// Both count from 1.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend constexpr bool operator==(Position, Position) = default;
  friend constexpr auto operator<=>(Position, Position) = default;
};

// Maps byte offsets of a UTF-8 text to lines and columns and back. Lines end at \n (a \r before it belongs to the line
// end). A text that ends in \n has an empty last line. Holds a view: the text has to outlive it.
//
// Columns count code points, or UTF-16 units (SARIF, LSP). A byte-order mark at the start of the text counts as no
// column. An offset inside a character counts as the character's start; one beyond the text as its end. A position
// beyond a line's end is the line's end; beyond the last line, the text's end.
class LineIndex {
 public:
  LineIndex() = default;
  explicit LineIndex(std::string_view text);

  [[nodiscard]] std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }
  // 1-based line of an offset.
  [[nodiscard]] std::uint32_t LineOf(std::uint32_t offset) const;
  // The line's bytes without its end; `line` from 1, empty where there is no such line.
  [[nodiscard]] Span LineSpan(std::uint32_t line) const;
  [[nodiscard]] std::string_view LineText(std::uint32_t line) const;

  [[nodiscard]] Position ToPosition(std::uint32_t offset) const;
  [[nodiscard]] Position ToUtf16Position(std::uint32_t offset) const;
  [[nodiscard]] std::uint32_t ToOffset(Position position) const;
  [[nodiscard]] std::uint32_t ToOffsetUtf16(Position position) const;

 private:
  std::string_view text_;
  std::vector<std::uint32_t> starts_{0};
};

}  // namespace cpnlint::source
