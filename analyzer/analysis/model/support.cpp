#include "analyzer/analysis/model/support.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cpnlint::analysis::model {

std::string_view Call::Text(const Value& value) const {
  return value.kind == Kind::kStr && value.constant ? context.names.Text(value.name) : std::string_view();
}

const Entry* FindEntry(std::span<const Entry> entries, std::string_view name) {
  const auto found = std::ranges::lower_bound(entries, name, {}, &Entry::name);
  return found != entries.end() && found->name == name ? &*found : nullptr;
}

// --- operands ---

std::optional<ir::Weak> WeakOf(Kind kind) {
  switch (kind) {
    case Kind::kBool: return ir::Weak::kBool;
    case Kind::kInt: return ir::Weak::kInt;
    case Kind::kFloat: return ir::Weak::kFloat;
    case Kind::kComplex: return ir::Weak::kComplex;
    default: return std::nullopt;
  }
}

ir::DType DefaultDType(ir::Weak weak) {
  switch (weak) {
    case ir::Weak::kBool: return ir::DType::kBool;
    case ir::Weak::kInt: return ir::DType::kInt64;
    case ir::Weak::kFloat: return ir::DType::kFloat64;
    case ir::Weak::kComplex: return ir::DType::kComplex128;
  }
  return ir::DType::kUnknown;
}

Operand OperandOf(CallContext& context, const Value& value) {
  Operand operand;
  operand.evidence = value.evidence;
  switch (value.kind) {
    case Kind::kArray:
      operand.kind = Operand::Kind::kArray;
      operand.dtype = value.dtype;
      operand.shape = value.shape;
      operand.unbounded = value.unbounded;
      operand.library = value.library;
      break;
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kNumber:
    case Kind::kFloat:
    case Kind::kComplex:
      operand.kind = Operand::Kind::kWeak;
      operand.weak = WeakOf(value.kind);
      operand.shape = context.store.Intern(std::span<const ir::DimId>());
      break;
    case Kind::kNumpyScalar:
      operand.kind = Operand::Kind::kScalar;
      operand.dtype = value.dtype;
      operand.shape = context.store.Intern(std::span<const ir::DimId>());
      break;
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kRange: {
      const SequenceFacts facts = ArrayOfSequence(context, value);
      operand.kind = Operand::Kind::kSequence;
      operand.dtype = facts.dtype;
      operand.shape = facts.shape;
      operand.unbounded = facts.unbounded;
      break;
    }
    case Kind::kBottom:
    case Kind::kUnknown: break;
    case Kind::kDict:
    case Kind::kSet:
    case Kind::kGenerator:
    case Kind::kIterator:
      operand.kind = Operand::Kind::kOther;
      operand.dtype = ir::DType::kObject;
      break;
    default: operand.kind = Operand::Kind::kOther; break;
  }
  return operand;
}

Operand OperandOf(CallContext& context, const Value* value) {
  return value == nullptr ? Operand() : OperandOf(context, *value);
}

namespace {

// What holds objects holds objects, whatever joins them.
ir::DType WithObjects(ir::DType a, ir::DType b) {
  return a == ir::DType::kObject || b == ir::DType::kObject ? ir::DType::kObject : ir::Promote(a, b);
}

}  // namespace

ir::DType CommonDType(std::span<const Operand> operands) {
  // Whatever texts go together with, no numbers come out.
  const auto is_text = [](const Operand& operand) {
    return operand.kind == Operand::Kind::kArray && operand.dtype == ir::DType::kString;
  };
  if (std::ranges::any_of(operands, is_text)) return ir::DType::kString;
  bool strong = false, ambiguous = false;
  std::optional<ir::Weak> weak;
  ir::DType dtype = ir::DType::kUnknown;
  for (const Operand& operand : operands) {
    if (operand.kind == Operand::Kind::kWeak) {
      if (!operand.weak) {
        ambiguous = true;
      } else if (!weak || *operand.weak > *weak) {
        weak = operand.weak;
      }
      continue;
    }
    const bool object = operand.kind == Operand::Kind::kOther && operand.dtype == ir::DType::kObject;
    if (operand.kind == Operand::Kind::kUnknown || (operand.kind == Operand::Kind::kOther && !object))
      return ir::DType::kUnknown;
    dtype = strong ? WithObjects(dtype, operand.dtype) : operand.dtype;
    strong = true;
  }
  if (!strong) {
    const bool wide = weak && *weak >= ir::Weak::kFloat;
    return !weak || (ambiguous && !wide) ? ir::DType::kUnknown : DefaultDType(*weak);
  }
  if (weak) dtype = ir::PromoteWeak(dtype, *weak);
  // An int or a float changes nothing where the dtype has fractions already.
  return ambiguous && !ir::IsInexact(dtype) ? ir::DType::kUnknown : dtype;
}

