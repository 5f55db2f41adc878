#include "analyzer/analysis/engine.h"

#include <algorithm>
#include <bit>

#include "analyzer/base/check.h"

namespace cpnlint::analysis {
namespace {

// Visits per op that real programs need: 2 to 4. Beyond the budget, what is still unsettled becomes unknown.
constexpr std::size_t kVisitsPerOp = 40;
constexpr std::size_t kVisitsAtLeast = 10'000;
// Changes of one value from which on it is joined with what it was, and from which on it is given up.
constexpr std::uint8_t kJoinFrom = 6;
constexpr std::uint8_t kUnknownFrom = 14;

}  // namespace

const Value& Facts::Impl::Of(ir::ValueId id) const {
  static const Value unknown = Unknown();
  return id.valid() ? values[id] : unknown;
}

Engine::Engine(Facts::Impl& impl) : impl_(impl), program_(impl.program), store_(impl.store) {}

void Infer(Facts::Impl& impl) { Engine(impl).Run(); }

void Engine::Run() {
  impl_.values = IdVector<ir::ValueId, Value>(program_.ops.size());
  impl_.cells = IdVector<ir::CellId, Value>(program_.cells.size());
  impl_.functions = IdVector<ir::FunctionId, FunctionFact>(program_.functions.size());
  released_ = IdVector<ir::FunctionId, std::uint8_t>(program_.functions.size(), 0);
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    impl_.functions[ir::FunctionId(i)].passed.resize(program_.functions[ir::FunctionId(i)].params.size());
  }
  dirty_.assign(program_.ops.size(), true);
  changes_.assign(program_.ops.size(), 0);
  visits_left_ = kVisitsAtLeast + kVisitsPerOp * program_.ops.size();
  SeeDecorators(impl_);
  FindFamilies();
  FindCallTargets();
  for (const ir::Function& function : program_.functions) {
    for (const ir::Binding& binding : function.bindings) bound_names_[binding.value] = binding.name;
  }
  SettleNames();
  do {
    Sweep();
  } while (!impl_.budget_exhausted && ReleaseWaitingParameters());
}

// What imports, builtins and definitions are called, before anything else: the evidence of use asks what is called.
void Engine::SettleNames() {
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const ir::ValueId id(i);
    switch (program_.ops[id].kind) {
      case ir::OpKind::kImport:
      case ir::OpKind::kBuiltin:
      case ir::OpKind::kStarName:
      case ir::OpKind::kMakeFunction:
      case ir::OpKind::kMakeClass:
      case ir::OpKind::kStoreCell:
      case ir::OpKind::kLoadCell:
      case ir::OpKind::kAttr: Visit(id); break;
      default: break;
    }
  }
}

// Works in op order, which is source order within a function and callers' modules before their functions; jumps back to
// the lowest op that became dirty behind the position.
void Engine::Sweep() {
  std::size_t at = lowest_dirty_;
  lowest_dirty_ = dirty_.size();
  while (at < dirty_.size()) {
    if (!dirty_[at]) {
      ++at;
      continue;
    }
    if (visits_left_ == 0) {
      impl_.budget_exhausted = true;
      for (std::size_t i = 0; i < dirty_.size(); ++i) {
        if (dirty_[i]) impl_.values[ir::ValueId(i)] = Unknown();
      }
      return;
    }
    --visits_left_;
    dirty_[at] = false;
    const std::size_t position = at;
    lowest_dirty_ = dirty_.size();
    Visit(ir::ValueId(position));
    // A small step back is cheaper taken at once (loop headers); what lies further back waits for the next round.
    at = lowest_dirty_ <= position ? lowest_dirty_ : position + 1;
  }
  lowest_dirty_ = dirty_.size();
}

void Engine::Push(ir::ValueId id) {
  dirty_[id.index()] = true;
  lowest_dirty_ = std::min<std::size_t>(lowest_dirty_, id.index());
}

void Engine::PushUsers(ir::ValueId id) {
  for (const ir::ValueId user : impl_.UsesOf(id)) Push(user);
}

void Engine::Set(ir::ValueId id, Value value) {
  Value& old = impl_.values[id];
  if (old == value) return;
  std::uint8_t& changes = changes_[id.index()];
  if (changes >= kJoinFrom) {
    value = Join(store_, old, value);
    if (changes >= kUnknownFrom) {
      value = Unknown();
      if (old.kind == Kind::kArray) value = Array(old.library, ir::DType::kUnknown, ShapeId::None(), old.evidence);
      if (changes > kUnknownFrom + 4) value = Unknown();
    }
    if (old == value) return;
  }
  if (changes < 255) ++changes;
  old = value;
  PushUsers(id);
}

