// cpnlint profile list, show, compare.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report/style.h"
#include "cli/terminal.h"
#include "cost-model/profile.h"

namespace cpnlint::cli {
namespace {

using cost::Number;
using cost::Parameter;
using cost::Profile;
using Json = nlohmann::ordered_json;

constexpr double kLeastCapability = 7.0;  // cuPyNumeric 26.07

bool WantsJson(const Options& options) { return !options.formats.empty() && options.formats.front() == "json"; }

int Print(const Json& json) { return PrintResult(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

bool Supported(const Profile& profile) {
  return !profile.machine.gpu || profile.machine.compute_capability >= kLeastCapability;
}

// "285 us", "2.95 TB/s", "1.8", in three digits.
std::string Quantity(double value, std::string_view unit) {
  if (unit == "s") {
    constexpr std::pair<double, const char*> kScales[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    for (const auto& [scale, name] : kScales) {
      if (value >= scale || scale == 1e-9) return fmt::format("{:.3g} {}", value / scale, name);
    }
  }
  if (unit == "1") return fmt::format("{:.4g}", value);
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  for (; value >= 1000 && prefix + 1 < std::size(kPrefixes); ++prefix) value /= 1000;
  return fmt::format("{:.3g} {}{}", value, kPrefixes[prefix], unit == "1/s" ? "/s" : unit);
}

std::string Padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

// Columns as wide as their widest entry, two spaces apart; nothing behind the last.
std::string Table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += i + 1 == row.size() ? row[i] : Padded(row[i], widths[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

Json MachineJson(const Profile& profile) {
  return {{"name", profile.name},
          {"processor", profile.machine.processor},
          {"kind", profile.machine.gpu ? "gpu" : "cpu"},
          {"compute_capability", profile.machine.compute_capability},
          {"supported", Supported(profile)},
          {"processors_per_node", profile.machine.processors_per_node},
          {"memory", profile.Value(Parameter::kMemory)},
          {"bandwidth", profile.Value(Parameter::kBandwidth)},
          {"note", profile.machine.note}};
}

}  // namespace

int RunProfileList(const Options& options) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> rows = {{"name", "processor", "per node", "memory", "bandwidth", "note"}};
  for (const std::string_view name : cost::ShippedProfiles()) {
    const auto profile = cost::LoadProfile(std::string(name));
    if (!profile) {
      Complain(profile.error().message);
      return kTrouble;
    }
    list.push_back(MachineJson(*profile));
    rows.push_back({profile->name, profile->machine.processor, std::to_string(profile->machine.processors_per_node),
                    Quantity(profile->Value(Parameter::kMemory), "B"),
                    Quantity(profile->Value(Parameter::kBandwidth), "B/s"), profile->machine.note});
  }
  if (WantsJson(options)) return Print({{"schema_version", 1}, {"profiles", std::move(list)}});
  return PrintResult(Table(rows));
}

int RunProfileShow(const Options& options) {
  const auto profile = cost::LoadProfile(options.arguments.front());
  if (!profile) {
    Complain(profile.error().message);
    return kTrouble;
  }
  if (WantsJson(options)) return PrintResult(cost::ToJson(*profile));
  const cost::Machine& machine = profile->machine;
  std::string text = profile->name + ": " + machine.processor;
  if (machine.gpu) text += fmt::format(", compute capability {:.1f}", machine.compute_capability);
  text += fmt::format(", at most {} per node\n", machine.processors_per_node);
  if (!Supported(*profile))
    text += fmt::format("cuPyNumeric 26.07 needs compute capability {:.1f}\n", kLeastCapability);
  if (!machine.note.empty()) text += machine.note + "\n";
  if (!machine.date.empty()) text += "measured " + machine.date + ", driver " + machine.driver + "\n";
  text += "\n";
  std::vector<std::vector<std::string>> rows = {{"parameter", "value", "95 % range", "from", "how"}};
  for (std::size_t i = 0; i < cost::kParameters; ++i) {
    const cost::ParameterInfo& info = cost::Parameters()[i];
    const Number& number = profile->numbers[i];
    const std::string range = number.low == number.high
                                  ? "exact"
                                  : Quantity(number.low, info.unit) + " - " + Quantity(number.high, info.unit);
    rows.push_back({std::string(info.name), Quantity(number.value, info.unit), range,
                    std::string(cost::Name(number.provenance)), number.method});
  }
  return PrintResult(text + Table(rows));
}

int RunProfileCompare(const Options& options) {
  std::vector<Profile> profiles;
  for (const std::string& name : options.arguments) {
    auto profile = cost::LoadProfile(name);
    if (!profile) {
      Complain(profile.error().message);
      return kTrouble;
    }
    profiles.push_back(std::move(*profile));
  }
  Json machines = Json::array(), parameters = Json::object();
  std::vector<std::vector<std::string>> rows = {{"parameter"}};
  for (const Profile& profile : profiles) {
    machines.push_back(MachineJson(profile));
    rows.front().push_back(profile.name);
  }
  rows.front().emplace_back("last / first");
  for (std::size_t i = 0; i < cost::kParameters; ++i) {
    const cost::ParameterInfo& info = cost::Parameters()[i];
    Json values = Json::array();
    std::vector<std::string> row = {std::string(info.name)};
    for (const Profile& profile : profiles) {
      const Number& number = profile.numbers[i];
      values.push_back({{"value", number.value},
                        {"range", {number.low, number.high}},
                        {"provenance", cost::Name(number.provenance)}});
      row.push_back(Quantity(number.value, info.unit));
    }
    const double first = profiles.front().numbers[i].value, last = profiles.back().numbers[i].value;
    row.push_back(first > 0 ? fmt::format("{:.3g}", last / first) : "");
    rows.push_back(std::move(row));
    parameters[std::string(info.name)] = {{"unit", info.unit}, {"values", std::move(values)}};
  }
  if (WantsJson(options))
    return Print({{"schema_version", 1}, {"profiles", std::move(machines)}, {"parameters", std::move(parameters)}});
  return PrintResult(Table(rows));
}

}  // namespace cpnlint::cli
