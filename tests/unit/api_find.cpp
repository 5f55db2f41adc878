#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "analyzer/api/api.h"

using namespace cpnlint::api;

namespace {

std::string FoundName(std::string_view name, Version version = kLatest) {
  const Entry* entry = Find(name, version);
  return entry == nullptr ? "" : std::string(entry->name);
}

std::vector<std::string> Near(std::string_view name, std::size_t most = 5) {
  std::vector<std::string> names;
  for (const Entry* entry : NearNames(name, kLatest, most)) names.emplace_back(entry->name);
  return names;
}

}  // namespace

TEST_CASE("api: names are found as they are") {
  CHECK(FoundName("numpy.linalg.qr") == "numpy.linalg.qr");
  CHECK(FoundName("numpy.ndarray.std") == "numpy.ndarray.std");
  CHECK(FoundName("numpy.random.Generator.choice") == "numpy.random.Generator.choice");
  CHECK(FoundName("numpy.False_") == "numpy.False_");
}

TEST_CASE("api: a name that no table has is unknown") {
  for (const char* name :
       {"", "numpy", "numpy.", "numpy.no_such_name", "scipy.linalg.qr", "qr", "numpy.linalg.qr.x", "numpy..sum",
        "numpy.sum.at", "numpy.random.Generator.no_such", "numpy.ndarray.no_such", ".", "..."}) {
    INFO(name);
    CHECK(Find(name) == nullptr);
  }
  CHECK(Find(std::string(100'000, '.')) == nullptr);
}

TEST_CASE("api: cuPyNumeric's own module means NumPy's name where both have it") {
  CHECK(FoundName("cupynumeric.sum") == "numpy.sum");
  CHECK(FoundName("cupynumeric.linalg.cho_factor") == "cupynumeric.linalg.cho_factor");
  CHECK(FoundName("numpy.linalg.cho_factor").empty());
  CHECK(FoundName("numpy.ndarray.stencil_hint") == "cupynumeric.ndarray.stencil_hint");
  CHECK(FoundName("numpy.random.Generator.cauchy") == "cupynumeric.random.Generator.cauchy");
}

TEST_CASE("api: methods of ufuncs share one row") {
  CHECK(FoundName("numpy.add.at") == "numpy.ufunc.at");
  CHECK(FoundName("cupynumeric.maximum.reduce") == "numpy.ufunc.reduce");
  CHECK(FoundName("numpy.multiply.outer") == "numpy.ufunc.outer");
  CHECK(FoundName("numpy.mean.outer").empty());
  CHECK(FoundName("numpy.pow.outer", Version::k26_06) == "numpy.ufunc.outer");
}

TEST_CASE("api: a name inside a missing module has the module's row") {
  CHECK(FoundName("numpy.ma.masked_array") == "numpy.ma");
  CHECK(FoundName("numpy.ma.core.MaskedArray") == "numpy.ma");
  CHECK(FoundName("numpy.rec.array") == "numpy.rec");
  CHECK(FoundName("cupynumeric.ma.array") == "numpy.ma");
  CHECK(FoundName("numpy.lib.stride_tricks.as_strided") == "numpy.lib.stride_tricks.as_strided");
  CHECK(FoundName("numpy.random.RandomState.rand") == "numpy.random.RandomState.rand");
}

TEST_CASE("api: what the rules rely on") {
  const Entry* std_row = Find("numpy.std");
  REQUIRE(std_row != nullptr);
  CHECK(std_row->status == Status::kMissing);
  CHECK(std_row->raises == Raises::kAttributeError);
  CHECK(std_row->substitute.fix == Fix::kUnsafe);
  CHECK(std_row->substitute.same == "order");

  CHECK(Find("numpy.around")->substitute.fix == Fix::kSafe);
  CHECK(Find("numpy.around")->substitute.to == "numpy.round");
  CHECK(Find("numpy.nditer")->substitute.fix == Fix::kStructural);
  CHECK(Find("numpy.vectorize")->owner == 102);
  CHECK(Find("numpy.object_")->owner == 107);
  CHECK(Find("numpy.datetime64")->owner == 119);
  CHECK(Find("numpy.std")->owner == 0);
  CHECK(Find("numpy.ndarray.base")->raises == Raises::kNotImplementedError);

  CHECK(Find("numpy.flip")->one_device == OneDevice::kAlways);
  CHECK(Find("numpy.linalg.eigh")->one_device == OneDevice::kPerMatrix);
  CHECK(Find("numpy.fft.fft")->one_device == OneDevice::kTransformedAxes);
  CHECK(Find("numpy.fft.rfft")->one_device == OneDevice::kAlways);
  CHECK(Find("numpy.nonzero")->unbound == Unbound::kAlways);
  CHECK(Find("numpy.where")->unbound == Unbound::kOneArgument);
  CHECK(Find("numpy.transpose")->view);
  CHECK(Find("numpy.reshape")->copy);
  CHECK(Find("numpy.linalg.solve")->throws);
  CHECK(Find("numpy.float64")->host_object);
  CHECK(Find("numpy.float64")->kind == Kind::kDtype);
  CHECK(Find("numpy.empty")->returns == Returns::kDevice);
  CHECK(Find("numpy.shape")->returns == Returns::kScalar);
  CHECK(Find("numpy.linalg.eigh")->returns == Returns::kDevices);
  CHECK_FALSE(Find("numpy.pow")->executed);
}

TEST_CASE("api: waits of the two versions differ for repeat only") {
  for (const Entry& entry : Entries(Version::k26_07)) {
    const Entry* before = FindExact(entry.name, Version::k26_06);
    INFO(entry.name);
    if (entry.name == "numpy.repeat") {
      CHECK(before->waits.empty());
      CHECK(entry.waits[0].when == WaitWhen::kArrayCounts);
    } else {
      CHECK(before->waits.size() == entry.waits.size());
    }
  }
}

TEST_CASE("api: the conditions of waits") {
  const auto only = [](const char* name) {
    const Entry* entry = Find(name);
    REQUIRE(entry != nullptr);
    REQUIRE(entry->waits.size() == 1);
    return entry->waits[0];
  };
  CHECK(only("numpy.histogram2d").when == WaitWhen::kWithoutRange);
  CHECK(only("numpy.roll").when == WaitWhen::kHostNumber);
  CHECK(only("numpy.roll").parameters == "shift");
  CHECK(only("numpy.cumsum").when == WaitWhen::kAlways);
  CHECK(only("numpy.take_along_axis").bounds_check);
  CHECK(only("numpy.clip").gathers);
  CHECK(only("numpy.nanmedian").count == 0);
  CHECK(only("numpy.ndarray.item").rule == 104);
  CHECK(only("numpy.put").rule == 116);
  CHECK(only("numpy.random.pareto").when == WaitWhen::kDeviceParameter);
  CHECK(Find("numpy.sum")->waits.empty());
}

TEST_CASE("api: functions of methods") {
  CHECK(FunctionOfMethod("numpy.ndarray.sum") == "numpy.sum");
  CHECK(FunctionOfMethod("numpy.ndarray.std") == "numpy.std");
  CHECK(FunctionOfMethod("numpy.ndarray.tolist").empty());
  CHECK(FunctionOfMethod("numpy.sum").empty());
  CHECK(IsUfunc("numpy.add"));
  CHECK(IsUfunc("cupynumeric.sin"));
  CHECK_FALSE(IsUfunc("numpy.sum"));
  CHECK_FALSE(IsUfunc("numpy.nothing"));
}

TEST_CASE("api: near names") {
  CHECK(Near("numpy.linalg.svdd").front() == "numpy.linalg.svd");
  CHECK(Near("np.svd").front() == "numpy.linalg.svd");
  CHECK(Near("numpy.zreos").front() == "numpy.zeros");
  CHECK(Near("numpy.random.choise").front() == "numpy.random.choice");
  CHECK(Near("sin", 1).size() == 1);
  CHECK(Near("numpy.qqqqqqqqq").empty());
  CHECK(Near("").empty());
  CHECK(Near(std::string(1'000'000, 'a')).empty());
}
