// What a pass of a loop may change, in its own code and in the functions of the program that it calls.

#include "analyzer/analysis/changes.h"

#include <algorithm>
#include <array>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

void FindMutations(const Facts& facts, Facts::Impl& impl, ir::FunctionId function_id) {
  if (!impl.mutations_done.insert(function_id).second) return;
  const ir::Program& program = impl.program;
  const ir::Function& function = program.functions[function_id];
  const auto add = [&](ir::ValueId array, ir::ValueId op) {
    if (!facts.IsArray(array)) return;
    const ir::ValueId root = impl.Of(array).root;
    const auto note = [&](ir::ValueId changed) {
      impl.mutations[changed].push_back(op);
      impl.mutated_roots[function_id].emplace_back(changed, op);
    };
    if (root.valid()) note(root);
    const ir::ValueId device_root = impl.Of(array).device_root;
    if (device_root.valid() && device_root != root) note(device_root);
  };
  for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    const ir::ValueId id(i);
    const ir::Op& op = program.ops[id];
    switch (op.kind) {
      case ir::OpKind::kStoreSubscript:
      case ir::OpKind::kDelSubscript:
      case ir::OpKind::kInplaceBinary: add(program.Operand(id, 0), id); break;
      case ir::OpKind::kCall: {
        if (const ir::ValueId out = facts.KeywordArgument(id, "out"); out.valid()) add(out, id);
        const Callee& callee = facts.CalleeOf(id);
        const auto is = [&](std::string_view name) { return callee.name == name; };
        if (callee.kind == Callee::Kind::kMethod &&
            (is("numpy.ndarray.fill") || is("numpy.ndarray.sort") || is("numpy.ndarray.put") ||
             is("numpy.ndarray.partition") || is("numpy.ndarray.resize"))) {
          add(callee.receiver, id);
        }
        if (callee.kind == Callee::Kind::kApi &&
            (is("numpy.copyto") || is("numpy.putmask") || is("numpy.place") || is("numpy.put") ||
             is("numpy.fill_diagonal") || is("numpy.put_along_axis") || is("numpy.random.shuffle") ||
             callee.name.ends_with(".at"))) {
          add(program.Operand(id, 1), id);
        }
        // Ufuncs take their output by position as well.
        if (callee.kind == Callee::Kind::kApi && facts.Of(id).kind == Kind::kArray) {
          for (const ir::ValueId argument : program.Operands(id).subspan(1)) {
            if (argument.valid() && facts.IsArray(argument) && facts.Of(id).root == facts.Of(argument).root &&
                program.OperandSpan(id, 0).size() > 0 && facts.Argument(id, 2, "out") == argument) {
              add(argument, id);
            }
          }
        }
        break;
      }
      default: break;
    }
  }
}

std::span<const ir::ValueId> Facts::MutationsOf(ir::ValueId root) const {
  if (!root.valid()) return {};
  FindMutations(*this, *impl_, program_.FunctionOf(root));
  const auto found = impl_->mutations.find(root);
  return found == impl_->mutations.end() ? std::span<const ir::ValueId>() : std::span<const ir::ValueId>(found->second);
}

// --- what an op runs ---

namespace {

// Builtins that store what their arguments say, or run what stands in a text or behind a generator.
constexpr auto kRunAnything = std::to_array<std::string_view>({"delattr", "eval", "exec", "next", "setattr"});

void AddMethods(const Facts::Impl& impl, ir::ClassId class_id, Symbol name, std::vector<ir::FunctionId>& functions) {
  for (const ir::ClassId heir : impl.heirs[class_id]) {
    const ir::FunctionId method = FindMethod(impl, heir, name);
    if (method.valid() && std::find(functions.begin(), functions.end(), method) == functions.end())
      functions.push_back(method);
  }
}

void AddFunctions(const Facts::Impl& impl, const Value& value, std::vector<ir::FunctionId>& functions) {
  if (value.function.valid() && (value.kind == Kind::kFunction || value.kind == Kind::kMethod))
    functions.push_back(value.function);
  if (value.kind != Kind::kFunction || !value.elements.valid()) return;
  for (const Value& one : impl.store.Get(value.elements)) {
    if (one.function.valid()) functions.push_back(one.function);
  }
}

Runs RunByCall(const Facts& facts, const Facts::Impl& impl, ir::ValueId call) {
  Runs runs;
  const Value& value = facts.Of(impl.program.Operand(call, 0));
  const Callee& callee = facts.CalleeOf(call);
  switch (callee.kind) {
    case Callee::Kind::kLocal:
      runs.functions.push_back(callee.function);
      if (value.kind == Kind::kMethod && value.class_id.valid())
        AddMethods(impl, value.class_id, value.name, runs.functions);
      return runs;
    case Callee::Kind::kClass:
      for (const std::string_view name : {"__new__", "__init__", "__array_finalize__"})
        AddMethods(impl, callee.class_id, impl.names.Intern(name), runs.functions);
      return runs;
    case Callee::Kind::kUnknown:
      AddFunctions(impl, value, runs.functions);
      if (value.kind == Kind::kInstance)
        AddMethods(impl, value.class_id, impl.names.Intern("__call__"), runs.functions);
      runs.unknown = runs.functions.empty();
      break;
    case Callee::Kind::kBuiltin:
      runs.unknown = std::find(kRunAnything.begin(), kRunAnything.end(), callee.name) != kRunAnything.end();
      break;
    case Callee::Kind::kForeign: runs.unknown = callee.name == "functools.partial"; break;
    default: break;
  }
  // Functions that are handed over: `map(f, parts)`, `minimize(f, x0)`.
  const std::size_t own = runs.functions.size();
  for (const ir::ValueId argument : impl.program.Operands(call).subspan(1)) {
    if (argument.valid()) AddFunctions(impl, facts.Of(argument), runs.functions);
  }
  runs.by_library = runs.functions.size() > own;
  return runs;
}

}  // namespace

