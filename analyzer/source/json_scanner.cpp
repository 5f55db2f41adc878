#include "analyzer/source/json_scanner.h"

#include <cstring>
#include <utility>

namespace cpnlint::source {
namespace {

bool IsScalarByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

}  // namespace

JsonScanner::JsonScanner(std::string_view text) : text_(text) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
}

JsonScanner::Token JsonScanner::Fail(std::string error) {
  error_ = std::move(error);
  const auto at = static_cast<std::uint32_t>(at_);
  span_ = {at, at};
  return token_ = Token::kError;
}

void JsonScanner::AfterValue() { expect_ = open_.empty() ? Expect::kNothing : Expect::kCommaOrEnd; }

JsonScanner::Token JsonScanner::Open(char bracket, Token token) {
  open_.push_back(bracket);
  expect_ = bracket == '{' ? Expect::kKeyOrEnd : Expect::kValueOrEnd;
  ++at_;
  return token_ = token;
}

JsonScanner::Token JsonScanner::Close(char bracket, Token token) {
  const bool may_end = expect_ == Expect::kCommaOrEnd || expect_ == Expect::kKeyOrEnd || expect_ == Expect::kValueOrEnd;
  if (!may_end || open_.empty() || open_.back() != bracket) {
    return Fail(std::string("`") + text_[at_] + "` stands where it must not");
  }
  open_.pop_back();
  ++at_;
  AfterValue();
  return token_ = token;
}

JsonScanner::Token JsonScanner::String(Token token) {
  const std::size_t begin = at_ + 1;
  std::size_t end = begin;
  while (true) {
    end = text_.find('"', end);
    if (end == std::string_view::npos) return Fail("a string is never closed");
    std::size_t backslashes = 0;
    while (end - backslashes > begin && text_[end - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) break;
    ++end;
  }
  if (std::memchr(text_.data() + begin, '\n', end - begin) != nullptr) return Fail("a string goes over a line end");
  span_ = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  at_ = end + 1;
  if (token == Token::kKey) {
    expect_ = Expect::kColon;
  } else {
    AfterValue();
  }
  return token_ = token;
}

JsonScanner::Token JsonScanner::Next() {
  if (token_ == Token::kError) return token_;
  while (true) {
    at_ = text_.find_first_not_of(" \t\r\n", at_);
    if (at_ == std::string_view::npos) {
      at_ = text_.size();
      if (expect_ != Expect::kNothing) return Fail("the text ends too early");
      return token_ = Token::kEnd;
    }
    const char c = text_[at_];
    span_ = {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 1)};
    if (c == '}') return Close('{', Token::kEndObject);
    if (c == ']') return Close('[', Token::kEndArray);
    if (c == ',' && expect_ == Expect::kCommaOrEnd) {
      expect_ = open_.back() == '{' ? Expect::kKey : Expect::kValue;
      ++at_;
      continue;
    }
    if (c == ':' && expect_ == Expect::kColon) {
      expect_ = Expect::kValue;
      ++at_;
      continue;
    }
    if (expect_ == Expect::kKey || expect_ == Expect::kKeyOrEnd) {
      if (c != '"') return Fail("expected a key in quotes");
      return String(Token::kKey);
    }
    if (expect_ == Expect::kColon) return Fail("expected `:`");
    if (expect_ == Expect::kCommaOrEnd) return Fail("expected `,`");
    if (expect_ == Expect::kNothing) return Fail("something follows the end");
    if (c == '{') return Open('{', Token::kBeginObject);
    if (c == '[') return Open('[', Token::kBeginArray);
    if (c == '"') return String(Token::kString);
    if (!IsScalarByte(c)) return Fail("expected a value");
    while (at_ < text_.size() && IsScalarByte(text_[at_])) ++at_;
    span_.end = static_cast<std::uint32_t>(at_);
    AfterValue();
    return token_ = Token::kScalar;
  }
}

bool JsonScanner::SkipValue() {
  if (token_ != Token::kBeginObject && token_ != Token::kBeginArray) return token_ != Token::kError;
  const std::size_t depth = open_.size();
  while (open_.size() >= depth) {
    if (Next() == Token::kError) return false;
  }
  return true;
}

}  // namespace cpnlint::source
