#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/report/formats.h"
#include "cli/report/json_text.h"
#include "cli/report/prediction.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void AddText(JsonObject& object, std::string_view key, std::string_view text) {
  if (text.empty()) {
    object.Null(key);
  } else {
    object.Text(key, ToUtf8(text));
  }
}

void AddPosition(JsonObject& object, std::string_view key, const Point& point) {
  JsonObject position(object.Key(key));
  position.Number("line", ShownLine(point));
  position.Number("column", point.column);
}

void AddCell(JsonObject& object, const Point& point) {
  if (point.cell == 0) {
    object.Null("cell");
  } else {
    object.Number("cell", point.cell);
  }
}

void AddPlace(JsonObject& object, const Place& place) {
  AddCell(object, place.start);
  AddPosition(object, "start", place.start);
  AddPosition(object, "end", place.end);
}

const rules::Rule* RuleOf(int code) {
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->code == code) return rule;
  }
  return nullptr;
}

void AppendRelated(std::string& out, const Related& place, const std::string& path) {
  JsonObject object(out);
  object.Text("message", ToUtf8(place.message));
  if (const rules::Rule* swallowed = place.rule == 0 ? nullptr : RuleOf(place.rule)) {
    object.Text("rule", rules::CodeText(*swallowed));
  } else {
    object.Null("rule");
  }
  object.Text("path", place.path.empty() ? path : ToUtf8(place.path));
  AddPlace(object, place.place);
}

void AppendFinding(std::string& out, const Document& document, const Finding& finding, const std::string& path,
                   AssumptionsJson& assumptions) {
  const rules::Rule& rule = *finding.rule;
  JsonObject object(out);
  object.Text("rule", rules::CodeText(rule));
  object.Text("slug", rule.slug);
  object.Text("family", rules::Name(rule.family));
  object.Text("severity", rules::Name(finding.severity));
  object.Text("confidence", rules::Name(finding.confidence));
  object.Text("message", ToUtf8(finding.message));
  object.Text("path", path);
  AddCell(object, finding.place.start);
  AddText(object, "function", finding.function);
  AddPosition(object, "start", finding.place.start);
  AddPosition(object, "end", finding.place.end);
  {
    JsonArray related(object.Key("related"));
    for (const Related& place : finding.related) AppendRelated(related.Next(), place, path);
  }
  {
    JsonArray also(object.Key("also"));
    for (const Place& place : finding.also) {
      JsonObject further(also.Next());
      further.Text("path", path);
      AddPlace(further, place);
    }
  }
  AddText(object, "recipe", rule.recipe);
  object.Null("fix");
  object.Key("cost") += CostJson(finding, document, assumptions);
  AddText(object, "doctor", finding.doctor);
  object.Text("fingerprint", finding.fingerprint);
  object.Text("valid_for", rule.valid_for);
  object.Null("url");
}

void AppendGood(std::string& out, const Good& good, const std::string& path) {
  JsonObject object(out);
  AddText(object, "function", good.function);
  object.Text("path", path);
  object.Text("rule", rules::CodeText(*good.rule));
  object.Number("count", good.count);
  {
    JsonArray lines(object.Key("lines"));
    for (const Place& place : good.places) lines.Next() += std::to_string(ShownLine(place.start));
  }
  if (good.places.front().start.cell == 0) {
    object.Null("cells");
    return;
  }
  JsonArray cells(object.Key("cells"));
  for (const Place& place : good.places) cells.Next() += std::to_string(place.start.cell);
}

void AppendNote(std::string& out, const Note& note, std::string_view path) {
  JsonObject object(out);
  object.Text("kind", note.kind);
  AddText(object, "path", path);
  if (note.start) {
    AddCell(object, *note.start);
    AddPosition(object, "start", *note.start);
  } else {
    object.Null("cell");
    object.Null("start");
  }
  object.Text("message", ToUtf8(note.message));
}

Json PlaceJson(const Document& document, const verdict::Place& place) {
  Json start = nullptr;
  if (place.spot.line != 0) start = {{"line", place.spot.line}, {"column", place.spot.column}};
  return {{"path", ToUtf8(document.files[place.file].path)},
          {"cell", place.spot.cell == 0 ? Json(nullptr) : Json(place.spot.cell)},
          {"start", std::move(start)},
          {"message", ToUtf8(place.text)}};
}

