#include "cli/causes.h"

#include <algorithm>
#include <unordered_set>

#include "rules/engine/runner.h"

namespace cpnlint::cli {
namespace {

using analysis::Facts;

constexpr std::size_t kMostFunctions = 500;  // looked at on the way out
constexpr std::size_t kMostCallers = 20;     // of a parameter

// The shortest chain of calls from within the loop to the function, outermost first; empty where there is none, or
// where the loop stands in the function itself.
std::vector<ir::ValueId> CallsBetween(const Facts& facts, ir::LoopId loop, ir::FunctionId function) {
  const ir::Program& program = facts.program();
  struct Step {
    ir::FunctionId function;
    ir::ValueId call;      // in it, that leads on
    std::size_t next = 0;  // the step that it leads to
  };
  std::vector<Step> steps = {{function, ir::ValueId::None(), 0}};
  std::unordered_set<ir::FunctionId> seen = {function};
  if (program.loops[loop].function == function) return {};
  for (std::size_t at = 0; at < steps.size() && at < kMostFunctions; ++at) {
    for (const ir::ValueId call : facts.CallSitesOf(steps[at].function)) {
      const ir::FunctionId caller = program.FunctionOf(call);
      if (caller == program.loops[loop].function && facts.InLoop(call, loop)) {
        std::vector<ir::ValueId> chain = {call};
        for (std::size_t on = at; steps[on].call.valid(); on = steps[on].next) chain.push_back(steps[on].call);
        return chain;
      }
      if (seen.insert(caller).second) steps.push_back({caller, call, at});
    }
  }
  return {};
}

}  // namespace

std::vector<Cause> CausesOf(const rules::Finding& finding, const Facts& facts) {
  const ir::Program& program = facts.program();
  std::vector<Cause> causes;
  const auto add = [&](Span span, std::string_view what) {
    const bool known =
        std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) { return cause.span == span; });
    if (!known && !span.empty()) causes.push_back({span, what});
  };
  if (const ir::ValueId site = rules::HeatSite(facts, finding); site.valid() && facts.HeatOf(site).hot) {
    const analysis::Heat& heat = facts.HeatOf(site);
    if (heat.callback.valid()) add(program.ops[heat.callback].span, "calls it again and again");
    const ir::LoopId outer = heat.region.valid() ? heat.region : heat.loop;
    if (outer.valid()) {
      add(program.loops[outer].header_span, "runs it again and again");
      for (const ir::ValueId call : CallsBetween(facts, outer, program.FunctionOf(site))) {
        add(program.ops[call].span, "calls it");
      }
    }
    if (heat.loop.valid()) add(program.loops[heat.loop].header_span, "runs it again and again");
  }
  // An array because of what callers pass.
  const ir::ValueId root = facts.Source(finding.root);
  const bool passed = root.valid() && program.ops[root].kind == ir::OpKind::kParam &&
                      (facts.Of(root).evidence & analysis::kCalledWith) != 0;
  if (!passed) return causes;
  std::size_t callers = 0;
  for (const ir::ValueId call : facts.CallSitesOf(program.FunctionOf(root))) {
    if (++callers > kMostCallers) break;
    add(program.ops[call].span, "passes an array");
  }
  return causes;
}

Span ExtentOf(const rules::Finding& finding, const Facts& facts) {
  const ir::Program& program = facts.program();
  if (finding.site.valid()) {
    const ir::StatementId statement = program.ops[finding.site].statement;
    return statement.valid() ? Join(finding.span, program.statements[statement].span) : finding.span;
  }
  return finding.loop.valid() ? Join(finding.span, program.loops[finding.loop].span) : finding.span;
}

}  // namespace cpnlint::cli
