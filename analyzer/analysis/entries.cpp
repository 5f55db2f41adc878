// What runs when the work starts at certain functions (rules.md A.8, declared entry points): whatever is called, handed
// on or imported from there. A method that nothing in sight calls may be called through any object of its class.

#include <algorithm>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/entries.h"

namespace cpnlint::analysis {
namespace {

class Reached {
 public:
  Reached(const Facts& facts, Facts::Impl& impl)
      : facts_(facts),
        impl_(impl),
        program_(impl.program),
        called_from_(program_.functions.size()),
        classes_in_(program_.functions.size()) {
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      for (const ir::ValueId site : impl.functions[ir::FunctionId(i)].call_sites) {
        called_from_[program_.FunctionOf(site)].emplace_back(i);
      }
    }
    for (std::size_t i = 0; i < program_.classes.size(); ++i) {
      classes_in_[program_.classes[ir::ClassId(i)].parent].emplace_back(i);
    }
  }

  void Follow(std::span<const ir::FunctionId> entries) {
    for (const ir::FunctionId entry : entries) {
      AddModule(program_.functions[entry].module);  // its own code has run before the function does
      Add(entry);
    }
    while (!work_.empty()) {
      const ir::FunctionId function = work_.back();
      work_.pop_back();
      Visit(function);
    }
  }

 private:
  void Add(ir::FunctionId function) {
    if (!function.valid() || impl_.reachable[function.index()]) return;
    impl_.reachable[function.index()] = true;
    work_.push_back(function);
  }

  // With the packages around it: `import a.b` runs a/__init__.py first.
  void AddModule(ir::ModuleId module) {
    if (!module.valid() || impl_.reachable[program_.modules[module].body.index()]) return;
    Add(program_.modules[module].body);
    const std::string& path = program_.modules[module].path;
    for (std::size_t i = 0; i < program_.modules.size(); ++i) {
      const ir::Module& package = program_.modules[ir::ModuleId(i)];
      constexpr std::string_view kInit = "__init__.py";
      const bool is_package = package.path == kInit || package.path.ends_with("/__init__.py");
      if (is_package && path.starts_with(package.path.substr(0, package.path.size() - kInit.size()))) Add(package.body);
    }
  }

  void AddClass(ir::ClassId id) {
    const ir::Class& made = program_.classes[id];
    Add(made.body);
    for (const ir::FunctionId method : made.methods) {
      if (impl_.functions[method].call_sites.empty()) Add(method);
    }
  }

  // A function that is a value here may be called by whoever gets it.
  void AddValue(const Value& value) {
    if (value.kind == Kind::kFunction || value.kind == Kind::kMethod) Add(value.function);
    if (value.kind != Kind::kFunction || !value.elements.valid()) return;
    for (const Value& one : impl_.store.Get(value.elements)) {
      if (one.kind == Kind::kFunction || one.kind == Kind::kMethod) Add(one.function);
    }
  }

  void Visit(ir::FunctionId id) {
    const ir::Function& function = program_.functions[id];
    for (const ir::ClassId made : classes_in_[id]) AddClass(made);
    for (const ir::ValueId call : function.calls) {
      const Callee& callee = facts_.CalleeOf(call);
      if (callee.kind == Callee::Kind::kLocal) Add(callee.function);
      if (callee.kind == Callee::Kind::kClass) {
        Add(FindMethod(impl_, callee.class_id, impl_.names.Intern("__init__")));
      }
    }
    for (const ir::FunctionId called : called_from_[id]) Add(called);
    for (std::size_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
      const ir::ValueId op_id(i);
      const ir::Op& op = program_.ops[op_id];
      if (op.kind == ir::OpKind::kImport) {
        AddModule(program_.imports[op.payload].target);
        AddModule(program_.imports[op.payload].submodule);
      }
      // `def` stores a function under its name, which calls nobody.
      if (op.kind == ir::OpKind::kStoreCell || op.kind == ir::OpKind::kPhi) continue;
      for (const ir::ValueId operand : program_.Operands(op)) {
        if (operand.valid()) AddValue(impl_.Of(operand));
      }
    }
    if (program_.modules[function.module].body != id) return;
    for (const ir::ModuleId star : program_.modules[function.module].star_targets) AddModule(star);
    for (const auto& [name, module] : program_.modules[function.module].imported) AddModule(module);
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  IdVector<ir::FunctionId, std::vector<ir::FunctionId>> called_from_;
  IdVector<ir::FunctionId, std::vector<ir::ClassId>> classes_in_;
  std::vector<ir::FunctionId> work_;
};

}  // namespace

bool ReachFromDeclared(const Facts& facts, Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  std::vector<ir::FunctionId> entries;
  for (std::size_t i = 0; i < program.modules.size(); ++i) {
    const ir::Module& module = program.modules[ir::ModuleId(i)];
    for (const ir::Pragma& pragma : module.pragmas) {
      if (pragma.kind != ir::Pragma::Kind::kAssume || !pragma.text.starts_with(kStartsAt)) continue;
      const std::string_view name = std::string_view(pragma.text).substr(kStartsAt.size());
      for (std::size_t at = module.first_function.index(); at < module.end_function.index(); ++at) {
        if (program.functions[ir::FunctionId(at)].qualified == name) entries.emplace_back(at);
      }
    }
  }
  if (entries.empty()) return false;
  impl.reachable.assign(program.functions.size(), false);
  Reached(facts, impl).Follow(entries);
  return true;
}

}  // namespace cpnlint::analysis
