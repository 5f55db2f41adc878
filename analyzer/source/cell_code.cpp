#include "analyzer/source/cell_code.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace cpnlint::source {
namespace {

// A name that no program binds: its value is unknown, and so is a test of it.
constexpr std::string_view kMaybe = "if _____: ";
constexpr std::string_view kBlock = " ";  // what a line of a `%%timeit` cell is indented by

// `%name` that runs a statement, with those of its options (one letter each) that take a value.
struct Runner {
  std::string_view name;
  std::string_view with_value;
  bool keeps_names = true;  // what the statement binds is bound afterwards
};
constexpr std::array kRunners = {
    Runner{"time", ""},         Runner{"timeit", "nrp", false}, Runner{"prun", "lsTD"},  Runner{"memit", "rti", true},
    Runner{"lprun", "fmDTsu"},  Runner{"mprun", "fT"},          Runner{"snakeviz", "f"}, Runner{"debug", "b"},
    Runner{"pyinstrument", ""}, Runner{"scalene", ""},
};

// `%%name` whose cell is Python that runs here.
constexpr std::array<std::string_view, 11> kPythonCells = {
    "time", "capture", "prun", "memit", "debug", "heat", "timeit", "snakeviz", "pyinstrument", "scalene", "mprun"};

constexpr std::string_view kPylab = "import numpy, numpy as np; from pylab import *; from numpy import *";

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t SkipBlanks(std::string_view text, std::size_t at) {
  while (at < text.size() && IsBlank(text[at])) ++at;
  return at;
}

std::string_view WordAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && IsWord(text[end])) ++end;
  return text.substr(at, end - at);
}

