// What one op gives, from what its operands are. Calls are in calls.cpp.

#include <algorithm>
#include <array>
#include <numbers>

#include "analyzer/analysis/dict_keys.h"
#include "analyzer/analysis/either_objects.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/handed_extents.h"
#include "analyzer/analysis/loaded_data.h"
#include "analyzer/analysis/progress_bars.h"
#include "analyzer/analysis/replaced_defaults.h"
#include "analyzer/analysis/text_arrays.h"
#include "analyzer/analysis/version_tests.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

Value BoolValue(bool is) {
  Value value = Of(Kind::kBool);
  value.constant = true;
  value.number = is ? 1 : 0;
  return value;
}

struct Constant {
  std::string_view name;
  double value;
};
constexpr auto kConstants = std::to_array<Constant>({
    {"numpy.e", std::numbers::e},
    {"numpy.euler_gamma", std::numbers::egamma},
    {"numpy.pi", std::numbers::pi},
    {"math.e", std::numbers::e},
    {"math.pi", std::numbers::pi},
    {"math.tau", 2 * std::numbers::pi},
});
constexpr auto kUnboundedConstants =
    std::to_array<std::string_view>({"numpy.inf", "numpy.nan", "numpy.NaN", "numpy.NAN", "numpy.Inf", "numpy.infty",
                                     "numpy.PINF", "numpy.NINF", "math.inf", "math.nan"});

constexpr auto kBuiltinNames = std::to_array<std::string_view>({
    "abs",       "all",    "any",        "bool",       "bytes",     "callable", "complex",      "dict",  "divmod",
    "enumerate", "filter", "float",      "format",     "frozenset", "getattr",  "hasattr",      "hash",  "id",
    "input",     "int",    "isinstance", "issubclass", "iter",      "len",      "list",         "map",   "max",
    "min",       "next",   "object",     "open",       "pow",       "print",    "property",     "range", "repr",
    "reversed",  "round",  "set",        "setattr",    "slice",     "sorted",   "staticmethod", "str",   "sum",
    "super",     "tuple",  "type",       "zip",
});

constexpr int kMostTests = 256;  // around one place, innermost first

// Under `if 0:` or `if False:`, where nothing runs.
bool IsSwitchedOff(const ir::Program& program, ir::BlockId block) {
  int tests = 0;
  for (ir::GuardId id = program.blocks[block].guard; id.valid() && tests < kMostTests; id = program.guards[id].parent) {
    ++tests;
    const ir::Guard& guard = program.guards[id];
    if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) continue;
    const ir::ValueId tested = program.Operand(guard.truth, 0);
    if (!tested.valid()) continue;
    const ir::Op& literal = program.ops[tested];
    if (literal.kind != ir::OpKind::kInt && literal.kind != ir::OpKind::kBool) continue;
    if ((program.ints[literal.payload] != 0) != guard.holds) return true;
  }
  return false;
}

// The op stands before the other one, or in a loop with it.
bool MayComeBefore(const ir::Program& program, ir::ValueId op, ir::ValueId other) {
  if (op < other) return true;
  for (ir::LoopId loop = program.LoopOf(other); loop.valid(); loop = program.loops[loop].parent) {
    for (ir::LoopId around = program.LoopOf(op); around.valid(); around = program.loops[around].parent) {
      if (around == loop) return true;
    }
  }
  return false;
}

}  // namespace

bool IsBuiltinName(std::string_view name) {
  return std::binary_search(kBuiltinNames.begin(), kBuiltinNames.end(), name);
}

bool NumpyHas(std::string_view canonical) { return api::FindExact(canonical) != nullptr; }