namespace {

// Most attributes have a name that no property has, and none of the classes that may be meant has to be searched.
bool IsNameOfProperty(const Facts::Impl& impl, Symbol name) {
  if (impl.property_names.empty()) {
    impl.property_names.resize(impl.names.size());
    for (std::size_t i = 0; i < impl.program.functions.size(); ++i) {
      const ir::FunctionId id(i);
      if (impl.functions[id].is_property) impl.property_names[impl.program.functions[id].name.index()] = true;
    }
  }
  return name.index() < impl.property_names.size() && impl.property_names[name.index()];
}

}  // namespace

Runs RunBy(const Facts& facts, const Facts::Impl& impl, ir::ValueId id) {
  const ir::Program& program = impl.program;
  const ir::Op& op = program.ops[id];
  const auto is_object = [&](std::uint32_t operand) {
    return facts.Of(program.Operand(id, operand)).kind == Kind::kInstance;
  };
  Runs runs;
  switch (op.kind) {
    case ir::OpKind::kCall: return RunByCall(facts, impl, id);
    case ir::OpKind::kAttr: {
      const Value& object = facts.Of(program.Operand(id, 0));
      if (!object.class_id.valid() || object.kind == Kind::kClass) return runs;
      if (!IsNameOfProperty(impl, program.SymbolOf(op))) return runs;
      AddMethods(impl, object.class_id, program.SymbolOf(op), runs.functions);
      if (runs.functions.empty() || !impl.functions[runs.functions.front()].is_property) runs.functions.clear();
      return runs;
    }
    case ir::OpKind::kStoreAttr:  // a setter
      runs.unknown = is_object(0) && IsNameOfProperty(impl, program.SymbolOf(op));
      return runs;
    // Operators of objects are methods as well.
    case ir::OpKind::kBinary:
    case ir::OpKind::kInplaceBinary: runs.unknown = is_object(0) || is_object(1); return runs;
    case ir::OpKind::kCompare:
      runs.unknown = static_cast<ir::CompareOp>(op.detail) < ir::CompareOp::kIs && (is_object(0) || is_object(1));
      return runs;
    case ir::OpKind::kUnary:
    case ir::OpKind::kSubscript:
    case ir::OpKind::kStoreSubscript:
    case ir::OpKind::kDelSubscript:
    case ir::OpKind::kWithEnter: runs.unknown = is_object(0); return runs;
    case ir::OpKind::kIter: {
      // What a generator does between two items.
      const ir::ValueId iterable = facts.Source(program.Operand(id, 0));
      runs.unknown = facts.Of(iterable).kind == Kind::kInstance;
      if (!iterable.valid() || facts.Of(iterable).kind != Kind::kGenerator) return runs;
      const bool called = program.ops[iterable].kind == ir::OpKind::kCall;
      if (called) runs.functions = RunByCall(facts, impl, iterable).functions;
      runs.unknown = runs.functions.empty() && program.ops[iterable].kind != ir::OpKind::kCollection;
      return runs;
    }
    default: return runs;
  }
}

// --- what a pass of a loop changes ---

