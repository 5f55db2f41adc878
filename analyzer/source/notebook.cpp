#include "analyzer/source/notebook.h"

#include <algorithm>
#include <cstddef>

#include "analyzer/base/utf8.h"
#include "analyzer/source/cell_code.h"
#include "analyzer/source/json_scanner.h"

namespace cpnlint::source {
namespace {

using Token = JsonScanner::Token;

// A cell as it stands in the file.
struct RawCell {
  bool code = false;
  std::string_view language;  // empty where the cell does not say
  std::vector<Span> source;   // JSON strings without their quotes, to be joined
};

struct RawNotebook {
  std::vector<RawCell> cells;
  std::string_view language;
  std::string_view kernel_language;
};

// Calls `member` with each key of an object and the first token of its value, which it has to read to its end. False on
// an error. The object's opening brace was the last token.
template <class Member>
bool ReadMembers(JsonScanner& json, Member member) {
  while (json.Next() == Token::kKey) {
    const std::string_view key = json.words();
    const Token value = json.Next();
    if (value == Token::kError || !member(key, value)) return false;
  }
  return json.token() == Token::kEndObject;
}

// The same for the elements of an array.
template <class Element>
bool ReadElements(JsonScanner& json, Element element) {
  while (true) {
    const Token value = json.Next();
    if (value == Token::kEndArray) return true;
    if (value == Token::kError || !element(value)) return false;
  }
}

// `{"<key>": "<value>"}`: sets `value`.
bool ReadStringMember(JsonScanner& json, std::string_view wanted, std::string_view& value) {
  if (json.token() != Token::kBeginObject) return json.SkipValue();
  return ReadMembers(json, [&](std::string_view key, Token token) {
    if (key == wanted && token == Token::kString) value = json.words();
    return json.SkipValue();
  });
}

bool ReadSource(JsonScanner& json, std::vector<Span>& source) {
  source.clear();
  if (json.token() == Token::kString) {
    source.push_back(json.span());
    return true;
  }
  if (json.token() != Token::kBeginArray) return json.SkipValue();
  return ReadElements(json, [&](Token token) {
    if (token == Token::kString) source.push_back(json.span());
    return json.SkipValue();
  });
}

bool ReadRawCell(JsonScanner& json, RawCell& cell) {
  return ReadMembers(json, [&](std::string_view key, Token token) {
    if (key == "cell_type" && token == Token::kString) cell.code = json.words() == "code";
    if (key == "source" || key == "input") return ReadSource(json, cell.source);
    if (key == "language" && token == Token::kString) cell.language = json.words();
    if (key == "metadata" && token == Token::kBeginObject) {
      return ReadMembers(json, [&](std::string_view inner, Token) {
        return inner == "vscode" ? ReadStringMember(json, "languageId", cell.language) : json.SkipValue();
      });
    }
    return json.SkipValue();
  });
}

bool ReadCells(JsonScanner& json, std::vector<RawCell>& cells) {
  return ReadElements(json, [&](Token token) {
    if (token != Token::kBeginObject) return json.SkipValue();
    RawCell cell;
    if (!ReadRawCell(json, cell)) return false;
    if (cell.code) cells.push_back(std::move(cell));
    return true;
  });
}

// Format 3 divides a notebook into worksheets.
bool ReadWorksheets(JsonScanner& json, std::vector<RawCell>& cells) {
  return ReadElements(json, [&](Token token) {
    if (token != Token::kBeginObject) return json.SkipValue();
    return ReadMembers(json, [&](std::string_view key, Token value) {
      if (key == "cells" && value == Token::kBeginArray) return ReadCells(json, cells);
      return json.SkipValue();
    });
  });
}

bool ReadMetadata(JsonScanner& json, RawNotebook& notebook) {
  return ReadMembers(json, [&](std::string_view key, Token) {
    if (key == "language_info") return ReadStringMember(json, "name", notebook.language);
    if (key == "kernelspec") return ReadStringMember(json, "language", notebook.kernel_language);
    return json.SkipValue();
  });
}

// Keys that stand twice count where they stand last, as for Python. False on an error, or where there are no cells.
bool ReadRaw(JsonScanner& json, RawNotebook& notebook) {
  bool has_cells = false;
  if (json.Next() != Token::kBeginObject) {
    // Is it JSON at all?
    if (json.SkipValue()) json.Next();
    return false;
  }
  const bool sound = ReadMembers(json, [&](std::string_view key, Token token) {
    const bool cells = key == "cells" && token == Token::kBeginArray;
    const bool sheets = key == "worksheets" && token == Token::kBeginArray;
    if (cells || sheets) {
      has_cells = true;
      notebook.cells.clear();
    }
    if (cells) return ReadCells(json, notebook.cells);
    if (sheets) return ReadWorksheets(json, notebook.cells);
    if (key == "metadata" && token == Token::kBeginObject) return ReadMetadata(json, notebook);
    return json.SkipValue();
  });
  return sound && json.Next() == Token::kEnd && has_cells;
}

bool IsPython(std::string_view language) {
  std::string lower(language);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower.empty() || lower.rfind("python", 0) == 0 || lower.rfind("ipython", 0) == 0;
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// UTF-16 units of the character that starts with this byte, and how many bytes it has.
std::uint32_t Utf16Units(char lead) { return static_cast<unsigned char>(lead) >= 0xF0 ? 2 : 1; }
std::uint32_t ByteCount(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

void Advance(RawPosition& position, std::string_view text) {
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    ++position.column;
    position.utf16 += Utf16Units(c);
  }
  position.byte += static_cast<std::uint32_t>(text.size());
}

// Turns ascending offsets of the file into lines and columns, in one pass over it.
class RawCursor {
 public:
  explicit RawCursor(std::string_view text)
      : text_(text), at_(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {}

  RawPosition At(std::size_t offset) {
    if (offset < at_) *this = RawCursor(text_);  // cells that stand twice are read out of order; never in practice
    if (offset < at_) return position_;
    const std::string_view passed = text_.substr(at_, offset - at_);
    const std::size_t newline = passed.rfind('\n');
    std::string_view rest = passed;
    if (newline != std::string_view::npos) {
      position_.line += static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
      position_.column = position_.utf16 = position_.byte = 1;
      rest = passed.substr(newline + 1);
    }
    Advance(position_, rest);
    at_ = offset;
    return position_;
  }

 private:
  std::string_view text_;
  std::size_t at_;
  RawPosition position_;
};

// The code of one cell, decoded.
struct Decoded {
  struct Escape {
    std::size_t offset = 0;   // of the character in `code`
    std::uint32_t extra = 0;  // UTF-16 units that JSON has more
  };
  std::string code;
  std::vector<std::size_t> line_starts;  // for each line of `code`, where its first character stands in the file
  std::vector<Escape> escapes;
};

std::uint32_t HexDigits(std::string_view text) {
  std::uint32_t value = 0;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 0;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  return value;
}

class Decoder {
 public:
  Decoder(std::string_view json, Decoded& out) : json_(json), out_(out) {}

  void Run(const std::vector<Span>& strings) {
    bool at_line_start = true;
    for (const Span string : strings) {
      for (std::size_t at = string.begin; at < string.end;) {
        if (at_line_start) out_.line_starts.push_back(at);
        at = json_[at] == '\\' ? Escape(at, string.end) : Plain(at, string.end);
        at_line_start = out_.code.back() == '\n';
      }
    }
  }

 private:
  std::size_t Plain(std::size_t at, std::size_t end) {
    const std::size_t stop = std::min(json_.find('\\', at), end);
    out_.code.append(json_, at, stop - at);
    return stop;
  }

  std::size_t Escape(std::size_t at, std::size_t end) {
    const std::size_t offset = out_.code.size();
    const std::size_t from = at;
    const char c = at + 1 < end ? json_[at + 1] : '\\';
    at += 2;
    std::uint32_t units = 1;
    switch (c) {
      case 'n': out_.code += '\n'; return at;
      case 't': out_.code += '\t'; break;
      case 'r': out_.code += '\r'; break;
      case 'b': out_.code += '\b'; break;
      case 'f': out_.code += '\f'; break;
      case 'u': {
        std::uint32_t code = HexDigits(json_.substr(at, std::min<std::size_t>(4, end - at)));
        at = std::min(at + 4, end);
        if (code >= 0xD800 && code < 0xDC00 && json_.substr(at, 2) == "\\u" && at + 6 <= end) {
          const std::uint32_t low = HexDigits(json_.substr(at + 2, 4));
          if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            units = 2;
            at += 6;
          }
        }
        // Python can do nothing with these in source.
        if (code == 0) code = '?';
        if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
        if (code == '\n') {
          out_.code += '\n';
          return at;
        }
        AppendUtf8(out_.code, code);
        break;
      }
      default: out_.code += c; break;
    }
    at = std::min(at, end);
    out_.escapes.push_back({offset, static_cast<std::uint32_t>(at - from) - units});
    return at;
  }

  std::string_view json_;
  Decoded& out_;
};

class Builder {
 public:
  Builder(std::string_view json, Notebook& notebook) : cursor_(json), json_(json), out_(notebook) {}

  void Run(const std::vector<RawCell>& cells) {
    for (const RawCell& cell : cells) {
      ++ordinal_;
      if (IsPython(cell.language)) Add(cell);
    }
    NotebookLine end;
    if (!out_.map.lines.empty()) {
      end = out_.map.lines.back();
      ++end.line;
      end.shift = 0;
    }
    out_.map.lines.push_back(end);
  }

 private:
  void Add(const RawCell& cell) {
    Decoded decoded;
    Decoder(json_, decoded).Run(cell.source);
    MendCell(decoded.code);
    const CellCode code = ReadCell(decoded.code);
    if (!code.python || code.lines.empty()) return;
    const auto begin = static_cast<std::uint32_t>(out_.text.size());
    auto escape = decoded.escapes.begin();
    std::size_t at = 0;  // where the line starts in the cell's code
    for (std::size_t i = 0; i < code.lines.size(); ++i) {
      const CodeLine& line = code.lines[i];
      const std::size_t length = std::min(decoded.code.find('\n', at), decoded.code.size()) - at;
      const std::string_view written = std::string_view(decoded.code).substr(at, length);
      AddLine(line, written, static_cast<std::uint32_t>(i + 1), decoded.line_starts[i]);
      for (; escape != decoded.escapes.end() && escape->offset < at + length; ++escape) {
        AddEscape(line, escape->offset - at, escape->extra);
      }
      out_.text += line.text + '\n';
      at += length + 1;
    }
    // A backslash that ends a cell has nothing to go on with.
    if (code.lines.back().text.ends_with('\\') || code.lines.back().text.ends_with("\\\r")) {
      NotebookLine blank = out_.map.lines.back();
      ++blank.line;
      blank.shift = 0;
      out_.map.lines.push_back(blank);
      out_.text += '\n';
    }
    out_.map.cells.push_back({begin, static_cast<std::uint32_t>(out_.text.size())});
  }

  // A CR that no LF follows would tear a line apart that the map holds together.
  static void MendCell(std::string& code) {
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (code[i] == '\r' && (i + 1 == code.size() || code[i + 1] != '\n')) code[i] = ' ';
    }
  }

  void AddLine(const CodeLine& line, std::string_view written, std::uint32_t number, std::size_t raw) {
    out_.map.lines.push_back({ordinal_, number, line.shift, cursor_.At(raw)});
    if (line.text != written) {
      const std::string_view shown = written.substr(0, written.size() - (written.ends_with('\r') ? 1 : 0));
      out_.map.written.emplace_back(static_cast<std::uint32_t>(out_.map.lines.size()), std::string(shown));
    }
  }

  // `column` is in bytes of the cell's line. What stands in front of the text moves the whole line.
  void AddEscape(const CodeLine& line, std::size_t column, std::uint32_t extra) {
    const auto shift = static_cast<std::ptrdiff_t>(line.shift);
    const auto in_text = static_cast<std::ptrdiff_t>(column) - shift;
    if (in_text < 0) {
      // A blank or a piece of ASCII: it is as many units as bytes.
      RawPosition& raw_start = out_.map.lines.back().raw;
      raw_start.column += extra;
      raw_start.utf16 += extra;
      raw_start.byte += extra;
    } else if (static_cast<std::size_t>(in_text) < line.text.size()) {  // what IPython alone reads is not in the text
      out_.map.escapes.emplace_back(static_cast<std::uint32_t>(out_.text.size() + static_cast<std::size_t>(in_text)),
                                    extra);
    }
  }

  RawCursor cursor_;
  std::string_view json_;
  Notebook& out_;
  std::uint32_t ordinal_ = 0;
};

std::string WhatIsWrong(std::string_view json, const JsonScanner& scanner) {
  if (json.rfind("version https://git-lfs.github.com/spec/", 0) == 0) {
    return "a Git LFS pointer stands in the notebook's place; fetch it with `git lfs pull`";
  }
  if (scanner.token() != Token::kError) return "this is no notebook: it has no cells";
  const RawPosition at = RawCursor(json).At(scanner.span().begin);
  std::string where = "line " + std::to_string(at.line) + ", column " + std::to_string(at.column);
  const std::size_t line = json.rfind('\n', scanner.span().begin);
  const std::string_view rest = json.substr(line == std::string_view::npos ? 0 : line + 1);
  for (const std::string_view mark : {"<<<<<<<", "=======", ">>>>>>>"}) {
    if (rest.rfind(mark, 0) == 0) return "a merge conflict is left in the notebook, in " + where + "; resolve it";
  }
  return "this is no notebook: malformed JSON in " + where + ": " + scanner.error();
}

}  // namespace

bool IsNotebookPath(std::string_view path) { return path.ends_with(".ipynb"); }

Notebook ReadNotebook(std::string_view json) {
  Notebook notebook;
  if (json.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    notebook.map.lines.emplace_back();  // made with `touch`: Jupyter fills it when it opens it
    return notebook;
  }
  JsonScanner scanner(json);
  RawNotebook raw;
  if (!ReadRaw(scanner, raw)) {
    notebook.problem = WhatIsWrong(json, scanner);
    return notebook;
  }
  const std::string_view language = raw.language.empty() ? raw.kernel_language : raw.language;
  if (!IsPython(language)) {
    notebook.foreign = true;
    notebook.problem = "a notebook in `" + std::string(language) + "`, not in Python";
    notebook.map.lines.emplace_back();
    return notebook;
  }
  Builder(json, notebook).Run(raw.cells);
  return notebook;
}

NotebookPlace NotebookMap::Locate(const LineIndex& text, std::uint32_t offset) const {
  const Position in_text = text.ToPosition(offset);
  const Position utf16 = text.ToUtf16Position(offset);
  const Span span = text.LineSpan(in_text.line);
  const std::uint32_t at = std::clamp(offset, span.begin, span.end);
  const NotebookLine& line = lines[std::min<std::size_t>(in_text.line, lines.size()) - 1];
  const auto shifted = [&](std::uint32_t column) {
    return static_cast<std::uint32_t>(std::max<std::int64_t>(0, static_cast<std::int64_t>(column) + line.shift));
  };
  NotebookPlace place;
  place.cell = line.cell;
  place.position = {line.line, shifted(in_text.column - 1) + 1};
  place.byte = shifted(at - span.begin);
  place.raw = line.raw;
  place.raw.column += shifted(in_text.column - 1);
  place.raw.utf16 += shifted(utf16.column - 1);
  place.raw.byte += place.byte;
  // An escape is ASCII: as many units as bytes, in place of those that its character has in the text.
  const std::string_view words = text.LineText(in_text.line);
  const auto first = std::lower_bound(escapes.begin(), escapes.end(), std::pair(span.begin, 0U));
  for (auto escape = first; escape != escapes.end() && escape->first < at; ++escape) {
    const char lead = words[escape->first - span.begin];
    const std::uint32_t length = Utf16Units(lead) + escape->second;
    place.raw.column += length - 1;
    place.raw.utf16 += escape->second;
    place.raw.byte += length - ByteCount(lead);
  }
  return place;
}

std::string_view NotebookMap::LineText(const LineIndex& text, std::uint32_t line) const {
  const auto found = std::lower_bound(written.begin(), written.end(), line,
                                      [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
  return found != written.end() && found->first == line ? std::string_view(found->second) : text.LineText(line);
}

std::uint32_t NotebookMap::LineOf(std::uint32_t cell, std::uint32_t line) const {
  const auto found =
      std::lower_bound(lines.begin(), lines.end(), std::pair(cell, line),
                       [](const NotebookLine& at, const std::pair<std::uint32_t, std::uint32_t>& wanted) {
                         return std::pair(at.cell, at.line) < wanted;
                       });
  if (found == lines.end() || found->cell != cell || found->line != line) return 0;
  return static_cast<std::uint32_t>(found - lines.begin()) + 1;
}

}  // namespace cpnlint::source
