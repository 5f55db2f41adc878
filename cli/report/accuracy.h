#pragma once

#include <optional>
#include <string_view>

namespace cpnlint::report {

// How often findings of a rule were right when a person read them (docs/accuracy.md): what rulesets/accuracy.json says.
struct Accuracy {
  int right = 0;
  int wrong = 0;
};

// nullopt where nothing was measured: then nothing is claimed.
[[nodiscard]] std::optional<Accuracy> AccuracyOf(int code);

// SARIF's word for it: "very-high", "high", "medium", "low"; empty where nothing was measured.
[[nodiscard]] std::string_view PrecisionName(const std::optional<Accuracy>& accuracy);

}  // namespace cpnlint::report
