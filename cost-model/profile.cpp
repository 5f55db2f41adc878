#include "cost-model/profile.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <nlohmann/json.hpp>

#include "cost-model/shipped.h"

namespace cpnlint::cost {
namespace {

using Json = nlohmann::ordered_json;

constexpr ParameterInfo kParameterTable[] = {
#define CPNLINT_PARAMETER(name, json, unit, spread, meaning) {json, unit, spread, meaning},
#include "cost-model/parameters.def"
#undef CPNLINT_PARAMETER
};

constexpr Provenance kProvenances[] = {Provenance::kDefault, Provenance::kScaled, Provenance::kLiterature,
                                       Provenance::kDatasheet, Provenance::kMeasured};
constexpr std::uintmax_t kLargestFile = 16 << 20;  // a calibration with every curve is far below

// Reads one document; the first trouble ends it. Every message begins with the file and names the key.
class Reader {
 public:
  explicit Reader(const std::string& origin) : origin_(origin) {}

  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] bool good() const { return trouble_.empty(); }

  void Complain(const std::string& key, const std::string& what) {
    if (good()) trouble_ = origin_ + ": " + (key.empty() ? "" : "`" + key + "` ") + what;
  }

  // nullptr where it is missing.
  const Json* Member(const Json& object, const std::string& prefix, const char* key) {
    const auto found = object.find(key);
    if (found != object.end()) return &*found;
    Complain(prefix + key, "is missing");
    return nullptr;
  }

  void OnlyKeys(const Json& object, const std::string& prefix, std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(known, std::string_view(key)) == known.end()) Complain(prefix + key, "is no known key");
    }
  }

  std::string Text(const Json& object, const std::string& prefix, const char* key) {
    const Json* member = Member(object, prefix, key);
    if (member == nullptr) return "";
    if (member->is_string()) return member->get<std::string>();
    Complain(prefix + key, "is not a text");
    return "";
  }

  double NumberOf(const Json& value, const std::string& key) {
    if (!value.is_number()) {
      Complain(key, "is not a number");
      return 0;
    }
    const double number = value.get<double>();
    if (!std::isfinite(number)) Complain(key, "is not a finite number");
    if (number < 0) Complain(key, "is negative");
    return number;
  }

  double NumberAt(const Json& object, const std::string& prefix, const char* key) {
    const Json* member = Member(object, prefix, key);
    return member == nullptr ? 0 : NumberOf(*member, prefix + key);
  }

  // A whole number from `least` on.
  std::int64_t CountAt(const Json& object, const std::string& prefix, const char* key, std::int64_t least) {
    const double number = NumberAt(object, prefix, key);
    if (number < static_cast<double>(least) || number > 1e15 || number != std::floor(number))
      Complain(prefix + key, "is not a whole number from " + std::to_string(least) + " on");
    return good() ? static_cast<std::int64_t>(number) : least;
  }

  // False, with a complaint, where it is none.
  bool IsObject(const Json* value, const std::string& key) {
    if (value != nullptr && !value->is_object()) Complain(key, "is not an object");
    return good();
  }

 private:
  const std::string& origin_;
  std::string trouble_;
};

void ReadMachine(Reader& reader, const Json& json, Machine& machine) {
  const std::string at = "machine.";
  reader.OnlyKeys(
      json, at, {"processor", "kind", "compute_capability", "processors_per_node", "split", "driver", "date", "note"});
  machine.processor = reader.Text(json, at, "processor");
  const std::string kind = reader.Text(json, at, "kind");
  if (kind != "gpu" && kind != "cpu") reader.Complain("machine.kind", "is neither `gpu` nor `cpu`");
  machine.gpu = kind == "gpu";
  machine.compute_capability = reader.NumberAt(json, at, "compute_capability");
  machine.processors_per_node =
      static_cast<int>(std::min<std::int64_t>(reader.CountAt(json, at, "processors_per_node", 1), 1 << 20));
  machine.split = reader.CountAt(json, at, "split", 1);
  machine.driver = reader.Text(json, at, "driver");
  machine.date = reader.Text(json, at, "date");
  machine.note = reader.Text(json, at, "note");
}

// What a task's time is divided by.
bool IsRate(const ParameterInfo& info) { return info.unit.ends_with("/s"); }

