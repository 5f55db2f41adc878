// Displays, items of iterables, unpacking and subscripts.

#include <algorithm>
#include <array>

#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/covering_masks.h"
#include "analyzer/analysis/dict_keys.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/keys.h"
#include "analyzer/analysis/loaded_data.h"
#include "analyzer/analysis/walked_calls.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostElements = 64;  // longer displays keep the join of their items only

bool IsContainer(Kind kind) {
  return kind == Kind::kTuple || kind == Kind::kList || kind == Kind::kSet || kind == Kind::kDict ||
         kind == Kind::kGenerator || kind == Kind::kIterator;
}

}  // namespace

Value Engine::Display(ir::ValueId id, const ir::Op& op) {
  Kind kind = Kind::kTuple;
  if (op.kind == ir::OpKind::kList) kind = Kind::kList;
  if (op.kind == ir::OpKind::kSet) kind = Kind::kSet;
  if (op.kind == ir::OpKind::kDict) kind = Kind::kDict;
  if (op.kind == ir::OpKind::kCollection) {
    switch (static_cast<ir::CollectionKind>(op.detail)) {
      case ir::CollectionKind::kList: kind = Kind::kList; break;
      case ir::CollectionKind::kSet: kind = Kind::kSet; break;
      case ir::CollectionKind::kDict: kind = Kind::kDict; break;
      case ir::CollectionKind::kGenerator: kind = Kind::kGenerator; break;
    }
  }
  Value value = analysis::Of(kind);
  value.root = id;
  Value item;
  std::vector<Value> elements;
  bool exact = kind == Kind::kTuple || kind == Kind::kList;
  const std::span<const ir::ValueId> operands = program_.Operands(op);
  if (exact) elements.reserve(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (op.kind == ir::OpKind::kDict && i % 2 == 0) continue;
    const ir::ValueId operand = operands[i];
    if (!operand.valid()) continue;
    if (program_.ops[operand].kind == ir::OpKind::kStarred) {
      const Value& inner = Of(operand);
      if (exact && inner.kind == Kind::kTuple && inner.elements.valid()) {
        for (const Value& element : store_.Get(inner.elements)) elements.push_back(element);
      } else {
        exact = false;
      }
      item = JoinContained(store_, item, ItemWalked(id, inner));
      continue;
    }
    const bool merged = op.kind == ir::OpKind::kDict && !operands[i - 1].valid();  // {**others}
    if (Of(operand).kind == Kind::kBottom) return {};
    const Value element = merged ? ItemOf(id, Of(operand)) : Of(operand);
    if (!(element == item)) item = JoinContained(store_, item, element);  // most displays are of one kind
    if (exact) elements.push_back(element);
  }
  // What is added later: append, d[k] = v, a comprehension's items.
  if (const auto later = impl_.items.find(id); later != impl_.items.end()) {
    item = JoinContained(store_, item, later->second);
    // Who knows what counts once all that is known is there.
    if (kind != Kind::kTuple && (item.kind != Kind::kBottom || attributes_released_)) exact = false;
  }
  if (!exact && op.kind == ir::OpKind::kList) value.dim = LengthAppended(id);
  if (op.kind == ir::OpKind::kDict && impl_.items.find(id) == impl_.items.end()) value.dim = EntriesWritten(id);
  if (exact && elements.size() <= kMostElements) value.elements = store_.Intern(elements);
  if (exact) value.dim = store_.dims().Const(static_cast<std::int64_t>(elements.size()));
  if (op.kind == ir::OpKind::kCollection) value.dim = kind == Kind::kList ? LengthCollected(id) : ir::DimId::None();
  if (item.kind != Kind::kBottom) value.item = store_.Intern({item});
  return value;
}

// Of a dictionary that is written out and stays as it is: how many entries. None() where a key is no literal, and of an
// empty one: somebody fills it.
ir::DimId Engine::EntriesWritten(ir::ValueId dict) {
  const std::span<const ir::ValueId> operands = program_.Operands(dict);
  if (operands.empty()) return {};
  std::vector<Symbol> keys;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const Symbol key = operands[i].valid() ? KeptKey(impl_.names, Of(operands[i])) : Symbol::None();
    if (!key.valid() || std::ranges::find(keys, key) != keys.end()) return {};
    keys.push_back(key);
  }
  const bool changes = std::ranges::any_of(impl_.UsesOf(dict), [&](ir::ValueId user) {
    const ir::Op& op = program_.ops[user];
    return op.kind == ir::OpKind::kDelSubscript || op.kind == ir::OpKind::kInplaceBinary ||
           (op.kind == ir::OpKind::kAttr &&
            IsOneOf(program_.Name(op), {"clear", "pop", "popitem", "setdefault", "update"}));
  });
  return changes ? ir::DimId::None() : store_.dims().Const(static_cast<std::int64_t>(keys.size()));
}