namespace {

// The value is surely none that somebody else holds as well.
bool IsPlain(Kind kind) {
  return (kind >= Kind::kNone && kind <= Kind::kEllipsis) || kind == Kind::kRange || kind == Kind::kFunction ||
         kind == Kind::kClass || kind == Kind::kModule || kind == Kind::kApi || kind == Kind::kBuiltin ||
         kind == Kind::kDType || kind == Kind::kNumpyScalar;
}

class PassChanges {
 public:
  PassChanges(const Facts& facts, Facts::Impl& impl, ir::LoopId loop)
      : facts_(facts), impl_(impl), program_(impl.program), loop_(loop) {}

  void Find() {
    const ir::Loop& loop = program_.loops[loop_];
    const ir::Function& home = program_.functions[loop.function];
    FindMutations(facts_, impl_, loop.function);
    for (const auto& [root, op] : impl_.mutated_roots[loop.function]) {
      if (facts_.InLoop(op, loop_)) roots_.insert(root);
    }
    for (std::uint32_t i = home.first_op.index(); i < home.end_op.index(); ++i) {
      const ir::ValueId id(i);
      const bool iteration = program_.ops[id].kind == ir::OpKind::kIter && loop.iterable.valid() &&
                             program_.Operand(id, 0) == loop.iterable;
      if (iteration || facts_.InLoop(id, loop_)) See(id, false);
    }
    constexpr std::size_t kMostFunctions = 200;
    for (std::size_t at = 0; at < functions_.size(); ++at) {
      if (at == kMostFunctions) {
        attributes_.insert(Symbol::None());
        for (const auto& [call, function] : calls_) ChangeArguments(call);
        break;
      }
      const ir::Function& function = program_.functions[functions_[at]];
      FindMutations(facts_, impl_, functions_[at]);
      for (const auto& change : impl_.mutated_roots[functions_[at]]) roots_.insert(change.first);
      for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) See(ir::ValueId(i), true);
    }
    TellCallers();
  }

  std::unordered_set<ir::ValueId> roots_;
  std::unordered_set<Symbol> attributes_;

 private:
  void See(ir::ValueId id, bool in_callee) {
    const ir::Op& op = program_.ops[id];
    switch (op.kind) {
      case ir::OpKind::kStoreAttr:
        attributes_.insert(program_.SymbolOf(op));
        if (in_callee) Keep(program_.Operand(id, 1));
        break;
      case ir::OpKind::kDelAttr: attributes_.insert(program_.SymbolOf(op)); break;
      case ir::OpKind::kStoreSubscript:
        ChangeUnknown(program_.Operand(id, 0));
        if (in_callee && !facts_.IsArray(program_.Operand(id, 0))) Keep(program_.Operand(id, 1));
        break;
      case ir::OpKind::kDelSubscript:
      case ir::OpKind::kInplaceBinary: ChangeUnknown(program_.Operand(id, 0)); break;
      case ir::OpKind::kCollectItem:
        if (in_callee) Keep(program_.Operand(id, op.operand_count - 1));
        break;
      case ir::OpKind::kYield:
        if (in_callee) Keep(program_.Operand(id, 0));
        if (!in_callee) attributes_.insert(Symbol::None());  // whoever gets it goes on between two passes
        break;
      default: break;
    }
    const Runs runs = RunBy(facts_, impl_, id);
    if (runs.unknown) attributes_.insert(Symbol::None());
    for (const ir::FunctionId function : runs.functions) {
      if (std::find(functions_.begin(), functions_.end(), function) == functions_.end()) functions_.push_back(function);
      calls_.emplace_back(id, runs.by_library ? ir::FunctionId::None() : function);
      if (!runs.by_library && HandsBack(function)) ChangeArguments(id);
    }
    if (op.kind != ir::OpKind::kCall) return;
    const Callee::Kind callee = facts_.CalleeOf(id).kind;
    const bool may_change = callee == Callee::Kind::kForeign || (callee == Callee::Kind::kUnknown && runs.unknown);
    if (may_change || runs.by_library) ChangeArguments(id);
    if (in_callee && callee == Callee::Kind::kContainerMethod) {
      for (const ir::ValueId argument : program_.Operands(id).subspan(1)) Keep(argument);
    }
  }

  // The parameter of unknown kind that the value is, or is a part of.
  [[nodiscard]] ir::ValueId UnknownParam(ir::ValueId id) const {
    constexpr int kDeepest = 8;
    for (int depth = 0; depth < kDeepest && id.valid(); ++depth) {
      if (facts_.Of(id).kind != Kind::kUnknown) return {};
      id = facts_.Source(id);
      const ir::OpKind kind = program_.ops[id].kind;
      if (kind == ir::OpKind::kParam) return id;
      if (kind != ir::OpKind::kSubscript && kind != ir::OpKind::kAttr) return {};
      id = program_.Operand(id, 0);
    }
    return {};
  }

