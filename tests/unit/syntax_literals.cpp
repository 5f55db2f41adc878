#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/syntax/number_literal.h"
#include "analyzer/syntax/parse.h"
#include "analyzer/syntax/string_literal.h"

using cpnlint::syntax::DecodeString;
using cpnlint::syntax::Kind;
using cpnlint::syntax::Node;
using cpnlint::syntax::NumberLiteral;
using cpnlint::syntax::Parse;
using cpnlint::syntax::ParseNumber;
using cpnlint::syntax::ParsePrefix;
using cpnlint::syntax::PlainString;
using cpnlint::syntax::StringLiteral;
using cpnlint::syntax::Tree;
using Type = NumberLiteral::Type;

namespace {

std::optional<std::string> Plain(std::string_view text) {
  const Tree tree = Parse(text);
  return PlainString(tree.root().FirstNamed().FirstNamed());
}

}  // namespace

TEST_CASE("integers") {
  CHECK(ParseNumber("0").type == Type::kInt);
  CHECK(ParseNumber("000").int_value == 0);
  CHECK(ParseNumber("1_000_000").int_value == 1'000'000);
  CHECK(ParseNumber("0xFF_ff").int_value == 65535);
  CHECK(ParseNumber("0b1_01").int_value == 5);
  CHECK(ParseNumber("0O17").int_value == 15);
  CHECK(ParseNumber("0x_1").int_value == 1);
  CHECK(ParseNumber("9223372036854775807").int_value == std::numeric_limits<std::int64_t>::max());
  const NumberLiteral big = ParseNumber("9223372036854775808");
  CHECK(big.type == Type::kBigInt);
  CHECK(big.float_value == 9223372036854775808.0);
  CHECK(ParseNumber("0x1" + std::string(20, '0')).float_value == std::ldexp(1.0, 80));
  CHECK(ParseNumber("0o2" + std::string(30, '0')).float_value == std::ldexp(1.0, 91));
  CHECK(ParseNumber("0b1" + std::string(70, '0')).float_value == std::ldexp(1.0, 70));
  CHECK(std::isinf(ParseNumber("1" + std::string(400, '0')).float_value));
  CHECK(ParseNumber("42").float_value == 42.0);
}

TEST_CASE("floats and imaginary numbers") {
  CHECK(ParseNumber("1.").float_value == 1.0);
  CHECK(ParseNumber(".5").float_value == 0.5);
  CHECK(ParseNumber("1e8").type == Type::kFloat);
  CHECK(ParseNumber("1E+8").float_value == 1e8);
  CHECK(ParseNumber("1_0.2_5e-1_0").float_value == 10.25e-10);
  CHECK(std::isinf(ParseNumber("1e999").float_value));
  CHECK(ParseNumber("1e-999").float_value == 0.0);
  CHECK(ParseNumber("2j").type == Type::kImaginary);
  CHECK(ParseNumber("2.5J").float_value == 2.5);
  CHECK(ParseNumber("010j").float_value == 10.0);
  CHECK(ParseNumber("01.5").float_value == 1.5);
}

TEST_CASE("what is no number of Python 3") {
  for (const char* text : {"", "10L", "0777", "0x", "0b2", "0o8", "1__0", "1_", "_1", "1e", "1.5L", "j", "0xg", "e5"}) {
    CAPTURE(text);
    CHECK(ParseNumber(text).type == Type::kInvalid);
  }
}

TEST_CASE("string values") {
  CHECK(Plain("'abc'") == "abc");
  CHECK(Plain("''") == "");
  CHECK(Plain("\"\"\"a\nb\"\"\"") == "a\nb");
  CHECK(Plain("'''a\r\nb'''") == "a\nb");
  CHECK(Plain(R"('a\n\t\\\'\"\x41\u00e9\U0001F600\101\0')") == std::string("a\n\t\\'\"A\xC3\xA9\xF0\x9F\x98\x80"
                                                                           "A\0",
                                                                           15));
  CHECK(Plain(R"('\d\ ')") == "\\d\\ ");
  CHECK(Plain(R"(r'\n\'')") == "\\n\\'");
  CHECK(Plain("'a\\\nb'") == "ab");
  CHECK(Plain("'a' \"b\" r'\\c'") == "ab\\c");
  CHECK(Plain("('a'\n 'b')") == std::nullopt);  // a bracket, not a string
  CHECK(Plain("f'a{{b}}'") == "a{b}");
  CHECK(Plain("u'x'") == "x");
  CHECK(Plain("f'a{b}'") == std::nullopt);
  CHECK(Plain("b'a'") == std::nullopt);
  CHECK(Plain("t'a'") == std::nullopt);
  CHECK(Plain(R"('\N{DASH}')") == std::nullopt);
  CHECK(Plain(R"('\ud800')") == std::nullopt);
  CHECK(Plain(R"('\x4')") == std::nullopt);
  CHECK(Plain("x") == std::nullopt);
}

TEST_CASE("pieces of formatted strings") {
  const Tree tree = Parse("'a' f'b{x!r:>{w}}c{{{y=}' 'd'\n");
  const auto literal = DecodeString(tree.root().FirstNamed().FirstNamed());
  REQUIRE(literal);
  CHECK(literal->formatted);
  CHECK_FALSE(literal->bytes);
  REQUIRE(literal->pieces.size() == 5);
  CHECK(literal->pieces[0].text == "ab");
  CHECK(literal->pieces[1].is_interpolation());
  CHECK(literal->pieces[1].expression.text() == "x");
  CHECK(literal->pieces[1].conversion == 'r');
  CHECK(literal->pieces[1].format_specifier.text() == ":>{w}");
  CHECK_FALSE(literal->pieces[1].self_documenting);
  CHECK(literal->pieces[2].text == "c{");
  CHECK(literal->pieces[3].expression.text() == "y");
  CHECK(literal->pieces[3].self_documenting);
  CHECK(literal->pieces[4].text == "d");
}

TEST_CASE("bytes and flags") {
  const Tree tree = Parse("b'\\xff\\u0041' rb'\\x'\nt'{a}'\nb'a' 'b'\n");
  const auto bytes = DecodeString(tree.root().NamedChild(0).FirstNamed());
  REQUIRE(bytes);
  CHECK(bytes->bytes);
  CHECK_FALSE(bytes->raw);
  CHECK(bytes->exact);
  REQUIRE(bytes->pieces.size() == 1);
  CHECK(bytes->pieces[0].text == "\xFF\\u0041\\x");
  CHECK(DecodeString(tree.root().NamedChild(1).FirstNamed())->templated);
  CHECK_FALSE(DecodeString(tree.root().NamedChild(2).FirstNamed())->exact);
}

TEST_CASE("string prefixes") {
  CHECK(ParsePrefix("rb'").raw);
  CHECK(ParsePrefix("Rb'").bytes);
  CHECK(ParsePrefix("F\"\"\"").triple);
  CHECK(ParsePrefix("F\"\"\"").formatted);
  for (const char* fine : {"'", "r\"", "b'", "br'", "f'", "fr'", "Rf'", "t'", "rt'", "u'"})
    CHECK(ParsePrefix(fine).python3);
  for (const char* old : {"ur'", "`", "bu'", "fb'"}) CHECK_FALSE(ParsePrefix(old).python3);
}
