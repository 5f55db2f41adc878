#include <nlohmann/json.hpp>

#include "cli/report/formats.h"
#include "cli/report/prediction.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json Position(const Point& point) { return {{"line", ShownLine(point)}, {"column", point.column}}; }

Json Cell(const Point& point) { return point.cell == 0 ? Json(nullptr) : Json(point.cell); }

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(ToUtf8(text)); }

Json FindingJson(const Document& document, const Finding& finding, const std::string& path) {
  const rules::Rule& rule = *finding.rule;
  Json related = Json::array();
  for (const Related& place : finding.related) {
    related.push_back({{"message", ToUtf8(place.message)},
                       {"rule", nullptr},
                       {"path", place.path.empty() ? path : ToUtf8(place.path)},
                       {"cell", Cell(place.place.start)},
                       {"start", Position(place.place.start)},
                       {"end", Position(place.place.end)}});
    if (place.rule == 0) continue;
    for (const rules::Rule* swallowed : rules::AllRules()) {
      if (swallowed->code == place.rule) related.back()["rule"] = rules::CodeText(*swallowed);
    }
  }
  Json also = Json::array();
  for (const Place& place : finding.also) {
    also.push_back(
        {{"path", path}, {"cell", Cell(place.start)}, {"start", Position(place.start)}, {"end", Position(place.end)}});
  }
  return {{"rule", rules::CodeText(rule)},
          {"slug", rule.slug},
          {"family", rules::Name(rule.family)},
          {"severity", rules::Name(finding.severity)},
          {"confidence", rules::Name(finding.confidence)},
          {"message", ToUtf8(finding.message)},
          {"path", path},
          {"cell", Cell(finding.place.start)},
          {"function", TextOrNull(finding.function)},
          {"start", Position(finding.place.start)},
          {"end", Position(finding.place.end)},
          {"related", std::move(related)},
          {"also", std::move(also)},
          {"recipe", TextOrNull(rule.recipe)},
          {"fix", nullptr},
          {"cost", Json::parse(CostJson(finding, document))},
          {"doctor", TextOrNull(finding.doctor)},
          {"fingerprint", finding.fingerprint},
          {"valid_for", rule.valid_for},
          {"url", nullptr}};
}

Json GoodJson(const Good& good, const std::string& path) {
  Json lines = Json::array();
  Json cells = good.places.front().start.cell == 0 ? Json(nullptr) : Json::array();
  for (const Place& place : good.places) {
    lines.push_back(ShownLine(place.start));
    if (!cells.is_null()) cells.push_back(place.start.cell);
  }
  return {{"function", TextOrNull(good.function)},
          {"path", path},
          {"rule", rules::CodeText(*good.rule)},
          {"count", good.count},
          {"lines", std::move(lines)},
          {"cells", std::move(cells)}};
}

Json NoteJson(const Note& note, const Json& path) {
  return {{"kind", note.kind},
          {"path", path},
          {"cell", note.start ? Cell(*note.start) : Json(nullptr)},
          {"start", note.start ? Position(*note.start) : Json(nullptr)},
          {"message", ToUtf8(note.message)}};
}

Json PlaceJson(const Document& document, const verdict::Place& place) {
  Json start = nullptr;
  if (place.spot.line != 0) start = {{"line", place.spot.line}, {"column", place.spot.column}};
  return {{"path", ToUtf8(document.files[place.file].path)},
          {"cell", place.spot.cell == 0 ? Json(nullptr) : Json(place.spot.cell)},
          {"start", std::move(start)},
          {"message", ToUtf8(place.text)}};
}

Json VerdictJson(const Document& document) {
  if (!document.verdict) return nullptr;
  const verdict::ProgramVerdict& worst = document.verdict->programs[document.verdict->worst];
  const auto indexes = [&](const std::vector<verdict::IssueRef>& refs) {
    Json list = Json::array();
    for (const verdict::IssueRef ref : refs) {
      if (const auto index = FindingIndex(document, ref)) list.push_back(*index);
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
  Json programs = Json::array();
  for (const verdict::ProgramVerdict& program : document.verdict->programs) {
    programs.push_back({{"root", ToUtf8(program.root)}, {"name", verdict::Name(program.tier)}});
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
          {"fix_first", indexes(worst.fix_first)},
          {"gates", std::move(gates)},
          {"composite", worst.composite ? Json(verdict::Name(*worst.composite)) : Json(nullptr)},
          {"programs", std::move(programs)}};
}

Json TimingJson(const Timing& timing) {
  return {{"wall", timing.wall},   {"discover", timing.discover}, {"read", timing.read},  {"parse", timing.parse},
          {"lower", timing.lower}, {"analyse", timing.analyse},   {"rules", timing.rules}};
}

// An array with one element per line: readable, and never a second copy of the whole document in memory.
class Lines {
 public:
  Lines(std::string& out, std::string_view key) : out_(out) {
    out_ += "  \"";
    out_ += key;
    out_ += "\": [";
  }
  void Add(const Json& item) {
    out_ += first_ ? "\n    " : ",\n    ";
    out_ += Dump(item);
    first_ = false;
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

std::string WriteJson(const Document& document, const std::string& report) {
  const Counts counts = Count(document);
  std::string out = "{\n";
  AppendMember(out, "schema_version", 1);
  AppendMember(out, "tool", {{"name", "cpnlint"}, {"version", CPNLINT_VERSION}, {"rules_version", kRulesVersion}});
  AppendMember(out, "target",
               {{"library", "cupynumeric"},
                {"version", document.target_version},
                {"profile", TextOrNull(document.profile)},
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
  for (const File& file : document.files) {
    const std::string path = ToUtf8(file.path);
    for (const Finding& finding : file.findings) findings.Add(FindingJson(document, finding, path));
  }
  findings.Close();
  Lines good(out, "good");
  for (const File& file : document.files) {
    const std::string path = ToUtf8(file.path);
    for (const Good& item : file.good) good.Add(GoodJson(item, path));
  }
  good.Close();
  AppendMember(out, "verdict", VerdictJson(document));
  Lines notes(out, "notes");
  for (const File& file : document.files) {
    const std::string path = ToUtf8(file.path);
    for (const Note& note : file.notes) notes.Add(NoteJson(note, path));
  }
  for (const Note& note : document.notes) notes.Add(NoteJson(note, TextOrNull(note.path)));
  notes.Close();
  if (document.prediction && report.empty()) out += "  \"prediction\": " + PredictionJson(document) + ",\n";
  if (!report.empty()) out += "  \"report\": " + report + ",\n";
  out += "  \"timing\": " + Dump(document.timing ? TimingJson(*document.timing) : Json(nullptr)) + "\n}\n";
  return out;
}

}  // namespace cpnlint::report
