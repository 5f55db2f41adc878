#include <catch2/catch.hpp>

#include <string>

#include "analyzer/syntax/errors.h"

using cpnlint::syntax::CheckSyntax;
using cpnlint::syntax::Parse;
using cpnlint::syntax::SyntaxReport;
using cpnlint::syntax::Tree;

TEST_CASE("Python 2 is recognised by what Python 3 rejects") {
  for (const char* text : {"print 'x'", "print x, y", "exec 'x = 1'", "exec c in ns", "raise A, 'm'", "x = `y`",
                           "a <> b", "n = 10L", "n = 0777", "def f(a, (b, c)): pass", "f = lambda (a, b): a",
                           "s = ur'x'", "try: pass\nexcept A, e: pass", "try: pass\nexcept (A, B), e: pass"}) {
    CAPTURE(text);
    const Tree tree = Parse(text);
    const SyntaxReport report = CheckSyntax(tree);
    REQUIRE(report.not_python3);
    CHECK_THAT(*report.not_python3, Catch::Contains("Python 2") && Catch::Contains("line "));
    CHECK(report.python2.size() == 1);
  }
}

TEST_CASE("Python 3 is not taken for Python 2") {
  for (const char* text :
       {"print('x')", "print (x), y", "print\nprint -1", "print >>f, x", "exec('x')", "raise A('m')", "raise A from b",
        "n = 0o777 + 00", "try: pass\nexcept A, B: pass", "try: pass\nexcept A, B, c: pass", "def f(a, *, b): pass",
        "rb'x' u'y'", "a != b", "x = 1_000", "print = 3\nprint.x", "exec = 1"}) {
    CAPTURE(text);
    const Tree tree = Parse(text);
    const SyntaxReport report = CheckSyntax(tree);
    CHECK_FALSE(report.not_python3);
    CHECK(report.python2.empty());
    CHECK(report.errors.empty());
  }
}

TEST_CASE("a little Python 2 in a Python 3 file costs its statements only") {
  std::string text = "def f(x: int) -> int:\n    return f'{x}'\n";
  for (int i = 0; i < 30; ++i) text += "y = 1\n";
  text += "def g():\n    print 'x'\n    z = = 1\n";
  const Tree tree = Parse(text);
  const SyntaxReport report = CheckSyntax(tree);
  CHECK_FALSE(report.not_python3);
  REQUIRE(report.errors.size() == 2);
  CHECK(report.errors[0].reason == "print statement of Python 2");
  CHECK(text.substr(report.errors[0].statement.begin, 9) == "print 'x'");
  CHECK(report.errors[1].reason == "syntax error");
  CHECK(report.statements == 35);
  CHECK(report.broken_share == Approx(2.0 / 35));
}

TEST_CASE("the first sign is named with its line") {
  const std::string text = "import os\nx = 0755\nprint x\n";
  const Tree tree = Parse(text);
  const SyntaxReport report = CheckSyntax(tree);
  REQUIRE(report.not_python3);
  CHECK(*report.not_python3 == "this is Python 2: octal literal `0755` in line 2; convert it to Python 3 first");
  CHECK(report.python2.size() == 2);
  CHECK(report.errors.empty());
}

TEST_CASE("an empty file has no errors") {
  const Tree tree = Parse("");
  const SyntaxReport report = CheckSyntax(tree);
  CHECK_FALSE(report.not_python3);
  CHECK(report.statements == 0);
  CHECK(report.broken_share == 0);
}