// Of `[f(x) for x in xs]`: as many as xs has. None() with a condition, several clauses, or a list that changes later.
ir::DimId Engine::LengthCollected(ir::ValueId list) {
  ir::ValueId collect;
  for (const ir::ValueId user : impl_.UsesOf(list)) {
    const ir::OpKind kind = program_.ops[user].kind;
    if (kind == ir::OpKind::kAttr || kind == ir::OpKind::kDelSubscript || kind == ir::OpKind::kInplaceBinary) return {};
    if (kind == ir::OpKind::kCollectItem && program_.Operand(user, 0) == list) collect = user;
  }
  if (!collect.valid() || grown_lists_.contains(list)) return {};
  const ir::Block& inside = program_.blocks[program_.ops[collect].block];
  const ir::Block& around = program_.blocks[program_.ops[list].block];
  if (!inside.loop.valid() || program_.loops[inside.loop].parent != around.loop || inside.guard != around.guard)
    return {};
  return LengthWalked(program_.loops[inside.loop].iterable, list);
}

// The items of a container, and what is put into it after it was made.
Value Engine::WithLater(ir::ValueId container, const Value& item) {
  const auto later = impl_.items.find(container);
  return later == impl_.items.end() ? item : JoinContained(store_, item, later->second);
}

// ... of what is walked: of a dictionary the keys, which nobody keeps.
Value Engine::ItemWalked(ir::ValueId id, const Value& value) {
  return value.kind == Kind::kDict ? Unknown() : ItemOf(id, value);
}

Value Engine::ItemOf(ir::ValueId id, const Value& value) {
  switch (value.kind) {
    case Kind::kBottom: return {};
    case Kind::kRange: return analysis::Of(Kind::kInt);
    case Kind::kInstance: return ItemOfObject(id, value);
    case Kind::kStr: return analysis::Of(Kind::kStr);
    case Kind::kArray: {
      CallContext context{store_, impl_.names, id, value.library};
      Value key = analysis::Of(Kind::kInt);
      return ResultOfSubscript(context, value, {&key, 1}).value;
    }
    default: break;
  }
  if (!IsContainer(value.kind) && value.kind != Kind::kForeign) return LoadedAs(value, Unknown());
  if (value.item.valid()) return store_.Get(value.item).front();
  // `fig, ax = plt.subplots()`, `line, = ax.plot(u)`, `for ax in axes`: objects of the same library.
  if (value.kind == Kind::kForeign && StartsWithModule(impl_.names.Text(value.name), "matplotlib")) return value;
  if (value.elements.valid()) {
    Value item;
    for (const Value& element : store_.Get(value.elements)) item = JoinContained(store_, item, element);
    return item;
  }
  return Unknown();
}

// What a variable holds where it is walked: `None`, which some path leaves in it, cannot be.
Value Engine::NotNone(ir::ValueId id, const Value& otherwise) {
  if (!id.valid() || program_.ops[id].kind != ir::OpKind::kPhi) return otherwise;
  Value joined;
  bool any_none = false;
  for (const ir::ValueId operand : program_.Operands(id)) {
    if (!operand.valid() || operand == id) continue;
    if (Of(operand).kind == Kind::kNone)
      any_none = true;
    else
      joined = JoinOptional(store_, joined, Of(operand));
  }
  return any_none && joined.kind != Kind::kBottom ? joined : otherwise;
}

// `a, b = (x.copy() for x in initial(n))`, and what `initial` gives is not there yet.
bool Engine::WaitsForItems(const Value& container) const {
  const bool has_elements = container.elements.valid() && !store_.Get(container.elements).empty();
  return !attributes_released_ && container.root.valid() && !container.item.valid() && !has_elements &&
         program_.ops[container.root].kind == ir::OpKind::kCollection && !impl_.items.contains(container.root);
}

