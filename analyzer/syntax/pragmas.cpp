#include "analyzer/syntax/pragmas.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzer/syntax/logical_lines.h"

namespace cpnlint::syntax {
namespace {

constexpr std::size_t kMostInOneComment = 16;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\r'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameCharacter(char c) {
  return IsDigit(c) || IsUpper(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("_.:/-").find(c) != std::string_view::npos;
}

// Reads one pragma out of text[begin, end).
class Reader {
 public:
  Reader(std::string_view text, Span span) : text_(text), span_(span), at_(span.begin) {}

  // Nothing when the comment is no pragma.
  std::optional<Pragma> Read() {
    ++at_;  // the #
    SkipBlanks();
    Pragma pragma;
    pragma.span = span_;
    if (TakeWord("cpnlint")) {
      SkipBlanks();
      const bool colon = Take(':');
      SkipBlanks();
      ReadDirective(pragma);
      // Without the colon it is a pragma only where nothing else makes sense: `cpnlint ignore[R101]`.
      if (colon) return pragma;
      if (pragma.codes.empty() && pragma.bindings.empty()) return std::nullopt;
      Malformed(pragma, "a colon is missing behind `cpnlint`");
      return pragma;
    }
    if (TakeWord("pythran")) return ReadExport(pragma) ? std::optional(pragma) : std::nullopt;
    if (TakeNoqa() && ReadNoqa(pragma)) return pragma;
    return std::nullopt;
  }

 private:
  bool AtEnd() const { return at_ >= span_.end; }
  char Peek() const { return AtEnd() ? '\0' : text_[at_]; }

  void SkipBlanks() {
    while (!AtEnd() && IsBlank(text_[at_])) ++at_;
  }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  bool TakeWord(std::string_view word) {
    if (text_.substr(at_, std::min<std::size_t>(word.size(), span_.end - at_)) != word) return false;
    at_ += static_cast<std::uint32_t>(word.size());
    return true;
  }

  bool TakeNoqa() {
    for (const char expected : std::string_view("noqa")) {
      const char c = Peek();
      if (c != expected && !(IsUpper(c) && c - 'A' + 'a' == expected)) return false;
      ++at_;
    }
    SkipBlanks();
    return Take(':');
  }

  // Codes are letters and digits; what comes behind them is for the reader.
  bool ReadNoqa(Pragma& pragma) {
    pragma.type = Pragma::Type::kNoqa;
    while (true) {
      while (!AtEnd() && (IsBlank(text_[at_]) || text_[at_] == ',')) ++at_;
      const std::uint32_t begin = at_;
      while (IsUpper(Peek())) ++at_;
      const std::uint32_t digits = at_;
      while (IsDigit(Peek())) ++at_;
      const bool code = digits > begin && at_ > digits && !IsNameCharacter(Peek());
      if (!code) break;
      pragma.codes.push_back({std::string(text_.substr(begin, at_ - begin)), {begin, at_}});
    }
    return !pragma.codes.empty();
  }

  // `export f(int, float[:]), g(int)`, `export capsule f(int)`
  bool ReadExport(Pragma& pragma) {
    pragma.type = Pragma::Type::kPythran;
    SkipBlanks();
    if (!TakeWord("export")) return false;
    int depth = 0;
    bool expected = true;
    for (; !AtEnd(); ++at_) {
      const char c = Peek();
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c == ',' && depth == 0) expected = true;
      if (!expected || depth != 0 || c == ',' || !IsNameCharacter(c)) continue;
      const std::uint32_t begin = at_;
      while (!AtEnd() && IsNameCharacter(text_[at_])) ++at_;
      const std::string_view name = text_.substr(begin, at_ - begin);
      --at_;
      if (name == "capsule") continue;
      pragma.codes.push_back({std::string(name), {begin, at_ + 1}});
      expected = false;
    }
    return !pragma.codes.empty();
  }

