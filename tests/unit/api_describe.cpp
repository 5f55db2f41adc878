#include <catch2/catch.hpp>

#include <algorithm>

#include "analyzer/api/describe.h"

using namespace cpnlint::api;

namespace {

bool Has(const std::vector<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

}  // namespace

TEST_CASE("api: the spellings that people use") {
  for (const char* asked : {"np.linalg.qr", "numpy.linalg.qr", "cupynumeric.linalg.qr", "linalg.qr", "qr",
                            " np.linalg.qr() ", "linalg.qr()"}) {
    INFO(asked);
    CHECK(Resolve(asked) ==
          (std::string_view(asked).starts_with("cupynumeric") ? "cupynumeric.linalg.qr" : "numpy.linalg.qr"));
    CHECK(Describe(asked).name == "numpy.linalg.qr");
  }
  CHECK(Describe("ndarray.std").name == "numpy.ndarray.std");
  CHECK(Describe("a.std").name == "numpy.ndarray.std");
  CHECK(Describe("np.ndarray.std").name == "numpy.ndarray.std");
  CHECK(Describe("add.at").name == "numpy.ufunc.at");
  CHECK(Describe("np.add.at").name == "numpy.ufunc.at");
  CHECK(Describe("random.Generator.choice").name == "numpy.random.Generator.choice");
  CHECK(Describe("Generator.choice").name == "numpy.random.Generator.choice");
  CHECK(Describe("rng.choice").name == "numpy.random.Generator.choice");
  CHECK(Describe("std").name == "numpy.std");
  CHECK(Describe("tolist").name == "numpy.ndarray.tolist");
  CHECK(Describe("linalg.cho_factor").name == "cupynumeric.linalg.cho_factor");
}

TEST_CASE("api: a rooted name is not looked for elsewhere") {
  const Description miss = Describe("np.qr");
  CHECK(miss.entry == nullptr);
  CHECK(miss.name.empty());
  CHECK(miss.status == "unknown");
  REQUIRE_FALSE(miss.near.empty());
  CHECK(miss.near.front() == "numpy.linalg.qr");
  CHECK(Describe("np.std.nothing").entry == nullptr);
  CHECK(Describe("linalg.nothing").entry == nullptr);
}

TEST_CASE("api: an ambiguous bare name names the candidates") {
  const Description miss = Describe("choice");
  CHECK(miss.entry == nullptr);
  CHECK(Has(miss.near, "numpy.random.choice"));
  CHECK(Has(miss.near, "numpy.random.Generator.choice"));
}

TEST_CASE("api: a missing name") {
  const Description d = Describe("np.std");
  CHECK(d.sentence == "np.std does not exist in cuPyNumeric 26.07: using it raises AttributeError");
  CHECK(d.status == "missing");
  CHECK(d.instead.starts_with("np.sqrt("));
  CHECK(d.rules == std::vector<std::string>{"R112"});
  CHECK(d.near.empty());
  CHECK(Describe("np.vectorize").rules == std::vector<std::string>{"R102"});
  CHECK(Describe("np.ma.array").sentence ==
        "np.ma.array lies in np.ma, which does not exist in cuPyNumeric 26.07: using it raises AttributeError");
  CHECK(Describe("np.add.at").sentence ==
        "np.add.at does not exist in cuPyNumeric 26.07: using it raises AttributeError");
  CHECK(Describe("ndarray.base").sentence ==
        "ndarray.base is a stub in cuPyNumeric 26.07: using it raises NotImplementedError");
  CHECK(Describe("np.cast").sentence == "np.cast does not exist in cuPyNumeric 26.07 as NumPy has it");
}

TEST_CASE("api: a name that is there") {
  CHECK(Describe("np.sum").sentence == "np.sum exists in cuPyNumeric 26.07 and distributes over all processors");
  CHECK(Describe("np.flip").sentence ==
        "np.flip exists in cuPyNumeric 26.07 and runs on one processor, however many there are");
  CHECK(Describe("np.shape").sentence == "np.shape exists in cuPyNumeric 26.07");
  CHECK(Describe("x.item").sentence ==
        "ndarray.item exists in cuPyNumeric 26.07 and brings the whole array to the host");
  CHECK(Describe("np.float64").sentence == "np.float64 is NumPy's own object in cuPyNumeric 26.07");

  const Description d = Describe("np.histogram");
  CHECK(d.returns == "several device arrays");
  CHECK(d.parameters.front() == "x");
  REQUIRE(d.arguments.size() == 1);
  CHECK(d.arguments[0].name == "a");
  CHECK(d.arguments[0].words == "is called x here: TypeError by keyword, works by position");
  CHECK(d.arguments[0].raises == "TypeError");
  CHECK(Has(d.dtypes, "complex: raises NotImplementedError: (arg)max/min not supported for complex-type arrays"));
  CHECK(
      Has(d.waits,
          "waits without range=, or with bins given as an array: reads the smallest and the largest value; array bins "
          "are tested element by element; instead: pass the number of bins and `range=` as host numbers that are "
          "computed once"));
  CHECK(d.rules == std::vector<std::string>{"R113", "R115", "R120", "R314"});
  CHECK(d.executed);
}

TEST_CASE("api: versions differ") {
  const Description now = Describe("np.pow");
  CHECK(now.status == "multi");
  CHECK_FALSE(now.executed);
  CHECK(Has(now.notes, "missing in 26.06"));
  const Description before = Describe("np.pow", Version::k26_06);
  CHECK(before.status == "missing");
  CHECK(before.version == "26.06");
  CHECK(before.instead == "np.power");
  CHECK(Has(before.notes, "exists in 26.07"));
}

TEST_CASE("api: every name of the tables describes itself") {
  for (const Version version : Versions()) {
    for (const Entry& entry : Entries(version)) {
      INFO(entry.name);
      const Description d = Describe(entry.name, version);
      CHECK(d.entry == &entry);
      CHECK(d.sentence.find(Name(version)) != std::string::npos);
      CHECK(d.sentence.find("  ") == std::string::npos);
      if (entry.status == Status::kMissing) CHECK_FALSE(d.rules.empty());
      for (const std::string& words : d.waits) CHECK(words.starts_with("waits"));
    }
  }
}

TEST_CASE("api: anything can be asked") {
  for (const std::string& asked :
       {std::string(), std::string("  "), std::string("np."), std::string("."), std::string("\xff\xfe"),
        std::string(1'000'000, 'a'), std::string(1'000'000, '.'), std::string("a\0b", 3)}) {
    CHECK(Describe(asked).entry == nullptr);
  }
}
