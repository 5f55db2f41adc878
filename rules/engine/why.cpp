#include "rules/engine/why.h"

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

  const auto attempt = [&](Span span, auto&& hook) {
    Trial trial(rule, facts, target);
    trial.RecordSteps(true);
    hook(trial);
    if (trial.steps().empty() && trial.pending().empty()) return;
    Attempt& made = attempts.emplace_back();
    made.span = span;
    made.steps = trial.steps();
    for (const Trial::Pending& pending : trial.pending()) {
      made.reported = true;
      made.shown = Complete(facts, pending, made.finding) || made.shown;
    }
  };

  // A module-wide rule reports where it pleases: its attempt belongs to any line.
  if (rule.on_module != nullptr) {
    attempt(line, [&](Trial& trial) { rule.on_module(facts, module_id, trial); });
  }
  for (std::size_t index = module.first_function.index(); index < module.end_function.index(); ++index) {
    const ir::FunctionId id(index);
    const ir::Function& function = program.functions[id];
    if (InCompiledRegion(facts, id)) continue;
    if (rule.on_function != nullptr && on_line(function.name_span)) {
      attempt(function.name_span, [&](Trial& trial) { rule.on_function(facts, id, trial); });
    }
    if (rule.on_loop != nullptr) {
      for (const ir::LoopId loop : LoopsOf(program, id)) {
        const Span header = program.loops[loop].header_span;
        if (on_line(header)) attempt(header, [&](Trial& trial) { rule.on_loop(facts, loop, trial); });
      }
    }
    if (rule.on_op == nullptr) continue;
    for (const ir::BlockId block : function.blocks) {
      for (const ir::ValueId op : program.blocks[block].ops) {
        const ir::Op& data = program.ops[op];
        if ((data.flags & ir::kInAnnotation) != 0 || !rule.ops.Has(data.kind) || !on_line(data.span)) continue;
        attempt(data.span, [&](Trial& trial) { rule.on_op(facts, op, trial); });
      }
    }
  }
  return attempts;
}

std::string_view ConditionText(const Rule& rule, int condition) {
  const std::string mark = IsException(condition) ? "- (" + std::string(1, static_cast<char>(condition)) + ") "
                                                  : std::to_string(condition) + ". ";
  std::string_view rest = rule.details;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view text = rest.substr(0, end);
    if (text.starts_with(mark)) return text.substr(mark.size());
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace cpnlint::rules