bool IsAnyOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Cannot stand behind a colon.
bool StartsBlock(std::string_view word) {
  return IsAnyOf(word, {"for", "while", "if", "with", "try", "def", "class", "async", "match"});
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool EndsWithBackslash(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return !line.empty() && line.back() == '\\';
}

class Reader {
 public:
  explicit Reader(std::string_view code) : lines_(SplitLines(code)) {}

  CellCode Run() {
    std::size_t first = 0;
    while (first < lines_.size() && IsEmpty(first)) ++first;
    FindIndent(first);
    for (std::size_t i = 0; i < first; ++i) Keep(i);
    std::size_t next = first;
    while (next < lines_.size() && Line(next).substr(0, 2) == "%%") {
      const std::string_view name = WordAt(Line(next), 2);
      if (std::find(kPythonCells.begin(), kPythonCells.end(), name) == kPythonCells.end()) {
        cell_.python = false;
        cell_.lines.clear();
        return std::move(cell_);
      }
      if (name == "timeit" && HasCode(next + 1)) {
        Put(std::string(kMaybe), 0);
        cell_.lines.back().text.pop_back();
        in_block_ = true;
      } else {
        Comment(next);
      }
      ++next;
      for (; next < lines_.size() && IsEmpty(next); ++next) Keep(next);
    }
    while (next < lines_.size()) next = ReadLine(next);
    return std::move(cell_);
  }

 private:
  [[nodiscard]] bool IsEmpty(std::size_t i) const {
    return lines_[i].find_first_not_of(" \t\f\r") == std::string_view::npos;
  }

  // Whether a line from `i` on is more than a comment or blank.
  [[nodiscard]] bool HasCode(std::size_t i) const {
    for (; i < lines_.size(); ++i) {
      const std::size_t at = lines_[i].find_first_not_of(" \t\f\r");
      if (at != std::string_view::npos && lines_[i][at] != '#') return true;
    }
    return false;
  }

  void FindIndent(std::size_t first) {
    if (first == lines_.size()) return;
    const std::string_view line = lines_[first];
    std::size_t end = 0;
    while (end < line.size() && (line[end] == ' ' || line[end] == '\t')) ++end;
    indent_ = line.substr(0, end);
  }

  // The line without the cell's indentation.
  [[nodiscard]] std::string_view Line(std::size_t i) const {
    std::string_view line = lines_[i];
    if (line.substr(0, indent_.size()) == indent_) line.remove_prefix(indent_.size());
    return line;
  }

  [[nodiscard]] std::int32_t Removed(std::size_t i) const {
    return static_cast<std::int32_t>(lines_[i].size() - Line(i).size());
  }

  void Put(std::string text, std::int32_t shift) { cell_.lines.push_back({std::move(text), shift}); }

  // The line from byte `from` on, with `front` before it.
  void PutRest(std::size_t i, std::size_t from, std::string front) {
    const auto shift = static_cast<std::int32_t>(from) - static_cast<std::int32_t>(front.size());
    Put(std::move(front) + std::string(Line(i).substr(from)), Removed(i) + shift);
  }

  void Keep(std::size_t i) { PutRest(i, 0, std::string(in_block_ && !IsEmpty(i) ? kBlock : "")); }

  // A line that is no Python: a comment, or in a block, which it may be all of, a statement as well.
  void Comment(std::size_t i) {
    const std::string_view line = Line(i);
    const std::size_t at = SkipBlanks(line, 0);
    if (at == 0 && !in_block_) {
      Put('#' + std::string(line.substr(std::min<std::size_t>(1, line.size()))), Removed(i));
    } else {
      Put(std::string(in_block_ ? kBlock : "") + std::string(line.substr(0, at)) + "0", Removed(i));
    }
  }

  // The lines of a command that backslashes hold together, as comments.
  std::size_t CommentCommand(std::size_t i) {
    Comment(i);
    while (EndsWithBackslash(lines_[i]) && i + 1 < lines_.size()) {
      ++i;
      Put("", 0);
    }
    return i + 1;
  }

  // Reads the logical line that starts with line `i`; gives the first line behind it.
  std::size_t ReadLine(std::size_t i) {
    const std::string_view line = Line(i);
    const std::size_t at = SkipBlanks(line, 0);
    const char c = at < line.size() ? line[at] : '\0';
    if (c == '!' || c == '?') return CommentCommand(i);
    if (c == '%') return ReadMagic(i, at);
    return ReadPython(i);
  }

  std::size_t ReadMagic(std::size_t i, std::size_t at) {
    const std::string_view line = Line(i);
    const std::string_view name = WordAt(line, at + 1);
    const std::string front = std::string(in_block_ ? kBlock : "") + std::string(line.substr(0, at));
    if (name == "pylab" && line.find("--no-import-all") == std::string_view::npos) {
      Put(front + std::string(kPylab), Removed(i));
      return i + 1;
    }
    const auto runner =
        std::find_if(kRunners.begin(), kRunners.end(), [&](const Runner& known) { return known.name == name; });
    if (runner == kRunners.end() || EndsWithBackslash(line)) return CommentCommand(i);
    const std::size_t statement = SkipOptions(line, at + 1 + name.size(), runner->with_value);
    const std::string_view words = line.substr(statement);
    if (words.empty() || words.front() == '\r' || words.front() == '?') return CommentCommand(i);
    if (runner->keeps_names) {
      PutRest(i, statement, front);
    } else if (StartsBlock(WordAt(words, 0))) {
      Comment(i);
    } else {
      PutRest(i, statement, front + std::string(kMaybe));
    }
    return i + 1;
  }

  static std::size_t SkipOptions(std::string_view line, std::size_t at, std::string_view with_value) {
    at = SkipBlanks(line, at);
    while (at + 1 < line.size() && line[at] == '-' && WordAt(line, at + 1).size() > 0) {
      const std::string_view option = WordAt(line, at + 1);
      const bool takes_value = with_value.find(option.front()) != std::string_view::npos;
      at += 1 + option.size();
      if (takes_value && option.size() == 1) {
        at = SkipBlanks(line, at);
        while (at < line.size() && !IsBlank(line[at]) && line[at] != '\r') ++at;
      }
      at = SkipBlanks(line, at);
    }
    return at;
  }

  // A logical line of Python, as far as brackets, strings and backslashes go. Looks out for `x = !ls` and `x?`.
  std::size_t ReadPython(std::size_t i) {
    int depth = 0;
    char quote = '\0';
    bool triple = false;
    for (; i < lines_.size(); ++i) {
      const std::string_view line = Line(i);
      std::size_t command = std::string_view::npos;  // where `!ls` starts
      std::size_t last = std::string_view::npos;     // the last byte of code
      bool goes_on = false;
      for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (quote != '\0') {
          if (c == '\\') {
            ++at;
            goes_on = at >= line.size() || (line[at] == '\r' && at + 1 == line.size());
          } else if (c == quote && (!triple || line.substr(at, 3) == std::string(3, quote))) {
            at += triple ? 2 : 0;
            quote = '\0';
          }
          last = at;
          continue;
        }
        if (c == '#') break;
        if (IsBlank(c) || c == '\r') continue;
        last = at;
        if (c == '"' || c == '\'') {
          quote = c;
          triple = line.substr(at, 3) == std::string(3, c);
          at += triple ? 2 : 0;
        } else if (c == '(' || c == '[' || c == '{') {
          ++depth;
        } else if (c == ')' || c == ']' || c == '}') {
          depth = std::max(0, depth - 1);
        } else if (c == '=' && depth == 0 && command == std::string_view::npos) {
          command = CommandAfter(line, at);
          if (command != std::string_view::npos) break;
        } else if (c == '\\' && EndsWithBackslash(line.substr(0, at + 2)) && at + 2 >= line.size()) {
          goes_on = true;
        }
      }
      if (command != std::string_view::npos) return ReadCommandResult(i, command);
      const bool asks = depth == 0 && quote == '\0' && last < line.size() && line[last] == '?';
      if (asks) return CommentCommand(i);
      Keep(i);
      if (quote != '\0' && !triple && !goes_on) quote = '\0';  // never closed
      if (depth == 0 && quote == '\0' && !goes_on) return i + 1;
    }
    return i;
  }

  // Where `!ls` or `%magic` starts behind the `=` at `at`; npos where something else follows.
  static std::size_t CommandAfter(std::string_view line, std::size_t at) {
    constexpr std::string_view kNotAlone = "=<>!+-*/%&|^@:~";
    if (at == 0 || kNotAlone.find(line[at - 1]) != std::string_view::npos) return std::string_view::npos;
    const std::size_t next = SkipBlanks(line, at + 1);
    if (next + 1 >= line.size()) return std::string_view::npos;
    const bool command = line[next] == '!' && line[next + 1] != '=';
    const bool magic = line[next] == '%' && IsWord(line[next + 1]);
    return command || magic ? next : std::string_view::npos;
  }

  std::size_t ReadCommandResult(std::size_t i, std::size_t command) {
    PutRest(i, 0, std::string(in_block_ ? kBlock : ""));
    std::string& text = cell_.lines.back().text;
    text.resize(command + (in_block_ ? kBlock.size() : 0));
    text += "_____";
    while (EndsWithBackslash(lines_[i]) && i + 1 < lines_.size()) {
      ++i;
      Put("", 0);
    }
    return i + 1;
  }

  std::vector<std::string_view> lines_;
  std::string_view indent_;
  bool in_block_ = false;  // in a `%%timeit` cell
  CellCode cell_;
};

}  // namespace

CellCode ReadCell(std::string_view code) { return Reader(code).Run(); }

}  // namespace cpnlint::source
