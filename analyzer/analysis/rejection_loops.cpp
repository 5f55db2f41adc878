#include "analyzer/analysis/rejection_loops.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostParts = 32;  // of the arguments of a draw

bool IsDraw(const Callee& callee) {
  const bool api = callee.kind == Callee::Kind::kApi && callee.name.starts_with("numpy.random.");
  return api && !IsOneOf(callee.name, {"numpy.random.seed", "numpy.random.default_rng"});
}

// `burn * n`, `(int(n / rate), 1)`, `max(n - kept, 100)`: the number is a part of it.
bool IsMadeOf(const Facts& facts, std::vector<ir::ValueId> parts, ir::ValueId number) {
  const ir::Program& program = facts.program();
  for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i) {
    const ir::ValueId part = parts[i].valid() ? facts.Source(parts[i]) : parts[i];
    if (!part.valid()) continue;
    if (part == number) return true;
    const ir::OpKind kind = program.ops[part].kind;
    const bool made = kind == ir::OpKind::kBinary || kind == ir::OpKind::kTuple || kind == ir::OpKind::kList ||
                      kind == ir::OpKind::kCall;
    if (!made) continue;
    for (const ir::ValueId operand : program.Operands(part)) parts.push_back(operand);
  }
  return false;
}

// `n` of `while kept < n:`.
ir::ValueId Wanted(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::Loop& record = program.loops[loop];
  if (record.kind != ir::Loop::Kind::kWhile || !record.truth.valid()) return {};
  const ir::ValueId test = program.Operand(record.truth, 0);
  if (!test.valid() || program.ops[test].kind != ir::OpKind::kCompare) return {};
  const auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
  const bool rises = compare == ir::CompareOp::kLt || compare == ir::CompareOp::kLe;
  const bool falls = compare == ir::CompareOp::kGt || compare == ir::CompareOp::kGe;
  if (!rises && !falls) return {};
  const ir::ValueId wanted = facts.Source(program.Operand(test, rises ? 1 : 0));
  return wanted.valid() && !facts.InLoop(wanted, loop) ? wanted : ir::ValueId::None();
}

}  // namespace

bool DrawsAllAtOnce(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId wanted = Wanted(facts, loop);
  if (!wanted.valid()) return false;
  const auto draws = [&](ir::ValueId op) {
    if (program.ops[op].kind != ir::OpKind::kCall || !facts.InLoop(op, loop) || !IsDraw(facts.CalleeOf(op)))
      return false;
    const auto arguments = program.Operands(op).subspan(1);
    return IsMadeOf(facts, {arguments.begin(), arguments.end()}, wanted);
  };
  return std::ranges::any_of(program.functions[program.loops[loop].function].blocks,
                             [&](ir::BlockId block) { return std::ranges::any_of(program.blocks[block].ops, draws); });
}

}  // namespace cpnlint::analysis
