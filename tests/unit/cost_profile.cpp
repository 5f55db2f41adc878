// Machine profiles: what comes with the program, what is read and written, what is wrong with a file.

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "cost-model/profile.h"

namespace cpnlint::cost {
namespace {

std::string Text() { return ToJson(*LoadProfile("h100-sxm")); }

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string TroubleWith(const std::string& text) {
  const Result<Profile> profile = ParseProfile(text, "mine.json");
  return profile ? "" : profile.error().message;
}

TEST_CASE("every shipped profile is whole", "[cost]") {
  CHECK(ShippedProfiles().size() == 11);
  for (const std::string_view name : ShippedProfiles()) {
    const Result<Profile> profile = LoadProfile(std::string(name));
    REQUIRE(profile);
    CHECK(profile->name == name);
    CHECK(profile->machine.gpu == (name != "cpu"));
    for (const Number& number : profile->numbers) {
      CHECK(number.low <= number.value);
      CHECK(number.value <= number.high);
      CHECK_FALSE(number.method.empty());
      CHECK(number.provenance != Provenance::kMeasured);
    }
    const Result<Profile> again = ParseProfile(ToJson(*profile), "again");
    REQUIRE(again);
    CHECK(ToJson(*again) == ToJson(*profile));
  }
  CHECK(LoadProfile("p100")->machine.compute_capability < 7.0);
  CHECK(LoadProfile("v100")->machine.compute_capability >= 7.0);
}

TEST_CASE("faster machines have faster numbers", "[cost]") {
  const auto value = [](const char* name, Parameter parameter) { return LoadProfile(name)->Value(parameter); };
  CHECK(value("v100", Parameter::kBandwidth) < value("a100-40", Parameter::kBandwidth));
  CHECK(value("a100-40", Parameter::kBandwidth) < value("a100-80", Parameter::kBandwidth));
  CHECK(value("a100-80", Parameter::kBandwidth) < value("h100-sxm", Parameter::kBandwidth));
  CHECK(value("h100-sxm", Parameter::kBandwidth) < value("h200", Parameter::kBandwidth));
  CHECK(value("h200", Parameter::kBandwidth) < value("b200", Parameter::kBandwidth));
  CHECK(value("l40s", Parameter::kProductRate64) < value("v100", Parameter::kProductRate64));
}

TEST_CASE("trouble names the file and the key", "[cost]") {
  CHECK(TroubleWith(Text()).empty());
  CHECK_THAT(TroubleWith("{"), Catch::Matchers::StartsWith("mine.json: not JSON"));
  CHECK_THAT(TroubleWith("[]"), Catch::Matchers::Contains("no object"));
  CHECK(TroubleWith("{}") == "mine.json: `schema` is missing");
  CHECK_THAT(TroubleWith(Replaced(Text(), "\"schema\": 1", "\"schema\": 0")),
             Catch::Matchers::StartsWith("mine.json: `schema` is 0, this cpnlint reads 1"));
  CHECK(TroubleWith(Replaced(Text(), "\"wait\"", "\"weight\"")) == "mine.json: `parameters.wait` is missing");
  CHECK(TroubleWith(Replaced(Text(), "\"curves\"", "\"more\": 1, \"curves\"")) == "mine.json: `more` is no known key");
  CHECK(TroubleWith(Replaced(Text(), "\"wait\": {", "\"weight\": {}, \"wait\": {")) ==
        "mine.json: `parameters.weight` is no parameter of this cpnlint");
  CHECK(TroubleWith(Replaced(Text(), "\"value\": 1024.0", "\"value\": -1024.0")) ==
        "mine.json: `parameters.window.value` is negative");
  CHECK(TroubleWith(Replaced(Text(), "\"value\": 1024.0", "\"value\": \"many\"")) ==
        "mine.json: `parameters.window.value` is not a number");
  CHECK(TroubleWith(Replaced(Text(), "\"value\": 1024.0", "\"value\": 1e999")) != "");
  CHECK(TroubleWith(Replaced(Text(), "\"value\": 1024.0", "\"value\": NaN")) != "");
  CHECK(TroubleWith(Replaced(Text(), "\"value\": 1024.0", "\"value\": 3")) ==
        "mine.json: `parameters.window.range` does not hold the value");
  CHECK(TroubleWith(Replaced(Text(), "\"kind\": \"gpu\"", "\"kind\": \"tpu\"")) ==
        "mine.json: `machine.kind` is neither `gpu` nor `cpu`");
  CHECK(TroubleWith(Replaced(Text(), "\"provenance\": \"literature\"", "\"provenance\": \"felt\"")) ==
        "mine.json: `parameters.launch_base.provenance` is none of: default, scaled, literature, datasheet, measured");
  CHECK(TroubleWith(Replaced(Text(), "\"unit\": \"s\"", "\"unit\": \"ms\"")) ==
        "mine.json: `parameters.launch_base.unit` is `ms`; cpnlint counts in `s`");
}

TEST_CASE("a rate of zero would divide by it", "[cost]") {
  Profile profile = *LoadProfile("h100-sxm");
  Number& number = profile.numbers[static_cast<std::size_t>(Parameter::kSortRate)];
  number.value = number.low = number.high = 0;
  CHECK(TroubleWith(ToJson(profile)) == "mine.json: `parameters.sort_rate.value` is 0, and times are divided by it");
}

TEST_CASE("a rate whose meaning says what zero is may be zero", "[cost]") {
  Profile profile = *LoadProfile("cpu");
  Number& number = profile.numbers[static_cast<std::size_t>(Parameter::kWalkRate)];
  number.value = number.low = number.high = 0;
  CHECK(TroubleWith(ToJson(profile)).empty());
}

TEST_CASE("names and paths", "[cost]") {
  CHECK_THAT(LoadProfile("h100").error().message, Catch::Matchers::Contains("did you mean `h100-pcie` or `h100-sxm`?"));
  CHECK_THAT(LoadProfile("nowhere/mine.json").error().message, Catch::Matchers::StartsWith("there is no file"));
  const std::string path =
      (std::filesystem::temp_directory_path() / ("cpnlint-profile-" + std::to_string(::getpid()))).string();
  std::ofstream(path) << Text();
  CHECK(LoadProfile(path)->name == "h100-sxm");
  std::ofstream(path) << "{";
  CHECK_THAT(LoadProfile(path).error().message, Catch::Matchers::StartsWith(path + ": not JSON"));
  std::remove(path.c_str());
}

TEST_CASE("curves survive writing and reading", "[cost]") {
  Profile profile = *LoadProfile("cpu");
  profile.curves.push_back({"stream", "B", "s", {{1024, 1e-6}, {2048, 2e-6}}});
  const Result<Profile> again = ParseProfile(ToJson(profile), "again");
  REQUIRE(again);
  REQUIRE(again->curves.size() == 1);
  CHECK(again->curves[0].points == profile.curves[0].points);
}

}  // namespace
}  // namespace cpnlint::cost
