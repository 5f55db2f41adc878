#include "analyzer/analysis/call_path.h"

#include <algorithm>

#include "analyzer/analysis/either_objects.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kLongestWay = 4;    // calls
constexpr std::size_t kMostCallers = 64;  // functions that lead to one; more of them may come from anywhere

// The call runs this function, and no method that overrides it.
bool RunsJust(const Facts& facts, ir::ValueId call, ir::FunctionId function) {
  const ir::Program& program = facts.program();
  if (program.ops[call].kind != ir::OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind != Callee::Kind::kLocal || callee.function != function) return false;
  if (!program.functions[function].owner.valid()) return true;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const ir::FunctionId other(i);
    if (other == function || program.functions[other].name != program.functions[function].name) continue;
    const auto sites = facts.CallSitesOf(other);
    if (std::find(sites.begin(), sites.end(), call) != sites.end()) return false;
  }
  return true;
}

bool ReturnsBefore(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const auto& returns = program.functions[program.FunctionOf(op)].returns;
  return std::any_of(returns.begin(), returns.end(), [&](ir::ValueId leave) { return leave < op; });
}

bool StandsAlone(const ir::Program& program, ir::ValueId op) {
  const ir::Block& block = program.blocks[program.ops[op].block];
  return !block.guard.valid() && !block.loop.valid();
}

// `name` is one of the builtins that decorate methods.
bool IsDecoratedBy(const Facts& facts, ir::FunctionId function, std::string_view name) {
  const ir::Program& program = facts.program();
  const auto& decorators = program.functions[function].decorators;
  return std::any_of(decorators.begin(), decorators.end(), [&](ir::ValueId decorator) {
    if (program.ops[decorator].kind == ir::OpKind::kCall) decorator = program.Operand(decorator, 0);
    const Value& value = facts.Of(decorator);
    return value.kind == Kind::kBuiltin && program.names.Text(value.name) == name;
  });
}

bool IsSuperCall(const Facts& facts, ir::ValueId value) {
  if (!value.valid() || facts.program().ops[value].kind != ir::OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(value);
  return callee.kind == Callee::Kind::kBuiltin && callee.name == "super";
}

}  // namespace

bool ReachedFrom(const Facts& facts, ir::FunctionId function, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  std::vector<ir::FunctionId> work = {function};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (work.size() > kMostCallers) return true;
    for (const ir::ValueId site : facts.CallSitesOf(work[i])) {
      const ir::FunctionId caller = program.FunctionOf(site);
      if (caller == program.loops[loop].function) {
        if (facts.InLoop(site, loop)) return true;
      }
      if (std::find(work.begin(), work.end(), caller) == work.end()) work.push_back(caller);
    }
  }
  return false;
}

bool IsBound(const Facts& facts, const Value& method) {
  if (method.function.valid() && IsDecoratedBy(facts, method.function, "staticmethod")) return false;
  const Kind of = facts.Of(method.receiver).kind;
  if (of == Kind::kClass) return method.function.valid() && IsDecoratedBy(facts, method.function, "classmethod");
  return of != Kind::kBottom;
}

// How many arguments stand before the first `*more`.
static std::size_t BeforeStar(const ir::Program& program, ir::ValueId call) {
  const auto positional = program.Operands(call).subspan(1, program.Shape(program.ops[call]).positional);
  const auto star = std::ranges::find_if(
      positional, [&](ir::ValueId one) { return one.valid() && program.ops[one].kind == ir::OpKind::kStarred; });
  return static_cast<std::size_t>(star - positional.begin());
}

