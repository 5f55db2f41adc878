#include "analyzer/analysis/settled_tests.h"

#include <algorithm>

#include "analyzer/analysis/attribute_stores.h"

namespace cpnlint::analysis {
namespace {

// Whether a test has that outcome with all that a parameter or an attribute is given, be it a parameter that is left
// so itself: `fit(x, debug=debug)` in a function with `debug=False`, `debug=self.debug` of a class whose objects are
// made so.
class Settled {
 public:
  Settled(const Facts& facts, Facts::Impl& impl, const Test& test) : facts_(facts), impl_(impl), test_(test) {}

  // The default settles it, and so does what every known call hands over. Without a default there is some call.
  // NOLINTNEXTLINE(misc-no-recursion): `depth` and `visits_` bound it
  [[nodiscard]] bool Parameter(ir::FunctionId id, std::uint32_t param, int depth) {
    const ir::Function& function = facts_.program().functions[id];
    const std::vector<ir::ValueId>& calls = impl_.functions[id].call_sites;
    const ir::ValueId by_default = function.params[param].default_value;
    if (calls.size() > kMostCalls || ++visits_ > kMostVisits) return false;
    if (by_default.valid() ? !Settles(by_default) : calls.empty()) return false;
    // NOLINTNEXTLINE(misc-no-recursion)
    return std::ranges::all_of(calls, [&](ir::ValueId call) {
      return Given(Passed(facts_, impl_, call, function, param), facts_.program().FunctionOf(call), depth + 1);
    });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool Attribute(ir::ValueId read, int depth) {
    const ir::Program& program = facts_.program();
    if (!read.valid() || program.ops[read].kind != ir::OpKind::kAttr) return false;
    const Value& object = facts_.Of(program.Operand(read, 0));
    if (object.kind != Kind::kInstance) return false;
    IndexAttributeStores(impl_);
    const auto stored =
        impl_.attribute_stores.find(SlotKey(FamilyOf(impl_, object.class_id), program.SymbolOf(program.ops[read])));
    if (stored == impl_.attribute_stores.end() || stored->second.size() > kMostCalls) return false;
    // NOLINTNEXTLINE(misc-no-recursion)
    return std::ranges::all_of(stored->second, [&](ir::ValueId value) {
      return value.valid() && Given(value, program.FunctionOf(value), depth + 1);
    });
  }

 private:
  static constexpr std::size_t kMostCalls = 32;
  static constexpr int kDeepest = 6;
  static constexpr int kMostVisits = 64;

  [[nodiscard]] bool Settles(ir::ValueId value) const {
    return value.valid() && Decide(facts_, impl_, test_.id, facts_.Of(value)) == test_.holds;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool Given(ir::ValueId value, ir::FunctionId by, int depth) {
    if (!value.valid() || depth > kDeepest) return false;
    if (Settles(value)) return true;
    if (const std::optional<std::uint32_t> own = ParamOf(facts_, by, value)) return Parameter(by, *own, depth);
    return Attribute(facts_.Source(value), depth);
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  Test test_;
  int visits_ = 0;
};

}  // namespace

bool IsSettledByCalls(const Facts& facts, Facts::Impl& impl, const Test& test, ir::FunctionId function,
                      std::uint32_t param) {
  return Settled(facts, impl, test).Parameter(function, param, 0);
}

bool IsSettledByObjects(const Facts& facts, Facts::Impl& impl, const Test& test) {
  const ir::ValueId tested = TestedValue(facts, impl, test);
  return tested.valid() && Settled(facts, impl, test).Attribute(facts.Source(tested), 0);
}

}  // namespace cpnlint::analysis