ShapeId CommonShape(ValueStore& store, std::span<const Operand> operands) {
  ShapeId shape = store.Intern(std::span<const ir::DimId>());
  for (const Operand& operand : operands) {
    if (operand.kind == Operand::Kind::kOther) return ShapeId::None();
    shape = Broadcast(store, shape, operand.shape);
    if (!shape.valid()) break;
  }
  return shape;
}

bool AnyUnbounded(std::span<const Operand> operands) { return std::ranges::any_of(operands, &Operand::unbounded); }

EvidenceSet StrongestEvidence(std::span<const Operand> operands) {
  std::optional<EvidenceSet> best;
  for (const Operand& operand : operands) {
    if (operand.kind != Operand::Kind::kArray) continue;
    if (!best || ConfidenceOf(operand.evidence) > ConfidenceOf(*best)) best = operand.evidence;
  }
  return best.value_or(EvidenceSet{0});
}

Gives ElementwiseGives(std::span<const Operand> operands) {
  bool unknown = false;
  for (const Operand& operand : operands) {
    if (operand.kind == Operand::Kind::kArray || operand.kind == Operand::Kind::kSequence) return Gives::kArray;
    unknown |= operand.kind == Operand::Kind::kUnknown || operand.kind == Operand::Kind::kOther;
  }
  return unknown ? Gives::kEither : Gives::kScalar;
}

namespace {

// dtype that np.array discovers: Python numbers count with their default dtype here, they do not bend.
struct Discovered {
  bool any = false;
  ir::DType dtype = ir::DType::kUnknown;

  void Add(ir::DType other) {
    dtype = any ? WithObjects(dtype, other) : other;
    any = true;
  }
};

struct ItemFacts {
  ir::DType dtype = ir::DType::kUnknown;
  ShapeId shape;
  bool constant = false;
  bool unbounded = false;
};

ItemFacts FactsOfItem(CallContext& context, const Value& item) {
  ItemFacts facts;
  if (const auto weak = WeakOf(item.kind)) facts.dtype = DefaultDType(*weak);
  if (IsNumber(item.kind) || item.kind == Kind::kNumpyScalar) {
    facts.shape = context.store.Intern(std::span<const ir::DimId>());
    facts.constant = item.constant || item.kind == Kind::kComplex;
    if (item.kind == Kind::kNumpyScalar) facts.dtype = item.dtype;
    return facts;
  }
  switch (item.kind) {
    case Kind::kArray: return {item.dtype, item.shape, false, item.unbounded};
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kRange: {
      const SequenceFacts inner = ArrayOfSequence(context, item);
      return {inner.dtype, inner.shape, inner.constant, inner.unbounded};
    }
    case Kind::kStr:
    case Kind::kBytes:
      facts.dtype = item.kind == Kind::kStr ? ir::DType::kString : ir::DType::kBytes;
      facts.shape = context.store.Intern(std::span<const ir::DimId>());
      facts.constant = item.constant;
      return facts;
    case Kind::kNone:
    case Kind::kDict:
    case Kind::kSet:
    case Kind::kGenerator:
    case Kind::kIterator:
    case Kind::kFunction:
    case Kind::kClass:
      facts.dtype = ir::DType::kObject;
      facts.shape = context.store.Intern(std::span<const ir::DimId>());
      return facts;
    default: return facts;
  }
}

}  // namespace

