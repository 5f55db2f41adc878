#include "analyzer/syntax/logical_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace cpnlint::syntax {
namespace {

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\r'; }

// Words that start a statement and cannot start a line within brackets.
bool StartsStatement(std::string_view word) {
  static constexpr std::array<std::string_view, 17> kWords = {"def", "class",  "return",   "import", "with",  "while",
                                                              "try", "except", "finally",  "elif",   "raise", "assert",
                                                              "del", "global", "nonlocal", "pass",   "break"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() || word == "continue";
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), work_left_(4 * text.size() + 100'000) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
  }

  std::vector<LogicalLine> Run() {
    while (SkipToCode()) lines_.push_back(ScanLine());
    return std::move(lines_);
  }

 private:
  // A bracket, or an f-string whose literal part we are in (quote character), or its format specifier (':').
  struct Open {
    char what;
    bool triple;
    std::uint32_t at;
  };

  char Peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool AtEnd() const { return at_ >= text_.size(); }

  // Moves to the next line's first character that is code; false at the end.
  bool SkipToCode() {
    std::uint32_t column = 0;
    while (!AtEnd()) {
      const char c = text_[at_];
      if (c == '\n') {
        column = 0;
      } else if (c == ' ') {
        ++column;
      } else if (c == '\t') {
        column = column / 8 * 8 + 8;
      } else if (c == '\f' || c == '\r') {
        column = 0;
      } else if (c == '#') {
        SkipComment();
        continue;
      } else if (c == '\\' && (Peek(1) == '\n' || (Peek(1) == '\r' && Peek(2) == '\n'))) {
        at_ += Peek(1) == '\n' ? 2 : 3;
        continue;
      } else {
        column_ = column;
        return true;
      }
      ++at_;
    }
    return false;
  }

  void SkipComment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  LogicalLine ScanLine() {
    LogicalLine line;
    line.column = column_;
    begin_ = at_;
    last_ = at_;
    open_.clear();
    fault_ = LogicalLine::Fault::kNone;
    bool finished = false;
    while (!AtEnd() && !finished) {
      finished = InLiteral() ? StepLiteral() : StepCode();
      if (work_left_ > 0) --work_left_;
    }
    const bool unclosed = !open_.empty();
    if (unclosed && fault_ != LogicalLine::Fault::kString) {
      const bool string = InLiteral();
      fault_ = string ? LogicalLine::Fault::kString : LogicalLine::Fault::kBracket;
      fault_at_ = {open_.front().at, open_.front().at + 1};
      if (!string) Cut();
    }
    line.span = {static_cast<std::uint32_t>(begin_), static_cast<std::uint32_t>(last_)};
    line.fault = fault_;
    line.fault_at = fault_at_;
    return line;
  }

  bool InLiteral() const {
    return !open_.empty() && (open_.back().what == '"' || open_.back().what == '\'' || open_.back().what == ':');
  }

  // Each step consumes something, and says whether the logical line ended.
  bool StepCode() {
    const char c = text_[at_];
    if (c == '\n') return StepNewline();
    if (IsBlank(c)) {
      ++at_;
      return false;
    }
    if (c == '#') {
      SkipComment();
      return false;
    }
    if (c == '\\') {
      last_ = at_ + 1;
      at_ += Peek(1) == '\r' && Peek(2) == '\n' ? 3 : 2;
      at_ = std::min(at_, text_.size());
      return false;
    }
    if (c == '"' || c == '\'') {
      StepString(c);
      return false;
    }
    if (c == '(' || c == '[' || c == '{') {
      open_.push_back({c, false, static_cast<std::uint32_t>(at_)});
    } else if (c == ')' || c == ']' || c == '}') {
      Close(c);
    } else if (c == ':' && open_.size() >= 2 && open_.back().what == '{' && IsQuoteOrSpec(open_[open_.size() - 2])) {
      open_.push_back({':', false, static_cast<std::uint32_t>(at_)});
    }
    last_ = ++at_;
    return false;
  }

  static bool IsQuoteOrSpec(const Open& open) { return open.what == '"' || open.what == '\'' || open.what == ':'; }

  void Close(char c) {
    const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
    for (std::size_t depth = open_.size(); depth-- > 0;) {
      if (open_[depth].what == opening) {
        if (depth + 1 != open_.size()) {
          NoteFault(LogicalLine::Fault::kBracket, open_.back().at);
        }
        open_.resize(depth);
        return;
      }
      if (IsQuoteOrSpec(open_[depth])) break;
    }
    NoteFault(LogicalLine::Fault::kCloser, at_);
  }

  void NoteFault(LogicalLine::Fault fault, std::size_t at) {
    if (fault_ != LogicalLine::Fault::kNone) return;
    fault_ = fault;
    fault_at_ = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1)};
  }

  bool StepNewline() {
    ++at_;
    if (open_.empty()) return true;
    if (work_left_ == 0) return true;
    std::size_t next = at_;
    while (next < text_.size() && IsBlank(text_[next])) ++next;
    return StartsStatement(FirstWord(text_.substr(next, 16)));
  }

  void StepString(char quote) {
    const std::size_t start = at_;
    std::size_t prefix = at_;
    while (prefix > begin_ && at_ - prefix < 3 && IsWord(text_[prefix - 1])) --prefix;
    const bool formatted =
        at_ - prefix < 3 && text_.substr(prefix, at_ - prefix).find_first_of("fFtT") != std::string_view::npos;
    const bool triple = Peek(1) == quote && Peek(2) == quote;
    at_ += triple ? 3 : 1;
    last_ = at_;
    if (formatted) {
      open_.push_back({quote, triple, static_cast<std::uint32_t>(start)});
      return;
    }
    while (!AtEnd()) {
      const char c = text_[at_];
      if (c == '\\') {
        at_ += Peek(1) == '\r' && Peek(2) == '\n' ? 3 : 2;
        at_ = std::min(at_, text_.size());
        continue;
      }
      if (c == '\n' && !triple) break;
      if (c == quote && (!triple || (Peek(1) == quote && Peek(2) == quote))) {
        at_ += triple ? 3 : 1;
        last_ = at_;
        return;
      }
      ++at_;
      last_ = at_;
    }
    last_ = std::min(last_, at_);
    NoteFault(LogicalLine::Fault::kString, start);
    open_.clear();  // nothing behind can be told apart any more
  }

  bool StepLiteral() {
    const char c = text_[at_];
    const Open& top = open_.back();
    if (c == '\\') {
      if (Peek(1) == 'N' && Peek(2) == '{') {
        at_ += 3;
        while (!AtEnd() && text_[at_] != '}' && text_[at_] != '\n') ++at_;
      } else {
        at_ += Peek(1) == '{' ? 1 : 2;
      }
      at_ = std::min(at_, text_.size());
      last_ = at_;
      return false;
    }
    if (top.what == ':') {
      if (c == '{') {
        open_.push_back({'{', false, static_cast<std::uint32_t>(at_)});
      } else if (c == '}') {
        open_.pop_back();
        Close('}');
      } else if (c == '\n' && !EnclosingStringIsTriple()) {
        return UnclosedLiteral();
      }
    } else if (c == top.what && (!top.triple || (Peek(1) == c && Peek(2) == c))) {
      at_ += top.triple ? 3 : 1;
      last_ = at_;
      open_.pop_back();
      return false;
    } else if (c == '\n' && !top.triple) {
      return UnclosedLiteral();
    } else if (c == '{') {
      if (Peek(1) == '{') {
        ++at_;
      } else {
        open_.push_back({'{', false, static_cast<std::uint32_t>(at_)});
      }
    }
    last_ = ++at_;
    return false;
  }

  bool EnclosingStringIsTriple() const {
    for (std::size_t depth = open_.size(); depth-- > 0;) {
      if (open_[depth].what == '"' || open_[depth].what == '\'') return open_[depth].triple;
    }
    return false;
  }

  bool UnclosedLiteral() {
    NoteFault(LogicalLine::Fault::kString, open_.front().at);
    open_.clear();
    return true;
  }

  // After a bracket that did not close: ends the line before the first physical line that is not indented deeper.
  void Cut() {
    std::size_t line_end = text_.find('\n', begin_);
    while (line_end != std::string_view::npos && line_end + 1 < at_) {
      std::size_t next = line_end + 1;
      std::uint32_t column = 0;
      while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t')) {
        column = text_[next] == '\t' ? column / 8 * 8 + 8 : column + 1;
        ++next;
      }
      const char first = next < text_.size() ? text_[next] : '\n';
      const bool counts = std::string_view("\n\r#)]}").find(first) == std::string_view::npos;
      if (counts && (column <= column_ || work_left_ == 0)) break;
      line_end = text_.find('\n', next);
    }
    if (line_end == std::string_view::npos || line_end + 1 >= at_) {
      last_ = std::max(begin_ + 1, std::min(last_, at_));
      return;
    }
    at_ = line_end + 1;
    last_ = line_end;
    while (last_ > begin_ + 1 && IsBlank(text_[last_ - 1])) --last_;
  }

  std::string_view text_;
  std::size_t work_left_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::size_t last_ = 0;
  std::uint32_t column_ = 0;
  std::vector<Open> open_;
  LogicalLine::Fault fault_ = LogicalLine::Fault::kNone;
  Span fault_at_;
  std::vector<LogicalLine> lines_;
};

}  // namespace

std::vector<LogicalLine> FindLogicalLines(std::string_view text) { return Scanner(text).Run(); }

std::size_t LineAt(const std::vector<LogicalLine>& lines, std::uint32_t offset) {
  const auto starts_later = [](std::uint32_t at, const LogicalLine& line) { return at < line.span.begin; };
  const auto after = std::upper_bound(lines.begin(), lines.end(), offset, starts_later);
  if (after == lines.begin()) return lines.size();
  return static_cast<std::size_t>(after - lines.begin()) - 1;
}

std::string_view FirstWord(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsWord(text[end])) ++end;
  return text.substr(0, end);
}

}  // namespace cpnlint::syntax