  void ChangeUnknown(ir::ValueId base) {
    if (const ir::ValueId param = UnknownParam(base); param.valid()) roots_.insert(param);
  }

  // Put away by a function that the loop calls: who finds it there may change it.
  void Keep(ir::ValueId value) {
    if (!value.valid()) return;
    const ir::ValueId root = facts_.RootOf(value);
    if (root.valid() && program_.ops[root].kind == ir::OpKind::kParam) roots_.insert(root);
    ChangeUnknown(value);
  }

  void ChangeArguments(ir::ValueId call) {
    for (const ir::ValueId operand : program_.Operands(call)) {
      if (!operand.valid()) continue;
      if (facts_.RootOf(operand).valid()) roots_.insert(facts_.RootOf(operand));
      ChangeUnknown(operand);
    }
    const ir::ValueId receiver =
        program_.ops[call].kind == ir::OpKind::kCall ? facts_.CalleeOf(call).receiver : ir::ValueId::None();
    if (receiver.valid() && facts_.RootOf(receiver).valid()) roots_.insert(facts_.RootOf(receiver));
  }

  // What the function returns may be an argument under a name that does not tell so: changing it changes that.
  [[nodiscard]] bool HandsBack(ir::FunctionId function) const {
    std::vector<ir::ValueId> roots;
    bool fresh = false;
    for (const ir::ValueId leave : program_.functions[function].returns) {
      const ir::ValueId returned = program_.Operand(leave, 0);
      if (!returned.valid()) continue;
      const ir::Op& made = program_.ops[facts_.Source(returned)];
      if (made.kind == ir::OpKind::kTuple) {
        // Elements keep the storage that they have in the function.
        for (const ir::ValueId element : program_.Operands(made)) {
          if (element.valid() && !IsPlain(facts_.Of(element).kind) && !facts_.RootOf(element).valid()) return true;
        }
        continue;
      }
      if (IsPlain(facts_.Of(returned).kind)) continue;
      const ir::ValueId root = facts_.RootOf(returned);
      if (!root.valid()) return true;
      const ir::OpKind kind = program_.ops[root].kind;
      if (kind == ir::OpKind::kPhi) return true;
      const bool own = program_.FunctionOf(root) == function && kind != ir::OpKind::kParam;
      fresh = fresh || own;
      if (!own && std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
    }
    return roots.size() > 1 || (fresh && !roots.empty());
  }

  // A function that changes its parameter changes what its callers hand over.
  void TellCallers() {
    std::size_t known = 0;
    while (known != roots_.size()) {
      known = roots_.size();
      for (const auto& [call, function] : calls_) {
        if (!function.valid()) continue;  // all that it is handed counts as changed
        const ir::Function& record = program_.functions[function];
        for (std::size_t p = 0; p < record.params.size(); ++p) {
          if (!roots_.contains(record.params[p].value)) continue;
          const Handed handed = HandedOver(facts_, call, function, p);
          if (!handed.known) {
            ChangeArguments(call);
          } else if (facts_.RootOf(handed.value).valid()) {
            roots_.insert(facts_.RootOf(handed.value));
          } else {
            ChangeUnknown(handed.value);
          }
        }
      }
    }
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  ir::LoopId loop_;
  std::vector<ir::FunctionId> functions_;
  std::vector<std::pair<ir::ValueId, ir::FunctionId>> calls_;
};

void FindChanges(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  if (impl.changed_in_loop.contains(loop)) return;
  PassChanges changes(facts, impl, loop);
  changes.Find();
  impl.changed_in_loop[loop] = std::move(changes.roots_);
  impl.attributes_stored[loop] = std::move(changes.attributes_);
}

}  // namespace

const std::unordered_set<ir::ValueId>& ChangedIn(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  FindChanges(facts, impl, loop);
  return impl.changed_in_loop[loop];
}

const std::unordered_set<Symbol>& AttributesStoredIn(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  FindChanges(facts, impl, loop);
  return impl.attributes_stored[loop];
}

bool Facts::MutatedIn(ir::ValueId root, ir::LoopId loop) const {
  // Unknown storage: anything may change it.
  return !root.valid() || ChangedIn(*this, *impl_, loop).contains(root);
}

bool Facts::AttributeStoredIn(Symbol name, ir::LoopId loop) const {
  const std::unordered_set<Symbol>& stored = AttributesStoredIn(*this, *impl_, loop);
  return stored.contains(name) || stored.contains(Symbol::None());
}

}  // namespace cpnlint::analysis