  void ReadDirective(Pragma& pragma) {
    const std::uint32_t begin = at_;
    while (!AtEnd() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || text_[at_] == '-')) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "ignore" || word == "ignore-file") {
      pragma.type = word == "ignore" ? Pragma::Type::kIgnore : Pragma::Type::kIgnoreFile;
      ReadCodes(pragma, word);
    } else if (word == "assume") {
      pragma.type = Pragma::Type::kAssume;
      ReadBindings(pragma);
    } else if (word == "host") {
      pragma.type = Pragma::Type::kHost;
      pragma.reason = Rest();
    } else {
      Malformed(pragma, "unknown directive `" + std::string(text_.substr(begin, std::min(span_.end - begin, 40u))) +
                            "`; there are ignore[...], ignore-file[...], assume and host");
    }
  }

  void ReadCodes(Pragma& pragma, std::string_view word) {
    SkipBlanks();
    const std::string example = std::string(word) + "[R101]";
    if (!Take('[')) {
      Malformed(pragma, "expected the rules in brackets: " + example);
      return;
    }
    while (true) {
      while (!AtEnd() && (IsBlank(text_[at_]) || text_[at_] == ',')) ++at_;
      const std::uint32_t begin = at_;
      while (!AtEnd() && IsNameCharacter(text_[at_])) ++at_;
      if (at_ == begin) break;
      pragma.codes.push_back({std::string(text_.substr(begin, at_ - begin)), {begin, at_}});
    }
    if (!Take(']')) {
      Malformed(pragma, AtEnd() ? "`[` is never closed" : "expected rules separated by commas: " + example);
    } else if (pragma.codes.empty()) {
      Malformed(pragma, "no rule in the brackets: " + example);
    } else {
      pragma.reason = Rest();
    }
  }

  void ReadBindings(Pragma& pragma) {
    while (true) {
      SkipBlanks();
      const std::uint32_t begin = at_;
      int depth = 0;
      for (; !AtEnd(); ++at_) {
        const char c = text_[at_];
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (c == ',' && depth <= 0) break;
      }
      AddBinding(pragma, begin, at_);
      if (pragma.type == Pragma::Type::kMalformed || !Take(',')) return;
    }
  }

  void AddBinding(Pragma& pragma, std::uint32_t begin, std::uint32_t end) {
    while (end > begin && IsBlank(text_[end - 1])) --end;
    const std::string_view binding = text_.substr(begin, end - begin);
    const std::size_t equals = binding.find('=');
    std::string_view name = binding.substr(0, equals);
    while (!name.empty() && IsBlank(name.back())) name.remove_suffix(1);
    std::string_view value = equals == std::string_view::npos ? std::string_view() : binding.substr(equals + 1);
    while (!value.empty() && IsBlank(value.front())) value.remove_prefix(1);
    if (name.empty() || value.empty() || !std::all_of(name.begin(), name.end(), IsNameCharacter)) {
      Malformed(pragma, "expected NAME=SIZE, as in assume N=1e8 or assume u=(4096, 4096):float32");
      return;
    }
    pragma.bindings.push_back({std::string(name), std::string(value), {begin, end}});
  }

  std::string Rest() {
    SkipBlanks();
    // A dash or colon before the reason is punctuation.
    std::uint32_t begin = at_;
    while (begin < span_.end && (IsBlank(text_[begin]) || text_[begin] == '-' || text_[begin] == ':')) ++begin;
    std::uint32_t end = span_.end;
    while (end > begin && IsBlank(text_[end - 1])) --end;
    return std::string(text_.substr(begin, end - begin));
  }

  static void Malformed(Pragma& pragma, std::string problem) {
    pragma.type = Pragma::Type::kMalformed;
    pragma.problem = std::move(problem);
    pragma.codes.clear();
    pragma.bindings.clear();
  }

  std::string_view text_;
  Span span_;
  std::uint32_t at_;
};

// Where a pragma holds.
class Places {
 public:
  explicit Places(const Tree& tree) : text_(tree.text()), cells_(tree.cells()) {
    if (cells_.empty()) lines_ = FindLogicalLines(text_);
    for (const Span cell : cells_) {
      for (LogicalLine& line : FindLogicalLines(text_.substr(cell.begin, cell.size()))) {
        line.span = {line.span.begin + cell.begin, line.span.end + cell.begin};
        lines_.push_back(line);
      }
    }
  }

