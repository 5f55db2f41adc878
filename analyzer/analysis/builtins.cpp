// Calls of Python's builtins.

#include <algorithm>
#include <cmath>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/packed_arguments.h"
#include "analyzer/analysis/walked_calls.h"

namespace cpnlint::analysis {
namespace {

// len() of a value; None() where it is not known.
ir::DimId LengthOf(ValueStore& store, const Value& value) {
  switch (value.kind) {
    case Kind::kArray: {
      if (!value.shape.valid() || store.Get(value.shape).empty()) return {};
      return store.Get(value.shape).front();
    }
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kDict:
    case Kind::kIterator:
    case Kind::kRange: return value.dim;
    default: return {};
  }
}

// Number of items of range(...): max(0, ceil((stop - start) / step)); taken as non-negative where it is symbolic.
ir::DimId RangeLength(ir::DimStore& dims, const Value* start, const Value& stop, const Value* step) {
  const ir::DimId extent = start != nullptr ? dims.Sub(stop.dim, start->dim) : stop.dim;
  if (step == nullptr) return dims.AsConst(extent) ? dims.Max(extent, dims.Const(0)) : extent;
  const std::optional<std::int64_t> constant = dims.AsConst(step->dim);
  if (constant && *constant < 0) return dims.CeilDiv(dims.Negate(extent), dims.Const(-*constant));
  return dims.CeilDiv(extent, step->dim);
}

// `sorted({"u": 1, "v": 2})`: a dictionary that is written with texts as its keys, and gives them where it is walked.
bool HasTextsAsKeys(const Facts::Impl& impl, ir::ValueId dict) {
  const ir::Program& program = impl.program;
  if (!dict.valid() || program.ops[dict].kind != ir::OpKind::kDict) return false;
  const auto operands = program.Operands(dict);
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    if (!operands[i].valid() || impl.Of(operands[i]).kind != Kind::kStr) return false;
  }
  return !operands.empty();
}

// `getattr(self, "step")`, `getattr(self, "step_" + kind)`: the method, or one of those whose names begin so.
Value MethodAskedFor(Facts::Impl& impl, ir::ValueId call, const Value& object) {
  const ir::Program& program = impl.program;
  ir::ValueId name = program.Operand(call, 2);
  const bool sum = name.valid() && program.ops[name].kind == ir::OpKind::kBinary &&
                   static_cast<ir::BinaryOp>(program.ops[name].detail) == ir::BinaryOp::kAdd;
  if (sum) name = program.Operand(name, 0);
  const Value& text = impl.Of(name);
  if (text.kind != Kind::kStr || !text.constant) return Unknown();
  const std::string_view begin = impl.names.Text(text.name);
  Value joined;
  for (const ir::ClassId owner : impl.heir_of[object.class_id]) {
    for (const ir::FunctionId function : program.classes[owner].methods) {
      const Symbol called = program.functions[function].name;
      const std::string_view method_name = impl.names.Text(called);
      if (sum ? begin.empty() || !method_name.starts_with(begin) : method_name != begin) continue;
      const FunctionFact& fact = impl.functions[function];
      if (fact.is_property || fact.is_static || fact.is_classmethod || fact.abstract) continue;
      if (FindMethod(impl, object.class_id, called) != function) continue;
      Value method = analysis::Of(Kind::kMethod);
      method.name = called;
      method.function = function;
      method.class_id = object.class_id;
      method.receiver = program.Operand(call, 1);
      joined = Join(impl.store, joined, method);
    }
  }
  return joined.kind == Kind::kBottom ? Unknown() : joined;
}

}  // namespace

// `map(np.asarray, (x, y))`: what the function gives for each of them, or for one after the other.
Value Engine::Mapped(ir::ValueId id, const Value& function) {
  const std::string_view name = impl_.names.Text(function.name);
  const std::uint32_t sequences = program_.Shape(program_.ops[id]).positional - 1;
  const auto result = [&](const std::vector<Value>& arguments) {
    Value value = ModelResult(id, name, function.library, {arguments, {}, false}, nullptr);
    if (value.root == id) value.root = value.device_root = ir::ValueId::None();  // each has storage of its own
    return value;
  };
  const Value& first = Of(program_.Operand(id, 2));
  if (sequences == 1 && first.kind == Kind::kTuple && first.elements.valid()) {
    std::vector<Value> results;
    for (const Value& element : std::vector<Value>(store_.Get(first.elements))) results.push_back(result({element}));
    return Tuple(store_, std::move(results));
  }
  std::vector<Value> items;
  for (std::uint32_t i = 0; i < sequences; ++i) items.push_back(ItemWalked(id, Of(program_.Operand(id, 2 + i))));
  if (std::ranges::any_of(items, [](const Value& item) { return item.kind == Kind::kBottom; }))
    return analysis::Of(Kind::kIterator);
  return ContainerOf(store_, Kind::kIterator, result(items));
}

