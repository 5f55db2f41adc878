#include <algorithm>

#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/frame.h"
#include "cli/report/prediction.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

constexpr std::uint32_t kWidestText = 120;  // words further apart than this are hard to read

std::string HeaderText(const rules::Rule& rule, const std::string& message) {
  return rules::CodeText(rule) + ' ' + Printable(message);
}

// `R101 element loop over `q`                src/river.py:41:5`
void AppendHeader(std::string& out, const File& file, const rules::Rule& rule, const std::string& message,
                  const Point& start, Paint paint, const Style& style) {
  const std::string left = HeaderText(rule, message);
  const std::string right = PlaceText(file, start);
  Append(out, style, paint, rules::CodeText(rule));
  Append(out, style, Paint::kBold, std::string_view(left).substr(rules::CodeText(rule).size()));
  const std::uint32_t width = std::min(style.width, kWidestText);
  const std::uint32_t used = DisplayWidth(left) + DisplayWidth(right);
  out.append(used + 2 < width ? width - used : 2, ' ');
  AppendPlace(out, style, right, file.path);
  out += '\n';
}

// Breaks a text at blanks so that its lines fit.
std::vector<std::string> Wrap(std::string_view text, std::uint32_t room) {
  std::vector<std::string> lines;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  while (true) {
    const std::size_t end = text.find('\n');
    const std::string_view paragraph = text.substr(0, end);
    std::string line;
    std::uint32_t used = 0;
    for (std::size_t at = 0; at < paragraph.size();) {
      std::size_t stop = paragraph.find(' ', at + 1);
      if (stop == std::string_view::npos) stop = paragraph.size();
      const std::string word = Printable(paragraph.substr(at, stop - at));
      const std::uint32_t width = DisplayWidth(word);
      if (room != 0 && used != 0 && used + width > room) {
        lines.push_back(std::move(line));
        line = word.substr(word.front() == ' ' ? 1 : 0);
        used = DisplayWidth(line);
      } else {
        line += word;
        used += width;
      }
      at = stop;
    }
    lines.push_back(std::move(line));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

// `   = why: ...`, further lines below the text.
void AppendRemark(std::string& out, std::size_t gutter, std::string_view name, Paint paint, std::string_view text,
                  const Style& style) {
  if (text.empty()) return;
  const std::size_t indent = gutter + 5 + name.size();
  const std::uint32_t width = std::min(style.width, kWidestText);
  const auto room = width > indent + 20 ? static_cast<std::uint32_t>(width - indent) : 0;
  bool first = true;
  for (const std::string& line : Wrap(text, room)) {
    if (first) {
      out.append(gutter + 1, ' ');
      Append(out, style, Paint::kGutter, "=");
      out += ' ';
      Append(out, style, paint, std::string(name) + ":");
      out += ' ' + line + '\n';
      first = false;
      continue;
    }
    if (!line.empty()) out.append(indent, ' ');
    out += line + '\n';
  }
}

void AppendFinding(std::string& out, const Document& document, const File& file, const Finding& finding,
                   const Style& style) {
  const Paint paint = PaintOf(finding.severity);
  AppendHeader(out, file, *finding.rule, finding.message, finding.place.start, paint, style);
  std::vector<Mark> marks = {{finding.place, finding.label, true}};
  for (const Related& related : finding.related) {
    if (marks.size() > kMostRemarks) break;
    if (!related.path.empty()) continue;
    const std::string label = RelatedText(related);
    const bool same = std::any_of(marks.begin(), marks.end(),
                                  [&](const Mark& mark) { return mark.place == related.place && mark.label == label; });
    if (!same) marks.push_back({related.place, label, false});
  }
  const std::size_t gutter = GutterWidth(file, marks);
  AppendFrame(out, file, marks, paint, style);
  if (finding.related.size() > kMostRemarks) {
    std::vector<Place> rest;
    for (std::size_t i = kMostRemarks; i < finding.related.size(); ++i) rest.push_back(finding.related[i].place);
    AppendRemark(out, gutter, "more", Paint::kInfo, LinesText(rest), style);
  }
  for (const Related& related : finding.related) {
    if (related.path.empty()) continue;
    const Point start = related.place.start;
    AppendRemark(out, gutter, "at", Paint::kInfo,
                 Printable(related.path) + ':' + std::to_string(start.line) + ':' + std::to_string(start.column) +
                     ": " + RelatedText(related),
                 style);
  }
  if (!finding.also.empty()) AppendRemark(out, gutter, "also", Paint::kInfo, LinesText(finding.also), style);
  AppendRemark(out, gutter, "why", Paint::kBold, finding.why, style);
  AppendRemark(out, gutter, "cost", Paint::kBold, CostLine(finding, document), style);
  AppendRemark(out, gutter, "help", Paint::kHelp, HelpText(finding), style);
  if (finding.confidence != rules::Confidence::kCertain) {
    AppendRemark(out, gutter, "confidence", Paint::kBold, rules::Name(finding.confidence), style);
  }
  out += '\n';
}

void AppendGood(std::string& out, const File& file, const Good& good, const Style& style) {
  std::string message = good.rule->slug;
  if (!good.function.empty()) message += " in `" + good.function + '`';
  AppendHeader(out, file, *good.rule, message, good.places.front().start, Paint::kGood, style);
  AppendRemark(out, 1, "at", Paint::kGood, LinesText(good.places), style);
  out += '\n';
}

void AppendNote(std::string& out, const std::string& place, const std::string& path, const Note& note,
                const Style& style) {
  if (!place.empty()) {
    AppendPlace(out, style, place, path);
    out += ": ";
  }
  Append(out, style, Paint::kInfo, "note:");
  out += ' ' + Printable(note.message) + " (" + note.kind + ")\n";
}

void AppendStatistics(std::string& out, const Document& document, const Style& style) {
  std::vector<std::pair<const rules::Rule*, std::size_t>> counts;
  for (const File& file : document.files) {
    for (const Finding& finding : file.findings) {
      const auto found =
          std::find_if(counts.begin(), counts.end(), [&](const auto& count) { return count.first == finding.rule; });
      if (found == counts.end()) {
        counts.emplace_back(finding.rule, 1);
      } else {
        ++found->second;
      }
    }
  }
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    return a.second > b.second || (a.second == b.second && a.first->code < b.first->code);
  });
  for (const auto& [rule, count] : counts) {
    std::string number = std::to_string(count);
    if (number.size() < 6) number.insert(0, 6 - number.size(), ' ');
    out += number + "  ";
    Append(out, style, PaintOf(rule->severity), rules::CodeText(*rule));
    out += std::string("  ") + rule->slug + '\n';
  }
}

}  // namespace

