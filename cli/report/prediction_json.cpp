// Prices and predictions in JSON (docs/json.md).

#include <nlohmann/json.hpp>

#include "cli/report/formats.h"
#include "cli/report/json_text.h"
#include "cli/report/prediction.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

Json RangeJson(const cost::Range& range) {
  return {{"low", Rounded(range.low)}, {"mid", Rounded(range.mid)}, {"high", Rounded(range.high)}};
}

// A module as a whole starts at its first character.
Json Position(const std::optional<Point>& point) {
  const Point start = point.value_or(Point());
  return {{"line", ShownLine(start)}, {"column", start.column}};
}

Json PartsJson(const cost::Parts& parts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < cost::kParts; ++i) {
    json[std::string(cost::Name(static_cast<cost::Part>(i)))] = Rounded(parts[i]);
  }
  return json;
}

Json PointJson(const cost::Point& point) {
  return {{"gpus", point.layout.processors},
          {"nodes", point.layout.nodes},
          {"time", RangeJson(point.time)},
          {"memory", {{"processor", Rounded(point.memory.processor)}, {"host", Rounded(point.memory.host)}}},
          {"fits", point.memory.fits},
          {"bound_by", cost::Name(point.bound_by)},
          {"probability", Rounded(point.probability)},
          {"or_by", point.or_by ? Json(cost::Name(*point.or_by)) : Json(nullptr)},
          {"parts", PartsJson(point.parts)}};
}

Json PointsJson(const std::vector<cost::Point>& points) {
  Json json = Json::array();
  for (const cost::Point& point : points) json.push_back(PointJson(point));
  return json;
}

// What one processor would need for all of it, and from how many on it fits.
Json FitJson(const PredictedRegion& region, double pool) {
  return {{"need", Rounded(region.need)},
          {"pool", Rounded(pool)},
          {"fewest", region.fewest == 0 ? Json(nullptr) : Json(region.fewest)}};
}

Json TextsJson(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(ToUtf8(text));
  return json;
}

void AppendReal(std::string& out, double value) { out += Json(Rounded(value)).dump(); }

void AppendRange(std::string& out, const cost::Range& range) {
  JsonObject object(out);
  AppendReal(object.Key("low"), range.low);
  AppendReal(object.Key("mid"), range.mid);
  AppendReal(object.Key("high"), range.high);
}

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

const std::string& AssumptionsJson::Of(const cost::FindingCost& cost) {
  if (cost.assumptions.get() == last_) return text_;
  last_ = cost.assumptions.get();
  text_ = last_ == nullptr ? "[]" : Dump(TextsJson(*cost.assumptions));
  return text_;
}

// There is one of every finding, so it is written without a tree of values.
std::string CostJson(const Finding& finding, const Document& document, AssumptionsJson& assumptions) {
  if (!finding.cost) return "null";
  const cost::FindingCost& cost = *finding.cost;
  if (!cost.unpriced.empty()) return Dump({{"unpriced", cost.unpriced}});
  std::string text;
  {
    JsonObject object(text);
    AppendRange(object.Key("per_pass"), cost.per_pass);
    object.Text("per", ToUtf8(cost.per));
    object.Text("passes", ToUtf8(cost.passes));
    AppendReal(object.Key("share"), cost.share);
    if (cost.gain) AppendRange(object.Key("gain_if_fixed"), *cost.gain);
    {
      JsonArray terms(object.Key("terms"));
      for (const cost::PriceTerm& from : cost.terms) {
        JsonObject term(terms.Next());
        term.Text("name", from.name);
        AppendReal(term.Key("seconds"), from.seconds);
        term.Text("formula", ToUtf8(from.formula));
      }
    }
    object.Text("bound_by", cost::Name(cost.bound_by));
    object.Text("profile", ToUtf8(document.profile));
    object.Key("assumptions") += assumptions.Of(cost);
  }
  return text;
}

std::string PredictionJson(const Document& document) {
  if (!document.prediction) return "null";
  const Prediction& prediction = *document.prediction;
  Json regions = Json::array();
  for (const PredictedRegion& region : prediction.regions) {
    const bool in_cell = region.start && region.start->cell != 0;
    regions.push_back({{"path", ToUtf8(region.path)},
                       {"cell", in_cell ? Json(region.start->cell) : Json(nullptr)},
                       {"function", region.function.empty() ? Json(nullptr) : Json(ToUtf8(region.function))},
                       {"start", Position(region.start)},
                       {"passes", region.passes},
                       {"share", Rounded(region.share)},
                       {"to_name", region.told ? Json(nullptr) : TextsJson(region.to_name)},
                       {"asked", PointsJson(region.asked)},
                       {"memory", region.told ? FitJson(region, prediction.pool) : Json(nullptr)},
                       {"stop", region.stop},
                       {"best", region.best},
                       {"formula", region.formula},
                       {"break_point", region.break_point}});
  }
  Json json = {{"regions", std::move(regions)}};
  const bool some = !prediction.regions.empty();
  const PredictedRegion heaviest = some ? prediction.regions.front() : PredictedRegion();
  json["scaling"] = PointsJson(heaviest.strong);
  json["weak"] = PointsJson(heaviest.weak);
  json["memory"] = some && heaviest.told ? FitJson(heaviest, prediction.pool) : Json(nullptr);
  json["stop"] = some ? Json(heaviest.stop) : Json(nullptr);
  json["best"] = some ? Json(heaviest.best) : Json(nullptr);
  json["formula"] = heaviest.formula;
  json["left_out"] = {{"regions", prediction.left_out}, {"share", Rounded(prediction.left_share)}};
  json["assumptions"] = TextsJson(prediction.assumptions);
  json["without_effect"] = TextsJson(prediction.without_effect);
  json["unmeasured"] = TextsJson(prediction.unmeasured);
  json["what_if"] = TextsJson(document.what_if);
  Json unpriced = Json::array();
  for (const UnpricedPlace& place : prediction.unpriced) {
    unpriced.push_back(ToUtf8(UnpricedText(place)));
  }
  json["unpriced"] = std::move(unpriced);
  return Dump(json);
}

std::string WritePredictionJson(const Document& document, const Style&) { return WriteJson(document); }

}  // namespace cpnlint::report
