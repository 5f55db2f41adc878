// Classes of the program: who inherits from whom, what their attributes hold, which methods a call may reach.

#include <algorithm>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

// Classes that one class is compared with; a larger hierarchy loses its farthest members.
constexpr std::size_t kMostKin = 128;
// Overriding methods that one call is taken to reach.
constexpr std::size_t kMostOverrides = 16;

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

}  // namespace

void Engine::FindFamilies() {
  const std::size_t count = program_.classes.size();
  impl_.family = IdVector<ir::ClassId, ir::ClassId>(count);
  impl_.bases = IdVector<ir::ClassId, std::vector<ir::ClassId>>(count);
  impl_.kin = IdVector<ir::ClassId, std::vector<ir::ClassId>>(count);
  impl_.heirs = IdVector<ir::ClassId, std::vector<ir::ClassId>>(count);
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
    for (const ir::ClassId heir : impl_.heirs[id]) {
      for (const ir::ClassId ancestor : Closure(heir, impl_.bases)) AddOnce(impl_.kin[id], ancestor);
    }
  }
  for (std::size_t i = 0; i < program_.cells.size(); ++i) {
    const ir::Cell& cell = program_.cells[ir::CellId(i)];
    if (cell.kind != ir::Cell::Kind::kClassVariable) continue;
    const ir::ClassId owner = program_.functions[cell.owner].owner;
    if (owner.valid()) class_variables_.emplace(SlotKey(owner, cell.name), ir::CellId(i));
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

std::vector<ir::FunctionId> MethodsMeant(const Facts::Impl& impl, ir::ClassId class_id, Symbol name) {
  std::vector<ir::FunctionId> methods;
  for (const ir::ClassId heir : impl.heirs[class_id]) {
    const ir::FunctionId method = FindMethod(impl, heir, name);
    if (!method.valid() || methods.size() == kMostOverrides) continue;
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
  }
  return methods;
}

std::optional<Library> Engine::ArraysOf(ir::ClassId class_id) const {
  std::vector<ir::ClassId> work = {class_id};
  std::optional<Library> arrays;
  for (std::size_t i = 0; i < work.size() && i < 64; ++i) {
    const ir::ValueId made_by = program_.classes[work[i]].made_by;
    if (!made_by.valid()) continue;
    for (const ir::ValueId base : program_.Operands(made_by)) {
      const Value& value = Of(base);
      if (value.kind == Kind::kApi && impl_.names.Text(value.name) == "numpy.ndarray") arrays = value.library;
    }
    for (const ir::ClassId base : impl_.bases[work[i]]) work.push_back(base);
  }
  if (!arrays) return std::nullopt;
  // `self[i].set(key)`: arrays of objects are none for the device.
  for (const ir::ClassId owner : work) {
    for (const ir::FunctionId method : program_.classes[owner].methods) {
      const std::vector<ir::Param>& params = program_.functions[method].params;
      if (!params.empty() && impl_.item_types.contains(params.front().value)) return std::nullopt;
    }
  }
  return arrays;
}

Slot* Engine::FindSlot(ir::ClassId class_id, Symbol name) {
  const auto found = impl_.slot_of.find(SlotKey(class_id, name));
  return found == impl_.slot_of.end() ? nullptr : &impl_.slots[found->second];
}

Slot& Engine::MakeSlot(ir::ClassId class_id, Symbol name) {
  const auto [entry, is_new] = impl_.slot_of.emplace(SlotKey(class_id, name), impl_.slots.size());
  if (is_new) impl_.slots.emplace_back();
  return impl_.slots[entry->second];
}

Value Engine::InstanceAttribute(ir::ValueId id, const Value& object, Symbol name) {
  if (const std::vector<ir::FunctionId> methods = MethodsMeant(impl_, object.class_id, name); !methods.empty()) {
    if (impl_.functions[methods.front()].is_property) {
      Value value;
      for (const ir::FunctionId method : methods) {
        (void)SiteOf(method, id);
        value = JoinOptional(store_, value, impl_.functions[method].returned);
      }
      return value;
    }
    Value value = analysis::Of(Kind::kMethod);
    value.name = name;
    value.function = methods.front();
    value.class_id = object.class_id;
    value.receiver = program_.Operand(id, 0);
    return value;
  }
  {
    std::vector<ir::ValueId>& readers = MakeSlot(object.class_id, name).readers;
    if (std::find(readers.begin(), readers.end(), id) == readers.end()) readers.push_back(id);
  }
  Value value;
  for (const ir::ClassId kin : impl_.kin[object.class_id]) {
    if (const Slot* slot = FindSlot(kin, name)) value = JoinOptional(store_, value, slot->value);
  }
  if (value.kind == Kind::kBottom) value = ClassVariable(id, object.class_id, name);
  if (value.kind == Kind::kBottom) value = Unknown();
  if ((value.kind == Kind::kUnknown || value.kind == Kind::kInt) && !value.dim.valid()) {
    value.dim = store_.dims().SymbolOf(name, kClassInstance + FamilyOf(impl_, object.class_id).index());
  }
  return value;
}

// What class bodies assign to the name: the class's own, else that of its kin.
Value Engine::ClassVariable(ir::ValueId reader, ir::ClassId class_id, Symbol name) {
  for (const ir::ClassId kin : impl_.kin[class_id]) {
    const auto found = class_variables_.find(SlotKey(kin, name));
    if (found == class_variables_.end()) continue;
    Watch(found->second, reader);
    return impl_.cells[found->second];
  }
  return {};
}

void Engine::StoreAttribute(const ir::Op& op) {
  const std::span<const ir::ValueId> operands = program_.Operands(op);
  const Value& object = Of(operands[0]);
  const Symbol name = program_.SymbolOf(op);
  if (object.kind == Kind::kModule) {  // config.n = 100
    const ir::CellId cell = FindGlobal(impl_, program_.functions[object.function].module, name);
    if (cell.valid()) StoreOutside(cell, Of(operands[1]));
    return;
  }
  const bool of_subclass = object.kind == Kind::kArray && object.class_id.valid();
  if (object.kind != Kind::kInstance && object.kind != Kind::kClass && !of_subclass) return;
  const ir::ClassId class_id = object.class_id;
  Slot& slot = MakeSlot(class_id, name);
  const Value value = Of(operands[1]);
  // One attribute name is one storage for the rules: `self.u` here and there.
  const Value joined = JoinOptional(store_, slot.value, value);
  if (joined == slot.value) return;
  slot.value = joined;
  if (slot.value.kind == Kind::kArray && !slot.value.root.valid())
    slot.value.root = slot.value.device_root = operands[1];
  for (const ir::ClassId kin : impl_.kin[class_id]) {
    const Slot* touched = FindSlot(kin, name);
    if (touched == nullptr) continue;
    for (const ir::ValueId reader : touched->readers) Push(reader);
  }
}

}  // namespace cpnlint::analysis