NumpyNames NumpyNamesOf(const Facts::Impl& impl, Symbol symbol) {
  constexpr std::uint8_t kKnown = 1, kLibrary = 2, kArray = 4;
  if (symbol.index() >= impl.numpy_names.size()) impl.numpy_names.resize(symbol.index() + std::size_t{1000});
  std::uint8_t& names = impl.numpy_names[symbol.index()];
  if (names == 0) {
    const std::string name(impl.names.Text(symbol));
    names = static_cast<std::uint8_t>(kKnown | (NumpyHas("numpy." + name) ? kLibrary : 0) |
                                      (NumpyHas("numpy.ndarray." + name) ? kArray : 0));
  }
  return {(names & kLibrary) != 0, (names & kArray) != 0};
}

void Engine::Visit(ir::ValueId id) {
  now_ = id;
  const ir::Op& op = program_.ops[id];
  here_ = op.block;
  switch (op.kind) {
    case ir::OpKind::kStoreCell:
      if (!IsSwitchedOff(program_, op.block)) GrowCell(ir::CellId(op.payload), Of(program_.Operand(id, 0)));
      return;
    case ir::OpKind::kStoreAttr: StoreAttribute(id, op); return;
    case ir::OpKind::kStoreSubscript: StoreItem(id, op); return;
    case ir::OpKind::kCollectItem: {
      const ir::ValueId item = program_.Operand(id, op.operand_count - 1);
      AddItem(program_.Operand(id, 0), Of(item));
      return;
    }
    case ir::OpKind::kReturn: {
      if (program_.functions[program_.FunctionOf(id)].is_generator) return;  // its value is what it yields
      const ir::ValueId value = program_.Operand(id, 0);
      GrowReturned(program_.FunctionOf(id), value.valid() ? Of(value) : analysis::Of(Kind::kNone));
      return;
    }
    case ir::OpKind::kYield: {
      const ir::ValueId value = program_.Operand(id, 0);
      if (value.valid() && program_.functions[program_.FunctionOf(id)].is_generator) {
        GrowReturned(program_.FunctionOf(id), op.detail == 1 ? ItemOf(id, Of(value)) : Of(value));
      }
      Set(id, Unknown());
      return;
    }
    default: break;
  }
  if (ir::IsControlFlow(op.kind)) return;
  Value value = Transfer(id, op);
  if (value.kind == Kind::kInt && !sizes_.empty()) {
    if (const auto assumed = sizes_.find(id); assumed != sizes_.end()) value = Int(store_, assumed->second);
  }
  if (value.kind == Kind::kUnknown) {
    if (const auto declared = declared_.find(id); declared != declared_.end()) {
      const Value object = FromAnnotation(impl_, declared->second);
      if (object.kind == Kind::kInstance) value = object;
    }
    if (value.kind == Kind::kUnknown && !IsEither(value) && IsNamespaceByUse(id)) {
      value = ChosenNumpy(impl_);
      const bool of_standard = std::ranges::any_of(impl_.UsesOf(id), [&](ir::ValueId user) {
        return program_.ops[user].kind == ir::OpKind::kAttr && IsNameOfStandard(program_.Name(program_.ops[user]));
      });
      if (of_standard) value.evidence |= kStandardNamespace;
    }
  }
  Set(id, std::move(value));
}

