// Classes of the program that derive from ndarray: their objects are arrays that know methods and attributes besides
// (A.3). Making one raises under cuPyNumeric (R119); what NumPy says of it still holds for the findings that follow.

#include <algorithm>
#include <array>

#include "analyzer/analysis/engine.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

// With one of these the class decides itself what operators and ufuncs give.
constexpr auto kOperators = std::to_array<std::string_view>({
    "__array_ufunc__",
    "__add__",
    "__radd__",
    "__sub__",
    "__mul__",
    "__rmul__",
    "__truediv__",
    "__pow__",
    "__matmul__",
    "__eq__",
    "__lt__",
    "__neg__",
});

}  // namespace

// The library whose ndarray each class derives from, as soon as names are settled.
void Engine::FindArrayClasses() {
  for (std::size_t i = 0; i < program_.classes.size(); ++i) {
    const ir::ValueId made_by = program_.classes[ir::ClassId(i)].made_by;
    if (!made_by.valid()) continue;
    for (const ir::ValueId base : program_.Operands(made_by)) {
      const Value& value = Of(base);
      if (value.kind != Kind::kApi || impl_.names.Text(value.name) != "numpy.ndarray") continue;
      for (const ir::ClassId heir : impl_.heirs[ir::ClassId(i)]) array_libraries_[heir] = value.library;
    }
  }
  // `for item in self: item.evaluate()`: arrays of objects are none of the device's.
  for (std::size_t i = 0; i < program_.classes.size(); ++i) {
    if (array_libraries_[ir::ClassId(i)] == Library::kNone) continue;
    for (const ir::FunctionId method : program_.classes[ir::ClassId(i)].methods) {
      const ir::Function& function = program_.functions[method];
      if (function.params.empty()) continue;
      const auto held = impl_.item_types.find(function.params.front().value);
      if (held == impl_.item_types.end()) continue;
      for (const ir::ClassId kin : impl_.kin[ir::ClassId(i)]) array_dtypes_[kin] = held->second;
    }
  }
}

// An object of the class, of which no more is known: an array where the class derives from ndarray.
Value Engine::ObjectOf(ir::ClassId class_id, ir::ValueId root) const {
  Value object = analysis::Of(Kind::kInstance);
  if (const Library library = array_libraries_[class_id]; library != Library::kNone) {
    object = Array(library, array_dtypes_[class_id], ShapeId::None(), 0);
    object.root = object.device_root = root;
  }
  object.class_id = class_id;
  return object;
}

bool Engine::Defines(const Value& array, std::string_view method) const {
  return array.class_id.valid() && FindMethod(impl_, array.class_id, impl_.names.Intern(method)).valid();
}

bool Engine::HasOwnOperators(const Value& value) const {
  if (value.kind != Kind::kArray || !value.class_id.valid()) return false;
  return std::any_of(kOperators.begin(), kOperators.end(),
                     [&](std::string_view method) { return Defines(value, method); });
}

// What an operator, a subscript or an attribute makes of arrays is of the class of the first that has one.
Value Engine::OfClassOf(const ir::Op& op, Value value) const {
  if (value.kind != Kind::kArray) return value;
  value.class_id = ir::ClassId::None();
  if (Rank(store_, value) == 0) return value;  // an element
  const bool of_first = op.kind == ir::OpKind::kSubscript || op.kind == ir::OpKind::kAttr;
  for (const ir::ValueId operand : program_.Operands(op).first(of_first ? 1 : op.operand_count)) {
    const Value& array = Of(operand);
    if (array.kind == Kind::kArray && array.class_id.valid()) value.class_id = array.class_id;
    if (value.class_id.valid()) break;
  }
  return value;
}

// Ufuncs and `*_like` keep the class of their argument, other functions give plain arrays.
Value Engine::OfClassOfArguments(ir::ValueId id, std::string_view name, Value value) const {
  if (value.kind != Kind::kArray) return value;
  value.class_id = ir::ClassId::None();
  const api::Entry* entry = api::Find(name);
  const bool keeps = name.ends_with("_like") || (entry != nullptr && entry->kind == api::Kind::kUfunc);
  if (!keeps) return value;
  for (const ir::ValueId argument : program_.Operands(id).subspan(1)) {
    const Value& array = Of(argument);
    if (array.kind != Kind::kArray || !array.class_id.valid()) continue;
    if (Defines(array, "__array_ufunc__")) return Unknown();
    value.class_id = array.class_id;
    return value;
  }
  return value;
}

// A method or an attribute of the class; for what ndarray has by that name nullopt.
std::optional<Value> Engine::AttributeOfArrayClass(ir::ValueId id, const Value& object, Symbol name) {
  if (!object.class_id.valid()) return std::nullopt;
  const bool own = !MethodsMeant(object.class_id, name).empty();
  if (!own && NumpyHas("numpy.ndarray." + std::string(impl_.names.Text(name)))) return std::nullopt;
  return InstanceAttribute(id, object, name);
}

// `Patch(data, grid)`: what `__new__` returns, or else an array of the class.
Value Engine::CallArrayClass(ir::ValueId id, const ir::Op& op, ir::ClassId class_id) {
  Value self = analysis::Of(Kind::kClass);
  self.class_id = class_id;
  Value object = ObjectOf(class_id, id);
  const ir::FunctionId make = FindMethod(impl_, class_id, impl_.names.Intern("__new__"));
  if (make.valid()) {
    const Value made = CallLocal(id, op, make, &self);
    if (made.kind == Kind::kBottom) return made;
    if (made.kind == Kind::kArray) {
      object = made;
      object.class_id = class_id;
      if (array_dtypes_[class_id] != ir::DType::kUnknown) object.dtype = array_dtypes_[class_id];
    }
  }
  const ir::FunctionId init = FindMethod(impl_, class_id, impl_.names.Intern("__init__"));
  if (init.valid()) (void)CallLocal(id, op, init, &object);
  return object;
}

}  // namespace cpnlint::analysis
