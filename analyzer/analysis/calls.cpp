// What one call gives, and what it tells the function it calls.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "analyzer/analysis/attribute_bags.h"
#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/compiled_functions.h"
#include "analyzer/analysis/compiled_results.h"
#include "analyzer/analysis/dict_keys.h"
#include "analyzer/analysis/drivers.h"
#include "analyzer/analysis/either_objects.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/foreign_results.h"
#include "analyzer/analysis/given_numbers.h"
#include "analyzer/analysis/loaded_data.h"
#include "analyzer/analysis/loaded_files.h"
#include "analyzer/analysis/object_items.h"
#include "analyzer/analysis/packed_arguments.h"
#include "analyzer/analysis/progress_bars.h"
#include "analyzer/analysis/text_arrays.h"
#include "analyzer/analysis/whole_sizes.h"
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

// One array, with the shape and type of the first argument where the function keeps them.
Value OneHostArray(const Facts::Impl& impl, ir::ValueId call, std::string_view name, Kept kept, const Value& first) {
  Value host = HostArray(call);
  if (first.kind != Kind::kArray || first.unbounded || kept == Kept::kNothing) return host;
  host.shape = first.shape;
  const ir::CallShape& shape = impl.program.Shape(impl.program.ops[call]);
  const std::uint32_t before_output = name == "scipy.ndimage.laplace" ? 1 : 2;
  const bool typed = shape.positional > before_output || std::ranges::any_of(shape.keywords, [&](Symbol keyword) {
                       return !keyword.valid() || impl.names.Text(keyword) == "output";
                     });
  if (kept == Kept::kShapeAndType && !typed) host.dtype = first.dtype;
  return host;
}

// `tensor.numpy()`, `frame.to_numpy()`: other libraries' objects as arrays of the host, unless a class of the program
// has a method of that name.
bool GivesHostCopy(const Facts::Impl& impl, Symbol method) {
  constexpr auto kConversions = std::to_array<std::string_view>({"asnumpy", "numpy", "to_numpy"});
  if (std::ranges::find(kConversions, impl.names.Text(method)) == kConversions.end()) return false;
  const auto& functions = impl.program.functions;
  return std::none_of(functions.begin(), functions.end(),
                      [&](const ir::Function& function) { return function.name == method && function.owner.valid(); });
}

// What the call is given under `key`; None() without one.
ir::ValueId KeyOf(const Facts::Impl& impl, ir::ValueId call) {
  const ir::CallShape& shape = impl.program.Shape(impl.program.ops[call]);
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    if (shape.keywords[i].valid() && impl.names.Text(shape.keywords[i]) == "key")
      return impl.program.Operand(call, static_cast<std::uint32_t>(1 + shape.positional + i));
  }
  return {};
}

// What `sorted`, `min`, `max` or `list.sort` compares by a key; None() for other calls.
ir::ValueId SortedByKey(const Facts::Impl& impl, ir::ValueId call) {
  const Value& callee = impl.Of(impl.program.Operand(call, 0));
  if ((callee.kind != Kind::kBuiltin && callee.kind != Kind::kMethod) || !KeyOf(impl, call).valid()) return {};
  const std::string_view name = impl.names.Text(callee.name);
  if (callee.kind == Kind::kMethod)
    return name == "sort" && impl.Of(callee.receiver).kind == Kind::kList ? callee.receiver : ir::ValueId::None();
  const bool one = impl.program.Shape(impl.program.ops[call]).positional == 1;
  return one && (name == "sorted" || name == "min" || name == "max") ? impl.program.Operand(call, 1)
                                                                     : ir::ValueId::None();
}

// A decorator that only takes note of what it decorates: it returns its parameter.
bool OnlyTakesNote(const ir::Program& program, ir::FunctionId decorator, std::size_t param) {
  const ir::Function& function = program.functions[decorator];
  if (function.params.size() <= param || function.returns.empty() || function.is_generator) return false;
  const ir::ValueId decorated = function.params[param].value;
  return std::all_of(function.returns.begin(), function.returns.end(), [&](ir::ValueId leave) {
    const ir::ValueId returned = program.Operand(leave, 0);
    if (returned == decorated) return true;
    if (!returned.valid() || program.ops[returned].kind != ir::OpKind::kLoadCell) return false;
    const ir::Cell& cell = program.cells[ir::CellId(program.ops[returned].payload)];
    return cell.stores.size() == 1 && program.Operand(cell.stores[0], 0) == decorated;
  });
}

