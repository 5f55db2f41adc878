// GitLab's Code Quality report: what Code Climate's engines print, as one JSON array.

#include <set>

#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/json_text.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

std::string_view SeverityName(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::kError: return "critical";
    case rules::Severity::kWarning: return "major";
    default: return "info";
  }
}

void AppendPosition(JsonObject& positions, std::string_view key, const Point& point) {
  JsonObject position(positions.Key(key));
  position.Number("line", FileLine(point));
  position.Number("column", FileColumn(point));
}

// `lines` is what GitLab reads, the last one included; `positions` has the columns as well, in characters.
void AppendLocation(std::string& out, const std::string& path, const Place& place) {
  JsonObject location(out);
  location.Text("path", path);
  {
    JsonObject lines(location.Key("lines"));
    lines.Number("begin", FileLine(place.start));
    lines.Number("end", FileLine(place.end));
  }
  JsonObject positions(location.Key("positions"));
  AppendPosition(positions, "begin", place.start);
  AppendPosition(positions, "end", place.end);
}

// Issues of one fingerprint are shown as one, so each has its own; it stays when lines move.
std::string Fingerprint(const Finding& finding, const std::string& path, std::set<std::string>& taken) {
  const std::string seed = finding.fingerprint + '\0' + path;
  std::string fingerprint = HashText(seed);
  for (int number = 2; !taken.insert(fingerprint).second; ++number) {
    fingerprint = HashText(seed + '\0' + std::to_string(number));
  }
  return fingerprint;
}

std::string Body(const Finding& finding, const Document& document) {
  std::string body;
  for (const auto& [name, text] : Remarks(finding, document)) {
    body += (body.empty() ? "" : "\n\n") + std::string(name) + ": " + PrintableLines(text);
  }
  return body;
}

void AppendIssue(std::string& out, const Document& document, const Finding& finding, const std::string& path,
                 std::set<std::string>& taken) {
  const std::string code = rules::CodeText(*finding.rule);
  JsonObject issue(out);
  issue.Text("type", "issue");
  // The site shows nothing else: neither the name of the check nor the body.
  std::string description = code + ": " + Printable(finding.message) + InCell(finding.place.start) + AlsoText(finding);
  if (const std::string advice = ShortAdvice(finding, document); !advice.empty())
    description += "; " + Printable(advice);
  issue.Text("description", description);
  issue.Text("check_name", code);
  issue.Text("fingerprint", Fingerprint(finding, path, taken));
  issue.Text("severity", SeverityName(finding.severity));
  issue.Key("categories") += "[\"Performance\"]";
  AppendLocation(issue.Key("location"), path, finding.place);
  {
    JsonArray others(issue.Key("other_locations"));
    for (const Related& related : finding.related) {
      const std::string other = related.path.empty() ? path : ToUtf8(PathInRepository(document, related.path));
      AppendLocation(others.Next(), other, related.place);
    }
    for (const Place& place : finding.also) AppendLocation(others.Next(), path, place);
  }
  JsonObject content(issue.Key("content"));
  content.Text("body", Body(finding, document));
}

void AppendBudget(std::string& out, const Budget& budget, const std::string& path, std::set<std::string>& taken) {
  JsonObject issue(out);
  issue.Text("type", "issue");
  issue.Text("description", Printable(BudgetText(budget)));
  issue.Text("check_name", budget.name);
  Finding anywhere;
  anywhere.fingerprint = HashText("budget " + budget.name);
  issue.Text("fingerprint", Fingerprint(anywhere, path, taken));
  issue.Text("severity", "critical");
  issue.Key("categories") += "[\"Performance\"]";
  AppendLocation(issue.Key("location"), path, FirstLine());
}

}  // namespace

std::string WriteGitlab(const Document& document, const Style&) {
  std::string out = "[";
  std::set<std::string> taken;
  bool first = true;
  const File* of_run = FileOfRun(document);
  for (const Budget* budget : ExceededBudgets(document)) {
    if (of_run == nullptr) break;
    out += first ? "\n  " : ",\n  ";
    first = false;
    AppendBudget(out, *budget, ToUtf8(PathInRepository(document, of_run->path)), taken);
  }
  for (const File& file : document.files) {
    if (file.findings.empty()) continue;
    const std::string path = ToUtf8(PathInRepository(document, file.path));
    for (const Finding& finding : file.findings) {
      out += first ? "\n  " : ",\n  ";
      first = false;
      AppendIssue(out, document, finding, path, taken);
    }
  }
  return out + (first ? "]\n" : "\n]\n");
}

}  // namespace cpnlint::report
