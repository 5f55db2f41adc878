#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"

namespace cpnlint::source {

// Reads JSON token by token, in place: nothing is built, every token says where it stands, and what nobody asks for is
// passed over at memory speed (a notebook is mostly pictures). Lenient where notebooks need it: NaN and Infinity, which
// Python writes. No recursion, whatever the nesting.
class JsonScanner {
 public:
  enum class Token : std::uint8_t {
    kBeginObject,
    kEndObject,
    kBeginArray,
    kEndArray,
    kKey,
    kString,
    kScalar,
    kEnd,
    kError,
  };

  // `text` has to outlive this; a byte-order mark is passed over. Shorter than 4 GiB.
  explicit JsonScanner(std::string_view text);

  // After kEnd and kError the same again.
  Token Next();
  // Passes over the rest of the value whose first token was the last one. False on an error.
  bool SkipValue();

  [[nodiscard]] Token token() const { return token_; }
  // Of the last token; of a string or key without the quotes.
  [[nodiscard]] Span span() const { return span_; }
  [[nodiscard]] std::string_view words() const { return text_.substr(span_.begin, span_.size()); }
  // After kError: what was expected, and span() is where.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  enum class Expect : std::uint8_t { kValue, kValueOrEnd, kKeyOrEnd, kKey, kColon, kCommaOrEnd, kNothing };

  Token Fail(std::string error);
  Token Open(char bracket, Token token);
  Token Close(char bracket, Token token);
  Token String(Token token);
  void AfterValue();

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<char> open_;
  Expect expect_ = Expect::kValue;
  Token token_ = Token::kEnd;
  Span span_;
  std::string error_;
};

}  // namespace cpnlint::source
