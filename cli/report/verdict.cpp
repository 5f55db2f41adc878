// The verdict as the last lines of a check.

#include "cli/report/fixes.h"
#include "cli/report/formats.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

Paint PaintOf(verdict::Tier tier) {
  switch (tier) {
    case verdict::Tier::kReady: return Paint::kGood;
    case verdict::Tier::kLight: return Paint::kWarning;
    default: return Paint::kError;
  }
}

}  // namespace

std::string WiderText(const Document& document, const verdict::ProgramVerdict& program) {
  if (program.with_possible == program.tier) return "";
  std::string text = std::string(verdict::Name(program.with_possible)) + " if the " + std::to_string(program.possible) +
                     " possible finding" + (program.possible == 1 ? " is" : "s are") + " real";
  for (const std::size_t file : program.files) {
    for (const verdict::Issue& issue : document.files[file].evidence.issues) {
      const bool hidden = issue.confidence == rules::Confidence::kPossible && issue.reachable && !issue.shown;
      if (hidden) return text + "; --min-confidence possible shows " + (program.possible == 1 ? "it" : "them");
    }
  }
  return text;
}

void AppendVerdict(std::string& out, const Document& document, const Style& style) {
  if (!document.verdict) {
    if (Count(document).analysed > 0) out += "No verdict: no work on arrays was found outside of compiled functions\n";
    return;
  }
  const verdict::Verdict& verdict = *document.verdict;
  const verdict::ProgramVerdict& worst = verdict.programs[verdict.worst];
  out += "Verdict: ";
  Append(out, style, PaintOf(worst.tier), verdict::Name(worst.tier));
  if (const std::string wider = WiderText(document, worst); !wider.empty()) out += " (" + wider + ")";
  if (worst.provisional) out += ", provisional: much of the hot code could not be analysed";
  out += ": " + Printable(worst.sentence) + '\n';
  if (verdict.programs.size() > 1) {
    out += "  the worst of " + std::to_string(verdict.programs.size()) + " programs: " + Printable(worst.root) + '\n';
  }
  if (const std::string unnamed = UnnamedText(document, worst); !unnamed.empty()) {
    out += "  " + Printable(unnamed) + '\n';
  }
  if (worst.fix_first.empty()) return;
  out += "Fix first:\n";
  for (std::size_t i = 0; i < worst.fix_first.size(); ++i) {
    const verdict::IssueRef ref = worst.fix_first[i].issue;
    const File& file = document.files[ref.file];
    const verdict::Issue& issue = file.evidence.issues[ref.issue];
    out += "  " + std::to_string(i + 1) + ". ";
    Append(out, style, PaintOf(issue.severity), rules::CodeText(*issue.rule));
    out += ' ' + Printable(issue.message) + "  ";
    Append(out, style, Paint::kPath,
           Printable(verdict::PlaceText(file.path, issue.start)) + ':' + std::to_string(issue.start.column));
    out += "\n     " + FixText(document, worst.fix_first[i]) + '\n';
  }
}

}  // namespace cpnlint::report
