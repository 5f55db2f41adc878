// What the tables say about functions, loops, guards, imports; flags and spans of ops.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/lower_support.h"

namespace cpnlint {
namespace {

using ir::OpKind;
using test::Lowered;

TEST_CASE("operand spans are where the user wrote the operand", "[records]") {
  const Lowered l("q = a[1]\nr = q + (q * 2)\nx[q] = r\n");
  const ir::ValueId add = l.Ops(OpKind::kBinary).at(1);
  CHECK(l.Text(l.program.ops[add].span) == "q + (q * 2)");
  CHECK(l.Text(l.program.OperandSpan(add, 0)) == "q");
  CHECK(l.Text(l.program.OperandSpan(add, 1)) == "q * 2");
  CHECK(l.program.OperandSpan(add, 0).begin > l.program.ops[l.program.Operand(add, 0)].span.begin);
  const ir::ValueId inner = l.Ops(OpKind::kBinary).at(0);
  CHECK((l.program.ops[inner].flags & ir::kParenthesized) != 0);
  CHECK((l.program.ops[add].flags & ir::kParenthesized) == 0);
  const ir::ValueId store = l.Ops(OpKind::kStoreSubscript).at(0);
  CHECK(l.Text(l.program.ops[store].span) == "x[q]");
  CHECK(l.Text(l.program.OperandSpan(store, 1)) == "r");
  CHECK(l.Text(l.program.OperandSpan(store, 2)) == "q");
}

TEST_CASE("augmented assignment loads, changes and stores", "[records]") {
  const Lowered l("def f(u, v):\n    u[1:, 0] += v\n    u.x *= 2\n    v -= u\n    return v\n");
  const ir::Op& load = l.Only(OpKind::kSubscript, "f");
  const ir::Op& change = l.Only(OpKind::kInplaceBinary, "f");
  const ir::Op& store = l.Only(OpKind::kStoreSubscript, "f");
  CHECK(load.flags == (ir::kAugmented | ir::kTupleIndex));
  CHECK(store.flags == (ir::kAugmented | ir::kTupleIndex));
  CHECK(change.flags == ir::kAugmented);
  CHECK(l.Text(change.span) == "u[1:, 0] += v");
  CHECK(static_cast<ir::BinaryOp>(change.detail) == ir::BinaryOp::kAdd);
  CHECK(l.Ops(OpKind::kInplaceBinary, "f").size() == 3);
  const ir::ValueId leave = l.program.functions[l.Function("f")].returns[0];
  CHECK(l.program.ops[l.program.Operand(leave, 0)].kind == OpKind::kInplaceBinary);
}

TEST_CASE("loops know their parts", "[records]") {
  const Lowered l(
      "for i, j in  pairs(n) :\n    if i: break\nelse:\n    pass\nwhile not done: done = f()\nwhile a and b: pass\n");
  const ir::Loop& loop = l.program.loops[ir::LoopId(0)];
  CHECK(l.Text(loop.header_span) == "for i, j in  pairs(n)");
  CHECK(l.Text(loop.iterable_span) == "pairs(n)");
  CHECK(l.Text(loop.target_span) == "i, j");
  CHECK(loop.has_break);
  CHECK(loop.has_else);
  const ir::Loop& until = l.program.loops[ir::LoopId(1)];
  CHECK(until.kind == ir::Loop::Kind::kWhile);
  CHECK(until.truth.valid());
  CHECK(l.Text(until.header_span) == "while not done");
  CHECK_FALSE(l.program.loops[ir::LoopId(2)].truth.valid());
}

// The guards over the call of `mark()`, innermost first: the tested text, `!` before one that fails.
std::vector<std::string> GuardsOfMark(const Lowered& l, std::string_view function = "f") {
  std::vector<std::string> out;
  for (const ir::ValueId call : l.Ops(OpKind::kCall, function)) {
    if (l.Text(l.program.ops[call].span) != "mark()") continue;
    ir::GuardId id = l.program.blocks[l.program.ops[call].block].guard;
    for (; id.valid(); id = l.program.guards[id].parent) {
      const ir::Guard& guard = l.program.guards[id];
      using Kind = ir::Guard::Kind;
      if (guard.kind == Kind::kExcept) out.push_back("except");
      if (guard.kind == Kind::kLoopElse) out.push_back("loop-else");
      if (guard.kind == Kind::kCompound) out.push_back("compound");
      if (guard.kind == Kind::kTest)
        out.push_back((guard.holds ? "" : "!") + std::string(l.Text(l.program.ops[guard.truth].span)));
    }
  }
  return out;
}

TEST_CASE("guards: the tests that code stands under", "[records]") {
  using Guards = std::vector<std::string>;
  const auto guards = [](const std::string& body) { return GuardsOfMark(Lowered("def f(a, b, c):\n" + body)); };
  CHECK(guards("    mark()\n") == Guards{});
  CHECK(guards("    if a: mark()\n") == Guards{"a"});
  CHECK(guards("    if a: pass\n    else: mark()\n") == Guards{"!a"});
  CHECK(guards("    if a: pass\n    elif b: mark()\n") == Guards{"b", "!a"});
  CHECK(guards("    if a: return\n    mark()\n") == Guards{"!a"});
  CHECK(guards("    if a: pass\n    mark()\n") == Guards{});
  CHECK(guards("    if a: pass\n    else: return\n    mark()\n") == Guards{"a"});
  CHECK(guards("    if not a: raise E\n    mark()\n") == Guards{"a"});
  CHECK(guards("    if a and b: mark()\n") == Guards{"b", "a"});
  CHECK(guards("    if a or b: mark()\n") == Guards{"compound"});
  CHECK(guards("    for i in a:\n        if i: continue\n        mark()\n") == Guards{"!i"});
  CHECK(guards("    while a: mark()\n") == Guards{});
  CHECK(guards("    while a and b: mark()\n") == Guards{});
  CHECK(guards("    while a:\n        if b: break\n    else: mark()\n") == Guards{"loop-else"});
  CHECK(guards("    x = mark() if a else b\n") == Guards{"a"});
  CHECK(guards("    x = a or mark()\n") == Guards{"!a"});
  CHECK(guards("    x = [mark() for i in a if i]\n") == Guards{"i"});
  CHECK(guards("    assert a\n    mark()\n") == Guards{"a"});
  CHECK(guards("    try: b()\n    except E: mark()\n") == Guards{"except"});
  CHECK(guards("    try: b()\n    except E: return\n    mark()\n") == Guards{});
  CHECK(guards("    match a:\n        case 1: return\n        case _: pass\n    mark()\n") == Guards{"!1"});
}

TEST_CASE("functions know their parameters", "[records]") {
  const Lowered l("def f(a, /, b: int = 1, *c, d, e=2, **g) -> float: \"\"\"Doc.\"\"\"\n");
  const ir::Function& f = l.program.functions[l.Function("f")];
  using Kind = ir::ParamKind;
  const std::vector<Kind> kinds = {Kind::kPositionalOnly, Kind::kPositional,  Kind::kVarPositional,
                                   Kind::kKeywordOnly,    Kind::kKeywordOnly, Kind::kVarKeyword};
  REQUIRE(f.params.size() == kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) CHECK(f.params[i].kind == kinds[i]);
  CHECK(f.docstring == "Doc.");
  CHECK(f.params[1].annotation.valid());
  CHECK(f.params[1].default_value.valid());
  CHECK(l.program.Operands(f.made_by).size() == 2);
  CHECK(f.return_annotation.valid());
  CHECK_FALSE(f.is_generator);
}

TEST_CASE("definitions nest", "[records]") {
  const Lowered l("class A:\n    @d\n    def m(self):\n        async def inner(): yield 1\n        return lambda: 2\n");
  const ir::FunctionId m = l.Function("A.m");
  REQUIRE(m.valid());
  const ir::Function& method = l.program.functions[m];
  CHECK(l.program.classes[method.owner].methods == std::vector<ir::FunctionId>{m});
  CHECK(method.decorators.size() == 1);
  CHECK(l.Text(method.span).substr(0, 2) == "@d");
  CHECK(l.Text(method.name_span) == "m");
  const ir::Function& inner = l.program.functions[l.Function("A.m.inner")];
  CHECK(inner.is_async);
  CHECK(inner.is_generator);
  CHECK(inner.parent == m);
  CHECK(l.Function("A.m.<lambda>").valid());
  const ir::ValueId call = l.Ops(OpKind::kCall, "A").at(0);
  CHECK((l.program.ops[call].flags & ir::kSynthetic) != 0);
}

TEST_CASE("imports say what they bind", "[records]") {
  const Lowered l("import a.b.c, d.e as f\nfrom ..g import h as i\nfrom . import j\n");
  const auto text = [&](Symbol symbol) { return std::string(l.program.names.Text(symbol)); };
  REQUIRE(l.program.imports.size() == 4);
  CHECK(text(l.program.imports[0].module) == "a.b.c");
  CHECK(text(l.program.imports[0].bound) == "a");
  CHECK(l.program.imports[0].root_only);
  CHECK(text(l.program.imports[1].module) == "d.e");
  CHECK(text(l.program.imports[1].bound) == "f");
  CHECK_FALSE(l.program.imports[1].root_only);
  CHECK(text(l.program.imports[2].module) == "g");
  CHECK(text(l.program.imports[2].name) == "h");
  CHECK(text(l.program.imports[2].bound) == "i");
  CHECK(l.program.imports[2].level == 2);
  CHECK(text(l.program.imports[3].module) == "");
  CHECK(l.program.imports[3].level == 1);
}

TEST_CASE("calls say how their arguments are spelled", "[records]") {
  const Lowered l("f(a, k=1, *b, **c)\n");
  const ir::CallShape& shape = l.program.Shape(l.Only(OpKind::kCall));
  CHECK(shape.positional == 2);
  REQUIRE(shape.keywords.size() == 2);
  CHECK(l.program.names.Text(shape.keywords[0]) == "k");
  CHECK_FALSE(shape.keywords[1].valid());
  CHECK((l.Only(OpKind::kCall).flags & ir::kDiscarded) != 0);
}

TEST_CASE("annotations are marked, those that never run twice", "[records]") {
  const Lowered plain("def f(a: T): pass\n");
  CHECK(plain.Only(OpKind::kUndefined).flags == ir::kInAnnotation);
  const Lowered future("from __future__ import annotations\ndef f(a: T): pass\n");
  CHECK(future.Only(OpKind::kUndefined).flags == (ir::kInAnnotation | ir::kNotEvaluated));
  const Lowered local("def f():\n    x: T = 1\n    return x\n");
  CHECK(local.Only(OpKind::kUndefined, "f").flags == (ir::kInAnnotation | ir::kNotEvaluated));
  CHECK(local.Ops(OpKind::kAnnotate, "f").size() == 1);
}

TEST_CASE("literals keep their values", "[records]") {
  const Lowered l("x = 'a' \"b\\n\", b'\\xff', 0x10, 1e3, 2j, 10**30, 99999999999999999999\n");
  CHECK(l.program.String(l.Only(OpKind::kStr)) == "ab\n");
  CHECK(l.program.String(l.Only(OpKind::kBytes)) == "\xff");
  CHECK(l.program.ints[l.Only(OpKind::kInt).payload] == 16);
  CHECK(l.program.floats[l.Only(OpKind::kFloat).payload] == 1000);
  CHECK(l.program.floats[l.Only(OpKind::kComplex).payload] == 2);
  CHECK(l.Ops(OpKind::kOpaque).size() == 1);
}

TEST_CASE("pragmas are copied", "[records]") {
  const Lowered l("x = 1  # cpnlint: ignore[R101] because\ny = 2  # cpnlint: assume N=1e8\n");
  REQUIRE(l.module().pragmas.size() == 2);
  CHECK(l.module().pragmas[0].kind == ir::Pragma::Kind::kIgnore);
  CHECK(l.module().pragmas[0].codes == std::vector<std::string>{"R101"});
  CHECK(l.module().pragmas[1].kind == ir::Pragma::Kind::kAssume);
  CHECK(l.module().pragmas[1].text == "N=1e8");
  CHECK(l.Text(l.module().pragmas[0].target).substr(0, 5) == "x = 1");
}

TEST_CASE("code that cannot run is left out", "[records]") {
  const Lowered l("def f():\n    return 1\n    mark()\ndef g():\n    while True: pass\n    mark()\n");
  CHECK(l.Ops(OpKind::kCall, "f").empty());
  CHECK(l.Ops(OpKind::kCall, "g").empty());
}

}  // namespace
}  // namespace cpnlint
