// R402 expanding-slices: arrays whose first use covers less of them than a later one.

#include <algorithm>
#include <unordered_set>

#include "cost-model/footprint.h"
#include "rules/engine/rule.h"
#include "rules/match/memory.h"

namespace cpnlint::rules::r402 {

constexpr double kNoticeable = 0.01, kMuch = 0.7;  // of the pool

struct Use {
  const analysis::WorkOperand* part = nullptr;
  ir::ValueId op;
};

// The uses of an array in the order of the steps.
static std::vector<Use> UsesOf(const cost::MemoryPlan& plan, const cost::Footprint& footprint, ir::ValueId array) {
  std::vector<Use> uses;
  for (const std::uint32_t index : footprint.tasks) {
    const analysis::WorkTask& task = plan.work->tasks[index];
    if (task.kind == analysis::WorkKind::kFill) continue;  // put off: makes no instance
    for (const analysis::WorkOperand& operand : task.operands) {
      if (operand.root == array) uses.push_back({&operand, task.op});
    }
  }
  return uses;
}

static bool IsWhole(const Facts& facts, const analysis::WorkOperand& part) {
  return !part.root_shape.valid() || !part.shape.valid() || part.shape == part.root_shape || !part.start.valid() ||
         facts.store().Get(part.shape).size() != facts.store().Get(part.root_shape).size();
}

// Where `later` is known to reach beyond `first` along some axis.
static bool ReachesBeyond(const Facts& facts, const analysis::WorkOperand& first, const analysis::WorkOperand& later) {
  ir::DimStore& dims = facts.store().dims();
  const analysis::Shape& before = facts.store().Get(first.shape);
  const bool whole = IsWhole(facts, later);
  const analysis::Shape& after = facts.store().Get(whole ? first.root_shape : later.shape);
  if (after.size() != before.size() || !first.start.valid()) return false;
  const std::vector<std::int64_t> first_start = analysis::OffsetsOf(facts, first);
  const std::vector<std::int64_t> later_start = analysis::OffsetsOf(facts, later);
  if (first_start.size() != before.size()) return false;
  for (std::size_t axis = 0; axis < before.size(); ++axis) {
    const std::int64_t start = whole ? 0 : later_start[axis];
    if (start < first_start[axis]) return true;
    const auto longer = dims.Difference(after[axis], before[axis]);
    if (longer && start + *longer > first_start[axis]) return true;
  }
  return false;
}

// Fires when
//   1. the array is made by a fill that is put off, and its first use covers a part of it that is known to be smaller,
//   2. a later use reaches beyond that part,
//   3. it takes at least 1 % of the pool.
// Quiet: (a) made by a whole-array expression and (b) the same slices from the first on are 1 and 2, (c) small arrays
// are condition 3, (d) `stencil_hint` was called, (e) told once for the array, not per pass.
static void OnModule(const Facts& facts, ir::ModuleId module, Trial& trial) {
  const cost::MemoryPlan* plan = trial.target().memory;
  if (plan == nullptr || plan->pool <= 0) return;
  for (const cost::Footprint& footprint : plan->roots) {
    std::unordered_set<ir::ValueId> told;  // a function that is called again makes the same arrays again
    for (const cost::Lifetime& array : footprint.arrays) {
      if (match::ModuleOf(facts, array.array) != module || !told.insert(array.array).second) continue;
      trial.Considers(array.array);
      std::vector<Use> uses;
      if (array.filled) uses = UsesOf(*plan, footprint, array.array);
      if (!trial.Holds(1, uses.size() > 1 && !IsWhole(facts, *uses.front().part)) || uses.size() < 2) continue;
      const auto beyond = std::find_if(uses.begin() + 1, uses.end(), [&](const Use& use) {
        return ReachesBeyond(facts, *uses.front().part, *use.part);
      });
      if (!trial.Holds(2, beyond != uses.end()) || beyond == uses.end()) continue;
      if (!trial.Holds(3, array.known && array.bytes >= kNoticeable * plan->pool)) continue;
      const auto asks = facts.UsesOf(array.array);
      const bool hinted = std::any_of(asks.begin(), asks.end(), [&](ir::ValueId use) {
        const ir::Op& op = facts.program().ops[use];
        return op.kind == ir::OpKind::kAttr && facts.program().Name(op) == "stencil_hint";
      });
      if (trial.Quiet('d', hinted)) continue;
      trial.ReportOp(uses.front().op)
          .Arg("array", match::ArrayText(facts, array.array))
          .Arg("expr", facts.program().ops[uses.front().op].span)
          .Arg("bytes", match::BytesText(array.bytes))
          .Root(array.array)
          .Evidence(match::SizeEvidence(facts, array.array))
          .Severity(footprint.peak.bytes >= kMuch * plan->pool ? Severity::kWarning : Severity::kInfo)
          .Label(facts.program().ops[beyond->op].span, "used over a larger range here");
    }
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 402,
    .slug = "expanding-slices",
    .family = Family::kMemory,
    .severity = Severity::kInfo,
    .cold = Severity::kInfo,
    .summary = "an array is first used in part and later over a larger range",
    .message =
        "`{array}` ({bytes}) is first used as `{expr}` and later over a larger range, so two instances of it live "
        "at once",
    .why =
        "instances are made for the range that is used; a larger one is filled from the smaller while both live "
        "(26.07)",
    .details = R"md(
Fires at the first use of an array that `zeros`, `ones`, `empty` or `full` made, when that use covers a smaller part of it, a
later use reaches beyond that part, and the array takes at least 1 % of the pool. A warning where the peak takes 70 % of the
pool.

Stays quiet

- (a) on arrays that a whole-array expression made
- (b) where every use covers the same part
- (c) on small arrays, and where the size is not known
- (d) where `stencil_hint` was called
- (e) after the first time: a loop is told once
)md",
    .bad = R"py(
import numpy as np

source = np.ones(4_000_000_000 - 2)
depth = np.zeros(4_000_000_000)
depth[1:-1] = source
total = depth + 1.0
print(total.sum())
)py",
    .good = R"py(
import numpy as np

source = np.ones(4_000_000_000 - 2)
depth = np.zeros(4_000_000_000) + 1.0
depth[1:-1] = source
total = depth + 1.0
print(total.sum())
)py",
    .recipe = "RR-hint",
    .fix = FixClass::kDisplay,
    .preview = true,
    .conditions = R"md(
1. the array is made by a fill that is put off, and its first use covers a part of it that is known to be smaller
2. a later use reaches beyond that part
3. it takes at least 1 % of the pool
)md",
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r402
