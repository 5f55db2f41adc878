#include <algorithm>
#include <cctype>
#include <map>

#include <nlohmann/json.hpp>

#include "cli/report/accuracy.h"
#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/markdown.h"
#include "cli/report/page.h"
#include "cli/report/prediction.h"
#include "cli/report/style.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

// What code scanning sites accept and keep.
constexpr std::size_t kLongestDescription = 1024;
constexpr std::size_t kMostResults = 5000;
constexpr std::size_t kMostPlaces = 100;
constexpr std::size_t kMostLinks = 3;  // to places, in a message
constexpr const char* kBudgetRule = "budget";

// The schema's own name in its corrected edition; the one in tests/schemas is that.
constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

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

// Relative to the repository. Sites refuse a log that mixes such names with absolute ones, so what lies outside is
// named by the way to it.
Json Artifact(const Document& document, const std::string& path) {
  const std::string relative = PathInRepository(document, path);
  Json artifact = {{"uri", PercentEncode(relative)}};
  if (relative != ".." && !relative.starts_with("../")) artifact["uriBaseId"] = "SRCROOT";
  return artifact;
}

Json Region(const Place& place) {
  return {{"startLine", FileLine(place.start)},
          {"startColumn", place.start.utf16},
          {"endLine", FileLine(place.end)},
          {"endColumn", place.end.utf16}};
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

// One that is: to the related location of that number.
std::string Link(std::string_view text, std::size_t id) {
  std::string out = "[";
  for (const char c : ToUtf8(text)) {
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out + "](" + std::to_string(id) + ")";
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

// What exceeded budgets are results of.
Json BudgetRuleJson() {
  constexpr const char* kHelp =
      "A limit that the project sets to a figure of the whole run is exceeded: max-blocks, max-waits-per-iteration, "
      "min-coverage, or one of them in a ratchet. Mend what the message names, or set another limit where the project "
      "is configured.";
  return {{"id", kBudgetRule},
          {"name", "Budget"},
          {"shortDescription", {{"text", "A budget of the project is exceeded."}}},
          {"fullDescription", {{"text", kHelp}}},
          {"help", {{"text", kHelp}, {"markdown", kHelp}}},
          {"defaultConfiguration", {{"level", "error"}, {"enabled", true}}},
          {"properties", {{"tags", {"performance", "budget"}}, {"problem.severity", "error"}}}};
}

// From 0 to 100: the severity, and within it the share of the program's time.
double Rank(const Finding& finding) {
  const int tenths = finding.severity == rules::Severity::kError     ? 700
                     : finding.severity == rules::Severity::kWarning ? 400
                                                                     : 100;
  const double share = finding.cost ? std::clamp(finding.cost->share, 0.0, 1.0) : 0.0;
  return (tenths + static_cast<int>(share * 300)) / 10.0;
}

Json Location(const Json& artifact, const Place& place, const std::string& message) {
  Json location = {{"physicalLocation", {{"artifactLocation", artifact}, {"region", Region(place)}}}};
  if (!message.empty()) location["message"] = {{"text", MessageText(message + InCell(place.start))}};
  return location;
}

// A place of the story behind a finding.
struct Step {
  Json artifact;
  Place place;
  std::string message;
  bool primary = false;
};

// The related places with the finding's own among them, in the order of the source: where an array is born, which loop
// runs, where it waits. Places in other files come first: they are what leads there.
Json CodeFlow(const Document& document, const Finding& finding, const Json& artifact) {
  std::vector<Step> steps;
  for (const Related& related : finding.related) {
    if (!related.path.empty()) steps.push_back({Artifact(document, related.path), related.place, RelatedText(related)});
  }
  const auto own = static_cast<std::ptrdiff_t>(steps.size());
  for (const Related& related : finding.related) {
    if (related.path.empty()) steps.push_back({artifact, related.place, RelatedText(related)});
  }
  steps.push_back({artifact, finding.place, finding.label.empty() ? finding.message : finding.label, true});
  std::stable_sort(steps.begin() + own, steps.end(),
                   [](const Step& a, const Step& b) { return a.place.start < b.place.start; });
  Json locations = Json::array();
  for (const Step& step : steps) {
    if (locations.size() == kMostPlaces) break;
    locations.push_back(
        {{"location", Location(step.artifact, step.place, step.message.empty() ? "related" : step.message)},
         {"importance", step.primary ? "essential" : "important"}});
  }
  return Json::array({{{"threadFlows", Json::array({{{"locations", std::move(locations)}}})}}});
}

// The line around a span, where it is at hand and the file's lines are the program's.
void AddContext(Json& physical, const File& file, const Place& place) {
  if (place.start.cell != 0 || place.start.line != place.end.line) return;
  const auto line = file.text.find(place.start.line);
  if (line == file.text.end()) return;
  physical["contextRegion"] = {{"startLine", place.start.line},
                               {"endLine", place.start.line},
                               {"snippet", {{"text", ToUtf8(line->second.text)}}}};
}

// What the upload action would fill in, and warns of where it is not the same.
void AddLineHash(Json& result, const Document& document, const File& file, std::uint32_t line) {
  const auto hashes = document.line_hashes.find(file.path);
  if (hashes == document.line_hashes.end()) return;
  const auto hash = hashes->second.find(line);
  if (hash != hashes->second.end()) result["partialFingerprints"]["primaryLocationLineHash"] = hash->second;
}

// A block of code in Markdown, whatever back-ticks stand in it.
std::string Fenced(std::string_view code) {
  std::string fence = "```";
  while (code.find(fence) != std::string_view::npos) fence += '`';
  std::string text = fence + "python\n" + PrintableLines(code);
  if (!text.ends_with('\n')) text += '\n';
  return text + fence;
}

Json RelatedLocations(const Document& document, const Finding& finding, const Json& artifact) {
  Json related = Json::array();
  const auto add = [&](const Json& where, const Place& place, const std::string& message) {
    if (related.size() == kMostPlaces) return;
    Json location = Location(where, place, message);
    location["id"] = related.size() + 1;
    related.push_back(std::move(location));
  };
  for (const Related& place : finding.related) {
    const std::string text = RelatedText(place);
    add(place.path.empty() ? artifact : Artifact(document, place.path), place.place, text.empty() ? "related" : text);
  }
  for (const Place& place : finding.also) add(artifact, place, "also here");
  return related;
}

// "element loop over `q` (see [array created here](1))."; `message`: in the form's own spelling.
std::string Headline(const Finding& finding, const std::string& message) {
  std::string links;
  for (std::size_t i = 0; i < finding.related.size() && i < kMostLinks; ++i) {
    const std::string words = RelatedText(finding.related[i]);
    links += (links.empty() ? "" : ", ") + Link(words.empty() ? "related" : words, i + 1);
  }
  return message + (links.empty() ? "." : " (see " + links + ").");
}

// Sites show the plain text, editors and reviewdog the Markdown; both have cost and cure in it, which is what a reader
// acts on.
Json ResultMessage(const Document& document, const Finding& finding) {
  const std::string message = finding.message + InCell(finding.place.start);
  std::string text = Headline(finding, MessageText(message));
  std::string markdown = Headline(finding, MarkdownText(message));
  for (const auto& [name, remark] : Remarks(finding, document)) {
    text += '\n' + std::string(name) + ": " + MessageText(remark);
    if (!text.ends_with('.')) text += '.';
    markdown += "\n\n**" + std::string(name) + ":** ";
    const std::size_t line = remark.find('\n');
    markdown += MarkdownText(std::string_view(remark).substr(0, line));
    if (line != std::string::npos) markdown += "\n\n" + Fenced(std::string_view(remark).substr(line + 1));
  }
  return {{"text", std::move(text)}, {"markdown", ToUtf8(markdown)}};
}

Json RangeJson(const cost::Range& range) {
  return {{"low", Rounded(range.low)}, {"mid", Rounded(range.mid)}, {"high", Rounded(range.high)}};
}

// Seconds, as `cost` in JSON has them, without what they are made of.
Json CostProperties(const Document& document, const cost::FindingCost& cost) {
  if (!cost.unpriced.empty()) return {{"unpriced", ToUtf8(cost.unpriced)}};
  Json json = {{"perPass", RangeJson(cost.per_pass)},
               {"passes", ToUtf8(cost.passes)},
               {"share", Rounded(cost.share)},
               {"boundBy", cost::Name(cost.bound_by)},
               {"profile", ToUtf8(document.profile)}};
  if (cost.gain) json["gainIfFixed"] = RangeJson(*cost.gain);
  return json;
}

Json BudgetResult(const Document& document, const Budget& budget, const File& file, std::size_t rule_index,
                  std::size_t artifact_index) {
  Json artifact = Artifact(document, file.path);
  artifact["index"] = artifact_index;
  const std::string text = BudgetText(budget) + '.';
  Json result = {{"ruleId", kBudgetRule},
                 {"ruleIndex", rule_index},
                 {"level", "error"},
                 {"message", {{"text", MessageText(text)}, {"markdown", MarkdownText(text)}}},
                 {"locations", Json::array({Location(artifact, FirstLine(), "")})},
                 {"partialFingerprints", {{"cpnlint/v1", HashText("budget " + budget.name)}}},
                 {"rank", 100.0},
                 {"properties", {{"budget", budget.name}, {"limit", budget.limit}, {"found", budget.found}}}};
  AddLineHash(result, document, file, 1);
  return result;
}

Json ResultJson(const Document& document, const Located& located, std::size_t rule_index, std::size_t artifact_index) {
  const Finding& finding = *located.finding;
  Json artifact = Artifact(document, located.file->path);
  artifact["index"] = artifact_index;
  Json location = Location(artifact, finding.place, "");
  AddContext(location["physicalLocation"], *located.file, finding.place);
  if (!finding.function.empty()) {
    location["logicalLocations"] =
        Json::array({{{"fullyQualifiedName", ToUtf8(finding.function)}, {"kind", "function"}}});
  }
  Json result = {{"ruleId", rules::CodeText(*finding.rule)},
                 {"ruleIndex", rule_index},
                 {"level", Level(finding.severity)},
                 {"message", ResultMessage(document, finding)},
                 {"locations", Json::array({std::move(location)})}};
  Json related = RelatedLocations(document, finding, artifact);
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (!finding.related.empty()) result["codeFlows"] = CodeFlow(document, finding, artifact);
  result["partialFingerprints"] = {{"cpnlint/v1", finding.fingerprint}};
  AddLineHash(result, document, *located.file, FileLine(finding.place.start));
  result["rank"] = Rank(finding);
  result["properties"] = {{"confidence", rules::Name(finding.confidence)},
                          {"family", rules::Name(finding.rule->family)}};
  if (finding.place.start.cell != 0) result["properties"]["cell"] = finding.place.start.cell;
  if (finding.rule->recipe[0] != '\0') result["properties"]["recipe"] = finding.rule->recipe;
  if (finding.cost) result["properties"]["cost"] = CostProperties(document, *finding.cost);
  return result;
}

Json NotificationJson(const Note& note, const Json& artifact) {
  Json notification = {
      {"level", note.kind == "internal-error" ? "error" : "note"},
      {"message", {{"text", MessageText(note.message + (note.start ? InCell(*note.start) : "") + ".")}}},
      {"descriptor", {{"id", note.kind}}}};
  if (artifact.is_null()) return notification;
  Json physical = {{"artifactLocation", artifact}};
  if (note.start) physical["region"] = {{"startLine", FileLine(*note.start)}, {"startColumn", note.start->utf16}};
  notification["locations"] = Json::array({{{"physicalLocation", std::move(physical)}}});
  return notification;
}

Json Notifications(const Document& document, std::size_t left_out) {
  Json notifications = Json::array();
  for (const File& file : document.files) {
    for (const Note& note : file.notes) {
      if (IsNoteworthy(note)) notifications.push_back(NotificationJson(note, Artifact(document, file.path)));
    }
  }
  for (const Note& note : document.notes) {
    notifications.push_back(NotificationJson(note, note.path.empty() ? Json(nullptr) : Artifact(document, note.path)));
  }
  if (left_out > 0) {
    const Note note = {"truncated",
                       std::nullopt,
                       "the " + std::to_string(kMostResults) +
                           " gravest findings stand here, which is what sites keep; " + std::to_string(left_out) +
                           " more do not",
                       {}};
    notifications.push_back(NotificationJson(note, nullptr));
  }
  return notifications;
}

// Items of a list, one per line.
void AppendLines(std::string& out, std::string_view key, const std::vector<std::string>& items,
                 std::string_view after) {
  out += "    \"" + std::string(key) + "\": [";
  for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "\n      " : ",\n      ") + items[i];
  out += items.empty() ? "]" : "\n    ]";
  out += after;
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
  const std::size_t budget_rule = rule_list.size();
  rule_list.push_back(BudgetRuleJson());
  const std::vector<const Budget*> exceeded = ExceededBudgets(document);
  const File* of_run = exceeded.empty() ? nullptr : FileOfRun(document);
  std::vector<Located> findings = ByImpact(document);
  const std::size_t most = kMostResults - exceeded.size();
  const std::size_t left_out = findings.size() > most ? findings.size() - most : 0;
  findings.resize(findings.size() - left_out);
  std::map<const File*, std::size_t> artifacts;
  std::vector<std::string> artifact_lines, results;
  for (const File& file : document.files) {
    if (file.findings.empty() && &file != of_run) continue;
    artifacts[&file] = artifact_lines.size();
    artifact_lines.push_back(Dump({{"location", Artifact(document, file.path)}, {"sourceLanguage", "python"}}));
  }
  for (const Budget* budget : exceeded) {
    if (of_run == nullptr) break;
    results.push_back(Dump(BudgetResult(document, *budget, *of_run, budget_rule, artifacts.at(of_run))));
  }
  for (const Located& located : findings) {
    results.push_back(Dump(ResultJson(document, located, index.at(located.finding->rule), artifacts.at(located.file))));
  }
  const Json invocation = {{"executionSuccessful", document.exit_code != 2},
                           {"exitCode", document.exit_code},
                           {"toolExecutionNotifications", Notifications(document, left_out)}};
  const Json driver = {{"name", "cpnlint"},
                       {"semanticVersion", CPNLINT_VERSION},
                       {"rules", std::move(rule_list)},
                       {"properties", {{"rulesVersion", kRulesVersion}, {"target", document.target_version}}}};

  std::string out = "{\n  \"$schema\": \"" + std::string(kSchema) + "\",\n  \"version\": \"2.1.0\",\n";
  out += "  \"runs\": [{\n    \"tool\": {\"driver\": " + Dump(driver) + "},\n";
  out += "    \"invocations\": [" + Dump(invocation) + "],\n";
  out += "    \"columnKind\": \"utf16CodeUnits\",\n    \"newlineSequences\": [\"\\r\\n\", \"\\n\", \"\\r\"],\n";
  out += "    \"originalUriBaseIds\": {\"SRCROOT\": {\"description\": {\"text\": \"the root of the repository\"}}},\n";
  AppendLines(out, "artifacts", artifact_lines, ",\n");
  AppendLines(out, "results", results, "\n  }]\n}\n");
  return out;
}

}  // namespace cpnlint::report
