#include "rules/engine/text.h"

#include <algorithm>

#include "analyzer/base/check.h"

namespace cpnlint::rules {

Text& Text::Add(std::string_view literal) {
  if (literal.empty()) return *this;
  if (!pieces.empty() && pieces.back().span.empty()) {
    pieces.back().literal.append(literal);
  } else {
    pieces.push_back({std::string(literal), {}, Binding::kAnything});
  }
  return *this;
}

Text& Text::Add(Span span) { return Add(span, Binding::kAnything); }

Text& Text::Add(Span span, Binding least) {
  if (!span.empty()) pieces.push_back({{}, span, least});
  return *this;
}

Text& Text::Add(const Text& text) {
  for (const Piece& piece : text.pieces) {
    if (piece.span.empty()) {
      Add(std::string_view(piece.literal));
    } else {
      Add(piece.span, piece.least);
    }
  }
  return *this;
}

namespace {

const Text* Find(const std::vector<std::pair<std::string_view, Text>>& arguments, std::string_view name) {
  // The last one given wins: what a rule says goes before the runner's defaults.
  const Text* found = nullptr;
  for (auto at = arguments.rbegin(); at != arguments.rend(); ++at) {
    if (at->first != name) continue;
    if (!at->second.empty()) return &at->second;
    found = &at->second;
  }
  return found;
}

enum class Missing : std::uint8_t { kNothing, kWords, kArgument };

// Text of `pattern` without clause marks, and what it lacks: the words of an argument, or an argument.
Missing FillClause(std::string_view pattern, const std::vector<std::pair<std::string_view, Text>>& arguments,
                   Text& out) {
  Missing missing = Missing::kNothing;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    out.Add(pattern.substr(0, open));
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}', open);
    CPNLINT_CHECK(close != std::string_view::npos);
    const Text* argument = Find(arguments, pattern.substr(open + 1, close - open - 1));
    if (argument == nullptr) {
      missing = Missing::kArgument;
    } else if (argument->empty()) {
      missing = std::max(missing, Missing::kWords);
      out.Add("...");
    } else {
      out.Add(*argument);
    }
    pattern.remove_prefix(close + 1);
  }
  return missing;
}

}  // namespace

Text Fill(std::string_view pattern, const std::vector<std::pair<std::string_view, Text>>& arguments) {
  Text out;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find("[[");
    CPNLINT_CHECK(FillClause(pattern.substr(0, open), arguments, out) != Missing::kArgument);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find("]]", open);
    CPNLINT_CHECK(close != std::string_view::npos);
    Text clause;
    if (FillClause(pattern.substr(open + 2, close - open - 2), arguments, clause) == Missing::kNothing) out.Add(clause);
    pattern.remove_prefix(close + 2);
  }
  return out;
}

namespace {

constexpr std::size_t kMostColumns = 60;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\0'; }

// The code on one line: comments and line joins fall away, blanks become one space, none where a line breaks at a
// bracket.
std::string OneLine(std::string_view code) {
  std::string out;
  char quote = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    char c = code[i];
    if (quote != 0) {
      if (c == '\\' && i + 1 < code.size()) {
        out.push_back(c);
        c = code[++i];
      } else if (c == quote) {
        quote = 0;
      }
      out.push_back(IsBlank(c) && c != ' ' ? ' ' : c);
      continue;
    }
    if (c == '#') {
      while (i + 1 < code.size() && code[i + 1] != '\n') ++i;
      continue;
    }
    const bool join = c == '\\' && i + 1 < code.size() && (code[i + 1] == '\n' || code[i + 1] == '\r');
    if (join || IsBlank(c)) {
      bool line_break = join || c == '\n';
      while (i + 1 < code.size() && IsBlank(code[i + 1])) line_break |= code[++i] == '\n';
      const bool opening = !out.empty() && std::string_view("([{").find(out.back()) != std::string_view::npos;
      const bool closing = i + 1 < code.size() && std::string_view(")]}").find(code[i + 1]) != std::string_view::npos;
      const bool again = !out.empty() && out.back() == ' ';
      if (!again && !(line_break && (opening || closing))) out.push_back(' ');
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    out.push_back(c);
  }
  return out;
}

std::string Cut(std::string text) {
  std::size_t columns = 0;
  std::size_t end = 0;  // where the text is cut if it turns out too long
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) continue;
    if (columns == kMostColumns - 3) end = i;
    if (++columns > kMostColumns) return text.substr(0, end) + "...";
  }
  return text;
}

}  // namespace

std::string Render(const Text& text, const std::function<std::string_view(Span)>& words) {
  std::string out;
  for (const Text::Piece& piece : text.pieces) {
    if (piece.span.empty()) {
      out += piece.literal;
      continue;
    }
    // A huge span is cut before it is looked at: only its start can be shown.
    std::string code = OneLine(words(piece.span).substr(0, 4096));
    const bool loose = BindingOf(code) < piece.least;
    code = Cut(std::move(code));
    out += loose ? "(" + code + ")" : code;
  }
  return out;
}

std::string Render(const Text& text, std::string_view source) {
  return Render(text, [source](Span span) {
    const std::size_t begin = std::min<std::size_t>(span.begin, source.size());
    return source.substr(begin, std::min<std::size_t>(span.end, source.size()) - begin);
  });
}

}  // namespace cpnlint::rules
