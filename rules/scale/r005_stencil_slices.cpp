// R005 stencil-slices: shifted slices of one array combined element by element.

#include <algorithm>
#include <map>

#include "rules/engine/rule.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/layout.h"

namespace cpnlint::rules::r005 {

using analysis::KeyKind;
using ir::OpKind;

constexpr std::int64_t kFarthest = 8;

// Offsets of a view made by plain slices: where it starts on each axis. nullopt where it is none, or not by constants.
static std::optional<std::vector<std::int64_t>> OffsetsOf(const Facts& facts, ir::ValueId op) {
  if (facts.program().ops[op].kind != OpKind::kSubscript || !facts.IsDevice(op)) return std::nullopt;
  const analysis::SubscriptResult& subscript = facts.SubscriptOf(op);
  if (subscript.selects != analysis::SubscriptResult::Selects::kView) return std::nullopt;
  ir::DimStore& dims = facts.store().dims();
  std::vector<std::int64_t> offsets;
  for (const analysis::Key& key : subscript.keys) {
    if (key.kind != KeyKind::kSlice || (key.step_given && key.step != 1)) return std::nullopt;
    std::int64_t offset = 0;
    if (key.lower_given) {
      const auto lower = dims.AsConst(key.lower);
      if (!lower || *lower < 0 || *lower > kFarthest) return std::nullopt;
      offset = *lower;
    }
    if (key.upper_given) {
      const auto upper = dims.AsConst(key.upper);
      if (upper && (*upper > 0 || *upper < -kFarthest)) return std::nullopt;
    }
    offsets.push_back(offset);
  }
  return offsets;
}

struct Stencil {
  ir::ValueId array;  // what is sliced
  Span array_span;
  std::size_t slices = 0;
  std::int64_t reach = 0;
};

// The array of which the expression combines most differently shifted slices.
static Stencil FindStencil(const Facts& facts, ir::ValueId root) {
  std::map<ir::ValueId, std::vector<std::vector<std::int64_t>>> by_array;
  std::map<ir::ValueId, Span> spans;
  for (const ir::ValueId op : match::ExpressionOf(facts, root)) {
    const auto offsets = OffsetsOf(facts, op);
    if (!offsets) continue;
    const ir::ValueId array = facts.Source(facts.program().Operand(op, 0));
    std::vector<std::vector<std::int64_t>>& seen = by_array[array];
    if (!seen.empty() && seen.front().size() != offsets->size()) continue;
    if (std::find(seen.begin(), seen.end(), *offsets) != seen.end()) continue;
    seen.push_back(*offsets);
    spans.try_emplace(array, facts.program().OperandSpan(op, 0));
  }
  Stencil best;
  for (const auto& [array, shifts] : by_array) {
    if (shifts.size() <= best.slices) continue;
    std::int64_t reach = 0;
    for (std::size_t axis = 0; axis < shifts.front().size(); ++axis) {
      const auto less = [&](const auto& a, const auto& b) { return a[axis] < b[axis]; };
      const auto [low, high] = std::minmax_element(shifts.begin(), shifts.end(), less);
      reach = std::max(reach, (*high)[axis] - (*low)[axis]);
    }
    best = {array, spans[array], shifts.size(), reach};
  }
  return best;
}

// Fires when
//   1. the op is the outermost of an elementwise expression,
//   2. it combines two or more slices of one array, shifted against each other by constants of at most 8,
//   3. it runs in a hot loop, or in a function called from one.
// Quiet: (a) stepped slices, (b) offsets of the loop and (d) different arrays are condition 2, (c) roll is no slice,
// (e) known to be small, (f) inside of a loop over elements.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  if (!trial.Holds(1, match::IsElementwise(facts, op) && !match::InsideElementwise(facts, op))) return;
  if (!trial.Holds(3, static_cast<bool>(match::HotSiteOf(facts, op)))) return;
  if (trial.Quiet('f', facts.HeatOf(op).in_element_loop)) return;
  const Stencil stencil = FindStencil(facts, op);
  if (!trial.Holds(2, stencil.slices >= 2 && stencil.reach >= 1) || stencil.slices == 0) return;
  if (trial.Quiet('e', facts.KnownBelow(op, 10'000))) return;
  trial.ReportOp(op)
      .Arg("n", std::to_string(stencil.slices))
      .Arg("k", std::to_string(stencil.reach))
      .Arg("array", stencil.array_span)
      .Evidence(facts.Of(op).evidence | facts.HeatOf(op).evidence);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 5,
    .slug = "stencil-slices",
    .family = Family::kScales,
    .severity = Severity::kGood,
    .cold = Severity::kGood,
    .summary = "shifted slices of one array combined in a hot loop",
    .message = "`{expr}` combines {n} shifted slices of `{array}` (reach {k}); the runtime exchanges the neighbours",
    .why = "the slices are aligned views, and each tile fetches the strips it lacks from its neighbours (26.07)",
    .details = R"md(
Counts elementwise expressions in hot loops that combine two or more slices of one array with constant offsets of at most
8 and step 1.

Does not count slices with a step (R106), offsets that depend on the loop, shifts by `np.roll`, slices of different
arrays, and interiors known to be below 10,000 elements.

The first use enlarges the instance of each tile. Only `convolve` and `cupynumeric.ndimage` derive a bound from the shape
of the stencil; slicing does not.
)md",
    .bad = R"py(
import numpy as np

def diffuse(n, steps):
    h = np.zeros(n)
    h_new = np.zeros(n)
    for _ in range(steps):
        h_new[1:-1] = h[1:-1] + 0.1 * (h[2:] - 2 * h[1:-1] + h[:-2])
        h, h_new = h_new, h
    return h
)py",
    .good = R"py(
import numpy as np

def decay(n, steps):
    h = np.ones(n)
    for _ in range(steps):
        h *= 0.9
    return h
)py",
    .recipe = "RR-hint",
    .conditions = R"md(
1. the outermost of an elementwise expression
2. it combines two or more slices of one array, shifted against each other by constants of at most 8
3. it runs in a hot loop, or in a function called from one
- (e) the arrays are known to be small
- (f) inside of a loop over elements
)md",
    .ops = {OpKind::kBinary, OpKind::kUnary, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r005
