#include "analyzer/analysis/growing_extents.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace cpnlint::analysis {
namespace {

constexpr std::int64_t kFew = 20;  // a limit below it may be reached on more than every tenth pass

class Growth {
 public:
  Growth(const Facts& facts, ir::GuardId guard)
      : facts_(facts), program_(facts.program()), guard_(guard), loop_(program_.guards[guard].loop) {}

  [[nodiscard]] bool Holds() const {
    const ir::Guard& guard = program_.guards[guard_];
    if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid() || !loop_.valid() || !guard.holds) return false;
    const bool truth = program_.ops[guard.truth].kind == ir::OpKind::kTruth;
    const ir::ValueId test = truth ? program_.Operand(guard.truth, 0) : guard.truth;
    if (!test.valid() || program_.ops[test].kind != ir::OpKind::kCompare) return false;
    const auto compare = static_cast<ir::CompareOp>(program_.ops[test].detail);
    if (compare == ir::CompareOp::kGe || compare == ir::CompareOp::kGt)
      return IsFull(program_.Operand(test, 0), program_.Operand(test, 1));
    if (compare == ir::CompareOp::kLe || compare == ir::CompareOp::kLt)
      return IsFull(program_.Operand(test, 1), program_.Operand(test, 0));
    return false;
  }

 private:
  [[nodiscard]] bool IsFull(ir::ValueId extent, ir::ValueId limit) const {
    const ir::ValueId measured = MeasuredBy(extent);
    if (!measured.valid() || !facts_.InLoop(measured, loop_) || !facts_.Invariant(limit, loop_)) return false;
    if (const auto most = facts_.IntOf(limit); most && *most < kFew) return false;
    return facts_.IsDevice(measured) ? JoinsAndBeginsAnew(measured) : AppendsAndBeginsAnew(measured);
  }

  // `x` of `x.shape[1]` and of `len(x)`; None() for others.
  [[nodiscard]] ir::ValueId MeasuredBy(ir::ValueId extent) const {
    const ir::ValueId source = facts_.Source(extent);
    if (!source.valid()) return {};
    const ir::Op& op = program_.ops[source];
    if (op.kind == ir::OpKind::kCall && facts_.PositionalCount(source) == 1) {
      const Callee& callee = facts_.CalleeOf(source);
      const bool length = callee.kind == Callee::Kind::kBuiltin && callee.name == "len";
      return length ? facts_.Source(program_.Operand(source, 1)) : ir::ValueId::None();
    }
    if (op.kind != ir::OpKind::kSubscript || !facts_.IntOf(program_.Operand(source, 1))) return {};
    const ir::ValueId shape = facts_.Source(program_.Operand(source, 0));
    const bool is_shape =
        shape.valid() && program_.ops[shape].kind == ir::OpKind::kAttr && program_.Name(program_.ops[shape]) == "shape";
    return is_shape ? facts_.Source(program_.Operand(shape, 0)) : ir::ValueId::None();
  }

  [[nodiscard]] bool IsUnderTest(ir::ValueId value) const {
    ir::GuardId guard = program_.blocks[program_.ops[value].block].guard;
    for (; guard.valid(); guard = program_.guards[guard].parent) {
      if (guard == guard_ || (program_.guards[guard].truth == program_.guards[guard_].truth &&
                              program_.guards[guard].holds == program_.guards[guard_].holds))
        return true;
    }
    return false;
  }

  // The variable goes on with `kept` where the test fails, and with something made under the test where it holds.
  [[nodiscard]] bool BeginsAnew(ir::ValueId variable, ir::ValueId kept) const {
    return std::ranges::any_of(program_.Operands(variable), [&](ir::ValueId joined) {
      if (!joined.valid() || program_.ops[joined].kind != ir::OpKind::kPhi || !facts_.InLoop(joined, loop_))
        return false;
      const auto ways = program_.Operands(joined);
      const bool keeps = std::ranges::find(ways, kept) != ways.end();
      return keeps && std::ranges::any_of(ways, [&](ir::ValueId way) {
               return way.valid() && way != kept && IsUnderTest(way) && !IsWindow(way);
             });
    });
  }

  // `v[1:]`, `v[-m:]`: what is full stays full.
  [[nodiscard]] bool IsWindow(ir::ValueId value) const {
    const ir::ValueId made = facts_.Source(value);
    if (!made.valid() || program_.ops[made].kind != ir::OpKind::kSubscript) return false;
    return std::ranges::any_of(facts_.KeysOf(made), [&](ir::ValueId key) {
      return program_.ops[key].kind == ir::OpKind::kSlice && program_.Operand(key, 0).valid();
    });
  }

  [[nodiscard]] bool IsVariable(ir::ValueId value) const {
    return value.valid() && program_.ops[value].kind == ir::OpKind::kPhi &&
           program_.ops[value].block == program_.loops[loop_].header;
  }

  // `v = np.hstack([v, w])`
  [[nodiscard]] bool JoinsAndBeginsAnew(ir::ValueId joined) const {
    if (program_.ops[joined].kind != ir::OpKind::kCall) return false;
    const bool joins = std::ranges::any_of(
        std::initializer_list<std::string_view>{"numpy.append", "numpy.column_stack", "numpy.concatenate",
                                                "numpy.dstack", "numpy.hstack", "numpy.vstack"},
        [&](std::string_view name) { return facts_.CallsDevice(joined, name); });
    if (!joins) return false;
    const auto of_variable = [&](ir::ValueId part) {
      const ir::ValueId variable = part.valid() ? facts_.Source(part) : part;
      return IsVariable(variable) && BeginsAnew(variable, joined);
    };
    return std::ranges::any_of(program_.Operands(joined).subspan(1), [&](ir::ValueId argument) {
      if (of_variable(argument)) return true;
      const ir::OpKind kind = argument.valid() ? program_.ops[argument].kind : ir::OpKind::kNone;
      return (kind == ir::OpKind::kList || kind == ir::OpKind::kTuple) &&
             std::ranges::any_of(program_.Operands(argument), of_variable);
    });
  }

  // `lines.append(line)`; `lines = []`
  [[nodiscard]] bool AppendsAndBeginsAnew(ir::ValueId list) const {
    if (!IsVariable(list) || facts_.Of(list).kind != Kind::kList || !BeginsAnew(list, list)) return false;
    const auto& calls = program_.functions[program_.loops[loop_].function].calls;
    return std::ranges::any_of(calls, [&](ir::ValueId call) {
      const Callee& callee = facts_.CalleeOf(call);
      return callee.name == "list.append" && program_.LoopOf(call) == loop_ && callee.receiver.valid() &&
             facts_.Source(callee.receiver) == list && !IsUnderTest(call);
    });
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::GuardId guard_;
  ir::LoopId loop_;
};

}  // namespace

bool HoldsWhereFull(const Facts& facts, ir::GuardId guard) { return Growth(facts, guard).Holds(); }

}  // namespace cpnlint::analysis
