#include "analyzer/analysis/generated_items.h"

#include <algorithm>

#include "analyzer/analysis/call_path.h"

namespace cpnlint::analysis {
namespace {

// An array that the generator is given; what it makes itself may be a few cases of something.
bool IsGivenArray(const Facts& facts, ir::ValueId array) {
  const ir::ValueId source = array.valid() ? facts.Source(array) : array;
  if (!source.valid() || !facts.IsDevice(source)) return false;
  const ir::OpKind kind = facts.program().ops[source].kind;
  return kind == ir::OpKind::kParam || kind == ir::OpKind::kAttr || kind == ir::OpKind::kLoadCell;
}

// `len(x)`, `x.shape[0]` of such an array
bool IsExtent(const Facts& facts, ir::ValueId number) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = number.valid() ? facts.Source(number) : number;
  if (!source.valid()) return false;
  if (program.ops[source].kind == ir::OpKind::kCall) {
    const Callee& callee = facts.CalleeOf(source);
    return callee.kind == Callee::Kind::kBuiltin && callee.name == "len" &&
           IsGivenArray(facts, program.Operand(source, 1));
  }
  if (program.ops[source].kind != ir::OpKind::kSubscript) return false;
  const ir::ValueId shape = facts.Source(program.Operand(source, 0));
  return shape.valid() && program.ops[shape].kind == ir::OpKind::kAttr && program.Name(program.ops[shape]) == "shape" &&
         IsGivenArray(facts, program.Operand(shape, 0));
}

// What the call hands over for the bound of `range(n)`.
std::optional<std::int64_t> CountAskedFor(const Facts& facts, ir::ValueId call, ir::ValueId range) {
  const ir::Program& program = facts.program();
  if (program.ops[range].operand_count != 2) return std::nullopt;
  const ir::FunctionId generator = facts.CalleeOf(call).function;
  const ir::ValueId bound = facts.Source(program.Operand(range, 1));
  const std::span<const ir::Param> params = program.functions[generator].params;
  for (std::size_t p = 0; p < params.size(); ++p) {
    if (params[p].value == bound) return facts.IntOf(HandedOver(facts, call, generator, p).value);
  }
  return std::nullopt;
}

// Many passes, by what is known of them: a count that nobody knows may be one of folds or of parts.
bool MakesManyPasses(const Facts& facts, Facts::Impl& impl, ir::ValueId call, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId iterable = program.loops[loop].iterable;
  if (!iterable.valid() || facts.Of(iterable).kind != Kind::kRange) return false;
  const ir::ValueId range = facts.Source(iterable);
  if (!range.valid() || program.ops[range].kind != ir::OpKind::kCall) return false;
  if (const std::optional<std::int64_t> count = CountAskedFor(facts, call, range)) return *count >= kHotTrips;
  if (MakesFewPasses(facts, impl, loop)) return false;
  if (facts.TripsKnownAtLeast(loop, kHotTrips)) return true;
  if (const std::optional<std::int64_t> usual = UsualTrips(facts, impl, loop)) return *usual >= kHotTrips;
  const auto bounds = program.Operands(range).subspan(1);
  return std::any_of(bounds.begin(), bounds.end(), [&](ir::ValueId bound) { return IsExtent(facts, bound); });
}

bool GivesArray(const Facts& facts, ir::ValueId yield) {
  const ir::Program& program = facts.program();
  const ir::ValueId given = program.Operand(yield, 0);
  const ir::ValueId source = given.valid() ? facts.Source(given) : given;
  if (!source.valid()) return false;
  if (program.ops[source].kind != ir::OpKind::kTuple) return facts.HasAxis(source) && facts.IsDevice(source);
  const auto parts = program.Operands(source);
  return std::any_of(parts.begin(), parts.end(),
                     [&](ir::ValueId part) { return part.valid() && facts.IsDevice(part) && facts.HasAxis(part); });
}

// Of the generator that the call runs; None() for other calls.
ir::FunctionId GeneratorOf(const Facts& facts, ir::ValueId iterable) {
  const ir::Program& program = facts.program();
  const ir::ValueId call = iterable.valid() ? facts.Source(iterable) : iterable;
  if (!call.valid() || program.ops[call].kind != ir::OpKind::kCall) return {};
  const Callee& callee = facts.CalleeOf(call);
  const bool generates = callee.kind == Callee::Kind::kLocal && program.functions[callee.function].is_generator;
  return generates ? callee.function : ir::FunctionId::None();
}

// The generator's number with what the call hands over in the place of parameters; None() where that is not known.
ir::DimId AsCalled(const Facts& facts, ir::ValueId call, ir::FunctionId generator, ir::DimId number) {
  const std::span<const ir::Param> params = facts.program().functions[generator].params;
  bool known = number.valid();
  const auto handed_over = [&](Symbol, std::uint32_t instance) -> ir::DimId {
    for (std::size_t p = 0; p < params.size(); ++p) {
      if (params[p].value.index() != instance) continue;
      const Handed handed = HandedOver(facts, call, generator, p);
      const ir::DimId dim = handed.known && handed.value.valid() ? facts.Of(handed.value).dim : ir::DimId::None();
      known = known && dim.valid();
      return dim;
    }
    return {};
  };
  const ir::DimId called = facts.store().dims().Substitute(number, handed_over);
  return known ? called : ir::DimId::None();
}

}  // namespace

Trips ItemsGenerated(const Facts& facts, ir::ValueId iterable) {
  const ir::FunctionId generator = GeneratorOf(facts, iterable);
  if (!generator.valid()) return {};
  const ir::Program& program = facts.program();
  ir::DimStore& dims = facts.store().dims();
  const ir::Function& function = program.functions[generator];
  Trips items;
  for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    const ir::ValueId op(i);
    if (program.ops[op].kind != ir::OpKind::kYield || facts.IsDead(program.ops[op].block)) continue;
    if (program.ops[op].detail == 1 || program.blocks[program.ops[op].block].guard.valid()) return {};
    ir::DimId passes = dims.Const(1);
    for (ir::LoopId loop = program.LoopOf(op); loop.valid(); loop = program.loops[loop].parent) {
      passes = dims.Mul(passes, facts.TripsOf(loop).count);
      items.evidence |= facts.TripsOf(loop).evidence;
    }
    if (!passes.valid()) return {};
    items.count = items.count.valid() ? dims.Add(items.count, passes) : passes;
  }
  items.count = AsCalled(facts, facts.Source(iterable), generator, items.count);
  return items;
}

bool WalksGenerated(const Facts& facts, Facts::Impl& impl, ir::ValueId iterable) {
  const ir::Program& program = facts.program();
  const ir::FunctionId called = GeneratorOf(facts, iterable);
  if (!called.valid()) return false;
  const ir::ValueId call = facts.Source(iterable);
  const ir::Function& generator = program.functions[called];
  for (std::uint32_t i = generator.first_op.index(); i < generator.end_op.index(); ++i) {
    const ir::ValueId op(i);
    if (program.ops[op].kind != ir::OpKind::kYield || program.ops[op].detail == 1) continue;
    const ir::LoopId loop = program.LoopOf(op);
    if (loop.valid() && MakesManyPasses(facts, impl, call, loop) && GivesArray(facts, op)) return true;
  }
  return false;
}

}  // namespace cpnlint::analysis