// Nesting of known elements is bounded (ValueStore::Intern), so the recursion is.
SequenceFacts ArrayOfSequence(CallContext& context, const Value& value) {
  ValueStore& store = context.store;
  SequenceFacts facts;
  if (value.kind == Kind::kRange) {
    facts.dtype = ir::DType::kInt64;
    facts.shape = store.Intern(std::array{value.dim});
    return facts;
  }
  if (value.elements.valid()) {
    const std::vector<Value>& elements = store.Get(value.elements);
    const ir::DimId length = store.dims().Const(static_cast<std::int64_t>(elements.size()));
    if (elements.empty()) {
      facts.dtype = ir::DType::kFloat64;
      facts.shape = store.Intern(std::array{length});
      facts.constant = true;
      return facts;
    }
    Discovered dtype;
    DimList inner;
    bool known = true, constant = true;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const ItemFacts item = FactsOfItem(context, elements[i]);
      dtype.Add(item.dtype);
      constant = constant && item.constant;
      facts.unbounded |= item.unbounded;
      if (!item.shape.valid()) {
        known = false;
        continue;
      }
      const Shape& shape = store.Get(item.shape);
      if (i == 0) {
        inner = DimList(shape);
      } else if (known) {
        known = shape.size() == inner.size();
        for (std::size_t k = 0; known && k < shape.size(); ++k) {
          // Ragged lists raise; of two names for one extent the known one stays.
          if (!inner[k].valid()) inner[k] = shape[k];
          known = !store.dims().KnownDifferent(inner[k], shape[k]);
        }
      }
    }
    facts.dtype = dtype.dtype;
    facts.constant = constant;
    if (known) {
      inner.Insert(0, length);
      facts.shape = inner.Intern(store);
    }
    return facts;
  }
  if (!value.item.valid()) return facts;
  const ItemFacts item = FactsOfItem(context, store.Get(value.item).front());
  facts.dtype = item.dtype;
  facts.unbounded = item.unbounded;
  // Lengths that data decide differ from item to item as a rule, and what is ragged is no array. A tuple of such arrays
  // is what `np.nonzero` gives, all of one length.
  facts.ragged = value.kind == Kind::kList && item.unbounded && HasUnknownExtent(store, item.shape);
  if (item.shape.valid()) {
    DimList dims(store.Get(item.shape));
    dims.Insert(0, value.dim);
    facts.shape = dims.Intern(store);
  }
  return facts;
}

// --- shapes ---

int RankOf(const ValueStore& store, ShapeId shape) {
  return shape.valid() ? static_cast<int>(store.Get(shape).size()) : -1;
}

ir::DimId VolumeOf(ValueStore& store, ShapeId shape) {
  if (!shape.valid()) return ir::DimId::None();
  ir::DimId volume = store.dims().Const(1);
  for (const ir::DimId extent : store.Get(shape)) volume = store.dims().Mul(volume, extent);
  return volume;
}

bool HasUnknownExtent(const ValueStore& store, ShapeId shape) {
  return !shape.valid() || std::ranges::any_of(store.Get(shape), [](ir::DimId dim) { return !dim.valid(); });
}

ShapeId UnknownExtents(ValueStore& store, int rank) {
  if (rank < 0) return ShapeId::None();
  DimList dims;
  for (int i = 0; i < rank; ++i) dims.Push(ir::DimId::None());
  return dims.Intern(store);
}

ir::DimId BroadcastExtent(ValueStore& store, ir::DimId a, ir::DimId b) {
  if (a == b) return a;
  const auto left = store.dims().AsConst(a), right = store.dims().AsConst(b);
  if (left && *left == 1) return b;
  if (right && *right == 1) return a;
  if (left && right) return ir::DimId::None();  // raises
  if (left) return a;
  if (right) return b;
  return a.valid() ? a : b;
}

ir::DimId DimOf(ValueStore& store, const Value& value) {
  if (value.kind == Kind::kBool && value.constant) return store.dims().Const(value.number != 0 ? 1 : 0);
  if (value.kind == Kind::kInt || value.kind == Kind::kUnknown) return value.dim;
  if (value.kind == Kind::kNumpyScalar && ir::IsInteger(value.dtype)) return value.dim;
  return ir::DimId::None();
}

ir::DimId DimOf(ValueStore& store, const Value* value) {
  return value == nullptr ? ir::DimId::None() : DimOf(store, *value);
}

std::optional<std::int64_t> ConstantInt(ValueStore& store, const Value* value) {
  if (value == nullptr) return std::nullopt;
  return store.dims().AsConst(DimOf(store, *value));
}

std::optional<bool> ConstantBool(const Value* value) {
  if (value == nullptr || !value->constant) return std::nullopt;
  if (value->kind != Kind::kBool && value->kind != Kind::kInt) return std::nullopt;
  return value->number != 0;
}

std::optional<double> ConstantNumber(const Value* value) {
  if (value == nullptr || !value->constant) return std::nullopt;
  if (!IsNumber(value->kind) && value->kind != Kind::kNumpyScalar) return std::nullopt;
  return value->number;
}