std::string HiddenLine(const Hidden& hidden) {
  std::string line;
  if (!hidden.baseline.empty()) {
    line = Plural(hidden.known, "finding") + " of the baseline " + Printable(hidden.baseline);
  }
  if (!hidden.diff_base.empty()) {
    line += (line.empty() ? "" : " and ") + Plural(hidden.unchanged, "finding") + " in what is unchanged since " +
            Printable(hidden.diff_base);
  }
  return "Not shown: " + line;
}

std::string PlaceText(const File& file, const std::optional<Point>& start) {
  std::string text = Printable(file.path);
  if (!start) return text;
  if (start->cell != 0) text += ":cell " + std::to_string(start->cell);
  text += ':' + std::to_string(ShownLine(*start)) + ':' + std::to_string(start->column);
  return text;
}

void AppendEnd(std::string& out, const Document& document, const Style& style) {
  if (style.statistics) AppendStatistics(out, document, style);
  // As much as a finding they are why the run fails.
  for (const Budget* budget : ExceededBudgets(document)) {
    Append(out, style, Paint::kError, "budget exceeded:");
    out += ' ' + Printable(BudgetText(*budget)) + '\n';
  }
  if (style.quiet) return;
  for (const File& file : document.files) {
    for (const Note& note : file.notes) {
      if (style.verbose || IsNoteworthy(note)) AppendNote(out, PlaceText(file, note.start), file.path, note, style);
    }
  }
  for (const Note& note : document.notes)
    AppendNote(out, Printable(LineText(note.path, note.start)), note.path, note, style);
  out += CountsLine(document) + '\n';
  if (const Counts counts = Count(document); counts.analysed == 0 && counts.failed == 0 && counts.skipped > 0) {
    const std::size_t plain = counts.skipped - counts.foreign;
    if (plain > 0) {
      out += "No array library (numpy, cupynumeric, cupy, ...) is in reach of ";
      out += plain == 1 ? "this file" : "these files";
    } else {
      out += counts.foreign == 1 ? "This notebook is not in Python" : "These notebooks are not in Python";
    }
    out += ", so there was nothing to look at\n";
  }
  if (document.hidden) out += HiddenLine(*document.hidden) + '\n';
}

std::string WriteText(const Document& document, const Style& style) {
  std::string out;
  for (const File& file : document.files) {
    if (style.statistics) break;
    for (const Finding& finding : file.findings) AppendFinding(out, document, file, finding, style);
    if (!document.show_good) continue;
    for (const Good& good : file.good) AppendGood(out, file, good, style);
  }
  AppendEnd(out, document, style);
  if (!style.quiet) AppendVerdict(out, document, style);
  return out;
}

}  // namespace cpnlint::report
