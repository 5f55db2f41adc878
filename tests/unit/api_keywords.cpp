#include <catch2/catch.hpp>

#include "analyzer/api/api.h"

using namespace cpnlint::api;

namespace {

const Keyword& Row(const char* name, const char* keyword) {
  const Entry* entry = Find(name);
  REQUIRE(entry != nullptr);
  const Keyword* row = FindKeyword(*entry, keyword);
  REQUIRE(row != nullptr);
  return *row;
}

Verdict JudgeIn(const char* name, const char* keyword, std::string_view literal) {
  return Judge(Row(name, keyword), literal);
}

}  // namespace

TEST_CASE("api: behaviour of keywords") {
  CHECK(Row("numpy.zeros", "order").behaviour == Behaviour::kAbsent);
  CHECK(Row("numpy.zeros", "order").raises == Raises::kTypeError);
  CHECK(Row("numpy.zeros", "order").numpy_default == "'C'");
  CHECK(Row("numpy.full", "fill_value").behaviour == Behaviour::kRenamed);
  CHECK(Row("numpy.full", "fill_value").to == "value");
  CHECK(Row("numpy.array", "order").behaviour == Behaviour::kIgnored);
  CHECK(Row("numpy.reshape", "order").behaviour == Behaviour::kHost);
  CHECK(Row("numpy.sqrt", "where").behaviour == Behaviour::kValue);
  CHECK(Row("numpy.ndarray.astype", "copy").behaviour == Behaviour::kDiffers);
  CHECK(FindKeyword(*Find("numpy.sum"), "where") == nullptr);
  CHECK(FindKeyword(*Find("numpy.sum"), "") == nullptr);
}

TEST_CASE("api: which values of a keyword raise") {
  CHECK(JudgeIn("numpy.sqrt", "where", "True") == Verdict::kFine);
  CHECK(JudgeIn("numpy.sqrt", "where", "False") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.sqrt", "where", "") == Verdict::kUnknown);
  CHECK(JudgeIn("numpy.sqrt", "where", "mask") == Verdict::kUnknown);
  CHECK(JudgeIn("numpy.sqrt", "subok", "True") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.allclose", "equal_nan", "True") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.allclose", "equal_nan", "False") == Verdict::kFine);
  CHECK(JudgeIn("numpy.allclose", "equal_nan", "flag") == Verdict::kUnknown);
  CHECK(JudgeIn("numpy.convolve", "mode", "'same'") == Verdict::kFine);
  CHECK(JudgeIn("numpy.convolve", "mode", "'full'") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.linalg.norm", "ord", "2") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.linalg.norm", "ord", "1") == Verdict::kFine);
  CHECK(JudgeIn("numpy.linalg.norm", "ord", "'fro'") == Verdict::kFine);
  CHECK(JudgeIn("numpy.linalg.norm", "ord", "np.inf") == Verdict::kUnknown);
  CHECK(JudgeIn("numpy.linalg.matrix_power", "n", "-1") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.linalg.matrix_power", "n", "3") == Verdict::kFine);
  CHECK(JudgeIn("numpy.linalg.matrix_power", "n", "n") == Verdict::kUnknown);
  CHECK(JudgeIn("numpy.random.randint", "dtype", "int64") == Verdict::kFine);
  CHECK(JudgeIn("numpy.random.randint", "dtype", "uint8") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.random.randint", "dtype", "chosen") == Verdict::kUnknown);
  CHECK(JudgeIn("numpy.unique", "axis", "None") == Verdict::kFine);
  CHECK(JudgeIn("numpy.unique", "axis", "0") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.unique", "return_counts", "True") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.sort", "order", "None") == Verdict::kFine);
  CHECK(JudgeIn("numpy.sort", "order", "'x'") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.ndarray.view", "dtype", "") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.reshape", "order", "'F'") == Verdict::kRestricted);
  CHECK(JudgeIn("numpy.reshape", "order", "'C'") == Verdict::kFine);
  CHECK(JudgeIn("numpy.reshape", "order", "'K'") == Verdict::kUnknown);
  CHECK(JudgeIn("numpy.take", "mode", "'clip'") == Verdict::kFine);
  CHECK(JudgeIn("numpy.nan_to_num", "copy", "False") == Verdict::kUnknown);
}

