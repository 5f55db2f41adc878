// `check` as Markdown: a comment on a pull request, a job's summary.

#include "cli/report/markdown.h"

#include <algorithm>

#include "cli/report/ci.h"
#include "cli/report/fixes.h"
#include "cli/report/formats.h"
#include "cli/report/prediction.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

// A comment on GitHub may have 65,536 characters; the rest of the page, without the table, stays below this.
constexpr std::size_t kMostOfTable = 40'000;
constexpr std::size_t kMostNotes = 20;

constexpr std::string_view kZeroWidthSpace = "\xE2\x80\x8B";

void AppendVerdictMarkdown(std::string& out, const Document& document) {
  if (!document.verdict) {
    out += "## cpnlint\n\n";
    return;
  }
  const verdict::ProgramVerdict& worst = document.verdict->programs[document.verdict->worst];
  out += "## cpnlint: " + std::string(verdict::Name(worst.tier)) + "\n\n" + MarkdownText(worst.sentence) + ".";
  if (document.verdict->programs.size() > 1) {
    out += " It is " + MarkdownText(ProgramsText(*document.verdict)) + ".";
  }
  if (worst.provisional) out += " Provisional: much of the hot code could not be analysed.";
  if (const std::string unnamed = UnnamedText(document, worst); !unnamed.empty()) {
    out += " It " + MarkdownText(unnamed) + ".";
  }
  if (const std::string hidden = NotShownText(document, worst); !hidden.empty()) {
    out += " It " + MarkdownText(hidden) + ".";
  }
  out += "\n\n";
}

void AppendFixFirst(std::string& out, const Document& document) {
  if (!document.verdict) return;
  const verdict::ProgramVerdict& fixed = document.verdict->programs[document.verdict->fixed];
  if (fixed.fix_first.empty()) return;
  out += "### Fix first";
  if (document.verdict->fixed != document.verdict->worst) {
    out += " in " + MarkdownCode(fixed.root) + ", which is " + std::string(verdict::Name(fixed.tier));
  }
  out += "\n\n";
  for (std::size_t i = 0; i < fixed.fix_first.size(); ++i) {
    const verdict::IssueRef ref = fixed.fix_first[i].issue;
    const File& file = document.files[ref.file];
    const verdict::Issue& issue = file.evidence.issues[ref.issue];
    out += std::to_string(i + 1) + ". **" + rules::CodeText(*issue.rule) + "** " + MarkdownText(issue.message) + ' ' +
           MarkdownCode(verdict::PlaceText(file.path, issue.start)) + ": " +
           MarkdownText(FixText(document, fixed.fix_first[i])) + '\n';
  }
  out += '\n';
}

std::string Row(const Document& document, const Located& located) {
  const Finding& finding = *located.finding;
  std::string message = MarkdownText(finding.message + AlsoText(finding));
  if (finding.confidence != rules::Confidence::kCertain) {
    message += " *(" + std::string(rules::Name(finding.confidence)) + ")*";
  }
  return "| " + std::string(rules::Name(finding.severity)) + " | " + rules::CodeText(*finding.rule) + " | " +
         TableCell(MarkdownCode(PlaceText(*located.file, finding.place.start))) + " | " + TableCell(message) + " | " +
         TableCell(MarkdownText(ShortCost(finding, document))) + " | " + TableCell(MarkdownText(ShortHelp(finding))) +
         " |\n";
}

void AppendFindings(std::string& out, const Document& document) {
  const std::vector<Located> findings = ByImpact(document);
  if (findings.empty()) return;
  out +=
      "<details><summary>Findings: errors first, then what to fix first, then by cost</summary>\n\n"
      "| | rule | place | what | cost | help |\n|---|---|---|---|---|---|\n";
  std::size_t shown = 0, used = 0;
  for (const Located& located : findings) {
    const std::string row = Row(document, located);
    used += row.size();
    if (used > kMostOfTable) break;
    out += row;
    ++shown;
  }
  if (shown < findings.size()) {
    out += "\nand " + std::to_string(findings.size() - shown) + " more, which the other formats list\n";
  }
  out += "\n</details>\n\n";
}

void AppendBudgets(std::string& out, const Document& document) {
  if (document.budgets.empty()) return;
  out += "### Budgets\n\n";
  for (const Budget& budget : document.budgets) {
    out += std::string("- ") + (budget.exceeded ? "**exceeded** " : "kept ") + MarkdownCode(budget.name) + ": " +
           MarkdownText(budget.message) + '\n';
  }
  out += '\n';
}

void AppendNotes(std::string& out, const Document& document) {
  std::string notes;
  std::size_t count = 0;
  const auto add = [&](const std::string& place, const Note& note) {
    if (++count > kMostNotes) return;
    notes += "- " + (place.empty() ? "" : MarkdownCode(place) + ": ") + MarkdownText(note.message) + " (" + note.kind +
             ")\n";
  };
  for (const File& file : document.files) {
    for (const Note& note : file.notes) {
      if (IsNoteworthy(note)) add(PlaceText(file, note.start), note);
    }
  }
  for (const Note& note : document.notes) add(note.path, note);
  if (count == 0) return;
  if (count > kMostNotes) notes += "- and " + std::to_string(count - kMostNotes) + " more\n";
  out += "<details><summary>Notes</summary>\n\n" + notes + "\n</details>\n\n";
}

}  // namespace

std::string MarkdownText(std::string_view text) {
  const std::string printable = Printable(text);
  const bool pairs = std::count(printable.begin(), printable.end(), '`') % 2 == 0;
  std::string out;
  bool code = false;
  for (std::size_t i = 0; i < printable.size(); ++i) {
    const char c = printable[i];
    if (c == '`' && !pairs) {
      out += "\\`";
      continue;
    }
    if (c == '`') code = !code;
    if (!code && c == '<') {
      out += "&lt;";
    } else if (!code && c == '&') {
      out += "&amp;";
    } else if (!code && std::string_view("\\*_[]~").find(c) != std::string_view::npos) {
      out += '\\';
      out += c;
    } else {
      out += c;
      // Neither somebody's name nor the number of an issue.
      if (!code && (c == '@' || c == '#')) out += kZeroWidthSpace;
    }
  }
  return out;
}

std::string MarkdownCode(std::string_view text) {
  std::string printable;
  std::size_t run = 0, longest = 0;
  for (const char c : Printable(text)) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    printable += c;
  }
  const std::string fence(longest + 1, '`');
  const bool padded = longest > 0;
  return fence + (padded ? " " : "") + printable + (padded ? " " : "") + fence;
}

std::string TableCell(std::string_view markdown) {
  std::string out;
  for (const char c : markdown) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string WriteMarkdown(const Document& document, const Style&) {
  // Whoever keeps one comment up to date finds it by this.
  std::string out = "<!-- cpnlint -->\n";
  AppendVerdictMarkdown(out, document);
  out += MarkdownText(CountsLine(document)) + ".";
  if (document.hidden) out += ' ' + MarkdownText(HiddenLine(*document.hidden)) + '.';
  out += "\n\n";
  AppendBudgets(out, document);
  AppendFixFirst(out, document);
  AppendFindings(out, document);
  AppendNotes(out, document);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace cpnlint::report
