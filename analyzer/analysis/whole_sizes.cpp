#include "analyzer/analysis/whole_sizes.h"

#include <algorithm>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/same_place.h"

namespace cpnlint::analysis {
namespace {

bool IsRange(const Facts::Impl& impl, ir::ValueId call) {
  const Value& callee = impl.Of(impl.program.Operand(call, 0));
  return callee.kind == Kind::kBuiltin && impl.names.Text(callee.name) == "range";
}

}  // namespace

bool IsCountedTo(const Facts::Impl& impl, ir::ValueId size) {
  const ir::Program& program = impl.program;
  return std::ranges::any_of(program.functions[program.FunctionOf(size)].calls, [&](ir::ValueId call) {
    return IsRange(impl, call) && std::ranges::any_of(program.Operands(call).subspan(1), [&](ir::ValueId bound) {
             return bound.valid() && IsSamePlace(program, bound, size);
           });
  });
}

bool TakesShapeFirst(std::string_view name) {
  return IsOneOf(name, {"numpy.empty", "numpy.full", "numpy.ones", "numpy.zeros"});
}

}  // namespace cpnlint::analysis
