#include "analyzer/analysis/value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>

#include "analyzer/analysis/loaded_data.h"
#include "analyzer/analysis/text_arrays.h"
#include "analyzer/base/index_table.h"

namespace cpnlint::analysis {

namespace {

constexpr std::uint8_t kDeepest = 4;

std::size_t HashOf(const Value& v) {
  auto words = std::bit_cast<std::array<std::uint64_t, sizeof(Value) / sizeof(std::uint64_t)>>(v);
  if (v.number == 0) words[offsetof(Value, number) / sizeof(std::uint64_t)] = 0;  // minus 0 equals it
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) hash = (std::rotl(hash, 23) ^ word) * 0x9e37'79b9'7f4a'7c15ULL;
  return hash ^ (hash >> 32);  // of what is in the last word, only the upper half knows all
}

std::size_t HashOf(ir::DimId dim) { return dim.index(); }

// Interned sequences: contents in a deque, so that references stay.
template <class T>
class SequenceTable {
 public:
  std::uint32_t Intern(std::span<const T> items) {
    std::uint64_t hash = items.size();
    for (const T& item : items) hash = Mix(hash, HashOf(item));
    const auto same = [&](std::uint32_t index) { return std::ranges::equal(contents_[index], items); };
    if (const std::uint32_t found = table_.Find(hash, same); found != IndexTable::kFree) return found;
    const auto added = static_cast<std::uint32_t>(contents_.size());
    contents_.emplace_back(items.begin(), items.end());
    table_.Insert(hash, added);
    return added;
  }
  const std::vector<T>& Get(std::uint32_t index) const { return contents_[index]; }
  std::size_t size() const { return contents_.size(); }

 private:
  std::deque<std::vector<T>> contents_;
  IndexTable table_;
};

}  // namespace

struct ValueStore::Tables {
  SequenceTable<ir::DimId> shapes;
  SequenceTable<Value> elements;
  std::vector<std::uint8_t> depths;  // of elements: 1 where no element has elements

  std::uint8_t DepthOf(const Value& value) const {
    std::uint8_t depth = 0;
    if (value.elements.valid()) depth = depths[value.elements.index()];
    if (value.item.valid()) depth = std::max(depth, depths[value.item.index()]);
    return depth;
  }
};

ValueStore::ValueStore() : tables_(std::make_unique<Tables>()) {}
ValueStore::~ValueStore() = default;

ShapeId ValueStore::Intern(const Shape& shape) { return Intern(std::span<const ir::DimId>(shape)); }
ShapeId ValueStore::Intern(std::span<const ir::DimId> shape) { return ShapeId(tables_->shapes.Intern(shape)); }
const Shape& ValueStore::Get(ShapeId id) const { return tables_->shapes.Get(id.index()); }

ElementsId ValueStore::Intern(const std::vector<Value>& elements) {
  std::uint8_t depth = 0;
  for (const Value& value : elements) depth = std::max(depth, tables_->DepthOf(value));
  std::uint32_t index = 0;
  if (depth < kDeepest) {
    index = tables_->elements.Intern(elements);
  } else {
    std::vector<Value> cut = elements;
    depth = 0;
    for (Value& value : cut) {
      if (tables_->DepthOf(value) >= kDeepest) value.elements = value.item = ElementsId::None();
      depth = std::max(depth, tables_->DepthOf(value));
    }
    index = tables_->elements.Intern(cut);
  }
  if (index == tables_->depths.size()) tables_->depths.push_back(static_cast<std::uint8_t>(depth + 1));
  return ElementsId(index);
}

const std::vector<Value>& ValueStore::Get(ElementsId id) const { return tables_->elements.Get(id.index()); }

