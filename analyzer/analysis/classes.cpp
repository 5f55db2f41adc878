// Classes of the program: who inherits from whom, what their attributes hold, which methods a call may reach.

#include <algorithm>
#include <array>

#include "analyzer/analysis/either_objects.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/text_arrays.h"
#include "analyzer/analysis/walked_texts.h"

namespace cpnlint::analysis {
namespace {

// Classes that one class is compared with; a larger hierarchy loses its farthest members.
constexpr std::size_t kMostKin = 128;
// Overriding methods that one call is taken to reach.
constexpr std::size_t kMostOverrides = 16;
// Values of one attribute whose uses are looked at.
constexpr std::size_t kMostLookedAt = 16;

void AddOnce(std::vector<ir::ClassId>& classes, ir::ClassId id) {
  if (classes.size() < kMostKin && std::find(classes.begin(), classes.end(), id) == classes.end()) {
    classes.push_back(id);
  }
}

// `first` and all that `next` leads to from there.
std::vector<ir::ClassId> Closure(ir::ClassId first, const IdVector<ir::ClassId, std::vector<ir::ClassId>>& next) {
  std::vector<ir::ClassId> all = {first};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const ir::ClassId id : next[all[i]]) AddOnce(all, id);
  }
  return all;
}

// `@lazyproperty` of a library, `@cache_readonly` of a class of its own: what the name gives may be what the method
// returns.
bool MayBeProperty(const Facts::Impl& impl, ir::FunctionId method) {
  const FunctionFact& fact = impl.functions[method];
  if (fact.is_static || fact.is_classmethod || fact.compiled) return false;
  const auto& decorators = impl.program.functions[method].decorators;
  return std::any_of(decorators.begin(), decorators.end(), [&](ir::ValueId decorator) {
    if (impl.program.ops[decorator].kind == ir::OpKind::kCall) return false;  // `@limits(1)` wraps what is called
    const Value& value = impl.Of(decorator);
    if (value.kind == Kind::kForeign || (value.kind == Kind::kApi && value.library == Library::kOther)) {
      const std::string_view name = impl.names.Text(value.name);
      return !StartsWithModule(name, "functools") && !StartsWithModule(name, "abc") &&
             !StartsWithModule(name, "typing");
    }
    return value.kind == Kind::kUnknown || value.kind == Kind::kClass || value.kind == Kind::kInstance;
  });
}

bool IsCalled(const Facts::Impl& impl, ir::ValueId id) {
  const auto uses = impl.UsesOf(id);
  return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
    return impl.program.ops[use].kind == ir::OpKind::kCall && impl.program.Operand(use, 0) == id;
  });
}

// `Settings.n = 5`: other than what its objects are given, it holds for the class. Of what is stored too often to look
// at, nobody knows.
bool IsStoredInClass(const Facts::Impl& impl, ir::ClassId class_id, Symbol name) {
  const ir::Program& program = impl.program;
  const auto stores = [&](ir::ValueId user, ir::ValueId stored) {
    const ir::Op& op = program.ops[user];
    if (op.kind == ir::OpKind::kStoreAttr)
      return program.Operand(user, 1) == stored && impl.Of(program.Operand(user, 0)).kind == Kind::kClass;
    const Value& callee = impl.Of(program.Operand(user, 0));
    return op.kind == ir::OpKind::kCall && callee.kind == Kind::kBuiltin && impl.names.Text(callee.name) == "setattr";
  };
  for (const ir::ClassId kin : impl.kin[class_id]) {
    const auto slot = impl.slot_of.find(SlotKey(kin, name));
    if (slot == impl.slot_of.end()) continue;
    const std::vector<ir::ValueId>& all = impl.slots[slot->second].stored;
    if (all.size() > kMostLookedAt) return true;
    for (const ir::ValueId stored : all) {
      if (std::ranges::any_of(impl.UsesOf(stored), [&](ir::ValueId user) { return stores(user, stored); })) return true;
    }
  }
  return false;
}

}  // namespace

ir::ValueId OnlyAssigned(const ir::Program& program, ir::CellId cell) {
  const std::span<const ir::ValueId> stores = program.cells[cell].stores;
  return stores.size() == 1 ? program.Operand(stores[0], 0) : ir::ValueId::None();
}

