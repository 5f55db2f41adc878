// Input that nobody wrote by hand: nothing crashes, nothing takes long, what is lost is said.

#include <string>

#include <catch2/catch.hpp>

#include "tests/unit/lower_support.h"

namespace cpnlint {
namespace {

using test::Lowered;

std::string Times(std::size_t n, const std::string& text) {
  std::string out;
  out.reserve(n * text.size());
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

void CheckSound(const Lowered& lowered) { CHECK(lowered.Verify() == std::vector<std::string>()); }

TEST_CASE("what nests to the left is lowered whole", "[limits]") {
  const Lowered sum("x = a" + Times(20000, " + a") + "\n");
  CheckSound(sum);
  CHECK(sum.notes.empty());
  CHECK(sum.Ops(ir::OpKind::kBinary).size() == 20000);
  const Lowered chain("x = a" + Times(10000, ".b(1)[2]") + "\n");
  CheckSound(chain);
  CHECK(chain.Ops(ir::OpKind::kCall).size() == 10000);
  const Lowered either("x = a" + Times(10000, " or a") + "\nif a" + Times(10000, " and a") + ": pass\n");
  CheckSound(either);
  CHECK(either.notes.empty());
}

TEST_CASE("parentheses cost nothing, other brackets their expression", "[limits]") {
  const Lowered parens("x = " + Times(20000, "(") + "y" + Times(20000, ")") + "\n");
  CHECK(parens.notes.empty());
  const Lowered brackets("x = " + Times(20000, "[") + Times(20000, "]") + "\ny = 1\n");
  CheckSound(brackets);
  CHECK(brackets.notes.size() == 1);
  CHECK(brackets.Cell("y")->stores.size() == 1);
}

TEST_CASE("Python's own limits on nesting are met without loss", "[limits]") {
  const Lowered brackets("x = " + Times(200, "[") + Times(200, "]") + "\n");
  CHECK(brackets.notes.empty());
  std::string blocks;
  for (std::size_t i = 0; i < 100; ++i) blocks += Times(i, " ") + "if a:\n";
  const Lowered nested(blocks + Times(100, " ") + "x = 1\n");
  CheckSound(nested);
  CHECK(nested.notes.empty());
  CHECK(nested.Cell("x")->stores.size() == 1);
}

TEST_CASE("thousands of branches", "[limits]") {
  std::string text = "def f(a):\n    if a == 0: x = 0\n";
  for (int i = 1; i < 5000; ++i) text += "    elif a == " + std::to_string(i) + ": x = a\n";
  const Lowered lowered(text + "    return x\n");
  CheckSound(lowered);
  CHECK(lowered.notes.empty());
}

TEST_CASE("names that are bound in lost code are unknown, not old", "[limits]") {
  const Lowered l("a = 1\nx = " + Times(1000, "[") + "(a := 2)" + Times(1000, "]") + "\nb = a\n");
  CheckSound(l);
  const ir::ValueId store = l.Cell("b")->stores[0];
  CHECK(l.program.ops[l.program.Operand(store, 0)].kind == ir::OpKind::kOpaque);
}

TEST_CASE("functions within functions within functions", "[limits]") {
  const Lowered lambdas("x = " + Times(2000, "lambda: ") + "1\n");
  CheckSound(lambdas);
  CHECK(lambdas.program.functions.size() == 2001);
}

TEST_CASE("statements that are no Python", "[limits]") {
  const Lowered l("break\ncontinue\nreturn 1\nyield\ntry:\n    break\nfinally:\n    pass\n");
  CheckSound(l);
  CheckSound(Lowered(""));
  CheckSound(Lowered("\xef\xbb\xbfx = 1"));
  CheckSound(Lowered("def f(a, a): pass\nclass"));
  CheckSound(Lowered("print 1, 2\nexec code\nprint >>f, x\nraise A, 'b'\n"));
}

}  // namespace
}  // namespace cpnlint
