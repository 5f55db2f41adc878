#include "cli/report/frame.h"

#include <algorithm>
#include <optional>
#include <set>

#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

constexpr std::uint32_t kDefaultWidth = 140;
constexpr std::uint32_t kLeastWidth = 40;
constexpr std::uint32_t kHeadLines = 3;     // of a span over many lines: so many at its start
constexpr std::uint32_t kTailLines = 2;     // and so many at its end
constexpr std::uint32_t kMostBytes = 1024;  // around the marks of a line that is looked at; more than any window shows
constexpr std::string_view kCut = "...";

// A mark on one line, in bytes of the line.
struct LineMark {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const Mark* mark = nullptr;
};

// A line as it is shown: cut to the window, tabs expanded.
struct ShownLine {
  std::string text;
  std::vector<Cluster> clusters;  // of the part of the line that was looked at
  std::uint32_t offset = 0;       // byte of the line where that part starts
  std::uint32_t first_cell = 0;   // cell of that part that the window starts with
  std::uint32_t prefix = 0;       // cells of the mark that something was cut on the left
  std::uint32_t last_cell = 0;    // end of the window

  // Column of the terminal for a byte of the line.
  [[nodiscard]] std::uint32_t CellOf(std::uint32_t byte) const {
    const std::uint32_t local = byte < offset ? 0 : byte - offset;
    const auto after = std::upper_bound(clusters.begin(), clusters.end(), local,
                                        [](std::uint32_t value, const Cluster& c) { return value < c.begin; });
    std::uint32_t cell = 0;
    if (after != clusters.begin()) {
      const Cluster& cluster = *std::prev(after);
      cell = local < cluster.end ? cluster.cell : cluster.cell + cluster.width;
    }
    return prefix + std::clamp(cell, first_cell, last_cell) - first_cell;
  }
};

// A row of marks: one ASCII character per cell, then a remark.
struct Row {
  std::string cells;
  std::vector<Paint> paints;
  std::string tail;
  Paint tail_paint = Paint::kNone;

  void Put(std::uint32_t cell, char c, Paint paint) {
    if (cells.size() <= cell) {
      cells.resize(cell + 1, ' ');
      paints.resize(cell + 1, Paint::kNone);
    }
    cells[cell] = c;
    paints[cell] = paint;
  }
};

std::uint32_t LastLine(const Place& place) {
  // A span that ends with its line break ends on the line before.
  return place.end.column == 1 && place.end.line > place.start.line ? place.end.line - 1 : place.end.line;
}

bool IsBracket(const Mark& mark) { return mark.primary && LastLine(mark.place) > mark.place.start.line; }

const SourceLine* LineOf(const File& file, std::uint32_t line) {
  const auto found = file.text.find(line);
  return found == file.text.end() ? nullptr : &found->second;
}

// The number that people count.
std::uint32_t ShownNumber(const File& file, std::uint32_t line) {
  const SourceLine* source = LineOf(file, line);
  return source == nullptr || source->cell == 0 ? line : source->cell_line;
}

bool InOneCell(const File& file, std::uint32_t a, std::uint32_t b) {
  const SourceLine* first = LineOf(file, a);
  const SourceLine* second = LineOf(file, b);
  return first != nullptr && second != nullptr && first->cell == second->cell;
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\f\v\r\xEF\xBB\xBF") == std::string_view::npos;
}

bool EndsHeader(std::string_view text) {
  const std::size_t hash = text.find('#');
  const std::string_view code = text.substr(0, hash);
  const std::size_t last = code.find_last_not_of(" \t\r");
  return last != std::string_view::npos && code[last] == ':';
}

std::set<std::uint32_t> ShownLines(const File& file, const std::vector<Mark>& marks) {
  std::set<std::uint32_t> lines;
  const auto add = [&](std::uint32_t line) {
    if (LineOf(file, line) != nullptr) lines.insert(line);
  };
  for (const Mark& mark : marks) {
    const std::uint32_t first = mark.place.start.line;
    const std::uint32_t last = LastLine(mark.place);
    add(first);
    if (IsBracket(mark)) {
      for (std::uint32_t line = first; line < first + kHeadLines && line <= last; ++line) add(line);
      for (std::uint32_t line = last; line > first && line + kTailLines > last; --line) add(line);
    }
    // The first line of a body tells more about a loop than its header.
    if (mark.primary && InOneCell(file, last, last + 1) && EndsHeader(LineOf(file, last)->text) &&
        !IsBlank(LineOf(file, last + 1)->text)) {
      add(last + 1);
    }
  }
  // `...` for a single line would take as much room as the line.
  std::vector<std::uint32_t> between;
  for (auto at = lines.begin(); at != lines.end(); ++at) {
    const auto next = std::next(at);
    if (next != lines.end() && *next == *at + 2 && InOneCell(file, *at, *next)) between.push_back(*at + 1);
  }
  for (const std::uint32_t line : between) add(line);
  return lines;
}

