#include "analyzer/syntax/string_literal.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "analyzer/base/utf8.h"
namespace cpnlint::syntax {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Resolves the escapes of one stretch of text. Works on the characters, not on the grammar's escape nodes.
class Unescaper {
 public:
  Unescaper(std::string_view text, StringPrefix prefix, bool& exact) : text_(text), prefix_(prefix), exact_(exact) {}

  std::string Run() {
    out_.reserve(text_.size());
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && IsPlain(text_[at_])) ++at_;
      out_.append(text_, begin, at_ - begin);
      if (at_ < text_.size()) Step();
    }
    return std::move(out_);
  }

 private:
  // Stands for itself, whatever the prefix.
  static bool IsPlain(char c) { return c != '\\' && c != '\r' && c != '{' && c != '}'; }

  void Step() {
    const char c = text_[at_];
    if (c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
      ++at_;  // Python reads every line end as \n
    } else if ((prefix_.formatted || prefix_.templated) && (c == '{' || c == '}')) {
      out_ += c;
      at_ += at_ + 1 < text_.size() && text_[at_ + 1] == c ? 2 : 1;
    } else if (c != '\\' || prefix_.raw || at_ + 1 == text_.size()) {
      out_ += c;
      ++at_;
    } else {
      ++at_;
      Escape(text_[at_++]);
    }
  }

  void Escape(char c) {
    switch (c) {
      case '\n': return;
      case '\r':
        if (at_ < text_.size() && text_[at_] == '\n') ++at_;
        return;
      case '\\':
      case '\'':
      case '"': out_ += c; return;
      case 'a': out_ += '\a'; return;
      case 'b': out_ += '\b'; return;
      case 'f': out_ += '\f'; return;
      case 'n': out_ += '\n'; return;
      case 'r': out_ += '\r'; return;
      case 't': out_ += '\t'; return;
      case 'v': out_ += '\v'; return;
      case 'x': Hex(2); return;
      case 'u':
      case 'U':
        if (prefix_.bytes) break;
        Hex(c == 'u' ? 4 : 8);
        return;
      case 'N':
        if (prefix_.bytes) break;
        NamedCharacter();
        return;
      default:
        if (c >= '0' && c <= '7') {
          Octal(c);
          return;
        }
    }
    out_ += '\\';
    out_ += c;
  }

  void Octal(char first) {
    std::uint32_t code = static_cast<std::uint32_t>(first - '0');
    for (int digits = 1; digits < 3 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++digits) {
      code = code * 8 + static_cast<std::uint32_t>(text_[at_++] - '0');
    }
    Append(code);
  }

  void Hex(int wanted) {
    std::uint32_t code = 0;
    int digits = 0;
    while (digits < wanted && at_ < text_.size() && HexDigit(text_[at_]) >= 0) {
      code = code * 16 + static_cast<std::uint32_t>(HexDigit(text_[at_++]));
      ++digits;
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (digits < wanted || code > 0x10FFFF || surrogate) {
      NotExact();
      return;
    }
    Append(code);
  }

  void NamedCharacter() {
    const std::size_t end = at_ < text_.size() && text_[at_] == '{' ? text_.find('}', at_) : std::string_view::npos;
    if (end != std::string_view::npos) at_ = end + 1;
    NotExact();
  }

  void Append(std::uint32_t code) {
    if (prefix_.bytes) {
      out_ += static_cast<char>(code & 0xFF);
    } else {
      AppendUtf8(out_, code);
    }
  }

  void NotExact() {
    out_ += kReplacement;
    exact_ = false;
  }

  std::string_view text_;
  StringPrefix prefix_;
  bool& exact_;
  std::string out_;
  std::size_t at_ = 0;
};

void AddText(StringLiteral& literal, Span span, std::string text) {
  if (span.empty()) return;
  if (!literal.pieces.empty() && !literal.pieces.back().is_interpolation()) {
    literal.pieces.back().text += text;
    literal.pieces.back().span.end = span.end;
    return;
  }
  StringPiece piece;
  piece.span = span;
  piece.text = std::move(text);
  literal.pieces.push_back(std::move(piece));
}

