#include "analyzer/analysis/shares.h"

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostHops = 8;

bool IsSame(const Facts& facts, ir::ValueId a, ir::ValueId b) {
  if (facts.Source(a) == facts.Source(b)) return true;
  return facts.Of(a).dim.valid() && facts.Of(a).dim == facts.Of(b).dim;
}

// What a call that makes a step of a share is handed: `int(share)`, `max(1, share)`.
ir::ValueId ShareIn(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  const Callee& callee = facts.CalleeOf(call);
  const std::uint32_t operands = program.ops[call].operand_count;
  if (operands == 2 && IsRounding(callee)) return program.Operand(call, 1);
  if (operands != 3 || callee.kind != Callee::Kind::kBuiltin || callee.name != "max") return {};
  return program.Operand(call, facts.IntOf(program.Operand(call, 1)) ? 2 : 1);
}

}  // namespace

bool IsRounding(const Callee& callee) {
  if (callee.kind == Callee::Kind::kBuiltin) return callee.name == "int" || callee.name == "round";
  return IsOneOf(callee.name, {"math.ceil", "math.floor", "numpy.ceil", "numpy.floor", "operator.index"});
}

ir::ValueId RangeOf(const Facts& facts, ir::ValueId iterable) {
  const ir::Program& program = facts.program();
  for (int steps = 0; steps < 3 && iterable.valid(); ++steps) {
    const ir::ValueId source = facts.Source(iterable);
    if (source.valid() && program.ops[source].kind == ir::OpKind::kSubscript && facts.Of(source).kind == Kind::kRange &&
        facts.Of(source).dim.valid()) {  // range(n)[::-1]
      iterable = program.Operand(source, 0);
      continue;
    }
    if (!source.valid() || program.ops[source].kind != ir::OpKind::kCall || program.ops[source].operand_count < 2)
      return {};
    const Callee& callee = facts.CalleeOf(source);
    if (callee.kind != Callee::Kind::kBuiltin) return {};
    if (callee.name == "range") return source;
    if (!IsOneOf(callee.name, {"enumerate", "reversed", "list"})) return {};
    iterable = program.Operand(source, 1);
  }
  return {};
}

bool CountsByOne(const Facts& facts, ir::LoopId loop) {
  const ir::ValueId range = RangeOf(facts, facts.program().loops[loop].iterable);
  return range.valid() && !facts.HasStarArguments(range) && facts.PositionalCount(range) <= 2;
}

// `np.argmax(x)`, `np.nonzero(x)[0][0]`: a place in an array, 0 or more.
static bool IsPosition(const Facts& facts, ir::ValueId id) {
  const ir::Program& program = facts.program();
  for (int items = 0; items < 3 && id.valid() && program.ops[id].kind == ir::OpKind::kSubscript; ++items)
    id = facts.Source(program.Operand(id, 0));
  if (!id.valid() || program.ops[id].kind != ir::OpKind::kCall) return false;
  return GivesPositions(facts, id) ||
         IsOneOf(BareName(facts.CalleeOf(id)), {"argmax", "argmin", "argsort", "flatnonzero"});
}

bool CountsObjects(const Facts& facts, ir::ValueId range) {
  const ir::Program& program = facts.program();
  const std::uint32_t count = program.ops[range].operand_count;
  if (count < 2 || count > 3 || (count == 3 && !facts.IntOf(program.Operand(range, 1)))) return false;
  ir::ValueId bound = facts.Source(program.Operand(range, count - 1));
  // range(len(objects) - 1), range(1, len(objects)): neighbours
  if (bound.valid() && program.ops[bound].kind == ir::OpKind::kBinary && facts.IntOf(program.Operand(bound, 1)))
    bound = facts.Source(program.Operand(bound, 0));
  if (!bound.valid() || program.ops[bound].kind != ir::OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(bound);
  return callee.kind == Callee::Kind::kBuiltin && callee.name == "len" && !facts.IsArray(program.Operand(bound, 1));
}

std::optional<std::int64_t> LeastOfCounter(const Facts& facts, ir::ValueId id) {
  constexpr std::int64_t kLargest = 1 << 20;  // sums of a few such numbers cannot overflow
  const ir::Program& program = facts.program();
  const auto modest = [](std::int64_t number) { return number >= -kLargest && number <= kLargest; };
  std::int64_t above = 0;
  for (int layers = 0; layers < kMostHops && id.valid(); ++layers) {
    if (const auto known = facts.IntOf(id)) return modest(*known) ? std::optional(*known + above) : std::nullopt;
    id = facts.Source(id);
    if (!id.valid()) break;
    const ir::Op& op = program.ops[id];
    if (op.kind == ir::OpKind::kLoopItem) {
      const ir::ValueId range = RangeOf(facts, program.loops[ir::LoopId(op.payload)].iterable);
      if (!range.valid() || facts.Of(id).kind != Kind::kInt || facts.HasStarArguments(range)) break;
      if (facts.PositionalCount(range) == 1) return above;
      const auto step =
          facts.PositionalCount(range) == 3 ? facts.IntOf(program.Operand(range, 3)) : std::optional<std::int64_t>(1);
      if (!step || *step <= 0) break;
      id = program.Operand(range, 1);
      continue;
    }
    if (IsPosition(facts, id)) return above;
    const auto binary = static_cast<ir::BinaryOp>(op.detail);
    if (op.kind != ir::OpKind::kBinary || (binary != ir::BinaryOp::kAdd && binary != ir::BinaryOp::kSub)) break;
    const auto shift = facts.IntOf(program.Operand(id, 1));
    if (!shift || !modest(*shift)) break;
    above += binary == ir::BinaryOp::kAdd ? *shift : -*shift;
    id = program.Operand(id, 0);
  }
  return std::nullopt;
}

ir::ValueId PartsOf(const Facts& facts, ir::ValueId range) {
  const ir::Program& program = facts.program();
  if (program.ops[range].operand_count != 4 || !facts.IntOf(program.Operand(range, 1))) return {};
  ir::ValueId step = program.Operand(range, 3);
  for (int hops = 0; hops < kMostHops && step.valid(); ++hops) {
    const ir::ValueId source = facts.Source(step);
    const ir::Op& op = program.ops[source];
    if (op.kind == ir::OpKind::kCall) {
      step = ShareIn(facts, source);
      continue;
    }
    if (op.kind != ir::OpKind::kBinary) return {};
    const ir::ValueId left = program.Operand(source, 0), right = program.Operand(source, 1);
    switch (static_cast<ir::BinaryOp>(op.detail)) {
      case ir::BinaryOp::kAdd: step = facts.IntOf(left) ? right : left; break;
      case ir::BinaryOp::kFloorDiv:
      case ir::BinaryOp::kDiv: return IsSame(facts, left, program.Operand(range, 2)) ? right : ir::ValueId::None();
      default: return {};
    }
  }
  return {};
}

}  // namespace cpnlint::analysis
