#include "rules/engine/why.h"

#include <map>
#include <string>

#include "rules/engine/runner.h"

namespace cpnlint::rules {
namespace {

bool IsException(int condition) { return condition >= 'a' && condition <= 'z'; }

}  // namespace

std::vector<Attempt> Why(const Facts& facts, ir::ModuleId module_id, const Target& target, const Rule& rule,
                         Span line) {
  const ir::Program& program = facts.program();
  const ir::Module& module = program.modules[module_id];
  const auto on_line = [&](Span span) { return line.begin <= span.begin && span.begin < line.end; };
  std::vector<Attempt> attempts;

  // What was tried at things that a hook named (Considers) belongs to them, the rest to `span`. A report may lie on
  // another line than what was looked at.
  const auto attempt = [&](Span span, auto&& hook) {
    Trial trial(rule, facts, target);
    trial.RecordSteps(true);
    hook(trial);
    std::map<ir::ValueId, Attempt> tried;
    for (const Trial::Step& step : trial.steps()) tried[step.considered].steps.push_back(step);
    for (Trial::Pending& pending : trial.pending()) {
      Attempt& one = tried[pending.considered];
      one.reported = true;
      one.evidence = pending.evidence;
      const bool shown = Weigh(facts, pending);
      if (shown) pending.finding.message = MessageOf(facts, pending);
      one.shown = shown || one.shown;
      one.finding = std::move(pending.finding);
    }
    for (auto& [considered, one] : tried) {
      one.span = considered.valid() ? program.ops[considered].span : span;
      if (on_line(one.span) || (one.reported && on_line(one.finding.span))) attempts.push_back(std::move(one));
    }
  };

  // What a rule asks of the module as a whole belongs to any line.
  if (rule.on_module != nullptr) {
    attempt(line, [&](Trial& trial) { rule.on_module(facts, module_id, trial); });
  }
  for (std::size_t index = module.first_function.index(); index < module.end_function.index(); ++index) {
    const ir::FunctionId id(index);
    const ir::Function& function = program.functions[id];
    if (InCompiledRegion(facts, id)) continue;
    if (rule.on_function != nullptr) {
      attempt(function.name_span, [&](Trial& trial) { rule.on_function(facts, id, trial); });
    }
    if (rule.on_loop != nullptr) {
      for (const ir::LoopId loop : LoopsOf(program, id)) {
        attempt(program.loops[loop].header_span, [&](Trial& trial) { rule.on_loop(facts, loop, trial); });
      }
    }
    if (rule.on_op == nullptr) continue;
    for (const ir::BlockId block : function.blocks) {
      for (const ir::ValueId op : program.blocks[block].ops) {
        const ir::Op& data = program.ops[op];
        if ((data.flags & ir::kInAnnotation) != 0 || !rule.ops.Has(data.kind)) continue;
        attempt(data.span, [&](Trial& trial) { rule.on_op(facts, op, trial); });
      }
    }
  }
  return attempts;
}

std::string_view ConditionText(const Rule& rule, int condition) {
  const std::string mark = IsException(condition) ? "- (" + std::string(1, static_cast<char>(condition)) + ") "
                                                  : std::to_string(condition) + ". ";
  for (std::string_view rest : {std::string_view(rule.conditions), std::string_view(rule.details)}) {
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view text = rest.substr(0, end);
      if (text.starts_with(mark)) return text.substr(mark.size());
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
  }
  return {};
}

}  // namespace cpnlint::rules
