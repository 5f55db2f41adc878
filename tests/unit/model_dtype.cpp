// Promotion, weak numbers, and the spellings of dtypes.

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/dtype.h"

namespace cpnlint::ir {
namespace {

#include "tests/unit/model_promotions.inc"

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return words;
}

TEST_CASE("numpy.promote_types", "[model][dtype]") {
  for (const auto& row : kPromotions) {
    const std::vector<std::string_view> results = Words(row[1]);
    REQUIRE(results.size() == std::size(kPromotions));
    for (std::size_t i = 0; i < results.size(); ++i) {
      INFO(row[0] << " with " << kPromotions[i][0]);
      const DType promoted = Promote(ParseDType(row[0]), ParseDType(kPromotions[i][0]));
      CHECK(Name(promoted) == (results[i] == "-" ? "?" : results[i]));
    }
  }
}

TEST_CASE("Python numbers bend", "[model][dtype]") {
  CHECK(PromoteWeak(DType::kInt8, Weak::kInt) == DType::kInt8);
  CHECK(PromoteWeak(DType::kBool, Weak::kInt) == DType::kInt64);
  CHECK(PromoteWeak(DType::kBool, Weak::kBool) == DType::kBool);
  CHECK(PromoteWeak(DType::kInt8, Weak::kFloat) == DType::kFloat64);
  CHECK(PromoteWeak(DType::kFloat16, Weak::kFloat) == DType::kFloat16);
  CHECK(PromoteWeak(DType::kFloat32, Weak::kComplex) == DType::kComplex64);
  CHECK(PromoteWeak(DType::kFloat16, Weak::kComplex) == DType::kComplex64);
  CHECK(PromoteWeak(DType::kInt64, Weak::kComplex) == DType::kComplex128);
  CHECK(PromoteWeak(DType::kLongDouble, Weak::kFloat) == DType::kLongDouble);
  CHECK(PromoteWeak(DType::kUnknown, Weak::kFloat) == DType::kUnknown);
}

TEST_CASE("float results", "[model][dtype]") {
  CHECK(FloatResult(DType::kBool) == DType::kFloat16);
  CHECK(FloatResult(DType::kUInt8) == DType::kFloat16);
  CHECK(FloatResult(DType::kInt16) == DType::kFloat32);
  CHECK(FloatResult(DType::kInt32) == DType::kFloat64);
  CHECK(FloatResult(DType::kComplex64) == DType::kComplex64);
  CHECK(TrueDivide(DType::kInt8, DType::kInt8) == DType::kFloat64);
  CHECK(TrueDivide(DType::kFloat16, DType::kInt8) == DType::kFloat16);
  CHECK(RealPart(DType::kComplex128) == DType::kFloat64);
  CHECK(RealPart(DType::kInt32) == DType::kInt32);
}

TEST_CASE("spellings", "[model][dtype]") {
  const auto parsed = [](std::string_view text) { return Name(ParseDType(text)); };
  CHECK(parsed("float64") == "float64");
  CHECK(parsed("f8") == "float64");
  CHECK(parsed("<f4") == "float32");
  CHECK(parsed("d") == "float64");
  CHECK(parsed("i4") == "int32");
  CHECK(parsed("|u1") == "uint8");
  CHECK(parsed("?") == "bool");
  CHECK(parsed("U10") == "str");
  CHECK(parsed("|S5") == "bytes");
  CHECK(parsed("datetime64[s]") == "datetime64");
  CHECK(parsed("M8[ns]") == "datetime64");
  CHECK(parsed("m8") == "timedelta64");
  CHECK(parsed("object") == "object");
  CHECK(parsed("float, int") == "structured");
  CHECK(parsed("V16") == "structured");
  for (const std::string_view text : {"S", "a", "c", "S1", "a8", "|S4", "bytes", "bytes0", "bytes_", "string_"}) {
    INFO(text);
    CHECK(parsed(text) == "bytes");
  }
  for (const std::string_view text : {"U", "<U7", ">U7", "T", "str", "str0", "str_", "unicode", "unicode_"}) {
    INFO(text);
    CHECK(parsed(text) == "str");
  }
  for (const std::string_view text : {"O", "|O", "O8", "object", "object0", "object_"}) {
    INFO(text);
    CHECK(parsed(text) == "object");
  }
  for (const std::string_view text : {"V", "|V8", "void", "void0", "record", "i4,f8"}) {
    INFO(text);
    CHECK(parsed(text) == "structured");
  }
  for (const std::string_view text : {"M8", "<M8[us]", "M", "datetime64", "datetime64[D]"}) {
    INFO(text);
    CHECK(parsed(text) == "datetime64");
  }
  for (const std::string_view text : {"m8[s]", ">m8", "m", "timedelta64", "timedelta64[ms]"}) {
    INFO(text);
    CHECK(parsed(text) == "timedelta64");
  }
  for (const std::string_view text : {"", "x", "float65", "f3", "<", "nonsense", "f8f8", "i4 "}) {
    INFO(text);
    CHECK(ParseDType(text) == DType::kUnknown);
  }
  CHECK(ItemSize(DType::kComplex128) == 16);
  CHECK_FALSE(ItemSize(DType::kString).has_value());
  CHECK(ShortName(DType::kUnknown) == "?");
}

}  // namespace
}  // namespace cpnlint::ir
