#include "analyzer/analysis/earlier_trips.h"

namespace cpnlint::analysis {
namespace {

// The `range` that a loop inside of `loop` counts by, where the value is its counter; None() for others.
ir::ValueId RangeOfCounter(const Facts& facts, ir::LoopId loop, ir::ValueId id) {
  const ir::Program& program = facts.program();
  const ir::ValueId item = id.valid() ? facts.Source(id) : id;
  if (!item.valid() || program.ops[item].kind != ir::OpKind::kLoopItem || !facts.InLoop(item, loop)) return {};
  const ir::ValueId range = facts.Source(program.loops[ir::LoopId(program.ops[item].payload)].iterable);
  const bool counts = range.valid() && facts.Of(range).kind == Kind::kRange &&
                      program.ops[range].kind == ir::OpKind::kCall && facts.PositionalCount(range) <= 2;
  return counts ? range : ir::ValueId::None();
}

}  // namespace

bool IsBefore(const Facts& facts, ir::LoopId loop, ir::ValueId earlier, ir::ValueId later) {
  const ir::Program& program = facts.program();
  const auto is_difference = [&](ir::ValueId id) {
    return id.valid() && program.ops[id].kind == ir::OpKind::kBinary &&
           static_cast<ir::BinaryOp>(program.ops[id].detail) == ir::BinaryOp::kSub;
  };
  ir::ValueId made = facts.Source(earlier);
  std::int64_t least = 0;
  if (is_difference(made)) {
    if (const std::optional<std::int64_t> by = facts.IntOf(program.Operand(made, 1))) {
      least = *by;
      made = facts.Source(program.Operand(made, 0));
    }
  }
  if (!is_difference(made) || facts.Source(program.Operand(made, 0)) != facts.Source(later)) return false;
  const ir::ValueId range = RangeOfCounter(facts, loop, program.Operand(made, 1));
  if (!range.valid()) return false;
  const std::optional<std::int64_t> first =
      facts.PositionalCount(range) == 1 ? std::optional<std::int64_t>(0) : facts.IntOf(program.Operand(range, 1));
  return first && *first + least >= 1;
}

bool CountsUpTo(const Facts& facts, ir::LoopId loop, ir::ValueId key) {
  const ir::ValueId range = RangeOfCounter(facts, loop, key);
  if (!range.valid()) return false;
  const std::uint32_t bound = facts.PositionalCount(range) == 1 ? 1 : 2;
  return facts.DependsOnInduction(facts.program().Operand(range, bound), loop);
}

}  // namespace cpnlint::analysis
