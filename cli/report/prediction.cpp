// What all forms of a prediction have in common.

#include "cli/report/prediction.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analyzer/base/quantity.h"

namespace cpnlint::report {
namespace {

constexpr std::size_t kMostUnpriced = 3;
constexpr std::size_t kMostAssumed = 4;

// "a pass of `for t in range(nt)`"
std::string WhatRuns(const PredictedRegion& region) {
  if (!region.loop.empty()) return "a pass of `" + region.loop + '`';
  return "the array work of " + (region.function.empty() ? "the program" : '`' + region.function + '`');
}

// "; without what has no price: sklearn.cluster.KMeans (src/a.py:41) and 2 more"
std::string WithoutPrice(const PredictedRegion& region, const verdict::ProgramVerdict& program) {
  std::vector<std::string> places;
  for (const UnpricedPlace& place : region.unpriced) {
    std::string text = place.what + " (" + LineText(place.path, place.start) + ')';
    if (std::ranges::find(places, text) == places.end()) places.push_back(std::move(text));
  }
  std::string text;
  for (std::size_t i = 0; i < places.size() && i < kMostUnpriced; ++i) text += (i == 0 ? "" : ", ") + places[i];
  if (places.size() > kMostUnpriced) text += " and " + std::to_string(places.size() - kMostUnpriced) + " more";
  const auto calls_others = [](const verdict::Region& one) { return one.sum.foreign > 0; };
  if (text.empty() && region.loop.empty() && std::ranges::any_of(program.regions, calls_others)) {
    text = "calls of other libraries";
  }
  return text.empty() ? "" : "; without what has no price: " + text;
}

// ", n = 4096 (the program's default), m = 6325 (default) and 3 more defaults"
std::string AssumedText(const std::vector<std::string>& assumptions) {
  // One more line says no more than "and 1 more".
  const std::size_t shown = assumptions.size() <= kMostAssumed + 1 ? assumptions.size() : kMostAssumed;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += ", " + assumptions[i];
  if (shown < assumptions.size()) text += " and " + std::to_string(assumptions.size() - shown) + " more defaults";
  return text;
}

// "; 2.6 times as fast on 4 GPUs as on 1 GPU", "; slower on 4 GPUs than on 1 GPU"
std::string Gain(const std::vector<cost::Point>& asked, bool gpu) {
  if (asked.size() < 2 || asked.back().time.mid <= 0) return "";
  const double times = asked.front().time.mid / asked.back().time.mid;
  const std::string many = verdict::Processors(asked.back().layout.processors, gpu);
  const int few = asked.front().layout.processors;
  if (times < 0.95) return fmt::format("; slower on {} than on {}", many, few);
  if (times < 1.05) return fmt::format("; as fast on {} as on {}", few, many);
  const std::string number = times < 99.5 ? fmt::format("{:.2g}", times) : fmt::format("{:.0f}", times);
  return fmt::format("; {} times as fast on {} as on {}", number, many, few);
}

}  // namespace

double TimeOf(const PredictedRegion& region) {
  return region.asked.empty() ? 0 : region.asked.front().time.mid * region.number_of_passes;
}

std::string SizesToName(const PredictedRegion& region) {
  if (region.told) return "";
  if (region.to_name.empty()) return "sizes and passes of its nested loops are not known, so no time is told";
  std::string text = "name the sizes:";
  for (const std::string& name : region.to_name) text += " --assume " + name + "=...";
  return text + " (with defaults it would take far too long, so no time is told)";
}

std::string StopText(const PredictedRegion& region, bool gpu) {
  const std::string best = region.best == region.stop ? "" : fmt::format("; fastest with {}", region.best);
  const std::string most = verdict::Processors(region.stop, gpu);
  if (!region.strong.empty() && region.stop == region.strong.back().layout.processors)
    return fmt::format("{} still pay (the last doubling returns 70 % or more)", most);
  return fmt::format("more than {} no longer pay{} (a further doubling returns less than 70 %){}", most,
                     region.stop == 1 ? "s" : "", best);
}

std::string FitText(const PredictedRegion& region, double pool, bool gpu) {
  const std::string need = fmt::format("(needs {} of {})", BytesText(region.need), BytesText(pool));
  if (!gpu) {  // cores of one process share its pool
    const std::string fits = fmt::format("fits {}", need);
    if (region.fewest == 1) return fits;
    return fmt::format(
        "does not fit into one process {}{}", need,
        region.fewest == 0 ? "" : fmt::format(", fits from {}", verdict::Processors(region.fewest, gpu)));
  }
  const std::string one = verdict::Processors(1, gpu);
  if (region.fewest == 1) return fmt::format("fits on {} {}", one, need);
  if (region.fewest == 0) return fmt::format("does not fit on {} {}, nor on 1,024", one, need);
  return fmt::format("does not fit on {} {}, fits from {}", one, need, verdict::Processors(region.fewest, gpu));
}

std::string TimeLine(const Document& document, const verdict::ProgramVerdict& program) {
  if (program.decided_by_gate == 1) return "predicted time: none, cuPyNumeric does not run on these GPUs";
  const Prediction* prediction = nullptr;
  for (const std::size_t index : program.files) {
    const std::optional<Prediction>& of_file = document.files[index].prediction;
    if (of_file && prediction == nullptr) prediction = &*of_file;
  }
  if (prediction == nullptr || prediction->regions.empty()) {
    return "predicted time: none, no loop that works on arrays was found";
  }
  // The one that `predict` tells of first.
  const PredictedRegion& region = *std::ranges::max_element(prediction->regions, [](const auto& a, const auto& b) {
    return a.told != b.told ? b.told : TimeOf(a) < TimeOf(b);
  });
  if (!region.told) return "predicted time: none, " + SizesToName(region);
  std::string text = "predicted time of " + WhatRuns(region) + ": ";
  for (std::size_t i = 0; i < region.asked.size(); ++i) {
    const cost::Point& point = region.asked[i];
    const int count = point.layout.processors;
    const std::string gpus = verdict::Processors(count, document.gpu);
    text += i == 0 ? "" : ", ";
    if (std::ranges::find(program.overfull, count) != program.overfull.end()) {
      text += "does not fit on " + gpus;
      continue;
    }
    text += SecondsText(point.time.mid) + " (" + SecondsText(point.time.low) + " to " + SecondsText(point.time.high) +
            ") on " + gpus;
  }
  if (program.overfull.empty()) text += Gain(region.asked, document.gpu);
  text += "; " + document.profile + AssumedText(region.assumptions);
  return text + WithoutPrice(region, program) + " (cpnlint predict tells more)";
}

double Rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

}  // namespace cpnlint::report
