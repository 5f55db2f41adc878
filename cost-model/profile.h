#pragma once

// A machine profile: the numbers of one kind of machine, each with where it comes from. Shipped ones are compiled in
// (rulesets/profiles/*.json); a calibration writes others. docs/calibration.md describes the file.

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace cpnlint::cost {

enum class Parameter : std::uint8_t {
#define CPNLINT_PARAMETER(name, json, unit, spread, meaning) k##name,
#include "cost-model/parameters.def"
#undef CPNLINT_PARAMETER
};

struct ParameterInfo {
  std::string_view name;  // as in the file: "launch_base"
  std::string_view unit;
  double spread = 1;  // default geometric standard deviation
  std::string_view meaning;
};
[[nodiscard]] std::span<const ParameterInfo> Parameters();  // by Parameter
inline constexpr std::size_t kParameters =
#define CPNLINT_PARAMETER(name, json, unit, spread, meaning) +1
#include "cost-model/parameters.def"
#undef CPNLINT_PARAMETER
    ;

enum class Provenance : std::uint8_t { kDefault, kScaled, kLiterature, kDatasheet, kMeasured };
[[nodiscard]] std::string_view Name(Provenance provenance);

struct Number {
  double value = 0;
  double low = 0, high = 0;  // 95 % of what the value may be; equal to it where exact
  std::uint32_t samples = 0;
  std::string method;  // "docs/…", "stream triad, 64 MiB to 1 GiB", ...
  Provenance provenance = Provenance::kDefault;
};

struct Machine {
  std::string processor;  // "NVIDIA H100 80GB HBM3", "AMD EPYC 7742"
  bool gpu = true;
  double compute_capability = 0;   // 9.0; 0 for CPUs. cuPyNumeric 26.07 needs 7.0
  int processors_per_node = 1;     // at most; `--gpus` says how many are used
  std::int64_t split = 1'048'576;  // elements from which on Legate divides an array (26.07, env_defaults.h:20-30)
  std::string driver, date, note;
};

// (x, y) pairs of what was measured along a sweep, for pictures and review.
struct Curve {
  std::string name, x_unit, y_unit;
  std::vector<std::pair<double, double>> points;
};

struct Profile {
  std::string name;  // "h100-sxm"
  Machine machine;
  std::array<Number, kParameters> numbers;
  std::vector<Curve> curves;

  [[nodiscard]] const Number& operator[](Parameter parameter) const {
    return numbers[static_cast<std::size_t>(parameter)];
  }
  [[nodiscard]] double Value(Parameter parameter) const { return (*this)[parameter].value; }
};

inline constexpr int kProfileSchema = 1;

[[nodiscard]] std::span<const std::string_view> ShippedProfiles();  // names, sorted
// A shipped name or a path to a file. Errors: no such name (with near ones) or file, not JSON, another schema, an
// unknown, missing or senseless number; each names the file and the key.
[[nodiscard]] Result<Profile> LoadProfile(const std::string& name_or_path);
[[nodiscard]] Result<Profile> ParseProfile(std::string_view json, const std::string& origin);
[[nodiscard]] std::string ToJson(const Profile& profile);

}  // namespace cpnlint::cost