// Findings that the verdict rests on and the run does not show, each once.
Json HiddenJson(const Document& document, const verdict::ProgramVerdict& program) {
  std::vector<verdict::IssueRef> refs = program.decided_by;
  refs.insert(refs.end(), program.blocking.begin(), program.blocking.end());
  const verdict::ProgramVerdict& fixed = document.verdict->programs[document.verdict->fixed];
  for (const verdict::Fix& fix : fixed.fix_first) {
    refs.push_back(fix.issue);
    refs.insert(refs.end(), fix.along.begin(), fix.along.end());
  }
  Json hidden = Json::array();
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const auto end = refs.begin() + static_cast<std::ptrdiff_t>(i);
    const verdict::Issue& issue = document.files[refs[i].file].evidence.issues[refs[i].issue];
    if (issue.shown || std::find(refs.begin(), end, refs[i]) != end) continue;
    Json place = PlaceJson(document, {refs[i].file, issue.start, issue.message});
    Json entry = {{"rule", rules::CodeText(*issue.rule)}};
    entry.update(place);
    hidden.push_back(std::move(entry));
  }
  return hidden;
}

Json VerdictJson(const Document& document) {
  if (!document.verdict) return nullptr;
  const verdict::ProgramVerdict& worst = document.verdict->programs[document.verdict->worst];
  const std::vector<std::size_t> before = FindingsBefore(document);
  const auto indexes = [&](const std::vector<verdict::IssueRef>& refs) {
    Json list = Json::array();
    for (const verdict::IssueRef ref : refs) {
      if (const auto index = FindingIndex(document, before, ref)) list.push_back(*index);
    }
    return list;
  };
  Json decided_by = indexes(worst.decided_by);
  if (worst.decided_by_gate != 0) decided_by.push_back("gate " + std::to_string(worst.decided_by_gate));
  Json range = Json::array({verdict::Name(worst.tier)});
  if (worst.with_possible != worst.tier) range.push_back(verdict::Name(worst.with_possible));
  Json gates = Json::array();
  for (const verdict::Gate& gate : worst.gates) {
    Json evidence = Json::array();
    for (const verdict::Place& place : gate.evidence) evidence.push_back(PlaceJson(document, place));
    gates.push_back({{"gate", gate.number},
                     {"name", gate.name},
                     {"status", verdict::Name(gate.status)},
                     {"reason", ToUtf8(gate.reason)},
                     {"evidence", std::move(evidence)}});
  }
  Json first = Json::array(), fixes = Json::array();
  const verdict::ProgramVerdict& fixed = document.verdict->programs[document.verdict->fixed];
  for (const verdict::Fix& fix : fixed.fix_first) {
    // The first of them that is shown: others may stand in files that were not named.
    std::vector<verdict::IssueRef> refs = {fix.issue};
    refs.insert(refs.end(), fix.along.begin(), fix.along.end());
    std::vector<std::size_t> shown;
    for (const verdict::IssueRef ref : refs) {
      if (const auto index = FindingIndex(document, before, ref)) shown.push_back(*index);
    }
    if (shown.empty()) continue;
    first.push_back(shown.front());
    const verdict::Issue& issue = document.files[fix.issue.file].evidence.issues[fix.issue.issue];
    fixes.push_back({{"finding", shown.front()},
                     {"along", std::vector<std::size_t>(shown.begin() + 1, shown.end())},
                     {"share", issue.saves ? Json(Rounded(*issue.saves)) : Json(nullptr)},
                     {"seconds", issue.seconds ? Json(Rounded(*issue.seconds)) : Json(nullptr)},
                     {"hours", {{"low", fix.hours.low}, {"high", fix.hours.high}}},
                     {"unlocks", indexes(fix.unlocks)}});
  }
  const NotShown not_shown = CountNotShown(document, worst);
  Json programs = Json::array();
  for (const verdict::ProgramVerdict& program : document.verdict->programs) {
    programs.push_back(
        {{"root", ToUtf8(program.root)}, {"name", verdict::Name(program.tier)}, {"minor", program.minor}});
  }
  return {{"name", verdict::Name(worst.tier)},
          {"range", std::move(range)},
          {"provisional", worst.provisional},
          {"decided_by", std::move(decided_by)},
          {"sentence", ToUtf8(worst.sentence)},
          {"units",
           {{"blocks", worst.units.blocks},
            {"structural", worst.units.structural},
            {"refactor", worst.units.refactor},
            {"api_gaps", worst.units.api_gaps}}},
          {"fix_first", std::move(first)},
          {"fixes", std::move(fixes)},
          {"fixes_of", ToUtf8(fixed.root)},
          {"hidden", HiddenJson(document, worst)},
          {"not_shown",
           {{"ignored", not_shown.ignored},
            {"unselected", not_shown.unselected},
            {"preview", not_shown.preview},
            {"other", not_shown.other}}},
          {"gates", std::move(gates)},
          {"composite", worst.composite ? Json(verdict::Name(*worst.composite)) : Json(nullptr)},
          {"programs", std::move(programs)}};
}

