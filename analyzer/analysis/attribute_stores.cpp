#include "analyzer/analysis/attribute_stores.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {

void IndexAttributeStores(Facts::Impl& impl) {
  if (impl.attribute_stores_known) return;
  impl.attribute_stores_known = true;
  const ir::Program& program = impl.program;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind != ir::OpKind::kStoreAttr) continue;
    const ir::ValueId stored = program.Operand(ir::ValueId(i), 1);
    impl.attribute_stores[KeyOfAnyClass(program.SymbolOf(op))].push_back(stored);
    const Value& object = impl.Of(program.Operand(ir::ValueId(i), 0));
    if (object.kind != Kind::kInstance) continue;
    // What a property gives need not be what its setter takes.
    if (FindMethod(impl, object.class_id, program.SymbolOf(op)).valid()) continue;
    impl.attribute_stores[SlotKey(FamilyOf(impl, object.class_id), program.SymbolOf(op))].push_back(stored);
  }
  for (const ir::Function& function : program.functions) {
    if (function.owner.valid()) impl.attribute_stores.erase(KeyOfAnyClass(function.name));
  }
}

std::vector<ir::ValueId> StoredByKin(const Facts::Impl& impl, ir::ClassId owner, Symbol attribute) {
  std::vector<ir::ValueId> stored;
  for (const ir::ClassId kin : impl.kin[owner]) {
    const auto found = impl.slot_of.find(SlotKey(kin, attribute));
    if (found == impl.slot_of.end()) continue;
    const std::vector<ir::ValueId>& here = impl.slots[found->second].stored;
    stored.insert(stored.end(), here.begin(), here.end());
  }
  return stored;
}

std::vector<ir::ValueId> DeclaredInFamily(const Facts::Impl& impl, ir::ClassId family, Symbol name) {
  std::vector<ir::ValueId> declared;
  for (const ir::Cell& cell : impl.program.cells) {
    if (cell.kind != ir::Cell::Kind::kClassVariable || cell.name != name) continue;
    const ir::ClassId owner = impl.program.functions[cell.owner].owner;
    if (!owner.valid() || FamilyOf(impl, owner) != family) continue;
    for (const ir::ValueId store : cell.stores) declared.push_back(impl.program.Operand(store, 0));
  }
  return declared;
}

std::vector<ir::ValueId> StoredIn(Facts::Impl& impl, ir::ClassId owner, Symbol attribute) {
  std::vector<ir::ValueId> stored = StoredByKin(impl, owner, attribute);
  if (!stored.empty()) return stored;
  IndexAttributeStores(impl);
  const auto stores = impl.attribute_stores.find(SlotKey(FamilyOf(impl, owner), attribute));
  return stores == impl.attribute_stores.end() ? std::vector<ir::ValueId>() : stores->second;
}

namespace {

// The method that each attribute holds, of whatever object; None() where that is not the only thing of that name.
// By name, for the same order on each run.
std::map<Symbol, ir::FunctionId> MethodsByAttribute(Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  std::map<Symbol, ir::FunctionId> only;
  const auto see = [&](Symbol name, ir::FunctionId function) {
    const auto [known, is_new] = only.emplace(name, function);
    if (!is_new && known->second != function) known->second = ir::FunctionId::None();
  };
  const auto method_of = [](const Value& value) {
    return value.kind == Kind::kMethod ? value.function : ir::FunctionId::None();
  };
  for (const auto& [key, slot] : impl.slot_of) see(NameOfSlot(key), method_of(impl.slots[slot].value));
  for (const ir::Function& function : program.functions) {
    if (function.owner.valid()) see(function.name, ir::FunctionId::None());
    for (const ir::ValueId call : function.calls) {  // of a namedtuple: its fields, between spaces
      const Value& tuple = impl.Of(call);
      if (tuple.kind != Kind::kTuple || !tuple.name.valid() || !tuple.elements.valid()) continue;
      std::istringstream fields{std::string(impl.names.Text(tuple.name))};
      std::string field;
      for (const Value& value : impl.store.Get(tuple.elements)) {
        if (fields >> field) see(impl.names.Intern(field), method_of(value));
      }
    }
  }
  return only;
}

}  // namespace

std::span<const Symbol> AttributesThatHold(Facts::Impl& impl, ir::FunctionId method) {
  if (!impl.kept_under_known) {
    impl.kept_under_known = true;
    for (const auto& [name, function] : MethodsByAttribute(impl)) {
      if (function.valid()) impl.kept_under[function].push_back(name);
    }
  }
  const auto found = impl.kept_under.find(method);
  return found == impl.kept_under.end() ? std::span<const Symbol>() : found->second;
}

bool HoldsNumber(const Facts& facts, Facts::Impl& impl, ir::ValueId attribute) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = attribute.valid() ? facts.Source(attribute) : attribute;
  if (!source.valid() || program.ops[source].kind != ir::OpKind::kAttr) return false;
  const Value& object = facts.Of(program.Operand(source, 0));
  if (object.kind != Kind::kInstance) return false;
  const std::vector<ir::ValueId> stores = StoredIn(impl, object.class_id, program.SymbolOf(program.ops[source]));
  const auto is_number = [&](ir::ValueId stored) { return IsNumber(facts.Of(stored).kind); };
  const auto is_more = [&](ir::ValueId stored) {
    const Kind kind = facts.Of(stored).kind;
    return kind == Kind::kArray || kind == Kind::kList || kind == Kind::kTuple;
  };
  return std::ranges::any_of(stores, is_number) && std::ranges::none_of(stores, is_more);
}

bool ItemsChange(const Facts& facts, const Facts::Impl& impl, ir::ClassId owner, Symbol attribute) {
  const ir::Program& program = impl.program;
  const auto reads_it = [&](ir::ValueId id) {
    const ir::ValueId source = id.valid() ? facts.Source(id) : id;
    return source.valid() && program.ops[source].kind == ir::OpKind::kAttr &&
           program.SymbolOf(program.ops[source]) == attribute;
  };
  const auto changes_it = [&](ir::ValueId id) {
    const ir::Op& op = program.ops[id];
    const bool method = op.kind == ir::OpKind::kAttr && IsOneOf(program.Name(op), {"append", "extend", "insert"});
    return (op.kind == ir::OpKind::kStoreSubscript || method) && reads_it(program.Operand(id, 0));
  };
  for (const ir::ClassId kin : impl.kin[owner]) {
    for (const ir::FunctionId method : program.classes[kin].methods) {
      for (const ir::BlockId block : program.functions[method].blocks) {
        if (std::ranges::any_of(program.blocks[block].ops, changes_it)) return true;
      }
    }
  }
  return false;
}

}  // namespace cpnlint::analysis
