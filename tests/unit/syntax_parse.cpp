#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "analyzer/syntax/parse.h"

using cpnlint::Span;
using cpnlint::syntax::Dump;
using cpnlint::syntax::Field;
using cpnlint::syntax::Kind;
using cpnlint::syntax::Node;
using cpnlint::syntax::Parse;
using cpnlint::syntax::Tree;

namespace {

// The statements' trees, without the module around them.
std::string Trees(std::string_view text) {
  const Tree tree = Parse(text);
  CHECK(tree.broken().empty());
  std::string out;
  for (const Node statement : tree.root().NamedChildren()) out += Dump(statement) + "\n";
  return out;
}

// Everything the header promises about a tree.
void CheckShape(const Tree& tree) {
  const Node root = tree.root();
  REQUIRE(root.Is(Kind::kModule));
  REQUIRE(root.span() == Span{0, static_cast<std::uint32_t>(tree.text().size())});
  REQUIRE(root.subtree_size() == tree.size());
  REQUIRE_FALSE(root.parent());
  std::size_t errors = 0;
  for (const Node node : root.Subtree()) {
    if (node != root) {
      REQUIRE(node.parent().span().Contains(node.span()));
      REQUIRE(node.parent().index() < node.index());
    }
    REQUIRE_FALSE(node.IsAny(Kind::kComment, Kind::kLineContinuation, Kind::kInvalid, Kind::kOther, Kind::kOtherToken));
    if (node.Is(Kind::kError)) {
      ++errors;
      REQUIRE(node.parent().IsAny(Kind::kModule, Kind::kBlock));
      REQUIRE(node.Children().empty());
    }
    std::uint32_t size = 1;
    std::uint32_t end = node.span().begin;
    for (const Node child : node.Children()) {
      REQUIRE(child.parent() == node);
      REQUIRE(child.span().begin >= end);
      end = child.span().end;
      size += child.subtree_size();
    }
    REQUIRE(size == node.subtree_size());
  }
  REQUIRE(errors == tree.broken().size());
  for (const auto& broken : tree.broken()) {
    REQUIRE_FALSE(broken.reason.empty());
    REQUIRE_FALSE(broken.statement.empty());
    REQUIRE(broken.statement.end <= tree.text().size());
  }
}

}  // namespace

TEST_CASE("children, fields, text, spans, parents") {
  const std::string text = "x = f(a, *b, k=1)[0, ::2]  # note\n";
  const Tree tree = Parse(text);
  CheckShape(tree);
  const Node assignment = tree.root().FirstNamed().FirstNamed();
  REQUIRE(assignment.Is(Kind::kAssignment));
  CHECK(assignment.Child(Field::kLeft).text() == "x");
  const Node subscript = assignment.Child(Field::kRight);
  CHECK(subscript.Is(Kind::kSubscript));
  CHECK(subscript.field() == Field::kRight);
  std::vector<std::string_view> indices;
  for (const Node index : subscript.ChildrenOf(Field::kSubscript)) indices.push_back(index.text());
  CHECK(indices == std::vector<std::string_view>{"0", "::2"});
  const Node call = subscript.Child(Field::kValue);
  const Node arguments = call.Child(Field::kArguments);
  CHECK(arguments.NamedCount() == 3);
  CHECK(arguments.NamedChild(1).Is(Kind::kListSplat));
  CHECK(arguments.NamedChild(2).Child(Field::kName).text() == "k");
  CHECK_FALSE(arguments.NamedChild(3));
  CHECK(arguments.LastNamed().text() == "k=1");
  CHECK(arguments.HasToken(Kind::kTokenComma));
  CHECK_FALSE(arguments.HasToken(Kind::kTokenColon));
  CHECK(arguments.parent() == call);
  CHECK(tree.comments().size() == 1);
  CHECK(text.substr(tree.comments()[0].begin, tree.comments()[0].size()) == "# note");
  CHECK(tree.Covering({4, 5}).parent() == call);
  CHECK(tree.Covering({4, 12}) == call);
  CHECK(tree.node(call.index()) == call);
}

TEST_CASE("a node that is not there answers everything with nothing") {
  const Node none;
  CHECK_FALSE(none);
  CHECK(none.kind() == Kind::kInvalid);
  CHECK(none.text().empty());
  CHECK(none.span() == Span{});
  CHECK(none.Children().empty());
  CHECK_FALSE(none.Child(Field::kLeft));
  CHECK_FALSE(none.FirstNamed().LastNamed().parent());
  CHECK(none.NamedCount() == 0);
  CHECK(none.subtree_size() == 0);
  for ([[maybe_unused]] const Node node : none.Subtree()) FAIL("no nodes");
  CHECK(Dump(none) == "()");
}

