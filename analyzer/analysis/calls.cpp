// What one call gives, and what it tells the function it calls.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "analyzer/analysis/engine.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

// Decorators that hand the function through, or whose result behaves like it when called.
constexpr auto kTransparentDecorators = std::to_array<std::string_view>({
    "abc.abstractmethod",
    "contextlib.contextmanager",
    "functools.cache",
    "functools.cached_property",
    "functools.lru_cache",
    "functools.singledispatch",
    "functools.wraps",
    "typing.final",
    "typing.no_type_check",
    "typing.overload",
    "typing.override",
});

constexpr auto kCompilers =
    std::to_array<std::string_view>({"cupyx.jit", "cython", "dace", "jax.jit", "numba", "pythran", "taichi",
                                     "tensorflow.function", "torch.compile", "torch.jit", "triton", "warp"});

bool IsTransparent(std::string_view name) {
  return std::binary_search(kTransparentDecorators.begin(), kTransparentDecorators.end(), name);
}

// math functions that give an integer.
bool GivesInt(std::string_view name) {
  return name == "math.floor" || name == "math.ceil" || name == "math.trunc" || name == "math.gcd" ||
         name == "math.lcm" || name == "math.factorial" || name == "math.comb" || name == "math.perm" ||
         name == "math.isqrt" || name == "os.cpu_count" || name == "random.randint" || name == "random.randrange" ||
         name == "time.time_ns" || name == "time.perf_counter_ns";
}

bool GivesFloat(std::string_view name) {
  return StartsWithModule(name, "math") || name == "random.random" || name == "random.uniform" ||
         name == "random.gauss" || name == "random.normalvariate" || name == "time.time" ||
         name == "time.perf_counter" || name == "time.process_time" || name == "time.monotonic" ||
         name == "timeit.default_timer" || name == "legate.timing.time";
}

}  // namespace

bool Engine::AnyNotReached(const ir::Op& op) const {
  for (const ir::ValueId operand : program_.Operands(op)) {
    if (operand.valid() && Of(operand).kind == Kind::kBottom) return true;
  }
  return false;
}

// A decorator of the program that returns a function which returns what the decorated one does: a timer, a logger.
bool Engine::HandsOn(ir::FunctionId decorator) const {
  const ir::Function& outer = program_.functions[decorator];
  if (outer.params.empty() || outer.returns.empty()) return false;
  const ir::ValueId decorated = outer.params.front().value;
  const auto is_decorated = [&](ir::ValueId value) {
    if (!value.valid() || program_.ops[value].kind != ir::OpKind::kLoadCell) return false;
    const ir::Cell& cell = program_.cells[ir::CellId(program_.ops[value].payload)];
    return cell.stores.size() == 1 && program_.Operand(cell.stores[0], 0) == decorated;
  };
  return std::all_of(outer.returns.begin(), outer.returns.end(), [&](ir::ValueId returned) {
    ir::ValueId inner = program_.Operand(returned, 0);
    if (!inner.valid()) return false;
    if (inner == decorated) return true;  // it only takes note of the function
    while (IsDecoration(program_, inner)) inner = program_.Operand(inner, 1);
    if (!inner.valid() || program_.ops[inner].kind != ir::OpKind::kMakeFunction) return false;
    const ir::Function& wrapper = program_.functions[ir::FunctionId(program_.ops[inner].payload)];
    if (wrapper.is_generator || wrapper.returns.empty()) return false;
    return std::all_of(wrapper.returns.begin(), wrapper.returns.end(), [&](ir::ValueId result) {
      const ir::ValueId call = program_.Operand(result, 0);
      return call.valid() && program_.ops[call].kind == ir::OpKind::kCall && is_decorated(program_.Operand(call, 0));
    });
  });
}

