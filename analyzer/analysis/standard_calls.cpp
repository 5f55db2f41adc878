// Calls of Python's standard library that make, combine or walk containers and functions.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analyzer/analysis/attribute_bags.h"
#include "analyzer/analysis/dict_keys.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/loaded_data.h"
#include "analyzer/analysis/packed_arguments.h"

namespace cpnlint::analysis {
namespace {

// The operators that functions of the module `operator` stand for.
constexpr auto kOperators = std::to_array<std::pair<std::string_view, ir::BinaryOp>>({
    {"operator.add", ir::BinaryOp::kAdd},
    {"operator.floordiv", ir::BinaryOp::kFloorDiv},
    {"operator.matmul", ir::BinaryOp::kMatMul},
    {"operator.mod", ir::BinaryOp::kMod},
    {"operator.mul", ir::BinaryOp::kMul},
    {"operator.pow", ir::BinaryOp::kPow},
    {"operator.sub", ir::BinaryOp::kSub},
    {"operator.truediv", ir::BinaryOp::kDiv},
});

// Iterators over the items of one of their arguments, and which that is.
constexpr auto kItemsOf = std::to_array<std::pair<std::string_view, std::uint32_t>>({
    {"itertools.accumulate", 1},
    {"itertools.chain.from_iterable", 1},
    {"itertools.cycle", 1},
    {"itertools.dropwhile", 2},
    {"itertools.filterfalse", 2},
    {"itertools.islice", 1},
    {"itertools.takewhile", 2},
});

// `csv.reader(f, quoting=csv.QUOTE_NONNUMERIC)`, or what a dialect may ask for: cells without quotes become numbers.
// `csv.DictReader(f, names)` takes the names of its columns as well.
bool ReadsNumbers(const ir::Program& program, ir::ValueId call, bool by_name) {
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  const std::uint32_t most = by_name ? 2 : 1;
  if (shape.positional == 0 || shape.positional > most) return true;
  for (std::uint32_t i = 1; i <= shape.positional; ++i) {
    if (program.ops[program.Operand(call, i)].kind == ir::OpKind::kStarred) return true;
  }
  return std::ranges::any_of(shape.keywords, [&](Symbol keyword) {
    if (!keyword.valid()) return true;
    const std::string_view name = program.names.Text(keyword);
    return name != "delimiter" && name != "quotechar" && name != "skipinitialspace" &&
           !(by_name && name == "fieldnames");
  });
}

}  // namespace

std::optional<Value> Engine::CallStandard(ir::ValueId id, const ir::Op& op, std::string_view name) {
  if (name == "re.split" || name == "shlex.split") return ContainerOf(store_, Kind::kList, analysis::Of(Kind::kStr));
  if (name == "os.listdir" || name == "glob.glob") {  // of a path in bytes they give bytes
    const ir::ValueId path = program_.Operand(id, 1);
    if (path.valid() && Of(path).kind == Kind::kBytes) return std::nullopt;
    return ContainerOf(store_, Kind::kList, analysis::Of(Kind::kStr));
  }
  if (name == "csv.reader") {
    if (ReadsNumbers(program_, id, false)) return std::nullopt;
    const Value row = ContainerOf(store_, Kind::kList, analysis::Of(Kind::kStr));
    return ContainerOf(store_, Kind::kIterator, row);
  }
  if (name == "csv.DictReader") {  // `row["x"] = float(row["x"])` puts other things there
    if (ReadsNumbers(program_, id, true)) return std::nullopt;
    Value row = analysis::Of(Kind::kDict);
    row.root = id;
    GrowKey(id, Symbol::None(), analysis::Of(Kind::kStr));
    row.item = store_.Intern({WithLater(id, analysis::Of(Kind::kStr))});
    return ContainerOf(store_, Kind::kIterator, row);
  }
  if (HoldsAttributes(name)) {
    Value bag = MadeDict(id, op, name);
    bag.name = impl_.names.Intern(name);
    return bag;
  }
  if (name == "copy.copy" || name == "copy.deepcopy") {
    Value copy = Of(program_.Operand(id, 1));
    // A copy of a container holds what that holds.
    if (copy.kind == Kind::kDict || copy.kind == Kind::kList) return copy;
    copy.root = copy.device_root = id;
    return copy;
  }
  // A new estimator of the same class; what that is of a library is a call of the library.
  if (name == "sklearn.base.clone" || name == "sklearn.clone") {
    const Value& estimator = Of(program_.Operand(id, 1));
    return estimator.kind == Kind::kInstance ? std::optional(estimator) : std::nullopt;
  }
  if (name == "typing.cast") {  // gives its second argument, whatever that is
    const Value& value = Of(program_.Operand(id, 2));
    if (value.kind != Kind::kUnknown) return value;
    Value promised = FromAnnotation(impl_, program_.Operand(id, 1));
    if (promised.kind == Kind::kArray) promised.root = promised.device_root = id;
    return promised.kind == Kind::kUnknown ? value : promised;
  }
  if (name == "random.choice" || name == "random.sample" || name == "random.choices") {
    Value item = ItemWalked(id, Of(program_.Operand(id, 1)));
    if (item.kind == Kind::kUnknown || item.kind == Kind::kBottom) return Unknown();
    return name == "random.choice" ? item : ContainerOf(store_, Kind::kList, item);
  }
  if (name == "functools.partial") {
    const Value& function = Of(program_.Operand(id, 1));
    if (function.kind == Kind::kApi) return function;
    if (function.kind != Kind::kFunction && function.kind != Kind::kMethod) return Unknown();
    Value bound = analysis::Of(Kind::kForeign);
    bound.name = impl_.names.Intern(name);
    bound.receiver = id;
    return bound;
  }
  if (name == "collections.namedtuple") {
    Value maker = analysis::Of(Kind::kForeign);
    maker.name = impl_.names.Intern(name);
    maker.receiver = id;
    return maker;
  }
  if (name == "dataclasses.replace" || name == "attr.evolve" || name == "attrs.evolve") {
    const Value object = Of(program_.Operand(id, 1));
    if (object.kind != Kind::kInstance) return Unknown();
    StoreFields(id, op, object.class_id, Fields::kNamed);
    return object;
  }
  if (name == "itertools.product" || name == "itertools.combinations" || name == "itertools.permutations")
    return Combined(id, op, name);
  if (name == "functools.reduce") return Reduced(id);
  if (name.starts_with("itertools.")) return Walked(id, op, name);
  if (name.starts_with("operator.")) return Operated(id, name);
  if (name == "collections.deque") {
    const ir::ValueId first = program_.Operand(id, 1);
    if (first.valid() && Of(first).kind != Kind::kBottom) {
      if (const Value item = ItemOf(id, Of(first)); item.kind != Kind::kUnknown) GrowItem(id, item);
    }
    Value list = analysis::Of(Kind::kList);
    list.root = id;
    if (const auto later = impl_.items.find(id); later != impl_.items.end()) list.item = store_.Intern({later->second});
    return list;
  }
  if (name == "collections.defaultdict" || name == "collections.OrderedDict") return MadeDict(id, op, name);
  return std::nullopt;
}

// `functools.reduce(f, arrays)`
Value Engine::Reduced(ir::ValueId id) {
  const Value& function = Of(program_.Operand(id, 1));
  const Value item = ItemWalked(id, Of(program_.Operand(id, 2)));
  if (function.kind == Kind::kFunction && function.function.valid()) {
    const std::size_t site = SiteOf(function.function, id);
    const Value& returned = Returned(function.function);
    const std::vector<Value> given =
        ByParameter(store_, program_.functions[function.function], 0, {JoinOptional(store_, item, returned), item});
    for (std::size_t i = 0; i < given.size(); ++i) Pass(function.function, i, given[i], site);
    if (returned.kind == Kind::kBottom) return {};
    Value result = JoinOptional(store_, item, ReturnedOf(function.function));
    result.evidence = static_cast<EvidenceSet>(result.evidence & ~kCalledWith);
    if (result.kind == Kind::kArray) result.root = result.device_root = id;
    return result;
  }
  if (function.kind != Kind::kApi || item.kind != Kind::kArray) return Unknown();
  const std::string_view name = impl_.names.Text(function.name);
  const bool of_operator = std::ranges::any_of(kOperators, [&](const auto& known) { return known.first == name; });
  if (function.library != Library::kDevice && !of_operator) return Unknown();
  Value array = Array(item.library, ir::DType::kUnknown, ShapeId::None(), item.evidence);
  array.root = array.device_root = id;
  return array;
}

// `operator.mul(u, v)`
Value Engine::Operated(ir::ValueId id, std::string_view name) {
  const Value &left = Of(program_.Operand(id, 1)), &right = Of(program_.Operand(id, 2));
  const auto known = std::ranges::find(kOperators, name, &std::pair<std::string_view, ir::BinaryOp>::first);
  if (known == kOperators.end()) return NamedInt(NameOrNone(id), id);
  const bool arrays = (left.kind == Kind::kArray || IsNumber(left.kind)) &&
                      (right.kind == Kind::kArray || IsNumber(right.kind)) &&
                      (left.kind == Kind::kArray || right.kind == Kind::kArray);
  if (!arrays) return NamedInt(NameOrNone(id), id);
  const Library library = left.library == Library::kDevice || right.kind != Kind::kArray ? left.library : right.library;
  CallContext context{store_, impl_.names, id, library};
  return ResultOfBinary(context, known->second, left, right);
}

Value Engine::Walked(ir::ValueId id, const ir::Op& op, std::string_view name) {
  const auto known = std::ranges::find(kItemsOf, name, &std::pair<std::string_view, std::uint32_t>::first);
  if (known != kItemsOf.end()) {
    Value item = ItemWalked(id, Of(program_.Operand(id, known->second)));
    if (name == "itertools.chain.from_iterable") item = ItemWalked(id, item);
    return ContainerOf(store_, Kind::kIterator, item);
  }
  const ir::CallShape& shape = program_.Shape(op);
  if (name == "itertools.repeat") return ContainerOf(store_, Kind::kIterator, Of(program_.Operand(id, 1)));
  if (name == "itertools.pairwise") {
    const Value item = ItemWalked(id, Of(program_.Operand(id, 1)));
    if (item.kind == Kind::kBottom) return {};
    return ContainerOf(store_, Kind::kIterator, Tuple(store_, {item, item}));
  }
  if (name == "itertools.chain" || name == "itertools.zip_longest") {
    Value joined;
    std::vector<Value> items;
    for (std::uint32_t i = 0; i < shape.positional; ++i) {
      const ir::ValueId argument = program_.Operand(id, 1 + i);
      if (program_.ops[argument].kind == ir::OpKind::kStarred) return analysis::Of(Kind::kIterator);
      items.push_back(ItemWalked(id, Of(argument)));
      joined = JoinOptional(store_, joined, items.back());
      if (items.back().kind == Kind::kBottom) items.back() = Unknown();
    }
    return ContainerOf(store_, Kind::kIterator, name == "itertools.chain" ? joined : Tuple(store_, std::move(items)));
  }
  if (name == "itertools.starmap") {
    const Value& function = Of(program_.Operand(id, 1));
    const Value item = ItemWalked(id, Of(program_.Operand(id, 2)));
    if (function.kind != Kind::kFunction || !function.function.valid() || item.kind != Kind::kTuple ||
        !item.elements.valid())
      return analysis::Of(Kind::kIterator);
    const std::size_t site = SiteOf(function.function, id);
    const std::vector<Value> arguments =
        ByParameter(store_, program_.functions[function.function], 0, store_.Get(item.elements));
    for (std::size_t i = 0; i < arguments.size(); ++i) Pass(function.function, i, arguments[i], site);
    if (Returned(function.function).kind == Kind::kBottom) return {};
    return ContainerOf(store_, Kind::kIterator, ReturnedOf(function.function));
  }
  return analysis::Of(Kind::kIterator);
}

// A call of what `functools.partial` or `collections.namedtuple` gave.
Value Engine::CallMade(ir::ValueId id, const ir::Op& op, const Value& callee) {
  const ir::ValueId made = callee.receiver;
  if (impl_.names.Text(callee.name) == "collections.namedtuple") return NamedTuple(id, op, made);
  const Value function = Of(program_.Operand(made, 1));
  Handing handing = ArgumentsOf(made, program_.ops[made], 1);
  const Handing here = ArgumentsOf(id, op, 0);
  handing.positional.insert(handing.positional.end(), here.positional.begin(), here.positional.end());
  handing.keywords.insert(handing.keywords.end(), here.keywords.begin(), here.keywords.end());  // the later one counts
  handing.has_star = handing.has_star || here.has_star;
  const bool method = function.kind == Kind::kMethod && function.receiver.valid();
  if (!function.function.valid() || (function.kind != Kind::kFunction && !method)) return Unknown();
  const Value self = method ? Of(function.receiver) : Unknown();
  if (method && self.kind != Kind::kInstance) return Unknown();
  return CallWith(id, handing, function.function, method ? &self : nullptr);
}

namespace {

// The keys and values of `[("u", a), ("n", 3)]`, where all of them are written out and the keys constants.
std::vector<std::pair<Symbol, Value>> LiteralPairs(Interner& names, const ValueStore& store, const Value& pairs) {
  std::vector<std::pair<Symbol, Value>> literal;
  const bool display = pairs.kind == Kind::kList || pairs.kind == Kind::kTuple;
  if (!display || !pairs.elements.valid()) return literal;
  for (const Value& pair : store.Get(pairs.elements)) {
    const bool two = pair.elements.valid() && store.Get(pair.elements).size() == 2;
    const bool sequence = pair.kind == Kind::kTuple || pair.kind == Kind::kList;
    if (!sequence || !two) return {};
    const Symbol key = KeptKey(names, store.Get(pair.elements)[0]);
    if (!key.valid()) return {};
    literal.emplace_back(key, store.Get(pair.elements)[1]);
  }
  return literal;
}

}  // namespace

// dict(u=a), dict(zip(names, arrays)), OrderedDict([("u", a)]), defaultdict(list): what they hold, and under which
// keys.
Value Engine::MadeDict(ir::ValueId id, const ir::Op& op, std::string_view name) {
  const ir::CallShape& shape = program_.Shape(op);
  const bool by_factory = name == "collections.defaultdict";
  Value item;
  if (by_factory && shape.positional > 0) item = MadeBy(program_.Operand(id, 1), id);
  if (const std::uint32_t at = by_factory ? 1 : 0; shape.positional > at) {
    const Value& from = Of(program_.Operand(id, 1 + at));
    if (from.kind == Kind::kDict && shape.keywords.empty() && !by_factory) return from;  // a copy
    const std::vector<std::pair<Symbol, Value>> pairs = LiteralPairs(impl_.names, store_, from);
    for (const auto& [key, value] : pairs) {
      item = JoinContained(store_, item, value);
      GrowKey(id, key, value);
    }
    Value first = pairs.empty() ? ItemOf(id, from) : Value();
    if (from.kind != Kind::kDict && first.kind == Kind::kTuple && first.elements.valid()) {
      const std::vector<Value>& pair = store_.Get(first.elements);
      first = pair.size() == 2 ? pair[1] : Unknown();
    } else if (from.kind != Kind::kDict && first.kind != Kind::kBottom) {
      first = Unknown();
    }
    item = JoinContained(store_, item, first);
    const bool by_key = from.kind == Kind::kDict && from.root.valid() && !by_factory;  // see ItemUnder
    if (first.kind != Kind::kBottom && !by_key) GrowKey(id, Symbol::None(), first);
  }
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    const Value& value = Of(program_.Operand(id, static_cast<std::uint32_t>(1 + shape.positional + i)));
    const Value held = shape.keywords[i].valid()   ? value
                       : value.kind == Kind::kDict ? ItemOf(id, value)
                                                   : LoadedAs(value, Unknown());
    if (held.kind == Kind::kBottom) continue;
    item = JoinContained(store_, item, held);
    GrowKey(id, shape.keywords[i], held);
  }
  Value dict = analysis::Of(Kind::kDict);
  dict.root = id;
  item = WithLater(id, item);
  if (item.kind != Kind::kBottom) dict.item = store_.Intern({item});
  return dict;
}