TEST_CASE("api: positions of parameters are NumPy's") {
  CHECK(ParameterName(*Find("numpy.full"), 1) == "fill_value");
  CHECK(ParameterName(*Find("numpy.max"), 2) == "out");
  CHECK(Find("numpy.max")->parameters[2] == "dtype");
  CHECK(ParameterName(*Find("numpy.zeros"), 2) == "order");
  CHECK(ParameterName(*Find("numpy.zeros"), 3).empty());
  CHECK(ParameterName(*Find("numpy.add"), 0) == "x1");
  CHECK(ParameterName(*Find("numpy.add"), 2) == "out");
  CHECK(ParameterName(*Find("numpy.sin"), 1) == "out");
  CHECK(ParameterName(*Find("numpy.sin"), 2).empty());
  CHECK(ParameterName(*Find("numpy.atleast_1d"), 0).empty());
  CHECK(ParameterName(*Find("numpy.ndarray.sum"), 0) == "axis");
  CHECK(ParameterName(*Find("numpy.pi"), 0).empty());
  CHECK(ParameterPosition(*Find("numpy.full"), "fill_value") == 1u);
  CHECK(ParameterPosition(*Find("numpy.random.Generator.normal"), "size") == 2u);
  CHECK(ParameterPosition(*Find("numpy.add"), "out") == 2u);
  CHECK(ParameterPosition(*Find("numpy.meshgrid"), "indexing") == std::nullopt);
  CHECK(ParameterPosition(*Find("numpy.full"), "") == std::nullopt);
  CHECK(ParameterPosition(*Find("numpy.full"), "like") == std::nullopt);
}

TEST_CASE("api: element types") {
  CHECK(DtypeBit("bool") == 1);
  CHECK(DtypeBit("complex128") == 1 << 13);
  CHECK(DtypeBit("object") == 0);
  CHECK(DtypeNames(0).empty());
  CHECK(DtypeNames(DtypeBit("int8") | DtypeBit("complex64")) == "int8, complex64");
  CHECK(DtypeNames(0x3fff) == "bool, integers, floats, complex");
  CHECK(DtypeNames(0x3001) == "bool, complex");

  const Entry& var = *Find("numpy.var");
  REQUIRE(FindDtypeGap(var, "int32", DtypeEffect::kEndsProcess) != nullptr);
  CHECK(RuleOf(var, *FindDtypeGap(var, "int32", DtypeEffect::kEndsProcess)) == 120);
  CHECK(FindDtypeGap(var, "int64", DtypeEffect::kEndsProcess) == nullptr);
  CHECK(FindDtypeGap(var, "int64", DtypeEffect::kWrongValue) != nullptr);
  CHECK(FindDtypeGap(var, "float64", DtypeEffect::kRaises) == nullptr);
  CHECK(FindDtypeGap(var, "object", DtypeEffect::kRaises) == nullptr);

  const Entry& matmul = *Find("numpy.matmul");
  REQUIRE(FindDtypeGap(matmul, "int64", DtypeEffect::kRaises) != nullptr);
  CHECK(FindDtypeGap(matmul, "int64", DtypeEffect::kRaises)->raises == Raises::kTypeError);
  CHECK(RuleOf(matmul, *FindDtypeGap(matmul, "int64", DtypeEffect::kRaises)) == 308);
  CHECK(FindDtypeGap(*Find("numpy.fft.fft"), "int32", DtypeEffect::kRaises)->raises == Raises::kTypeError);
  CHECK(FindDtypeGap(*Find("numpy.fft.fft"), "float64", DtypeEffect::kRaises) == nullptr);
  CHECK(FindDtypeGap(*Find("numpy.cumsum"), "bool", DtypeEffect::kOtherDtype)->numpy == "int64");
  // A call that raises for every type says nothing about types.
  CHECK(Find("numpy.place")->dtypes.empty());
  CHECK(Find("numpy.ndarray.to_device")->dtypes.empty());
}

TEST_CASE("api: limits") {
  const auto rule = [](const char* name, LimitKind kind) {
    const Limit* limit = FindLimit(*Find(name), kind);
    REQUIRE(limit != nullptr);
    return RuleOf(*limit);
  };
  CHECK(rule("numpy.floor_divide", LimitKind::kZeroDivisor) == 120);
  CHECK(rule("numpy.max", LimitKind::kThirdIsDtype) == 113);
  CHECK(rule("numpy.max", LimitKind::kIgnoresNan) == 314);
  CHECK(rule("numpy.random.uniform", LimitKind::kSizeNoList) == 113);
  CHECK(rule("numpy.random.Generator.uniform", LimitKind::kSizeNoList) == 113);
  CHECK(rule("numpy.fft.rfft", LimitKind::kNeedsGpu) == 303);
  CHECK(rule("numpy.ndarray.__getitem__", LimitKind::kUnitStep) == 106);
  CHECK(FindLimit(*Find("numpy.sum"), LimitKind::kSomeAxes) == nullptr);
  CHECK(FindLimit(*Find("numpy.random.choice"), LimitKind::kSizeNoList) == nullptr);
  CHECK(RuleOf(*FindKeyword(*Find("numpy.zeros"), "order")) == 109);
}