Value Engine::LoopItemValue(ir::ValueId id) {
  Value iterable = Of(program_.Operand(id, 0));
  if (iterable.kind == Kind::kBottom || WaitsForItems(iterable)) return {};
  const ir::ValueId walked = program_.Operand(program_.Operand(id, 0), 0);
  if (iterable.kind == Kind::kUnknown) iterable = AsWalked(impl_, walked, NotNone(walked, iterable));
  Value item = ItemOf(id, iterable);
  // `for x in a.flat`: the array is read on the host, its items are NumPy's own scalars.
  if (iterable.kind == Kind::kArray && walked.valid() && program_.ops[walked].kind == ir::OpKind::kAttr &&
      program_.Name(program_.ops[walked]) == "flat") {
    item = analysis::Of(Kind::kNumpyScalar);
    item.library = Library::kHost;
    item.dtype = iterable.dtype;
    return item;
  }
  if (iterable.kind == Kind::kDict) item = Unknown();  // iterating a dict gives its keys
  if (item.kind == Kind::kArray && iterable.kind != Kind::kArray && !item.root.valid())
    item.root = item.device_root = id;
  if (item.kind == Kind::kInt) {
    item.constant = false;
    item.number = 0;
    // The user's own name for it, if the target is a plain name.
    const Symbol name = bound_names_[id].valid() ? bound_names_[id] : impl_.names.Intern("i");
    item.dim = store_.dims().SymbolOf(name, id.index());
  }
  if (item.kind == Kind::kUnknown && !item.dim.valid()) item.dim = store_.dims().SymbolOf(NameOrNone(id), id.index());
  return item;
}

namespace {

// Functions that give several arrays, all of them new.
constexpr auto kGiveNewArrays = std::to_array<std::string_view>(
    {"numpy.cov", "numpy.divmod", "numpy.frexp", "numpy.gradient", "numpy.histogram", "numpy.histogram2d",
     "numpy.linalg.eig", "numpy.linalg.eigh", "numpy.linalg.lstsq", "numpy.linalg.qr", "numpy.linalg.slogdet",
     "numpy.linalg.svd", "numpy.meshgrid", "numpy.modf", "numpy.nonzero", "numpy.unique", "numpy.where"});

// `x, y = np.meshgrid(a, b)`: unpacked where it is made, so that nobody else has these arrays.
bool GivesNewArrays(const Facts::Impl& impl, ir::ValueId from) {
  const ir::Program& program = impl.program;
  if (program.ops[from].kind != ir::OpKind::kCall) return false;
  const Value& callee = impl.Of(program.Operand(from, 0));
  if (callee.kind != Kind::kApi) return false;
  const std::string_view name = impl.names.Text(callee.name);
  if (std::ranges::find(kGiveNewArrays, name) == kGiveNewArrays.end()) return false;
  if (ArgumentNamed(program, from, "copy").valid()) return false;
  return std::ranges::all_of(impl.UsesOf(from),
                             [&](ir::ValueId use) { return program.ops[use].kind == ir::OpKind::kUnpackItem; });
}

// The item of an unpacking as storage of its own, where it is.
Value OwnItem(const Facts::Impl& impl, ir::ValueId id, ir::ValueId from, Value item) {
  if (item.kind == Kind::kArray && !item.root.valid() && GivesNewArrays(impl, from)) item.root = item.device_root = id;
  return item;
}

}  // namespace

Value Engine::UnpackValue(const ir::Op& op) {
  const ir::ValueId from = program_.operands[op.first_operand];
  const Value value = AsWalked(impl_, from, Of(from));
  if (value.kind == Kind::kBottom || WaitsForItems(value)) return {};
  const ir::ItemPosition item = ir::ItemPosition::Unpack(op.payload);
  const ir::ValueId id = ir::ValueId(static_cast<std::size_t>(&op - &*program_.ops.begin()));
  if (item.star == item.index) {
    Value rest = analysis::Of(Kind::kList);
    const Value one = ItemOf(id, value);
    if (one.kind != Kind::kBottom) rest.item = store_.Intern({one});
    return rest;
  }
  if (value.elements.valid() && (value.kind == Kind::kTuple || value.kind == Kind::kList)) {
    const std::vector<Value>& elements = store_.Get(value.elements);
    std::size_t position = item.index;
    if (item.star != ir::ItemPosition::kNoStar && item.index > item.star) {
      if (elements.size() + 1 < item.count) return Unknown();
      position = elements.size() - (item.count - item.index);
    }
    if (position >= elements.size()) return Unknown();
    Value element = elements[position];
    // `for k, low in enumerate(range(0, n, 100))`: a number that goes by this name.
    if (element.kind == Kind::kInt && !element.constant && !element.dim.valid() && bound_names_[id].valid())
      element.dim = store_.dims().SymbolOf(bound_names_[id], id.index());
    return OwnItem(impl_, id, from, element);
  }
  if (value.kind == Kind::kInstance && item.star == ir::ItemPosition::kNoStar) {
    if (std::optional<Value> field = FieldAt(id, value, item.index)) return *field;
  }
  if (value.kind == Kind::kArray) {
    CallContext context{store_, impl_.names, id, value.library};
    Value key = Int(store_, item.index);
    return ResultOfSubscript(context, value, {&key, 1}).value;
  }
  Value one = ItemOf(id, value);
  if ((one.kind == Kind::kUnknown || one.kind == Kind::kInt) && !one.constant) {
    if (bound_names_[id].valid()) one.dim = store_.dims().SymbolOf(bound_names_[id], id.index());
  }
  return OwnItem(impl_, id, from, one);
}