Value Engine::CallValue(ir::ValueId id, const ir::Op& op) {
  if (AnyNotReached(op)) return {};  // an argument is not there yet
  const Value& callee = Of(program_.Operand(id, 0));
  // A decorator on a def: what the name is bound to afterwards.
  if ((op.flags & ir::kSynthetic) != 0 && op.operand_count == 2) {
    const Value& decorated = Of(program_.Operand(id, 1));
    if ((decorated.kind == Kind::kFunction && decorated.function.valid()) || decorated.kind == Kind::kClass) {
      const std::string_view name = impl_.names.Text(callee.name);
      const bool named = callee.kind == Kind::kBuiltin || callee.kind == Kind::kApi || callee.kind == Kind::kForeign;
      if (decorated.kind == Kind::kClass) return decorated;
      if (named && (callee.kind == Kind::kBuiltin || IsTransparent(name))) return decorated;
      if (impl_.functions[decorated.function].compiled) return decorated;
      if (callee.kind == Kind::kFunction && callee.function.valid() && HandsOn(callee.function)) return decorated;
      if (callee.kind == Kind::kMethod) {  // @prop.setter
        const std::string_view method = name;
        if (method == "setter" || method == "getter" || method == "deleter" || method == "register") return decorated;
      }
      // `@lru_cache(maxsize=1)`: the decorator is itself the result of a call.
      const ir::Op& made = program_.ops[program_.Operand(id, 0)];
      if (made.kind == ir::OpKind::kCall) {
        const Value& factory = Of(program_.Operand(program_.Operand(id, 0), 0));
        if (factory.kind == Kind::kApi && IsTransparent(impl_.names.Text(factory.name))) return decorated;
      }
      return Unknown();
    }
  }
  switch (callee.kind) {
    case Kind::kApi:
    case Kind::kDType: return CallApi(id, op, callee);
    case Kind::kMethod: return CallMethod(id, op, callee);
    case Kind::kFunction: {
      if (callee.function.valid()) return CallLocal(id, op, callee.function, nullptr);
      if (!callee.elements.valid()) return Unknown();
      Value result;
      const std::vector<Value> functions = store_.Get(callee.elements);
      for (const Value& one : functions)
        result = JoinOptional(store_, result, CallLocal(id, op, one.function, nullptr));
      return result;
    }
    case Kind::kClass: {
      const bool or_derived = callee.receiver.valid() && impl_.heirs[callee.class_id].size() > 1;
      return or_derived ? ObjectOf(callee.class_id, id) : CallClass(id, op, callee.class_id);
    }
    case Kind::kBuiltin: return CallBuiltin(id, op, impl_.names.Text(callee.name));
    case Kind::kForeign: return callee;
    case Kind::kInstance: {
      const ir::FunctionId call = FindMethod(impl_, callee.class_id, impl_.names.Intern("__call__"));
      return call.valid() ? CallLocal(id, op, call, &callee) : Unknown();
    }
    default: break;
  }
  // `line.split()`: whatever has that method is a text.
  const ir::ValueId called = program_.Operand(id, 0);
  if (callee.kind == Kind::kUnknown && called.valid() && program_.ops[called].kind == ir::OpKind::kAttr &&
      Of(program_.Operand(called, 0)).kind == Kind::kUnknown) {
    const std::string_view method = program_.Name(program_.ops[called]);
    if (IsMethodOf(method, MethodOf::kTextOnly)) {
      Value text = CallContainerMethod(id, analysis::Of(Kind::kStr), method);
      text.evidence |= kUsed;
      return text;
    }
  }
  if (callee.kind == Kind::kUnknown && called.valid()) {
    if (Value value = BehindDecorator(id); value.kind == Kind::kForeign) return value;
  }
  return NamedInt(NameOrNone(id), id);
}

Value Engine::ModelCall(ir::ValueId id, const ir::Op& op, std::string_view name, Library library,
                        const Value* receiver) {
  const ir::CallShape& shape = program_.Shape(op);
  std::vector<Value> positional;
  std::vector<KeywordArgument> keywords;
  positional.reserve(shape.positional + 1);
  bool has_star = false;
  if (receiver != nullptr) positional.push_back(*receiver);
  for (std::uint32_t i = 0; i < shape.positional; ++i) {
    const ir::ValueId argument = program_.Operand(id, 1 + i);
    if (program_.ops[argument].kind == ir::OpKind::kStarred) {
      const Value& starred = Of(argument);
      if (starred.kind == Kind::kTuple && starred.elements.valid()) {
        for (const Value& element : store_.Get(starred.elements)) positional.push_back(element);
        continue;
      }
      has_star = true;
      break;
    }
    positional.push_back(Of(argument));
  }
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    const ir::ValueId argument = program_.Operand(id, static_cast<std::uint32_t>(1 + shape.positional + i));
    if (shape.keywords[i].valid()) {
      keywords.push_back({impl_.names.Text(shape.keywords[i]), Of(argument)});
    } else {
      has_star = true;
    }
  }
  CallContext context{store_, impl_.names, id, library};
  const Arguments arguments{positional, keywords, has_star};
  std::optional<Value> value = ResultOfCall(context, name, arguments);
  if (value) return *value;
  const api::Entry* entry = api::Find(name);
  if (entry != nullptr && entry->returns == api::Returns::kDevice && entry->status != api::Status::kMissing) {
    EvidenceSet evidence = receiver != nullptr ? receiver->evidence : 0;
    Value array = Array(library, ir::DType::kUnknown, ShapeId::None(), evidence);
    array.root = array.device_root = id;
    return array;
  }
  return Unknown();
}