std::optional<int> NormalAxis(std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Axes AxesOf(const Call& call, std::size_t position, std::string_view keyword, int rank) {
  Axes axes;
  const Value* value = call.Find(position, keyword);
  if (value == nullptr) {
    if (!call.args.has_star) axes.kind = Axes::Kind::kAll;
    return axes;
  }
  if (value->kind == Kind::kNone) {
    axes.kind = Axes::Kind::kAll;
    return axes;
  }
  const auto add = [&](const Value& one) {
    const auto axis = ConstantInt(call.store(), &one);
    const auto normal = axis && rank >= 0 ? NormalAxis(*axis, rank) : std::nullopt;
    if (!normal || axes.count == 32 || *normal >= 64) return false;
    axes.mask |= std::uint64_t{1} << *normal;
    axes.order[static_cast<std::size_t>(axes.count++)] = *normal;
    return true;
  };
  if (value->kind == Kind::kInt || value->kind == Kind::kNumpyScalar) {
    axes.kind = add(*value) ? Axes::Kind::kKnown : Axes::Kind::kOneUnknown;
    return axes;
  }
  // Where the rank is open not even an empty list of axes is known: the callers take the known ones for axes of a
  // shape.
  if (rank >= 0 && (value->kind == Kind::kTuple || value->kind == Kind::kList) && value->elements.valid()) {
    for (const Value& element : call.store().Get(value->elements)) {
      if (!add(element)) return axes;
    }
    axes.kind = Axes::Kind::kKnown;
  }
  return axes;
}

std::optional<int> AxisOf(const Call& call, std::size_t position, std::string_view keyword, int rank,
                          std::int64_t fallback) {
  if (rank < 0) return std::nullopt;
  const Value* value = call.Find(position, keyword);
  if (value == nullptr) return call.args.has_star ? std::nullopt : NormalAxis(fallback, rank);
  const auto axis = ConstantInt(call.store(), value);
  return axis ? NormalAxis(*axis, rank) : std::nullopt;
}

// --- arguments ---

ir::DType DTypeOr(const Call& call, std::size_t position, ir::DType fallback, std::string_view keyword) {
  const Value* value = call.Given(position, keyword);
  if (value != nullptr) return DTypeArgument(call.context.names, *value);
  return call.args.has_star && call.Find(position, keyword) == nullptr ? ir::DType::kUnknown : fallback;
}

std::optional<Value> OutArgument(const Call& call, std::size_t position) {
  const Value* out = call.Given(position, "out");
  if (out == nullptr) return std::nullopt;
  if (out->kind == Kind::kArray) return *out;
  if (out->kind == Kind::kTuple && out->elements.valid()) {
    const std::vector<Value>& elements = call.store().Get(out->elements);
    if (elements.size() == 1 && elements.front().kind == Kind::kArray) return elements.front();
  }
  return std::nullopt;
}

std::optional<std::vector<Operand>> ElementsOf(const Call& call, const Value* sequence) {
  if (sequence == nullptr || (sequence->kind != Kind::kTuple && sequence->kind != Kind::kList)) return std::nullopt;
  if (!sequence->elements.valid()) return std::nullopt;
  std::vector<Operand> operands;
  for (const Value& element : call.store().Get(sequence->elements)) {
    operands.push_back(OperandOf(call.context, element));
  }
  return operands;
}

// --- results ---

Value Scalar(ir::DType dtype, Library library) {
  Value value = Of(Kind::kNumpyScalar);
  value.dtype = dtype;
  value.library = library;
  return value;
}

Value Part(const Call& call, ir::DType dtype, ShapeId shape, bool unbounded) {
  if (call.library == Library::kHost && RankOf(call.store(), shape) == 0) return Scalar(dtype, Library::kHost);
  Value value = Array(call.library, dtype, shape, call.evidence);
  value.unbounded = unbounded && HasUnknownExtent(call.store(), shape);
  return value;
}

Value Fresh(const Call& call, ir::DType dtype, ShapeId shape, bool unbounded) {
  Value value = Part(call, dtype, shape, unbounded);
  if (value.kind == Kind::kArray) value.root = value.device_root = call.context.op;
  return value;
}

Value FreshWithRank(const Call& call, ir::DType dtype, int rank, bool unbounded) {
  return Fresh(call, dtype, UnknownExtents(call.store(), rank), unbounded);
}

Value TupleOf(const Call& call, std::vector<Value> parts) { return Tuple(call.store(), std::move(parts)); }

Value ListOf(const Call& call, std::vector<Value> parts) {
  Value list = Tuple(call.store(), std::move(parts));
  list.kind = Kind::kList;
  list.root = call.context.op;
  return list;
}

Value View(const Call& call, const Value& base, ShapeId shape, std::optional<bool> device_copies) {
  Value view = Array(call.library, base.dtype, shape, call.evidence);
  view.unbounded = base.unbounded && HasUnknownExtent(call.store(), shape);
  view.root = base.root;
  if (device_copies) view.device_root = *device_copies ? call.context.op : base.device_root;
  if (base.library != call.library) view.device_root = call.context.op;  // handed over to another library first
  return view;
}

Value Rearranged(const Call& call, const Value* base, const Operand& operand, ShapeId shape,
                 std::optional<bool> device_copies) {
  if (base != nullptr && base->kind == Kind::kArray) return View(call, *base, shape, device_copies);
  return Fresh(call, CommonDType(std::array{operand}), shape, operand.unbounded);
}

}  // namespace cpnlint::analysis::model

