#include "rules/match/wavefront.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/analysis/shares.h"

namespace cpnlint::rules::match {
namespace {

using analysis::Facts;
using ir::ValueId;

// By one, and not `reversed(range(n))`.
bool CountsUp(const Facts& facts, ir::LoopId loop) {
  return facts.Of(facts.program().loops[loop].iterable).kind == analysis::Kind::kRange &&
         analysis::CountsByOne(facts, loop);
}

// The only loop directly inside; None() where there are several.
ir::LoopId LoopInside(const ir::Program& program, ir::LoopId outer) {
  ir::LoopId inside;
  for (std::size_t i = 0; i < program.loops.size(); ++i) {
    if (program.loops[ir::LoopId(i)].parent != outer) continue;
    if (inside.valid()) return {};
    inside = ir::LoopId(i);
  }
  return inside;
}

// Of `i - 1` against the counter `i`.
std::optional<std::int64_t> OffsetOf(const Facts& facts, ValueId key, ValueId counter) {
  const ir::DimId at = facts.Of(key).dim, from = facts.Of(counter).dim;
  if (!at.valid() || !from.valid()) return std::nullopt;
  ir::DimStore& dims = facts.store().dims();
  return dims.AsConst(dims.Sub(at, from));
}

}  // namespace

bool IsWavefront(const Facts& facts, ir::LoopId outer, ValueId table) {
  const ir::Program& program = facts.program();
  const ir::LoopId inner = LoopInside(program, outer);
  const ValueId root = facts.RootOf(table);
  if (!inner.valid() || !root.valid() || !CountsUp(facts, outer) || !CountsUp(facts, inner)) return false;
  bool needs_row = false, needs_column = false;
  const auto fits = [&](ValueId op) {
    const auto keys = facts.KeysOf(op);
    if (keys.size() != 2) return false;
    const auto down = OffsetOf(facts, keys[0], program.loops[outer].item);
    const auto along = OffsetOf(facts, keys[1], program.loops[inner].item);
    if (!down || !along) return false;
    const bool earlier = *down < 0 || (*down == 0 && *along < 0);
    if (program.ops[op].kind == ir::OpKind::kStoreSubscript) return *down == 0 && *along == 0;
    needs_row = needs_row || (earlier && *down < 0);
    needs_column = needs_column || (earlier && *along < 0);
    return earlier ? *down + *along < 0 : *down + *along >= 0;
  };
  for (const ir::BlockId block : program.functions[program.loops[outer].function].blocks) {
    for (const ValueId op : program.blocks[block].ops) {
      const ir::OpKind kind = program.ops[op].kind;
      const bool accesses = kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript;
      if (!accesses || !facts.InLoop(op, outer) || facts.RootOf(program.Operand(op, 0)) != root) continue;
      if (!fits(op)) return false;
    }
  }
  return needs_row && needs_column;
}

}  // namespace cpnlint::rules::match
