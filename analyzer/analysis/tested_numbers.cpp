#include "analyzer/analysis/tested_numbers.h"

#include <algorithm>

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/comparisons.h"

namespace cpnlint::analysis {

std::optional<std::int64_t> LargestChoice(const Facts& facts, ir::ValueId choices) {
  const ir::Program& program = facts.program();
  const ir::ValueId display = choices.valid() ? facts.Source(choices) : choices;
  if (!display.valid()) return std::nullopt;
  const ir::Op& op = program.ops[display];
  if (op.kind == ir::OpKind::kCall) {
    const Callee& callee = facts.CalleeOf(display);
    const bool range = callee.kind == Callee::Kind::kBuiltin && callee.name == "range";
    if (!range || facts.HasStarArguments(display) || facts.PositionalCount(display) > 2) return std::nullopt;
    const auto end = facts.IntOf(program.Operand(display, facts.PositionalCount(display) == 1 ? 1 : 2));
    return end ? std::optional(*end - 1) : std::nullopt;
  }
  if (op.kind != ir::OpKind::kTuple && op.kind != ir::OpKind::kList && op.kind != ir::OpKind::kSet) return std::nullopt;
  std::optional<std::int64_t> largest;
  for (const ir::ValueId choice : program.Operands(display)) {
    const auto number = facts.IntOf(choice);
    if (!number) return std::nullopt;
    largest = std::max(largest.value_or(*number), *number);
  }
  return largest;
}

namespace {

std::optional<std::int64_t> AllowedBy(const Facts& facts, ir::ValueId number, ir::ValueId test) {
  const ir::Program& program = facts.program();
  const auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
  const ir::ValueId left = program.Operand(test, 0), right = program.Operand(test, 1);
  const bool first = left.valid() && facts.Source(left) == number;
  for (const bool holds : {true, false}) {
    std::optional<std::int64_t> most;
    if (compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn) {
      if (first && holds == (compare == ir::CompareOp::kIn)) most = LargestChoice(facts, right);
    } else {
      const auto with = facts.IntOf(first ? right : left);
      most = with ? MostAllowed(first ? compare : Mirrored(compare), holds, *with) : std::nullopt;
    }
    if (most && RaisesWhere(facts, test, !holds) && IsAlwaysTested(facts, test)) return most;
  }
  return std::nullopt;
}

}  // namespace

bool IsAlwaysTested(const Facts& facts, ir::ValueId test) {
  constexpr int kMostTests = 8;
  const ir::Program& program = facts.program();
  ir::GuardId id = program.blocks[program.ops[test].block].guard;
  for (int tests = 0; id.valid(); ++tests, id = program.guards[id].parent) {
    const ir::Guard& guard = program.guards[id];
    if (tests == kMostTests || guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) return false;
    if (!RaisesWhere(facts, program.Operand(guard.truth, 0), !guard.holds)) return false;
  }
  return true;
}

std::optional<std::int64_t> MostByTests(const Facts& facts, ir::ValueId number) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = number.valid() ? facts.Source(number) : number;
  if (!source.valid() || program.ops[source].kind == ir::OpKind::kPhi) return std::nullopt;  // one of several
  std::optional<std::int64_t> most;
  for (const ir::ValueId test : facts.UsesOf(source)) {
    if (program.ops[test].kind != ir::OpKind::kCompare) continue;
    const auto allowed = AllowedBy(facts, source, test);
    if (allowed) most = std::min(most.value_or(*allowed), *allowed);
  }
  return most;
}

bool IsComparedWithFew(const Facts& facts, ir::ValueId number, std::int64_t most) {
  const ir::Program& program = facts.program();
  return std::ranges::any_of(facts.UsesOf(number), [&](ir::ValueId test) {
    if (program.ops[test].kind != ir::OpKind::kCompare || program.Operand(test, 0) != number) return false;
    const auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
    const ir::ValueId with = program.Operand(test, 1);
    const auto named = compare == ir::CompareOp::kIn   ? LargestChoice(facts, with)
                       : compare == ir::CompareOp::kEq ? facts.IntOf(with)
                                                       : std::nullopt;
    return named && *named > 0 && *named <= most;
  });
}

}  // namespace cpnlint::analysis
