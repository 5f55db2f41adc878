#include "runtime-kernels/harness/record.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace cpnlint::kernels {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json Parse(std::string_view line) { return Json::parse(line, nullptr, false); }

std::string TextOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Not a number where it is none: the callers ask whether all are finite.
double NumberOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : std::nan("");
}

const Json& ListOf(const Json& json, const char* key) {
  static const Json empty = Json::array();
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : empty;
}

template <class T>
bool ReadNumbers(const Json& json, T& into) {
  into.value = NumberOf(json, "value");
  into.low = NumberOf(json, "low");
  into.high = NumberOf(json, "high");
  const double samples = NumberOf(json, "samples");
  into.samples = samples >= 0 && samples < 4e9 ? static_cast<std::uint32_t>(samples) : 0;
  return std::isfinite(into.value) && std::isfinite(into.low) && std::isfinite(into.high) && into.low <= into.value &&
         into.value <= into.high && into.low >= 0;
}

bool FindParameter(const std::string& name, cost::Parameter& parameter) {
  const auto all = cost::Parameters();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name != name) continue;
    parameter = static_cast<cost::Parameter>(i);
    return true;
  }
  return false;
}

std::string ReadLine(const Json& json, Record& record) {
  for (const Json& item : ListOf(json, "numbers")) {
    Estimate estimate;
    const std::string name = TextOf(item, "number");
    if (!FindParameter(name, estimate.parameter)) return "no parameter is called `" + name + "`";
    if (!ReadNumbers(item, estimate)) return "`" + name + "` has no sensible value";
    estimate.method = TextOf(item, "method");
    record.estimates.push_back(std::move(estimate));
  }
  for (const Json& item : ListOf(json, "readings")) {
    Reading reading;
    reading.name = TextOf(item, "reading");
    const double processors = NumberOf(item, "processors");
    if (reading.name.empty() || !(processors >= 1 && processors <= 1e6) || !ReadNumbers(item, reading)) {
      return "the reading `" + reading.name + "` has no sensible value";
    }
    reading.processors = static_cast<int>(processors);
    record.readings.push_back(std::move(reading));
  }
  for (const Json& item : ListOf(json, "curves")) {
    cost::Curve curve{TextOf(item, "name"), TextOf(item, "x_unit"), TextOf(item, "y_unit"), {}};
    for (const Json& point : ListOf(item, "points")) {
      if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number()) {
        return "the curve `" + curve.name + "` has a point that is no pair of numbers";
      }
      curve.points.emplace_back(point[0].get<double>(), point[1].get<double>());
    }
    record.curves.push_back(std::move(curve));
  }
  for (const Json& item : ListOf(json, "problems")) {
    if (item.is_string()) record.problems.push_back(item.get<std::string>());
  }
  return {};
}

}  // namespace

const cost::ParameterInfo& InfoOf(cost::Parameter parameter) {
  return cost::Parameters()[static_cast<std::size_t>(parameter)];
}

std::string ToLine(const Record& record) {
  Json numbers = Json::array();
  for (const Estimate& estimate : record.estimates) {
    numbers.push_back({{"number", InfoOf(estimate.parameter).name},
                       {"value", estimate.value},
                       {"low", estimate.low},
                       {"high", estimate.high},
                       {"samples", estimate.samples},
                       {"method", estimate.method}});
  }
  Json readings = Json::array();
  for (const Reading& reading : record.readings) {
    readings.push_back({{"reading", reading.name},
                        {"processors", reading.processors},
                        {"value", reading.value},
                        {"low", reading.low},
                        {"high", reading.high},
                        {"samples", reading.samples}});
  }
  Json curves = Json::array();
  for (const cost::Curve& curve : record.curves) {
    Json points = Json::array();
    for (const auto& [x, y] : curve.points) points.push_back(Json::array({x, y}));
    curves.push_back(
        {{"name", curve.name}, {"x_unit", curve.x_unit}, {"y_unit", curve.y_unit}, {"points", std::move(points)}});
  }
  return Dump({{"bench", record.bench},
               {"source", record.source},
               {"round", record.round},
               {"seconds", record.seconds},
               {"numbers", std::move(numbers)},
               {"readings", std::move(readings)},
               {"curves", std::move(curves)},
               {"problems", record.problems}});
}

