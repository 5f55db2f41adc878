// Functions that a driver calls again and again: the loop kind `callback` of rules.md A.5. The loop itself stands in
// another library.

#include <algorithm>
#include <array>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

// Modules whose functions iterate over what they are given, and single functions that do.
constexpr auto kDriverModules = std::to_array<std::string_view>({"scipy.integrate", "scipy.optimize"});
constexpr auto kDrivers = std::to_array<std::string_view>({
    "matplotlib.animation.FuncAnimation",
    "numpy.apply_along_axis",
    "numpy.apply_over_axes",
    "scipy.sparse.linalg.LinearOperator",
});

// Calls its function once, with an array of all places.
constexpr std::string_view kCallsOnce = "scipy.integrate.fixed_quad";

// Drivers that hand a function one argument of their own, and where the others stand that their caller wants it to
// have.
constexpr auto kArgsAt = std::to_array<std::pair<std::string_view, std::uint32_t>>({
    {"scipy.integrate.quad", 3},         {"scipy.optimize.bisect", 3},
    {"scipy.optimize.brent", 1},         {"scipy.optimize.brenth", 3},
    {"scipy.optimize.brentq", 3},        {"scipy.optimize.fmin", 2},
    {"scipy.optimize.fmin_bfgs", 3},     {"scipy.optimize.fmin_cg", 3},
    {"scipy.optimize.fmin_l_bfgs_b", 3}, {"scipy.optimize.fmin_powell", 2},
    {"scipy.optimize.fminbound", 3},     {"scipy.optimize.fsolve", 2},
    {"scipy.optimize.golden", 1},        {"scipy.optimize.leastsq", 2},
    {"scipy.optimize.minimize", 2},      {"scipy.optimize.minimize_scalar", 3},
    {"scipy.optimize.newton", 3},        {"scipy.optimize.ridder", 3},
    {"scipy.optimize.root", 2},          {"scipy.optimize.root_scalar", 1},
    {"scipy.optimize.toms748", 3},
});

bool IsDriver(const Callee& callee) {
  if (callee.kind == Callee::Kind::kBuiltin) return callee.name == "map";
  if (callee.kind != Callee::Kind::kForeign && callee.kind != Callee::Kind::kApi) return false;
  if (callee.name == kCallsOnce) return false;
  if (std::binary_search(kDrivers.begin(), kDrivers.end(), callee.name)) return true;
  return std::any_of(kDriverModules.begin(), kDriverModules.end(), [&](std::string_view module) {
    return callee.name != module && StartsWithModule(callee.name, module);
  });
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

std::optional<std::uint32_t> FirstLeftOut(const Facts& facts, const Facts::Impl& impl, ir::FunctionId function,
                                          ir::ValueId call) {
  const std::string_view driver = facts.CalleeOf(call).name;
  const auto known = std::find_if(kArgsAt.begin(), kArgsAt.end(), [&](const auto& at) { return at.first == driver; });
  if (known == kArgsAt.end() || facts.HasStarArguments(call) || facts.Argument(call, known->second, "args").valid())
    return std::nullopt;
  for (const ir::ValueId argument : impl.program.Operands(call).subspan(1)) {
    if (FunctionHanded(facts, argument) != function) continue;
    const Value& handed = facts.Of(argument);
    if (handed.kind == Kind::kFunction) return 1U;
    const bool bound = handed.receiver.valid() && facts.Of(handed.receiver).kind != Kind::kClass;
    return handed.kind == Kind::kMethod && bound ? std::optional(2U) : std::nullopt;  // partial(f, 2): not known
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