void AddInterpolation(StringLiteral& literal, Node node) {
  StringPiece piece;
  piece.span = node.span();
  piece.expression = node.Child(Field::kExpression);
  piece.format_specifier = node.Child(Field::kFormatSpecifier);
  if (const Node conversion = node.Child(Field::kTypeConversion)) {
    const std::string_view text = conversion.text();
    if (text.size() > 1) piece.conversion = text.back();
  }
  piece.self_documenting = node.HasToken(Kind::kTokenEqual);
  if (piece.expression) literal.pieces.push_back(std::move(piece));
}

// One kString. Its first part decides about bytes.
void AddPart(StringLiteral& literal, Node string, bool first) {
  const Node start = string.FirstNamed();
  const StringPrefix prefix = ParsePrefix(start.text());
  const bool formatted = prefix.formatted || prefix.templated;
  if (!first && literal.bytes != prefix.bytes) literal.exact = false;
  literal.bytes = literal.bytes || prefix.bytes;
  literal.formatted = literal.formatted || prefix.formatted;
  literal.templated = literal.templated || prefix.templated;
  literal.raw = (first || literal.raw) && prefix.raw;
  const auto add_text = [&](std::uint32_t begin, std::uint32_t end) {
    if (begin >= end) return;
    const std::string_view text = string.source().substr(begin, end - begin);
    AddText(literal, {begin, end}, Unescaper(text, prefix, literal.exact).Run());
  };
  std::uint32_t text_begin = start.span().end;
  std::uint32_t text_end = string.span().end;
  for (const Node child : string.NamedChildren()) {
    if (child.Is(Kind::kStringEnd)) text_end = child.span().begin;
    if (!formatted || !child.Is(Kind::kInterpolation)) continue;
    add_text(text_begin, child.span().begin);
    AddInterpolation(literal, child);
    text_begin = child.span().end;
  }
  add_text(text_begin, text_end);
}

}  // namespace

StringPrefix ParsePrefix(std::string_view string_start) {
  StringPrefix prefix;
  const std::size_t quote = std::min(string_start.find_first_of("\"'`"), string_start.size());
  int raws = 0;
  for (const char c : string_start.substr(0, quote)) {
    switch (c) {
      case 'r':
      case 'R':
        prefix.raw = true;
        ++raws;
        break;
      case 'b':
      case 'B': prefix.bytes = true; break;
      case 'f':
      case 'F': prefix.formatted = true; break;
      case 't':
      case 'T': prefix.templated = true; break;
      case 'u':
      case 'U': prefix.unicode = true; break;
      default: prefix.python3 = false;
    }
  }
  const int kinds = int{prefix.bytes} + int{prefix.formatted} + int{prefix.templated} + int{prefix.unicode};
  const bool repeated = quote != static_cast<std::size_t>(kinds + (raws > 0 ? 1 : 0));
  if (kinds > 1 || repeated || (prefix.unicode && prefix.raw)) prefix.python3 = false;
  if (quote < string_start.size() && string_start[quote] == '`') prefix.python3 = false;
  prefix.triple = string_start.size() >= quote + 3;
  return prefix;
}

std::optional<StringLiteral> DecodeString(Node node) {
  StringLiteral literal;
  if (node.Is(Kind::kString)) {
    AddPart(literal, node, true);
    return literal;
  }
  if (!node.Is(Kind::kConcatenatedString)) return std::nullopt;
  bool first = true;
  for (const Node part : node.NamedChildren()) {
    if (!part.Is(Kind::kString)) continue;
    AddPart(literal, part, first);
    first = false;
  }
  return literal;
}

std::optional<std::string> PlainString(Node node) {
  std::optional<StringLiteral> literal = DecodeString(node);
  if (!literal || literal->bytes || literal->templated || !literal->exact) return std::nullopt;
  if (literal->pieces.empty()) return std::string();
  if (literal->pieces.size() > 1 || literal->pieces.front().is_interpolation()) return std::nullopt;
  return std::move(literal->pieces.front().text);
}

}  // namespace cpnlint::syntax