Value Engine::CallApi(ir::ValueId id, const ir::Op& op, const Value& callee) {
  const std::string_view name = impl_.names.Text(callee.name);
  if (callee.library == Library::kDevice || callee.library == Library::kHost) {
    Value value = ModelCall(id, op, name, callee.library, nullptr);
    if ((name == "numpy.full" || name == "numpy.full_like") && Of(program_.Operand(id, 2)).kind == Kind::kStr) {
      value.dtype = ir::DType::kString;
    }
    value.evidence |= callee.evidence;
    return OfClassOfArguments(id, name, value);
  }
  if (name == "math.floor" || name == "math.ceil") {
    const Value& argument = Of(program_.Operand(id, 1));
    if (argument.constant && IsNumber(argument.kind) && std::abs(argument.number) < 9e15) {
      return Int(store_, static_cast<std::int64_t>(name == "math.floor" ? std::floor(argument.number)
                                                                        : std::ceil(argument.number)));
    }
  }
  if (GivesInt(name)) {
    Value value = IntDim(store_.dims().SymbolOf(NameOrNone(id), id.index()));
    return value;
  }
  if (GivesFloat(name)) {
    const Value& argument = Of(program_.Operand(id, 1));
    if (name == "math.sqrt" && argument.constant && IsNumber(argument.kind) && argument.number >= 0) {
      return Float(std::sqrt(argument.number));
    }
    return analysis::Of(Kind::kFloat);
  }
  if (callee.library == Library::kCupy || callee.library == Library::kTorch || callee.library == Library::kJax) {
    const bool to_host = name == "cupy.asnumpy";
    if (!to_host) {
      Value array = Array(callee.library, ir::DType::kUnknown, ShapeId::None(), 0);
      array.root = array.device_root = id;
      return array;
    }
    Value host = Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), 0);
    host.root = host.device_root = id;
    return host;
  }
  if (name == "re.split" || name == "shlex.split") return ContainerOf(store_, Kind::kList, analysis::Of(Kind::kStr));
  if (name == "copy.copy" || name == "copy.deepcopy") {
    Value copy = Of(program_.Operand(id, 1));
    copy.root = copy.device_root = id;
    return copy;
  }
  if (name == "typing.cast") {  // gives its second argument, whatever that is
    const Value& value = Of(program_.Operand(id, 2));
    if (value.kind != Kind::kUnknown) return value;
    Value promised = FromAnnotation(impl_, program_.Operand(id, 1));
    if (promised.kind == Kind::kArray) promised.root = promised.device_root = id;
    return promised.kind == Kind::kUnknown ? value : promised;
  }
  if (name == "functools.partial") {
    const Value& function = Of(program_.Operand(id, 1));
    return function.kind == Kind::kApi ? function : Unknown();
  }
  if (name == "itertools.product" || name == "itertools.combinations" || name == "itertools.permutations")
    return Combined(id, op, name);
  if (name == "functools.reduce") {  // of arrays by a function of the array library: an array
    const Value& function = Of(program_.Operand(id, 1));
    const Value item = ItemOf(id, Of(program_.Operand(id, 2)));
    if (function.kind != Kind::kApi || function.library != Library::kDevice || item.kind != Kind::kArray)
      return Unknown();
    Value array = Array(Library::kDevice, ir::DType::kUnknown, ShapeId::None(), item.evidence);
    array.root = array.device_root = id;
    return array;
  }
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
  if (name == "collections.defaultdict" || name == "collections.OrderedDict") {
    Value dict = analysis::Of(Kind::kDict);
    dict.root = id;
    if (const auto later = impl_.items.find(id); later != impl_.items.end()) dict.item = store_.Intern({later->second});
    return dict;
  }
  if (IsWorkerLibrary(name)) {
    Value value = analysis::Of(Kind::kForeign);
    value.name = callee.name;
    return value;
  }
  if (IsForeignLibrary(name)) {
    PassToCallbacks(op, name);
    if (GivesOneArray(name)) {
      Value array = Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), 0);
      array.root = array.device_root = id;
      return array;
    }
    if (const HostParts given = HostPartsGiven(impl_.names, name, program_.Shape(op)); given.arrays != 0) {
      std::vector parts(given.arrays, Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), 0));
      parts.resize(given.arrays + given.numbers, analysis::Of(Kind::kInt));
      return Tuple(store_, std::move(parts));
    }
    Value value = analysis::Of(Kind::kForeign);
    value.name = callee.name;
    // A progress bar gives the items of what it stands around.
    if (name.ends_with("trange")) value.item = store_.Intern({analysis::Of(Kind::kInt)});
    if (name.ends_with("tqdm") && program_.Shape(op).positional > 0) {
      const Value item = ItemOf(id, Of(program_.Operand(id, 1)));
      if (item.kind != Kind::kUnknown && item.kind != Kind::kBottom) value.item = store_.Intern({item});
    }
    return value;
  }
  return NamedInt(NameOrNone(id), id);
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
      items.push_back(ItemOf(id, Of(argument)));
    }
    if (!shape.keywords.empty()) {
      const Value& times = Of(program_.Operand(id, 1 + shape.positional));
      if (times.kind != Kind::kInt || !times.constant) return analysis::Of(Kind::kIterator);
      repeat = static_cast<std::int64_t>(times.number);
    }
  } else {
    const Value& length = Of(program_.Operand(id, 2));
    if (length.kind != Kind::kInt || !length.constant) return analysis::Of(Kind::kIterator);
    items.push_back(ItemOf(id, Of(program_.Operand(id, 1))));
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

bool Engine::IsSuper(ir::ValueId id) const {
  if (!id.valid() || program_.ops[id].kind != ir::OpKind::kCall) return false;
  const Value& callee = Of(program_.Operand(id, 0));
  return callee.kind == Kind::kBuiltin && impl_.names.Text(callee.name) == "super";
}

// super(): the object, seen as one of the first analysed base of the class around the call.
Value Engine::SuperValue(ir::ValueId id) {
  for (ir::FunctionId at = program_.FunctionOf(id); at.valid(); at = program_.functions[at].parent) {
    const ir::ClassId owner = program_.functions[at].owner;
    if (!owner.valid() || program_.functions[at].kind != ir::Function::Kind::kDef) continue;
    if (impl_.bases[owner].empty()) return Unknown();
    return ObjectOf(impl_.bases[owner].front(), id);
  }
  return Unknown();
}

Value Engine::CallMethod(ir::ValueId id, const ir::Op& op, const Value& callee) {
  const std::string_view method = impl_.names.Text(callee.name);
  if (callee.function.valid()) {
    const Value& self = Of(callee.receiver);
    // `Base.step(self, x)` names its function and its object; so does super().
    if (self.kind == Kind::kClass && !impl_.functions[callee.function].is_classmethod) {
      return CallLocal(id, op, callee.function, nullptr);
    }
    if (IsSuper(callee.receiver)) return CallLocal(id, op, callee.function, &self);
    // The object may be of a derived class that overrides the method.
    Value result;
    const std::vector<ir::FunctionId>& methods = MethodsMeant(callee.class_id, callee.name);
    for (const ir::FunctionId function : methods) {
      const Value returned = CallLocal(id, op, function, impl_.functions[function].is_static ? nullptr : &self);
      if (impl_.functions[function].abstract && methods.size() > 1) continue;  // whoever is called overrides it
      result = JoinOptional(store_, result, returned);
    }
    return result;
  }
  const Value& receiver = Of(callee.receiver);
  if (receiver.kind == Kind::kArray || receiver.kind == Kind::kNumpyScalar) {
    if (receiver.library == Library::kDevice || receiver.library == Library::kHost) {
      Value value = ModelCall(id, op, "numpy.ndarray." + std::string(method), receiver.library, &receiver);
      const Value& type = Of(program_.Operand(id, 1));
      const bool cast =
          method == "view" && type.kind == Kind::kClass && array_libraries_[type.class_id] != Library::kNone;
      if (cast) value = receiver;  // the same storage, under another class
      if (value.kind == Kind::kArray) value.class_id = cast ? type.class_id : receiver.class_id;
      return value;
    }
    if (receiver.library == Library::kCupy && method == "get") {
      Value host = Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), 0);
      host.root = host.device_root = id;
      return host;
    }
    if (method == "item" || method == "tolist") return Unknown();
    Value same = Array(receiver.library, ir::DType::kUnknown, ShapeId::None(), receiver.evidence);
    same.root = same.device_root = id;
    return same;
  }
  if (receiver.kind == Kind::kGeneratorRng) {
    return ModelCall(id, op, "numpy.random.Generator." + std::string(method), receiver.library, nullptr);
  }
  return CallContainerMethod(id, receiver, method);
}

