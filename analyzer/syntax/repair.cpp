#include "analyzer/syntax/repair.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "analyzer/syntax/logical_lines.h"

namespace cpnlint::syntax {
namespace {

bool IsAnyOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool StartsClause(std::string_view word) { return IsAnyOf(word, {"elif", "else", "except", "finally"}); }

bool HasClauses(std::string_view word) { return IsAnyOf(word, {"if", "for", "while", "try", "async"}); }

std::string Quoted(std::string_view text) { return '`' + std::string(text) + '`'; }

// A line with what it needs around it to be parsed by itself. `shift` is where the line starts in it.
struct Piece {
  std::string text;
  std::size_t shift = 0;
};

Piece Wrap(std::string_view line, bool as_case) {
  const std::string_view word = FirstWord(line);
  Piece piece;
  if (IsAnyOf(word, {"elif", "else"})) piece.text = "if 0: pass\n";
  if (IsAnyOf(word, {"except", "finally"})) piece.text = "try: pass\n";
  if (as_case) piece.text = "match 0:\n ";
  piece.shift = piece.text.size();
  piece.text += line;
  if (line.front() == '@') {
    piece.text += "\ndef f(): pass";
  } else if (line.back() == ':') {
    piece.text += word == "match" ? "\n case _: pass" : " pass";
  }
  if (word == "try" && line.back() == ':') piece.text += "\nfinally: pass";
  piece.text += '\n';
  return piece;
}

}  // namespace

struct Repair::Lines {
  std::string_view text;
  std::vector<LogicalLine> all;

  [[nodiscard]] std::string_view Text(std::size_t i) const {
    return text.substr(all[i].span.begin, all[i].span.size());
  }

  // The lines [first, last] of the statement that line `i` belongs to.
  [[nodiscard]] std::pair<std::size_t, std::size_t> Statement(std::size_t i) const {
    std::size_t first = i;
    const std::uint32_t column = all[i].column;
    if (StartsClause(FirstWord(Text(i)))) {
      while (first > 0 && all[first - 1].column >= column) {
        --first;
        if (all[first].column == column && !StartsClause(FirstWord(Text(first)))) break;
      }
      if (!HasClauses(FirstWord(Text(first)))) first = i;
    }
    while (first > 0 && all[first - 1].column == column && Text(first - 1).front() == '@') --first;
    std::size_t header = i;
    while (header + 1 < all.size() && Text(header).front() == '@' && all[header + 1].column == column) ++header;
    std::size_t last = EndOfBlock(header);
    const bool clauses = first != i || HasClauses(FirstWord(Text(header)));
    while (clauses && last + 1 < all.size() && all[last + 1].column == column &&
           StartsClause(FirstWord(Text(last + 1)))) {
      last = EndOfBlock(last + 1);
    }
    return {first, last};
  }

  [[nodiscard]] std::size_t EndOfBlock(std::size_t header) const {
    std::size_t last = header;
    while (last + 1 < all.size() && all[last + 1].column > all[header].column) ++last;
    return last;
  }