TEST_CASE("subtrees are walked without recursion and can be left out") {
  const Tree tree = Parse("f(lambda a: b, c)\n");
  std::string all;
  for (const Node node : tree.root().Subtree()) {
    if (node.Is(Kind::kIdentifier)) all += node.text();
  }
  CHECK(all == "fabc");
  std::string outside;
  const auto range = tree.root().Subtree();
  for (auto it = range.begin(); it != range.end();) {
    if ((*it).Is(Kind::kLambda)) {
      it.SkipChildren();
      continue;
    }
    if ((*it).Is(Kind::kIdentifier)) outside += (*it).text();
    ++it;
  }
  CHECK(outside == "fc");
}

TEST_CASE("the shapes that lowering relies on") {
  CHECK(Trees("a = b = 1") ==
        "(expression_statement (assignment left: (identifier \"a\") right: (assignment left: (identifier \"b\") right: "
        "(integer \"1\"))))\n");
  CHECK(Trees("x: int") ==
        "(expression_statement (assignment left: (identifier \"x\") type: (type (identifier \"int\"))))\n");
  CHECK(Trees("a, *b = c, d") ==
        "(expression_statement (assignment left: (pattern_list (identifier \"a\") (list_splat_pattern (identifier "
        "\"b\"))) right: (expression_list (identifier \"c\") (identifier \"d\"))))\n");
  CHECK(Trees("x not in y < z") ==
        "(expression_statement (comparison_operator (identifier \"x\") (identifier \"y\") (identifier \"z\")))\n");
  CHECK(Trees("[i for i in x, y if z]") ==
        "(expression_statement (list_comprehension body: (identifier \"i\") (for_in_clause left: (identifier \"i\") "
        "right: (identifier \"x\") right: (identifier \"y\")) (if_clause (identifier \"z\"))))\n");
  CHECK(Trees("with a as b: pass") ==
        "(with_statement (with_clause (with_item value: (as_pattern (identifier \"a\") alias: (as_pattern_target "
        "(identifier \"b\"))))) body: (block (pass_statement \"pass\")))\n");
  CHECK(Trees("from ..a import b as c") ==
        "(import_from_statement module_name: (relative_import (import_prefix \"..\") (dotted_name (identifier \"a\"))) "
        "name: (aliased_import name: (dotted_name (identifier \"b\")) alias: (identifier \"c\")))\n");
  CHECK(Trees("a; b;") == "(expression_statement (identifier \"a\"))\n(expression_statement (identifier \"b\"))\n");
  CHECK(Dump(Parse("a < b is not c").root().FirstNamed().FirstNamed(), true) ==
        "(comparison_operator (identifier \"a\") operators: \"<\" (identifier \"b\") operators: \"is not\" \"is\" "
        "\"not\" (identifier \"c\"))");
}

TEST_CASE("the syntax of Python 3.8 to 3.14 parses") {
  for (const char* text : {
           "def f(a, /, b: int = 1, *args: int, c, **kw) -> list[int]: pass",
           "if (n := 3) > 2: pass",
           "async def f():\n  async with a as b, c: pass\n  async for x in y: await z\n  return [i async for i in x]",
           "match x:\n  case {'a': 1, **r} | [1, *_]: pass\n  case P(a, b=2) as c if c: pass\n  case -1.5: pass\n"
           "  case (1 + 2j): pass\n  case a.b: pass\n  case _: pass",
           "with (a as b, c as d,): pass",
           "try: pass\nexcept* A as e: pass",
           "try: pass\nexcept A, B: pass",
           "type X[T] = list[T]",
           "def f[T: int, *Ts, **P](x: T) -> T: pass",
           "class A[T](B, metaclass=C): pass",
           "class A[T = int, *Ts = *tuple[int], **P = [int, str]]: x = 1",
           "type X[T = dict[str, int]] = list[T]",
           "def f[T: (int, str) = int](a=1): pass",
           "f\"{x!r:>{w}.{p}} {d[\"k\"]} {{}} {y=}\"",
           "t\"{x} b\"",
           "x = f'''{\n  a\n}'''",
           "print(*a, sep='')",
           "a[*b]",
           "a[b:c, ...]",
           "lambda *a, k=1, **b: (yield)",
           "x = yield",
           "return_ = 1\nprint = 2\nmatch = 3\ntype = 4",
           "x = (a +\nb)",
           "nonlocal_ = 0xFF_FF + 0b1 + 0o7 + 1e5j",
           "@a.b[0](c)\n@d\nclass E: pass",
           "del a, b[0], (c, d)",
           "assert a, b",
           "raise A from b",
           "global a, b",
           "x = *a, *b",
           "for x in *a, b: pass",
           "if 1:\n\tx\nelif 2:\n        y\nelse: z",
           "a if b else c",
           "not a",
           "a @ b",
           "a @= b",
           "{**a, 'b': 1}",
           "{*a}",
           "\xEF\xBB\xBFx = 1",
           "x = 1\\\n+ 2",
           "\fx = 1",
           "x = 1\r\ny = 2\r\n",
           "async = 1",
           "print(x)[0]",
       }) {
    CAPTURE(text);
    const Tree tree = Parse(text);
    CHECK(tree.broken().empty());
    CheckShape(tree);
  }
}