// Which part of a wide line to show: all marks where they fit, else the start of the primary one or the first.
std::pair<std::uint32_t, std::uint32_t> Window(const ShownLine& line, const std::vector<LineMark>& marks,
                                               std::uint32_t total, std::uint32_t room) {
  std::uint32_t low = total;
  std::uint32_t high = 0;
  for (const LineMark& mark : marks) {
    low = std::min(low, line.CellOf(mark.begin));
    high = std::max(high, line.CellOf(mark.end));
  }
  if (marks.empty()) return {0, room};
  const std::uint32_t inner = room - 2 * static_cast<std::uint32_t>(kCut.size());
  if (high - low > inner) {
    const auto primary =
        std::find_if(marks.begin(), marks.end(), [](const LineMark& mark) { return mark.mark->primary; });
    const LineMark& main = primary != marks.end() ? *primary : marks.front();
    low = line.CellOf(main.begin);
    high = std::min(line.CellOf(main.end), low + inner);
  }
  if (high + kCut.size() <= room) return {0, room - static_cast<std::uint32_t>(kCut.size())};
  const std::uint32_t spare = inner - (high - low);
  const std::uint32_t end = std::min(total, high + spare / 2);
  const std::uint32_t begin = end > inner ? end - inner : 0;
  return {std::min(begin, low), end};
}

ShownLine Show(std::string_view text, const std::vector<LineMark>& marks, std::uint32_t room) {
  ShownLine line;
  // Only a part of an endless line is looked at.
  if (text.size() > 4 * kMostBytes) {
    std::uint32_t from = marks.empty() ? 0 : marks.front().begin;
    for (const LineMark& mark : marks) from = mark.mark->primary ? mark.begin : from;
    from = std::min(from, static_cast<std::uint32_t>(text.size()));
    line.offset = from > kMostBytes ? from - kMostBytes : 0;
    while (line.offset > 0 && (static_cast<unsigned char>(text[line.offset]) & 0xC0) == 0x80) --line.offset;
  }
  const std::string_view part = text.substr(line.offset, text.size() > 4 * kMostBytes ? 3 * kMostBytes : text.size());
  line.clusters = Clusters(part);
  const std::uint32_t total = line.clusters.empty() ? 0 : line.clusters.back().cell + line.clusters.back().width;
  line.last_cell = total;
  bool cut_left = line.offset > 0;
  bool cut_right = line.offset + part.size() < text.size();
  if (total > room) {
    const auto [begin, end] = Window(line, marks, total, room);
    cut_left = cut_left || begin > 0;
    cut_right = cut_right || end < total;
    line.first_cell = begin;
    line.last_cell = end;
  }
  if (cut_left) line.text += kCut;
  line.prefix = cut_left ? static_cast<std::uint32_t>(kCut.size()) : 0;
  bool started = false;
  for (const Cluster& cluster : line.clusters) {
    if (cluster.cell < line.first_cell) continue;
    if (cluster.cell + cluster.width > line.last_cell) break;
    if (!started) {
      // A wide character may straddle the window's start.
      line.text.append(cluster.cell - line.first_cell, ' ');
      started = true;
    }
    AppendPrintable(part, cluster, line.text);
  }
  while (!line.text.empty() && line.text.back() == ' ') line.text.pop_back();
  if (cut_right) line.text += kCut;
  return line;
}

struct Label {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const std::string* text = nullptr;
  Paint paint = Paint::kNone;
  bool primary = false;
};

