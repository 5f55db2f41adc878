#include "analyzer/source/line_index.h"

#include <algorithm>
#include <cstring>

namespace cpnlint::source {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// UTF-16 units of the character that starts with this byte.
std::uint32_t Units(char lead) { return static_cast<unsigned char>(lead) >= 0xF0 ? 2 : 1; }

enum class Count { kCodePoints, kUtf16 };

std::uint32_t Width(std::string_view text, Count count) {
  std::uint32_t width = 0;
  for (const char c : text) {
    if (!IsContinuation(c)) width += count == Count::kUtf16 ? Units(c) : 1;
  }
  return width;
}

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text) {
  starts_.reserve(text.size() / 32 + 1);
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* at = begin; at < end;) {
    const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (newline == nullptr) break;
    at = newline + 1;
    starts_.push_back(static_cast<std::uint32_t>(at - begin));
  }
  starts_.shrink_to_fit();
}

std::uint32_t LineIndex::LineOf(std::uint32_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<std::uint32_t>(after - starts_.begin());
}

Span LineIndex::LineSpan(std::uint32_t line) const {
  if (line == 0 || line > line_count()) return {};
  Span span{starts_[line - 1], static_cast<std::uint32_t>(text_.size())};
  if (line < line_count()) span.end = starts_[line] - 1;
  if (span.end > span.begin && text_[span.end - 1] == '\r') --span.end;
  if (line == 1 && text_.substr(0, span.end).substr(0, 3) == kByteOrderMark) span.begin += 3;
  return span;
}

std::string_view LineIndex::LineText(std::uint32_t line) const {
  const Span span = LineSpan(line);
  return text_.substr(span.begin, span.size());
}

namespace {

Position PositionIn(std::string_view text, std::uint32_t line, Span span, std::uint32_t offset, Count count) {
  std::size_t at = std::min<std::size_t>(offset, span.end);
  while (at > span.begin && at < text.size() && IsContinuation(text[at])) --at;
  if (at < span.begin) at = span.begin;
  return {line, Width(text.substr(span.begin, at - span.begin), count) + 1};
}

std::uint32_t OffsetIn(std::string_view text, Span span, std::uint32_t column, Count count) {
  std::uint32_t at = span.begin;
  std::uint32_t left = column == 0 ? 0 : column - 1;
  while (at < span.end) {
    const std::uint32_t width = count == Count::kUtf16 ? Units(text[at]) : 1;
    if (left < width) break;
    left -= width;
    ++at;
    while (at < span.end && IsContinuation(text[at])) ++at;
  }
  return at;
}

}  // namespace

Position LineIndex::ToPosition(std::uint32_t offset) const {
  const std::uint32_t line = LineOf(offset);
  return PositionIn(text_, line, LineSpan(line), offset, Count::kCodePoints);
}

Position LineIndex::ToUtf16Position(std::uint32_t offset) const {
  const std::uint32_t line = LineOf(offset);
  return PositionIn(text_, line, LineSpan(line), offset, Count::kUtf16);
}

std::uint32_t LineIndex::ToOffset(Position position) const {
  if (position.line == 0) return 0;
  if (position.line > line_count()) return static_cast<std::uint32_t>(text_.size());
  return OffsetIn(text_, LineSpan(position.line), position.column, Count::kCodePoints);
}

std::uint32_t LineIndex::ToOffsetUtf16(Position position) const {
  if (position.line == 0) return 0;
  if (position.line > line_count()) return static_cast<std::uint32_t>(text_.size());
  return OffsetIn(text_, LineSpan(position.line), position.column, Count::kUtf16);
}

}  // namespace cpnlint::source