Confidence ConfidenceOf(EvidenceSet evidence) {
  if (evidence == 0) return Confidence::kCertain;
  // The namespace and the arrays that come with it are handed over by the same calls: one kind of evidence.
  if ((evidence & kNamespaceParam) != 0) evidence &= static_cast<EvidenceSet>(~(kCalledWith | kStandardNamespace));
  const bool weak = (evidence & (kContradicted | kArgparseDefault)) != 0 || std::popcount(evidence) > 1;
  return weak ? Confidence::kPossible : Confidence::kLikely;
}

Value Unknown() { return Of(Kind::kUnknown); }

Value Of(Kind kind) {
  Value value;
  value.kind = kind;
  return value;
}

Value Array(Library library, ir::DType dtype, ShapeId shape, EvidenceSet evidence) {
  Value value = Of(Kind::kArray);
  value.library = library;
  value.dtype = dtype;
  value.shape = shape;
  value.evidence = evidence;
  return value;
}

Value Int(ValueStore& store, std::int64_t number) {
  Value value = Of(Kind::kInt);
  value.constant = true;
  value.number = static_cast<double>(number);
  value.dim = store.dims().Const(number);
  return value;
}

Value IntDim(ir::DimId dim) {
  Value value = Of(Kind::kInt);
  value.dim = dim;
  return value;
}

Value Float(double number) {
  Value value = Of(Kind::kFloat);
  if (std::isnan(number)) return value;  // a NaN would make equal values differ
  value.constant = true;
  value.number = number;
  return value;
}

Value Imaginary(ValueStore& store, double part) {
  constexpr double kLargest = 1e15;  // of what a double counts exactly
  Value value = Of(Kind::kComplex);
  if (part < kLargest && std::floor(part) == part) value.dim = store.dims().Const(static_cast<std::int64_t>(part));
  return value;
}

Value Tuple(ValueStore& store, std::vector<Value> elements) {
  Value value = Of(Kind::kTuple);
  value.dim = store.dims().Const(static_cast<std::int64_t>(elements.size()));
  value.elements = store.Intern(elements);
  return value;
}

Value ContainerOf(ValueStore& store, Kind kind, const Value& item) {
  Value value = Of(kind);
  if (item.kind != Kind::kBottom) value.item = store.Intern(std::vector<Value>{item});
  return value;
}