Value Engine::Transfer(ir::ValueId id, const ir::Op& op) {
  using enum ir::OpKind;
  switch (op.kind) {
    case kNone: return analysis::Of(Kind::kNone);
    case kEllipsis: return analysis::Of(Kind::kEllipsis);
    case kBool: return BoolValue(program_.ints[op.payload] != 0);
    case kInt: return Int(store_, program_.ints[op.payload]);
    case kFloat: return Float(program_.floats[op.payload]);
    case kComplex: return Imaginary(store_, program_.floats[op.payload]);
    case kStr: {
      Value value = analysis::Of(Kind::kStr);
      value.constant = true;
      value.name = impl_.names.Intern(program_.String(op));
      return value;
    }
    case kBytes: return analysis::Of(Kind::kBytes);
    case kFormatString: return analysis::Of(Kind::kStr);
    case kParam:
    case kLoadCell:
    case kStarName:
    case kBuiltin:
    case kImport:
    case kMakeFunction:
    case kMakeClass: return Name(id, op);
    case kPhi: return Phi(id, op);
    case kUnbound: return {};  // using it raises: no value comes from there
    case kAnnotate: {
      const ir::ValueId value = program_.Operand(id, 0);
      const Value annotated = FromAnnotation(impl_, program_.Operand(id, 1));
      if (!value.valid()) return annotated;
      if (Of(value).kind != Kind::kUnknown || annotated.kind == Kind::kUnknown) return Of(value);
      Value result = annotated;
      if (result.kind == Kind::kArray) result.root = result.device_root = id;
      return result;
    }
    case kAttr: return Attribute(id, op);
    case kSubscript: return OfClassOf(op, SubscriptValue(id, op));
    case kSlice: {
      Value value = analysis::Of(Kind::kSlice);
      std::vector<Value> parts;
      for (const ir::ValueId part : program_.Operands(op))
        parts.push_back(part.valid() ? Of(part) : analysis::Of(Kind::kNone));
      for (const Value& part : parts) {
        if (part.kind == Kind::kBottom) return {};
      }
      value.elements = store_.Intern(parts);
      return value;
    }
    case kUnary: return OfClassOf(op, UnaryValue(id, op));
    case kBinary:
    case kInplaceBinary: return OfClassOf(op, Arithmetic(id, op));
    case kCompare: return OfClassOf(op, CompareValue(id, op));
    case kNot: {
      const Value& negated = Of(program_.Operand(id, 0));
      return negated.kind == Kind::kBool && negated.constant ? BoolValue(negated.number == 0)
                                                             : analysis::Of(Kind::kBool);
    }
    case kTruth: return Of(program_.Operand(id, 0));
    case kCall: {
      const std::optional<bool> starts = VersionStartsWith(impl_, op);
      return starts ? BoolValue(*starts) : CallValue(id, op);
    }
    case kTuple:
    case kList:
    case kSet:
    case kDict:
    case kCollection: return Display(id, op);
    case kLoopItem: return LoopItemValue(id);
    case kUnpackItem: return UnpackValue(op);
    case kWithEnter: {
      // `@contextmanager`: what the generator yields; a pool of workers gives itself.
      const Value& context = Of(program_.Operand(id, 0));
      if (context.kind == Kind::kBottom) return {};
      if (context.kind == Kind::kInstance) return Entered(id, context);
      if (context.kind == Kind::kForeign && IsWorkerLibrary(impl_.names.Text(context.name))) return context;
      return context.kind == Kind::kGenerator ? ItemOf(id, context) : Unknown();
    }
    case kIter:
    case kStarred:
    case kAwait: return Of(program_.Operand(id, 0));
    default: return Unknown();
  }
}

namespace {

// `err = 1.0` before `while err > tol:`: what the first pass alone works with.
bool IsStart(const ir::Program& program, ir::BlockId block, ir::BlockId from, const Value& value) {
  const ir::LoopId entered = program.blocks[block].loop;
  if (!IsNumber(value.kind) || !value.constant || !entered.valid() || program.loops[entered].header != block)
    return false;
  for (ir::LoopId loop = program.blocks[from].loop; loop.valid(); loop = program.loops[loop].parent) {
    if (loop == entered) return false;
  }
  return true;
}

}  // namespace

// What a parameter is that is None by default and was filled with the value then.
Value Engine::FilledIn(ir::ValueId param, const Value& filled) {
  const Value& given = Of(param);
  const bool by_calls = IsLeftOut(param);
  const bool shows_kind =
      filled.kind == Kind::kArray || filled.kind == Kind::kInstance || filled.kind == Kind::kGeneratorRng;
  if (IsNumber(given.kind)) return JoinOrigins(impl_.names, store_, filled, given);
  if (filled.kind == Kind::kBottom) return given.kind == Kind::kUnknown ? filled : given;
  if (!shows_kind && given.kind == Kind::kUnknown) return Unknown();
  const bool alike = by_calls || given.kind == Kind::kUnknown || filled.library == given.library;
  if (!shows_kind || !alike) return JoinOrigins(impl_.names, store_, filled, given);
  Value value = filled;
  if (given.kind != Kind::kUnknown) {
    value.evidence |= given.evidence;  // what speaks of the parameter holds for what it becomes, too
    if (!by_calls) {  // others hand over another one: of the same type, as it goes the same way from here
      value.root = value.device_root = {};
      value.shape = {};
      value.constant_items = false;
    }
  } else if (!by_calls) {
    value.evidence |= kDefaultValue;
  } else if (!impl_.functions[program_.FunctionOf(param)].closed) {
    value.evidence |= kCalledWith;
  }
  return value;
}

