// The verdict as the last lines of a check.

#include <algorithm>

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

std::string ProgramsText(const verdict::Verdict& verdict) {
  const auto minor = static_cast<std::size_t>(std::count_if(verdict.programs.begin(), verdict.programs.end(),
                                                            [](const auto& program) { return program.minor; }));
  const std::size_t major = verdict.programs.size() - minor;
  std::string text = major > 1 ? "the worst of " + std::to_string(major) + " programs" : "the program";
  text += ": " + verdict.programs[verdict.worst].root;
  if (minor == 0) return text;
  return text + "; " + std::to_string(minor) + (minor == 1 ? " other has" : " others have") +
         " under 1 % of the work of the heaviest and " + (minor == 1 ? "does" : "do") + " not speak for the run";
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
  if (verdict.programs.size() > 1) out += "  " + Printable(ProgramsText(verdict)) + '\n';
  if (const std::string unnamed = UnnamedText(document, worst); !unnamed.empty()) {
    out += "  " + Printable(unnamed) + '\n';
  }
  if (const std::string hidden = NotShownText(document, worst); !hidden.empty()) {
    out += "  " + Printable(hidden) + '\n';
  }
  const verdict::ProgramVerdict& fixed = verdict.programs[verdict.fixed];
  if (fixed.fix_first.empty()) return;
  out += "Fix first";
  if (verdict.fixed != verdict.worst) {
    out += " in " + Printable(fixed.root) + ", which is " + std::string(verdict::Name(fixed.tier));
  }
  out += ":\n";
  for (std::size_t i = 0; i < fixed.fix_first.size(); ++i) {
    const verdict::IssueRef ref = fixed.fix_first[i].issue;
    const File& file = document.files[ref.file];
    const verdict::Issue& issue = file.evidence.issues[ref.issue];
    out += "  " + std::to_string(i + 1) + ". ";
    Append(out, style, PaintOf(issue.severity), rules::CodeText(*issue.rule));
    out += ' ' + Printable(issue.message) + "  ";
    Append(out, style, Paint::kPath,
           Printable(verdict::PlaceText(file.path, issue.start)) + ':' + std::to_string(issue.start.column));
    out += "\n     " + FixText(document, fixed.fix_first[i]) + '\n';
  }
}

}  // namespace cpnlint::report
