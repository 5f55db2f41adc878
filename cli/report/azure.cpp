// Logging commands, which Azure Pipelines turns into issues of the build.

#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

// The agent undoes exactly these.
std::string Escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%': out += "%AZP25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      case ';': out += property ? "%3B" : ";"; break;
      case ']': out += property ? "%5D" : "]"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

std::string WriteAzure(const Document& document, const Style&) {
  std::string out;
  for (const Budget* budget : ExceededBudgets(document)) {
    out += "##vso[task.logissue type=error;code=" + Escaped(budget->name, true) + ";]" +
           Escaped(Printable(BudgetText(*budget)), false) + '\n';
  }
  for (const Located& located : ByImpact(document)) {
    const Finding& finding = *located.finding;
    const Point& start = finding.place.start;
    // There are two levels only.
    out += "##vso[task.logissue type=";
    out += finding.severity == rules::Severity::kError ? "error" : "warning";
    out += ";sourcepath=" + Escaped(Printable(PathInRepository(document, located.file->path)), true);
    out += ";linenumber=" + std::to_string(FileLine(start)) + ";columnnumber=" + std::to_string(FileColumn(start));
    out += ";code=" + rules::CodeText(*finding.rule) + ";]";
    std::string message = Printable(finding.message) + InCell(start);
    if (finding.severity == rules::Severity::kInfo) message += " (info)";
    for (const auto& [name, text] : Remarks(finding, document)) {
      message += '\n' + std::string(name) + ": " + PrintableLines(text);
    }
    out += Escaped(message, false) + '\n';
  }
  return out;
}

}  // namespace cpnlint::report