void ReadNumber(Reader& reader, const Json& json, const ParameterInfo& info, Number& number) {
  const std::string key = "parameters." + std::string(info.name);
  if (!reader.IsObject(&json, key)) return;
  const std::string at = key + ".";
  reader.OnlyKeys(json, at, {"value", "unit", "range", "n", "method", "provenance"});
  number.value = reader.NumberAt(json, at, "value");
  const std::string unit = reader.Text(json, at, "unit");
  if (reader.good() && unit != info.unit)
    reader.Complain(at + "unit", "is `" + unit + "`; cpnlint counts in `" + std::string(info.unit) + "`");
  const bool may_be_zero = !IsRate(info) || info.meaning.find("; 0") != std::string_view::npos;  // says what 0 means
  if (number.value == 0 && !may_be_zero) reader.Complain(at + "value", "is 0, and times are divided by it");
  number.low = number.high = number.value;
  if (const Json* range = reader.Member(json, at, "range"); range != nullptr) {
    if (!range->is_array() || range->size() != 2) {
      reader.Complain(at + "range", "is not a pair of numbers");
      return;
    }
    number.low = reader.NumberOf((*range)[0], at + "range");
    number.high = reader.NumberOf((*range)[1], at + "range");
    if (number.low > number.value || number.high < number.value || (number.low == 0) != (number.value == 0))
      reader.Complain(at + "range", "does not hold the value");
  }
  number.samples = static_cast<std::uint32_t>(std::min<std::int64_t>(reader.CountAt(json, at, "n", 0), 0xffffffff));
  number.method = reader.Text(json, at, "method");
  const std::string provenance = reader.Text(json, at, "provenance");
  const auto found = std::ranges::find(kProvenances, provenance, [](Provenance p) { return Name(p); });
  if (found == std::end(kProvenances)) {
    reader.Complain(at + "provenance", "is none of: default, scaled, literature, datasheet, measured");
    return;
  }
  number.provenance = *found;
}

void ReadCurves(Reader& reader, const Json& json, std::vector<Curve>& curves) {
  if (!json.is_array()) return reader.Complain("curves", "is not a list");
  for (const Json& item : json) {
    const std::string at = "curves[" + std::to_string(curves.size()) + "].";
    if (!reader.IsObject(&item, at.substr(0, at.size() - 1))) return;
    reader.OnlyKeys(item, at, {"name", "x_unit", "y_unit", "points"});
    Curve curve{reader.Text(item, at, "name"), reader.Text(item, at, "x_unit"), reader.Text(item, at, "y_unit"), {}};
    const Json* points = reader.Member(item, at, "points");
    if (points == nullptr || !points->is_array()) return reader.Complain(at + "points", "is not a list");
    for (const Json& point : *points) {
      if (!point.is_array() || point.size() != 2) return reader.Complain(at + "points", "has what is no pair");
      const double x = reader.NumberOf(point[0], at + "points"), y = reader.NumberOf(point[1], at + "points");
      curve.points.emplace_back(x, y);
    }
    curves.push_back(std::move(curve));
  }
}

std::string Trimmed(std::string_view message) {
  const std::size_t colon = message.find("] ");
  return std::string(colon == std::string_view::npos ? message : message.substr(colon + 2));
}

// Shipped names that a mistyped one may have meant: what is left of it, or what it is the beginning of.
std::string Offer(std::string_view name) {
  std::string near, all;
  for (const std::string_view shipped : ShippedProfiles()) {
    all += (all.empty() ? "" : ", ") + std::string(shipped);
    const std::size_t common = std::min({name.size(), shipped.size(), std::size_t{4}});
    if (common >= 2 && name.substr(0, common) == shipped.substr(0, common))
      near += (near.empty() ? "`" : " or `") + std::string(shipped) + "`";
  }
  return (near.empty() ? "" : "; did you mean " + near + "?") + std::string(" (shipped: ") + all + ")";
}

}  // namespace

std::span<const ParameterInfo> Parameters() { return kParameterTable; }

std::string_view Name(Provenance provenance) {
  switch (provenance) {
    case Provenance::kDefault: return "default";
    case Provenance::kScaled: return "scaled";
    case Provenance::kLiterature: return "literature";
    case Provenance::kDatasheet: return "datasheet";
    case Provenance::kMeasured: return "measured";
  }
  return "";
}