void Engine::GrowCell(ir::CellId cell, const Value& value) {
  const Value joined = JoinOptional(store_, impl_.cells[cell], value);
  if (joined == impl_.cells[cell]) return;
  impl_.cells[cell] = joined;
  for (const ir::ValueId load : program_.cells[cell].loads) Push(load);
}

void Engine::GrowReturned(ir::FunctionId function, const Value& value) {
  FunctionFact& fact = impl_.functions[function];
  const Value joined = JoinOptional(store_, fact.returned, value);
  if (joined == fact.returned) return;
  fact.returned = joined;
  for (const ir::ValueId site : fact.call_sites) Push(site);
}

void Engine::Pass(ir::FunctionId function, std::size_t parameter, const Value& value) {
  FunctionFact& fact = impl_.functions[function];
  if (parameter >= fact.passed.size()) return;
  Value& passed = fact.passed[parameter];
  const Value joined = JoinOptional(store_, passed, value);
  if (joined == passed) return;
  passed = joined;
  Push(program_.functions[function].params[parameter].value);
}

void Engine::GrowItem(ir::ValueId container, const Value& item) {
  if (!container.valid()) return;
  const ir::OpKind kind = program_.ops[container].kind;
  if (kind != ir::OpKind::kList && kind != ir::OpKind::kDict && kind != ir::OpKind::kSet &&
      kind != ir::OpKind::kCollection && kind != ir::OpKind::kCall && kind != ir::OpKind::kBinary) {
    return;
  }
  Value& known = impl_.items[container];
  const Value joined = JoinOptional(store_, known, item);
  if (joined == known) return;
  known = joined;
  Push(container);
}

// --- call targets that the text alone tells: parameters of such functions wait for what is passed ---

void Engine::FindCallTargets() {
  // The function a value certainly is, looking at ops only.
  const auto function_of = [this](ir::ValueId id) -> ir::FunctionId {
    if (!id.valid()) return {};
    const ir::Op& op = program_.ops[id];
    if (op.kind == ir::OpKind::kMakeFunction) return ir::FunctionId(op.payload);
    if (op.kind != ir::OpKind::kLoadCell) return {};
    const ir::Cell& cell = program_.cells[ir::CellId(op.payload)];
    if (cell.stores.size() != 1) return {};
    const ir::ValueId stored = program_.Operand(cell.stores[0], 0);
    if (!stored.valid() || program_.ops[stored].kind != ir::OpKind::kMakeFunction) return {};
    return ir::FunctionId(program_.ops[stored].payload);
  };
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const ir::ValueId id(i);
    const ir::Op& op = program_.ops[id];
    if (op.kind != ir::OpKind::kCall) continue;
    ir::FunctionId target = function_of(program_.Operand(id, 0));
    const ir::ValueId callee = program_.Operand(id, 0);
    if (!target.valid() && callee.valid() && program_.ops[callee].kind == ir::OpKind::kAttr) {
      // self.method(...)
      const ir::ValueId object = program_.Operand(callee, 0);
      const ir::FunctionId here = program_.FunctionOf(id);
      const ir::Function& function = program_.functions[here];
      if (object.valid() && program_.ops[object].kind == ir::OpKind::kParam && function.owner.valid() &&
          !function.params.empty() && function.params[0].value == object) {
        target = FindMethod(impl_, function.owner, program_.SymbolOf(program_.ops[callee]));
      }
    }
    if (target.valid()) impl_.functions[target].has_call_sites = true;
  }
  // Closed: private by name or nested, and its value is only ever called.
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const ir::Function& function = program_.functions[ir::FunctionId(i)];
    if (!function.made_by.valid() || !function.decorators.empty()) continue;
    const std::string_view name = impl_.names.Text(function.name);
    const bool nested = function.parent.valid() && program_.functions[function.parent].kind == ir::Function::Kind::kDef;
    bool closed = nested || (name.starts_with('_') && !name.starts_with("__"));
    for (const ir::ValueId user : impl_.UsesOf(function.made_by)) {
      const ir::OpKind kind = program_.ops[user].kind;
      const bool called = kind == ir::OpKind::kCall && program_.Operand(user, 0) == function.made_by;
      if (!called && kind != ir::OpKind::kStoreCell) closed = false;
      if (kind != ir::OpKind::kStoreCell) continue;
      for (const ir::ValueId load : program_.cells[ir::CellId(program_.ops[user].payload)].loads) {
        for (const ir::ValueId reader : impl_.UsesOf(load)) {
          if (program_.ops[reader].kind != ir::OpKind::kCall || program_.Operand(reader, 0) != load) closed = false;
        }
      }
    }
    impl_.functions[ir::FunctionId(i)].closed = closed;
  }
}

