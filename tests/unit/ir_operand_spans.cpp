// Where operands stand, also far away from their op.

#include <catch2/catch.hpp>

#include "analyzer/ir/operand_spans.h"

namespace cpnlint::ir {

TEST_CASE("operands are found where they were written", "[spans]") {
  const Span op{100'000, 100'020};
  const Span operands[] = {
      {100'000, 100'005},
      {100'020, 100'020},
      {99'990, 99'995},  // in it, behind it, right before it
      {0, 10},
      {100'000, 200'000},
      {300'000, 300'010},  // far before, long, far behind
  };
  OperandSpans spans;
  for (const Span operand : operands) spans.Add(op, operand);
  REQUIRE(spans.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(spans.Of(i, op) == operands[i]);
}

TEST_CASE("operands move with their ops", "[spans]") {
  OperandSpans spans;
  spans.Add({50, 60}, {52, 53});
  spans.Add({50, 60}, {90'000, 90'001});
  spans.Add({5, 9}, {6, 7});
  spans.Add({5, 9}, {90'000, 90'001});
  spans.Shift(2, 1000);
  CHECK(spans.Of(0, {50, 60}) == Span{52, 53});
  CHECK(spans.Of(1, {50, 60}) == Span{90'000, 90'001});
  CHECK(spans.Of(2, {1005, 1009}) == Span{1006, 1007});
  CHECK(spans.Of(3, {1005, 1009}) == Span{91'000, 91'001});
}

TEST_CASE("an operand can be put elsewhere", "[spans]") {
  OperandSpans spans;
  spans.Add({0, 9}, {1, 2});
  spans.Add({0, 9}, {3, 4});
  spans.Set(0, {0, 70'000});
  spans.Set(0, {0, 80'000});
  CHECK(spans.Of(0, {0, 9}) == Span{0, 80'000});
  CHECK(spans.Of(1, {0, 9}) == Span{3, 4});
}

}  // namespace cpnlint::ir
