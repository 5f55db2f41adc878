#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "runtime-kernels/harness/child.h"
#include "runtime-kernels/harness/combine.h"
#include "runtime-kernels/harness/journal.h"
#include "runtime-kernels/harness/record.h"

using namespace cpnlint;
using namespace cpnlint::kernels;

namespace {

struct Folder {
  std::string path = (std::filesystem::temp_directory_path() / "cpnlint-unit-XXXXXX").string();
  Folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
};

Record MakeRecord(const std::string& source, const std::string& bench, int round) {
  Record record;
  record.source = source;
  record.bench = bench;
  record.round = round;
  return record;
}

Record WithNumber(const std::string& source, int round, double value) {
  Record record = MakeRecord(source, "stream", round);
  record.estimates.push_back({cost::Parameter::kBandwidth, value, 0.9 * value, 1.1 * value, 10, "add"});
  return record;
}

Record WithOperation(int processors, double seconds) {
  Record record = MakeRecord("runtime " + std::to_string(processors), "operations", 0);
  record.readings.push_back({"operation aligned", processors, seconds, 0.99 * seconds, 1.01 * seconds, 20});
  return record;
}

const Estimate* Find(const std::vector<Estimate>& estimates, cost::Parameter parameter) {
  for (const Estimate& one : estimates) {
    if (one.parameter == parameter) return &one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("record: a line and back") {
  Record record = WithNumber("cpu", 2, 2e10);
  record.readings.push_back({"operation", 4, 1e-4, 0.9e-4, 1.2e-4, 7});
  record.curves.push_back({"add", "B", "B/s", {{1e6, 2e10}, {2e6, 2.1e10}}});
  record.problems.push_back("\"quoted\"\nlines");
  record.seconds = 1.5;
  const std::string line = ToLine(record);
  CHECK(line.find('\n') == std::string::npos);
  const auto back = FromLine(line);
  REQUIRE(back);
  CHECK(ToLine(*back) == line);
}

TEST_CASE("record: what makes no sense is refused by name") {
  const auto trouble = [](const char* line) {
    const auto record = FromLine(line);
    return record ? std::string() : record.error().message;
  };
  CHECK(trouble("Legate says hello") != "");
  CHECK(trouble("[1, 2]") != "");
  CHECK(trouble(R"({"numbers": []})") != "");
  CHECK(trouble(R"({"bench": "a", "numbers": [{"number": "speed", "value": 1, "low": 1, "high": 1}]})").find("speed") !=
        std::string::npos);
  CHECK(trouble(R"({"bench": "a", "numbers": [{"number": "bandwidth", "value": 1, "low": 2, "high": 3}]})") != "");
  CHECK(trouble(R"({"bench": "a", "numbers": [{"number": "bandwidth", "value": -1, "low": -2, "high": 3}]})") != "");
  CHECK(trouble(R"({"bench": "a", "numbers": [{"number": "bandwidth", "value": "fast"}]})") != "");
  CHECK(trouble(R"({"bench": "a", "readings": [{"reading": "operation", "processors": 0, "value": 1}]})") != "");
  CHECK(trouble(R"({"bench": "a"})").empty());
}

TEST_CASE("combine: the median of the rounds, and an interval that covers them") {
  const std::vector<Record> records = {WithNumber("cpu", 0, 10), WithNumber("cpu", 1, 14), WithNumber("cpu", 2, 11)};
  const std::vector<Estimate> estimates = Combine(records);
  REQUIRE(estimates.size() == 1);
  CHECK(estimates[0].value == 11);
  CHECK(estimates[0].low == Approx(9.9));  // as the median round has it
  CHECK(estimates[0].high == Approx(14));  // as far as the rounds lie apart
  CHECK(estimates[0].samples == 30);
}

TEST_CASE("combine: the runtime's number wins") {
  const std::vector<Record> records = {WithNumber("runtime 1", 0, 7), WithNumber("cpu", 0, 10)};
  CHECK(Combine(records).at(0).value == 7);
}

TEST_CASE("combine: a launch has a part per processor") {
  const std::vector<Record> records = {WithOperation(1, 150e-6), WithOperation(2, 160e-6), WithOperation(4, 180e-6)};
  const std::vector<Estimate> estimates = FromReadings(records);
  REQUIRE(Find(estimates, cost::Parameter::kLaunchBase) != nullptr);
  CHECK(Find(estimates, cost::Parameter::kLaunchBase)->value == Approx(140e-6).epsilon(0.01));
  CHECK(Find(estimates, cost::Parameter::kLaunchPerProcessor)->value == Approx(10e-6).epsilon(0.02));
}

TEST_CASE("combine: operations on slices cost a multiple of those on whole arrays") {
  std::vector<Record> records = {WithOperation(1, 150e-6), WithOperation(2, 160e-6)};
  CHECK(Find(FromReadings(records), cost::Parameter::kPartFactor) == nullptr);
  for (Record& record : records) {
    const double seconds = 1.6 * record.readings[0].value;
    record.readings.push_back(
        {"operation sliced", record.readings[0].processors, seconds, 0.99 * seconds, 1.01 * seconds, 20});
  }
  const std::vector<Estimate> estimates = FromReadings(records);
  REQUIRE(Find(estimates, cost::Parameter::kPartFactor) != nullptr);
  CHECK(Find(estimates, cost::Parameter::kPartFactor)->value == Approx(1.6));
  CHECK(Find(estimates, cost::Parameter::kPartFactor)->low < 1.6);
}

TEST_CASE("combine: more processors that are no slower cost nothing") {
  const std::vector<Record> records = {WithOperation(1, 150e-6), WithOperation(2, 140e-6)};
  const std::vector<Estimate> estimates = FromReadings(records);
  CHECK(Find(estimates, cost::Parameter::kLaunchPerProcessor)->value == 0);
  CHECK(Find(estimates, cost::Parameter::kLaunchBase)->value == Approx(145e-6));
  CHECK(FromReadings({}).empty());
}

TEST_CASE("combine: an exchange of all counts on the most processors") {
  std::vector<Record> records = {WithOperation(1, 1e-4), WithOperation(2, 1e-4), WithOperation(4, 1e-4)};
  for (Record& record : records) {
    const int processors = record.readings[0].processors;
    record.readings.push_back({"small gather beyond an addition", processors, 1e-3 * processors, 5e-4, 1, 9});
  }
  REQUIRE(Find(FromReadings(records), cost::Parameter::kCollectiveLatency) != nullptr);
  CHECK(Find(FromReadings(records), cost::Parameter::kCollectiveLatency)->value == Approx(4e-3));
  records.resize(1);
  CHECK(Find(FromReadings(records), cost::Parameter::kCollectiveLatency) == nullptr);
}

TEST_CASE("combine: what processors keep of their rates together, and what several add to a chain of numbers") {
  const auto reading = [](const char* name, int processors, double seconds) {
    Record record = MakeRecord("runtime " + std::to_string(processors), name, 0);
    record.readings.push_back({name, processors, seconds, 0.9 * seconds, 1.1 * seconds, 9});
    return record;
  };
  const std::vector<Record> records = {reading("together arithmetic", 1, 1e-2), reading("together arithmetic", 4, 2e-2),
                                       reading("together product", 1, 1e-2),    reading("together product", 4, 0.9e-2),
                                       reading("scalar chain", 1, 1e-4),        reading("scalar chain", 4, 5e-4)};
  const std::vector<Estimate> estimates = FromReadings(records);
  REQUIRE(Find(estimates, cost::Parameter::kArithmeticTogether) != nullptr);
  CHECK(Find(estimates, cost::Parameter::kArithmeticTogether)->value == Approx(0.5));
  CHECK(Find(estimates, cost::Parameter::kProductTogether)->value == 1);  // no processor is faster among others
  CHECK(Find(estimates, cost::Parameter::kScalarLatencyDivided)->value == Approx(4e-4));
  CHECK(FromReadings(std::span(records).first(1)).empty());
}

TEST_CASE("profile: what was measured, and the rest from the shipped one") {
  Device device;
  device.machine.processor = "Some CPU";
  device.machine.gpu = false;
  device.machine.processors_per_node = 4;
  device.memory = 4e9;
  device.host_memory = 16e9;
  const auto base = BaseFor(device);
  REQUIRE(base);
  CHECK_FALSE(base->profile.machine.gpu);
  std::vector<std::string> notes;
  cost::Profile profile = MakeProfile(*base, device, std::vector<Record>{WithNumber("cpu", 0, 12e9)}, notes);
  CHECK(notes.empty());
  profile.name = "mine";
  CHECK(profile[cost::Parameter::kBandwidth].provenance == cost::Provenance::kMeasured);
  CHECK(profile.Value(cost::Parameter::kBandwidth) == 12e9);
  CHECK(profile.Value(cost::Parameter::kHostMemory) == 16e9);
  CHECK(profile.Value(cost::Parameter::kHostCores) == device.machine.processors_per_node);
  CHECK(profile[cost::Parameter::kLaunchBase].provenance == cost::Provenance::kDefault);
  const auto read = cost::ParseProfile(cost::ToJson(profile), "mine.json");
  REQUIRE(read);
  CHECK(read->Value(cost::Parameter::kBandwidth) == 12e9);
}

TEST_CASE("profile: what noise may explain stays as shipped") {
  Device device;
  device.machine.gpu = false;
  device.machine.processors_per_node = 2;
  device.memory = device.host_memory = 1e10;
  const auto base = BaseFor(device);
  REQUIRE(base);
  const double shipped = base->profile.Value(cost::Parameter::kDependentLatency);
  Record record = MakeRecord("runtime 1", "chains", 0);
  record.estimates.push_back({cost::Parameter::kDependentLatency, shipped / 2, 0, 3 * shipped, 9, "chain"});
  std::vector<std::string> notes;
  const cost::Profile unsure = MakeProfile(*base, device, std::vector<Record>{record}, notes);
  CHECK(unsure.Value(cost::Parameter::kDependentLatency) == shipped);
  CHECK(unsure[cost::Parameter::kDependentLatency].provenance == cost::Provenance::kDefault);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("dependent_latency") != std::string::npos);
  // Surely less than what is shipped: that is a measurement.
  record.estimates[0].value = 0;
  record.estimates[0].high = shipped / 10;
  const cost::Profile less = MakeProfile(*base, device, std::vector<Record>{record}, notes);
  CHECK(less.Value(cost::Parameter::kDependentLatency) == Approx(shipped / 20));
  CHECK(less[cost::Parameter::kDependentLatency].provenance == cost::Provenance::kMeasured);
  CHECK(cost::ParseProfile(cost::ToJson(less), "less"));
}

TEST_CASE("profile: a GPU of a kind that is shipped keeps what is known of it") {
  Device device;
  device.machine.processor = "NVIDIA H200";
  device.machine.compute_capability = 9.0;
  device.memory = 141e9;
  device.host_memory = 1e12;
  const auto base = BaseFor(device);
  REQUIRE(base);
  CHECK(base->profile.name == "h200");
  CHECK(base->same_machine);
  std::vector<std::string> notes;
  const std::vector<Record> none;
  CHECK(MakeProfile(*base, device, none, notes).Value(cost::Parameter::kHostCores) == 0);
  device.memory = 10e9;
  device.machine.processor = "NVIDIA Something";
  device.machine.compute_capability = 8.6;
  CHECK_FALSE(BaseFor(device)->same_machine);
}

TEST_CASE("journal: finished benchmarks survive, a cut line does not") {
  const Folder folder;
  const std::string path = folder.path + "/machine.json.partial";
  {
    auto journal = Journal::Create(path, "header");
    REQUIRE(journal);
    REQUIRE(journal->Add(WithNumber("cpu", 0, 10)));
    REQUIRE(journal->Add(MakeRecord("cpu", "sort", 0)));
  }
  CHECK_FALSE(Journal::Create(path, "header"));  // nobody's measurements are overwritten
  std::ofstream(path, std::ios::app) << R"({"bench": "fft", "sour)";
  {
    auto journal = Journal::Reopen(path, "header");
    REQUIRE(journal);
    CHECK(journal->records().size() == 2);
    CHECK(journal->Has("cpu", "sort", 0));
    CHECK_FALSE(journal->Has("cpu", "sort", 1));
    CHECK_FALSE(journal->Has("cpu", "fft", 0));
    REQUIRE(journal->Add(MakeRecord("cpu", "fft", 0)));
  }
  auto again = Journal::Reopen(path, "header");
  REQUIRE(again);
  CHECK(again->records().size() == 3);
  CHECK_FALSE(Journal::Reopen(path, "another machine"));
  CHECK_FALSE(Journal::Reopen(folder.path + "/none", "header"));
}

TEST_CASE("journal: a profile is written whole or not at all") {
  const Folder folder;
  const std::string path = folder.path + "/machine.json";
  REQUIRE(WriteWhole(path, "one"));
  REQUIRE(WriteWhole(path, "two"));
  std::ifstream file(path);
  std::string text;
  file >> text;
  CHECK(text == "two");
  const auto failed = WriteWhole(folder.path + "/none/machine.json", "x");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.find("none/machine.json") != std::string::npos);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("child: lines, ending, last words") {
  std::vector<std::string> lines;
  ChildRequest request;
  request.command = {"/bin/sh", "-c", "echo one; printf 'two\\nthr'; printf 'ee\\n'; echo \"$GREETING\" >&2; exit 3"};
  request.environment = {"GREETING=hello"};
  const auto ending = RunChild(
      request,
      [&](std::string_view line) {
        lines.emplace_back(line);
        return true;
      },
      [] {});
  REQUIRE(ending);
  CHECK(lines == std::vector<std::string>{"one", "two", "three"});
  CHECK(ending->code == 3);
  CHECK(ending->last_words == "hello\n");
}

TEST_CASE("child: one that takes too long is ended, and its own children with it") {
  ChildRequest request;
  request.command = {"/bin/sh", "-c", "sleep 60 & sleep 60"};
  request.seconds = 0.3;
  const auto ending = RunChild(
      request, [](std::string_view) { return true; }, [] {});
  REQUIRE(ending);
  CHECK(ending->late);
  CHECK(ending->code > 128);
}

TEST_CASE("child: one that is not wanted any more is ended") {
  ChildRequest request;
  request.command = {"/bin/sh", "-c", "while true; do echo more; sleep 0.01; done"};
  int seen = 0;
  const auto ending = RunChild(
      request, [&](std::string_view) { return ++seen < 3; }, [] {});
  REQUIRE(ending);
  CHECK(ending->stopped);
  CHECK(seen == 3);
}
