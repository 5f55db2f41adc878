// Reviewdog's diagnostic format, as one document and as one line per finding. Columns are bytes of UTF-8. Paths start
// at the current folder, as reviewdog takes them.

#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/json_text.h"

namespace cpnlint::report {
namespace {

std::string_view SeverityName(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::kError: return "ERROR";
    case rules::Severity::kWarning: return "WARNING";
    default: return "INFO";
  }
}

void AppendPosition(std::string& out, const Point& point) {
  JsonObject position(out);
  position.Number("line", FileLine(point));
  position.Number("column", FileByteColumn(point));
}

void AppendLocation(std::string& out, const std::string& path, const Place& place) {
  JsonObject location(out);
  location.Text("path", path);
  JsonObject range(location.Key("range"));
  AppendPosition(range.Key("start"), place.start);
  AppendPosition(range.Key("end"), place.end);
}

void AppendRelated(std::string& out, const std::string& message, const std::string& path, const Place& place) {
  JsonObject object(out);
  object.Text("message", message);
  AppendLocation(object.Key("location"), path, place);
}

void AppendDiagnostic(std::string& out, const Document& document, const Finding& finding, const std::string& path,
                      bool with_source) {
  JsonObject diagnostic(out);
  std::string message = finding.message + InCell(finding.place.start);
  for (const auto& [name, text] : Remarks(finding, document)) message += '\n' + std::string(name) + ": " + text;
  diagnostic.Text("message", ToUtf8(message));
  AppendLocation(diagnostic.Key("location"), path, finding.place);
  diagnostic.Text("severity", SeverityName(finding.severity));
  if (with_source) diagnostic.Key("source") += "{\"name\":\"cpnlint\"}";
  {
    JsonObject code(diagnostic.Key("code"));
    code.Text("value", rules::CodeText(*finding.rule));
  }
  JsonArray related(diagnostic.Key("related_locations"));
  for (const Related& other : finding.related) {
    AppendRelated(related.Next(), ToUtf8(RelatedText(other)), other.path.empty() ? path : ToUtf8(other.path),
                  other.place);
  }
  for (const Place& place : finding.also) AppendRelated(related.Next(), "also here", path, place);
}

// It is about no line: the first one stands for the file, since reviewdog shows nothing without a range.
void AppendBudget(std::string& out, const Budget& budget, const std::string& path, bool with_source) {
  JsonObject diagnostic(out);
  diagnostic.Text("message", ToUtf8(BudgetText(budget)));
  Point first;
  first.line = first.column = first.utf16 = 1;
  AppendLocation(diagnostic.Key("location"), path, {first, first});
  diagnostic.Text("severity", "ERROR");
  if (with_source) diagnostic.Key("source") += "{\"name\":\"cpnlint\"}";
  JsonObject code(diagnostic.Key("code"));
  code.Text("value", budget.name);
}

// Calls `begin` for where each finding is to be written.
template <typename Begin>
void AppendAll(const Document& document, bool with_source, Begin begin) {
  const File* of_run = FileOfRun(document);
  for (const Budget* budget : ExceededBudgets(document)) {
    if (of_run != nullptr) AppendBudget(begin(), *budget, ToUtf8(of_run->path), with_source);
  }
  for (const File& file : document.files) {
    const std::string path = ToUtf8(file.path);
    for (const Finding& finding : file.findings) AppendDiagnostic(begin(), document, finding, path, with_source);
  }
}

}  // namespace

std::string WriteRdjson(const Document& document, const Style&) {
  std::string out = "{\n  \"source\": {\"name\":\"cpnlint\"},\n  \"severity\": \"WARNING\",\n  \"diagnostics\": [";
  bool first = true;
  AppendAll(document, false, [&]() -> std::string& {
    out += first ? "\n    " : ",\n    ";
    first = false;
    return out;
  });
  return out + (first ? "]\n}\n" : "\n  ]\n}\n");
}

std::string WriteRdjsonLines(const Document& document, const Style&) {
  std::string out;
  AppendAll(document, true, [&]() -> std::string& {
    if (!out.empty()) out += '\n';
    return out;
  });
  if (!out.empty()) out += '\n';
  return out;
}

}  // namespace cpnlint::report
