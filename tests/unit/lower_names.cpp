// Which variable a name means, and how it is read: as a value, through its cell, or not at all.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analyzer/lower/scopes.h"
#include "tests/unit/lower_support.h"

namespace cpnlint {
namespace {

using ir::OpKind;
using test::Lowered;

// The kind of the op whose value the function returns.
OpKind Returned(const Lowered& l, std::string_view function) {
  const ir::ValueId leave = l.program.functions[l.Function(function)].returns[0];
  return l.program.ops[l.program.Operand(leave, 0)].kind;
}

TEST_CASE("builtins, unknown names and star imports", "[names]") {
  const Lowered plain("def f(): return len\ndef g(): return nowhere\n");
  CHECK(Returned(plain, "f") == OpKind::kBuiltin);
  CHECK(Returned(plain, "g") == OpKind::kUndefined);
  const Lowered star("from numpy import *\ndef f(): return len\ndef g(): return zeros\n");
  CHECK(Returned(star, "f") == OpKind::kStarName);
  CHECK(Returned(star, "g") == OpKind::kStarName);
  REQUIRE(star.module().star_imports.size() == 1);
  CHECK(star.program.names.Text(star.module().star_imports[0]) == "numpy");
}

TEST_CASE("a module variable is read through its cell by functions, as a value by the module", "[names]") {
  const Lowered l("n = 1\nm = n\ndef f(): return n\n");
  CHECK(Returned(l, "f") == OpKind::kLoadCell);
  CHECK(l.Ops(OpKind::kLoadCell).empty());
  CHECK(l.Cell("n")->stores.size() == 1);
  CHECK(l.Cell("n")->loads.size() == 1);
  CHECK(l.Cell("m")->stores.size() == 1);
}

TEST_CASE("a variable that a function rebinds is read through its cell everywhere", "[names]") {
  const Lowered global("n = 1\ndef f():\n    global n\n    n = 2\nprint(n)\n");
  CHECK(global.Ops(OpKind::kLoadCell).size() == 1);
  CHECK(global.Cell("n")->stores.size() == 2);
  const Lowered nonlocal(
      "def f():\n    n = 1\n    def g():\n        nonlocal n\n        n += 1\n    g()\n    return n\n");
  CHECK(Returned(nonlocal, "f") == OpKind::kLoadCell);
  CHECK(nonlocal.Cell("n")->kind == ir::Cell::Kind::kClosure);
}

TEST_CASE("a captured variable keeps its value for its own function", "[names]") {
  const Lowered l("def f(n):\n    g = lambda: n\n    return n\n");
  CHECK(Returned(l, "f") == OpKind::kParam);
  CHECK(Returned(l, "f.<lambda>") == OpKind::kLoadCell);
  CHECK(l.Cell("n")->stores.size() == 1);
  CHECK(l.Cell("g") == nullptr);
}

TEST_CASE("a class body's names are not seen from its methods and comprehensions", "[names]") {
  const Lowered l("n = 1\nclass A:\n    n = 2\n    m = n\n    def f(self): return n\n    x = [n for i in y]\n");
  CHECK(Returned(l, "A.f") == OpKind::kLoadCell);
  const ir::Op& load = l.Only(OpKind::kLoadCell, "A.f");
  CHECK(l.program.cells[ir::CellId(load.payload)].kind == ir::Cell::Kind::kGlobal);
  CHECK(l.Ops(OpKind::kLoadCell, "A").size() == 1);  // in the comprehension; `m = n` reads the value
}

TEST_CASE("what a class body reads before it assigns comes from outside", "[names]") {
  const Lowered l("n = 1\nclass A:\n    n = n\n    sum = sum(n)\n");
  CHECK(l.Ops(OpKind::kLoadCell, "A").size() == 1);
  CHECK(l.Ops(OpKind::kBuiltin, "A").size() == 1);
  CHECK(l.Ops(OpKind::kUnbound, "A").empty());
}

TEST_CASE("comprehensions bind their own names, walruses the function's", "[names]") {
  const Lowered l(
      "def f(a):\n    i = 1\n    b = [(last := i) for i in a]\n    return i\ndef g(a):\n    [(w := j) for j in a]\n    "
      "return w\n");
  CHECK(Returned(l, "f") == OpKind::kInt);
  CHECK(Returned(l, "g") == OpKind::kPhi);
}

TEST_CASE("the first iterable of a comprehension is evaluated outside", "[names]") {
  const Lowered l("class A:\n    n = [1]\n    x = [i for i in n]\n");
  const ir::Loop& loop = l.program.loops[ir::LoopId(0)];
  CHECK(l.program.ops[loop.iterable].kind == OpKind::kList);
}

TEST_CASE("del and the end of an except clause unbind", "[names]") {
  CHECK(Returned(Lowered("def f(a):\n    del a\n    return a\n"), "f") == OpKind::kUnbound);
  const Lowered l("def f():\n    try: g()\n    except E as e: pass\n    return e\n");
  CHECK(Returned(l, "f") == OpKind::kPhi);
  CHECK_FALSE(l.Ops(OpKind::kUnbound, "f").empty());
}

TEST_CASE("a module name that may not be bound yet falls back to the builtin", "[names]") {
  const Lowered l("try:\n    unicode\nexcept NameError:\n    str = str\nx = str\n");
  CHECK(l.Ops(OpKind::kBuiltin).size() == 2);  // NameError and str
}

TEST_CASE("handlers see every value that the suite may have assigned", "[names]") {
  const Lowered l(
      "def f():\n    x = 0\n    try:\n        x = 1\n        x = g(x)\n        x = 3\n    except E:\n        return "
      "x\n");
  const ir::ValueId phi = l.program.Operand(l.program.functions[l.Function("f")].returns[0], 0);
  REQUIRE(l.program.ops[phi].kind == OpKind::kPhi);
  CHECK(l.program.Operands(phi).size() == 4);
}

TEST_CASE("targets in broken text", "[names]") {
  using Names = std::vector<std::string_view>;
  CHECK(lower::TargetsInText("x = (1") == Names{"x"});
  CHECK(lower::TargetsInText("a, b.c, d[e] = f(g=1") == Names{"a"});
  CHECK(lower::TargetsInText("if x == 1 y:") == Names{});
  CHECK(lower::TargetsInText("def f(a b):\n    c = 1\n") == Names{"f"});
  CHECK(lower::TargetsInText("for i, j in (x:") == Names{"i", "j"});
  CHECK(lower::TargetsInText("import numpy as np, =") == Names{"np"});
  CHECK(lower::TargetsInText("total += * 2") == Names{"total"});
}

TEST_CASE("builtin names", "[names]") {
  CHECK(lower::IsBuiltin("abs"));
  CHECK(lower::IsBuiltin("anext"));
  CHECK(lower::IsBuiltin("__name__"));
  CHECK_FALSE(lower::IsBuiltin("numpy"));
  CHECK_FALSE(lower::IsBuiltin(""));
}

}  // namespace
}  // namespace cpnlint