Value Engine::CallContainerMethod(ir::ValueId id, const Value& receiver, std::string_view method) {
  const ir::ValueId first = program_.Operand(id, 1);
  switch (receiver.kind) {
    case Kind::kList:
      if ((method == "append" || method == "appendleft") && first.valid()) GrowItem(receiver.root, Of(first));
      if (method == "insert") GrowItem(receiver.root, Of(program_.Operand(id, 2)));
      if (method == "extend" && first.valid()) GrowItem(receiver.root, ItemOf(id, Of(first)));
      if (method == "pop" || method == "popleft") return ItemOf(id, receiver);
      if (method == "copy") return receiver;
      if (method == "index" || method == "count") return analysis::Of(Kind::kInt);
      return analysis::Of(Kind::kNone);
    case Kind::kDict:
      if (method == "setdefault") {
        GrowItem(receiver.root, Of(program_.Operand(id, 2)));
        GrowKey(receiver.root, Symbol::None(), Of(program_.Operand(id, 2)));
      }
      if (method == "get" || method == "pop" || method == "setdefault") {
        Value item = receiver.item.valid() ? ItemOf(id, receiver) : Unknown();
        if (item.kind == Kind::kUnknown) item.dim = store_.dims().SymbolOf(NameOrNone(id), id.index());
        return item;
      }
      if (method == "values" || method == "items") {
        Value value = analysis::Of(Kind::kIterator);
        const Value item = receiver.item.valid() ? ItemOf(id, receiver) : Unknown();
        value.item = store_.Intern({method == "values" ? item : Tuple(store_, {Unknown(), item})});
        return value;
      }
      if (method == "update" && first.valid()) {
        const Value more = Of(first).kind == Kind::kDict ? ItemOf(id, Of(first)) : Unknown();
        if (more.kind != Kind::kBottom) {
          GrowItem(receiver.root, more);
          GrowKey(receiver.root, Symbol::None(), more);
        }
        return analysis::Of(Kind::kNone);
      }
      if (method == "copy") return receiver;
      return Unknown();
    case Kind::kStr:
      if (method == "split" || method == "splitlines" || method == "rsplit")
        return ContainerOf(store_, Kind::kList, analysis::Of(Kind::kStr));
      if (method.starts_with("is") || method == "startswith" || method == "endswith") return analysis::Of(Kind::kBool);
      if (method == "find" || method == "count" || method == "index") return analysis::Of(Kind::kInt);
      if (method == "encode") return analysis::Of(Kind::kBytes);
      return analysis::Of(Kind::kStr);
    case Kind::kInt:
    case Kind::kFloat:
      if (method == "is_integer") return analysis::Of(Kind::kBool);
      return Unknown();
    default: break;
  }
  return Unknown();
}

