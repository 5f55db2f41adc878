// JUnit's XML: a suite per file, a failed case per finding. Servers show it among the results of tests.

#include "analyzer/base/utf8.h"
#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

// For text and for attributes in double quotes. `printable` has no control characters; what else XML 1.0 does not allow
// is left out.
std::string Escaped(std::string_view printable) {
  std::string out;
  for (std::size_t at = 0; at < printable.size();) {
    const char32_t character = NextCharacter(printable, at);
    switch (character) {
      case U'&': out += "&amp;"; break;
      case U'<': out += "&lt;"; break;
      case U'>': out += "&gt;"; break;
      case U'"': out += "&quot;"; break;
      case U'\'': out += "&apos;"; break;
      case 0xFFFE:
      case 0xFFFF: break;
      default: AppendUtf8(out, character);
    }
  }
  return out;
}

std::string Attribute(std::string_view name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + Escaped(Printable(value)) + '"';
}

// "src/solver" of "src/solver.py".
std::string ClassName(const std::string& path) {
  for (const std::string_view ending : {".py", ".ipynb"}) {
    if (path.ends_with(ending) && path.size() > ending.size()) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

std::string Totals(std::string_view name, std::size_t tests, std::size_t failures, std::size_t errors) {
  return Attribute("name", name) + Attribute("tests", std::to_string(tests)) +
         Attribute("failures", std::to_string(failures)) + Attribute("errors", std::to_string(errors));
}

void AppendCase(std::string& out, const Document& document, const File& file, const Finding& finding) {
  const Point& start = finding.place.start;
  const std::string code = rules::CodeText(*finding.rule);
  out += "    <testcase" + Attribute("name", "cpnlint." + code) + Attribute("classname", ClassName(file.path)) +
         Attribute("line", std::to_string(FileLine(start))) + Attribute("column", std::to_string(FileColumn(start))) +
         ">\n      <failure" + Attribute("message", code + ' ' + finding.message) +
         Attribute("type", rules::Name(finding.severity)) + '>';
  std::string text = start.cell == 0 ? "" : "cell " + std::to_string(start.cell) + ", ";
  text += "line " + std::to_string(ShownLine(start)) + ", col " + std::to_string(start.column) + ", " + finding.message;
  for (const auto& [name, remark] : Remarks(finding, document)) text += '\n' + std::string(name) + ": " + remark;
  out += Escaped(PrintableLines(text)) + "</failure>\n    </testcase>\n";
}

// Of a file of which nothing could be analysed.
void AppendFailure(std::string& out, const File& file) {
  const std::string why = file.notes.empty() ? "could not be analysed" : file.notes.front().message;
  out += "    <testcase" + Attribute("name", "cpnlint.analysis") + Attribute("classname", ClassName(file.path)) +
         ">\n      <error" + Attribute("message", why) + Attribute("type", "not-analysed") + "/>\n    </testcase>\n";
}

void AppendBudgets(std::string& out, const Document& document) {
  if (document.budgets.empty()) return;
  const std::size_t exceeded = ExceededBudgets(document).size();
  out += "  <testsuite" + Totals("budgets", document.budgets.size(), exceeded, 0) + ">\n";
  for (const Budget& budget : document.budgets) {
    out += "    <testcase" + Attribute("name", "cpnlint." + budget.name) + Attribute("classname", "budgets");
    if (!budget.exceeded) {
      out += "/>\n";
      continue;
    }
    out += ">\n      <failure" + Attribute("message", BudgetText(budget)) + Attribute("type", "error") + '>' +
           Escaped(PrintableLines(BudgetText(budget))) + "</failure>\n    </testcase>\n";
  }
  out += "  </testsuite>\n";
}

}  // namespace

std::string WriteJunit(const Document& document, const Style&) {
  std::string suites;
  std::size_t failures = 0, errors = 0;
  for (const File& file : document.files) {
    const bool failed = file.state == File::State::kFailed;
    if (file.findings.empty() && !failed) continue;
    const std::size_t findings = file.findings.size(), troubles = failed ? 1 : 0;
    suites += "  <testsuite" + Totals(file.path, findings + troubles, findings, troubles) + ">\n";
    for (const Finding& finding : file.findings) AppendCase(suites, document, file, finding);
    if (failed) AppendFailure(suites, file);
    suites += "  </testsuite>\n";
    failures += findings;
    errors += troubles;
  }
  AppendBudgets(suites, document);
  std::size_t tests = failures + errors + document.budgets.size();
  failures += ExceededBudgets(document).size();
  if (tests == 0) {
    // A report without a case reads as if nothing had run.
    tests = 1;
    suites = "  <testsuite" + Totals("cpnlint", 1, 0, 0) +
             ">\n    <testcase name=\"No errors found\" classname=\"cpnlint\"/>\n  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + Totals("cpnlint", tests, failures, errors) +
         ">\n" + suites + "</testsuites>\n";
}

}  // namespace cpnlint::report