TEST_CASE("a syntax error costs its statement and no more") {
  const std::string text =
      "import numpy as np\n"
      "def g(x y):\n"
      "    a = 1\n"
      "def h():\n"
      "    z = foo(1, 2\n"
      "    w = 3\n"
      "    return w\n"
      "m = x..y\n"
      "if x\n"
      "    y = 1\n"
      "else:\n"
      "    z = 1\n"
      "for i in range(3):\n"
      "    a[i = 3\n"
      "    b[i] = 4\n"
      "def q():\n"
      "    x = a.\n"
      "def r():\n"
      "    return )\n"
      "s = 'abc\n"
      "t = 'def'\n"
      "x = 1\n";
  const Tree tree = Parse(text);
  CheckShape(tree);
  std::vector<std::string> broken;
  for (const auto& statement : tree.broken()) {
    broken.push_back(text.substr(statement.statement.begin, statement.statement.size()) + " <- " + statement.reason);
  }
  CHECK(broken == std::vector<std::string>{"def g(x y):\n    a = 1 <- syntax error",
                                           "z = foo(1, 2 <- `(` is never closed", "m = x..y <- syntax error",
                                           "if x\n    y = 1\nelse:\n    z = 1 <- syntax error",
                                           "a[i = 3 <- `[` is never closed", "x = a. <- syntax error",
                                           "return ) <- `)` closes nothing", "s = 'abc <- string is never closed"});
  std::string kinds;
  for (const Node node : tree.root().NamedChildren()) {
    kinds += Name(node.kind());
    kinds += ' ';
  }
  CHECK(kinds ==
        "import_statement ERROR function_definition ERROR ERROR for_statement function_definition function_definition "
        "ERROR expression_statement expression_statement ");
  const Node h = tree.root().NamedChild(2).Child(Field::kBody);
  CHECK(h.NamedCount() == 3);
  CHECK(h.NamedChild(1).text() == "w = 3");
}

TEST_CASE("errors of structure") {
  struct Case {
    const char* text;
    std::vector<std::string_view> broken;
  };
  for (const Case& c : std::vector<Case>{
           {"a\nelse:\n  b\nc\n", {"else:\n  b"}},
           {"class A:\n  def f(self:\n    a\n  def g(self): pass\n", {"def f(self:\n    a"}},
           {"@d\ndef f(:\n  a\nb\n", {"@d\ndef f(:\n  a"}},
           {"try:\n  a\nexcept B C:\n  d\nfinally:\n  e\nf\n", {"try:\n  a\nexcept B C:\n  d\nfinally:\n  e"}},
           {"match x:\n  case 1 2:\n    a\nb\n", {"match x:\n  case 1 2:\n    a"}},
           {"x = '''a\ny = 1\n", {"x = '''a\ny = 1\n"}},
           {"lazy import a\nb\n", {"lazy import a"}},
           {"%matplotlib inline\nb\n", {"%matplotlib inline"}},
           {"x = 5 5; y = 1\nb\n", {"x = 5 5; y = 1"}},
       }) {
    CAPTURE(c.text);
    const Tree tree = Parse(c.text);
    CheckShape(tree);
    std::vector<std::string_view> broken;
    for (const auto& statement : tree.broken()) {
      broken.push_back(tree.text().substr(statement.statement.begin, statement.statement.size()));
    }
    CHECK(broken == c.broken);
  }
}

