#include "cli/report/plain_code.h"

#include <algorithm>

namespace cpnlint::report {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

class Writer {
 public:
  explicit Writer(std::string_view code) : code_(code) {}

  std::string Run() {
    while (at_ < code_.size()) Step();
    return std::move(out_);
  }

 private:
  void Step() {
    const char c = code_[at_];
    if (c == '#') {
      at_ = std::min(code_.find('\n', at_), code_.size());
    } else if (c == '"' || c == '\'') {
      TakeString("");
    } else if (IsWord(c)) {
      TakeWord();
    } else if (c == ',') {
      comma_ = true;
      ++at_;
    } else if (c == '(' || c == ')' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\\') {
      // A comma before a closing parenthesis stands there or not, as the formatter likes.
      if (c == ')') comma_ = false;
      blank_ = true;
      ++at_;
    } else {
      if (c == ']' || c == '}') comma_ = false;
      Begin(false);
      out_ += c;
      ++at_;
    }
  }

  // What was put off until it is known what follows.
  void Begin(bool word) {
    if (comma_) {
      out_ += ',';
    } else if (blank_ && word && !out_.empty() && IsWord(out_.back())) {
      out_ += ' ';
    }
    comma_ = blank_ = false;
  }

  void TakeWord() {
    const std::size_t begin = at_;
    while (at_ < code_.size() && IsWord(code_[at_])) ++at_;
    std::string word(code_.substr(begin, at_ - begin));
    const bool quote = at_ < code_.size() && (code_[at_] == '"' || code_[at_] == '\'');
    const bool prefix = quote && word.size() <= 3 && word.find_first_not_of("rRbBuUfFtT") == std::string::npos;
    if (prefix || IsDigit(word.front())) std::transform(word.begin(), word.end(), word.begin(), Lower);
    if (prefix) {
      std::erase(word, 'u');
      TakeString(word);
      return;
    }
    Begin(true);
    out_ += word;
  }

  void TakeString(std::string_view prefix) {
    Begin(true);
    out_ += prefix;
    const char quote = code_[at_];
    const std::string_view rest = code_.substr(at_);
    const std::size_t width = rest.size() > 2 && rest[1] == quote && rest[2] == quote ? 3 : 1;
    at_ += width;
    out_ += '"';
    while (at_ < code_.size() && code_.substr(at_, width) != std::string(width, quote)) {
      if (code_[at_] == '\\' && at_ + 1 < code_.size()) {
        if (code_[at_ + 1] != '"' && code_[at_ + 1] != '\'') out_ += code_[at_];
        ++at_;
      }
      out_ += code_[at_++];
    }
    at_ = std::min(at_ + width, code_.size());
    out_ += '"';
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::string out_;
  bool blank_ = false;  // since what was written last
  bool comma_ = false;
};

}  // namespace

std::string PlainCode(std::string_view code) { return Writer(code).Run(); }

}  // namespace cpnlint::report