Value Engine::Phi(ir::ValueId id, const ir::Op& op) {
  Value result, later;
  ir::ValueId replaced;
  bool starts = false;
  const std::span<const ir::ValueId> operands = program_.Operands(op);
  const std::span<const ir::BlockId> before = program_.blocks[op.block].preds;
  const ir::LoopId loop = program_.blocks[op.block].loop;
  const bool carries = loop.valid() && program_.loops[loop].header == op.block;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].valid() || operands[i] == id) continue;
    here_ = i < before.size() ? before[i] : op.block;
    next_ = op.block;
    Value value = Of(operands[i]);
    // `total = start` before a loop that adds to it: what it starts with casts no doubt on what it becomes.
    if (carries && IsNumber(value.kind)) value.evidence = 0;
    const bool unused = IsReplacedDefault(program_, op, i) &&
                        (value.kind == Kind::kUnknown || IsLeftOut(operands[i]) || IsAnyArray(operands[i], value));
    if (unused) {
      replaced = operands[i];
      continue;
    }
    result = JoinOrigins(impl_.names, store_, result, value);
    const bool start = IsStart(program_, op.block, here_, value);
    starts = starts || start;
    if (!start) later = JoinOptional(store_, later, value);
  }
  here_ = op.block;
  next_ = {};
  if (replaced.valid()) result = FilledIn(replaced, result);
  if (MixesItems(store_, result, [&](auto see) {
        for (const ir::ValueId operand : operands) {
          // What a parameter holds is told by its use: by the use of one kind of argument among several.
          if (operand.valid() && program_.ops[operand].kind != ir::OpKind::kParam) see(impl_.Of(operand));
        }
      }))
    result.evidence |= kContradicted;
  // A function that is handed numbers at times may give one: only what has no axes is as sure as later passes make it.
  const bool scalar = starts && result.kind == Kind::kArray && later.kind == Kind::kArray && Rank(store_, later) == 0;
  if (scalar) result.evidence = later.evidence;
  // One size for all passes of a loop would be a claim about them.
  if (result.kind == Kind::kArray && !loop.valid() && result.shape.valid() && !HasKnownShape(result))
    result.shape = OneOfShapes(impl_, id, NameOrNone(id), result.shape);
  if (result.kind == Kind::kArray) {
    // Different storage on different paths: the variable itself stands for it.
    if (!result.root.valid()) result.root = id;
    if (!result.device_root.valid()) result.device_root = id;
  }
  if ((result.kind == Kind::kInt || result.kind == Kind::kUnknown) && !result.dim.valid() && !result.constant) {
    result.dim = store_.dims().SymbolOf(NameOrNone(id), id.index());
  }
  return result;
}

Value Engine::Name(ir::ValueId id, const ir::Op& op) {
  switch (op.kind) {
    case ir::OpKind::kParam: return ParameterValue(program_.FunctionOf(id), op.detail);
    case ir::OpKind::kStarName: return StarNameValue(id, op);
    case ir::OpKind::kImport: return ImportValue(id, op);
    case ir::OpKind::kBuiltin: {
      Value value = analysis::Of(Kind::kBuiltin);
      value.name = program_.SymbolOf(op);
      return value;
    }
    case ir::OpKind::kMakeFunction: {
      Value value = analysis::Of(Kind::kFunction);
      value.function = ir::FunctionId(op.payload);
      return value;
    }
    case ir::OpKind::kMakeClass: {
      Value value = analysis::Of(Kind::kClass);
      value.class_id = ir::ClassId(op.payload);
      return value;
    }
    default: return CellValue(ir::CellId(op.payload), id);
  }
}