Value Engine::CallLocal(ir::ValueId id, const ir::Op& op, ir::FunctionId function_id, const Value* self) {
  const ir::Function& function = program_.functions[function_id];
  const FunctionFact& fact = impl_.functions[function_id];
  const std::size_t site = SiteOf(function_id, id);
  const ir::CallShape& shape = program_.Shape(op);
  const std::size_t first = self != nullptr ? 1 : 0;
  std::vector<bool> given(function.params.size(), false);
  if (first == 1 && !given.empty()) given[0] = true;
  bool has_star = false;
  std::size_t position = first;
  std::vector<ir::ValueId> arguments(function.params.size());  // where the call says it
  for (std::uint32_t i = 0; i < shape.positional; ++i) {
    const ir::ValueId argument = program_.Operand(id, 1 + i);
    if (program_.ops[argument].kind == ir::OpKind::kStarred) {
      has_star = true;
      break;
    }
    if (position >= function.params.size()) break;
    const ir::ParamKind kind = function.params[position].kind;
    if (kind != ir::ParamKind::kPositional && kind != ir::ParamKind::kPositionalOnly) break;
    Pass(function_id, position, Of(argument), site);
    arguments[position] = argument;
    given[position++] = true;
  }
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    if (!shape.keywords[i].valid()) {
      has_star = true;
      continue;
    }
    const ir::ValueId argument = program_.Operand(id, static_cast<std::uint32_t>(1 + shape.positional + i));
    const Value& value = Of(argument);
    for (std::size_t p = 0; p < function.params.size(); ++p) {
      if (function.params[p].name != shape.keywords[i] || function.params[p].kind == ir::ParamKind::kVarKeyword)
        continue;
      Pass(function_id, p, value, site);
      arguments[p] = argument;
      given[p] = true;
    }
  }
  for (std::size_t p = 0; p < function.params.size(); ++p) {
    if (given[p]) continue;
    if (has_star) {
      Pass(function_id, p, Unknown(), site);
    } else if (function.params[p].default_value.valid()) {
      Pass(function_id, p, Of(function.params[p].default_value), site);
      arguments[p] = function.params[p].default_value;
    }
  }
  if (fact.compiled) return Unknown();
  if (function.is_generator) {
    const Value& yielded = Returned(function_id);
    if (yielded.kind == Kind::kBottom) return analysis::Of(Kind::kGenerator);
    return ContainerOf(store_, Kind::kGenerator, yielded);
  }
  Value value = ReturnedTo(function_id, arguments);
  // This call is among the known ones: that there may be others casts no doubt on its result.
  value.evidence = static_cast<EvidenceSet>(value.evidence & ~kCalledWith);
  if (self != nullptr && self->kind == Kind::kArray) value.evidence |= self->evidence;
  if (value.kind == Kind::kArray) {
    // The callee's own storage is this call's: each call has its own.
    const ir::ValueId root = value.root;
    if (!root.valid() || program_.FunctionOf(root) == function_id) {
      if (!root.valid() || program_.ops[root].kind != ir::OpKind::kParam) {
        value.root = value.device_root = id;
      } else {
        for (std::size_t p = 0; p < function.params.size(); ++p) {
          if (function.params[p].value != root) continue;
          const Value& passed = p < first ? *self : Of(arguments[p]);
          value.root = passed.kind == Kind::kArray ? passed.root : id;
          value.device_root = passed.kind == Kind::kArray ? passed.device_root : id;
        }
      }
    }
  }
  if (value.kind == Kind::kUnknown && !value.dim.valid()) value.dim = store_.dims().SymbolOf(function.name, id.index());
  return value;
}