namespace {

template <class IdType>
IdType Same(IdType a, IdType b) {
  return a == b ? a : IdType::None();
}

ShapeId JoinShapes(ValueStore& store, ShapeId a, ShapeId b) {
  if (a == b) return a;
  if (!a.valid() || !b.valid()) return ShapeId::None();
  const Shape &left = store.Get(a), &right = store.Get(b);
  if (left.size() != right.size()) return ShapeId::None();
  Shape joined(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) joined[i] = Same(left[i], right[i]);
  return store.Intern(joined);
}

// The join of all items of a container: its element list's, or its item; kBottom where it has none.
Value ItemsOf(ValueStore& store, const Value& value) {
  Value joined;
  if (value.elements.valid()) {
    const std::vector<Value> elements = store.Get(value.elements);
    for (const Value& element : elements) joined = Join(store, joined, element);
  }
  if (value.item.valid()) joined = Join(store, joined, store.Get(value.item).front());
  return joined;
}

Value UnknownOf(const Value& a, const Value& b, EvidenceSet evidence) {
  Value value = Unknown();
  value.evidence = evidence;
  value.dim = Same(a.dim, b.dim);
  // What a file of settings gives, or else a number: no array either way.
  const auto is_plain = [](const Value& one) {
    return IsLoaded(one) || IsNumber(one.kind) || one.kind == Kind::kStr || one.kind == Kind::kNone;
  };
  if (is_plain(a) && is_plain(b)) value.name = IsLoaded(a) ? a.name : IsLoaded(b) ? b.name : Symbol::None();
  return value;
}

constexpr std::size_t kMostFunctions = 8;  // that one value may be

bool IsFunction(const Value& value) {
  if (value.kind == Kind::kApi) return value.library == Library::kDevice;
  const bool callable = value.kind == Kind::kFunction || value.kind == Kind::kMethod;
  return callable && (value.function.valid() || value.elements.valid());
}

// One of several functions or bound methods, `elements`: what calls it calls any of them.
Value EitherFunction(ValueStore& store, const Value& a, const Value& b, EvidenceSet evidence) {
  std::vector<Value> functions;
  for (const Value* value : {&a, &b}) {
    if (!IsFunction(*value)) return UnknownOf(a, b, evidence);
    const std::vector<Value> alternatives = value->elements.valid() ? store.Get(value->elements) : std::vector{*value};
    for (Value function : alternatives) {
      function.evidence = 0;
      const bool known = std::any_of(functions.begin(), functions.end(), [&](const Value& other) {
        return other.function == function.function && other.name == function.name;
      });
      if (!known) functions.push_back(function);
    }
  }
  if (functions.size() > kMostFunctions) return UnknownOf(a, b, evidence);
  Value value = Of(Kind::kFunction);
  value.evidence = evidence;
  if (functions.size() == 1) {
    if (functions.front().kind == Kind::kMethod) return UnknownOf(a, b, evidence);  // of two objects
    value.function = functions.front().function;
    return value;
  }
  std::sort(functions.begin(), functions.end(), [](const Value& x, const Value& y) {
    return std::pair(x.function.index(), x.name.index()) < std::pair(y.function.index(), y.name.index());
  });
  value.elements = store.Intern(functions);
  return value;
}

// What an object or a class of the program may be.
bool IsObject(const Value& value) {
  if (value.kind == Kind::kUnknown) return value.elements.valid();
  if (value.kind == Kind::kClass && value.receiver.valid()) return false;  // or one that derives from it
  return (value.kind == Kind::kClass || value.kind == Kind::kInstance) && value.class_id.valid();
}

constexpr std::size_t kMostObjects = 8;  // that one value may be

// The classes of which both objects are, where each is known for itself: `[Wall(), Inlet()]` holds two kinds of
// boundaries, whatever else derives from their base. Sorted; None() of one class, and of too many.
ElementsId ClassesOf(ValueStore& store, const Value& a, const Value& b) {
  std::vector<Value> kinds;
  for (const Value* value : {&a, &b}) {
    const std::vector<Value> more = value->elements.valid() ? store.Get(value->elements) : std::vector{*value};
    for (const Value& one : more) {
      Value kind = Of(Kind::kInstance);
      kind.class_id = one.class_id;
      const auto is_of = [&](const Value& derived, const Value& base) {
        return store.CommonClass(derived.class_id, base.class_id) == base.class_id;
      };
      if (std::ranges::any_of(kinds, [&](const Value& known) { return is_of(kind, known); })) continue;
      std::erase_if(kinds, [&](const Value& known) { return is_of(known, kind); });
      kinds.push_back(kind);
    }
  }
  if (kinds.size() < 2 || kinds.size() > kMostObjects) return ElementsId::None();
  std::ranges::sort(kinds, {}, [](const Value& kind) { return kind.class_id.index(); });
  return store.Intern(kinds);
}

// One of several objects, or one of several classes, of which at least two have no base in common: either_objects.h.
Value EitherObject(ValueStore& store, const Value& a, const Value& b, EvidenceSet evidence) {
  std::vector<Value> objects;
  for (const Value* value : {&a, &b}) {
    const std::vector<Value> more = value->elements.valid() ? store.Get(value->elements) : std::vector{*value};
    for (const Value& one : more) {
      Value object = Of(one.kind);
      object.class_id = one.class_id;
      object.elements = one.elements;
      // What has a base in common with it is one thing with it.
      std::erase_if(objects, [&](const Value& other) {
        const ir::ClassId common = store.CommonClass(object.class_id, other.class_id);
        if (other.kind != object.kind || !common.valid()) return false;
        if (object.kind == Kind::kInstance) object.elements = ClassesOf(store, object, other);
        object.class_id = common;
        return true;
      });
      objects.push_back(object);
    }
  }
  const bool mixed =
      std::any_of(objects.begin(), objects.end(), [&](const Value& one) { return one.kind != objects.front().kind; });
  if (mixed || objects.size() > kMostObjects) return UnknownOf(a, b, evidence);
  std::sort(objects.begin(), objects.end(),
            [](const Value& x, const Value& y) { return x.class_id.index() < y.class_id.index(); });
  Value value = objects.size() == 1 ? objects.front() : UnknownOf(a, b, evidence);
  value.evidence = evidence;
  if (objects.size() > 1) value.elements = store.Intern(objects);
  return value;
}

}  // namespace

