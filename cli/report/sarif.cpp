#include <cctype>
#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

#include "cli/report/accuracy.h"
#include "cli/report/formats.h"
#include "cli/report/page.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestDescription = 1024;  // what code scanning sites accept

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string_view Level(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::kError: return "error";
    case rules::Severity::kWarning: return "warning";
    case rules::Severity::kInfo: return "note";
    case rules::Severity::kGood: return "none";
  }
  return "none";
}

// RFC 3986: unreserved characters and the slash stay.
std::string PercentEncode(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 15];
    }
  }
  return out;
}

// Relative to the repository; what lies outside of it is named absolutely.
Json Artifact(const Document& document, const std::string& path) {
  const std::filesystem::path absolute = (std::filesystem::path(document.folder) / path).lexically_normal();
  const std::string relative = absolute.lexically_relative(document.repository).generic_string();
  if (relative.empty() || relative == ".." || relative.starts_with("../")) {
    return {{"uri", "file://" + PercentEncode(absolute.generic_string())}};
  }
  return {{"uri", PercentEncode(relative)}, {"uriBaseId", "SRCROOT"}};
}

Json Region(const Place& place) {
  return {{"startLine", FileLine(place.start)},
          {"startColumn", place.start.utf16},
          {"endLine", FileLine(place.end)},
          {"endColumn", place.end.utf16}};
}

// A notebook's lines are those of the file, where sites put their remarks; people look for the cell.
std::string InCell(const Point& start) {
  if (start.cell == 0) return "";
  return " (cell " + std::to_string(start.cell) + ", line " + std::to_string(start.cell_line) + ")";
}

// `[text](1)` would be a link to a related location.
std::string MessageText(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ']' && i + 1 < text.size() && text[i + 1] == '(') out += '\\';
    out += text[i];
  }
  return ToUtf8(out);
}

std::string PascalCase(std::string_view slug) {
  std::string out;
  bool start = true;
  for (const char c : slug) {
    if (c == '-') {
      start = true;
      continue;
    }
    out += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = false;
  }
  return out;
}

std::string Description(std::string_view text) {
  if (text.size() <= kLongestDescription) return std::string(text);
  std::size_t end = kLongestDescription - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

Json RuleJson(const rules::Rule& rule) {
  const std::string_view problem = rule.severity == rules::Severity::kError     ? "error"
                                   : rule.severity == rules::Severity::kWarning ? "warning"
                                                                                : "recommendation";
  Json properties = {{"tags", {"performance", rules::Name(rule.family)}}, {"problem.severity", problem}};
  const std::string_view precision = PrecisionName(AccuracyOf(rule.code));
  if (!precision.empty()) properties["precision"] = precision;
  return {{"id", rules::CodeText(rule)},
          {"name", PascalCase(rule.slug)},
          {"shortDescription", {{"text", Description(rule.summary)}}},
          {"fullDescription", {{"text", Description(rule.why[0] == '\0' ? rule.summary : rule.why)}}},
          {"help", {{"text", PageText(rule, {})}, {"markdown", PageMarkdown(rule)}}},
          {"defaultConfiguration", {{"level", Level(rule.severity)}, {"enabled", !rule.preview}}},
          {"properties", std::move(properties)}};
}

Json ResultJson(const Document& document, const Finding& finding, std::size_t rule_index, const Json& artifact) {
  Json location = {{"physicalLocation", {{"artifactLocation", artifact}, {"region", Region(finding.place)}}}};
  if (!finding.function.empty()) {
    location["logicalLocations"] = Json::array({{{"fullyQualifiedName", finding.function}, {"kind", "function"}}});
  }
  Json result = {{"ruleId", rules::CodeText(*finding.rule)},
                 {"ruleIndex", rule_index},
                 {"level", Level(finding.severity)},
                 {"message", {{"text", MessageText(finding.message + InCell(finding.place.start))}}},
                 {"locations", Json::array({std::move(location)})}};
  Json related = Json::array();
  const auto add = [&](const Json& where, const Place& place, const std::string& message) {
    related.push_back({{"id", related.size() + 1},
                       {"physicalLocation", {{"artifactLocation", where}, {"region", Region(place)}}},
                       {"message", {{"text", MessageText(message + InCell(place.start))}}}});
  };
  for (const Related& place : finding.related) {
    add(place.path.empty() ? artifact : Artifact(document, place.path), place.place,
        place.message.empty() ? "related" : place.message);
  }
  for (const Place& place : finding.also) add(artifact, place, "also here");
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  result["partialFingerprints"] = {{"cpnlint/v1", finding.fingerprint}};
  result["properties"] = {{"confidence", rules::Name(finding.confidence)},
                          {"family", rules::Name(finding.rule->family)}};
  if (finding.place.start.cell != 0) result["properties"]["cell"] = finding.place.start.cell;
  if (finding.rule->recipe[0] != '\0') result["properties"]["recipe"] = finding.rule->recipe;
  return result;
}

Json NotificationJson(const Note& note, const Json& artifact) {
  Json notification = {{"level", note.kind == "internal-error" ? "error" : "note"},
                       {"message", {{"text", MessageText(note.message + (note.start ? InCell(*note.start) : ""))}}},
                       {"descriptor", {{"id", note.kind}}}};
  if (artifact.is_null()) return notification;
  Json physical = {{"artifactLocation", artifact}};
  if (note.start) physical["region"] = {{"startLine", FileLine(*note.start)}, {"startColumn", note.start->utf16}};
  notification["locations"] = Json::array({{{"physicalLocation", std::move(physical)}}});
  return notification;
}

}  // namespace

std::string WriteSarif(const Document& document) {
  std::map<const rules::Rule*, std::size_t> index;
  Json rule_list = Json::array();
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->family == rules::Family::kScales) continue;
    index[rule] = rule_list.size();
    rule_list.push_back(RuleJson(*rule));
  }
  Json notifications = Json::array();
  for (const File& file : document.files) {
    for (const Note& note : file.notes) {
      if (IsNoteworthy(note)) notifications.push_back(NotificationJson(note, Artifact(document, file.path)));
    }
  }
  for (const Note& note : document.notes) {
    notifications.push_back(NotificationJson(note, note.path.empty() ? Json(nullptr) : Artifact(document, note.path)));
  }
  const Json invocation = {{"executionSuccessful", document.exit_code != 2},
                           {"exitCode", document.exit_code},
                           {"toolExecutionNotifications", std::move(notifications)}};
  const Json driver = {{"name", "cpnlint"},
                       {"semanticVersion", CPNLINT_VERSION},
                       {"rules", std::move(rule_list)},
                       {"properties", {{"rulesVersion", kRulesVersion}, {"target", document.target_version}}}};

  std::string out = "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n";
  out += "  \"runs\": [{\n    \"tool\": {\"driver\": " + Dump(driver) + "},\n";
  out += "    \"invocations\": [" + Dump(invocation) + "],\n";
  out += "    \"columnKind\": \"utf16CodeUnits\",\n";
  out += "    \"originalUriBaseIds\": {\"SRCROOT\": {\"description\": {\"text\": \"the root of the repository\"}}},\n";
  out += "    \"results\": [";
  bool first = true;
  for (const File& file : document.files) {
    if (file.findings.empty()) continue;
    const Json artifact = Artifact(document, file.path);
    for (const Finding& finding : file.findings) {
      out += first ? "\n      " : ",\n      ";
      out += Dump(ResultJson(document, finding, index.at(finding.rule), artifact));
      first = false;
    }
  }
  out += first ? "]\n  }]\n}\n" : "\n    ]\n  }]\n}\n";
  return out;
}

}  // namespace cpnlint::report