// What a call of the function gives: what is returned, and where that is not known what annotation and docstring
// promise.
Value Engine::ReturnedOf(ir::FunctionId function) {
  const FunctionFact& fact = impl_.functions[function];
  const Value& returned = Returned(function);
  if (returned.kind == Kind::kBottom && !fact.abstract) return returned;
  const bool settled = returned.kind != Kind::kUnknown && returned.kind != Kind::kTuple &&
                       ConfidenceOf(returned.evidence) != Confidence::kPossible;
  if (settled && !fact.abstract) return returned;
  if (ReturnsField(function)) return returned;
  return Fulfilled(fact.abstract ? Unknown() : returned, PromiseOf(function));
}

const Value& Engine::PromiseOf(ir::FunctionId function) {
  Flow& flow = flows_[function];
  if (!std::exchange(flow.promise_known, true)) flow.promised = impl_.values.Keep(PromisedResult(impl_, function));
  return Kept(flow.promised);
}

Value Engine::Fulfilled(const Value& known, const Value& promised) {
  if (known.kind == Kind::kUnknown) {
    if (promised.kind != Kind::kUnknown) return promised;
    return known;
  }
  Value value = known;
  if (known.kind == Kind::kArray && promised.kind == Kind::kArray) {
    if (ConfidenceOf(known.evidence) < ConfidenceOf(promised.evidence)) value.evidence = promised.evidence;
    return value;
  }
  if (known.kind != Kind::kTuple || promised.kind != Kind::kTuple || !known.elements.valid() ||
      !promised.elements.valid()) {
    return known;
  }
  std::vector<Value> elements = store_.Get(known.elements);
  const std::vector<Value> promises = store_.Get(promised.elements);
  if (elements.size() != promises.size()) return known;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Value& promise = promises[i];
    if (elements[i].kind == Kind::kUnknown && promise.kind != Kind::kUnknown) elements[i] = promise;
    if (elements[i].kind == Kind::kArray && promise.kind == Kind::kArray &&
        ConfidenceOf(elements[i].evidence) < ConfidenceOf(promise.evidence)) {
      elements[i].evidence = promise.evidence;
    }
  }
  value.elements = store_.Intern(elements);
  if (value.item.valid()) value.item = ElementsId::None();
  return value;
}

// What calling one of the methods of that name gives: an operator or a subscript of an object of ours, which passes
// `argument`.
std::optional<Value> Engine::CallSpecial(ir::ValueId id, const Value& object, std::string_view name,
                                         const Value& argument) {
  const std::vector<ir::FunctionId>& methods = MethodsMeant(object.class_id, impl_.names.Intern(name));
  if (methods.empty()) return std::nullopt;
  Value result;
  for (const ir::FunctionId method : methods) {
    const std::size_t site = SiteOf(method, id);
    if (program_.functions[method].params.size() > 1) Pass(method, 1, argument, site);
    if (impl_.functions[method].compiled || program_.functions[method].is_generator) return Unknown();
    if (impl_.functions[method].abstract && methods.size() > 1) continue;
    result = JoinOptional(store_, result, ReturnedOf(method));
  }
  result.evidence = static_cast<EvidenceSet>(result.evidence & ~kCalledWith);
  if (result.kind == Kind::kArray &&
      (!result.root.valid() || program_.FunctionOf(result.root) != program_.FunctionOf(id)))
    result.root = result.device_root = id;
  return result;
}

