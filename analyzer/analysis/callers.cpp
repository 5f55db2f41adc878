#include "analyzer/analysis/callers.h"

#include <algorithm>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {

bool IsConstructor(const Facts::Impl& impl, ir::FunctionId function) {
  const ir::Function& called = impl.program.functions[function];
  return called.owner.valid() && impl.names.Text(called.name) == "__init__";
}

bool IsPrivateMethod(const Facts::Impl& impl, ir::FunctionId function) {
  if (!impl.program.functions[function].owner.valid()) return false;
  return IsPrivateName(impl.names.Text(impl.program.functions[function].name));
}

void KeepCallsOfKin(const Facts::Impl& impl, ir::FunctionId function, ir::ClassId object,
                    std::vector<ir::ValueId>& sites) {
  const ir::Program& program = impl.program;
  const ir::ClassId owner = program.functions[function].owner;
  if (!object.valid() || object == owner || !IsConstructor(impl, function)) return;
  // `super().__init__(n)` of the class's own constructor, and not of its siblings'.
  const std::vector<ir::ClassId>& kin = impl.kin[object];
  const auto is_kin = [&](ir::ClassId one) { return std::find(kin.begin(), kin.end(), one) != kin.end(); };
  const auto is_other = [&](ir::ValueId site) {
    const ir::ClassId caller = program.functions[program.FunctionOf(site)].owner;
    return !caller.valid() || !is_kin(caller);
  };
  if (is_kin(owner) && !std::ranges::all_of(sites, is_other)) std::erase_if(sites, is_other);
}

bool HandsOnUnseen(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::ValueId handed) {
  const ir::Program& program = impl.program;
  const ir::ValueId source = handed.valid() ? facts.Source(handed) : handed;
  if (!source.valid() || program.ops[source].kind != ir::OpKind::kParam) return false;
  const ir::FunctionId function = program.FunctionOf(call);
  if (program.FunctionOf(source) != function || !IsConstructor(impl, function)) return false;
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind != Callee::Kind::kLocal || !IsConstructor(impl, callee.function)) return false;
  const List<ir::Param>& params = program.functions[function].params;
  const std::size_t index = program.ops[source].detail;
  const bool plain = index < params.size() && !params[index].default_value.valid();
  return plain && facts.CallSitesOf(function).empty();
}

std::vector<ir::ValueId> CallersOf(const Facts& facts, Facts::Impl& impl, ir::FunctionId function, ir::ClassId object) {
  const ir::Program& program = impl.program;
  const auto known = facts.CallSitesOf(function);
  std::vector<ir::ValueId> sites(known.begin(), known.end());
  const ir::Function& called = program.functions[function];
  // `source._flags(n)`: what is private is meant there, whatever `source` is.
  if (impl.functions[function].closed && called.owner.valid()) {
    const auto& unresolved = UnresolvedCallsOf(facts, impl, called.name);
    sites.insert(sites.end(), unresolved.begin(), unresolved.end());
  }
  if (!IsConstructor(impl, function)) return sites;
  // `compiled.Updater(p, q)`, of a module that is not there
  const auto& unresolved = UnresolvedCallsOf(facts, impl, program.classes[called.owner].name);
  sites.insert(sites.end(), unresolved.begin(), unresolved.end());
  KeepCallsOfKin(impl, function, object, sites);
  return sites;
}

}  // namespace cpnlint::analysis