namespace cpnlint::analysis {

const Value* Arguments::Find(std::size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  if (name.empty()) return nullptr;
  for (const KeywordArgument& keyword : keywords) {
    if (keyword.name == name) return &keyword.value;
  }
  return nullptr;
}

ShapeId Broadcast(ValueStore& store, ShapeId a, ShapeId b) {
  if (a == b) return a;
  if (!a.valid() || !b.valid()) return ShapeId::None();
  const Shape &left = store.Get(a), &right = store.Get(b);
  if (left.empty()) return b;
  if (right.empty()) return a;
  const std::size_t rank = std::max(left.size(), right.size());
  model::DimList dims;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t from_left = i + left.size(), from_right = i + right.size();
    if (from_left < rank) {
      dims.Push(right[from_right - rank]);
    } else if (from_right < rank) {
      dims.Push(left[from_left - rank]);
    } else {
      dims.Push(model::BroadcastExtent(store, left[from_left - rank], right[from_right - rank]));
    }
  }
  return dims.Intern(store);
}

ir::DType DTypeArgument(const Interner& names, const Value& value) {
  switch (value.kind) {
    case Kind::kDType: return value.dtype;
    case Kind::kStr: return value.constant ? ir::ParseDType(names.Text(value.name)) : value.dtype;
    case Kind::kBuiltin: {
      const std::string_view name = names.Text(value.name);
      if (name == "float" || name == "int" || name == "bool" || name == "complex" || name == "object" ||
          name == "str" || name == "bytes") {
        return ir::ParseDType(name);
      }
      return ir::DType::kUnknown;
    }
    case Kind::kApi: {
      // Names of scalar classes only: numpy.e is a number, though "e" is a type code.
      std::string_view name = names.Text(value.name);
      if (!name.starts_with("numpy.")) return ir::DType::kUnknown;
      name.remove_prefix(6);
      return name.size() < 3 ? ir::DType::kUnknown : ir::ParseDType(name);
    }
    case Kind::kList:
    case Kind::kDict: return ir::DType::kStructured;  // a tuple is (base, shape), of any base
    case Kind::kClass: return ir::DType::kObject;     // of the program's own
    default: return ir::DType::kUnknown;
  }
}

ShapeId ShapeArgument(ValueStore& store, const Value& value) {
  switch (value.kind) {
    case Kind::kBool:
    case Kind::kInt: return store.Intern(std::array{model::DimOf(store, value)});
    case Kind::kNumpyScalar: return store.Intern(std::array{value.dim});
    case Kind::kArray:
      if (Rank(store, value) == 0) return store.Intern(std::array{ir::DimId::None()});
      if (Rank(store, value) == 1) {
        const auto length = store.dims().AsConst(store.Get(value.shape).front());
        if (length && *length >= 0 && *length <= 32) return model::UnknownExtents(store, static_cast<int>(*length));
      }
      return ShapeId::None();
    case Kind::kTuple:
    case Kind::kList: {
      if (value.elements.valid()) {
        model::DimList dims;
        for (const Value& element : store.Get(value.elements)) {
          const auto constant = model::ConstantInt(store, &element);
          dims.Push(constant && *constant < 0 ? ir::DimId::None() : model::DimOf(store, element));
        }
        return dims.Intern(store);
      }
      const auto length = store.dims().AsConst(value.dim);
      return length && *length >= 0 && *length <= 32 ? model::UnknownExtents(store, static_cast<int>(*length))
                                                     : ShapeId::None();
    }
    default: return ShapeId::None();
  }
}

}  // namespace cpnlint::analysis
