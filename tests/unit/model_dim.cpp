// Symbolic extents: normal form, division, bounds, printing.

#include <catch2/catch.hpp>

#include <limits>
#include <string>

#include "analyzer/ir/dim.h"

namespace cpnlint::ir {
namespace {

struct Fixture {
  Interner names;
  DimStore dims;

  DimId S(std::string_view name, std::uint32_t instance = 0) { return dims.SymbolOf(names.Intern(name), instance); }
  DimId C(std::int64_t value) { return dims.Const(value); }
  std::string Text(DimId dim) { return dims.ToString(dim, names); }
};

TEST_CASE_METHOD(Fixture, "equal expressions have equal ids", "[model][dim]") {
  const DimId n = S("n"), m = S("m");
  CHECK(dims.Add(n, m) == dims.Add(m, n));
  CHECK(dims.Sub(dims.Add(n, C(2)), C(2)) == n);
  CHECK(dims.Mul(dims.Add(n, C(1)), dims.Sub(n, C(1))) == dims.Sub(dims.Mul(n, n), C(1)));
  CHECK(dims.Sub(n, n) == C(0));
  CHECK(dims.Mul(n, C(0)) == C(0));
  CHECK(dims.Pow(n, C(2)) == dims.Mul(n, n));
  CHECK(S("n", 1) != n);
  CHECK(dims.Negate(dims.Negate(n)) == n);
}

TEST_CASE_METHOD(Fixture, "what is unknown stays unknown", "[model][dim]") {
  const DimId n = S("n"), unknown = DimId::None();
  for (const DimId result :
       {dims.Add(n, unknown), dims.Sub(unknown, n), dims.Mul(unknown, C(0)), dims.FloorDiv(unknown, C(2)),
        dims.CeilDiv(n, unknown), dims.Mod(unknown, n), dims.Min(unknown, n), dims.Max(n, unknown),
        dims.Negate(unknown), dims.Pow(unknown, C(2)), dims.Pow(C(2), n), dims.FloorDiv(n, C(0)), dims.Mod(n, C(0)),
        dims.Pow(n, C(9)), dims.Pow(C(2), C(-1))}) {
    CHECK_FALSE(result.valid());
  }
  CHECK_FALSE(dims.KnownEqual(unknown, unknown));
  CHECK_FALSE(dims.KnownDifferent(n, S("m")));
  CHECK(dims.KnownDifferent(n, dims.Add(n, C(1))));
  CHECK(Text(unknown) == "?");
}

TEST_CASE_METHOD(Fixture, "overflow is unknown", "[model][dim]") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  const DimId n = S("n");
  CHECK_FALSE(dims.Add(C(most), C(1)).valid());
  CHECK_FALSE(dims.Mul(C(most), C(2)).valid());
  CHECK_FALSE(dims.Negate(C(least)).valid());
  CHECK_FALSE(dims.Mul(dims.Mul(n, C(most)), C(2)).valid());
  CHECK_FALSE(dims.Pow(C(10), C(30)).valid());
  CHECK_FALSE(dims.FloorDiv(C(least), C(-1)).valid());
  CHECK_FALSE(dims.FloorDiv(C(1), C(least)).valid());
  const DimId large = dims.Mul(n, C(least));
  CHECK_FALSE(dims.FloorDiv(large, C(7)).valid());
  (void)dims.FloorDiv(large, dims.Negate(n));
  (void)dims.Mod(large, C(most));
  (void)dims.LowerBound(large, 0);
  CHECK_FALSE(dims.Difference(C(most), C(-1)).has_value());
}

TEST_CASE_METHOD(Fixture, "division as Python has it", "[model][dim]") {
  const DimId n = S("n"), m = S("m");
  CHECK(dims.FloorDiv(C(7), C(2)) == C(3));
  CHECK(dims.FloorDiv(C(-7), C(2)) == C(-4));
  CHECK(dims.FloorDiv(C(7), C(-2)) == C(-4));
  CHECK(dims.CeilDiv(C(7), C(2)) == C(4));
  CHECK(dims.CeilDiv(C(-7), C(2)) == C(-3));
  CHECK(dims.Mod(C(-7), C(3)) == C(2));
  CHECK(dims.Mod(C(7), C(-3)) == C(-2));
  CHECK(dims.FloorDiv(dims.Mul(C(4), n), C(2)) == dims.Mul(C(2), n));
  CHECK(dims.FloorDiv(dims.Add(dims.Mul(C(4), n), C(3)), C(4)) == n);
  CHECK(dims.FloorDiv(dims.Mul(C(6), n), C(4)) == dims.FloorDiv(dims.Mul(C(3), n), C(2)));
  CHECK(dims.FloorDiv(dims.Mul(n, m), n) == m);
  CHECK(dims.FloorDiv(dims.Mul(dims.Sub(n, C(2)), dims.Sub(m, C(2))), dims.Sub(n, C(2))) == dims.Sub(m, C(2)));
  CHECK(dims.FloorDiv(n, n) == C(1));
  CHECK(dims.Mod(dims.Mul(n, m), n) == C(0));
  CHECK(dims.Mod(dims.Add(dims.Mul(C(4), n), C(6)), C(4)) == C(2));
  CHECK(dims.CeilDiv(n, C(4)) == dims.FloorDiv(dims.Add(n, C(3)), C(4)));
  CHECK(dims.CeilDiv(dims.Mul(n, m), m) == n);
}

TEST_CASE_METHOD(Fixture, "min and max", "[model][dim]") {
  const DimId n = S("n"), m = S("m");
  CHECK(dims.Min(n, dims.Add(n, C(1))) == n);
  CHECK(dims.Max(n, dims.Add(n, C(1))) == dims.Add(n, C(1)));
  CHECK(dims.Min(n, m) == dims.Min(m, n));
  CHECK(dims.Min(C(3), C(5)) == C(3));
}

TEST_CASE_METHOD(Fixture, "lower bounds", "[model][dim]") {
  const DimId n = S("n"), m = S("m");
  CHECK(dims.LowerBound(n, 0) == 0);
  CHECK(dims.LowerBound(dims.Add(dims.Mul(n, m), C(3)), 1) == 4);
  CHECK(dims.LowerBound(dims.Sub(n, C(2)), 0) == -2);
  CHECK_FALSE(dims.LowerBound(dims.Sub(n, m), 0).has_value());
  CHECK(dims.LowerBound(dims.Sub(n, dims.FloorDiv(n, C(2))), 0) == 0);
  CHECK(dims.LowerBound(dims.Sub(n, dims.Min(n, m)), 0) == 0);
  CHECK(dims.LowerBound(dims.Sub(dims.Max(n, m), m), 0) == 0);
  CHECK(dims.LowerBound(dims.Sub(C(8), dims.Mod(n, C(8))), 0) == 1);
  CHECK(dims.LowerBound(dims.Mul(n, n), -1) == std::nullopt);
}

TEST_CASE_METHOD(Fixture, "substitution", "[model][dim]") {
  const DimId n = S("n"), m = S("m");
  const DimId expression = dims.Add(dims.Mul(C(2), dims.Mul(n, m)), dims.FloorDiv(n, C(3)));
  const auto bind = [&](Symbol name, std::uint32_t) { return names.Text(name) == "n" ? C(6) : DimId::None(); };
  CHECK(dims.Substitute(expression, bind) == dims.Add(dims.Mul(C(12), m), C(2)));
  CHECK(dims.Substitute(DimId::None(), bind) == DimId::None());
  CHECK(dims.Symbols(expression) == std::vector<Symbol>{names.Find("n"), names.Find("m")});
}

TEST_CASE_METHOD(Fixture, "printing of extents", "[model][dim]") {
  const DimId n = S("n"), m = S("m");
  CHECK(Text(dims.Sub(n, C(2))) == "n-2");
  CHECK(Text(dims.Mul(C(2), dims.Mul(n, m))) == "2*n*m");
  CHECK(Text(dims.CeilDiv(n, C(4))) == "ceil(n/4)");
  CHECK(Text(dims.FloorDiv(n, C(2))) == "n//2");
  CHECK(Text(dims.Min(n, m)) == "min(n, m)");
  CHECK(Text(dims.Mul(C(2), dims.FloorDiv(n, C(2)))) == "2*(n//2)");
  CHECK(Text(dims.Add(dims.Mul(n, m), dims.Sub(n, C(1)))) == "n*m+n-1");
  CHECK(Text(dims.Sub(C(3), n)) == "-n+3");
  CHECK(Text(dims.Mod(dims.Add(n, C(1)), C(3))) == "(n+1)%3");
  CHECK(Text(dims.FloorDiv(n, m)) == "n//m");
}

TEST_CASE_METHOD(Fixture, "growth ends", "[model][dim]") {
  DimId nested = S("n"), sum = C(0), product = C(1);
  for (int i = 0; i < 300; ++i) {
    nested = dims.Min(dims.Add(nested, S("k" + std::to_string(i))), S("m" + std::to_string(i)));
    sum = dims.Add(sum, S("s" + std::to_string(i)));
    product = dims.Mul(product, dims.Add(S("p" + std::to_string(i)), C(1)));
  }
  CHECK_FALSE(nested.valid());
  CHECK_FALSE(sum.valid());
  CHECK_FALSE(product.valid());
}

TEST_CASE_METHOD(Fixture, "what is asked for a number may make extents", "[model][dim]") {
  const DimId n = S("n"), m = S("m");
  const DimId size = dims.Add(dims.Mul(n, m), dims.Min(dims.FloorDiv(n, C(2)), dims.Add(m, C(7))));
  int made = 0;
  const auto value = dims.Evaluate(size, [&](Symbol, std::uint32_t) {
    for (int i = 0; i < 2000; ++i, ++made) dims.Add(dims.Mul(S("new" + std::to_string(made)), n), C(made));
    return 10.0;
  });
  CHECK(value == 105.0);
}

}  // namespace
}  // namespace cpnlint::ir
