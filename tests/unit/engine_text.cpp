#include <catch2/catch.hpp>

#include "analyzer/base/check.h"
#include "rules/engine/text.h"

using cpnlint::Span;
using cpnlint::rules::Fill;
using cpnlint::rules::Render;
using cpnlint::rules::Text;

namespace {

Span Of(std::string_view source, std::string_view part) {
  const std::size_t at = source.find(part);
  REQUIRE(at != std::string_view::npos);
  return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + part.size())};
}

}  // namespace

TEST_CASE("a text joins literals and quotes spans") {
  const std::string source = "c[i] = 2 * a[i]\n";
  Text text("element loop over `");
  text.Add(Of(source, "c")).Add("`").Add(", slowly");
  CHECK(Render(text, source) == "element loop over `c`, slowly");
  CHECK(text.pieces.size() == 3);
  CHECK(Text("").empty());
  CHECK(Text(Span{3, 3}).empty());
}

TEST_CASE("white space and comments in a quoted span become one line") {
  const std::string source = "np.where(\n    u > 0,   # dry\n    u,\n\t'#  x'\n)";
  const Text text(Span{0, static_cast<std::uint32_t>(source.size())});
  CHECK(Render(text, source) == "np.where(u > 0, u, '#  x')");
  CHECK(Render(Text(Span{0, 6}), "a + \\\nb") == "a + ");
  CHECK(Render(Text(Span{0, 7}), "a + \\\nb") == "a + b");
}

TEST_CASE("pieces of one statement keep the blanks at their edges") {
  const std::string source = "q[j] = k * q[j]";
  Text text(Span{0, 1});
  text.Add(Span{4, 12}).Add("...");
  CHECK(Render(text, source) == "q = k * q...");
}

TEST_CASE("a long quotation is cut at 60 columns, counted in characters") {
  const std::string longest(60, 'x');
  CHECK(Render(Text(Span{0, 60}), longest) == longest);
  CHECK(Render(Text(Span{0, 61}), std::string(61, 'x')) == std::string(57, 'x') + "...");
  std::string wide;
  for (int i = 0; i < 61; ++i) wide += "é";
  const std::string cut = Render(Text(Span{0, static_cast<std::uint32_t>(wide.size())}), wide);
  CHECK(cut.size() == 57 * 2 + 3);
}

TEST_CASE("a span beyond the source quotes what is there") {
  CHECK(Render(Text(Span{2, 90}), "abcd") == "cd");
  CHECK(Render(Text(Span{50, 90}), "abcd").empty());
}

TEST_CASE("placeholders are filled and clauses without their argument fall away") {
  const std::string source = "for it in range(n): f()";
  const Text loop(Of(source, "for it in range(n)"));
  const char* pattern = "`{expr}` waits[[ on every pass of `{loop}`]]";
  CHECK(Render(Fill(pattern, {{"expr", "float(e)"}, {"loop", loop}}), source) ==
        "`float(e)` waits on every pass of `for it in range(n)`");
  CHECK(Render(Fill(pattern, {{"expr", "float(e)"}}), source) == "`float(e)` waits");
  CHECK(Render(Fill(pattern, {{"expr", "float(e)"}, {"loop", Text()}}), source) == "`float(e)` waits");
}

TEST_CASE("the last argument of a name wins, unless it is empty") {
  CHECK(Render(Fill("{a}", {{"a", "old"}, {"a", "new"}}), "") == "new");
  CHECK(Render(Fill("{a}", {{"a", "old"}, {"a", Text()}}), "") == "old");
}

TEST_CASE("an argument without words drops its clause, and is dots outside of one") {
  CHECK(Render(Fill("`{a}` slices[[ with step `{k}`]]", {{"a", Text(Span{})}, {"k", Text()}}), "x") == "`...` slices");
}

TEST_CASE("a missing argument outside of a clause is our bug") {
  CHECK_THROWS_AS(Fill("over {array}", {}), cpnlint::InternalError);
}

TEST_CASE("words bind as tightly as their loosest operator outside of brackets") {
  using cpnlint::rules::Binding;
  using cpnlint::rules::BindingOf;
  const auto is = [](std::string_view words, Binding binding) {
    INFO(words);
    CHECK(BindingOf(words) == binding);
  };
  is("x", Binding::kPrimary);
  is("self.u[i + 1].T", Binding::kPrimary);
  is("(a + b)", Binding::kPrimary);
  is("(a) + (b)", Binding::kSum);
  is("f(a + b, c or d)", Binding::kPrimary);
  is("\"a + b\" 'c * d'", Binding::kPrimary);
  is("rb'''a ' + b'''", Binding::kPrimary);
  is("1.5e-3", Binding::kPrimary);
  is("0xe-3", Binding::kSum);
  is("5", Binding::kPower);
  is("-x", Binding::kUnary);
  is("-x ** 2", Binding::kUnary);
  is("x ** -2", Binding::kUnary);
  is("a ** b", Binding::kPower);
  is("a * -b", Binding::kProduct);
  is("a // b", Binding::kProduct);
  is("a - b * c", Binding::kSum);
  is("a << b", Binding::kShift);
  is("a & b", Binding::kBitAnd);
  is("a ^ b & c", Binding::kBitXor);
  is("a | b", Binding::kBitOr);
  is("a < b", Binding::kComparison);
  is("a not in b", Binding::kComparison);
  is("a is not None", Binding::kComparison);
  is("not a", Binding::kNot);
  is("a and not b", Binding::kAnd);
  is("a or b and c", Binding::kOr);
  is("a if b else c", Binding::kConditional);
  is("lambda x: x + 1", Binding::kConditional);
  is("a, b", Binding::kAnything);
  is("x for x in y", Binding::kAnything);
  is("order", Binding::kPrimary);
}

TEST_CASE("code that is put into other code keeps together") {
  using cpnlint::rules::Binding;
  const std::string source = "a + b";
  const Span sum = Of(source, "a + b"), name = Of(source, "a");
  CHECK(Render(Text().Add(sum, Binding::kPrimary).Add(".T"), source) == "(a + b).T");
  CHECK(Render(Text().Add(name, Binding::kPrimary).Add(".T"), source) == "a.T");
  CHECK(Render(Text().Add(sum, Binding::kSum).Add(" - 1"), source) == "a + b - 1");
  CHECK(Render(Text("f(").Add(sum, Binding::kConditional).Add(")"), source) == "f(a + b)");
  CHECK(Render(Text("x").Add(Text().Add(sum, Binding::kPrimary)), source) == "x(a + b)");
}