Handed HandedOver(const Facts& facts, ir::ValueId call, ir::FunctionId function_id, std::size_t param) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[function_id];
  if (param >= function.params.size()) return {};
  const ir::ValueId called = program.Operand(call, 0);
  if (program.ops[call].kind == ir::OpKind::kAttr) return param == 0 ? Handed{called, true} : Handed{};  // a property
  if (program.ops[call].kind != ir::OpKind::kCall) return {};
  const ir::ParamKind kind = function.params[param].kind;
  if (kind == ir::ParamKind::kVarPositional || kind == ir::ParamKind::kVarKeyword) return {};
  const Value& either = facts.Of(called);
  const bool several = either.kind == Kind::kFunction && either.elements.valid();
  const std::vector<Value> alternatives = several ? facts.store().Get(either.elements) : std::vector<Value>{};
  const auto meant = std::find_if(alternatives.begin(), alternatives.end(),
                                  [&](const Value& one) { return one.function == function_id; });
  const Value& callee = meant != alternatives.end() ? *meant : either;
  std::size_t bound = 0;
  if (callee.kind == Kind::kMethod) {
    bound = IsBound(facts, callee) ? 1 : 0;
    if (bound == 1 && param == 0) {
      ir::ValueId object = callee.receiver;
      if (IsSuperCall(facts, object)) {  // the object itself, of another class
        const ir::Function& around = program.functions[program.FunctionOf(call)];
        object = around.params.empty() ? ir::ValueId::None() : around.params.front().value;
      }
      return {object, object.valid()};
    }
  } else if (callee.kind == Kind::kInstance) {
    bound = 1;
    if (param == 0) return {called, true};
  } else if (IsEither(callee)) {
    bound = 1;
    const bool object = facts.store().Get(callee.elements).front().kind == Kind::kInstance;
    if (param == 0) return object ? Handed{called, true} : Handed{};
  } else if (callee.kind == Kind::kClass) {
    bound = 1;
    if (param == 0) return {};
  } else if (callee.kind != Kind::kFunction) {
    return {};
  }
  const bool by_position = kind == ir::ParamKind::kPositional || kind == ir::ParamKind::kPositionalOnly;
  const std::size_t position = by_position ? param - bound : facts.PositionalCount(call);
  const std::string_view name = program.names.Text(function.params[param].name);
  if (facts.HasStarArguments(call)) {  // `f(x, *more, n=3, **options)`: x and n are what stands there
    const bool stands = by_position && position < BeforeStar(program, call);
    const ir::ValueId given =
        stands ? program.Operand(call, 1 + static_cast<std::uint32_t>(position)) : facts.KeywordArgument(call, name);
    return {given, given.valid()};
  }
  const ir::ValueId argument = facts.Argument(call, position, name);
  if (argument.valid()) return {argument, true};
  return {function.params[param].default_value, function.params[param].default_value.valid()};
}

namespace {

std::optional<std::vector<ir::ValueId>> FindOnlyWay(const Facts& facts, ir::FunctionId function, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::FunctionId home = program.loops[loop].function;
  // Backwards from the function: all calls that lead to it from somewhere the loop may come to.
  std::vector<ir::ValueId> way;
  std::vector<ir::FunctionId> seen = {function};
  for (ir::FunctionId at = function; at != home;) {
    if (program.functions[at].is_generator || program.functions[at].is_async || facts.IsCompiledElsewhere(at) ||
        way.size() == kLongestWay)
      return std::nullopt;
    ir::ValueId only;
    for (const ir::ValueId site : facts.CallSitesOf(at)) {
      const ir::FunctionId caller = program.FunctionOf(site);
      if (caller == home && !facts.InLoop(site, loop)) continue;
      // A caller that the loop never comes to does not matter.
      if (caller != home && !ReachedFrom(facts, caller, loop)) continue;
      if (only.valid() || !RunsJust(facts, site, at)) return std::nullopt;
      only = site;
    }
    if (!only.valid()) return std::nullopt;
    way.push_back(only);
    at = program.FunctionOf(only);
    if (std::find(seen.begin(), seen.end(), at) != seen.end()) return std::nullopt;
    seen.push_back(at);
  }
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace

std::optional<std::vector<ir::ValueId>> OnlyWayTo(const Facts& facts, ir::FunctionId function, ir::LoopId loop) {
  // Asked for one op of a function after the other, and most of them are hot by the same loop.
  struct Known {
    std::uint64_t facts = 0;  // serial
    ir::FunctionId function;
    ir::LoopId loop;
    std::optional<std::vector<ir::ValueId>> way;
  };
  thread_local Known known;
  if (known.facts != facts.serial() || known.function != function || known.loop != loop)
    known = {facts.serial(), function, loop, FindOnlyWay(facts, function, loop)};
  return known.way;
}

bool RunsOnEachPass(const Facts& facts, const std::vector<ir::ValueId>& calls, ir::ValueId op, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId at : calls) {
    if (program.FunctionOf(at) != program.loops[loop].function) {
      if (!StandsAlone(program, at) || ReturnsBefore(facts, at)) return false;
      continue;
    }
    if (program.LoopOf(at) != loop) return false;
    for (ir::GuardId guard = program.blocks[program.ops[at].block].guard; guard.valid();
         guard = program.guards[guard].parent) {
      const ir::LoopId around = program.guards[guard].loop;
      if (around.valid() && facts.LoopContains(loop, around)) return false;
    }
  }
  return StandsAlone(program, op) && !ReturnsBefore(facts, op);
}

std::vector<Handed> AllHandedOver(const Facts& facts, ir::ValueId param) {
  const ir::FunctionId function = facts.program().FunctionOf(param);
  const auto& params = facts.program().functions[function].params;
  const auto at = std::ranges::find(params, param, [](const ir::Param& one) { return one.value; });
  std::vector<Handed> handed;
  if (at == params.end()) return handed;
  for (const ir::ValueId call : facts.CallSitesOf(function))
    handed.push_back(HandedOver(facts, call, function, static_cast<std::size_t>(at - params.begin())));
  return handed;
}

}  // namespace cpnlint::analysis
