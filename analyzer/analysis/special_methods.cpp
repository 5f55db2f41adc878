// Methods that the language calls: operators, subscripts, `with`, iteration, and the accessors of properties.

#include <algorithm>
#include <string>

#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/named_definitions.h"
#include "analyzer/analysis/packed_arguments.h"

namespace cpnlint::analysis {
namespace {

// `@u.setter`
bool IsSetter(const ir::Program& program, const ir::Function& function) {
  return std::ranges::any_of(function.decorators, [&](ir::ValueId decorator) {
    return decorator.valid() && program.ops[decorator].kind == ir::OpKind::kAttr &&
           program.Name(program.ops[decorator]) == "setter";
  });
}

// The argument of a call, by its place or by its keyword.
ir::ValueId ArgumentOf(const Facts::Impl& impl, ir::ValueId call, std::uint32_t place, std::string_view keyword) {
  const ir::Program& program = impl.program;
  if (place < program.Shape(program.ops[call]).positional) return program.Operand(call, 1 + place);
  return ArgumentNamed(program, call, keyword);
}

}  // namespace

// What calling one of the methods of that name gives: an operator or a subscript of an object of ours, which passes
// `arguments`.
std::optional<Value> Engine::CallSpecial(ir::ValueId id, const Value& object, std::string_view name,
                                         std::span<const Value> arguments) {
  const std::vector<ir::FunctionId>& methods = MethodsMeant(object.class_id, impl_.names.Intern(name));
  if (methods.empty()) return std::nullopt;
  Value result;
  for (const ir::FunctionId method : methods) {
    const std::size_t site = SiteOf(method, id);
    const std::vector<Value> given =
        ByParameter(store_, program_.functions[method], 1, {arguments.begin(), arguments.end()});
    for (std::size_t i = 0; i < given.size(); ++i) Pass(method, i + 1, given[i], site);
    if (impl_.functions[method].compiled) return Unknown();
    if (impl_.functions[method].abstract && methods.size() > 1) continue;
    const bool generator = program_.functions[method].is_generator;
    const Value returned = generator ? ContainerOf(store_, Kind::kGenerator, Returned(method)) : ReturnedOf(method);
    result = JoinOptional(store_, result, returned);
  }
  result.evidence = static_cast<EvidenceSet>(result.evidence & ~kCalledWith);
  if (result.kind == Kind::kArray &&
      (!result.root.valid() || program_.FunctionOf(result.root) != program_.FunctionOf(id)))
    result.root = result.device_root = id;
  return result;
}

// `with Timer() as t`: what `__enter__` gives, mostly the object itself.
Value Engine::Entered(ir::ValueId id, const Value& context) {
  const Value entered = CallSpecial(id, context, "__enter__", {}).value_or(Unknown());
  const bool itself = entered.kind == Kind::kInstance && store_.CommonClass(entered.class_id, context.class_id).valid();
  return itself ? context : entered;
}

// One item of an object of ours that is walked.
Value Engine::ItemOfObject(ir::ValueId id, const Value& object) {
  if (const std::optional<Value> walked = CallSpecial(id, object, "__iter__", {})) {
    if (walked->kind == Kind::kBottom) return {};
    if (walked->kind != Kind::kInstance) return ItemOf(id, *walked);  // NOLINT(misc-no-recursion): of no object
    return CallSpecial(id, *walked, "__next__", {}).value_or(Unknown());
  }
  const Value key = analysis::Of(Kind::kInt);
  return CallSpecial(id, object, "__getitem__", {&key, 1}).value_or(Unknown());
}

// `u = property(_get_u, _set_u)` in a class body: the function that a read of `object.u` or a store into it calls.
ir::FunctionId Engine::AccessorOf(ir::ClassId class_id, Symbol name, Access access) const {
  for (const ir::ClassId kin : impl_.kin[class_id]) {
    const auto found = class_variables_.find(SlotKey(kin, name));
    if (found == class_variables_.end()) continue;
    const ir::ValueId call = OnlyAssigned(program_, found->second);
    if (!call.valid() || program_.ops[call].kind != ir::OpKind::kCall) return {};
    const ir::ValueId callee = program_.Operand(call, 0);
    if (!callee.valid() || program_.ops[callee].kind != ir::OpKind::kBuiltin ||
        program_.Name(program_.ops[callee]) != "property")
      return {};
    const bool read = access == Access::kRead;
    const ir::ValueId accessor = ArgumentOf(impl_, call, read ? 0 : 1, read ? "fget" : "fset");
    return accessor.valid() ? FunctionNamed(impl_, accessor) : ir::FunctionId();
  }
  return {};
}

// `object.u = value` where `u` is a property: its setter is called. False where the store is one into the object.
bool Engine::CallSetters(ir::ValueId id, const Value& object, Symbol name, const Value& value) {
  std::vector<ir::FunctionId> setters;
  bool is_property = false;
  for (const ir::FunctionId getter : MethodsMeant(object.class_id, name)) {
    if (!impl_.functions[getter].is_property) continue;
    is_property = true;
    for (const ir::FunctionId method : program_.classes[program_.functions[getter].owner].methods) {
      const ir::Function& function = program_.functions[method];
      if (function.name == name && IsSetter(program_, function)) setters.push_back(method);
    }
  }
  if (const ir::FunctionId setter = AccessorOf(object.class_id, name, Access::kStore); setter.valid())
    setters.push_back(setter);
  for (const ir::FunctionId setter : setters) {
    const std::size_t site = SiteOf(setter, id);
    if (program_.functions[setter].params.size() > 1) Pass(setter, 1, value, site);
  }
  return is_property || !setters.empty();
}

// What the setter of a property stores where no call of it is known: somebody else may set the property, to what it
// holds otherwise.
bool Engine::IsUnsetParameter(ir::ValueId stored) const {
  if (program_.ops[stored].kind != ir::OpKind::kParam || Of(stored).kind != Kind::kUnknown) return false;
  const ir::FunctionId function = program_.FunctionOf(stored);
  return IsSetter(program_, program_.functions[function]) && impl_.functions[function].call_sites.empty();
}

}  // namespace cpnlint::analysis
