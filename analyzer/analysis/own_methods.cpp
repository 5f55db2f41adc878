#include "analyzer/analysis/own_methods.h"

#include <algorithm>

namespace cpnlint::analysis {

bool IsA(const Facts::Impl& impl, ir::ClassId derived, ir::ClassId base) {
  const std::vector<ir::ClassId>& bases = impl.heir_of[derived];  // fewer than a base has heirs
  return std::find(bases.begin(), bases.end(), base) != bases.end();
}

std::string_view BuiltinCalled(const Facts& facts, const Facts::Impl& impl, ir::ValueId id) {
  if (!id.valid() || facts.program().ops[id].kind != ir::OpKind::kCall) return {};
  const Value& callee = facts.Of(facts.program().Operand(id, 0));
  return callee.kind == Kind::kBuiltin ? impl.names.Text(callee.name) : std::string_view();
}

ir::FunctionId MethodAround(const ir::Program& program, ir::FunctionId function) {
  for (int steps = 0; function.valid() && steps < 8; ++steps, function = program.functions[function].parent) {
    const ir::Function& record = program.functions[function];
    if (record.owner.valid() && record.kind == ir::Function::Kind::kDef) return function;
  }
  return {};
}

bool IsOwnObject(const Facts& facts, ir::FunctionId method, ir::ValueId value) {
  const ir::Program& program = facts.program();
  value = facts.Source(value);
  if (!method.valid() || !value.valid() || program.functions[method].params.empty()) return false;
  const ir::Op& op = program.ops[value];
  if (op.kind == ir::OpKind::kParam) return program.functions[method].params[0].value == value;
  if (op.kind != ir::OpKind::kLoadCell) return false;
  const ir::Cell& cell = program.cells[ir::CellId(op.payload)];
  return cell.owner == method && cell.name == program.functions[method].params[0].name && cell.stores.size() == 1;
}

namespace {

// The method calls one of its name of another object than its own: `super().f()`, `Base.f(self)`.
bool HandsUp(const Facts& facts, ir::FunctionId method) {
  const ir::Program& program = facts.program();
  const std::span<const ir::ValueId> calls = program.functions[method].calls;
  return std::any_of(calls.begin(), calls.end(), [&](ir::ValueId call) {
    const ir::ValueId callee = program.Operand(call, 0);
    return callee.valid() && program.ops[callee].kind == ir::OpKind::kAttr &&
           program.SymbolOf(program.ops[callee]) == program.functions[method].name &&
           !IsOwnObject(facts, method, program.Operand(callee, 0));
  });
}

// The method is also called by the name of its class, or as that of a base class, from elsewhere than what overrides it
// (HandsUp sees that).
bool LookForCallByClass(const Facts& facts, const Facts::Impl& impl, ir::FunctionId method) {
  const ir::Program& program = facts.program();
  const std::vector<ir::ValueId>& sites = impl.functions[method].call_sites;
  return std::any_of(sites.begin(), sites.end(), [&](ir::ValueId site) {
    if (program.ops[site].kind != ir::OpKind::kCall) return false;
    const Value& callee = facts.Of(program.Operand(site, 0));
    if (callee.kind != Kind::kMethod || !callee.receiver.valid()) return false;
    const bool by_class =
        facts.Of(callee.receiver).kind == Kind::kClass || BuiltinCalled(facts, impl, callee.receiver) == "super";
    if (!by_class) return false;
    const ir::FunctionId by = MethodAround(program, program.FunctionOf(site));
    return !by.valid() || program.functions[by].name != program.functions[method].name;
  });
}

bool IsCalledByClass(const Facts& facts, const Facts::Impl& impl, ir::FunctionId method) {
  if (impl.called_by_class.empty()) impl.called_by_class.resize(impl.functions.size());
  std::uint8_t& known = impl.called_by_class[method.index()];
  if (known == 0) known = LookForCallByClass(facts, impl, method) ? 2 : 1;
  return known == 2;
}

// Whether the method runs on objects of just that class: no class between the two has another one instead.
bool RunsOn(const Facts& facts, const Facts::Impl& impl, ir::FunctionId method, ir::ClassId class_id) {
  const ir::Program& program = facts.program();
  const ir::ClassId owner = program.functions[method].owner;
  if (!IsA(impl, class_id, owner)) return false;
  const std::vector<ir::ClassId>& above = impl.heir_of[class_id];
  return std::all_of(above.begin(), above.end(), [&](ir::ClassId between) {
    if (between == owner || !IsA(impl, between, owner)) return true;
    const std::span<const ir::FunctionId> own = program.classes[between].methods;
    return std::all_of(own.begin(), own.end(), [&](ir::FunctionId other) {
      return program.functions[other].name != program.functions[method].name || HandsUp(facts, other);
    });
  });
}

}  // namespace

bool RunsWith(const Facts& facts, const Facts::Impl& impl, ir::FunctionId from, ir::FunctionId to, ir::ClassId object,
              bool by_class) {
  if (!from.valid() || !object.valid() || IsCalledByClass(facts, impl, from)) return true;
  const bool any_object = by_class || IsCalledByClass(facts, impl, to);
  const std::vector<ir::ClassId>& heirs = impl.heirs[object];
  return std::any_of(heirs.begin(), heirs.end(), [&](ir::ClassId heir) {
    return RunsOn(facts, impl, from, heir) && (any_object || RunsOn(facts, impl, to, heir));
  });
}

}  // namespace cpnlint::analysis