  void Place(Pragma& pragma, std::uint32_t comment) const {
    const Span line = PhysicalLine(comment);
    pragma.own_line = std::all_of(text_.begin() + line.begin, text_.begin() + comment, IsBlank);
    if (pragma.type == Pragma::Type::kIgnoreFile) {
      pragma.applies_to = {0, static_cast<std::uint32_t>(text_.size())};
      return;
    }
    const std::size_t at = LineAt(lines_, comment);
    const bool inside = at < lines_.size() && comment < lines_[at].span.end;
    if (pragma.own_line) {
      pragma.applies_to = inside ? NextCodeLine(line) : NextLogicalLine(at, line);
      return;
    }
    const bool middle = inside && line.begin > lines_[at].span.begin;
    pragma.applies_to = at == lines_.size() || middle ? line : Whole(lines_[at].span);
  }

 private:
  Span PhysicalLine(std::uint32_t offset) const {
    const std::size_t before = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
    const std::size_t end = std::min(text_.find('\n', offset), text_.size());
    return {before == std::string_view::npos ? 0 : static_cast<std::uint32_t>(before + 1),
            static_cast<std::uint32_t>(end)};
  }

  Span Whole(Span span) const { return {PhysicalLine(span.begin).begin, PhysicalLine(span.end).end}; }

  // The next line that is neither blank nor a comment; the line itself at the end of the text.
  Span NextCodeLine(Span line) const {
    Span next = line;
    while (next.end < text_.size()) {
      next = PhysicalLine(next.end + 1);
      std::uint32_t first = next.begin;
      while (first < next.end && IsBlank(text_[first])) ++first;
      if (first < next.end && text_[first] != '#') return next;
    }
    return line;
  }

  Span NextLogicalLine(std::size_t at, Span own) const {
    std::size_t next = at == lines_.size() ? 0 : at + 1;
    if (next >= lines_.size() || lines_[next].span.begin >= EndOfCell(own.begin)) return own;
    Span span = lines_[next].span;
    while (text_[lines_[next].span.begin] == '@' && next + 1 < lines_.size()) span = Join(span, lines_[++next].span);
    return Whole(span);
  }

  // A pragma does not reach into the next cell of a notebook.
  std::uint32_t EndOfCell(std::uint32_t offset) const {
    for (const Span cell : cells_) {
      if (offset < cell.end) return cell.end;
    }
    return static_cast<std::uint32_t>(text_.size());
  }

  std::string_view text_;
  std::span<const Span> cells_;
  std::vector<LogicalLine> lines_;
};

bool MayHoldPragma(std::string_view comment) {
  if (comment.find("cpnlint") != std::string_view::npos) return true;
  if (comment.find("pythran") != std::string_view::npos) return true;
  for (std::size_t at = comment.find_first_of("qQ"); at != std::string_view::npos;
       at = comment.find_first_of("qQ", at + 1)) {
    if (at >= 2 && at + 1 < comment.size() && (comment[at - 2] | 0x20) == 'n' && (comment[at + 1] | 0x20) == 'a') {
      return true;
    }
  }
  return false;
}

// The pragmas of one comment: each starts with a #, and ends where the next one starts.
void ReadComment(std::string_view text, Span comment, std::vector<Pragma>& pragmas) {
  const std::size_t first = pragmas.size();
  for (std::uint32_t at = comment.begin; at < comment.end && pragmas.size() < first + kMostInOneComment; ++at) {
    if (text[at] != '#') continue;
    std::optional<Pragma> pragma = Reader(text, {at, comment.end}).Read();
    if (!pragma) continue;
    if (pragmas.size() > first) {
      // What was read so far ends here: read it again within its bounds.
      if (std::optional<Pragma> shorter = Reader(text, {pragmas.back().span.begin, at}).Read()) {
        pragmas.back() = std::move(*shorter);
      }
    }
    pragmas.push_back(std::move(*pragma));
  }
}

}  // namespace

std::vector<Pragma> FindPragmas(const Tree& tree) {
  std::vector<Pragma> pragmas;
  std::optional<Places> places;
  const std::string_view text = tree.text();
  for (const Span comment : tree.comments()) {
    if (!MayHoldPragma(text.substr(comment.begin, comment.size()))) continue;
    const std::size_t first = pragmas.size();
    ReadComment(text, comment, pragmas);
    for (std::size_t i = first; i < pragmas.size(); ++i) {
      if (!places) places.emplace(tree);
      places->Place(pragmas[i], comment.begin);
    }
  }
  return pragmas;
}

}  // namespace cpnlint::syntax