void Engine::FindFamilies() {
  const std::size_t count = program_.classes.size();
  impl_.family = IdVector<ir::ClassId, ir::ClassId>(count);
  impl_.bases = IdVector<ir::ClassId, std::vector<ir::ClassId>>(count);
  impl_.kin = IdVector<ir::ClassId, std::vector<ir::ClassId>>(count);
  impl_.heirs = IdVector<ir::ClassId, std::vector<ir::ClassId>>(count);
  impl_.heir_of = IdVector<ir::ClassId, std::vector<ir::ClassId>>(count);
  for (std::size_t i = 0; i < count; ++i) impl_.family[ir::ClassId(i)] = ir::ClassId(i);
  IdVector<ir::ClassId, std::vector<ir::ClassId>> derived(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ir::ClassId id(i);
    const ir::ValueId made_by = program_.classes[id].made_by;
    if (!made_by.valid()) continue;
    for (ir::ValueId base : program_.Operands(made_by)) {
      base = DefinitionOf(impl_, base);
      if (!base.valid() || program_.ops[base].kind != ir::OpKind::kMakeClass) continue;
      const ir::ClassId base_id(program_.ops[base].payload);
      if (base_id == id) continue;
      impl_.bases[id].push_back(base_id);
      derived[base_id].push_back(id);
      const ir::ClassId mine = FamilyOf(impl_, id), theirs = FamilyOf(impl_, base_id);
      if (mine != theirs) impl_.family[mine] = theirs;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const ir::ClassId id(i);
    impl_.heirs[id] = Closure(id, derived);
    store_.SetAncestors(id, Closure(id, impl_.bases));
    for (const ir::ClassId heir : impl_.heirs[id]) {
      impl_.heir_of[heir].push_back(id);
      for (const ir::ClassId ancestor : Closure(heir, impl_.bases)) AddOnce(impl_.kin[id], ancestor);
    }
  }
  for (std::size_t i = 0; i < program_.cells.size(); ++i) {
    const ir::Cell& cell = program_.cells[ir::CellId(i)];
    if (cell.kind != ir::Cell::Kind::kClassVariable) continue;
    const ir::ClassId owner = program_.functions[cell.owner].owner;
    if (!owner.valid()) continue;
    class_variables_.emplace(SlotKey(owner, cell.name), ir::CellId(i));
    variables_of_[owner].push_back(ir::CellId(i));
  }
}

ir::ClassId FamilyOf(const Facts::Impl& impl, ir::ClassId class_id) {
  while (impl.family[class_id] != class_id) class_id = impl.family[class_id];
  return class_id;
}

bool AnyHasBody(const Facts::Impl& impl, const std::vector<ir::FunctionId>& methods) {
  return std::ranges::any_of(methods, [&](ir::FunctionId method) { return !impl.functions[method].abstract; });
}

ir::FunctionId FindMethod(const Facts::Impl& impl, ir::ClassId class_id, Symbol name) {
  const auto own = [&](ir::ClassId id) -> ir::FunctionId {
    for (const ir::FunctionId method : impl.program.classes[id].methods) {
      if (impl.program.functions[method].name == name) return method;
    }
    return {};
  };
  std::array<ir::ClassId, 64> work = {class_id};  // no vector: it is asked often, and of few classes
  std::size_t known = 1;
  for (std::size_t i = 0; i < known; ++i) {
    if (const ir::FunctionId method = own(work[i]); method.valid()) return method;
    for (const ir::ClassId base : impl.bases[work[i]]) {
      if (known < work.size()) work[known++] = base;
    }
  }
  return {};
}

// The functions that `object.name` may mean where the object is of the class or of one derived from it, that of the
// class itself first.
const std::vector<ir::FunctionId>& Engine::MethodsMeant(ir::ClassId class_id, Symbol name) {
  const auto [entry, is_new] = methods_meant_.try_emplace(SlotKey(class_id, name));
  std::vector<ir::FunctionId>& methods = entry->second;
  if (!is_new) return methods;
  for (const ir::ClassId heir : impl_.heirs[class_id]) {
    const ir::FunctionId method = FindMethod(impl_, heir, name);
    if (!method.valid() || methods.size() == kMostOverrides) continue;
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
  }
  return methods;
}

// `type(x)`, `x.__class__`: of an object of the program its class, or one that this derives from. The `receiver` of
// such a class is the object: which constructor runs is not known where others derive from the class.
Value Engine::ClassOf(const Value& object) const {
  constexpr std::size_t kMostHeirs = 4;  // of a root of many classes hardly anything holds for each
  const bool of_ours = object.class_id.valid() && (object.kind == Kind::kInstance || object.kind == Kind::kArray) &&
                       impl_.heirs[object.class_id].size() <= kMostHeirs;
  if (!of_ours) return object.kind == Kind::kBottom ? Value() : Unknown();
  Value type = analysis::Of(Kind::kClass);
  type.class_id = object.class_id;
  type.evidence = object.evidence;
  return type;
}

Slot* Engine::FindSlot(ir::ClassId class_id, Symbol name) {
  const auto found = impl_.slot_of.find(SlotKey(class_id, name));
  return found == impl_.slot_of.end() ? nullptr : &impl_.slots[found->second];
}

// Its index in slots.
std::uint32_t Engine::MakeSlot(ir::ClassId class_id, Symbol name) {
  const auto [entry, is_new] = impl_.slot_of.emplace(SlotKey(class_id, name), impl_.slots.size());
  if (is_new) impl_.slots.emplace_back();
  return entry->second;
}

// A call that may run code of the program, or code that nobody knows.
bool Engine::MayStore(ir::ValueId call) const {
  const std::span<const ir::ValueId> operands = program_.Operands(call);
  const Value& callee = Of(operands[0]);
  const bool library = callee.kind == Kind::kApi || callee.kind == Kind::kDType || callee.kind == Kind::kForeign ||
                       callee.kind == Kind::kBuiltin || (callee.kind == Kind::kMethod && !callee.function.valid());
  if (!library || (callee.kind == Kind::kBuiltin && impl_.names.Text(callee.name) == "setattr")) return true;
  return std::any_of(operands.begin() + 1, operands.end(), [&](ir::ValueId argument) {
    return argument.valid() && Of(argument).function.valid();  // it may be called there
  });
}

// `self.n = n` in the blocks that lead straight to a read of `self.n`: what is stored there, and not what other
// branches and methods store. None() where something between may store another.
ir::ValueId Engine::StoredJustBefore(ir::ValueId read) const {
  constexpr int kMostOps = 64;
  const ir::Op& op = program_.ops[read];
  const ir::ValueId object = program_.Operand(read, 0);
  ir::BlockId at = op.block;
  auto ops = std::span(program_.blocks[at].ops);
  const auto here = std::lower_bound(ops.begin(), ops.end(), read);
  if (here == ops.end() || *here != read) return {};
  ops = ops.first(static_cast<std::size_t>(here - ops.begin()));
  for (int seen = 0; seen < kMostOps; ++seen) {
    while (ops.empty()) {
      const auto& preds = program_.blocks[at].preds;
      if (preds.size() != 1 || ++seen > kMostOps) return {};
      at = preds[0];
      ops = std::span(program_.blocks[at].ops);
    }
    const ir::ValueId id = ops.back();
    ops = ops.first(ops.size() - 1);
    const ir::Op& before = program_.ops[id];
    if (before.kind == ir::OpKind::kCall && MayStore(id)) return {};
    if (before.kind == ir::OpKind::kYield) return {};
    if (before.kind != ir::OpKind::kStoreAttr || program_.SymbolOf(before) != program_.SymbolOf(op)) continue;
    return program_.Operand(id, 0) == object ? program_.Operand(id, 1) : ir::ValueId::None();
  }
  return {};
}

// NOLINTNEXTLINE(misc-no-recursion): none of several objects is one of several
Value Engine::InstanceAttribute(ir::ValueId id, const Value& object, Symbol name) {
  if (IsEither(object)) {
    Value joined;
    bool others = false;
    for (const Value& one : AlternativesAt(impl_, here_, program_.Operand(id, 0), object)) {
      const Value value = InstanceAttribute(id, one, name);
      const bool shown = !MethodsMeant(one.class_id, name).empty() ||
                         AccessorOf(one.class_id, name, Access::kRead).valid() ||
                         std::ranges::any_of(impl_.kin[one.class_id], [&](ir::ClassId kin) {
                           const Slot* slot = FindSlot(kin, name);
                           return class_variables_.contains(SlotKey(kin, name)) ||
                                  (slot != nullptr && slot->value.kind != Kind::kBottom);
                         });
      // What has no such attribute is not the object that is asked for it.
      if (shown) joined = JoinEither(store_, joined, value);
      others = others || (!shown && MayHaveOthers(impl_, one.class_id));
      // `cls.method` of a class wants its object.
      others = others || (one.kind == Kind::kClass && value.kind == Kind::kMethod);
    }
    if (joined.kind != Kind::kBottom && !others) return joined;
    return !attributes_released_ && stored_names_.contains(name) ? Value() : NamedInt(name, id);
  }
  if (const std::vector<ir::FunctionId>& methods = MethodsMeant(object.class_id, name); !methods.empty()) {
    if (impl_.functions[methods.front()].is_property) {
      Value value;
      const bool overridden = AnyHasBody(impl_, methods);
      for (const ir::FunctionId method : methods) {
        (void)SiteOf(method, id);
        if (impl_.functions[method].abstract && overridden) continue;
        value = JoinOptional(store_, value, ReturnedOf(method));
      }
      return value;
    }
    Value value = analysis::Of(Kind::kMethod);
    value.name = name;
    // Of what may be a property, the name alone is no function that is handed on.
    if (!MayBeProperty(impl_, methods.front()) || IsCalled(impl_, id)) value.function = methods.front();
    value.class_id = object.class_id;
    value.receiver = program_.Operand(id, 0);
    return value;
  }
  if (const ir::FunctionId getter = AccessorOf(object.class_id, name, Access::kRead); getter.valid()) {
    const std::size_t site = SiteOf(getter, id);
    const ir::Function& function = program_.functions[getter];
    if (!function.owner.valid() && !function.params.empty()) Pass(getter, 0, object, site);  // a lambda
    return ReturnedOf(getter);
  }
  const std::uint32_t slot = MakeSlot(object.class_id, name);
  if (std::uint32_t& last = slot_read_[id.index()]; last != slot) {
    std::vector<ir::ValueId>& readers = impl_.slots[slot].readers;
    // What has read another one may have come back to this.
    const bool known = last != kNoSlot && std::find(readers.begin(), readers.end(), id) != readers.end();
    if (!known) readers.push_back(id);
    last = slot;
  }
  // `Settings.n`: what the objects are given stays with them.
  if (object.kind == Kind::kClass && impl_.heirs[object.class_id].size() == 1 &&
      !IsStoredInClass(impl_, object.class_id, name)) {
    Value own = ClassVariable(id, object.class_id, name);
    if (IsNumber(own.kind)) return own;
  }
  Value value;
  bool several = false, of_others = false;
  for (const ir::ClassId kin : impl_.kin[object.class_id]) {
    const Slot* slot = FindSlot(kin, name);
    if (slot == nullptr) continue;
    several = several || value.kind != Kind::kBottom || slot->stored.size() > 1;
    value = JoinOptional(store_, value, slot->value);
    // `self.roots = self.polynomial.roots` is an attribute of an object that nobody knows, `self.labels_ = []` a list,
    // whatever the docstring hopes.
    of_others = of_others || std::ranges::any_of(slot->stored, [&](ir::ValueId stored) {
                  const Kind kind = Of(stored).kind;
                  return program_.ops[stored].kind == ir::OpKind::kAttr || kind == Kind::kList || kind == Kind::kDict;
                });
  }
  if (const ir::ValueId stored = several ? StoredJustBefore(id) : ir::ValueId::None(); stored.valid()) {
    WatchValue(stored, id);
    if (Of(stored).kind != Kind::kBottom) value = Of(stored);
  }
  if (value.kind == Kind::kBottom) value = VariableOfObject(id, object, name);
  // `alive: bool = True` in the class body and `track.alive = False` later: an object holds the one until then.
  if (value.constant && (value.kind == Kind::kBool || value.kind == Kind::kStr)) {
    const Value declared = VariableOfObject(id, object, name);
    if (declared.kind == value.kind) value = JoinOptional(store_, value, declared);
  }
  if (value.kind == Kind::kUnknown) {  // `u: np.ndarray` in the class body tells what an argument does not
    const Value declared = ClassVariable(id, object.class_id, name);
    if (declared.kind == Kind::kArray || declared.kind == Kind::kInstance) value = declared;
    if (value.kind == Kind::kUnknown && !of_others) {
      const Value& said = DocumentedField(object.class_id, name);
      if (said.kind == Kind::kArray && ConfidenceOf(said.evidence) != Confidence::kPossible) value = said;
    }
  }
  if (value.kind == Kind::kBottom && !attributes_released_ && stored_names_.contains(name)) return {};  // not there yet
  if (value.kind == Kind::kBottom) value = Unknown();
  if (value.kind != Kind::kUnknown && value.kind != Kind::kInt) return value;
  const ir::ClassId family = FamilyOf(impl_, object.class_id);
  if (store_.dims().AssumesAnything()) {
    for (const ir::ClassId type : {object.class_id, family}) {
      if (const auto assumed = store_.dims().Assumed(name, kClassInstance + type.index())) return Int(store_, *assumed);
    }
  }
  if (!value.dim.valid()) value.dim = store_.dims().SymbolOf(name, kClassInstance + family.index());
  return value;
}

// What class bodies assign to the name: the class's own, else that of its kin.
Value Engine::ClassVariable(ir::ValueId reader, ir::ClassId class_id, Symbol name) {
  for (const ir::ClassId kin : impl_.kin[class_id]) {
    const auto found = class_variables_.find(SlotKey(kin, name));
    if (found != class_variables_.end()) return VariableHeld(reader, found->second);
  }
  return {};
}

Value Engine::VariableHeld(ir::ValueId reader, ir::CellId variable) {
  Watch(variable, reader);
  const ir::ValueId only = OnlyAssigned(program_, variable);
  const Value& value = Kept(cells_[variable]);
  // `u: np.ndarray = None`, `buffer = attr.ib(factory=make)`: the field of an object is set by its constructor.
  if (only.valid() && (value.kind == Kind::kNone || value.kind == Kind::kUnknown)) {
    const Value field = FieldValue(only);
    if (field.kind != Kind::kUnknown) return field;
  }
  return value;
}

// The variables of the class's heirs that have the name.
const std::vector<ir::CellId>& Engine::VariablesOfHeirs(ir::ClassId class_id, Symbol name) {
  const auto [entry, is_new] = variables_of_heirs_.try_emplace(SlotKey(class_id, name));
  if (!is_new) return entry->second;
  for (const ir::ClassId heir : impl_.heirs[class_id]) {
    const auto found = class_variables_.find(SlotKey(heir, name));
    if (heir != class_id && found != class_variables_.end()) entry->second.push_back(found->second);
  }
  return entry->second;
}

// ... and of an object, which may be of a class that derives from it and assigns another value: `verbose = True`.
Value Engine::VariableOfObject(ir::ValueId reader, const Value& object, Symbol name) {
  Value value = ClassVariable(reader, object.class_id, name);
  if (object.kind != Kind::kInstance) return value;
  for (const ir::CellId variable : VariablesOfHeirs(object.class_id, name)) {
    if (value.kind == Kind::kUnknown) break;
    value = JoinOptional(store_, value, VariableHeld(reader, variable));
  }
  return value;
}

// `n: int = 2_000_000` in a class body: a number that its objects have until another one is stored.
static ir::ValueId NumberOfField(const ir::Program& program, ir::CellId field) {
  const ir::ValueId only = OnlyAssigned(program, field);
  if (!only.valid() || program.ops[only].kind != ir::OpKind::kAnnotate) return {};
  const ir::ValueId number = program.Operand(only, 0);
  return number.valid() && program.ops[number].kind == ir::OpKind::kInt ? number : ir::ValueId::None();
}

void Engine::StoreAttribute(ir::ValueId id, const ir::Op& op) {
  const std::span<const ir::ValueId> operands = program_.Operands(op);
  const Value& object = Of(operands[0]);
  const Symbol name = program_.SymbolOf(op);
  if (object.kind == Kind::kModule) {  // config.n = 100
    const ir::CellId cell = FindGlobal(impl_, program_.functions[object.function].module, name);
    if (cell.valid()) StoreOutside(cell, Of(operands[1]));
    return;
  }
  const bool array = object.kind == Kind::kArray && object.class_id.valid() &&
                     !NumpyHas("numpy.ndarray." + std::string(impl_.names.Text(name)));
  if (object.kind == Kind::kDict && object.name.valid()) {  // see HoldsAttributes
    GrowItem(object.root, Of(operands[1]));
    StoreKey(object.root, name, Of(operands[1]));
  }
  if (object.kind != Kind::kInstance && object.kind != Kind::kClass && !array) return;
  if (object.kind == Kind::kInstance && CallSetters(id, object, name, Of(operands[1]))) return;
  StoreInto(object.class_id, name, operands[1]);
  // `if len(sys.argv) > 1: settings.n = int(sys.argv[1])`: or else the default.
  if (object.kind != Kind::kInstance || !program_.blocks[op.block].guard.valid()) return;
  for (const ir::ClassId kin : impl_.kin[object.class_id]) {
    const auto field = class_variables_.find(SlotKey(kin, name));
    const ir::ValueId number =
        field == class_variables_.end() ? ir::ValueId::None() : NumberOfField(program_, field->second);
    if (!number.valid()) continue;
    WatchValue(number, id);
    return StoreInto(object.class_id, name, number);
  }
}

void Engine::StoreInto(ir::ClassId class_id, Symbol name, ir::ValueId value) {
  const std::uint32_t slot_id = MakeSlot(class_id, name);
  Slot& slot = impl_.slots[slot_id];
  const bool known = std::find(slot.stored.begin(), slot.stored.end(), value) != slot.stored.end();
  if (!known && slot.stored.size() <= kMostJoined) slot.stored.push_back(value);
  Value joined;
  if (slot.stored.size() <= kMostJoined) {
    bool any_left_out = false;
    const ir::BlockId at = here_;
    here_ = {};
    for (const ir::ValueId stored : slot.stored) {
      if (IsUnsetParameter(stored)) {
        any_left_out = true;
      } else {
        joined = JoinOptional(store_, joined, Of(stored));
      }
    }
    here_ = at;
    if (MixesItems(store_, joined, [&](auto see) {
          for (const ir::ValueId stored : slot.stored) see(impl_.Of(stored));
        }))
      joined.evidence |= kContradicted;
    if (any_left_out && joined.kind != Kind::kBottom) joined.evidence |= kCalledWith;
    if (any_left_out && joined.kind == Kind::kBottom) joined = Unknown();
  } else {
    joined = JoinOptional(store_, slot.value, Of(value));
  }
  // One attribute name is one storage for the rules: `self.u` here and there.
  if (joined.kind == Kind::kArray && !joined.root.valid()) joined.root = joined.device_root = slot.stored.front();
  if (const auto own = own_storage_.find(slot_id); own != own_storage_.end() && joined.kind == Kind::kArray)
    joined.root = joined.device_root = own->second;
  if (joined == slot.value) return;
  slot.value = joined;
  for (const ir::ClassId kin : impl_.kin[class_id]) {
    const Slot* touched = FindSlot(kin, name);
    if (touched == nullptr) continue;
    for (const ir::ValueId reader : touched->readers) Push(reader);
  }
}

// `for name in ("u", "v"): setattr(self, name, np.zeros(n))`: what each trip makes is storage of its own, although one
// op makes it.
void Engine::StoreByName(ir::ClassId class_id, ir::ValueId name, ir::ValueId value) {
  const Value& text = Of(name);
  if (text.constant) return StoreInto(class_id, text.name, value);
  if (Of(value).kind == Kind::kUnknown) return;  // `setattr(self, name, getattr(other, name))`: each is another thing
  const ir::ValueId root = Of(value).root;
  const bool own = !root.valid() || program_.LoopOf(root) == program_.LoopOf(name);
  for (const WalkedText& walked : TextsWalked(impl_, name)) {
    if (own) own_storage_.try_emplace(MakeSlot(class_id, walked.text), walked.literal);
    StoreInto(class_id, walked.text, value);
  }
}

}  // namespace cpnlint::analysis