TEST_CASE("comments are found outside of strings only, also in long runs") {
  const std::string run(200, '#');
  std::string text = "x = '# no'  # yes\n";
  for (int i = 0; i < 300; ++i) text += "  # line\n";
  text += "y = f'''\n";
  for (int i = 0; i < 300; ++i) text += "# {a} no comment\n";
  text += "'''\n";
  const Tree tree = Parse(text);
  CheckShape(tree);
  CHECK(tree.comments().size() == 301);
  std::size_t interpolations = 0;
  for (const Node node : tree.root().Subtree()) interpolations += node.Is(Kind::kInterpolation) ? 1 : 0;
  CHECK(interpolations == 300);
  std::string hidden = "x = 1 +";
  for (int i = 0; i < 300; ++i) hidden += " \\\n";
  CHECK(Parse(hidden + "2\ny\n").root().NamedCount() == 2);
}

TEST_CASE("input built to be deep or slow neither crashes nor hangs") {
  constexpr int kDeep = 100'000;
  const auto repeat = [](std::string_view piece, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += piece;
    return out;
  };
  for (const std::string& text : {"x = " + repeat("[", kDeep) + repeat("]", kDeep),
                                  repeat("(", kDeep),
                                  repeat("(\n", kDeep),
                                  repeat(")", kDeep),
                                  repeat("f(", kDeep) + repeat(")", kDeep),
                                  repeat("not ", kDeep) + "1",
                                  repeat("lambda:", kDeep) + "1",
                                  "a" + repeat(".b", kDeep),
                                  repeat("\\\n", kDeep) + "x",
                                  repeat("# c\n", kDeep),
                                  repeat("\"\n", kDeep / 10),
                                  repeat("x y\n", kDeep / 10),
                                  repeat("f\"{", kDeep),
                                  repeat("if x:", kDeep / 10),
                                  std::string(kDeep, '\n'),
                                  "if x: pass\n" + repeat("elif y: pass\n", kDeep / 10),
                                  repeat("class A[T = int]: pass\n", 1000),
                                  repeat("\"\"\"", kDeep + 1),
                                  std::string(1000, '\1'),
                                  std::string("\0\0x\0", 4),
                                  repeat("\xFF\xC3", 1000)}) {
    CAPTURE(text.substr(0, 40), text.size());
    CheckShape(Parse(text));
  }
}

TEST_CASE("a file beyond its budget gives an empty tree that says so") {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "x = [1, 2, 3]\n";
  cpnlint::syntax::ParseLimits limits;
  limits.steps_per_byte = 0;
  limits.steps_at_least = 1000;
  const Tree tree = Parse(text, limits);
  CHECK(tree.incomplete());
  CHECK(tree.size() == 1);
  CHECK_FALSE(Parse(text).incomplete());
  limits = {};
  limits.bytes_per_byte = 0;
  limits.bytes_at_least = 5'000'000;
  CHECK(Parse(text, limits).incomplete());
}

TEST_CASE("empty files are modules without statements") {
  for (const char* text : {"", "\n", "   ", "# only a comment", "\xEF\xBB\xBF", "\r\n\r\n", "\f"}) {
    CAPTURE(text);
    const Tree tree = Parse(text);
    CheckShape(tree);
    CHECK(tree.size() == 1);
  }
  CHECK(Tree().root().Is(Kind::kModule));
}

TEST_CASE("several threads parse at the same time and get the same trees") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "def f(a, b):\n    return [a @ b for x in (yield)]  # c\nx = = 1\n";
  const std::string expected = Dump(Parse(text).root(), true);
  std::vector<std::string> dumps(4);
  std::vector<std::thread> threads;
  for (std::string& dump : dumps) {
    threads.emplace_back([&dump, &text] {
      for (int round = 0; round < 5; ++round) {
        const Tree kept = Parse("x = 1\n");
        dump = Dump(Parse(text).root(), true);
        if (Dump(kept.root()) !=
            "(module (expression_statement (assignment left: (identifier \"x\") right: (integer "
            "\"1\"))))") {
          dump.clear();  // an earlier tree does not survive a later parse
        }
      }
      cpnlint::syntax::ReleaseThreadMemory();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& dump : dumps) CHECK((dump == expected));
}
