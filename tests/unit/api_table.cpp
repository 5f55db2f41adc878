// What every table promises, whatever its rows say.

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>

#include "analyzer/api/api.h"

using namespace cpnlint::api;

namespace {

std::map<Status, int> CountNumpyNames(Version version) {
  std::map<Status, int> counts;
  for (const Entry& entry : Entries(version)) {
    if (entry.name.starts_with("numpy.")) ++counts[entry.status];
  }
  return counts;
}

}  // namespace

TEST_CASE("api: the tables are sorted by name and have no name twice") {
  for (const Version version : Versions()) {
    const auto entries = Entries(version);
    REQUIRE(entries.size() > 900);
    for (std::size_t i = 1; i < entries.size(); ++i) {
      INFO(entries[i].name);
      CHECK(entries[i - 1].name < entries[i].name);
    }
  }
}

TEST_CASE("api: 26.07 has as many names of each status as its source") {
  const auto counts = CountNumpyNames(Version::k26_07);
  CHECK(counts.at(Status::kMulti) == 510);
  CHECK(counts.at(Status::kPartial) == 36);
  CHECK(counts.at(Status::kSingle) == 25);
}

TEST_CASE("api: 26.06 lacks twelve names of 26.07 and has no other") {
  std::vector<std::string> only_later;
  for (const Entry& entry : Entries(Version::k26_07)) {
    const Entry* before = FindExact(entry.name, Version::k26_06);
    REQUIRE(before != nullptr);
    if (before->status != entry.status) only_later.emplace_back(entry.name);
  }
  CHECK(only_later ==
        std::vector<std::string>{"cupynumeric.ndimage.batched_convolve", "cupynumeric.ndimage.fourier_gaussian",
                                 "cupynumeric.ndimage.fourier_uniform", "numpy.astype", "numpy.atan2",
                                 "numpy.bitwise_invert", "numpy.bitwise_left_shift", "numpy.bitwise_right_shift",
                                 "numpy.isdtype", "numpy.matrix_transpose", "numpy.pow", "numpy.vander"});
  CHECK(Entries(Version::k26_06).size() == Entries(Version::k26_07).size());
}

TEST_CASE("api: rows hold together") {
  for (const Version version : Versions()) {
    for (const Entry& entry : Entries(version)) {
      INFO(Name(version) << " " << entry.name);
      if (entry.status == Status::kMissing) {
        CHECK(entry.keywords.empty());
        CHECK(entry.waits.empty());
      } else {
        CHECK(entry.substitute.fix == Fix::kNone);
        CHECK(entry.raises == Raises::kNothing);
      }
      const bool numpy_ufunc = entry.kind == Kind::kUfunc && entry.status != Status::kMissing;
      CHECK((entry.inputs > 0) == numpy_ufunc);
      CHECK((entry.outputs > 0) == numpy_ufunc);
      for (std::size_t i = 1; i < entry.keywords.size(); ++i)
        CHECK(entry.keywords[i - 1].name < entry.keywords[i].name);
      for (const Keyword& keyword : entry.keywords) {
        CHECK((keyword.behaviour == Behaviour::kRenamed) == !keyword.to.empty());
        if (keyword.behaviour == Behaviour::kRenamed) {
          CHECK(std::ranges::find(entry.parameters, keyword.to) != entry.parameters.end());
        }
        if (keyword.behaviour == Behaviour::kAbsent || keyword.behaviour == Behaviour::kValue) {
          CHECK(keyword.raises != Raises::kNothing);
        }
        if (keyword.behaviour == Behaviour::kValue) CHECK(keyword.accepted.size() + keyword.rejected.size() > 0);
      }
      for (const DtypeGap& gap : entry.dtypes) {
        CHECK(gap.dtypes != 0);
        CHECK((gap.effect == DtypeEffect::kOtherDtype) == !gap.here.empty());
        CHECK((gap.effect == DtypeEffect::kRaises) == (gap.raises != Raises::kNothing));
      }
      for (const Wait& wait : entry.waits) CHECK_FALSE(wait.cause.empty());
      for (const Limit& limit : entry.limits) CHECK_FALSE(limit.text.empty());
    }
  }
}

TEST_CASE("api: a rename leads to a name that is there") {
  int renames = 0;
  for (const Version version : Versions()) {
    for (const Entry& entry : Entries(version)) {
      const Substitute& substitute = entry.substitute;
      INFO(entry.name);
      CHECK(substitute.rename == !substitute.to.empty());
      if (!substitute.rename) continue;
      ++renames;
      const Entry* to = FindExact(substitute.to, version);
      REQUIRE(to != nullptr);
      CHECK(to->status != Status::kMissing);
    }
  }
  CHECK(renames > 60);
}

TEST_CASE("api: versions") {
  CHECK(Versions().size() == 2);
  CHECK(Versions().back() == kLatest);
  for (const Version version : Versions()) {
    CHECK(ParseVersion(Name(version)) == version);
    CHECK(Provenance(version).find("26.6.1") != std::string_view::npos);
  }
  CHECK(ParseVersion("26.7") == Version::k26_07);
  CHECK(ParseVersion("26.07.00") == Version::k26_07);
  CHECK(ParseVersion("26.6.1") == Version::k26_06);
  for (const char* bad :
       {"", "26", "26.", "26.08", "25.07", "26.07x", "26.07.", "26.07.x", "-26.07", "26.-7", ".07", "x"}) {
    INFO(bad);
    CHECK(ParseVersion(bad) == std::nullopt);
  }
}
