// Functions that a driver calls again and again: the loop kind `callback` of rules.md A.5. The loop itself stands in
// another library.

#include <algorithm>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/drivers.h"
#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

bool IsDriver(const Callee& callee) {
  if (callee.kind == Callee::Kind::kBuiltin) return callee.name == "map";
  if (callee.kind != Callee::Kind::kForeign && callee.kind != Callee::Kind::kApi) return false;
  return CallsRepeatedly(callee.name);
}

// map(f, (a, b)): once for each of a few items.
bool HasFewItems(const Facts& facts, ir::ValueId call) {
  const ir::ValueId items = facts.program().Operand(call, 2);
  if (!items.valid()) return true;
  const Value& value = facts.Of(items);
  const bool counted = value.kind == Kind::kRange || value.kind == Kind::kTuple || value.kind == Kind::kList;
  const ir::DimId count = counted                      ? value.dim
                          : value.kind == Kind::kArray ? facts.ExtentOf(items, 0)
                                                       : ir::DimId::None();
  const std::optional<std::int64_t> known = facts.store().dims().AsConst(count);
  return known && *known < kHotTrips;
}

// `f`, `self.f` and `partial(f, 2)` as arguments; None() for what is no function of the program.
ir::FunctionId FunctionHanded(const Facts& facts, ir::ValueId argument) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(argument);
  if (source.valid() && program.ops[source].kind == ir::OpKind::kCall &&
      facts.CalleeOf(source).name == "functools.partial") {
    argument = program.Operand(source, 1);
  }
  const Value& handed = facts.Of(argument);
  const bool function = handed.kind == Kind::kFunction || handed.kind == Kind::kMethod;
  return function ? handed.function : ir::FunctionId::None();
}

}  // namespace

const Driver* DriverOf(const Facts& facts, const Facts::Impl& impl, ir::FunctionId function, ir::ValueId call) {
  const ir::Program& program = impl.program;
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  const std::span<const ir::ValueId> arguments = program.Operands(call).subspan(1);
  if (facts.HasStarArguments(call)) return nullptr;
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    if (FunctionHanded(facts, arguments[i]) != function) continue;
    const std::string_view keyword =
        i < shape.positional ? std::string_view() : impl.names.Text(shape.keywords[i - shape.positional]);
    if (const Driver* driver = FindDriver(facts.CalleeOf(call).name, i, keyword)) return driver;
  }
  return nullptr;
}

bool HandsOnlyNumbers(const Driver& driver) {
  return !driver.hands.empty() && driver.hands.find_first_of("avo") == std::string_view::npos;
}

std::optional<std::uint32_t> FirstLeftOut(const Facts& facts, const Facts::Impl& impl, ir::FunctionId function,
                                          ir::ValueId call) {
  const Driver* driver = DriverOf(facts, impl, function, call);
  if (driver == nullptr || driver->hands.empty() || driver->hands.ends_with('+')) return std::nullopt;
  if (driver->args_at != 0 && facts.Argument(call, driver->args_at, driver->args).valid()) return std::nullopt;
  if (facts.KeywordArgument(call, driver->kwargs).valid()) return std::nullopt;
  const auto own = static_cast<std::uint32_t>(driver->hands.size());
  for (const ir::ValueId argument : impl.program.Operands(call).subspan(1)) {
    if (FunctionHanded(facts, argument) != function) continue;
    const Value& handed = facts.Of(argument);
    if (handed.kind == Kind::kFunction) return own;
    if (handed.kind != Kind::kMethod) return std::nullopt;  // partial(f, 2): not known
    return IsBound(facts, handed) ? own + 1 : own;
  }
  return std::nullopt;
}

const std::vector<ir::ValueId>& DriverCallsOf(const Facts& facts, Facts::Impl& impl, ir::FunctionId function) {
  static const std::vector<ir::ValueId> none;
  if (!impl.driver_calls_known) {
    impl.driver_calls_known = true;
    const ir::Program& program = impl.program;
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      for (const ir::ValueId call : program.functions[ir::FunctionId(i)].calls) {
        const Callee& callee = facts.CalleeOf(call);
        if (!IsDriver(callee)) continue;
        if (callee.kind == Callee::Kind::kBuiltin && HasFewItems(facts, call)) continue;
        for (const ir::ValueId argument : program.Operands(call).subspan(1)) {
          const ir::FunctionId handed = FunctionHanded(facts, argument);
          if (!handed.valid()) continue;
          std::vector<ir::ValueId>& calls = impl.driver_calls[handed];
          if (calls.empty() || calls.back() != call) calls.push_back(call);
        }
      }
    }
  }
  const auto found = impl.driver_calls.find(function);
  return found == impl.driver_calls.end() ? none : found->second;
}

}  // namespace cpnlint::analysis
