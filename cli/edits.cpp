#include "cli/edits.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>

#include "analyzer/source/encoding.h"

namespace cpnlint::cli {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::string_view kNotUtf8 =
    "its encoding is not UTF-8, and what is to be written does not fit into it; save the file as UTF-8";

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string JsonEscaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// Where lines start in some bytes, as `\n` tells.
class RawLines {
 public:
  explicit RawLines(std::string_view bytes) : bytes_(bytes) {
    for (std::size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
      starts_.push_back(at + 1);
    }
  }
  [[nodiscard]] std::size_t count() const { return starts_.size(); }
  // From 1. The end is before the line's end, a CR that belongs to it included.
  [[nodiscard]] std::size_t Begin(std::size_t line) const { return starts_[line - 1]; }
  [[nodiscard]] std::size_t End(std::size_t line) const {
    std::size_t end = line < starts_.size() ? starts_[line] - 1 : bytes_.size();
    if (end > Begin(line) && bytes_[end - 1] == '\r') --end;
    return end;
  }
  [[nodiscard]] std::size_t LineOf(std::size_t offset) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin());
  }

 private:
  std::string_view bytes_;
  std::vector<std::size_t> starts_{0};
};

class Locator {
 public:
  explicit Locator(const Editable& from)
      : from_(from), text_(from.file->text), lines_(from.bytes), same_(from.bytes.size() == text_.size()) {}

  Result<RawEdit> Locate(const Edit& edit) const {
    if (from_.file->notebook != nullptr) return InNotebook(edit);
    const bool wide = from_.bytes.find('\0') != std::string::npos;  // UTF-16 and the like
    if (wide || (!same_ && !IsAscii(edit.text))) return Fail(std::string(kNotUtf8));
    const auto begin = Offset(edit.span.begin), end = Offset(edit.span.end);
    if (!begin || !end || *end < *begin) return Fail(std::string(kNotUtf8));
    return RawEdit{*begin, *end, edit.text};
  }

 private:
  // UTF-8 is read as it is; in other encodings what is ASCII on one side of the place tells where it is.
  [[nodiscard]] std::optional<std::size_t> Offset(std::uint32_t offset) const {
    if (same_) return offset;
    const std::uint32_t line = from_.file->lines.LineOf(offset);
    if (line > lines_.count()) return std::nullopt;
    const Span span = from_.file->lines.LineSpan(line);
    if (offset > span.end) return std::nullopt;
    const std::string_view text(text_);
    if (IsAscii(text.substr(span.begin, offset - span.begin))) return lines_.Begin(line) + (offset - span.begin);
    const std::uint32_t rest = span.end - offset;
    const std::size_t end = lines_.End(line);
    if (!IsAscii(text.substr(offset, rest)) || end - lines_.Begin(line) < rest) return std::nullopt;
    return end - rest;
  }

  [[nodiscard]] std::optional<std::size_t> OffsetInJson(std::uint32_t offset) const {
    const source::RawPosition raw = from_.file->notebook->Locate(from_.file->lines, offset).raw;
    if (raw.line == 0 || raw.line > lines_.count()) return std::nullopt;
    const std::size_t at = lines_.Begin(raw.line) + raw.byte - 1;
    if (at > lines_.End(raw.line)) return std::nullopt;
    return at;
  }

  [[nodiscard]] Result<RawEdit> InNotebook(const Edit& edit) const {
    const source::SourceFile& file = *from_.file;
    std::uint32_t begin = edit.span.begin, end = edit.span.end;
    const bool whole_line = end > begin && text_[end - 1] == '\n';
    if (whole_line && IsEndOfCell(end)) {
      // A cell's last line has no end of its own: the one before it goes.
      --end;
      const std::uint32_t line = file.lines.LineOf(begin);
      if (line > 1 && !IsEndOfCell(begin)) begin = file.lines.LineSpan(line - 1).end;
    }
    const auto from = OffsetInJson(begin), to = OffsetInJson(end);
    if (!from || !to || *to < *from) return Fail("the place cannot be found in the notebook's JSON");
    return RawEdit{*from, *to, JsonEscaped(edit.text)};
  }

  [[nodiscard]] bool IsEndOfCell(std::uint32_t offset) const {
    const std::vector<Span>& cells = from_.file->notebook->cells;
    return offset == 0 || std::any_of(cells.begin(), cells.end(), [&](Span cell) { return cell.end == offset; });
  }

  const Editable& from_;
  const std::string& text_;
  RawLines lines_;
  bool same_;
};

}  // namespace

Result<Editable> ReadToEdit(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Fail("cannot read `" + path + "`: " + std::generic_category().message(errno));
  Editable from;
  from.path = path;
  from.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) return Fail("cannot read `" + path + "` to its end");
  source::LoadOutcome loaded = source::LoadBytes(path, from.bytes);
  if (loaded.file == nullptr) return Fail("cannot change `" + path + "`: it can no longer be analysed");
  from.file = std::move(loaded.file);
  return from;
}