Result<Profile> ParseProfile(std::string_view json, const std::string& origin) {
  Json document;
  try {
    document = Json::parse(json);
  } catch (const Json::exception& error) {
    return Fail(origin + ": not JSON: " + Trimmed(error.what()));
  }
  Reader reader(origin);
  if (!document.is_object()) return Fail(origin + ": not a machine profile: its top level is no object");
  const Json* schema = reader.Member(document, "", "schema");
  if (schema == nullptr) return Fail(reader.trouble());
  if (!schema->is_number_integer() || *schema != kProfileSchema) {
    return Fail(origin + ": `schema` is " + schema->dump(-1, ' ', false, Json::error_handler_t::replace) +
                ", this cpnlint reads " + std::to_string(kProfileSchema) + "; `cpnlint calibrate` writes it anew");
  }
  reader.OnlyKeys(document, "", {"schema", "name", "machine", "parameters", "curves"});
  Profile profile;
  profile.name = reader.Text(document, "", "name");
  const Json* machine = reader.Member(document, "", "machine");
  if (reader.IsObject(machine, "machine")) ReadMachine(reader, *machine, profile.machine);
  const Json* parameters = reader.Member(document, "", "parameters");
  if (reader.IsObject(parameters, "parameters")) {
    for (std::size_t i = 0; i < kParameters && reader.good(); ++i) {
      const std::string name(Parameters()[i].name);
      const Json* number = reader.Member(*parameters, "parameters.", name.c_str());
      if (number != nullptr) ReadNumber(reader, *number, Parameters()[i], profile.numbers[i]);
    }
    for (const auto& [key, value] : parameters->items()) {
      if (std::ranges::find(Parameters(), std::string_view(key), &ParameterInfo::name) == Parameters().end())
        reader.Complain("parameters." + key, "is no parameter of this cpnlint");
    }
  }
  const Json* curves = reader.Member(document, "", "curves");
  if (reader.good()) ReadCurves(reader, *curves, profile.curves);
  if (!reader.good()) return Fail(reader.trouble());
  return profile;
}

std::string ToJson(const Profile& profile) {
  const Machine& machine = profile.machine;
  Json parameters = Json::object();
  for (std::size_t i = 0; i < kParameters; ++i) {
    const Number& number = profile.numbers[i];
    parameters[std::string(Parameters()[i].name)] = {
        {"value", number.value}, {"unit", Parameters()[i].unit}, {"range", {number.low, number.high}},
        {"n", number.samples},   {"method", number.method},      {"provenance", Name(number.provenance)}};
  }
  Json curves = Json::array();
  for (const Curve& curve : profile.curves) {
    Json points = Json::array();
    for (const auto& [x, y] : curve.points) points.push_back(Json::array({x, y}));
    curves.push_back(
        {{"name", curve.name}, {"x_unit", curve.x_unit}, {"y_unit", curve.y_unit}, {"points", std::move(points)}});
  }
  const Json document = {{"schema", kProfileSchema},
                         {"name", profile.name},
                         {"machine",
                          {{"processor", machine.processor},
                           {"kind", machine.gpu ? "gpu" : "cpu"},
                           {"compute_capability", machine.compute_capability},
                           {"processors_per_node", machine.processors_per_node},
                           {"split", machine.split},
                           {"driver", machine.driver},
                           {"date", machine.date},
                           {"note", machine.note}}},
                         {"parameters", std::move(parameters)},
                         {"curves", std::move(curves)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::span<const std::string_view> ShippedProfiles() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const ShippedFile& file : ShippedFiles()) all.push_back(file.name);
    return all;
  }();
  return names;
}

Result<Profile> LoadProfile(const std::string& name_or_path) {
  for (const ShippedFile& file : ShippedFiles()) {
    if (file.name == name_or_path) return ParseProfile(file.text, "profile " + name_or_path);
  }
  std::error_code error;
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  if (!std::filesystem::is_regular_file(name_or_path, error)) {
    if (is_path) return Fail("there is no file `" + name_or_path + "`, which is named as a machine profile");
    return Fail("there is no machine profile `" + name_or_path + "`" + Offer(name_or_path));
  }
  const std::uintmax_t size = std::filesystem::file_size(name_or_path, error);
  if (error || size > kLargestFile) return Fail(name_or_path + ": cannot be read, or is no machine profile");
  std::ifstream file(name_or_path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file || text.size() != size) return Fail(name_or_path + ": cannot be read");
  return ParseProfile(text, name_or_path);
}

}  // namespace cpnlint::cost
