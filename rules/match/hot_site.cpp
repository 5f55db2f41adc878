#include "rules/match/hot_site.h"

#include "rules/match/story.h"

namespace cpnlint::rules::match {

HotSite HotSiteOf(const Facts& facts, ir::ValueId op) {
  constexpr double kSeldom = 10;
  const analysis::Heat& heat = facts.HeatOf(op);
  if (!heat.hot || heat.dead || heat.period >= kSeldom || !heat.loop.valid()) return {};
  return {heat.loop, facts.InLoop(op, heat.loop), heat.evidence};
}

void TellPasses(const Facts& facts, ir::ValueId op, Span primary, Trial::Report& report) {
  report.Evidence(facts.HeatOf(op).evidence).Arg("passes", HotLoopText(facts, op));
  TellHotLoop(facts, op, primary, report);
}

}  // namespace cpnlint::rules::match
