#include "analyzer/analysis/rank_tests.h"

#include <utility>

#include "analyzer/analysis/dtype_tests.h"

namespace cpnlint::analysis {
namespace {

using ir::OpKind;

constexpr std::int64_t kMostAxes = 32;  // as NumPy has

// `x` of `x.ndim`, `np.ndim(x)`, `len(x.shape)` and `len(np.shape(x))`; None() for anything else.
ir::ValueId ArrayCounted(const ir::Program& program, const ValueOf& value_of, ir::ValueId id) {
  const auto argument_of = [&](ir::ValueId call, Kind kind, std::string_view name) -> ir::ValueId {
    if (!call.valid() || program.ops[call].kind != OpKind::kCall || program.Shape(program.ops[call]).positional != 1)
      return {};
    const Value& callee = value_of(program.Operand(call, 0));
    const bool wanted = callee.kind == kind && program.names.Text(callee.name) == name;
    return wanted ? program.Operand(call, 1) : ir::ValueId::None();
  };
  if (const ir::ValueId array = ObjectOfAttribute(program, id, "ndim"); array.valid()) return array;
  if (const ir::ValueId array = argument_of(id, Kind::kApi, "numpy.ndim"); array.valid()) return array;
  const ir::ValueId shape = argument_of(id, Kind::kBuiltin, "len");
  const ir::ValueId array = ObjectOfAttribute(program, shape, "shape");
  return array.valid() ? array : argument_of(shape, Kind::kApi, "numpy.shape");
}

}  // namespace

std::optional<RankTest> RankTestOf(const ir::Program& program, const ValueOf& value_of, ir::ValueId test) {
  if (program.ops[test].kind != OpKind::kCompare) return std::nullopt;
  const auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
  const bool equal = compare == ir::CompareOp::kEq;
  if (!equal && compare != ir::CompareOp::kNe) return std::nullopt;
  ir::ValueId left = program.Operand(test, 0), right = program.Operand(test, 1);
  if (!left.valid() || !right.valid()) return std::nullopt;
  if (program.ops[left].kind == OpKind::kInt) std::swap(left, right);
  if (program.ops[right].kind != OpKind::kInt) return std::nullopt;
  const std::int64_t axes = program.ints[program.ops[right].payload];
  const ir::ValueId array = ArrayCounted(program, value_of, left);
  if (!array.valid() || axes < 0 || axes > kMostAxes) return std::nullopt;
  const int rank = static_cast<int>(axes);
  return equal ? RankTest{array, rank, -1} : RankTest{array, -1, rank};
}

}  // namespace cpnlint::analysis