// Elements nest at most kDeepest levels (ValueStore::Intern), which bounds the recursion.
Value Join(ValueStore& store, const Value& a, const Value& b) {
  if (a.kind == Kind::kBottom || a == b) return b;
  if (b.kind == Kind::kBottom) return a;
  const auto evidence = static_cast<EvidenceSet>(a.evidence | b.evidence);
  Value joined = a;
  joined.evidence = evidence;
  const bool either = a.kind == Kind::kUnknown || b.kind == Kind::kUnknown;
  if (either) return IsObject(a) && IsObject(b) ? EitherObject(store, a, b, evidence) : UnknownOf(a, b, evidence);
  if (a.kind != b.kind) {
    if (IsFunction(a) && IsFunction(b)) return EitherFunction(store, a, b, evidence);
    const bool real = IsNumber(a.kind) && IsNumber(b.kind) && a.kind != Kind::kComplex && b.kind != Kind::kComplex;
    if (!real) return UnknownOf(a, b, evidence);
    joined = Of(std::max(a.kind, b.kind) == Kind::kInt ? Kind::kInt : Kind::kNumber);
    joined.evidence = evidence;
    if (joined.kind == Kind::kInt) joined.dim = Same(a.dim, b.dim);
    return joined;
  }
  joined.dim = Same(a.dim, b.dim);
  joined.root = Same(a.root, b.root);
  joined.device_root = Same(a.device_root, b.device_root);
  if (a.dtype != b.dtype) {
    const bool either = HoldsNoNumbers(a) && HoldsNoNumbers(b);
    joined.dtype = either ? ir::DType::kObject : ir::DType::kUnknown;
  }
  if (a.library != b.library) {
    const bool device = a.library == Library::kDevice || b.library == Library::kDevice;
    joined.library = device ? Library::kDevice : Library::kOther;
    if (device && a.kind == Kind::kArray) joined.evidence |= kContradicted;
  }
  const bool same_constant = a.constant && b.constant && a.number == b.number && a.name == b.name && a.dim == b.dim;
  joined.constant = same_constant;
  if (!same_constant) joined.number = 0;
  switch (a.kind) {
    case Kind::kArray:
    case Kind::kNumpyScalar:
      joined.shape = JoinShapes(store, a.shape, b.shape);
      joined.unbounded = a.unbounded || b.unbounded;
      joined.constant_items = a.constant_items && b.constant_items;
      joined.name = Same(a.name, b.name);
      joined.class_id = store.CommonClass(a.class_id, b.class_id);
      return joined;
    case Kind::kStr:
    case Kind::kFloat: joined.name = Same(a.name, b.name); return joined;
    case Kind::kDType:
      if (a.dtype != b.dtype) return UnknownOf(a, b, evidence);
      joined.name = Same(a.name, b.name);
      return joined;
    case Kind::kForeign:
      if (a.receiver != b.receiver) return UnknownOf(a, b, evidence);
      joined.name = Same(a.name, b.name);
      joined.item = Same(a.item, b.item);
      return joined;
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
    case Kind::kRange:
    case Kind::kGenerator:
    case Kind::kSlice:
    case Kind::kIterator: {
      joined.name = Same(a.name, b.name);
      if (a.elements.valid() && b.elements.valid() && store.Get(a.elements).size() == store.Get(b.elements).size()) {
        if (a.elements != b.elements) {
          std::vector<Value> elements = store.Get(a.elements);
          for (std::size_t i = 0; i < elements.size(); ++i) {
            const Value other = store.Get(b.elements)[i];
            elements[i] = Join(store, elements[i], other);
          }
          joined.elements = store.Intern(elements);
        }
        if (a.item != b.item) {
          const Value item = Join(store, a.item.valid() ? store.Get(a.item).front() : Value(),
                                  b.item.valid() ? store.Get(b.item).front() : Value());
          joined.item = store.Intern(std::vector<Value>{item});
        }
        return joined;
      }
      const Value item = Join(store, ItemsOf(store, a), ItemsOf(store, b));
      joined.elements = ElementsId::None();
      joined.item = item.kind == Kind::kBottom ? ElementsId::None() : store.Intern(std::vector<Value>{item});
      return joined;
    }
    case Kind::kClass:
    case Kind::kInstance: {
      // Objects of two kinds of grid are grids.
      joined.class_id = store.CommonClass(a.class_id, b.class_id);
      if (!joined.receiver.valid()) joined.receiver = b.receiver;
      if (joined.class_id.valid() && a.kind == Kind::kInstance) joined.elements = ClassesOf(store, a, b);
      if (joined.class_id.valid()) return joined;
      return IsObject(a) && IsObject(b) ? EitherObject(store, a, b, evidence) : UnknownOf(a, b, evidence);
    }
    case Kind::kFunction: return EitherFunction(store, a, b, evidence);
    case Kind::kModule:
    case Kind::kApi:
    case Kind::kMethod:
    case Kind::kBuiltin:
    case Kind::kGeneratorRng: {
      const bool same =
          a.function == b.function && a.class_id == b.class_id && a.name == b.name && a.receiver == b.receiver;
      if (!same && IsFunction(a) && IsFunction(b)) return EitherFunction(store, a, b, evidence);
      return same ? joined : UnknownOf(a, b, evidence);
    }
    default: return joined;
  }
}

