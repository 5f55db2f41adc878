#include "rules/engine/binding.h"

#include <algorithm>

namespace cpnlint::rules {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool IsQuote(char c) { return c == '"' || c == '\''; }

class Reader {
 public:
  explicit Reader(std::string_view words) : words_(words) {}

  Binding Loosest() {
    while (at_ < words_.size()) Next();
    return loosest_;
  }

 private:
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < words_.size() ? words_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool StartsWith(std::string_view text) const { return words_.substr(at_).starts_with(text); }

  void Next() {
    const char c = Peek();
    if (IsQuote(c)) return String();
    if (IsNameStart(c)) return Name();
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return Number();
    if (c == '(' || c == '[' || c == '{') return Open();
    if (c == ')' || c == ']' || c == '}') return Close();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\') {
      ++at_;
      return;
    }
    Operator();
  }

  void String() {
    const char quote = Peek();
    const bool triple = Peek(1) == quote && Peek(2) == quote;
    at_ += triple ? 3 : 1;
    while (at_ < words_.size()) {
      if (Peek() == '\\') {
        at_ += 2;
        continue;
      }
      const bool ends = Peek() == quote && (!triple || (Peek(1) == quote && Peek(2) == quote));
      at_ += ends && triple ? 3 : 1;
      if (ends) break;
    }
    wants_operand_ = false;
  }

  void Name() {
    const std::size_t begin = at_;
    while (IsNameStart(Peek()) || IsDigit(Peek())) ++at_;
    if (IsQuote(Peek()) && at_ - begin <= 2) return;  // the prefix of a string
    const std::string_view name = words_.substr(begin, at_ - begin);
    const bool wanted = wants_operand_, after_is = last_name_ == "is";
    wants_operand_ = true;
    last_name_ = name;
    if (name == "lambda" || name == "if" || name == "else") return Found(Binding::kConditional);
    if (name == "for" || name == "yield" || name == "async") return Found(Binding::kAnything);
    if (name == "or") return Found(Binding::kOr);
    if (name == "and") return Found(Binding::kAnd);
    if (name == "not") return Found(wanted && !after_is ? Binding::kNot : Binding::kComparison);
    if (name == "in" || name == "is") return Found(Binding::kComparison);
    if (name == "await") return Found(Binding::kPower);
    wants_operand_ = false;
  }

  // `5.real` is no attribute of 5, so a whole number asks for parentheses before a dot.
  void Number() {
    const bool other_base = Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X');
    bool whole = true;
    char last = '\0';
    while (IsNameStart(Peek()) || IsDigit(Peek()) || Peek() == '.' ||
           ((Peek() == '+' || Peek() == '-') && !other_base && (last == 'e' || last == 'E'))) {
      last = Peek();
      whole = whole && (IsDigit(last) || last == '_');
      ++at_;
    }
    if (whole) Found(Binding::kPower);
    wants_operand_ = false;
  }

  void Open() {
    ++depth_;
    ++at_;
    wants_operand_ = true;
  }

  void Close() {
    depth_ = std::max(depth_ - 1, 0);
    ++at_;
    wants_operand_ = false;
  }

  void Operator() {
    struct Spelled {
      std::string_view text;
      Binding binding;
    };
    static constexpr Spelled kOperators[] = {
        {"**", Binding::kPower},      {"//", Binding::kProduct},    {"<<", Binding::kShift},
        {">>", Binding::kShift},      {"<=", Binding::kComparison}, {">=", Binding::kComparison},
        {"==", Binding::kComparison}, {"!=", Binding::kComparison}, {":=", Binding::kAnything},
        {"<", Binding::kComparison},  {">", Binding::kComparison},  {"|", Binding::kBitOr},
        {"^", Binding::kBitXor},      {"&", Binding::kBitAnd},      {"+", Binding::kSum},
        {"-", Binding::kSum},         {"*", Binding::kProduct},     {"/", Binding::kProduct},
        {"%", Binding::kProduct},     {"@", Binding::kProduct},     {"~", Binding::kUnary},
        {",", Binding::kAnything},    {"=", Binding::kAnything},
    };
    for (const Spelled& spelled : kOperators) {
      if (!StartsWith(spelled.text)) continue;
      at_ += spelled.text.size();
      const bool sign = wants_operand_ && spelled.binding == Binding::kSum;
      const bool star = wants_operand_ && spelled.text.starts_with('*');
      if (!star) Found(sign ? Binding::kUnary : spelled.binding);
      wants_operand_ = true;
      return;
    }
    ++at_;  // a dot, or nothing of Python's
  }

  void Found(Binding binding) {
    if (depth_ == 0) loosest_ = std::min(loosest_, binding);
  }

  std::string_view words_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool wants_operand_ = true;
  std::string_view last_name_;  // `is` of `is not`
  Binding loosest_ = Binding::kPrimary;
};

}  // namespace

Binding BindingOf(std::string_view words) { return Reader(words).Loosest(); }

}  // namespace cpnlint::rules
