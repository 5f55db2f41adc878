// What all forms of a prediction have in common.

#include "cli/report/prediction.h"

#include <cmath>

namespace cpnlint::report {

std::string SizesToName(const PredictedRegion& region) {
  if (region.told) return "";
  if (region.to_name.empty()) return "how often its nested loops run is not known, so no time is told";
  std::string text = "name the sizes:";
  for (const std::string& name : region.to_name) text += " --assume " + name + "=...";
  return text + " (with defaults its nested loops would not end, so no time is told)";
}

double Rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

}  // namespace cpnlint::report
