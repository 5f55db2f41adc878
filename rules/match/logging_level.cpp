#include "rules/match/logging_level.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;

namespace {

constexpr std::pair<std::string_view, std::int64_t> kLevels[] = {
    {"NOTSET", 0}, {"DEBUG", 10}, {"INFO", 20}, {"WARNING", 30}, {"WARN", 30}, {"ERROR", 40}, {"CRITICAL", 50}};

// `logging.INFO`, `"INFO"`, `20`.
std::optional<std::int64_t> LevelOf(const Facts& facts, ir::ValueId value) {
  constexpr std::string_view kModule = "logging.";
  if (const auto number = facts.IntOf(value)) return number;
  std::string_view name = facts.TextOf(value).value_or(facts.ApiName(value));
  if (name.starts_with(kModule)) name.remove_prefix(kModule.size());
  const auto* const level = std::ranges::find(kLevels, name, &std::pair<std::string_view, std::int64_t>::first);
  return level != std::end(kLevels) ? std::optional(level->second) : std::nullopt;
}

// `logger.info`, `logging.info`, `logging.basicConfig`: what follows the last dot of what is called.
std::string_view MethodOf(const ir::Program& program, ir::ValueId op) {
  if (program.ops[op].kind != OpKind::kCall) return {};
  const ir::ValueId callee = program.Operand(op, 0);
  return callee.valid() && program.ops[callee].kind == OpKind::kAttr ? program.Name(program.ops[callee])
                                                                     : std::string_view();
}

bool TestsNameOfModule(const ir::Program& program, ir::GuardId guard) {
  const ir::ValueId truth = program.guards[guard].truth;
  const ir::ValueId test = truth.valid() ? program.Operand(truth, 0) : ir::ValueId::None();
  if (!test.valid() || program.ops[test].kind != OpKind::kCompare) return false;
  return std::ranges::any_of(program.Operands(test), [&](ir::ValueId side) {
    return program.ops[side].kind == OpKind::kBuiltin && program.Name(program.ops[side]) == "__name__";
  });
}

// Where its function runs at all, or the module is run: not behind an option.
bool RunsAlways(const ir::Program& program, ir::ValueId op) {
  for (ir::GuardId guard = program.blocks[program.ops[op].block].guard; guard.valid();
       guard = program.guards[guard].parent) {
    if (!TestsNameOfModule(program, guard)) return false;
  }
  return true;
}

// The highest of the levels that the module sets; nullopt where it sets none, or one that is not known.
std::optional<std::int64_t> LevelOfModule(const Facts& facts, ir::ModuleId id) {
  const ir::Program& program = facts.program();
  const ir::Module& module = program.modules[id];
  std::optional<std::int64_t> highest;
  for (std::uint32_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
    for (const ir::ValueId call : program.functions[ir::FunctionId(i)].calls) {
      const std::string_view method = MethodOf(program, call);
      if (method != "basicConfig" && method != "setLevel") continue;
      const std::optional<std::int64_t> level = LevelOf(
          facts, method == "setLevel" ? facts.Argument(call, 0, "level") : facts.KeywordArgument(call, "level"));
      if (!level || !RunsAlways(program, call)) return std::nullopt;
      highest = std::max(highest.value_or(*level), *level);
    }
  }
  return highest;
}

}  // namespace

Logged LoggedBy(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const std::string_view method = MethodOf(program, op);
  if (method != "debug" && method != "info" && method != "log") return Logged::kAlways;
  const std::optional<std::int64_t> own = method == "debug"  ? 10
                                          : method == "info" ? 20
                                                             : LevelOf(facts, facts.Argument(op, 0, "level"));
  const ir::ModuleId module = program.functions[program.FunctionOf(op)].module;
  const std::optional<std::int64_t> asked = own ? LevelOfModule(facts, module) : std::nullopt;
  return asked && *asked <= *own ? Logged::kByModule : Logged::kByElsewhere;
}

}  // namespace cpnlint::rules::match
