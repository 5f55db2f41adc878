#include <catch2/catch.hpp>

#include <string>

#include "analyzer/source/line_index.h"

using cpnlint::Span;
using cpnlint::source::LineIndex;
using cpnlint::source::Position;

TEST_CASE("lines and columns count from 1, in code points or UTF-16 units") {
  const std::string text =
      "ab\nd\xC3\xA9"
      "f\r\n\xF0\x9F\x98\x80x\n";
  const LineIndex lines(text);
  CHECK(lines.line_count() == 4);
  CHECK(lines.ToPosition(0) == Position{1, 1});
  CHECK(lines.ToPosition(2) == Position{1, 3});
  CHECK(lines.ToPosition(3) == Position{2, 1});
  CHECK(lines.ToPosition(6) == Position{2, 3});   // behind the two-byte letter
  CHECK(lines.ToPosition(5) == Position{2, 2});   // inside it: its start
  CHECK(lines.ToPosition(13) == Position{3, 2});  // behind the emoji
  CHECK(lines.ToUtf16Position(13) == Position{3, 3});
  CHECK(lines.ToPosition(static_cast<std::uint32_t>(text.size())) == Position{4, 1});
  CHECK(lines.ToPosition(1'000'000) == Position{4, 1});
}

TEST_CASE("offsets of positions are the way back") {
  const std::string text = "\xEF\xBB\xBFx = '\xE2\x82\xAC\xF0\x9F\x98\x80'\r\n\ty\n";
  const LineIndex lines(text);
  for (std::uint32_t offset = 3; offset < text.size(); ++offset) {
    if ((static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80 || text[offset] == '\n') continue;
    CAPTURE(offset);
    CHECK(lines.ToOffset(lines.ToPosition(offset)) == offset);
    CHECK(lines.ToOffsetUtf16(lines.ToUtf16Position(offset)) == offset);
  }
  CHECK(lines.ToPosition(3) == Position{1, 1});  // the byte-order mark is no column
  CHECK(lines.ToOffset({1, 999}) == lines.LineSpan(1).end);
  CHECK(lines.ToOffset({99, 1}) == text.size());
  CHECK(lines.ToOffset({0, 0}) == 0);
}

TEST_CASE("a line's text leaves out its end") {
  const std::string text = "a\r\nb\n\nc";
  const LineIndex lines(text);
  CHECK(lines.line_count() == 4);
  CHECK(lines.LineText(1) == "a");
  CHECK(lines.LineText(2) == "b");
  CHECK(lines.LineText(3).empty());
  CHECK(lines.LineText(4) == "c");
  CHECK(lines.LineText(5).empty());
  CHECK(lines.LineText(0).empty());
  CHECK(LineIndex("").line_count() == 1);
  CHECK(LineIndex("").ToPosition(0) == Position{1, 1});
}