Value KeyValue(const ir::Program& program, ir::ValueId key, const Value& value) {
  return program.ops[key].kind == ir::OpKind::kStarred ? Unknown() : value;
}

namespace {

// `range(n)[::-1]` has as many numbers; of other parts nobody says.
Value PartOfRange(const ValueStore& store, const Value& range, const Value& slice) {
  Value part = analysis::Of(Kind::kRange);
  part.evidence = range.evidence;
  if (!slice.elements.valid()) return part;
  const std::vector<Value>& bounds = store.Get(slice.elements);
  const auto is_open = [&](std::size_t at) { return at >= bounds.size() || bounds[at].kind == Kind::kNone; };
  const bool turned = bounds.size() > 2 && bounds[2].constant && (bounds[2].number == -1 || bounds[2].number == 1);
  if (is_open(0) && is_open(1) && (is_open(2) || turned)) part.dim = range.dim;
  return part;
}

// `errors[-10:]`, `errors[:10]`: ten items, or the fewer that the list has. None() for other parts.
ir::DimId MostOfPart(ValueStore& store, const Value& key, ir::DimId length, ir::DimId unknown_length) {
  if (!key.elements.valid()) return {};
  const std::vector<Value>& bounds = store.Get(key.elements);
  const auto is_left_out = [&](std::size_t i) { return i >= bounds.size() || bounds[i].kind == Kind::kNone; };
  const auto at = [&](std::size_t i) -> std::int64_t {
    return bounds[i].kind == Kind::kInt && bounds[i].constant ? static_cast<std::int64_t>(bounds[i].number) : 0;
  };
  if (!is_left_out(2) || is_left_out(0) == is_left_out(1)) return {};
  const std::int64_t most = is_left_out(0) ? at(1) : -at(0);
  if (most <= 0) return {};
  ir::DimStore& dims = store.dims();
  return dims.Min(length.valid() ? length : unknown_length, dims.Const(most));
}

}  // namespace

