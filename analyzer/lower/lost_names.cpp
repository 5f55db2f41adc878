#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/lower/scopes.h"

namespace cpnlint::lower {
namespace {

constexpr std::size_t kMostTargets = 200;

constexpr std::array<std::string_view, 36> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",    "print"};

bool IsKeyword(std::string_view word) { return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end(); }

bool StartsWord(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }
bool InWord(char c) { return StartsWord(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string_view WordAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && InWord(text[end])) ++end;
  return text.substr(at, end - at);
}

// One line of it, as far as that can be told without a parser: strings and brackets may span lines, which only loses
// names.
void TargetsInLine(std::string_view line, std::vector<std::string_view>& out) {
  std::vector<std::string_view> candidates;
  int depth = 0;
  bool after_binder = false, in_for = false, in_import = false;
  char before = '\n';
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c == '#') break;
    if (c == '"' || c == '\'') {
      const std::size_t close = line.find(c, i + 1);
      if (close == std::string_view::npos) break;
      i = close + 1;
      before = c;
      continue;
    }
    if (StartsWord(c)) {
      const std::string_view word = WordAt(line, i);
      i += word.size();
      if (word == "for") {
        in_for = true;
      } else if (word == "in") {
        in_for = false;
      } else if (word == "import") {
        in_import = true;
      } else if (word == "def" || word == "class" || word == "as") {
        after_binder = true;
        if (word == "as" && in_import && !out.empty()) out.pop_back();
      } else if (!IsKeyword(word) && before != '.') {
        if (after_binder || in_for || in_import)
          out.push_back(word);
        else if (depth == 0)
          candidates.push_back(word);
        after_binder = false;
      }
      before = 'a';
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      ++depth;
      if (!candidates.empty() && before == 'a') candidates.pop_back();  // a call or a subscript, not a name
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == '.' && before == 'a' && !candidates.empty()) {
      candidates.pop_back();
    } else if (c == '=' && depth == 0) {
      if (i + 1 < line.size() && line[i + 1] == '=') {
        candidates.clear();
        ++i;
      } else if (before != '!' && before != '<' && before != '>') {
        out.insert(out.end(), candidates.begin(), candidates.end());
        candidates.clear();
      }
    }
    if (std::isspace(static_cast<unsigned char>(c)) == 0) before = c;
    ++i;
  }
}

}  // namespace

std::vector<std::string_view> TargetsInText(std::string_view text) {
  std::vector<std::string_view> out;
  // The inside of a definition has its own names.
  const std::size_t start = text.find_first_not_of(" \t\f");
  const std::string_view first = start == std::string_view::npos ? std::string_view() : WordAt(text, start);
  const bool definition = first == "def" || first == "class" || first == "async";
  while (!text.empty() && out.size() < kMostTargets) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    TargetsInLine(text.substr(0, end), out);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (definition) {
      if (out.size() > 1) out.resize(1);
      break;
    }
  }
  return out;
}

}  // namespace cpnlint::lower
