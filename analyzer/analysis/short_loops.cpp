#include "analyzer/analysis/short_loops.h"

#include "analyzer/analysis/attempts.h"
#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/counted_passes.h"
#include "analyzer/analysis/figure_loops.h"
#include "analyzer/analysis/fresh_passes.h"
#include "analyzer/analysis/rejection_loops.h"

namespace cpnlint::analysis {

bool IsShortByKind(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  return IsOfFigure(facts, loop) || WalksFunctions(facts, loop) || DrawsAllAtOnce(facts, loop) ||
         EndsByScale(facts, impl, loop);
}

bool EndsBySuccess(const Facts& facts, ir::LoopId loop, std::optional<std::int64_t> most) {
  return TriesUntilItWorks(facts, loop, most) || DrawsAnew(facts, loop);
}

}  // namespace cpnlint::analysis