// `state.update(other)`, `state.update(u=a)`
void Engine::Update(ir::ValueId id, const Value& dict) {
  const ir::CallShape& shape = program_.Shape(program_.ops[id]);
  const auto put = [&](Symbol key, const Value& value) {
    if (value.kind == Kind::kBottom) return;
    GrowItem(dict.root, value);
    StoreKey(dict.root, key, value);
  };
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    const Value& value = Of(program_.Operand(id, static_cast<std::uint32_t>(1 + shape.positional + i)));
    put(shape.keywords[i], shape.keywords[i].valid() ? value : Unknown());
  }
  if (shape.positional == 0) return;
  const Value& other = Of(program_.Operand(id, 1));
  if (other.kind == Kind::kBottom) return;
  const bool shown = other.kind == Kind::kDict && other.root.valid() &&
                     program_.ops[other.root].kind == ir::OpKind::kDict && !impl_.items.contains(other.root);
  const std::span<const ir::ValueId> operands = shown ? program_.Operands(other.root) : std::span<const ir::ValueId>();
  const auto kept = [&](ir::ValueId key) { return key.valid() ? KeptKey(impl_.names, Of(key)) : Symbol::None(); };
  bool by_key = shown;
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) by_key = by_key && kept(operands[i]).valid();
  if (const auto pairs = LiteralPairs(impl_.names, store_, other); !pairs.empty()) {
    for (const auto& [key, value] : pairs) put(key, value);
    return;
  }
  if (!by_key) return put(Symbol::None(), other.kind == Kind::kDict ? ItemOf(id, other) : LoadedAs(other, Unknown()));
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) put(kept(operands[i]), Of(operands[i + 1]));
}

