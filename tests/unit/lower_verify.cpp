// The verifier has to notice what it is there for: sound programs, damaged one way each.

#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/lower_support.h"

namespace cpnlint {
namespace {

using ir::OpKind;
using ir::Program;
using ir::ValueId;

constexpr const char* kProgram =
    "def f(a, n):\n"
    "    s = 0\n"
    "    for i in range(n):\n"
    "        if a[i] > s:\n"
    "            s = a[i] + 1\n"
    "    return s\n";

// Applies the damage and returns the first message, or "" where nothing was noticed.
std::string Damage(const std::function<void(test::Lowered&)>& damage) {
  test::Lowered lowered(kProgram);
  REQUIRE(lowered.Verify().empty());
  damage(lowered);
  const std::vector<std::string> messages = lowered.Verify();
  return messages.empty() ? "" : messages[0];
}

ir::Op& OpOf(test::Lowered& lowered, OpKind kind) { return lowered.program.ops[lowered.Ops(kind, "f").at(0)]; }
ir::Block& BlockOf(test::Lowered& lowered, OpKind kind) { return lowered.program.blocks[OpOf(lowered, kind).block]; }

template <class T>
void DropLast(std::span<const T>& list) {
  list = list.first(list.size() - 1);
}

TEST_CASE("the verifier notices damage", "[verify]") {
  using test::Lowered;
  const std::vector<std::pair<std::string, std::function<void(Lowered&)>>> damages = {
      {"operand of nowhere",
       [](Lowered& l) { l.program.operands[OpOf(l, OpKind::kBinary).first_operand] = ValueId(0); }},
      {"absent operand", [](Lowered& l) { l.program.operands[OpOf(l, OpKind::kBinary).first_operand] = {}; }},
      {"use before definition",
       [](Lowered& l) { l.program.operands[OpOf(l, OpKind::kIter).first_operand] = l.Ops(OpKind::kBinary, "f")[0]; }},
      {"phi with an operand too few", [](Lowered& l) { --OpOf(l, OpKind::kPhi).operand_count; }},
      {"arity", [](Lowered& l) { OpOf(l, OpKind::kTruth).operand_count = 0; }},
      {"payload", [](Lowered& l) { OpOf(l, OpKind::kInt).payload = 1000; }},
      {"span", [](Lowered& l) { OpOf(l, OpKind::kInt).span.end = 100000; }},
      {"operand span",
       [](Lowered& l) {
         l.program.operand_spans.Set(OpOf(l, OpKind::kBinary).first_operand, {0, 100000});
       }},
      {"block without its end", [](Lowered& l) { DropLast(BlockOf(l, OpKind::kReturn).ops); }},
      {"edge at one end only", [](Lowered& l) { DropLast(BlockOf(l, OpKind::kReturn).preds); }},
      {"successors do not match", [](Lowered& l) { DropLast(BlockOf(l, OpKind::kBranch).succs); }},
      {"op in no block",
       [](Lowered& l) {
         auto& ops = BlockOf(l, OpKind::kReturn).ops;
         ops = ops.subspan(1);
       }},
      {"loop header", [](Lowered& l) { l.program.loops[ir::LoopId(0)].header = OpOf(l, OpKind::kReturn).block; }},
      {"loop item", [](Lowered& l) { l.program.loops[ir::LoopId(0)].item = l.Ops(OpKind::kBinary, "f")[0]; }},
      {"loop spans",
       [](Lowered& l) {
         l.program.loops[ir::LoopId(0)].header_span = {0, 3};
       }},
      {"guard", [](Lowered& l) { l.program.guards[ir::GuardId(0)].truth = l.Ops(OpKind::kBinary, "f")[0]; }},
      {"list of calls", [](Lowered& l) { l.program.functions[l.Function("f")].calls = {}; }},
      {"list of returns", [](Lowered& l) { l.program.functions[l.Function("f")].returns = {}; }},
      {"parameter", [](Lowered& l) { l.program.functions[l.Function("f")].params[0].value = {}; }},
      {"maker", [](Lowered& l) { l.program.functions[l.Function("f")].made_by = ValueId(1); }},
      {"call shape", [](Lowered& l) { l.program.call_shapes[OpOf(l, OpKind::kCall).payload].positional = 7; }},
      {"cell", [](Lowered& l) { l.program.cells[ir::CellId(0)].stores[0] = ValueId(0); }},
      {"statement", [](Lowered& l) { OpOf(l, OpKind::kInt).statement = {}; }},
  };
  for (const auto& [name, damage] : damages) {
    INFO(name);
    CHECK(Damage(damage) != "");
  }
}

}  // namespace
}  // namespace cpnlint
