// The readiness report for a terminal and as Markdown.

#include <algorithm>

#include "cli/report/formats.h"
#include "cli/report/markdown.h"
#include "cli/report/readiness.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

std::string_view NothingText(const Document& document) {
  const Counts counts = Count(document);
  if (counts.analysed == 0 && counts.skipped == 0) return "Nothing could be analysed, so there is nothing to report on";
  return "No work on arrays was found outside of compiled functions, so there is nothing to report on";
}

std::string PlaceOf(const Entry& entry) {
  if (entry.path.empty()) return "";
  return Printable(verdict::PlaceText(entry.path, entry.spot));
}

void AppendEntry(std::string& out, const Entry& entry, const Style& style) {
  out += "   ";
  if (const std::string place = PlaceOf(entry); !place.empty()) {
    AppendPlace(out, style, place, entry.path);
    out += "  ";
  }
  if (!entry.rule.empty()) {
    Append(out, style, Paint::kInfo, entry.rule);
    out += ' ';
  }
  out += Printable(entry.text) + '\n';
  for (const std::string& detail : entry.details) out += "      " + Printable(detail) + '\n';
  if (!entry.doctor.empty()) out += "      Doctor: " + Printable(entry.doctor) + '\n';
}

void AppendTable(std::string& out, const Section& section) {
  std::vector<std::size_t> widths(section.columns.size(), 0);
  for (const auto& row : section.table) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      widths[i] = std::max<std::size_t>(widths[i], DisplayWidth(Printable(row[i])));
    }
  }
  for (const auto& row : section.table) {
    out += "   ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string text = Printable(row[i]);
      out += text;
      if (i + 1 < row.size()) out.append(widths[i] - DisplayWidth(text) + 2, ' ');
    }
    out += '\n';
  }
}

void AppendMarkdownEntry(std::string& out, const Entry& entry) {
  out += "- ";
  if (!entry.rule.empty()) out += "**" + entry.rule + "** ";
  out += MarkdownText(entry.text);
  if (const std::string place = PlaceOf(entry); !place.empty()) out += " (" + MarkdownCode(place) + ")";
  out += '\n';
  for (const std::string& detail : entry.details) out += "  - " + MarkdownText(detail) + '\n';
  if (!entry.doctor.empty()) out += "  - Doctor: " + MarkdownText(entry.doctor) + '\n';
}

void AppendMarkdownTable(std::string& out, const Section& section) {
  const auto row = [&](const std::vector<std::string>& cells) {
    for (const std::string& cell : cells) out += "| " + TableCell(MarkdownText(cell)) + ' ';
    out += "|\n";
  };
  row(section.columns);
  for (std::size_t i = 0; i < section.columns.size(); ++i) out += "|---";
  out += "|\n";
  for (const auto& cells : section.table) row(cells);
}

}  // namespace

std::string WriteReadinessText(const Document& document, const Style& style) {
  const Readiness readiness = MakeReadiness(document);
  std::string out;
  if (readiness.sections.empty()) {
    out.append(NothingText(document)).append("\n");
    for (const Entry& entry : readiness.lost) AppendEntry(out, entry, style);
    return out;
  }
  Append(out, style, Paint::kBold, "Readiness report");
  out += '\n';
  for (const auto& [name, value] : readiness.header) {
    out += "   " + name + std::string(name.size() < 8 ? 8 - name.size() : 0, ' ') + "  " + Printable(value) + '\n';
  }
  for (const Section& section : readiness.sections) {
    out += '\n';
    Append(out, style, Paint::kBold, std::to_string(section.number) + ". " + section.title);
    out += '\n';
    AppendTable(out, section);
    for (const Entry& entry : section.entries) AppendEntry(out, entry, style);
    if (section.entries.empty()) out += "   " + Printable(section.empty) + '\n';
  }
  return out;
}

std::string WriteReadinessMarkdown(const Document& document, const Style&) {
  const Readiness readiness = MakeReadiness(document);
  std::string out = "# Readiness report\n\n";
  if (readiness.sections.empty()) {
    out.append(NothingText(document)).append(".\n");
    if (!readiness.lost.empty()) out += '\n';
    for (const Entry& entry : readiness.lost) AppendMarkdownEntry(out, entry);
    return out;
  }
  for (const auto& [name, value] : readiness.header) out += "- " + name + ": " + MarkdownText(value) + '\n';
  for (const Section& section : readiness.sections) {
    out += "\n## " + std::to_string(section.number) + ". " + section.title + "\n\n";
    if (!section.table.empty()) AppendMarkdownTable(out, section);
    if (!section.table.empty() && !section.entries.empty()) out += '\n';
    for (const Entry& entry : section.entries) AppendMarkdownEntry(out, entry);
    if (section.entries.empty()) out += MarkdownText(section.empty) + '\n';
  }
  return out;
}

}  // namespace cpnlint::report
