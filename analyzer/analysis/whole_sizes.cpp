#include "analyzer/analysis/whole_sizes.h"

#include <algorithm>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr int kDeepest = 4;

bool IsRange(const Facts::Impl& impl, ir::ValueId call) {
  const Value& callee = impl.Of(impl.program.Operand(call, 0));
  return callee.kind == Kind::kBuiltin && impl.names.Text(callee.name) == "range";
}

// The same name, attribute or sum of such: `grid.ny + 2` here and there in one function.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
bool IsSame(const ir::Program& program, ir::ValueId a, ir::ValueId b, int depth = 0) {
  if (a == b) return true;
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
    case ir::OpKind::kAttr: return one.payload == other.payload && operands_are();
    case ir::OpKind::kBinary: return one.detail == other.detail && operands_are();
    default: return false;
  }
}

}  // namespace

bool IsCountedTo(const Facts::Impl& impl, ir::ValueId size) {
  const ir::Program& program = impl.program;
  return std::ranges::any_of(program.functions[program.FunctionOf(size)].calls, [&](ir::ValueId call) {
    return IsRange(impl, call) && std::ranges::any_of(program.Operands(call).subspan(1), [&](ir::ValueId bound) {
             return bound.valid() && IsSame(program, bound, size);
           });
  });
}

bool TakesShapeFirst(std::string_view name) {
  return IsOneOf(name, {"numpy.empty", "numpy.full", "numpy.ones", "numpy.zeros"});
}

}  // namespace cpnlint::analysis