Result<Record> FromLine(std::string_view line) {
  const Json json = Parse(line);
  if (!json.is_object()) return Fail("not a line of JSON");
  Record record;
  record.bench = TextOf(json, "bench");
  if (record.bench.empty()) return Fail("a line without `bench`");
  record.source = TextOf(json, "source");
  const double round = NumberOf(json, "round");
  record.round = round >= 0 && round < 1e6 ? static_cast<int>(round) : 0;
  const double seconds = NumberOf(json, "seconds");
  record.seconds = std::isfinite(seconds) ? seconds : 0;
  if (const std::string wrong = ReadLine(json, record); !wrong.empty()) return Fail(record.bench + ": " + wrong);
  return record;
}

std::string ToLine(const Device& device) {
  const cost::Machine& machine = device.machine;
  Json offers = Json::array();
  for (const Device::Offer& offer : device.offers) {
    offers.push_back({{"bench", offer.bench}, {"words", offer.words}, {"seconds", offer.seconds}});
  }
  return Dump({{"device", machine.processor},
               {"gpu", machine.gpu},
               {"compute_capability", machine.compute_capability},
               {"processors", machine.processors_per_node},
               {"driver", machine.driver},
               {"note", machine.note},
               {"memory", device.memory},
               {"host_memory", device.host_memory},
               {"cache", device.cache},
               {"split", machine.split},
               {"notes", device.notes},
               {"offers", std::move(offers)}});
}

Result<Device> DeviceFromLine(std::string_view line) {
  const Json json = Parse(line);
  if (!json.is_object() || !json.contains("device")) return Fail("no machine is named");
  Device device;
  device.machine.processor = TextOf(json, "device");
  const auto gpu = json.find("gpu");
  device.machine.gpu = gpu != json.end() && gpu->is_boolean() && gpu->get<bool>();
  device.machine.driver = TextOf(json, "driver");
  device.machine.note = TextOf(json, "note");
  device.machine.compute_capability = NumberOf(json, "compute_capability");
  const double processors = NumberOf(json, "processors");
  device.memory = NumberOf(json, "memory");
  device.host_memory = NumberOf(json, "host_memory");
  device.cache = NumberOf(json, "cache");
  if (!(processors >= 1 && processors <= 1e6) || !std::isfinite(device.memory + device.host_memory + device.cache) ||
      !std::isfinite(device.machine.compute_capability)) {
    return Fail("the machine's sizes make no sense");
  }
  device.machine.processors_per_node = static_cast<int>(processors);
  if (const double split = NumberOf(json, "split"); split >= 1 && split < 1e15) {
    device.machine.split = static_cast<std::int64_t>(split);
  }
  for (const Json& note : ListOf(json, "notes")) {
    if (note.is_string()) device.notes.push_back(note.get<std::string>());
  }
  for (const Json& offer : ListOf(json, "offers")) {
    const double seconds = NumberOf(offer, "seconds");
    device.offers.push_back(
        {TextOf(offer, "bench"), TextOf(offer, "words"), std::isfinite(seconds) && seconds > 0 ? seconds : 1});
  }
  return device;
}

std::string RefusalLine(std::string_view reason) { return Dump({{"refused", reason}}); }

std::string RefusalOf(std::string_view line) {
  const Json json = Parse(line);
  return json.is_object() ? TextOf(json, "refused") : std::string();
}

std::string BeginLine(std::string_view bench) { return Dump({{"begin", bench}}); }

std::string BeginOf(std::string_view line) {
  const Json json = Parse(line);
  return json.is_object() ? TextOf(json, "begin") : std::string();
}

}  // namespace cpnlint::kernels
