// Calls inside of which cuPyNumeric goes through data one element after the other, in Python. Each step is an operation
// of its own, and some wait for it. Read in the source of 26.6.1, and timed there: a histogram of 400 edges takes 35
// times as long as one of 400 bins with a range.

#include <algorithm>
#include <utility>
#include <vector>

#include "analyzer/analysis/element_steps.h"
#include "analyzer/analysis/work_impl.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr double kUsualBins = 100;  // where nobody says how many

// Bins are few where neither a number nor a default says how many; an array's own default would make them millions.
ir::DimId IfCounted(const Facts& facts, ir::DimId bins) {
  const std::vector<Symbol> symbols = bins.valid() ? facts.store().dims().Symbols(bins) : std::vector<Symbol>();
  const bool counted =
      std::ranges::all_of(symbols, [&](Symbol symbol) { return facts.UsualCount(symbol).has_value(); });
  return counted ? bins : ir::DimId::None();
}

}  // namespace

void TaskMaker::Step(ir::ValueId op, std::string_view name, ir::DimId passes, double launches, bool waits) {
  if (passes.valid() && dims_.AsConst(passes).value_or(2) <= 1) return;  // the call itself has one
  plan_->loops.push_back({ir::LoopId::None(), passes, kUsualBins});
  const auto index = static_cast<std::uint32_t>(plan_->loops.size() - 1);
  plan_->items.push_back({PlanItem::Kind::kOpenLoop, index, share_, {}, {}});
  WorkTask task = Start(op, WorkKind::kElementAccess, name);
  task.launches = task.launches_divided = launches;
  task.elements = dims_.Const(1);
  task.bytes_read = task.bytes_written = dims_.Const(8);
  task.waits = waits;
  if (waits) task.to_host = dims_.Const(1);
  const double outside = std::exchange(share_, 1);
  Add(std::move(task));
  share_ = outside;
  plan_->items.push_back({PlanItem::Kind::kCloseLoop, 0, 1, {}, {}});
}

void TaskMaker::SeeSteps(ir::ValueId op) {
  const Callee& callee = facts_.CalleeOf(op);
  if (callee.kind != Callee::Kind::kApi) return;
  const std::string_view base = ApiBaseName(callee.name);
  const api::Entry* row = api::Find(callee.name);
  if (row == nullptr) return;
  const auto get = [&](std::string_view parameter) {
    return ArgumentOf(op, api::ParameterPosition(*row, parameter).value_or(99), parameter);
  };
  if (base == "histogram" || base == "histogram2d" || base == "histogramdd") {
    const ir::ValueId bins = get("bins");
    const std::vector<ir::ValueId> edges = BinEdges(facts_, base, bins);
    // `all(edges[1:] - edges[:-1] >= 0)` with Python's `all`
    for (const ir::ValueId one : edges) Step(op, kElementStep, IfCounted(facts_, BinsBetween(facts_, one)), 1, true);
    const ir::ValueId density = get("density");
    const bool sums = base == "histogram" && density.valid() && facts_.BoolOf(density) == true;
    if (!sums) return;
    // `sum(hist)` with Python's `sum`: an element is read, and added to what there is.
    const ir::DimId count = !edges.empty() ? BinsBetween(facts_, bins)
                            : bins.valid() ? facts_.Of(bins).dim
                                           : dims_.Const(10);
    return Step(op, kElementSum, IfCounted(facts_, count), 2, false);
  }
  if (base == "cov") {
    // `any(weights < 0)` with Python's `any`
    for (const std::string_view weights : {"fweights", "aweights"}) {
      const ir::ValueId given = get(weights);
      if (given.valid() && facts_.IsArray(given)) Step(op, kElementStep, facts_.ExtentOf(given, 0), 1, true);
    }
    return;
  }
  if (base == "nanmedian" || base == "nanquantile" || base == "nanpercentile") {
    // Two neighbours are read and written for each cell of the result, and the weight between them.
    if (facts_.IsArray(op)) Step(op, kElementStep, Elements(op), 5, false);
  }
}

}  // namespace cpnlint::analysis