// --- classes ---

void Engine::FindFamilies() {
  impl_.family = IdVector<ir::ClassId, ir::ClassId>(program_.classes.size());
  impl_.bases = IdVector<ir::ClassId, std::vector<ir::ClassId>>(program_.classes.size());
  for (std::size_t i = 0; i < program_.classes.size(); ++i) {
    const ir::ClassId id(i);
    impl_.family[id] = id;
    const ir::ValueId made_by = program_.classes[id].made_by;
    if (!made_by.valid()) continue;
    for (ir::ValueId base : program_.Operands(made_by)) {
      if (!base.valid()) continue;
      if (program_.ops[base].kind == ir::OpKind::kLoadCell) {
        const ir::Cell& cell = program_.cells[ir::CellId(program_.ops[base].payload)];
        if (cell.stores.size() != 1) continue;
        base = program_.Operand(cell.stores[0], 0);
        if (!base.valid()) continue;
      }
      if (program_.ops[base].kind != ir::OpKind::kMakeClass) continue;
      const ir::ClassId base_id(program_.ops[base].payload);
      if (base_id == id) continue;
      impl_.bases[id].push_back(base_id);
      const ir::ClassId mine = FamilyOf(impl_, id), theirs = FamilyOf(impl_, base_id);
      if (mine != theirs) impl_.family[mine] = theirs;
    }
  }
  for (std::size_t i = 0; i < program_.cells.size(); ++i) {
    const ir::Cell& cell = program_.cells[ir::CellId(i)];
    if (cell.kind != ir::Cell::Kind::kClassVariable) continue;
    const ir::ClassId owner = program_.functions[cell.owner].owner;
    if (owner.valid()) class_variables_.emplace(SlotKey(FamilyOf(impl_, owner), cell.name), ir::CellId(i));
  }
}

ir::ClassId FamilyOf(const Facts::Impl& impl, ir::ClassId class_id) {
  while (impl.family[class_id] != class_id) class_id = impl.family[class_id];
  return class_id;
}

ir::FunctionId FindMethod(const Facts::Impl& impl, ir::ClassId class_id, Symbol name) {
  std::vector<ir::ClassId> work = {class_id};
  for (std::size_t i = 0; i < work.size() && i < 64; ++i) {
    for (const ir::FunctionId method : impl.program.classes[work[i]].methods) {
      if (impl.program.functions[method].name == name) return method;
    }
    for (const ir::ClassId base : impl.bases[work[i]]) work.push_back(base);
  }
  return {};
}

Slot* Engine::FindSlot(ir::ClassId class_id, Symbol name) {
  const auto found = impl_.slot_of.find(SlotKey(FamilyOf(impl_, class_id), name));
  return found == impl_.slot_of.end() ? nullptr : &impl_.slots[found->second];
}

Slot& Engine::MakeSlot(ir::ClassId class_id, Symbol name) {
  const auto [entry, is_new] = impl_.slot_of.emplace(SlotKey(FamilyOf(impl_, class_id), name), impl_.slots.size());
  if (is_new) impl_.slots.emplace_back();
  return impl_.slots[entry->second];
}

// --- parameters ---