// What `reader` finds in a variable.
Value Engine::CellValue(ir::CellId cell, ir::ValueId reader) {
  Value value = Kept(cells_[cell]);
  if (const Value* assumed = AssumedArray(impl_, program_.cells[cell].owner, program_.cells[cell].name)) {
    if (value.kind == Kind::kUnknown || value.kind == Kind::kArray) {
      const ir::ValueId root = value.kind == Kind::kArray && value.root.valid() ? value.root : reader;
      value = *assumed;
      value.root = value.device_root = root;
    }
  }
  if (value.kind == Kind::kUnknown && !value.dim.valid()) {
    value.dim = store_.dims().SymbolOf(program_.cells[cell].name, kCellInstance + cell.index());
  }
  if (value.kind == Kind::kArray && !value.root.valid() && !program_.cells[cell].stores.empty()) {
    value.root = value.device_root = program_.cells[cell].stores.front();
  }
  return value;
}

// The dotted name under its canonical spelling, and whose namespace it is.
Value Engine::ImportValue(ir::ValueId id, const ir::Op& op) {
  const ir::ImportRecord& record = program_.imports[op.payload];
  // `from . import constants` in the package itself: nothing else is called so there.
  const bool of_itself = record.target.valid() && record.target == program_.functions[program_.FunctionOf(id)].module;
  if (of_itself && record.submodule.valid()) return ModuleValue(program_, record.submodule);
  if (record.name.valid() && record.target.valid()) {
    if (std::optional<Value> value = ModuleAttribute(record.target, record.name, id)) return *value;
  }
  if (const ir::ModuleId meant = ModuleMeant(impl_, id); meant.valid()) return ModuleValue(program_, meant);
  if (record.level != 0 || record.target.valid()) return Unknown();
  std::string dotted(impl_.names.Text(record.module));
  if (record.root_only) dotted.resize(std::min(dotted.find('.'), dotted.size()));
  if (record.name.valid()) dotted.append(".").append(impl_.names.Text(record.name));
  return LibraryValue(id, dotted, impl_.names.Text(record.bound));
}

// What the dotted name of an import means in the module of `id`, where no module of the program is meant.
Value Engine::LibraryValue(ir::ValueId id, std::string dotted, std::string_view bound) {
  for (const std::string_view old : {"cupynumeric", "cunumeric", "legate.numpy"}) {
    if (!StartsWithModule(dotted, old)) continue;
    dotted.replace(0, old.size(), "numpy");
    return ApiValue(dotted, Library::kDevice);
  }
  Library library = Library::kOther;
  if (StartsWithModule(dotted, "numpy")) {
    const ir::ModuleId module = program_.functions[program_.FunctionOf(id)].module;
    const bool host = impl_.modes[module] == Mode::kPorted || IsHostAlias(bound);
    library = host ? Library::kHost : Library::kDevice;
  } else if (StartsWithModule(dotted, "cupy") || StartsWithModule(dotted, "cupyx")) {
    library = Library::kCupy;
  } else if (StartsWithModule(dotted, "torch")) {
    library = Library::kTorch;
  } else if (StartsWithModule(dotted, "jax")) {
    library = Library::kJax;
  }
  return ApiValue(dotted, library);
}

Value Engine::ApiValue(std::string_view dotted, Library library) {
  if (library == Library::kDevice || library == Library::kHost || library == Library::kOther) {
    for (const Constant& constant : kConstants) {
      if (constant.name == dotted) return Float(constant.value);
    }
    if (std::find(kUnboundedConstants.begin(), kUnboundedConstants.end(), dotted) != kUnboundedConstants.end()) {
      Value value = analysis::Of(Kind::kFloat);
      value.name = impl_.names.Intern(dotted);
      return value;
    }
    if (dotted == "numpy.newaxis") return analysis::Of(Kind::kNone);
  }
  Value value = analysis::Of(Kind::kApi);
  value.library = library;
  value.name = impl_.names.Intern(dotted);
  if (library == Library::kDevice || library == Library::kHost) {
    value.dtype = DTypeArgument(impl_.names, value);
    if (value.dtype != ir::DType::kUnknown && dotted != "numpy.ndarray") value.kind = Kind::kDType;
  }
  return value;
}

