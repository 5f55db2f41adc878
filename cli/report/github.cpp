// Workflow commands, which GitHub Actions turns into annotations on a pull request.

#include <algorithm>

#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

constexpr std::size_t kMostOfALevel = 10;  // per step; GitHub drops further ones without a word

std::string Escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%': out += "%25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      case ':': out += property ? "%3A" : ":"; break;
      case ',': out += property ? "%2C" : ","; break;
      default: out += c;
    }
  }
  return out;
}
// A terminal may be what reads them, so a path's control characters are shown as pictures here, too.
std::string Property(std::string_view text) { return Escaped(Printable(text), true); }

std::string_view Command(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::kError: return "error";
    case rules::Severity::kWarning: return "warning";
    default: return "notice";
  }
}

void AppendAnnotation(std::string& out, const Document& document, const Located& located) {
  const Finding& finding = *located.finding;
  const Point& start = finding.place.start;
  const Point& end = finding.place.end;
  const std::string code = rules::CodeText(*finding.rule);
  out += "::" + std::string(Command(finding.severity)) + " title=" + Property(code + ' ' + finding.rule->slug);
  out += ",file=" + Property(PathInRepository(document, located.file->path));
  out += ",line=" + std::to_string(FileLine(start)) + ",endLine=" + std::to_string(FileLine(end));
  // Columns that belong to different lines make GitHub drop the annotation.
  if (FileLine(start) == FileLine(end)) {
    out += ",col=" + std::to_string(FileColumn(start)) + ",endColumn=" + std::to_string(FileColumn(end));
  }
  std::string message = PlaceText(*located.file, start) + ": " + code + ' ' + Printable(finding.message);
  for (const auto& [name, text] : Remarks(finding, document)) {
    message += '\n' + std::string(name) + ": " + PrintableLines(text);
  }
  out += "::" + Escaped(message, false) + '\n';
}

}  // namespace

std::string WriteGithub(const Document& document, const Style&) {
  const std::vector<Located> findings = ByImpact(document);
  const Counts counts = Count(document);
  const auto above = [](std::size_t count, std::size_t most) { return count > most ? count - most : 0; };
  const std::vector<const Budget*> exceeded = ExceededBudgets(document);
  const std::size_t most_errors = kMostOfALevel - std::min(kMostOfALevel, exceeded.size());
  std::size_t hidden = above(counts.errors, most_errors) + above(counts.warnings, kMostOfALevel);
  // The last word is a notice, too.
  const bool has_last_word = hidden > 0 || counts.infos > kMostOfALevel || counts.failed > 0;
  const std::size_t most_notices = has_last_word ? kMostOfALevel - 1 : kMostOfALevel;
  hidden += above(counts.infos, most_notices);

  std::string out;
  for (const Budget* budget : exceeded) {
    out += "::error title=" + Property("cpnlint " + budget->name) +
           "::" + Escaped(Printable(BudgetText(*budget)), false) + '\n';
  }
  std::size_t errors = 0, warnings = 0, notices = 0;
  for (const Located& located : findings) {
    const rules::Severity severity = located.finding->severity;
    std::size_t& count = severity == rules::Severity::kError     ? errors
                         : severity == rules::Severity::kWarning ? warnings
                                                                 : notices;
    const std::size_t most = &count == &notices ? most_notices : &count == &errors ? most_errors : kMostOfALevel;
    if (++count > most) continue;
    AppendAnnotation(out, document, located);
  }
  if (!has_last_word) return out;
  std::string last;
  if (hidden > 0) {
    last = "and " + std::to_string(hidden) + " more; the formats text and markdown list all of them";
  }
  if (counts.failed > 0) {
    last += (last.empty() ? "" : "; ") + std::to_string(counts.failed) + (counts.failed == 1 ? " file" : " files") +
            " could not be analysed";
  }
  return out + "::notice title=cpnlint::" + Escaped(last, false) + '\n';
}

}  // namespace cpnlint::report
