// Prices and predictions in JSON (docs/json.md).

#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/report/formats.h"
#include "cli/report/prediction.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

// Four significant digits: the model is not better than that, and equal inputs give equal bytes everywhere.
double Rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

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
          {"bound_by", cost::Name(point.bound_by)},
          {"probability", Rounded(point.probability)},
          {"parts", PartsJson(point.parts)}};
}

Json PointsJson(const std::vector<cost::Point>& points) {
  Json json = Json::array();
  for (const cost::Point& point : points) json.push_back(PointJson(point));
  return json;
}

Json TextsJson(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(ToUtf8(text));
  return json;
}

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

const std::string& AssumptionsJson::Of(const cost::FindingCost& cost) {
  if (cost.assumptions.get() == last_) return text_;
  last_ = cost.assumptions.get();
  text_ = last_ == nullptr ? "[]" : Dump(TextsJson(*cost.assumptions));
  return text_;
}

std::string CostJson(const Finding& finding, const Document& document, AssumptionsJson& assumptions) {
  if (!finding.cost) return "null";
  const cost::FindingCost& cost = *finding.cost;
  if (!cost.unpriced.empty()) return Dump({{"unpriced", cost.unpriced}});
  Json terms = Json::array();
  for (const cost::PriceTerm& term : cost.terms) {
    terms.push_back({{"name", term.name}, {"seconds", Rounded(term.seconds)}, {"formula", term.formula}});
  }
  Json json = {{"per_pass", RangeJson(cost.per_pass)}, {"passes", cost.passes}, {"share", Rounded(cost.share)}};
  if (cost.gain) json["gain_if_fixed"] = RangeJson(*cost.gain);
  json["terms"] = std::move(terms);
  json["bound_by"] = cost::Name(cost.bound_by);
  json["profile"] = document.profile;
  std::string text = Dump(json);
  text.pop_back();
  return text + ",\"assumptions\":" + assumptions.Of(cost) + '}';
}

std::string PredictionJson(const Document& document) {
  if (!document.prediction) return "null";
  const Prediction& prediction = *document.prediction;
  Json regions = Json::array();
  for (const PredictedRegion& region : prediction.regions) {
    regions.push_back({{"path", ToUtf8(region.path)},
                       {"function", region.function.empty() ? Json(nullptr) : Json(ToUtf8(region.function))},
                       {"start", Position(region.start)},
                       {"passes", region.passes},
                       {"share", Rounded(region.share)},
                       {"asked", PointsJson(region.asked)},
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
  json["stop"] = some ? Json(heaviest.stop) : Json(nullptr);
  json["best"] = some ? Json(heaviest.best) : Json(nullptr);
  json["formula"] = heaviest.formula;
  json["assumptions"] = TextsJson(prediction.assumptions);
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