void ValueStore::SetAncestors(ir::ClassId class_id, std::vector<ir::ClassId> ancestors) {
  if (ancestors_.size() <= class_id.index()) ancestors_.resize(class_id.index() + 1);
  ancestors_[class_id] = std::move(ancestors);
}

ir::ClassId ValueStore::CommonClass(ir::ClassId a, ir::ClassId b) const {
  if (a == b) return a;
  if (!a.valid() || !b.valid() || a.index() >= ancestors_.size() || b.index() >= ancestors_.size()) return {};
  const std::vector<ir::ClassId>& others = ancestors_[b];
  for (const ir::ClassId ancestor : ancestors_[a]) {
    if (std::find(others.begin(), others.end(), ancestor) != others.end()) return ancestor;
  }
  return {};
}

int Rank(const ValueStore& store, const Value& value) {
  if (IsNumber(value.kind) || value.kind == Kind::kNumpyScalar) return 0;
  if (value.kind != Kind::kArray || !value.shape.valid()) return -1;
  return static_cast<int>(store.Get(value.shape).size());
}

ir::DimId Volume(ValueStore& store, const Value& value) {
  if (IsNumber(value.kind) || value.kind == Kind::kNumpyScalar) return store.dims().Const(1);
  if (value.kind != Kind::kArray || !value.shape.valid()) return ir::DimId::None();
  ir::DimId volume = store.dims().Const(1);
  for (const ir::DimId extent : store.Get(value.shape)) volume = store.dims().Mul(volume, extent);
  return volume;
}

namespace {

std::string NumberText(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), number);
  return std::string(text, end.ptr);
}