// The rows below one line: underlines, a remark behind them, further remarks hanging below their marks.
std::vector<Row> MarkRows(const ShownLine& line, const std::vector<LineMark>& marks, Paint primary_paint) {
  std::vector<LineMark> order = marks;
  // Wide ones first, so that what lies within them stays visible.
  std::stable_sort(order.begin(), order.end(), [](const LineMark& a, const LineMark& b) {
    return a.end - a.begin > b.end - b.begin ||
           (a.end - a.begin == b.end - b.begin && b.mark->primary && !a.mark->primary);
  });
  Row underline;
  std::vector<Label> labels;
  for (const LineMark& mark : order) {
    const Paint paint = mark.mark->primary ? primary_paint : Paint::kInfo;
    const std::uint32_t begin = line.CellOf(mark.begin);
    const std::uint32_t end = std::max(line.CellOf(mark.end), begin + 1);
    for (std::uint32_t cell = begin; cell < end; ++cell) underline.Put(cell, mark.mark->primary ? '^' : '-', paint);
    if (!mark.mark->label.empty()) labels.push_back({begin, end, &mark.mark->label, paint, mark.mark->primary});
  }
  std::stable_sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.begin < b.begin; });
  // One remark stands behind the marks, that of a mark that ends there: the primary one's, else the rightmost one's.
  auto behind = labels.end();
  for (auto label = labels.begin(); label != labels.end(); ++label) {
    if (label->end == underline.cells.size() && (behind == labels.end() || !behind->primary)) behind = label;
  }
  if (behind != labels.end()) {
    underline.tail = ' ' + *behind->text;
    underline.tail_paint = behind->paint;
    labels.erase(behind);
  }
  std::vector<Row> rows;
  rows.push_back(std::move(underline));
  if (labels.empty()) return rows;
  Row connectors;
  for (const Label& label : labels) connectors.Put(label.begin, '|', label.paint);
  rows.push_back(std::move(connectors));
  for (std::size_t i = labels.size(); i-- > 0;) {
    Row row;
    for (std::size_t j = 0; j < i; ++j) {
      if (labels[j].begin < labels[i].begin) row.Put(labels[j].begin, '|', labels[j].paint);
    }
    row.cells.resize(labels[i].begin, ' ');
    row.paints.resize(labels[i].begin, Paint::kNone);
    row.tail = *labels[i].text;
    row.tail_paint = labels[i].paint;
    rows.push_back(std::move(row));
  }
  return rows;
}

class Painter {
 public:
  Painter(std::string& out, const File& file, const std::vector<Mark>& marks, Paint primary, const Style& style)
      : out_(out), file_(file), marks_(marks), primary_(primary), style_(style), lines_(ShownLines(file, marks)) {
    gutter_ = GutterWidth(file, marks);
    for (const Mark& mark : marks) {
      if (IsBracket(mark)) bracket_ = &mark;
    }
    const std::uint32_t width = style.width == 0 ? kDefaultWidth : std::max(style.width, kLeastWidth);
    room_ = width - static_cast<std::uint32_t>(gutter_) - 3 - (bracket_ == nullptr ? 0 : 2);
  }

  void Draw() {
    if (lines_.empty()) return;
    Gutter("");
    out_ += '\n';
    const bool several = !InOneCell(file_, *lines_.begin(), *lines_.rbegin());
    std::uint32_t last = 0;
    for (const std::uint32_t number : lines_) {
      if (several && !InOneCell(file_, last, number)) {
        out_.append(gutter_ + 1, ' ');
        Append(out_, style_, Paint::kGutter, "::: cell " + std::to_string(LineOf(file_, number)->cell));
        out_ += '\n';
      } else if (last != 0 && number > last + 1) {
        Append(out_, style_, Paint::kGutter, "...");
        out_ += '\n';
      }
      PaintLine(number);
      last = number;
    }
    Gutter("");
    out_ += '\n';
  }

 private:
  void Gutter(std::string_view number) {
    std::string text(gutter_ - number.size(), ' ');
    text += number;
    text += " |";
    Append(out_, style_, Paint::kGutter, text);
  }

  [[nodiscard]] std::vector<LineMark> MarksOf(std::uint32_t number, std::size_t length) const {
    std::vector<LineMark> result;
    for (const Mark& mark : marks_) {
      if (&mark == bracket_ || mark.place.start.line != number) continue;
      const bool several = LastLine(mark.place) > number || mark.place.end.line > number;
      const auto end = several ? static_cast<std::uint32_t>(length) : mark.place.end.byte;
      result.push_back({mark.place.start.byte, end, &mark});
    }
    return result;
  }

