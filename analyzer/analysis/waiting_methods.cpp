// Methods and constructors that some call names: their parameters wait for what is handed over, as those of functions
// do (engine.cpp). What is thought of them before would come back through what they return: `self.H = self.H +
// self.climate.balance(self.H)`.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/named_definitions.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostCallers = 16;  // of one name; a commoner one may mean anything

// Classes that some call makes an object of, and those that they derive from.
std::vector<ir::ClassId> ClassesMade(const Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  std::vector<ir::ClassId> made;
  std::unordered_set<ir::ClassId> known;
  const auto add = [&](ir::ClassId one) {
    if (known.insert(one).second) made.push_back(one);
  };
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId id(i);
    if (program.ops[id].kind != ir::OpKind::kCall) continue;
    if (const ir::ClassId one = ClassNamed(impl, program.Operand(id, 0)); one.valid()) add(one);
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (const ir::ClassId base : impl.bases[made[i]]) add(base);
  }
  return made;
}

}  // namespace

void Engine::FindMethodsCalled() {
  std::unordered_map<Symbol, std::vector<ir::FunctionId>> callers;  // by the name that is called
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const ir::ValueId id(i);
    if (program_.ops[id].kind != ir::OpKind::kCall) continue;
    const ir::ValueId callee = program_.Operand(id, 0);
    if (!callee.valid() || program_.ops[callee].kind != ir::OpKind::kAttr) continue;
    std::vector<ir::FunctionId>& known = callers[program_.SymbolOf(program_.ops[callee])];
    const ir::FunctionId here = program_.FunctionOf(id);
    if (known.size() <= kMostCallers && (known.empty() || known.back() != here)) known.push_back(here);
  }
  const Symbol init = impl_.names.Intern("__init__"), call = impl_.names.Intern("__call__");
  for (const ir::ClassId made : ClassesMade(impl_)) {
    for (const ir::FunctionId method : program_.classes[made].methods) {
      const Symbol name = program_.functions[method].name;
      const auto found = callers.find(name);
      // `__setstate__` and the like are handed what the object itself has.
      const bool special = impl_.names.Text(name).starts_with("__");
      const bool named = !special && found != callers.end() && found->second.size() <= kMostCallers;
      if (!named && name != init && name != call) continue;
      if (!impl_.functions[method].has_call_sites) called_by_name_.push_back(method);
      impl_.functions[method].has_call_sites = true;
      if (!named) continue;
      for (const ir::FunctionId caller : found->second) {
        std::vector<ir::FunctionId>& by = named_by_[method];
        if (std::ranges::find(by, caller) == by.end()) by.push_back(caller);
      }
    }
  }
}

// Before attributes are: such methods store what others read.
bool Engine::ReleaseMethodsCalled() {
  std::erase_if(called_by_name_, [&](ir::FunctionId method) { return !WaitsForCalls(method); });
  return Release(called_by_name_);
}

}  // namespace cpnlint::analysis