Result<std::vector<RawEdit>> LocateEdits(const Editable& from, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.span < b.span; });
  std::vector<RawEdit> raw;
  const Locator locator(from);
  std::string expected;
  std::uint32_t at = 0;
  for (const Edit& edit : edits) {
    if (edit.span.begin < at) return Fail("two changes stand at one place");
    auto located = locator.Locate(edit);
    if (!located) return tl::make_unexpected(located.error());
    if (!raw.empty() && located->begin < raw.back().end) return Fail("two changes stand at one place");
    raw.push_back(std::move(*located));
    expected.append(from.file->text, at, edit.span.begin - at);
    expected += edit.text;
    at = edit.span.end;
  }
  expected.append(from.file->text, at);
  const source::LoadOutcome again = source::LoadBytes(from.path, Applied(from.bytes, raw));
  if (again.file == nullptr || again.file->text != expected) {
    return Fail("what stands there would be read otherwise afterwards");
  }
  return raw;
}

std::string Applied(std::string_view bytes, const std::vector<RawEdit>& edits) {
  std::string out;
  std::size_t at = 0;
  for (const RawEdit& edit : edits) {
    out.append(bytes, at, edit.begin - at);
    out += edit.text;
    at = edit.end;
  }
  out.append(bytes, at);
  return out;
}

std::string UnifiedDiff(const std::string& path, std::string_view bytes, const std::vector<RawEdit>& edits) {
  // Lines [first, last] of the old text become `text`, which ends where the last one ended.
  struct Change {
    std::size_t first, last;
    std::string text;
  };
  const RawLines lines(bytes);
  const std::size_t count = bytes.empty() || bytes.back() == '\n' ? lines.count() - 1 : lines.count();
  const auto end_of = [&](std::size_t line) { return line < lines.count() ? lines.Begin(line + 1) : bytes.size(); };
  std::vector<Change> changes;
  for (std::size_t i = 0; i < edits.size();) {
    const std::size_t first = std::min(lines.LineOf(edits[i].begin), std::max<std::size_t>(count, 1));
    std::size_t last = first;
    std::string text(bytes.substr(lines.Begin(first), edits[i].begin - lines.Begin(first)));
    std::size_t at = edits[i].begin;
    for (; i < edits.size() && lines.LineOf(edits[i].begin) <= last; ++i) {
      text.append(bytes, at, edits[i].begin - at);
      text += edits[i].text;
      at = edits[i].end;
      // An edit that ends where a line starts leaves that line alone, if it also began at the start of one.
      const bool whole = at > edits[i].begin && at == lines.Begin(lines.LineOf(at)) && text.empty();
      last = std::max(last, lines.LineOf(at) - (whole ? 1 : 0));
    }
    text.append(bytes, at, end_of(last) - std::min(at, end_of(last)));
    changes.push_back({first, last, std::move(text)});
  }

  std::string out = "--- " + path + "\n+++ " + path + '\n';
  const auto append = [&out](char sign, std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      out += sign;
      out.append(text, 0, end);
      out += '\n';
      ++number;
      if (end == text.size()) {
        out += "\\ No newline at end of file\n";
        break;
      }
      text.remove_prefix(end + 1);
    }
    return number;
  };
  const auto slice = [&](std::size_t first, std::size_t last) {  // old lines, both ends included
    return first > last ? std::string_view() : bytes.substr(lines.Begin(first), end_of(last) - lines.Begin(first));
  };
  std::ptrdiff_t shift = 0;  // of line numbers by the hunks before
  for (std::size_t i = 0; i < changes.size();) {
    std::size_t next = i + 1;
    while (next < changes.size() && changes[next].first <= changes[next - 1].last + 2 * kContext + 1) ++next;
    const std::size_t first = changes[i].first > kContext ? changes[i].first - kContext : 1;
    const std::size_t last = std::min(changes[next - 1].last + kContext, count);
    const std::size_t head = out.size();
    std::size_t old_lines = 0, new_lines = 0, at = first;
    for (; i < next; ++i) {
      const std::size_t same = append(' ', slice(at, changes[i].first - 1));
      const std::size_t gone = append('-', slice(changes[i].first, changes[i].last));
      const std::size_t come = append('+', changes[i].text);
      old_lines += same + gone;
      new_lines += same + come;
      at = changes[i].last + 1;
    }
    const std::size_t same = append(' ', slice(at, last));
    old_lines += same;
    new_lines += same;
    const auto range = [](std::size_t start, std::size_t number) {
      return std::to_string(number == 0 ? start - 1 : start) + ',' + std::to_string(number);
    };
    const std::size_t new_first = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first) + shift);
    out.insert(head, "@@ -" + range(first, old_lines) + " +" + range(new_first, new_lines) + " @@\n");
    shift += static_cast<std::ptrdiff_t>(new_lines) - static_cast<std::ptrdiff_t>(old_lines);
  }
  return out;
}

}  // namespace cpnlint::cli