  void PaintLine(std::uint32_t number) {
    const SourceLine& source = *LineOf(file_, number);
    const std::string& text = source.text;
    const std::vector<LineMark> marks = MarksOf(number, text.size());
    const bool starts = bracket_ != nullptr && number == bracket_->place.start.line;
    const std::uint32_t bracket_last = bracket_ == nullptr ? 0 : LastLine(bracket_->place);
    const bool ends = bracket_ != nullptr && number == bracket_last;
    const bool inside = bracket_ != nullptr && number > bracket_->place.start.line && number <= bracket_last;
    const bool at_start = starts && IsBlank(std::string_view(text).substr(0, bracket_->place.start.byte));

    std::vector<LineMark> focus = marks;
    if (starts) focus.push_back({bracket_->place.start.byte, bracket_->place.start.byte + 1, bracket_});
    const ShownLine line = Show(text, focus, room_);
    Gutter(std::to_string(ShownNumber(file_, number)));
    Bracket(at_start ? '/' : inside ? '|' : ' ');
    if (!line.text.empty()) out_ += ' ' + line.text;
    out_ += '\n';
    if (starts && !at_start) PaintBracketRow(line.CellOf(bracket_->place.start.byte), ' ', "");
    if (!marks.empty()) {
      for (const Row& row : MarkRows(line, marks, primary_)) {
        PaintRow(row, starts || inside ? '|' : ' ');
      }
    }
    if (ends) {
      const Point& end = bracket_->place.end;
      const std::uint32_t byte = end.line > number ? static_cast<std::uint32_t>(text.size()) : end.byte;
      const std::uint32_t cell = line.CellOf(byte);
      PaintBracketRow(cell == 0 ? 0 : cell - 1, '|', bracket_->label);
    }
  }

  void Bracket(char c) {
    if (bracket_ == nullptr) return;
    if (c == ' ') {
      out_ += "  ";
      return;
    }
    out_ += ' ';
    Append(out_, style_, primary_, std::string_view(&c, 1));
  }

  // ` _____^` from the bracket's column to the cell.
  void PaintBracketRow(std::uint32_t cell, char corner, const std::string& label) {
    Gutter("");
    std::string text(1, ' ');
    text += corner;
    text.append(cell + 1, '_');
    text += '^';
    if (!label.empty()) text += ' ' + Printable(label);
    Append(out_, style_, primary_, text);
    out_ += '\n';
  }

  void PaintRow(const Row& row, char bracket) {
    Gutter("");
    Bracket(bracket);
    out_ += ' ';
    for (std::size_t i = 0; i < row.cells.size();) {
      std::size_t end = i;
      while (end < row.cells.size() && row.paints[end] == row.paints[i]) ++end;
      Append(out_, style_, row.paints[i], std::string_view(row.cells).substr(i, end - i));
      i = end;
    }
    Append(out_, style_, row.tail_paint, Printable(row.tail));
    out_ += '\n';
  }

  std::string& out_;
  const File& file_;
  const std::vector<Mark>& marks_;
  Paint primary_;
  const Style& style_;
  std::set<std::uint32_t> lines_;
  std::size_t gutter_ = 1;
  std::uint32_t room_ = kDefaultWidth;
  const Mark* bracket_ = nullptr;
};

}  // namespace

std::vector<std::uint32_t> LinesOfFrame(const Finding& finding) {
  std::set<std::uint32_t> lines;
  const auto around = [&](std::uint32_t line) {
    if (line > 1) lines.insert(line - 1);
    lines.insert(line);
    lines.insert(line + 1);
  };
  around(finding.place.start.line);
  const std::uint32_t last = LastLine(finding.place);
  for (std::uint32_t i = 0; i < kHeadLines && finding.place.start.line + i <= last; ++i) {
    lines.insert(finding.place.start.line + i);
  }
  for (std::uint32_t i = 0; i < kTailLines && last > finding.place.start.line + i; ++i) lines.insert(last - i);
  lines.insert(last + 1);
  std::size_t shown = 0;
  for (const Related& related : finding.related) {
    if (++shown > kMostRemarks) break;
    if (!related.path.empty()) continue;
    around(related.place.start.line);
  }
  // Where the others are known, it stands at one of these.
  for (const Place& place : finding.also) around(place.start.line);
  return {lines.begin(), lines.end()};
}

std::size_t GutterWidth(const File& file, const std::vector<Mark>& marks) {
  std::uint32_t widest = 1;
  for (const std::uint32_t line : ShownLines(file, marks)) widest = std::max(widest, ShownNumber(file, line));
  return std::to_string(widest).size();
}

void AppendFrame(std::string& out, const File& file, std::vector<Mark> marks, Paint primary, const Style& style) {
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.place < b.place; });
  Painter(out, file, marks, primary, style).Draw();
}

}  // namespace cpnlint::report