  [[nodiscard]] BrokenStatement Broken(std::size_t i, Span error, std::string reason) const {
    const auto [first, last] = Statement(i);
    return {{all[first].span.begin, all[last].span.end}, error, std::move(reason)};
  }
};

Repair::Repair(std::string_view original, ParsePiece parse_piece)
    : original_(original), parse_piece_(std::move(parse_piece)), text_(original) {}

bool Repair::Round(const std::vector<ErrorSpot>& errors) {
  const std::string before = text_;
  const Lines lines{before, FindLogicalLines(before)};
  if (lines.all.empty() || pieces_left_ <= 0) return false;
  std::vector<BrokenStatement> found;
  std::size_t next = 0;  // each line is checked once
  for (const ErrorSpot& error : errors) {
    std::size_t first = LineAt(lines.all, error.span.begin);
    if (first == lines.all.size()) first = 0;
    if (first > 0) --first;  // a line that is not finished shows in the next one
    for (std::size_t i = std::max(first, next);
         i < lines.all.size() && lines.all[i].span.begin <= error.span.end && pieces_left_ > 0; ++i) {
      CheckLine(lines, i, found);
      next = i + 1;
    }
  }
  if (found.empty() && text_ == before && !errors.empty()) found.push_back(Structural(lines, errors.front()));
  TakeOut(std::move(found));
  return text_ != before;
}

void Repair::CheckLine(const Lines& lines, std::size_t index, std::vector<BrokenStatement>& found) {
  const LogicalLine& line = lines.all[index];
  const Span at = line.fault_at;
  if (line.fault == LogicalLine::Fault::kString) {
    found.push_back(lines.Broken(index, at, "string is never closed"));
    return;
  }
  if (line.fault != LogicalLine::Fault::kNone) {
    const std::string bracket = Quoted(lines.text.substr(at.begin, 1));
    const bool closer = line.fault == LogicalLine::Fault::kCloser;
    found.push_back(lines.Broken(index, at, bracket + (closer ? " closes nothing" : " is never closed")));
    return;
  }
  const std::string_view text = lines.Text(index);
  if (BlankTypeDefaults(line.span)) return;
  --pieces_left_;
  Piece piece = Wrap(text, false);
  std::vector<ErrorSpot> errors = parse_piece_(piece.text);
  if (!errors.empty() && FirstWord(text) == "case") {
    Piece wrapped = Wrap(text, true);
    std::vector<ErrorSpot> again = parse_piece_(wrapped.text);
    if (again.empty()) return;
    errors = std::move(again);
    piece = std::move(wrapped);
  }
  if (errors.empty()) return;
  const ErrorSpot& error = errors.front();
  const auto shift = static_cast<std::uint32_t>(piece.shift);
  Span spot{line.span.begin + (std::max(error.span.begin, shift) - shift),
            line.span.begin + (std::max(error.span.end, shift) - shift)};
  spot.begin = std::min(spot.begin, line.span.end - 1);
  spot.end = std::clamp(spot.end, spot.begin + 1, line.span.end);
  std::string reason = error.missing.empty() ? "syntax error" : "expected " + Quoted(error.missing);
  found.push_back(lines.Broken(index, spot, std::move(reason)));
}

// Every line is well formed, so a line stands where it must not. A line that was replaced in an earlier round is not at
// fault a second time: then the header above it is.
BrokenStatement Repair::Structural(const Lines& lines, const ErrorSpot& error) const {
  std::size_t index = LineAt(lines.all, error.span.begin);
  if (index == lines.all.size()) index = 0;
  const auto is_placeholder = [&](std::size_t i) {
    return std::any_of(taken_out_.begin(), taken_out_.end(),
                       [&](const BrokenStatement& taken) { return taken.statement.begin == lines.all[i].span.begin; });
  };
  if (is_placeholder(index)) {
    std::size_t header = index;
    while (header > 0 && lines.all[header].column >= lines.all[index].column) --header;
    index = header;
  }
  const LogicalLine& line = lines.all[index];
  const std::string_view word = FirstWord(lines.Text(index));
  std::string reason = "syntax error";
  if (StartsClause(word)) {
    reason = Quoted(word) + " without its statement";
  } else if (index > 0 && line.column > lines.all[index - 1].column && lines.Text(index - 1).back() != ':') {
    reason = "unexpected indentation";
  } else if (lines.Text(index).back() == ':' &&
             (index + 1 == lines.all.size() || lines.all[index + 1].column <= line.column)) {
    reason = "expected an indented block";
  }
  return lines.Broken(index, line.span, std::move(reason));
}

// `class A[T = int]`, `def f[*Ts = *tuple[int]]`: the grammar does not know the defaults of type parameters (Python
// 3.13). They say nothing about arrays, so they are blanked out. True when something was.
bool Repair::BlankTypeDefaults(Span line) {
  const std::string_view text = std::string_view(text_).substr(line.begin, line.size());
  if (!IsAnyOf(FirstWord(text), {"class", "def", "async", "type"})) return false;
  const std::size_t open = text.find_first_of("[(:=");
  if (open == std::string_view::npos || text[open] != '[') return false;
  int depth = 0;
  std::optional<std::size_t> from;
  std::vector<std::pair<std::size_t, std::size_t>> blanks;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    const bool ends = depth == 1 && (c == ',' || c == ']');
    if (ends && from) {
      blanks.emplace_back(*from, i);
      from.reset();
    }
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
    if (depth == 0) break;
    if (depth == 1 && c == '=' && !from) from = i;
  }
  for (const auto& [begin, end] : blanks) {
    for (std::size_t i = line.begin + begin; i < line.begin + end; ++i) {
      if (text_[i] != '\n' && text_[i] != '\r') text_[i] = ' ';
    }
  }
  return !blanks.empty();
}

void Repair::TakeOut(std::vector<BrokenStatement> found) {
  if (found.empty()) return;
  for (const BrokenStatement& broken : found) {
    for (std::uint32_t i = broken.statement.begin; i < broken.statement.end; ++i) {
      if (text_[i] != '\n' && text_[i] != '\r') text_[i] = ' ';
    }
    text_[broken.statement.begin] = '0';
  }
  taken_out_.insert(taken_out_.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  // Larger statements first, so that what lies within one falls out.
  std::stable_sort(taken_out_.begin(), taken_out_.end(), [](const BrokenStatement& a, const BrokenStatement& b) {
    return a.statement.begin != b.statement.begin ? a.statement.begin < b.statement.begin
                                                  : a.statement.end > b.statement.end;
  });
  std::vector<BrokenStatement> outer;
  for (BrokenStatement& broken : taken_out_) {
    if (!outer.empty() && broken.statement.begin < outer.back().statement.end) {
      // What was replaced in an earlier round is shorter in the text than it was.
      outer.back().statement.end = std::max(outer.back().statement.end, broken.statement.end);
      continue;
    }
    outer.push_back(std::move(broken));
  }
  taken_out_ = std::move(outer);
  // A placeholder within a larger statement that was replaced has to go.
  for (const BrokenStatement& broken : taken_out_) {
    for (std::uint32_t i = broken.statement.begin + 1; i < broken.statement.end; ++i) {
      if (text_[i] != '\n' && text_[i] != '\r') text_[i] = ' ';
    }
  }
}

}  // namespace cpnlint::syntax
