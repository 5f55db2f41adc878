#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "analyzer/syntax/logical_lines.h"
#include "analyzer/syntax/pragmas.h"

using cpnlint::Span;
using cpnlint::syntax::FindLogicalLines;
using cpnlint::syntax::FindPragmas;
using cpnlint::syntax::LogicalLine;
using cpnlint::syntax::Parse;
using cpnlint::syntax::Pragma;
using cpnlint::syntax::Tree;
using Type = Pragma::Type;

namespace {

std::vector<Pragma> Pragmas(const std::string& text) {
  const Tree tree = Parse(text);
  return FindPragmas(tree);
}

Pragma Only(const std::string& text) {
  std::vector<Pragma> pragmas = Pragmas(text);
  REQUIRE(pragmas.size() == 1);
  return pragmas.front();
}

std::string Applies(const std::string& text) {
  const Span span = Only(text).applies_to;
  return text.substr(span.begin, span.size());
}

}  // namespace

TEST_CASE("ignore") {
  const std::string text = "x = 1  # cpnlint: ignore[R104, element-loop] one-off set-up\n";
  const Pragma pragma = Only(text);
  CHECK(pragma.type == Type::kIgnore);
  REQUIRE(pragma.codes.size() == 2);
  CHECK(pragma.codes[0].text == "R104");
  CHECK(text.substr(pragma.codes[1].span.begin, pragma.codes[1].span.size()) == "element-loop");
  CHECK(pragma.reason == "one-off set-up");
  CHECK_FALSE(pragma.own_line);
  CHECK(text.substr(pragma.span.begin, 10) == "# cpnlint:");
  CHECK(Only("x  #cpnlint:ignore[R1]").reason.empty());
  CHECK(Only("x  # cpnlint: ignore[R1] -- why").reason == "why");
  CHECK(Only("# cpnlint: ignore-file[R1,R2] generated").type == Type::kIgnoreFile);
}

TEST_CASE("assume and host") {
  const Pragma pragma = Only("# cpnlint: assume N=1e8, u = (16384, 16384):float32, step.u=(n, n)\n");
  CHECK(pragma.type == Type::kAssume);
  REQUIRE(pragma.bindings.size() == 3);
  CHECK(pragma.bindings[0].name == "N");
  CHECK(pragma.bindings[0].value == "1e8");
  CHECK(pragma.bindings[1].name == "u");
  CHECK(pragma.bindings[1].value == "(16384, 16384):float32");
  CHECK(pragma.bindings[2].name == "step.u");
  CHECK(Only("def f():\n    # cpnlint: host\n    pass\n").type == Type::kHost);
}

TEST_CASE("noqa with codes is honoured, a bare one is not") {
  const Pragma pragma = Only("x  # noqa: R104,R105 E501\n");
  CHECK(pragma.type == Type::kNoqa);
  REQUIRE(pragma.codes.size() == 3);
  CHECK(pragma.codes[2].text == "E501");
  CHECK(Only("x  # NOQA:R104").codes.size() == 1);
  CHECK(Only("x  # noqa: R104 because of x").codes.size() == 1);
  CHECK(Pragmas("x  # noqa\ny  # noqa: because\nz  # see noqa: R1\n").empty());
  CHECK(Only("x  # type: ignore  # noqa: R104").type == Type::kNoqa);
  CHECK(Pragmas("x  # cpnlint: ignore[R1] a  # noqa: R104").size() == 2);
  CHECK(Pragmas("x  # cpnlint: ignore[R1] a  # noqa: R104")[0].reason == "a");
  CHECK(Only("x  # cpnlint: ignore[R1] see issue #12").reason == "see issue #12");
}

TEST_CASE("malformed pragmas are returned with what is wrong") {
  for (const char* text :
       {"# cpnlint: ignore", "# cpnlint: ignore R101", "# cpnlint: ignore[]", "# cpnlint: ignore[R101",
        "# cpnlint: ", "# cpnlint: ignore[R1;R2]", "# cpnlint: disable=R101", "# cpnlint: assume",
        "# cpnlint: assume N", "# cpnlint: IGNORE[R1]", "# cpnlint: assume N=", "# cpnlint: assume =3",
        "# cpnlint: assume a b=3", "# cpnlint: ignore-file"}) {
    CAPTURE(text);
    const Pragma pragma = Only(text);
    CHECK(pragma.type == Type::kMalformed);
    CHECK_FALSE(pragma.problem.empty());
  }
  CHECK(Pragmas("# about cpnlint: ignore[R1]\n# cpnlint is good\n'# cpnlint: host'\n'''\n# cpnlint: host\n'''\n")
            .empty());
}