Value Engine::ParameterValue(ir::FunctionId function_id, std::size_t index) {
  const ir::Function& function = program_.functions[function_id];
  FunctionFact& fact = impl_.functions[function_id];
  const ir::Param& param = function.params[index];
  if (const Value* assumed = AssumedArray(impl_, function_id, param.name)) {
    Value value = *assumed;
    value.root = value.device_root = param.value;
    return value;
  }
  if (index == 0 && function.owner.valid() && !fact.is_static && function.kind == ir::Function::Kind::kDef) {
    Value self =
        analysis::Of(fact.is_classmethod || impl_.names.Text(param.name) == "cls" ? Kind::kClass : Kind::kInstance);
    self.class_id = function.owner;
    return self;
  }
  const Value& passed = fact.passed[index];
  if (passed.kind == Kind::kBottom && fact.has_call_sites && released_[function_id] == 0) return passed;
  if (fact.local.empty()) fact.local = LocalEvidence(impl_, function_id);
  const Value& local = fact.local[index];
  if (passed.kind == Kind::kBottom || passed.kind == Kind::kNone) {
    if (local.kind != Kind::kUnknown) return local;
    // Nothing known but a default: `def f(n=100)`.
    if (param.default_value.valid()) {
      Value value = Of(param.default_value);
      const bool plain = IsNumber(value.kind) || value.kind == Kind::kStr || value.kind == Kind::kTuple;
      if (plain) {
        value.evidence |= kDefaultValue;
        // The default is one value of many: keep the kind, and for integers a symbol.
        value.constant = false;
        if (value.kind == Kind::kInt) value.dim = store_.dims().SymbolOf(param.name, param.value.index());
        if (value.kind == Kind::kTuple) value.elements = ElementsId::None();
        return value;
      }
      if (value.kind == Kind::kApi || value.kind == Kind::kDType) return value;
    }
    return local;
  }
  if (passed.kind == Kind::kUnknown) {
    Value value = local;
    if (value.kind == Kind::kUnknown && !value.dim.valid()) value = NamedInt(param.name, param.value);
    return value;
  }
  Value value = passed;
  if (!fact.closed) value.evidence |= kCalledWith;
  // Known in two ways: the one that needs less faith counts.
  if (value.kind == local.kind && value.kind != Kind::kUnknown &&
      std::popcount(local.evidence) < std::popcount(value.evidence)) {
    value.evidence = local.evidence;
  }
  if (value.kind == Kind::kArray && !value.root.valid()) value.root = value.device_root = param.value;
  if (value.kind == Kind::kArray && local.kind == Kind::kArray && value.dtype == ir::DType::kUnknown)
    value.dtype = local.dtype;
  // A flag that the known callers leave at one value is still a flag.
  if (value.kind == Kind::kBool && !fact.closed) value.constant = false;
  if (value.kind == Kind::kInt) {
    // Several call sites, several sizes: inside the function it is one symbol.
    if (!value.dim.valid()) value.dim = NamedInt(param.name, param.value).dim;
  }
  return value;
}

bool Engine::ReleaseWaitingParameters() {
  bool any = false;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const ir::FunctionId id(i);
    if (released_[id] != 0 || !impl_.functions[id].has_call_sites) continue;
    const FunctionFact& fact = impl_.functions[id];
    bool waits = false;
    for (std::size_t p = 0; p < fact.passed.size(); ++p) {
      if (fact.passed[p].kind != Kind::kBottom) continue;
      waits = true;
      Push(program_.functions[id].params[p].value);
    }
    released_[id] = 1;
    any = any || waits;
  }
  return any;
}

std::string Engine::NameOf(ir::ValueId id) const {
  if (!id.valid()) return {};  // `len()`
  const ir::Op& op = program_.ops[id];
  if (op.kind == ir::OpKind::kParam || op.kind == ir::OpKind::kPhi) return std::string(program_.Name(op));
  if (op.kind == ir::OpKind::kLoadCell)
    return std::string(impl_.names.Text(program_.cells[ir::CellId(op.payload)].name));
  if (op.kind == ir::OpKind::kAttr) {
    // a.b.c, but no further
    std::string name(program_.Name(op));
    for (int depth = 0; depth < 3; ++depth) {
      id = program_.Operand(id, 0);
      const ir::OpKind kind = program_.ops[id].kind;
      if (kind == ir::OpKind::kParam) return std::string(program_.Name(program_.ops[id])) + "." + name;
      if (kind == ir::OpKind::kLoadCell) {
        return std::string(impl_.names.Text(program_.cells[ir::CellId(program_.ops[id].payload)].name)) + "." + name;
      }
      if (kind != ir::OpKind::kAttr) return name;
      name = std::string(program_.Name(program_.ops[id])) + "." + name;
    }
    return name;
  }
  const auto bound = bound_names_.find(id);
  if (bound != bound_names_.end()) return std::string(impl_.names.Text(bound->second));
  return {};
}

Symbol Engine::NameOrNone(ir::ValueId id) {
  const std::string name = NameOf(id);
  return impl_.names.Intern(name.empty() ? "?" : name);
}

Value Engine::NamedInt(Symbol name, ir::ValueId id) {
  Value value = Unknown();
  value.dim = store_.dims().SymbolOf(name, id.index());
  if (const std::optional<std::int64_t> assumed = store_.dims().AsConst(value.dim)) return Int(store_, *assumed);
  return value;
}

}  // namespace cpnlint::analysis
