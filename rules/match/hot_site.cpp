#include "rules/match/hot_site.h"

#include "rules/match/story.h"

namespace cpnlint::rules::match {

namespace {

// By a solver or an animation. `map(f, files)` walks what may be objects, and `np.apply_along_axis(f, 0, a)` raises.
bool IsDriven(const Facts& facts, const analysis::Heat& heat) {
  return heat.callback.valid() && facts.CalleeOf(heat.callback).kind == analysis::Callee::Kind::kForeign;
}

}  // namespace

HotSite HotSiteOf(const Facts& facts, ir::ValueId op) {
  constexpr double kSeldom = 10;
  const analysis::Heat& heat = facts.HeatOf(op);
  if (!heat.hot || heat.dead || heat.period >= kSeldom) return {};
  if (!heat.loop.valid()) return {heat.loop, false, IsDriven(facts, heat), heat.evidence};
  return {heat.loop, facts.InLoop(op, heat.loop), false, heat.evidence};
}

namespace {

constexpr std::int64_t kManyItems = 64;

// A key of this subscript picks an object: the base is a Python container, or the item is used as an object is.
bool PicksObject(const Facts& facts, ir::ValueId subscript) {
  const ir::Program& program = facts.program();
  const ir::ValueId base = program.Operand(subscript, 0);
  const ir::Op& origin = program.ops[facts.Source(base)];
  if (origin.kind == ir::OpKind::kAttr && program.Name(origin) == "shape") return true;
  const analysis::Value& container = facts.Of(base);
  if (container.kind == analysis::Kind::kStr || facts.ApiName(base) == "sys.argv") return true;
  if (container.kind == analysis::Kind::kList || container.kind == analysis::Kind::kTuple) {
    // A list of numbers is a schedule or a table.
    return container.item.valid() && !analysis::IsNumber(facts.store().Get(container.item).front().kind) &&
           facts.store().Get(container.item).front().kind != analysis::Kind::kUnknown;
  }
  if (facts.IsArray(subscript)) return false;
  for (const ir::ValueId use : facts.UsesOf(subscript)) {
    if (program.ops[use].kind == ir::OpKind::kAttr) return true;
  }
  return false;
}

}  // namespace

bool WalksItems(const Facts& facts, ir::ValueId site, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId item = program.loops[loop].item;
  if (!item.valid() || facts.TripsKnownAtLeast(loop, kManyItems)) return false;
  if (const ir::LoopId region = facts.HeatOf(site).region; region.valid() && region != loop) return false;
  bool picks = false;
  for (const ir::ValueId use : facts.DeepUsesOf(item)) {
    if (program.ops[use].kind != ir::OpKind::kSubscript) continue;
    if (facts.IsArray(program.Operand(use, 0))) return false;
    picks = picks || PicksObject(facts, use);
  }
  return picks;
}

HotSite WaitSiteOf(const Facts& facts, ir::ValueId op) {
  const HotSite hot = HotSiteOf(facts, op);
  return hot && (hot.driven || !WalksItems(facts, op, hot.loop)) ? hot : HotSite{};
}

void TellPasses(const Facts& facts, ir::ValueId op, Span primary, Trial::Report& report) {
  report.Evidence(facts.HeatOf(op).evidence).Arg("passes", PassesText(facts, op));
  TellHotLoop(facts, op, primary, report);
}

}  // namespace cpnlint::rules::match