Json TimingJson(const Timing& timing) {
  return {{"wall", timing.wall},   {"discover", timing.discover}, {"read", timing.read},  {"parse", timing.parse},
          {"lower", timing.lower}, {"analyse", timing.analyse},   {"rules", timing.rules}};
}

Json HiddenJson(const Hidden& hidden) {
  Json json = {{"baseline", nullptr}, {"diff_base", nullptr}};
  if (!hidden.baseline.empty()) json["baseline"] = {{"path", ToUtf8(hidden.baseline)}, {"findings", hidden.known}};
  if (!hidden.diff_base.empty()) {
    json["diff_base"] = {{"commit", ToUtf8(hidden.diff_base)}, {"findings", hidden.unchanged}};
  }
  return json;
}

Json BudgetsJson(const Document& document) {
  Json list = Json::array();
  for (const Budget& budget : document.budgets) {
    list.push_back({{"name", budget.name},
                    {"limit", budget.limit},
                    {"found", budget.found},
                    {"exceeded", budget.exceeded},
                    {"message", ToUtf8(budget.message)}});
  }
  return list;
}

// An array with one element per line.
class Lines {
 public:
  Lines(std::string& out, std::string_view key) : out_(out) {
    out_ += "  \"";
    out_ += key;
    out_ += "\": [";
  }
  // The next item is to be written.
  std::string& Next() {
    out_ += first_ ? "\n    " : ",\n    ";
    first_ = false;
    return out_;
  }
  void Close() { out_ += first_ ? "],\n" : "\n  ],\n"; }

 private:
  std::string& out_;
  bool first_ = true;
};

void AppendMember(std::string& out, std::string_view key, const Json& value) {
  out += "  \"";
  out += key;
  out += "\": " + Dump(value) + ",\n";
}

}  // namespace

std::string WriteJsonLines(const Document& document, const Style&) {
  std::string out;
  AssumptionsJson assumptions;
  for (const File& file : document.files) {
    const std::string path = ToUtf8(file.path);
    for (const Finding& finding : file.findings) {
      AppendFinding(out, document, finding, path, assumptions);
      out += '\n';
    }
  }
  return out;
}

std::string WriteJson(const Document& document, const std::string& report) {
  const Counts counts = Count(document);
  std::string out = "{\n";
  AppendMember(out, "schema_version", 1);
  AppendMember(out, "tool", {{"name", "cpnlint"}, {"version", CPNLINT_VERSION}, {"rules_version", kRulesVersion}});
  AppendMember(out, "target",
               {{"library", "cupynumeric"},
                {"version", document.target_version},
                {"profile", document.profile.empty() ? Json(nullptr) : Json(ToUtf8(document.profile))},
                {"gpus", document.gpus},
                {"nodes", document.nodes},
                {"assumptions", document.assumptions}});
  AppendMember(out, "files",
               {{"found", counts.found},
                {"analysed", counts.analysed},
                {"skipped", counts.skipped},
                {"failed", counts.failed},
                {"lines", counts.lines}});
  Lines findings(out, "findings");
  AssumptionsJson assumptions;
  for (const File& file : document.files) {
    const std::string path = ToUtf8(file.path);
    for (const Finding& finding : file.findings) AppendFinding(findings.Next(), document, finding, path, assumptions);
  }
  findings.Close();
  Lines good(out, "good");
  for (const File& file : document.files) {
    const std::string path = ToUtf8(file.path);
    for (const Good& item : file.good) AppendGood(good.Next(), item, path);
  }
  good.Close();
  AppendMember(out, "verdict", VerdictJson(document));
  if (document.hidden) AppendMember(out, "hidden", HiddenJson(*document.hidden));
  if (!document.budgets.empty()) AppendMember(out, "budgets", BudgetsJson(document));
  Lines notes(out, "notes");
  for (const File& file : document.files) {
    const std::string path = ToUtf8(file.path);
    for (const Note& note : file.notes) AppendNote(notes.Next(), note, path);
  }
  for (const Note& note : document.notes) AppendNote(notes.Next(), note, note.path);
  notes.Close();
  if (document.prediction && report.empty()) out += "  \"prediction\": " + PredictionJson(document) + ",\n";
  if (!report.empty()) out += "  \"report\": " + report + ",\n";
  out += "  \"timing\": " + Dump(document.timing ? TimingJson(*document.timing) : Json(nullptr)) + "\n}\n";
  return out;
}

}  // namespace cpnlint::report
