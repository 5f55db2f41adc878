#include "analyzer/analysis/host_number.h"

#include <algorithm>
#include <optional>
#include <span>

namespace cpnlint::analysis {
namespace {

bool IsNumber(const Facts& facts, ir::ValueId id) { return id.valid() && facts.IsDevice(id) && facts.IsZeroD(id); }

// The n of `np.zeros(n)` and `np.zeros((n, 3))`.
ir::ValueId NumberIn(const Facts& facts, ir::ValueId argument) {
  if (!argument.valid() || IsNumber(facts, argument)) return argument;
  const ir::ValueId source = facts.Source(argument);
  if (!source.valid() || facts.program().ops[source].kind != ir::OpKind::kTuple) return {};
  const auto items = facts.program().Operands(source);
  const auto found = std::ranges::find_if(items, [&](ir::ValueId item) { return IsNumber(facts, item); });
  return found == items.end() ? ir::ValueId::None() : *found;
}

// ... of `*varargs` as well, which have no name for a caller.
std::optional<std::size_t> PositionOf(const api::Entry& row, std::string_view parameter) {
  const auto found = std::ranges::find(row.numpy_parameters, parameter);
  if (found == row.numpy_parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - row.numpy_parameters.begin());
}

bool IsMadeOnEachPass(const Facts& facts, ir::ValueId number, ir::ValueId call) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(number);
  if (!source.valid() || program.ops[source].kind == ir::OpKind::kParam) return false;
  const ir::LoopId loop = facts.HeatOf(call).loop;
  const ir::FunctionId function = program.FunctionOf(call);
  if (loop.valid() && program.loops[loop].function == function) return facts.InLoop(source, loop);
  return program.FunctionOf(source) == function;
}

}  // namespace

HostNumber FindHostNumber(const Facts& facts, ir::ValueId call, const api::Entry& row, const api::Wait& wait) {
  const Callee& callee = facts.CalleeOf(call);
  const std::size_t receiver = callee.kind == Callee::Kind::kMethod ? 1 : 0;
  for (std::string_view left = wait.parameters; !left.empty();) {
    const std::string_view parameter = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(left.size(), parameter.size() + 1));
    const std::optional<std::size_t> first = PositionOf(row, parameter);
    if (!first) continue;
    const bool takes_several = parameter.starts_with('*');
    const std::string_view keyword = takes_several ? std::string_view() : parameter;
    const std::size_t end = takes_several ? std::size_t{facts.PositionalCount(call)} : *first + 1;
    for (std::size_t position = *first; position < end; ++position) {
      const ir::ValueId number = NumberIn(facts, facts.Argument(call, position, keyword));
      if (IsNumber(facts, number) && IsMadeOnEachPass(facts, number, call))
        return {number, position + receiver, parameter};
    }
  }
  return {};
}

}  // namespace cpnlint::analysis