// A name that a star import from a library brings; kUnknown where the library is unknown and may export any name.
std::optional<Value> Engine::FromStar(const ir::Module& module, std::size_t star, std::string_view name) {
  if (star < module.star_targets.size() && module.star_targets[star].valid()) return std::nullopt;
  std::string dotted(impl_.names.Text(module.star_imports[star]));
  Library library = Library::kDevice;
  if (StartsWithModule(dotted, "cupynumeric")) {
    dotted.replace(0, 11, "numpy");
  } else if (StartsWithModule(dotted, "numpy")) {
    if (impl_.modes[program_.functions[module.body].module] == Mode::kPorted) library = Library::kHost;
  } else if (dotted == "pylab" || dotted == "matplotlib.pylab") {
    dotted = "numpy";
  } else if (dotted == "math") {
    return IsBuiltinName(name) ? std::nullopt : std::optional(ApiValue("math." + std::string(name), Library::kOther));
  } else {
    return Unknown();
  }
  const std::string canonical = dotted + "." + std::string(name);
  return NumpyHas(canonical) ? std::optional(ApiValue(canonical, library)) : std::nullopt;
}

Value Engine::StarNameValue(ir::ValueId id, const ir::Op& op) {
  const ir::ModuleId module = program_.functions[program_.FunctionOf(id)].module;
  if (std::optional<Value> value = ModuleAttribute(module, program_.SymbolOf(op), id)) return *value;
  const std::string_view name = program_.Name(op);
  if (!IsBuiltinName(name)) return Unknown();
  Value value = analysis::Of(Kind::kBuiltin);
  value.name = program_.SymbolOf(op);
  return value;
}

