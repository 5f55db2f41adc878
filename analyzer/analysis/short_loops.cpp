#include "analyzer/analysis/short_loops.h"

#include <algorithm>

#include "analyzer/analysis/attempts.h"
#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/counted_passes.h"
#include "analyzer/analysis/figure_loops.h"
#include "analyzer/analysis/folder_loops.h"
#include "analyzer/analysis/fresh_passes.h"
#include "analyzer/analysis/rejection_loops.h"

namespace cpnlint::analysis {

bool WalksFewItems(const Facts& facts, ir::ValueId iterable) {
  const ir::Program& program = facts.program();
  if (!iterable.valid()) return false;
  if (facts.UsuallyFewItems(iterable)) return true;
  const ir::ValueId call = facts.Source(iterable);
  if (!call.valid() || program.ops[call].kind != ir::OpKind::kCall ||
      !IsBuiltin(facts.CalleeOf(call), {"enumerate", "zip", "reversed"}))
    return false;
  const auto arguments = program.Operands(call).subspan(1);
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](ir::ValueId argument) { return argument.valid() && facts.UsuallyFewItems(argument); });
}

std::optional<std::int64_t> ItemsByTests(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId iterable = program.loops[loop].iterable;
  if (!iterable.valid() || !facts.IsArray(iterable)) return std::nullopt;
  const ir::ValueId iter = program.Operand(program.loops[loop].item, 0);
  return MostItemsAt(facts, iterable, program.ops[iter].block);
}

bool IsShortByKind(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  return IsOfFigure(facts, loop) || MakesFolders(facts, loop) || WalksFunctions(facts, loop) ||
         DrawsAllAtOnce(facts, loop) || EndsByScale(facts, impl, loop);
}

bool EndsBySuccess(const Facts& facts, ir::LoopId loop, std::optional<std::int64_t> most) {
  return TriesUntilItWorks(facts, loop, most) || DrawsAnew(facts, loop);
}

}  // namespace cpnlint::analysis