TEST_CASE("a pragma holds for its logical line") {
  CHECK(Applies("a = 1\nx = f(1,\n      2)  # cpnlint: host\nb\n") == "x = f(1,\n      2)  # cpnlint: host");
  CHECK(Applies("x = f(1,  # cpnlint: host\n      2)\nb\n") == "x = f(1,  # cpnlint: host\n      2)");
  CHECK(Applies("x = f(1,\n   2,  # cpnlint: host\n   3)\n") == "   2,  # cpnlint: host");
  CHECK(Applies("for i in x:  # cpnlint: host\n    a\n") == "for i in x:  # cpnlint: host");
  CHECK(Applies("if a: b = 1  # cpnlint: host\n") == "if a: b = 1  # cpnlint: host");
  CHECK(Applies("x = '''\n# a\n'''  # cpnlint: host\n") == "x = '''\n# a\n'''  # cpnlint: host");
}

TEST_CASE("a pragma on its own line holds for the next logical line") {
  CHECK(Applies("a\n# cpnlint: host\n\n# more\n  x = f(\n  1)\nb\n") == "  x = f(\n  1)");
  CHECK(Applies("# cpnlint: host\n@a\n@b(\n1)\ndef f(x,\n  y):\n  z\n") == "@a\n@b(\n1)\ndef f(x,\n  y):");
  CHECK(Applies("x = [\n  # cpnlint: host\n  # more\n\n  1,\n  2]\n") == "  1,");
  CHECK(Applies("if a:\n    b\n    # cpnlint: host\nc\n") == "c");
  CHECK(Applies("a\n# cpnlint: host") == "# cpnlint: host");
  CHECK(Applies("# cpnlint: ignore-file[R1]\na\nb") == "# cpnlint: ignore-file[R1]\na\nb");
  CHECK(Only("x\n  # cpnlint: host\n").own_line);
}

TEST_CASE("logical lines are found by brackets, strings and backslashes") {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> found;
    for (const LogicalLine& line : FindLogicalLines(text))
      found.push_back(text.substr(line.span.begin, line.span.size()));
    return found;
  };
  using Lines = std::vector<std::string>;
  CHECK(lines("a\n\n  b  # c\n#d\n") == Lines{"a", "b"});
  CHECK(lines("a = (1,\n # x (\n 2)\nb") == Lines{"a = (1,\n # x (\n 2)", "b"});
  CHECK(lines("a = 1 + \\\n  2\nb") == Lines{"a = 1 + \\\n  2", "b"});
  CHECK(lines("a = '''\n(\n''' + '('\nb") == Lines{"a = '''\n(\n''' + '('", "b"});
  CHECK(lines("a = f\"{x[\"k\"]:{w}}}}\" + '('  # c\nb").size() == 2);
  CHECK(lines("a = f'{(1,\n2)}'\nb").size() == 2);
  CHECK(lines("a = rf'{x}\\' + b\nb").size() == 2);
  CHECK(lines("a = 'it\\'s'\nb").size() == 2);
  CHECK(lines("a = f(1\nb = 2\ndef g():\n  c\n") == Lines{"a = f(1", "b = 2", "def g():", "c"});
  CHECK(lines("a = 'x\nb") == Lines{"a = 'x", "b"});
  CHECK(lines("\xEF\xBB\xBF"
              "a\r\nb\r\n") == Lines{"a", "b"});
  CHECK(FindLogicalLines("if a:\n\tb\n        c\n")[1].column == 8);
  CHECK(FindLogicalLines("x = )")[0].fault == LogicalLine::Fault::kCloser);
  CHECK(FindLogicalLines("x = (]")[0].fault != LogicalLine::Fault::kNone);
  CHECK(FindLogicalLines("x = '")[0].fault == LogicalLine::Fault::kString);
}