Value Engine::Attribute(ir::ValueId id, const ir::Op& op) {
  const ir::ValueId object_id = program_.Operand(id, 0);
  const Value& object = Of(object_id);
  const Symbol name = program_.SymbolOf(op);
  // `u.dtype.names`, and `dtype.names` of a parameter: the fields of records.
  if (impl_.names.Text(name) == "names" && object.kind != Kind::kBottom) {
    const ir::Op& record = program_.ops[object_id];
    const bool named = record.kind == ir::OpKind::kAttr || record.kind == ir::OpKind::kParam;
    if (named && program_.Name(record) == "dtype") return ContainerOf(store_, Kind::kTuple, analysis::Of(Kind::kStr));
  }
  if (impl_.names.Text(name) == "__class__") {
    Value type = ClassOf(object);
    type.receiver = object_id;
    return type;
  }
  const bool unknown = object.kind == Kind::kForeign || (object.kind == Kind::kUnknown && !IsEither(object));
  if (const auto count = unknown ? CountOfUnknown(id, object_id, name) : std::nullopt) return *count;
  switch (object.kind) {
    case Kind::kBottom: return {};
    case Kind::kApi: return of_others_.contains(id) ? Unknown() : ApiAttribute(id, object, name);
    case Kind::kFunction:  // `np.add if total else np.maximum`
      if (!object.elements.valid() || store_.Get(object.elements).front().kind != Kind::kApi) break;
      return ApiAttribute(id, object, name);
    case Kind::kForeign: {
      // `result.y = []` gives the object of a library an attribute of the program's own.
      Value stored;
      for (const ir::ValueId user : impl_.UsesOf(object_id)) {
        const ir::Op& use = program_.ops[user];
        const bool stores = use.kind == ir::OpKind::kStoreAttr && program_.Operand(user, 0) == object_id;
        if (!stores || program_.SymbolOf(use) != name || !MayComeBefore(program_, user, id)) continue;
        WatchValue(program_.Operand(user, 1), id);
        stored = JoinOptional(store_, stored, Of(program_.Operand(user, 1)));
      }
      if (stored.kind == Kind::kList || stored.kind == Kind::kDict || stored.kind == Kind::kSet) return stored;
      Value value = analysis::Of(Kind::kForeign);
      value.name = object.name;
      if (impl_.names.Text(object.name).size() <= kLongestName) {
        value.name =
            impl_.names.Intern(std::string(impl_.names.Text(object.name)) + "." + std::string(impl_.names.Text(name)));
      }
      return value;
    }
    case Kind::kArray: {
      if (std::optional<Value> own = AttributeOfArrayClass(id, object, name)) return *own;
      CallContext context{store_, impl_.names, id, object.library};
      if (std::optional<Value> value = AttributeOfArray(context, object, impl_.names.Text(name))) {
        const std::string_view attribute = impl_.names.Text(name);
        const bool counts_axes =
            (attribute == "ndim" && !value->constant) || (attribute == "shape" && !value->dim.valid());
        if (counts_axes) value->dim = RankDim(object_id, object);
        return OfClassOf(op, *value);
      }
      break;
    }
    case Kind::kModule: {
      const ir::ModuleId module = program_.functions[object.function].module;
      return ModuleAttribute(module, name, id).value_or(Unknown());
    }
    case Kind::kInstance:
    case Kind::kClass: return InstanceAttribute(id, object, name);
    case Kind::kUnknown: {
      if (IsEither(object)) return InstanceAttribute(id, object, name);
      // `part = cube if region is None else cube[region]`: what another library gives on the way that is known is its.
      for (const ir::ValueId way : program_.Operands(object_id)) {
        if (program_.ops[object_id].kind != ir::OpKind::kPhi || impl_.Of(way).kind != Kind::kInstance) continue;
        if (Value known = InstanceAttribute(id, impl_.Of(way), name); known.kind == Kind::kForeign) return known;
      }
      if (impl_.names.Text(name) != "shape") return LoadedAs(object, NamedInt(name, id));
      Value shape = analysis::Of(Kind::kTuple);  // whatever has a shape has a tuple of extents
      shape.dim = RankDim(object_id, object);
      shape.evidence = kUsed;
      return shape;
    }
    case Kind::kNone: return Unknown();
    case Kind::kTuple:
      if (std::optional<Value> field = FieldNamed(object, name)) return *field;
      break;
    case Kind::kDict:  // see HoldsAttributes
      if (!object.name.valid()) break;
      if (const Value held = ItemUnder(object, name, id); held.kind != Kind::kBottom) return held;
      return NamedInt(name, id);
    default: break;
  }
  Value method = analysis::Of(Kind::kMethod);
  method.name = name;
  method.receiver = object_id;
  method.library = object.library;
  method.evidence = object.evidence;
  return method;
}

void Engine::StoreItem(ir::ValueId id, const ir::Op& op) {
  const std::span<const ir::ValueId> operands = program_.Operands(op);
  const Value& base = Of(operands[0]);
  if (base.kind == Kind::kList) GrowItemOfAny(operands[0], Of(operands[1]));
  if (base.kind == Kind::kInstance) {
    std::vector<Value> keys;
    for (const ir::ValueId key : operands.subspan(2)) keys.push_back(key.valid() ? Of(key) : Unknown());
    const std::array<Value, 2> arguments = {keys.size() == 1 ? keys[0] : Tuple(store_, keys), Of(operands[1])};
    (void)CallSpecial(id, base, "__setitem__", arguments);
    return;
  }
  if (base.kind != Kind::kDict) return;
  GrowItem(base.root, Of(operands[1]));
  const Value& key = Of(operands[2]);
  if (key.kind == Kind::kBottom) return;
  StoreKey(base.root, KeptKey(impl_.names, key), Of(operands[1]));
}

}  // namespace cpnlint::analysis
