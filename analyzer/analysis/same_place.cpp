#include "analyzer/analysis/same_place.h"

#include <algorithm>

namespace cpnlint::analysis {
namespace {

constexpr int kDeepest = 8;

// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
bool IsSame(const ir::Program& program, ir::ValueId a, ir::ValueId b, int depth) {
  if (a == b) return true;  // also bounds that both leave out
  if (!a.valid() || !b.valid() || depth == kDeepest) return false;
  const ir::Op &one = program.ops[a], &other = program.ops[b];
  if (one.kind != other.kind) return false;
  const auto operands_are = [&] {
    // NOLINTNEXTLINE(misc-no-recursion)
    return std::ranges::equal(program.Operands(one), program.Operands(other), [&](ir::ValueId left, ir::ValueId right) {
      return IsSame(program, left, right, depth + 1);
    });
  };
  switch (one.kind) {
    case ir::OpKind::kInt: return program.ints[one.payload] == program.ints[other.payload];
    case ir::OpKind::kLoadCell: return one.payload == other.payload;
    case ir::OpKind::kNone: return true;
    case ir::OpKind::kAttr: return one.payload == other.payload && operands_are();
    case ir::OpKind::kBinary: return one.detail == other.detail && operands_are();
    case ir::OpKind::kSlice:
    case ir::OpKind::kSubscript: return operands_are();
    default: return false;
  }
}

}  // namespace

bool IsSamePlace(const ir::Program& program, ir::ValueId a, ir::ValueId b) { return IsSame(program, a, b, 0); }

}  // namespace cpnlint::analysis