// A list or the like of unknown things.
bool HoldsUnknown(const ValueStore& store, const Value& value) {
  if ((value.kind != Kind::kList && value.kind != Kind::kSet) || value.elements.valid()) return false;
  return !value.item.valid() || store.Get(value.item).front().kind == Kind::kUnknown;
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
  // An empty list that is handed to who knows whom is there to be filled: `heappush(queue, x)`, `dict(starts=[])`.
  const bool foreign =
      callee.kind == Kind::kForeign || (callee.kind == Kind::kApi && callee.library == Library::kOther);
  const bool may_fill = foreign || callee.kind == Kind::kUnknown ||
                        (callee.kind == Kind::kBuiltin && impl_.names.Text(callee.name) == "dict");
  for (std::uint32_t i = 1; may_fill && i < op.operand_count; ++i) {
    const ir::ValueId list = Of(program_.Operand(id, i)).root;
    const bool empty = list.valid() && program_.ops[list].kind == ir::OpKind::kList && program_.Operands(list).empty();
    if (empty) GrowItem(list, {});
  }
  // A decorator on a def: what the name is bound to afterwards.
  if ((op.flags & ir::kSynthetic) != 0 && op.operand_count == 2) {
    const Value& decorated = Of(program_.Operand(id, 1));
    if ((decorated.kind == Kind::kFunction && decorated.function.valid()) || decorated.kind == Kind::kClass) {
      const std::string_view name = impl_.names.Text(callee.name);
      const bool named = callee.kind == Kind::kBuiltin || callee.kind == Kind::kApi || callee.kind == Kind::kForeign;
      // `@register`: the table that it is put into hands it on.
      const bool local = callee.kind == Kind::kFunction || callee.kind == Kind::kMethod;
      if (local && callee.function.valid()) {
        const bool bound = callee.kind == Kind::kMethod && !impl_.functions[callee.function].is_static;
        if (OnlyTakesNote(program_, callee.function, bound ? 1 : 0)) {
          (void)(callee.kind == Kind::kMethod ? CallMethod(id, op, callee)
                                              : CallLocal(id, op, callee.function, nullptr));
          return Of(program_.Operand(id, 1));
        }
      }
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
  // `max(pop, key=fitness)`, `pop.sort(key=self.fitness)`: the function gets each item.
  if (const ir::ValueId items = SortedByKey(impl_, id); items.valid()) {
    const Value key = Of(KeyOf(impl_, id));
    const bool method = key.kind == Kind::kMethod && key.receiver.valid() && Of(key.receiver).kind == Kind::kInstance;
    if (key.function.valid() && (key.kind == Kind::kFunction || method)) {
      const bool bound = method && !impl_.functions[key.function].is_static;
      const std::size_t site = SiteOf(key.function, id);
      std::vector<Value> arguments = {ItemWalked(id, Of(items))};
      if (bound) arguments.insert(arguments.begin(), Of(key.receiver));
      arguments = ByParameter(store_, program_.functions[key.function], 0, std::move(arguments));
      for (std::size_t i = 0; i < arguments.size(); ++i) Pass(key.function, i, arguments[i], site);
    }
  }
  if (std::optional<Value> given = NamespaceGiven(id)) return *given;
  if (std::optional<Value> loaded = LibraryLoaded(id)) return *loaded;
  switch (callee.kind) {
    case Kind::kApi:
    case Kind::kDType: return CallApi(id, op, callee);
    case Kind::kMethod: return CallMethod(id, op, callee);
    case Kind::kFunction: {
      if (callee.function.valid()) return CallLocal(id, op, callee.function, nullptr);
      if (!callee.elements.valid()) return Unknown();
      Value result;
      const std::vector<Value> functions = store_.Get(callee.elements);
      for (const Value& one : functions) {
        const bool own = one.kind == Kind::kFunction;
        const Value given = own                      ? CallLocal(id, op, one.function, nullptr)
                            : one.kind == Kind::kApi ? CallApi(id, op, one)
                                                     : CallMethod(id, op, one);
        result = own ? JoinOptional(store_, result, given) : JoinEither(store_, result, given);
      }
      return result;
    }
    case Kind::kClass: {
      const bool or_derived = callee.receiver.valid() && impl_.heirs[callee.class_id].size() > 1;
      return or_derived ? ObjectOf(callee.class_id, id) : CallClass(id, op, callee.class_id);
    }
    case Kind::kBuiltin: return CallBuiltin(id, op, impl_.names.Text(callee.name));
    case Kind::kForeign: {
      if (callee.receiver.valid()) return CallMade(id, op, callee);
      const std::string_view name = impl_.names.Text(callee.name);
      // What a test found to be sparse and is an array elsewhere: of whichever library this one is.
      if (name == "scipy.sparse.spmatrix.toarray" || name == "scipy.sparse.spmatrix.todense")
        return NamedInt(NameOrNone(id), id);
      if (name.ends_with(".tolist") || name.ends_with(".to_list")) return ContainerOf(store_, Kind::kList, Unknown());
      Value value = callee;
      // What an object of a library gives when it is called is another thing than the object.
      if (IsObjectClass(name)) value.name = impl_.names.Intern(std::string(name) + ".__call__");
      return value;
    }
    case Kind::kInstance: {
      const ir::FunctionId call = FindMethod(impl_, callee.class_id, impl_.names.Intern("__call__"));
      return call.valid() ? CallLocal(id, op, call, &callee) : Unknown();
    }
    case Kind::kUnknown: {
      if (!IsEither(callee)) break;
      Value result;
      bool any = false;
      for (const Value& one : AlternativesAt(impl_, here_, program_.Operand(id, 0), callee)) {
        const bool object = one.kind == Kind::kInstance;
        const ir::FunctionId call =
            object ? FindMethod(impl_, one.class_id, impl_.names.Intern("__call__")) : ir::FunctionId::None();
        if (object && !call.valid() && !MayHaveOthers(impl_, one.class_id)) continue;  // it is none that is called
        if (object && !call.valid()) return Unknown();
        any = true;
        const Value given = object ? CallLocal(id, op, call, &one) : CallClass(id, op, one.class_id);
        result = JoinEither(store_, result, given);
      }
      return any ? result : Unknown();
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
    if (GivesHostCopy(impl_, program_.SymbolOf(program_.ops[called]))) return HostArray(id);
    if (std::optional<Value> options = ParsedOptions(id, method)) return *options;
  }
  // `particle._replace(pos=x)` of a NamedTuple
  if (callee.kind == Kind::kUnknown && called.valid() && program_.ops[called].kind == ir::OpKind::kAttr &&
      program_.Name(program_.ops[called]) == "_replace" && Of(program_.Operand(called, 0)).kind == Kind::kInstance) {
    const Value& object = Of(program_.Operand(called, 0));
    StoreFields(id, op, object.class_id, Fields::kNamed);
    return object;
  }
  if (callee.kind == Kind::kUnknown && called.valid()) {
    if (Value value = BehindDecorator(id); value.kind == Kind::kForeign) return value;
    if (std::optional<Value> given = CompiledResult(impl_, id)) return *given;
  }
  return LoadedAs(callee, NamedInt(NameLookedUp(id), id));
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
  // `np.clip(u, settings["low"], settings["high"])`
  const bool takes_numbers = IsOneOf(WithoutNamespace(name), {"clip", "where"}) || api::IsUfunc(name);
  const auto is_many = [&](const Value& one) { return one.kind == Kind::kArray && Rank(store_, one) != 0; };
  if (takes_numbers && std::ranges::any_of(positional, is_many)) {
    for (Value& one : positional) one = AsOperand(one);
  }
  if (TakesShapeFirst(name) && !positional.empty() && positional[0].kind == Kind::kUnknown &&
      positional[0].dim.valid() && IsCountedTo(impl_, program_.Operand(id, 1)))
    positional[0] = IntDim(positional[0].dim);
  return ModelResult(id, name, library, {positional, keywords, has_star}, receiver);
}

Value Engine::ModelResult(ir::ValueId id, std::string_view name, Library library, const Arguments& arguments,
                          const Value* receiver) {
  CallContext context{store_, impl_.names, id, library};
  if (std::optional<Value> value = ResultOfCall(context, name, arguments)) return *value;
  const api::Entry* entry = api::Find(name);
  const bool gives = entry != nullptr && entry->returns == api::Returns::kDevice;
  if (!gives || entry->status == api::Status::kMissing) return Unknown();
  Value array = Array(library, ir::DType::kUnknown, ShapeId::None(), receiver != nullptr ? receiver->evidence : 0);
  array.root = array.device_root = id;
  return array;
}

Value Engine::CallApi(ir::ValueId id, const ir::Op& op, const Value& callee) {
  const std::string_view name = impl_.names.Text(callee.name);
  if (callee.library == Library::kDevice || callee.library == Library::kHost) {
    Value value = name.starts_with("numpy.random.") ? Drawn(id, op, name, name, callee.library)
                                                    : ModelCall(id, op, name, callee.library, nullptr);
    if ((name == "numpy.full" || name == "numpy.full_like") && Of(program_.Operand(id, 2)).kind == Kind::kStr) {
      value.dtype = ir::DType::kString;
    }
    if (name == "numpy.load" && value.kind == Kind::kUnknown && LoadsArray(impl_, id)) {
      value = Array(callee.library, ir::DType::kUnknown, ShapeId::None(), 0);
      value.root = value.device_root = id;
    }
    const bool converts = name == "numpy.array" || name == "numpy.asarray" || name == "numpy.asanyarray";
    if (converts && value.kind == Kind::kArray && value.dtype == ir::DType::kUnknown &&
        HoldsPlainObjects(
            program_, store_, [&](ir::ValueId at) -> const Value& { return impl_.Of(at); },
            Of(program_.Operand(id, 1))))
      value.dtype = ir::DType::kObject;
    value.evidence |= callee.evidence;
    return OfClassOfArguments(id, name, value);
  }
  if (GivesInt(name)) {
    if (const std::optional<double> number = FoldedNumber(id, id))
      return Int(store_, static_cast<std::int64_t>(*number));
    return IntDim(store_.dims().SymbolOf(NameOrNone(id), id.index()));
  }
  if (GivesFloat(name)) {
    const std::optional<double> number = FoldedNumber(id, id);
    return number ? Float(*number) : analysis::Of(Kind::kFloat);
  }
  // Workers, and kernels that are called later: nobody knows what they give.
  if (IsWorkerLibrary(name) || (name.starts_with("cupy.") && name.ends_with("Kernel"))) {
    Value value = analysis::Of(Kind::kForeign);
    value.name = callee.name;
    return value;
  }
  if (callee.library == Library::kCupy || callee.library == Library::kTorch || callee.library == Library::kJax) {
    if (name != "cupy.asnumpy") {
      Value array = Array(callee.library, ir::DType::kUnknown, ShapeId::None(), 0);
      array.root = array.device_root = id;
      return array;
    }
    return HostArray(id);
  }
  if (std::optional<Value> standard = CallStandard(id, op, name)) return *standard;
  if (LoadsData(impl_, id, name)) {
    Value loaded = NamedInt(NameOrNone(id), id);
    if (loaded.kind == Kind::kUnknown) loaded.name = impl_.names.Intern("loaded");
    return loaded;
  }
  if (name == "matplotlib.colors.to_hex" || name == "matplotlib.colors.rgb2hex") return analysis::Of(Kind::kStr);
  if (IsForeignLibrary(name) || CallsRepeatedly(name)) PassToCallbacks(id, name);
  if (IsForeignLibrary(name)) {
    if (const auto kept = KeptInOneArray(name))
      return OneHostArray(impl_, id, name, *kept,
                          program_.Shape(op).positional > 0 ? Of(program_.Operand(id, 1)) : Value());
    if (const HostParts given = HostPartsGiven(impl_.names, name, program_.Shape(op)); given.arrays != 0) {
      std::vector parts(given.arrays, Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), 0));
      if (parts.size() + given.numbers == 1) {
        parts.front().root = parts.front().device_root = id;
        return parts.front();
      }
      parts.resize(given.arrays + given.numbers, analysis::Of(Kind::kInt));
      return Tuple(store_, std::move(parts));
    }
    Value value = analysis::Of(Kind::kForeign);
    value.name = StartsWithModule(name, "matplotlib") ? impl_.names.Intern("matplotlib.artist") : callee.name;
    // A progress bar gives the items of what it stands around.
    if (CountsWithBar(name)) value.item = store_.Intern({analysis::Of(Kind::kInt)});
    if (IsProgressBar(name) && program_.Shape(op).positional > 0) {
      const Value item = ItemOf(id, Of(program_.Operand(id, 1)));
      if (item.kind != Kind::kUnknown && item.kind != Kind::kBottom) value.item = store_.Intern({item});
    }
    return value;
  }
  return NamedInt(NameOrNone(id), id);
}

bool Engine::IsSuper(ir::ValueId id) const {
  if (!id.valid() || program_.ops[id].kind != ir::OpKind::kCall) return false;
  const Value& callee = Of(program_.Operand(id, 0));
  return callee.kind == Kind::kBuiltin && impl_.names.Text(callee.name) == "super";
}

// super(): the object, seen as one of the first analysed base of the class around the call that has the method asked
// for.
Value Engine::SuperValue(ir::ValueId id) {
  const auto users = impl_.UsesOf(id);
  const bool asks = !users.empty() && program_.ops[users.front()].kind == ir::OpKind::kAttr;
  const Symbol method = asks ? program_.SymbolOf(program_.ops[users.front()]) : Symbol::None();
  for (ir::FunctionId at = program_.FunctionOf(id); at.valid(); at = program_.functions[at].parent) {
    const ir::ClassId owner = program_.functions[at].owner;
    if (!owner.valid() || program_.functions[at].kind != ir::Function::Kind::kDef) continue;
    for (const ir::ClassId base : impl_.bases[owner]) {
      if (method.valid() && FindMethod(impl_, base, method).valid()) return ObjectOf(base, id);
    }
    if (impl_.bases[owner].empty()) return Unknown();
    // Not the method of a class that derives from it: that would be the one which asks.
    const ir::ClassId first = impl_.bases[owner].front();
    const bool of_heirs =
        array_libraries_[first] == Library::kNone && method.valid() && !MethodsMeant(first, method).empty();
    return of_heirs ? Unknown() : ObjectOf(first, id);
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
    const bool overridden = AnyHasBody(impl_, methods);
    for (const ir::FunctionId function : methods) {
      const Value returned = CallLocal(id, op, function, impl_.functions[function].is_static ? nullptr : &self);
      if (impl_.functions[function].abstract && overridden) continue;  // whoever is called overrides it
      result = JoinOptional(store_, result, returned);
    }
    return result;
  }
  const Value& receiver = Of(callee.receiver);
  if (receiver.kind == Kind::kArray || receiver.kind == Kind::kNumpyScalar) {
    // `for label in labels: label.split("/")`: an item of an array of texts is a text.
    if (IsTextArray(receiver) && Rank(store_, receiver) == 0 && !NumpyHas("numpy.ndarray." + std::string(method))) {
      Value text = CallContainerMethod(id, analysis::Of(Kind::kStr), method);
      text.evidence |= receiver.evidence;
      return text;
    }
    if (receiver.library == Library::kDevice || receiver.library == Library::kHost) {
      Value value = ModelCall(id, op, "numpy.ndarray." + std::string(method), receiver.library, &receiver);
      // `host.dot(u)` is NumPy's own: it fetches `u`. Only `clip` is a ufunc inside, which asks `u`.
      const bool into = ArgumentNamed(program_, id, "out").valid();
      if (value.kind == Kind::kArray && receiver.library == Library::kHost && method != "clip" && !into)
        value.library = Library::kHost;
      const Value& type = Of(program_.Operand(id, 1));
      const bool cast =
          method == "view" && type.kind == Kind::kClass && array_libraries_[type.class_id] != Library::kNone;
      if (cast) value = receiver;  // the same storage, under another class
      if (value.kind == Kind::kArray) value.class_id = cast ? type.class_id : receiver.class_id;
      return value;
    }
    const bool fetched = (receiver.library == Library::kCupy && method == "get") ||
                         (receiver.library == Library::kTorch && method == "numpy");
    if (fetched) return HostArray(id);
    if (method == "item" || method == "tolist") return Unknown();
    Value same = Array(receiver.library, ir::DType::kUnknown, ShapeId::None(), receiver.evidence);
    same.root = same.device_root = id;
    return same;
  }
  if (receiver.kind == Kind::kGeneratorRng) {
    const std::string name(method);
    Value drawn = Drawn(id, op, "numpy.random.Generator." + name,
                        std::string(impl_.names.Text(receiver.name)) + "." + name, receiver.library);
    drawn.evidence |= receiver.evidence;
    return drawn;
  }
  return CallContainerMethod(id, receiver, method);
}

Value Engine::CallContainerMethod(ir::ValueId id, const Value& receiver, std::string_view method) {
  const ir::ValueId first = program_.Operand(id, 1);
  const auto grow = [&](const Value& item) {
    const ir::ValueId callee = program_.Operand(id, 0);
    if (receiver.root.valid()) return GrowItem(receiver.root, item);
    if (program_.ops[callee].kind == ir::OpKind::kAttr) GrowItemOfAny(program_.Operand(callee, 0), item);
  };
  switch (receiver.kind) {
    case Kind::kList:
      if ((method == "append" || method == "appendleft") && first.valid()) grow(Of(first));
      if (method == "insert") grow(Of(program_.Operand(id, 2)));
      if (method == "extend" && first.valid()) grow(ItemOf(id, Of(first)));
      if (method == "pop" || method == "popleft") return ItemOf(id, receiver);
      if (method == "copy") return receiver;
      if (method == "index" || method == "count") return analysis::Of(Kind::kInt);
      return analysis::Of(Kind::kNone);
    case Kind::kDict:
      if (method == "setdefault") {
        GrowItem(receiver.root, Of(program_.Operand(id, 2)));
        StoreKey(receiver.root, KeptKey(impl_.names, Of(first)), Of(program_.Operand(id, 2)));
      }
      if (method == "get" || method == "pop" || method == "setdefault") {
        Value item = receiver.item.valid() ? ItemOf(id, receiver) : Unknown();
        if (const Symbol key = KeptKey(impl_.names, Of(first)); key.valid()) {
          const Value under = ItemUnder(receiver, key, id);
          if (under.kind != Kind::kBottom) item = under;
          // `options.get("u0", np.zeros(n))` of `**options` that no call hands it over by: the default.
          const Value otherwise = Of(program_.Operand(id, 2));
          if (otherwise.kind == Kind::kArray && IsPacked(program_, receiver.root)) {
            item = under.kind == Kind::kBottom ? otherwise : JoinEither(store_, under, otherwise);
            if (under.kind == Kind::kBottom) item.evidence |= kDefaultValue;
          }
          if (item.kind == Kind::kArray && !item.root.valid()) item.root = item.device_root = id;
        }
        if (item.kind == Kind::kUnknown) item.dim = store_.dims().SymbolOf(NameLookedUp(id), id.index());
        return item;
      }
      if (method == "values" || method == "items" || method == "keys") {
        Value value = analysis::Of(Kind::kIterator);
        const Value item = method != "keys" && receiver.item.valid() ? ItemOf(id, receiver) : Unknown();
        value.item = store_.Intern({method == "items" ? Tuple(store_, {Unknown(), item}) : item});
        value.dim = receiver.dim;
        return value;
      }
      if (method == "update") {
        Update(id, receiver);
        return analysis::Of(Kind::kNone);
      }
      if (method == "copy") return receiver;
      return Unknown();
    case Kind::kBuiltin:
      // Without a value its keys are what it is made for.
      if (impl_.names.Text(receiver.name) == "dict" && method == "fromkeys" && program_.Operand(id, 2).valid()) {
        Value made = ContainerOf(store_, Kind::kDict, WithLater(id, Of(program_.Operand(id, 2))));
        made.root = id;
        return made;
      }
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
  return CallWith(id, ArgumentsOf(id, op, 0), function_id, self);
}

// What the call hands over behind its first `skipped` arguments.
Engine::Handing Engine::ArgumentsOf(ir::ValueId id, const ir::Op& op, std::uint32_t skipped) {
  Handing handing;
  const ir::CallShape& shape = program_.Shape(op);
  for (std::uint32_t i = skipped; i < shape.positional && !handing.has_star; ++i) {
    const ir::ValueId argument = program_.Operand(id, 1 + i);
    if (program_.ops[argument].kind != ir::OpKind::kStarred) {
      handing.positional.push_back({argument, Of(argument)});
      continue;
    }
    const Value& starred = Of(argument);
    const bool counted = (starred.kind == Kind::kTuple || starred.kind == Kind::kList) && starred.elements.valid();
    handing.has_star = !counted;
    if (!counted) continue;
    for (const Value& element : store_.Get(starred.elements)) handing.positional.push_back({{}, element});
  }
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    const ir::ValueId argument = program_.Operand(id, static_cast<std::uint32_t>(1 + shape.positional + i));
    if (shape.keywords[i].valid()) handing.keywords.push_back({shape.keywords[i], {argument, Of(argument)}});
    handing.has_star = handing.has_star || !shape.keywords[i].valid();
  }
  return handing;
}

Value Engine::CallWith(ir::ValueId id, const Handing& handing, ir::FunctionId function_id, const Value* self) {
  const ir::Function& function = program_.functions[function_id];
  const FunctionFact& fact = impl_.functions[function_id];
  const std::size_t site = SiteOf(function_id, id);
  const std::size_t first = self != nullptr ? 1 : 0;
  std::vector<bool> given(function.params.size(), false);
  if (first == 1 && !given.empty()) given[0] = true;
  std::size_t position = first;
  std::vector<ir::ValueId> arguments(function.params.size());  // where the call says it
  for (std::size_t i = 0; i < handing.positional.size() && position < function.params.size(); ++i) {
    const ir::ParamKind kind = function.params[position].kind;
    if (kind == ir::ParamKind::kVarPositional && !handing.has_star) {  // `*arrays` takes all that are left
      std::vector<Value> rest;
      for (; i < handing.positional.size(); ++i) rest.push_back(handing.positional[i].value);
      if (rest.size() <= kMostPacked) Pass(function_id, position, Tuple(store_, std::move(rest)), site);
      given[position] = true;
      break;
    }
    if (kind != ir::ParamKind::kPositional && kind != ir::ParamKind::kPositionalOnly) break;
    Pass(function_id, position, handing.positional[i].value, site);
    arguments[position] = handing.positional[i].id;
    given[position++] = true;
  }
  const auto packed = std::ranges::find(function.params, ir::ParamKind::kVarKeyword, &ir::Param::kind);
  for (const auto& [name, argument] : handing.keywords) {
    bool taken = false;
    for (std::size_t p = 0; p < function.params.size(); ++p) {
      if (function.params[p].name != name || function.params[p].kind == ir::ParamKind::kVarKeyword) continue;
      Pass(function_id, p, argument.value, site);
      arguments[p] = argument.id;
      given[p] = taken = true;
    }
    if (taken || packed == function.params.end()) continue;
    // One of the values that it may be: other calls hand over others.
    Value value = argument.value;
    if (IsNumber(value.kind) || value.kind == Kind::kStr) value = analysis::Of(value.kind);
    if (!fact.closed) value.evidence |= kCalledWith;
    GrowKey(packed->value, name, value);
  }
  if (handing.has_star && packed != function.params.end()) GrowKey(packed->value, Symbol::None(), Unknown());
  for (std::size_t p = 0; p < function.params.size(); ++p) {
    if (given[p]) continue;
    if (handing.has_star) {
      Pass(function_id, p, Unknown(), site);
    } else if (function.params[p].default_value.valid()) {
      Pass(function_id, p, Of(function.params[p].default_value), site);
      arguments[p] = function.params[p].default_value;
    }
  }
  const auto value_of = [&](ir::ValueId one) -> const Value& { return Of(one); };
  if (fact.compiled) {
    return InNumbersOf({id, function_id, arguments, value_of}, impl_, FromCompiled(id, function_id, arguments));
  }
  if (function.is_generator) {
    const Value& yielded = Returned(function_id);
    if (yielded.kind == Kind::kBottom) return analysis::Of(Kind::kGenerator);
    return ContainerOf(store_, Kind::kGenerator, yielded);
  }
  Value value = ReturnedTo(function_id, arguments);
  if (value.kind == Kind::kArray && !HasKnownShape(value)) {
    if (const ShapeId given = ShapeGiven(id, function_id, arguments); given.valid()) value.shape = given;
  }
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
  return InNumbersOf({id, function_id, arguments, value_of}, impl_, value);
}

// What a call of the function gives: what is returned, and where that is not known what annotation and docstring
// promise.
Value Engine::ReturnedOf(ir::FunctionId function) {
  const FunctionFact& fact = impl_.functions[function];
  const Value& returned = Returned(function);
  if (returned.kind == Kind::kBottom && !fact.abstract) return returned;
  const bool settled = returned.kind != Kind::kUnknown && returned.kind != Kind::kTuple &&
                       !HoldsUnknown(store_, returned) && ConfidenceOf(returned.evidence) != Confidence::kPossible;
  if (settled && !fact.abstract) return returned;
  if (ReturnsField(function)) return returned;
  return Fulfilled(fact.abstract ? Unknown() : returned, PromisedBeside(function));
}

const Value& Engine::PromiseOf(ir::FunctionId function) {
  Flow& flow = flows_[function];
  if (!std::exchange(flow.promise_known, true)) {
    flow.promised = impl_.values.Keep(PromisedResult(impl_, function));
  }
  return Kept(flow.promised);
}

Value Engine::Fulfilled(const Value& known, const Value& promised) {
  if (known.kind == Kind::kUnknown) {
    if (promised.kind != Kind::kUnknown) return promised;
    return known;
  }
  Value value = known;
  // `-> list[str]`, and nothing says what is in it.
  if (HoldsUnknown(store_, known) && known.kind == promised.kind && promised.item.valid()) {
    const Kind item = store_.Get(promised.item).front().kind;
    if (item == Kind::kStr || IsNumber(item)) value.item = promised.item;
    return value;
  }
  if (known.kind == Kind::kArray && promised.kind == Kind::kArray) {
    // `-> torch.Tensor`, and what is returned may be an array of NumPy by its use.
    const bool of_other = known.library != promised.library && promised.library != Library::kDevice;
    if (of_other && known.evidence != 0) return promised;
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

Value Engine::CallClass(ir::ValueId id, const ir::Op& op, ir::ClassId class_id) {
  if (array_libraries_[class_id] != Library::kNone) return CallArrayClass(id, op, class_id);
  const Value instance = ObjectOf(class_id, id);
  const ir::FunctionId init = FindMethod(impl_, class_id, impl_.names.Intern("__init__"));
  if (init.valid()) {
    (void)CallLocal(id, op, init, &instance);
    const auto& params = program_.functions[init].params;
    // `def __init__(self, **entries): super().__init__(**entries)`
    const bool hands_on = params.size() > 1 && std::ranges::none_of(
                                                   params.begin() + 1, params.end(),
                                                   [](ir::ParamKind kind) {
                                                     return kind == ir::ParamKind::kPositional ||
                                                            kind == ir::ParamKind::kPositionalOnly ||
                                                            kind == ir::ParamKind::kKeywordOnly;
                                                   },
                                                   &ir::Param::kind);
    if (hands_on && TakesAnyField(impl_, class_id)) StoreFields(id, op, class_id, Fields::kNamed);
  } else {
    StoreFields(id, op, class_id, Fields::kAll);
  }
  return instance;
}

}  // namespace cpnlint::analysis