// `zip(*pairs)`: the first items of all pairs, the second ones, ...
Value Engine::Transposed(ir::ValueId id, const Value& starred) {
  const Value item = ItemWalked(id, starred);
  if (item.kind == Kind::kBottom) return {};
  if (item.kind != Kind::kTuple || !item.elements.valid()) return analysis::Of(Kind::kIterator);
  std::vector<Value> columns;
  for (const Value& element : store_.Get(item.elements)) columns.push_back(ContainerOf(store_, Kind::kTuple, element));
  return Tuple(store_, std::move(columns));
}

Value Engine::CallBuiltin(ir::ValueId id, const ir::Op& op, std::string_view name) {
  ir::DimStore& dims = store_.dims();
  const std::uint32_t count = op.operand_count - 1;
  const ir::ValueId first_id = program_.Operand(id, 1), second_id = program_.Operand(id, 2),
                    third_id = program_.Operand(id, 3);
  const Value &first = Of(first_id), &second = Of(second_id);
  const auto container = [&](Kind kind, const Value& item) {
    Value value = item.kind == Kind::kBottom ? analysis::Of(kind) : ContainerOf(store_, kind, item);
    value.root = id;
    if (const auto later = impl_.items.find(id); later != impl_.items.end()) {
      value.item = store_.Intern({JoinOptional(store_, item, later->second)});
    }
    return value;
  };
  if (name == "range") {
    Value value = analysis::Of(Kind::kRange);
    if (count == 1) value.dim = RangeLength(dims, nullptr, first, nullptr);
    if (count == 2) value.dim = RangeLength(dims, &first, second, nullptr);
    if (count == 3) value.dim = RangeLength(dims, &first, second, &Of(third_id));
    value.evidence = static_cast<EvidenceSet>(first.evidence | second.evidence);
    return value;
  }
  if (name == "len") {
    Value value = IntDim(LengthOf(store_, first));
    if (!value.dim.valid()) {
      const std::string of = NameOf(first_id);
      value.dim = dims.SymbolOf(impl_.names.Intern("len(" + (of.empty() ? "?" : of) + ")"), id.index());
    }
    if (const std::optional<std::int64_t> constant = dims.AsConst(value.dim)) value = Int(store_, *constant);
    return value;
  }
  if (name == "float") {
    Value value = analysis::Of(Kind::kFloat);
    if (first.constant && IsNumber(first.kind)) value = Float(first.number);
    return value;
  }
  if (name == "int") {
    if (first.kind == Kind::kInt) return first;
    if (first.constant && first.kind == Kind::kFloat && std::abs(first.number) < 9e18) {
      return Int(store_, static_cast<std::int64_t>(first.number));
    }
    if (const std::optional<double> number = FoldedNumber(first_id, id))
      return Int(store_, static_cast<std::int64_t>(*number));
    return IntDim(first.dim.valid() ? first.dim : dims.SymbolOf(NameOrNone(id), id.index()));
  }
  if (name == "bool" || name == "isinstance" || name == "hasattr" || name == "callable" || name == "issubclass") {
    return analysis::Of(Kind::kBool);
  }
  if (name == "all" || name == "any") return first.kind == Kind::kArray ? Unknown() : analysis::Of(Kind::kBool);
  if (name == "complex") return analysis::Of(Kind::kComplex);
  if (name == "str" || name == "repr" || name == "format" || name == "input" || name == "chr" || name == "hex") {
    return analysis::Of(Kind::kStr);
  }
  if (name == "abs") {
    if (first.kind == Kind::kArray || first.kind == Kind::kNumpyScalar)
      return ModelCall(id, op, "numpy.absolute", first.library, nullptr);
    if (IsNumber(first.kind)) {
      Value value = analysis::Of(first.kind == Kind::kComplex ? Kind::kFloat : first.kind);
      if (first.constant && first.kind == Kind::kInt)
        return Int(store_, std::abs(static_cast<std::int64_t>(first.number)));
      if (first.constant && first.kind == Kind::kFloat) return Float(std::abs(first.number));
      return value;
    }
    return Unknown();
  }
  if (name == "round" && (first.kind == Kind::kArray || first.kind == Kind::kNumpyScalar))
    return analysis::Of(Kind::kNumber);
  if (name == "round") {
    if (first.kind == Kind::kFloat || first.kind == Kind::kInt) {
      if (count >= 2 && second.kind != Kind::kNone) return analysis::Of(first.kind);
      if (first.kind == Kind::kInt && first.dim.valid()) return first;
      // To the even one of two that are as near, as in Python.
      if (const std::optional<double> number = FoldedNumber(first_id, id))
        return Int(store_, static_cast<std::int64_t>(std::nearbyint(*number)));
      return IntDim(dims.SymbolOf(NameOrNone(id), id.index()));
    }
    return Unknown();
  }
  if (name == "min" || name == "max") {
    const std::uint32_t given = program_.Shape(op).positional;  // without `key=`
    if (given >= 2) {
      Value value = first;
      for (std::uint32_t i = 2; i <= given; ++i) {
        const Value& other = Of(program_.Operand(id, i));
        if (value.kind == Kind::kInt && other.kind == Kind::kInt) {
          const ir::DimId dim = name == "min" ? dims.Min(value.dim, other.dim) : dims.Max(value.dim, other.dim);
          value = IntDim(dim);
          if (const std::optional<std::int64_t> constant = dims.AsConst(dim)) value = Int(store_, *constant);
          continue;
        }
        // What is not known to be an integer has a name in case it is one.
        const auto may_be_int = [](const Value& it) {
          return (it.kind == Kind::kInt || it.kind == Kind::kUnknown) && it.dim.valid();
        };
        if (may_be_int(value) && may_be_int(other)) {
          const ir::DimId dim = name == "min" ? dims.Min(value.dim, other.dim) : dims.Max(value.dim, other.dim);
          value = Unknown();
          value.dim = dim;
          continue;
        }
        // The larger one of a number and an array's: that the number is a default casts no doubt on the array.
        Value left = value, right = other;
        if (IsNumber(left.kind) && right.kind == Kind::kArray) left.evidence = 0;
        if (IsNumber(right.kind) && left.kind == Kind::kArray) right.evidence = 0;
        value = JoinOptional(store_, left, right);
        value.constant = false;
        if (IsNumber(first.kind) && IsNumber(other.kind)) value = analysis::Of(std::max(first.kind, other.kind));
      }
      if (value.kind == Kind::kArray) value.root = value.device_root = id;
      return value;
    }
    return ItemWalked(id, first);
  }
  if (name == "sum") {
    if (first.kind == Kind::kArray) return ItemWalked(id, first);
    Value item = ItemWalked(id, first);
    if (item.kind == Kind::kArray) item.root = item.device_root = id;
    if (item.kind == Kind::kInt) return IntDim(dims.SymbolOf(NameOrNone(id), id.index()));
    return item.kind == Kind::kArray || item.kind == Kind::kFloat ? item : Unknown();
  }
  if (name == "pow" && count == 2 && IsNumber(first.kind) && IsNumber(second.kind))
    return analysis::Of(std::max(first.kind, second.kind));
  if (name == "list" || name == "sorted" || name == "tuple" || name == "set" || name == "frozenset") {
    const Kind kind = name == "tuple" ? Kind::kTuple : name == "set" || name == "frozenset" ? Kind::kSet : Kind::kList;
    if (count == 0) return container(kind, {});
    Value value = container(kind, HasTextsAsKeys(impl_, first_id) ? analysis::Of(Kind::kStr) : ItemWalked(id, first));
    if (name == "sorted") value.dim = LengthOf(store_, first);
    if (name == "tuple" || name == "list") {
      value.dim = LengthOf(store_, first);
      if (first.kind == Kind::kTuple || first.kind == Kind::kList) {
        if (name == "tuple" || impl_.items.find(id) == impl_.items.end()) value.elements = first.elements;
      }
    }
    return value;
  }
  if (name == "dict") return MadeDict(id, op, name);
  if (name == "enumerate") {
    Value item = ItemWalked(id, AsWalked(impl_, first_id, first));
    if (item.kind == Kind::kBottom) return {};
    return ContainerOf(store_, Kind::kIterator,
                       Tuple(store_, {IntDim(dims.SymbolOf(impl_.names.Intern("i"), id.index())), item}));
  }
  if (name == "zip") {
    std::vector<Value> items;
    for (std::uint32_t i = 1; i <= count; ++i) {
      const ir::ValueId argument = program_.Operand(id, i);
      if (program_.ops[argument].kind == ir::OpKind::kStarred) return Transposed(id, Of(argument));
      items.push_back(ItemWalked(id, AsWalked(impl_, argument, Of(argument))));
      if (items.back().kind == Kind::kBottom) items.back() = Unknown();
    }
    return ContainerOf(store_, Kind::kIterator, Tuple(store_, std::move(items)));
  }
  if (name == "reversed" || name == "iter" || name == "filter") {
    Value item = ItemWalked(id, name == "filter" ? second : first);
    if (item.kind == Kind::kBottom) return {};
    return ContainerOf(store_, Kind::kIterator, item);
  }
  if (name == "next") return ItemWalked(id, first);
  if (name == "map") {
    if (first.kind == Kind::kFunction && first.function.valid()) {
      const std::size_t site = SiteOf(first.function, id);
      std::vector<Value> items;
      for (std::uint32_t i = 2; i <= count; ++i) items.push_back(ItemWalked(id, Of(program_.Operand(id, i))));
      items = ByParameter(store_, program_.functions[first.function], 0, std::move(items));
      for (std::size_t i = 0; i < items.size(); ++i) Pass(first.function, i, items[i], site);
      if (Returned(first.function).kind != Kind::kBottom)
        return ContainerOf(store_, Kind::kIterator, ReturnedOf(first.function));
    }
    const std::string_view called = first.kind == Kind::kBuiltin ? impl_.names.Text(first.name) : std::string_view();
    if (called == "float") return ContainerOf(store_, Kind::kIterator, analysis::Of(Kind::kFloat));
    if (called == "int") return ContainerOf(store_, Kind::kIterator, analysis::Of(Kind::kInt));
    if (called == "str") return ContainerOf(store_, Kind::kIterator, analysis::Of(Kind::kStr));
    const bool of_numpy = first.library == Library::kDevice || first.library == Library::kHost;
    return first.kind == Kind::kApi && of_numpy ? Mapped(id, first) : analysis::Of(Kind::kIterator);
  }
  if (name == "setattr" && count == 3 && first.kind == Kind::kInstance && second.kind == Kind::kStr)
    StoreByName(first.class_id, second_id, third_id);
  if (name == "print" || name == "setattr" || name == "delattr") return analysis::Of(Kind::kNone);
  if (name == "slice") {
    Value value = analysis::Of(Kind::kSlice);
    const Value none = analysis::Of(Kind::kNone);
    value.elements = count == 1 ? store_.Intern({none, first, none})
                                : store_.Intern({first, second, count >= 3 ? Of(third_id) : none});
    return value;
  }
  if (name == "super") return SuperValue(id);
  if (name == "staticmethod" && count == 1) return first;  // exp = staticmethod(np.exp)
  if (name == "type" && count == 1) {
    Value type = ClassOf(first);
    type.receiver = first_id;
    return type;
  }
  if (name == "open") {
    Value value = analysis::Of(Kind::kForeign);
    value.name = impl_.names.Intern("io.open");
    return value;
  }
  if (name == "getattr" && second.kind == Kind::kStr && second.constant && count >= 2 && first.class_id.valid() &&
      (first.kind == Kind::kInstance || first.kind == Kind::kArray) &&
      MethodsMeant(first.class_id, second.name).empty()) {
    const Value found = InstanceAttribute(id, first, second.name);
    if (count < 3) return found;
    // Nothing stored yet: the default, and not whatever an object may have.
    const bool stored =
        std::any_of(impl_.kin[first.class_id].begin(), impl_.kin[first.class_id].end(), [&](ir::ClassId kin) {
          const Slot* slot = FindSlot(kin, second.name);
          return slot != nullptr && slot->value.kind != Kind::kBottom;
        });
    const Value& otherwise = Of(program_.Operand(id, 3));
    if (stored) return JoinOptional(store_, found, otherwise);
    return second.evidence == 0 ? otherwise : Unknown();  // other callers ask for other attributes
  }
  if (name == "getattr" && count == 2 && first.kind == Kind::kInstance && first.class_id.valid())
    return MethodAskedFor(impl_, id, first);
  if (name == "getattr" && second.kind == Kind::kStr && second.constant && first.kind == Kind::kApi && count == 2) {
    return ApiValue(std::string(impl_.names.Text(first.name)) + "." + std::string(impl_.names.Text(second.name)),
                    first.library);
  }
  if (name == "getattr" && second.kind == Kind::kStr && second.constant && first.kind == Kind::kModule && count == 2) {
    const ir::ModuleId module = program_.functions[first.function].module;
    return ModuleAttribute(module, second.name, id).value_or(Unknown());
  }
  return Unknown();
}

}  // namespace cpnlint::analysis