Value Engine::CallClass(ir::ValueId id, const ir::Op& op, ir::ClassId class_id) {
  if (array_libraries_[class_id] != Library::kNone) return CallArrayClass(id, op, class_id);
  const Value instance = ObjectOf(class_id, id);
  const ir::FunctionId init = FindMethod(impl_, class_id, impl_.names.Intern("__init__"));
  if (init.valid()) (void)CallLocal(id, op, init, &instance);
  return instance;
}

// --- functions as a whole: compiled elsewhere, decorators ---

ir::ValueId DecoratorName(const Facts::Impl& impl, ir::ValueId decorator) {
  // A decorated function that is used as a decorator stands for itself.
  while (decorator.valid() && impl.program.ops[decorator].kind == ir::OpKind::kCall &&
         !IsDecoration(impl.program, decorator)) {
    decorator = impl.program.Operand(decorator, 0);
  }
  return decorator;
}

namespace {

// The dotted name that a decorator spells, from imports alone: numba.njit, cython.cfunc; builtins by their name.
std::string SpelledName(const Facts::Impl& impl, ir::ValueId id) {
  std::vector<std::string_view> parts;
  for (int depth = 0; depth < 16 && id.valid(); ++depth) {
    const ir::Op& op = impl.program.ops[id];
    if (op.kind == ir::OpKind::kAttr) {
      parts.push_back(impl.program.Name(op));
      id = impl.program.Operand(id, 0);
      continue;
    }
    if (op.kind == ir::OpKind::kImport) {
      const ir::ImportRecord& record = impl.program.imports[op.payload];
      const std::string_view imported = record.name.valid() ? impl.names.Text(record.name) : std::string_view();
      // A module of the program that hands on `jit`: `from .utils import jit`.
      if (record.level != 0 && parts.empty() && (imported == "jit" || imported == "njit")) return ".jit";
    }
    if (const ir::ValueId next = NextHop(impl, id, Several::kFirst); next.valid()) {
      id = next;
      continue;
    }
    std::string name;
    if (op.kind == ir::OpKind::kLoadCell) return {};
    if (op.kind == ir::OpKind::kBuiltin) name = impl.program.Name(op);
    if (op.kind == ir::OpKind::kImport) {
      const ir::ImportRecord& record = impl.program.imports[op.payload];
      if (record.target.valid() && record.name.valid()) return {};  // of the program, and defined nowhere
      name = record.level != 0 ? "." : "";
      name += impl.names.Text(record.module);
      if (record.root_only) name.resize(std::min(name.find('.'), name.size()));
      if (record.name.valid()) name.append(".").append(impl.names.Text(record.name));
    }
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) name.append(".").append(*part);
    return name;
  }
  return {};
}

}  // namespace

