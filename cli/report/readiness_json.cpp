#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/report/formats.h"
#include "cli/report/readiness.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

// One significant digit, as shares are printed.
double Rounded(double share) {
  if (share <= 0) return 0;
  const double scale = std::pow(10, std::floor(std::log10(share)));
  return std::round(share / scale) * scale;
}

Json HoursJson(verdict::Hours hours) {
  const auto rounded = [](double value) { return std::round(value * 100) / 100; };
  return {{"low", rounded(hours.low)}, {"high", rounded(hours.high)}};
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(ToUtf8(text)); }

Json EntryJson(const Entry& entry) {
  Json details = Json::array();
  for (const std::string& detail : entry.details) details.push_back(ToUtf8(detail));
  return {{"path", TextOrNull(entry.path)},
          {"cell", entry.spot.cell > 0 ? Json(entry.spot.cell) : Json(nullptr)},
          {"line", entry.spot.line > 0 ? Json(entry.spot.line) : Json(nullptr)},
          {"rule", TextOrNull(entry.rule)},
          {"text", ToUtf8(entry.text)},
          {"details", std::move(details)},
          {"doctor", TextOrNull(entry.doctor)}};
}

Json SectionsJson(const Readiness& readiness) {
  Json sections = Json::array();
  for (const Section& section : readiness.sections) {
    Json entries = Json::array();
    for (const Entry& entry : section.entries) entries.push_back(EntryJson(entry));
    sections.push_back({{"number", section.number},
                        {"title", section.title},
                        {"empty", section.entries.empty() ? TextOrNull(section.empty) : Json(nullptr)},
                        {"entries", std::move(entries)}});
  }
  return sections;
}

Json ReportJson(const Document& document) {
  if (!document.verdict) return nullptr;
  const verdict::ProgramVerdict& program = document.verdict->programs[document.verdict->worst];
  const Readiness readiness = MakeReadiness(document);
  Json assumed = Json::object();
  for (const auto& [name, value] : readiness.header) assumed[name] = ToUtf8(value);
  Json patterns = Json::array();
  for (const verdict::PatternShare& share : program.patterns) {
    patterns.push_back({{"name", verdict::Name(share.pattern)},
                        {"share", Rounded(share.share)},
                        {"scaling", verdict::ScalingClass(share.pattern)}});
  }
  return {{"program", ToUtf8(program.root)},
          {"header", std::move(assumed)},
          {"patterns", std::move(patterns)},
          {"effort_hours", {{"findings", HoursJson(program.effort.units)}, {"fixed", HoursJson(program.effort.fixed)}}},
          {"sections", SectionsJson(readiness)}};
}

}  // namespace

std::string ReadinessJson(const Document& document) {
  return ReportJson(document).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string WriteReadinessJson(const Document& document, const Style&) {
  return WriteJson(document, ReadinessJson(document));
}

}  // namespace cpnlint::report