Value Engine::SubscriptValue(ir::ValueId id, const ir::Op& op) {
  const ir::ValueId base_id = program_.Operand(id, 0);
  const Value& base = Of(base_id);
  if (base.kind == Kind::kBottom) return {};
  const std::span<const ir::ValueId> keys = program_.Operands(op).subspan(1);
  std::vector<Value> key_values;
  key_values.reserve(keys.size());
  for (const ir::ValueId key : keys) {
    if (Of(key).kind == Kind::kBottom) return {};
    key_values.push_back(SelectingKey(impl_, key));
    if (MakesOpenMesh(impl_, key)) key_values.back() = MeshAsKey(store_, key_values.back());
  }
  if (base.kind == Kind::kArray) {
    if (Defines(base, "__getitem__")) return Unknown();
    if (key_values.size() == 1 && key_values[0].kind == Kind::kStr) return Unknown();  // a field of a record
    if (base.dtype == ir::DType::kStructured && Rank(store_, base) == 0)
      return Unknown();  // one of its fields, by place
    CallContext context{store_, impl_.names, id, base.library};
    SubscriptResult result = ResultOfSubscript(context, base, key_values);
    SettleMaskedRank(impl_, base_id, keys, result);
    return result.value;
  }
  if (base.kind == Kind::kApi && base.library != Library::kOther) {
    const std::string_view name = impl_.names.Text(base.name);
    CallContext context{store_, impl_.names, id, base.library};
    if (std::optional<Value> value = ResultOfApiSubscript(context, name, key_values)) return *value;
    return Unknown();
  }
  if (base.kind == Kind::kStr) return analysis::Of(Kind::kStr);
  if (base.kind == Kind::kForeign) return base;
  if (base.kind == Kind::kInstance) {
    const Value key = key_values.size() == 1 ? key_values[0] : Tuple(store_, key_values);
    if (std::optional<Value> item = CallSpecial(id, base, "__getitem__", {&key, 1})) return *item;
    if (key.kind == Kind::kStr && key.constant) return InstanceAttribute(id, base, key.name);  // a TypedDict
    const bool place = key.kind == Kind::kInt && key.constant && key.number >= 0;
    if (!place) return Unknown();
    return FieldAt(id, base, static_cast<std::size_t>(key.number)).value_or(Unknown());
  }
  if (key_values.size() != 1) return base.kind == Kind::kDict ? ItemOf(id, base) : Unknown();
  const Value& key = key_values[0];
  if (base.kind == Kind::kDict) {
    Value item = base.item.valid() ? ItemOf(id, base) : Unknown();
    const Symbol kept = KeptKey(impl_.names, key);
    if (item.kind != Kind::kBottom && kept.valid()) {
      const Value under = ItemUnder(base, kept, id);
      if (under.kind != Kind::kBottom) item = under;
      if (item.kind == Kind::kArray && !item.root.valid()) item.root = item.device_root = id;
    }
    if (item.kind == Kind::kUnknown && key.kind == Kind::kStr && key.constant) item.dim = NamedInt(key.name, id).dim;
    return item;
  }
  // x.shape[0] that is no known number: one number wherever it is asked for.
  const bool is_shape =
      program_.ops[base_id].kind == ir::OpKind::kAttr && program_.Name(program_.ops[base_id]) == "shape";
  const auto extent_of = [&](std::int64_t axis) {
    const Value& array = Of(program_.Operand(base_id, 0));
    const std::string name = NameOf(base_id) + "[" + std::to_string(axis) + "]";
    const ir::ValueId instance = array.root.valid() ? array.root : base_id;
    return IntDim(store_.dims().SymbolOf(impl_.names.Intern(name), instance.index()));
  };
  if (is_shape && base.kind == Kind::kTuple && !base.elements.valid() && key.kind == Kind::kInt && key.constant)
    return extent_of(static_cast<std::int64_t>(key.number));
  if (base.kind == Kind::kRange && key.kind == Kind::kSlice) return PartOfRange(store_, base, key);
  if (base.kind != Kind::kTuple && base.kind != Kind::kList) {
    const bool named = IsLoaded(base) && key.kind == Kind::kStr && key.constant;
    return LoadedAs(base, NamedInt(named ? key.name : NameOrNone(id), id));
  }
  // An index on one path and a slice on another give an item or a part.
  if (key.kind == Kind::kUnknown && program_.ops[keys[0]].kind == ir::OpKind::kPhi) {
    const std::span<const ir::ValueId> paths = program_.Operands(keys[0]);
    const auto is_slice = [this](ir::ValueId path) { return path.valid() && Of(path).kind == Kind::kSlice; };
    if (std::any_of(paths.begin(), paths.end(), is_slice)) return Unknown();
  }
  if (key.kind == Kind::kSlice) {
    Value value = analysis::Of(base.kind);
    value.root = id;
    if (base.elements.valid()) {
      const std::vector<Value>& all = store_.Get(base.elements);
      const std::vector<Value>& bounds = store_.Get(key.elements);
      const auto bound = [&](std::size_t i, std::int64_t absent) -> std::optional<std::int64_t> {
        if (i >= bounds.size() || bounds[i].kind == Kind::kNone) return absent;
        if (bounds[i].kind != Kind::kInt || !bounds[i].constant) return std::nullopt;
        return static_cast<std::int64_t>(bounds[i].number);
      };
      const auto size = static_cast<std::int64_t>(all.size());
      std::optional<std::int64_t> step = bound(2, 1);
      std::optional<std::int64_t> lower = bound(0, 0), upper = bound(1, size);
      if (step && lower && upper &&
          (*step == 1 || (*step == -1 && bounds[0].kind == Kind::kNone && bounds[1].kind == Kind::kNone))) {
        std::vector<Value> part;
        if (*step == 1) {
          const std::int64_t from = std::clamp<std::int64_t>(*lower < 0 ? *lower + size : *lower, 0, size);
          const std::int64_t to = std::clamp<std::int64_t>(*upper < 0 ? *upper + size : *upper, 0, size);
          for (std::int64_t i = from; i < to; ++i) part.push_back(all[static_cast<std::size_t>(i)]);
        } else {
          part.assign(all.rbegin(), all.rend());
        }
        value.dim = store_.dims().Const(static_cast<std::int64_t>(part.size()));
        value.elements = store_.Intern(part);
        return value;
      }
    }
    value.dim = MostOfPart(store_, key, base.dim, store_.dims().SymbolOf(impl_.names.Intern("?"), id.index()));
    const Value item = ItemOf(id, base);
    if (item.kind != Kind::kBottom) value.item = store_.Intern({item});
    return value;
  }
  if (base.elements.valid() && key.kind == Kind::kInt && key.constant) {
    const std::vector<Value>& elements = store_.Get(base.elements);
    const auto size = static_cast<std::int64_t>(elements.size());
    std::int64_t index = static_cast<std::int64_t>(key.number);
    if (index < 0) index += size;
    if (index < 0 || index >= size) return Unknown();
    const Value& element = elements[static_cast<std::size_t>(index)];
    const bool open = element.kind == Kind::kInt && !element.constant && !element.dim.valid();
    const bool named = is_shape && open && !NameOf(program_.Operand(base_id, 0)).empty();
    return named ? extent_of(index) : element;
  }
  Value item = ItemOf(id, base);
  if (item.kind == Kind::kBottom) return Unknown();
  if (item.kind == Kind::kInt) {
    item.constant = false;
    item.dim = store_.dims().SymbolOf(NameOrNone(id), id.index());
  }
  return item;
}

