#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"
#include "analyzer/syntax/node.h"

namespace cpnlint::syntax {

// One part of a string: text between interpolations, or one `{expression!r:spec}`.
struct StringPiece {
  Span span;
  // Text pieces: the value, escapes resolved (UTF-8; of a bytes literal the bytes). Interpolations: empty.
  std::string text;
  // Interpolations: the node between the braces (several expressions, as in f"{a, b}", make a kExpressionList); of text
  // pieces not valid.
  Node expression;
  // Interpolations: the kFormatSpecifier node, `:` included; often not there. It may hold interpolations of its own.
  Node format_specifier;
  char conversion = 0;            // r, s, a after `!`
  bool self_documenting = false;  // f"{x=}"

  [[nodiscard]] bool is_interpolation() const { return expression.valid(); }
};

// A string literal with its implicitly concatenated neighbours as one value.
struct StringLiteral {
  bool bytes = false;
  bool formatted = false;  // at least one part is an f-string
  bool templated = false;  // at least one part is a t-string
  bool raw = false;        // every part is raw
  // Something has no exact value here: \N{NAME}, a lone surrogate (\ud800), an escape that Python rejects (\xg), bytes
  // mixed with text. Text then holds U+FFFD in that place.
  bool exact = true;
  std::vector<StringPiece> pieces;  // in source order; neighbouring text is one piece (spans joined)
};

// `node` is a kString or kConcatenatedString; of any other node, nothing.
std::optional<StringLiteral> DecodeString(Node node);

// The value of a literal without interpolations and not bytes ("x" "y", r"\d", f"x" too); nothing otherwise, and
// nothing where the value is not exact.
std::optional<std::string> PlainString(Node node);

struct StringPrefix {
  bool raw = false, bytes = false, formatted = false, templated = false, unicode = false;
  bool python3 = true;  // false for `ur`, backticks and the like
  bool triple = false;
};
// From the kStringStart node's text: prefix letters and quotes.
StringPrefix ParsePrefix(std::string_view string_start);

}  // namespace cpnlint::syntax
