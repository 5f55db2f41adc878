#include "analyzer/analysis/carried_numbers.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostSteps = 32;  // of arithmetic from one pass to the next

// What arithmetic has done to a number on its way.
struct Way {
  ir::ValueId value;
  bool added = false, scaled = false;
};

// The way with one more operator; nullopt where that is none of arithmetic.
std::optional<Way> After(const Facts& facts, Way way, ir::ValueId user) {
  const ir::Op& op = facts.program().ops[user];
  way.value = user;
  if (op.kind == ir::OpKind::kUnary) return way;
  if (op.kind != ir::OpKind::kBinary && op.kind != ir::OpKind::kInplaceBinary) return std::nullopt;
  switch (static_cast<ir::BinaryOp>(op.detail)) {
    case ir::BinaryOp::kAdd:
    case ir::BinaryOp::kSub: way.added = true; return way;
    case ir::BinaryOp::kMul:
    case ir::BinaryOp::kDiv: way.scaled = true; return way;
    default: return std::nullopt;
  }
}

bool IsMixed(const Facts& facts, ir::LoopId loop, ir::ValueId phi) {
  std::vector<Way> ways = {{phi}};
  for (std::size_t i = 0; i < ways.size() && i < kMostSteps; ++i) {
    const Way way = ways[i];
    for (const ir::ValueId user : facts.UsesOf(way.value)) {
      if (user == phi && way.added && way.scaled) return true;
      if (!facts.InLoop(user, loop)) continue;
      if (const std::optional<Way> next = After(facts, way, user)) ways.push_back(*next);
    }
  }
  return false;
}

}  // namespace

bool CarriesNumber(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  return std::ranges::any_of(program.blocks[program.loops[loop].header].ops, [&](ir::ValueId op) {
    return program.ops[op].kind == ir::OpKind::kPhi && facts.IsZeroD(op) && IsMixed(facts, loop, op);
  });
}

}  // namespace cpnlint::analysis
