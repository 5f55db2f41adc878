// Predictions as the page's scripts read them.

#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/report/html.h"
#include "cli/report/prediction.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

// Printable ASCII without what HTML and JSON treat specially; model.js has the same.
constexpr std::string_view kAlphabet =
    "#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
constexpr int kMantissas = 9000;  // 1000 to 9999
constexpr int kLeastExponent = -30;
constexpr int kExponents = 73;
static_assert(kMantissas * kExponents <= 87 * 87 * 87 && kAlphabet.size() == 87);

void Pack(std::string& out, double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    out += '!';
    return;
  }
  int exponent = static_cast<int>(std::floor(std::log10(value))) - 3;
  auto mantissa = static_cast<int>(std::round(value * std::pow(10.0, -exponent)));
  if (mantissa >= 10'000) {
    mantissa = 1000;
    ++exponent;
  }
  if (exponent < kLeastExponent || mantissa < 1000) {  // a time below 1e-27 s is none
    out += '!';
    return;
  }
  if (exponent >= kLeastExponent + kExponents) {
    exponent = kLeastExponent + kExponents - 1;
    mantissa = 9999;
  }
  const int number = (exponent - kLeastExponent) * kMantissas + mantissa - 1000;
  constexpr int kBase = static_cast<int>(kAlphabet.size());
  out += kAlphabet[static_cast<std::size_t>(number / (kBase * kBase))];
  out += kAlphabet[static_cast<std::size_t>(number / kBase % kBase)];
  out += kAlphabet[static_cast<std::size_t>(number % kBase)];
}

Json RegionJson(const PredictedRegion& region) {
  Json json = {{"path", ToUtf8(region.path)},
               {"cell", region.start && region.start->cell != 0 ? Json(region.start->cell) : Json(nullptr)},
               {"function", ToUtf8(region.function)},
               {"loop", ToUtf8(region.loop)},
               {"passes", region.passes},
               {"known", region.passes_known},
               {"stop", region.stop},
               {"best", region.best},
               {"formula", region.formula},
               {"break_point", region.break_point}};
  if (region.start) json["start"] = {{"line", ShownLine(*region.start)}, {"column", region.start->column}};
  return json;
}

Json TextsJson(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(ToUtf8(text));
  return json;
}

Json SeriesJson(const PageModel& model) {
  Json json = Json::array();
  for (const PageModel::Series& series : model.series) {
    Json positions = Json::array();
    for (const PageModel::Position& position : series.positions) {
      positions.push_back({{"setting", position.setting}, {"values", TextsJson(position.values)}});
    }
    json.push_back({{"label", series.label}, {"at", series.at}, {"positions", std::move(positions)}});
  }
  return json;
}

Json EditsJson(const PageModel& model) {
  Json json = Json::array();
  for (const PageModel::Setting& setting : model.settings) {
    Json source = Json::array();
    for (const PageModel::SourceEdit& edit : setting.source) {
      source.push_back({{"path", ToUtf8(edit.path)},
                        {"cell", edit.at.start.cell != 0 ? Json(edit.at.start.cell) : Json(nullptr)},
                        {"line", ShownLine(edit.at.start)},
                        {"columns", {edit.at.start.column, edit.at.end.column}},
                        {"value", edit.value},
                        {"text", ToUtf8(edit.text)}});
    }
    json.push_back({{"assume", TextsJson(setting.assume)}, {"source", std::move(source)}});
  }
  return json;
}

}  // namespace

std::string PackNumbers(const PageModel& model) {
  std::string out;
  for (const PagePoint& point : model.points) {
    Pack(out, point.time);
    Pack(out, point.memory);
    for (const double part : point.parts) Pack(out, part);
  }
  return out;
}

std::string ModelJson(const PageModel& model) {
  Json machines = Json::array();
  for (const PageModel::Machine& machine : model.machines) {
    machines.push_back({{"name", ToUtf8(machine.name)},
                        {"processor", ToUtf8(machine.processor)},
                        {"profile", ToUtf8(machine.profile)},
                        {"gpu", machine.gpu},
                        {"per_node", machine.per_node},
                        {"pool", Rounded(machine.pool)}});
  }
  Json regions = Json::array(), bands = Json::array();
  for (const PredictedRegion& region : model.regions) {
    regions.push_back(RegionJson(region));
    Json band = Json::array();
    for (const cost::Point& point : region.strong) {
      band.push_back({Rounded(point.time.low), Rounded(point.time.high)});
    }
    bands.push_back(band.size() == model.processors.size() ? std::move(band) : Json(nullptr));
  }
  regions.push_back({{"rest", true}});
  bands.push_back(nullptr);
  Json passes = Json::array();
  for (const PageModel::Setting& setting : model.settings) {
    Json row = Json::array();
    for (const double count : setting.passes) row.push_back(Rounded(count));
    passes.push_back(std::move(row));
  }
  Json asked = Json::array();
  if (!model.regions.empty()) {
    for (const cost::Point& point : model.regions.front().asked) {
      asked.push_back({{"gpus", point.layout.processors},
                       {"low", Rounded(point.time.low)},
                       {"mid", Rounded(point.time.mid)},
                       {"high", Rounded(point.time.high)}});
    }
  }
  Json unpriced = Json::array();
  for (const UnpricedPlace& place : model.prediction.unpriced) unpriced.push_back(ToUtf8(UnpricedText(place)));
  const Json json = {{"program", ToUtf8(model.program)},
                     {"machines", std::move(machines)},
                     {"machine", model.machine},
                     {"gpus", model.processors},
                     {"series", SeriesJson(model)},
                     {"edits", EditsJson(model)},
                     {"regions", std::move(regions)},
                     {"bands", std::move(bands)},
                     {"passes", std::move(passes)},
                     {"asked", std::move(asked)},
                     {"assumptions", TextsJson(model.prediction.assumptions)},
                     {"unmeasured", TextsJson(model.prediction.unmeasured)},
                     {"unpriced", std::move(unpriced)},
                     {"arguments", TextsJson(model.arguments)},
                     {"data", PackNumbers(model)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cpnlint::report
