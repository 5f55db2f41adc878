// Loop kinds, trip counts and hotness (rules.md A.5, A.6) of small programs, one loop each.

#include <catch2/catch.hpp>

#include <string>

#include "analyzer/analysis/facts.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"

namespace cpnlint::analysis {
namespace {

struct Analysed {
  ir::Program program;
  std::unique_ptr<Facts> facts;
};

std::unique_ptr<Analysed> Analyse(const std::string& body) {
  auto result = std::make_unique<Analysed>();
  const source::LoadOutcome loaded = source::LoadBytes("program.py", "import numpy as np\n" + body);
  REQUIRE(loaded.file);
  const syntax::Tree tree = syntax::Parse(loaded.file->text);
  std::vector<lower::SyntaxNote> notes;
  lower::Lower(*loaded.file, tree, "program", result->program, notes);
  REQUIRE(notes.empty());
  result->facts = std::make_unique<Facts>(result->program, result->program.names);
  return result;
}

LoopKind KindOf(const std::string& body, std::size_t loop = 0) {
  const auto analysed = Analyse(body);
  return analysed->facts->LoopFactOf(ir::LoopId(loop)).kind;
}

}  // namespace

TEST_CASE("each loop kind has its discriminator", "[loops]") {
  const std::string make = "def f(n, m):\n  a = np.ones((n,))\n  b = np.ones((n, m))\n";
  CHECK(KindOf(make + "  for x in a:\n    print(x)\n") == LoopKind::kIter);
  CHECK(KindOf(make + "  for i in range(n):\n    a[i] = 2 * a[i]\n") == LoopKind::kElement);
  CHECK(KindOf(make + "  for i in range(1, n):\n    a[i] = a[i - 1] + 1\n") == LoopKind::kRecurrence);
  CHECK(KindOf(make + "  for i in range(0, n, 512):\n    a[i:i + 512] *= 2\n") == LoopKind::kChunk);
  CHECK(KindOf(make + "  c = np.ones((3, n))\n  for k in range(3):\n    c[k] = a\n") == LoopKind::kAxis);
  CHECK(KindOf(make + "  for i in range(1, n):\n    b[i] = b[i - 1] * 2\n") == LoopKind::kSweep);
  CHECK(KindOf(make + "  for i in range(n):\n    b[i] = b[i] * 2\n") == LoopKind::kRow);
  CHECK(KindOf(make + "  while np.abs(a).max() > 1e-3:\n    a = a * 0.5\n") == LoopKind::kConvergence);
  CHECK(KindOf(make + "  for step in range(n):\n    a = a * 0.5\n") == LoopKind::kStep);
  CHECK(KindOf(make + "  for name in open('x'):\n    print(name)\n") == LoopKind::kItem);
}

TEST_CASE("a manual counter is an induction value", "[loops]") {
  CHECK(KindOf("def f():\n  a = np.ones(100)\n  k = 0\n  while k < 100:\n    a[k] = a[k] * 2\n    k += 1\n") ==
        LoopKind::kElement);
}

TEST_CASE("histories and tables of scalars are no element loops", "[loops]") {
  CHECK(KindOf("def f(n, t):\n  u = np.ones((n,))\n  h = np.zeros((t,))\n  for i in range(t):\n    u = u * 2\n    h[i] "
               "= u.sum()\n") == LoopKind::kStep);
  CHECK(
      KindOf(
          "def f(n, t):\n  u = np.ones((n,))\n  d = np.linspace(0, 1, t)\n  for i in range(t):\n    u = u * d[i]\n") ==
      LoopKind::kStep);
}

TEST_CASE("trip counts stay symbolic", "[loops]") {
  const auto analysed =
      Analyse("def f(n):\n  for i in range(2, n, 4):\n    print(i)\n  for j in range(10):\n    print(j)\n");
  const Facts& facts = *analysed->facts;
  CHECK(facts.DimText(facts.TripsOf(ir::LoopId(0)).count) == "(n+1)//4");
  CHECK(facts.MostTrips(ir::LoopId(1)) == 10);
  CHECK(facts.TripsKnownBelow(ir::LoopId(1), 11));
  CHECK_FALSE(facts.TripsKnownBelow(ir::LoopId(0), 1'000'000));
}

namespace {

// Heat of the call of `probe()` in the program.
Heat HeatOfProbe(const std::string& body) {
  const auto analysed = Analyse(body);
  const ir::Program& program = analysed->program;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId id(i);
    if (program.ops[id].kind != ir::OpKind::kCall) continue;
    const ir::ValueId callee = program.Operand(id, 0);
    if (program.ops[callee].kind == ir::OpKind::kUndefined && program.Name(program.ops[callee]) == "probe") {
      return analysed->facts->HeatOf(id);
    }
  }
  FAIL("no probe() in the program");
  return {};
}

}  // namespace

TEST_CASE("hotness follows loops, cadences, exits and calls", "[heat]") {
  const std::string loop = "def f(n):\n  u = np.ones((n,))\n  for it in range(1000):\n    u = u * 2\n";
  CHECK(HeatOfProbe(loop + "    probe()\n").hot);
  CHECK_FALSE(HeatOfProbe(loop + "  probe()\n").hot);
  CHECK(HeatOfProbe(loop + "    if it % 100 == 0:\n      probe()\n").period == 100);
  CHECK(HeatOfProbe(loop + "    if it % 100:\n      continue\n    probe()\n").period == 100);
  CHECK(HeatOfProbe(loop + "    if it == 3:\n      probe()\n").period == 1000);
  CHECK_FALSE(HeatOfProbe(loop + "    if n > 3:\n      probe()\n      break\n").hot);
  CHECK(HeatOfProbe(loop + "    try:\n      pass\n    except ValueError:\n      probe()\n").dead);
  CHECK_FALSE(HeatOfProbe("def f(n):\n  u = np.ones((n,))\n  for it in range(4):\n    u = u * 2\n    probe()\n").hot);
  CHECK(HeatOfProbe(loop + "    g(u)\ndef g(x):\n  probe()\n").hot);
}

}  // namespace cpnlint::analysis