// `t < cfg["t_end"]`, `t < span[1]`, `t < p.t_end` of a SimpleNamespace: one number out of a container that holds
// settings. What the loop itself takes out of a list, or looks up under a key of its own, is what comes next.
static bool ReadsOneNumber(const Facts& facts, ir::LoopId loop, ir::ValueId read) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[read];
  if (op.kind != ir::OpKind::kSubscript && op.kind != ir::OpKind::kAttr) return false;
  const ir::ValueId base = program.Operand(read, 0);
  const Kind container = facts.Of(base).kind;
  const auto orders = [&](ir::ValueId user) {
    if (program.ops[user].kind != ir::OpKind::kCompare) return false;
    const auto compare = static_cast<ir::CompareOp>(program.ops[user].detail);
    return compare == ir::CompareOp::kLt || compare == ir::CompareOp::kLe || compare == ir::CompareOp::kGt ||
           compare == ir::CompareOp::kGe;
  };
  const Kind kind = facts.Of(read).kind;
  if (!IsNumber(kind) && !(kind == Kind::kUnknown && std::ranges::any_of(facts.UsesOf(read), orders))) return false;
  if (op.kind == ir::OpKind::kAttr) return container == Kind::kDict;
  const ir::ValueId key = program.Operand(read, 1);
  if (container == Kind::kDict) return facts.TextOf(key).has_value();
  return container == Kind::kList && facts.IntOf(key) && !ContainerChangedIn(facts, base, loop);
}

bool TestsWhatIsNext(const Facts& facts, ir::LoopId loop, std::vector<ir::ValueId> tests) {
  const ir::Program& program = facts.program();
  std::unordered_set<ir::ValueId> seen(tests.begin(), tests.end());
  for (std::size_t i = 0; i < tests.size() && i < 64; ++i) {
    const ir::ValueId now = tests[i];
    if (!now.valid()) continue;
    const ir::Op& op = program.ops[now];
    const Kind kind = facts.Of(now).kind;
    if (kind == Kind::kList || kind == Kind::kSet || kind == Kind::kDict) return true;
    if (!facts.InLoop(now, loop) || ReadsOneNumber(facts, loop, now)) continue;
    const ir::ValueId callee = op.kind == ir::OpKind::kCall ? program.Operand(now, 0) : ir::ValueId::None();
    if (callee.valid() && program.ops[callee].kind == ir::OpKind::kAttr) {
      const std::string_view name = program.Name(program.ops[callee]);
      if (name == "readline" || name == "read" || name == "readlines" || name == "tell") return true;
    }
    for (const ir::ValueId operand : program.Operands(op)) {
      if (operand.valid() && seen.insert(operand).second) tests.push_back(operand);
    }
  }
  return false;
}

}  // namespace cpnlint::analysis