namespace {

bool IsCompiler(std::string_view name) {
  // A module of the program that hands on `jit`: `from .utils import jit`.
  if (name.ends_with(".jit") || name.ends_with(".njit")) return true;
  return std::any_of(kCompilers.begin(), kCompilers.end(),
                     [&](std::string_view compiler) { return StartsWithModule(name, compiler); });
}

bool CallsCompiler(const Facts::Impl& impl, ir::FunctionId factory) {
  const ir::Module& module = impl.program.modules[impl.program.functions[factory].module];
  for (std::size_t i = factory.index(); i < module.end_function.index(); ++i) {
    const ir::Function& function = impl.program.functions[ir::FunctionId(i)];
    if (ir::FunctionId(i) != factory && function.parent != factory) continue;
    for (const ir::ValueId call : function.calls) {
      if (IsCompiler(SpelledName(impl, impl.program.Operand(call, 0)))) return true;
    }
  }
  return false;
}

// Functions at the top of the module that a comment exports to a compiler.
void SeeExports(Facts::Impl& impl, const ir::Module& module, const std::vector<std::string>& names) {
  for (std::size_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
    const ir::Function& function = impl.program.functions[ir::FunctionId(i)];
    if (function.parent != module.body || function.kind != ir::Function::Kind::kDef) continue;
    if (std::find(names.begin(), names.end(), impl.names.Text(function.name)) != names.end())
      impl.functions[ir::FunctionId(i)].compiled = true;
  }
}

// `@self.compile`: a method of that name, of the class whose method defines the function.
ir::FunctionId MethodNamed(const Facts::Impl& impl, ir::ValueId decorator) {
  const ir::ValueId object = impl.program.Operand(decorator, 0);
  if (!object.valid() || impl.program.ops[object].kind != ir::OpKind::kParam) return {};
  const ir::Function& around = impl.program.functions[impl.program.FunctionOf(object)];
  if (!around.owner.valid() || around.params.empty() || around.params[0].value != object) return {};
  for (const ir::FunctionId method : impl.program.classes[around.owner].methods) {
    if (impl.program.functions[method].name == impl.program.SymbolOf(impl.program.ops[decorator])) return method;
  }
  return {};
}

// A decorator of the program's own that hands its function to a compiler: `def fast(f): return numba.njit(f)`.
bool HandsToCompiler(const Facts::Impl& impl, ir::ValueId decorator) {
  if (decorator.valid() && impl.program.ops[decorator].kind == ir::OpKind::kAttr) {
    const ir::FunctionId method = MethodNamed(impl, decorator);
    if (method.valid()) return CallsCompiler(impl, method);
  }
  decorator = DefinitionOf(impl, decorator);
  if (!decorator.valid() || impl.program.ops[decorator].kind != ir::OpKind::kMakeFunction) return false;
  return CallsCompiler(impl, ir::FunctionId(impl.program.ops[decorator].payload));
}

// Loops over numba.prange only make sense in a compiled body.
bool CallsPrange(const Facts::Impl& impl, const ir::Function& function) {
  return std::any_of(function.calls.begin(), function.calls.end(), [&](ir::ValueId call) {
    return SpelledName(impl, impl.program.Operand(call, 0)) == "numba.prange";
  });
}

// The body of a method that others override: a docstring, `pass`, `...` or `raise NotImplementedError`.
bool DoesNothing(const ir::Program& program, const ir::Function& function) {
  if (function.kind != ir::Function::Kind::kDef || function.is_generator || function.blocks.size() > 2) return false;
  for (const ir::BlockId block : function.blocks) {
    for (const ir::ValueId id : program.blocks[block].ops) {
      switch (program.ops[id].kind) {
        case ir::OpKind::kReturn:
          if (program.Operand(id, 0).valid()) return false;
          break;
        case ir::OpKind::kRaise: {
          ir::ValueId raised = program.Operand(id, 0);
          if (raised.valid() && program.ops[raised].kind == ir::OpKind::kCall) raised = program.Operand(raised, 0);
          if (!raised.valid() || program.ops[raised].kind != ir::OpKind::kBuiltin ||
              program.Name(program.ops[raised]) != "NotImplementedError") {
            return false;
          }
          break;
        }
        case ir::OpKind::kParam:
        case ir::OpKind::kBuiltin:
        case ir::OpKind::kCall:  // of the exception
        case ir::OpKind::kStr:
        case ir::OpKind::kFormatString:
        case ir::OpKind::kAttr:
        case ir::OpKind::kEllipsis:
        case ir::OpKind::kUnreachable: break;
        default: return false;
      }
    }
  }
  // A call is only that of the exception.
  return function.calls.size() <= 1 && (function.calls.empty() || function.returns.empty());
}

}  // namespace

void SeeDecorators(Facts::Impl& impl) {
  for (const ir::Module& module : impl.program.modules) {
    for (const ir::Pragma& pragma : module.pragmas) {
      if (pragma.kind == ir::Pragma::Kind::kCompiled) SeeExports(impl, module, pragma.codes);
    }
  }
  const bool has_numba = ImportsPackage(impl, "numba");
  for (std::size_t i = 0; i < impl.program.functions.size(); ++i) {
    const ir::Function& function = impl.program.functions[ir::FunctionId(i)];
    FunctionFact& fact = impl.functions[ir::FunctionId(i)];
    for (const ir::ValueId decorator : function.decorators) {
      ir::ValueId id = decorator;
      // A Call op that applies the decorator names it by its callee.
      std::string name = SpelledName(impl, DecoratorName(impl, id));
      // `@partial(jax.jit, static_argnums=0)`
      if (name == "functools.partial" && impl.program.ops[id].kind == ir::OpKind::kCall)
        name = SpelledName(impl, impl.program.Operand(id, 1));
      if (name == "property" || name == "functools.cached_property" || name == "cached_property")
        fact.is_property = true;
      if (name == "staticmethod") fact.is_static = true;
      if (name == "classmethod") fact.is_classmethod = true;
      if (IsCompiler(name) || HandsToCompiler(impl, DecoratorName(impl, id))) fact.compiled = true;
      if (name == "cupy.fuse" || name.starts_with("cupy.RawKernel")) fact.compiled = true;
    }
    if (has_numba && CallsPrange(impl, function)) fact.compiled = true;
    if (impl.names.Text(function.name) == "__new__") fact.is_static = true;
    fact.abstract = function.owner.valid() && DoesNothing(impl.program, function);
    // What a compiled function defines inside is compiled with it.
    if (function.parent.valid() && impl.functions[function.parent].compiled) fact.compiled = true;
  }
}

}  // namespace cpnlint::analysis