std::string_view PlainName(Kind kind) {
  switch (kind) {
    case Kind::kBottom: return "unreached";
    case Kind::kNone: return "None";
    case Kind::kBool: return "bool";
    case Kind::kInt: return "int";
    case Kind::kNumber: return "number";
    case Kind::kFloat: return "float";
    case Kind::kComplex: return "complex";
    case Kind::kStr: return "str";
    case Kind::kBytes: return "bytes";
    case Kind::kEllipsis: return "...";
    case Kind::kSlice: return "slice";
    case Kind::kTuple: return "tuple";
    case Kind::kList: return "list";
    case Kind::kSet: return "set";
    case Kind::kDict: return "dict";
    case Kind::kRange: return "range";
    case Kind::kGenerator: return "generator";
    case Kind::kIterator: return "iterator";
    case Kind::kFunction: return "function";
    case Kind::kClass: return "class";
    case Kind::kInstance: return "instance";
    case Kind::kModule: return "module";
    case Kind::kApi: return "api";
    case Kind::kMethod: return "method";
    case Kind::kBuiltin: return "builtin";
    case Kind::kDType: return "dtype";
    case Kind::kGeneratorRng: return "rng";
    case Kind::kForeign: return "foreign";
    default: return "?";
  }
}

std::string_view LibraryName(Library library) {
  switch (library) {
    case Library::kHost: return " host";
    case Library::kCupy: return " cupy";
    case Library::kTorch: return " torch";
    case Library::kJax: return " jax";
    case Library::kOther: return " other";
    default: return "";
  }
}

constexpr std::size_t kLongestLine = 400;

void Print(const ValueStore& store, const Interner& names, const Value& value, std::string& out) {
  switch (value.kind) {
    case Kind::kArray:
      out += ir::ShortName(value.dtype);
      out += '[';
      if (!value.shape.valid()) {
        out += "...";
      } else {
        bool first = true;
        for (const ir::DimId extent : store.Get(value.shape)) {
          if (!first) out += ", ";
          first = false;
          out += store.dims().ToString(extent, names);
        }
      }
      out += ']';
      out += LibraryName(value.library);
      if (value.unbounded) out += " unbounded";
      return;
    case Kind::kNumpyScalar:
      out += "scalar ";
      out += ir::ShortName(value.dtype);
      return;
    case Kind::kDType:
      out += "dtype ";
      out += ir::ShortName(value.dtype);
      return;
    default: break;
  }
  out += PlainName(value.kind);
  switch (value.kind) {
    case Kind::kBool:
      if (value.constant) out += value.number != 0 ? " True" : " False";
      return;
    case Kind::kInt:
      if (value.dim.valid()) out += " " + store.dims().ToString(value.dim, names);
      return;
    case Kind::kFloat:
      if (value.constant) out += " " + NumberText(value.number);
      return;
    case Kind::kStr:
      if (value.constant) {
        out += " \"";
        out += names.Text(value.name);
        out += '"';
      }
      return;
    case Kind::kApi:
    case Kind::kForeign:
    case Kind::kBuiltin:
    case Kind::kMethod:
    case Kind::kGeneratorRng:
      if (value.name.valid()) {
        out += ' ';
        out += names.Text(value.name);
      }
      return;
    case Kind::kRange:
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
    case Kind::kGenerator:
    case Kind::kIterator: {
      out += '(';
      if (value.elements.valid()) {
        bool first = true;
        for (const Value& element : store.Get(value.elements)) {
          if (!first) out += ", ";
          first = false;
          if (out.size() > kLongestLine) {
            out += "...";
            break;
          }
          Print(store, names, element, out);
        }
      } else if (value.item.valid()) {
        Print(store, names, store.Get(value.item).front(), out);
      } else if (value.dim.valid()) {
        out += store.dims().ToString(value.dim, names);
      }
      out += ')';
      return;
    }
    default: return;
  }
}

}  // namespace

std::string ToString(const ValueStore& store, const Interner& names, const Value& value) {
  std::string out;
  Print(store, names, value, out);
  switch (ConfidenceOf(value.evidence)) {
    case Confidence::kCertain: break;
    case Confidence::kLikely: out += " likely"; break;
    case Confidence::kPossible: out += " possible"; break;
  }
  return out;
}

}  // namespace cpnlint::analysis