// What a factory gives that is called without arguments: of a defaultdict.
Value Engine::MadeBy(ir::ValueId factory, ir::ValueId site) {
  const Value& function = Of(factory);
  if (function.kind == Kind::kFunction && function.function.valid()) {
    (void)SiteOf(function.function, site);
    return Returned(function.function).kind == Kind::kBottom ? Value() : ReturnedOf(function.function);
  }
  const std::string_view builtin = function.kind == Kind::kBuiltin ? impl_.names.Text(function.name) : "";
  if (builtin == "int") return analysis::Of(Kind::kInt);
  if (builtin == "float") return analysis::Of(Kind::kFloat);
  if (builtin != "list" && builtin != "dict") return Unknown();
  Value container = analysis::Of(builtin == "list" ? Kind::kList : Kind::kDict);
  container.root = factory;  // one for all keys
  const Value item = WithLater(factory, {});
  if (item.kind != Kind::kBottom) container.item = store_.Intern({item});
  return container;
}

// Tuples of items: product(a, b), product(a, repeat=2), combinations(a, 2).
Value Engine::Combined(ir::ValueId id, const ir::Op& op, std::string_view name) {
  const ir::CallShape& shape = program_.Shape(op);
  std::vector<Value> items;
  std::int64_t repeat = 1;
  if (name == "itertools.product") {
    for (std::uint32_t i = 0; i < shape.positional; ++i) {
      const ir::ValueId argument = program_.Operand(id, 1 + i);
      if (program_.ops[argument].kind == ir::OpKind::kStarred) return analysis::Of(Kind::kIterator);
      items.push_back(ItemWalked(id, Of(argument)));
    }
    if (!shape.keywords.empty()) {
      const Value& times = Of(program_.Operand(id, 1 + shape.positional));
      if (times.kind != Kind::kInt || !times.constant) return analysis::Of(Kind::kIterator);
      repeat = static_cast<std::int64_t>(times.number);
    }
  } else {
    const Value& length = Of(program_.Operand(id, 2));
    if (length.kind != Kind::kInt || !length.constant) return analysis::Of(Kind::kIterator);
    items.push_back(ItemWalked(id, Of(program_.Operand(id, 1))));
    repeat = static_cast<std::int64_t>(length.number);
  }
  if (repeat < 1 || repeat > 8 || items.empty()) return analysis::Of(Kind::kIterator);
  std::vector<Value> tuple;
  for (std::int64_t i = 0; i < repeat; ++i) {
    for (Value item : items) {
      if (item.kind == Kind::kBottom) item = Unknown();
      if (item.kind == Kind::kInt && !item.constant)
        item.dim = store_.dims().SymbolOf(impl_.names.Intern("?"), id.index() + tuple.size());
      tuple.push_back(item);
    }
  }
  return ContainerOf(store_, Kind::kIterator, Tuple(store_, std::move(tuple)));
}

}  // namespace cpnlint::analysis
