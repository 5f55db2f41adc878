#include "analyzer/analysis/facts.h"

#include <algorithm>
#include <atomic>

#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/covering_masks.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/keys.h"
#include "analyzer/analysis/stated_shapes.h"

namespace cpnlint::analysis {

Value JoinOptional(ValueStore& store, const Value& a, const Value& b) {
  const auto fills = [](const Value& none, const Value& other) {
    if (none.kind != Kind::kNone) return false;
    switch (other.kind) {
      case Kind::kArray:
      case Kind::kTuple:
      case Kind::kInstance:
      case Kind::kFunction:
      case Kind::kClass:
      case Kind::kModule:
      case Kind::kApi:
      case Kind::kForeign:
      case Kind::kGeneratorRng: return true;
      case Kind::kUnknown: return other.elements.valid();  // one of several objects
      default: return false;
    }
  };
  if (fills(a, b)) return b;
  if (fills(b, a)) return a;
  // One binding with several origins is the array namespace if NumPy or cuPyNumeric is among them (rules.md A.3).
  const auto is_namespace = [](const Value& v) { return v.kind == Kind::kApi || v.kind == Kind::kDType; };
  if (is_namespace(a) && is_namespace(b) && !(a == b)) {
    const bool a_is = a.library == Library::kDevice, b_is = b.library == Library::kDevice;
    if (a.name == b.name) return a_is ? a : b;
    if (a_is != b_is) return a_is ? a : b;
  }
  // A text or an array of texts: either way nothing for the device.
  const auto texts = [](const Value& text, const Value& array) {
    return text.kind == Kind::kStr && array.kind == Kind::kArray && array.dtype == ir::DType::kString;
  };
  if (texts(a, b)) return b;
  if (texts(b, a)) return a;
  // `total = 0` before a loop that adds arrays to it: an array wherever it is worked with as one.
  const auto starts_as_number = [](const Value& number, const Value& array) {
    return IsNumber(number.kind) && array.kind == Kind::kArray && array.library == Library::kDevice;
  };
  if (starts_as_number(a, b) || starts_as_number(b, a)) {
    Value array = a.kind == Kind::kArray ? a : b;
    array.evidence |= kAssumed;
    // One number or another, of which some are computed on the device.
    const Value& number = a.kind == Kind::kArray ? b : a;
    if (Rank(store, array) == 0 && (number.evidence & kDefaultValue) != 0) array.evidence |= number.evidence;
    return array;
  }
  return Join(store, a, b);
}

namespace {

std::uint64_t NextSerial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Facts::Facts(const ir::Program& program, Interner& names)
    : program_(program),
      impl_(std::make_unique<Impl>(program, names)),
      values_(impl_->values),
      unknown_(impl_->unknown),
      serial_(NextSerial()) {
  BuildUses(*impl_);
  SeeItems(*impl_);
  ChooseModes(*impl_);
  ReadAssumptions(*impl_);
  Infer(*impl_);
  ReadStatedShapes(*impl_);
}

Facts::~Facts() = default;

ValueStore& Facts::store() const { return impl_->store; }

bool Facts::IsDevice(ir::ValueId id) const {
  const Value& value = Of(id);
  // Arrays of objects, strings and records have no counterpart on the device.
  return value.kind == Kind::kArray && value.library == Library::kDevice &&
         (value.dtype == ir::DType::kUnknown || ir::IsSupported(value.dtype));
}
bool Facts::IsHost(ir::ValueId id) const {
  const Value& value = Of(id);
  return value.kind == Kind::kNumpyScalar || (value.kind == Kind::kArray && value.library == Library::kHost);
}

int Facts::RankOf(ir::ValueId id) const { return IsArray(id) ? Rank(impl_->store, Of(id)) : -1; }
bool Facts::IsZeroD(ir::ValueId id) const { return RankOf(id) == 0; }

ir::DimId Facts::VolumeOf(ir::ValueId id) const {
  return IsArray(id) ? Volume(impl_->store, Of(id)) : ir::DimId::None();
}

bool Facts::KnownBelow(ir::ValueId id, std::int64_t elements) const {
  ir::DimStore& dims = impl_->store.dims();
  const ir::DimId volume = VolumeOf(id);
  if (const std::optional<std::int64_t> known = dims.AsConst(volume)) return *known < elements;
  const std::optional<std::int64_t> bound = dims.LowerBound(dims.Negate(volume), 0);
  return bound && -*bound < elements;
}

bool Facts::KnownAtLeast(ir::ValueId id, std::int64_t elements) const {
  const std::optional<std::int64_t> volume = impl_->store.dims().AsConst(VolumeOf(id));
  return volume && *volume >= elements;
}

Confidence Facts::ConfidenceOfValue(ir::ValueId id) const { return ConfidenceOf(Of(id).evidence); }

ir::ValueId Facts::RootOf(ir::ValueId id) const { return IsArray(id) ? Of(id).root : ir::ValueId::None(); }
ir::ValueId Facts::DeviceRootOf(ir::ValueId id) const { return IsArray(id) ? Of(id).device_root : ir::ValueId::None(); }

bool Facts::IsFresh(ir::ValueId id) const {
  const ir::ValueId root = RootOf(id);
  if (!root.valid()) return false;
  const ir::OpKind kind = program_.ops[root].kind;
  if (kind != ir::OpKind::kCall && kind != ir::OpKind::kBinary && kind != ir::OpKind::kUnary &&
      kind != ir::OpKind::kCompare) {
    return false;
  }
  return program_.FunctionOf(root) == program_.FunctionOf(id) && !Escapes(root);
}

std::optional<std::int64_t> Facts::IntOf(ir::ValueId id) const {
  const Value& value = Of(id);
  if (value.kind == Kind::kBool && value.constant) return static_cast<std::int64_t>(value.number);
  if (value.kind != Kind::kInt) return std::nullopt;
  if (value.constant) return static_cast<std::int64_t>(value.number);
  return impl_->store.dims().AsConst(value.dim);
}

std::optional<double> Facts::NumberOf(ir::ValueId id) const {
  const Value& value = Of(id);
  if (value.constant && (value.kind == Kind::kFloat || value.kind == Kind::kInt)) return value.number;
  return std::nullopt;
}

std::optional<bool> Facts::BoolOf(ir::ValueId id) const {
  const Value& value = Of(id);
  if (value.kind == Kind::kBool && value.constant) return value.number != 0;
  // As on every processor that cuPyNumeric runs on (x86-64, aarch64).
  if (value.kind == Kind::kApi && impl_->names.Text(value.name) == "numpy.little_endian") return true;
  return std::nullopt;
}

std::optional<std::string_view> Facts::TextOf(ir::ValueId id) const {
  const Value& value = Of(id);
  if (value.kind == Kind::kStr && value.constant) return impl_->names.Text(value.name);
  return std::nullopt;
}

bool Facts::IsNoneConstant(ir::ValueId id) const { return id.valid() && Of(id).kind == Kind::kNone; }

std::string Facts::DimText(ir::DimId dim) const {
  if (!dim.valid()) return {};
  // A size that the user has no name for is not worth quoting.
  std::string text = impl_->store.dims().ToString(dim, impl_->names);
  return text.find('?') == std::string::npos ? text : std::string();
}

// --- names and calls ---

std::string_view Facts::ApiName(ir::ValueId id) const {
  const Value& value = Of(id);
  return value.kind == Kind::kApi || value.kind == Kind::kDType ? impl_->names.Text(value.name) : std::string_view();
}

namespace {

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kList: return "list";
    case Kind::kTuple: return "tuple";
    case Kind::kDict: return "dict";
    case Kind::kSet: return "set";
    case Kind::kStr: return "str";
    case Kind::kBytes: return "bytes";
    case Kind::kInt: return "int";
    case Kind::kFloat: return "float";
    case Kind::kGenerator: return "generator";
    default: return {};
  }
}

}  // namespace

Callee ResolveCallee(const Facts::Impl& impl, ir::ValueId call) {
  Callee callee;
  const ir::ValueId id = impl.program.Operand(call, 0);
  const Value& value = impl.Of(id);
  Interner& names = impl.names;
  callee.evidence = value.evidence;
  switch (value.kind) {
    case Kind::kApi:
    case Kind::kDType:
      callee.library = value.library;
      callee.name = names.Text(value.name);
      callee.kind =
          value.library == Library::kDevice || value.library == Library::kHost || value.library == Library::kCupy
              ? Callee::Kind::kApi
              : Callee::Kind::kForeign;
      return callee;
    case Kind::kFunction:
      if (!value.function.valid()) return callee;  // one of several
      callee.kind = Callee::Kind::kLocal;
      callee.function = value.function;
      return callee;
    case Kind::kClass:
      callee.kind = Callee::Kind::kClass;
      callee.class_id = value.class_id;
      return callee;
    case Kind::kBuiltin:
      callee.kind = Callee::Kind::kBuiltin;
      callee.name = names.Text(value.name);
      return callee;
    case Kind::kForeign:
      callee.kind = Callee::Kind::kForeign;
      callee.name = names.Text(value.name);
      return callee;
    case Kind::kMethod: {
      callee.receiver = value.receiver;
      const std::string_view method = names.Text(value.name);
      if (value.function.valid()) {
        callee.kind = Callee::Kind::kLocal;
        callee.function = value.function;
        return callee;
      }
      const Value& receiver = impl.Of(value.receiver);
      callee.evidence |= receiver.evidence;
      callee.library = receiver.library;
      if (receiver.kind == Kind::kArray) {
        callee.kind = Callee::Kind::kMethod;
        callee.name = names.Text(names.Intern("numpy.ndarray." + std::string(method)));
        return callee;
      }
      if (receiver.kind == Kind::kGeneratorRng) {
        callee.kind = Callee::Kind::kApi;
        callee.name = names.Text(names.Intern("numpy.random.Generator." + std::string(method)));
        return callee;
      }
      const std::string_view of = KindName(receiver.kind);
      if (of.empty()) return callee;
      callee.kind = Callee::Kind::kContainerMethod;
      callee.name = names.Text(names.Intern(std::string(of) + "." + std::string(method)));
      return callee;
    }
    default: return callee;
  }
}

const Callee& Facts::CalleeOf(ir::ValueId call) const {
  if (impl_->callee_of.empty()) {
    impl_->callee_of.resize(impl_->values.distinct());
    impl_->callees.emplace_back();  // of most calls nothing is known: they share the first one
  }
  const Callee*& found = impl_->callee_of[impl_->values.IndexOf(program_.Operand(call, 0))];
  if (found != nullptr) return *found;
  const Callee callee = ResolveCallee(*impl_, call);
  const bool nothing = callee.kind == Callee::Kind::kUnknown && callee.name.empty() &&
                       callee.library == Library::kNone && !callee.receiver.valid() && !callee.function.valid() &&
                       !callee.class_id.valid() && callee.evidence == 0;
  found = nothing ? &impl_->callees.front() : &impl_->callees.emplace_back(callee);
  return *found;
}

bool Facts::CallsDevice(ir::ValueId call, std::string_view canonical_name) const {
  if (!call.valid() || program_.ops[call].kind != ir::OpKind::kCall) return false;
  const Callee& callee = CalleeOf(call);
  const bool array_call = callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod;
  return array_call && callee.library == Library::kDevice && callee.name == canonical_name;
}

ir::ValueId Facts::Argument(ir::ValueId call, std::size_t position, std::string_view keyword) const {
  if (program_.ops[call].kind != ir::OpKind::kCall) return {};
  const ir::CallShape& shape = program_.Shape(program_.ops[call]);
  if (position < shape.positional) {
    for (std::size_t i = 0; i <= position; ++i) {
      const ir::ValueId argument = program_.Operand(call, static_cast<std::uint32_t>(1 + i));
      if (program_.ops[argument].kind == ir::OpKind::kStarred) return {};
    }
    return program_.Operand(call, static_cast<std::uint32_t>(1 + position));
  }
  return keyword.empty() ? ir::ValueId::None() : KeywordArgument(call, keyword);
}

ir::ValueId Facts::KeywordArgument(ir::ValueId call, std::string_view keyword) const {
  return ArgumentNamed(program_, call, keyword);
}

Span Facts::KeywordSpan(ir::ValueId call, std::string_view keyword) const {
  const std::optional<std::uint32_t> operand = KeywordOperand(program_, call, keyword);
  return operand ? program_.OperandSpan(call, *operand) : Span{};
}

std::size_t Facts::PositionalCount(ir::ValueId call) const { return program_.Shape(program_.ops[call]).positional; }

bool Facts::HasStarArguments(ir::ValueId call) const {
  if (program_.ops[call].kind != ir::OpKind::kCall) return false;  // an operator, an accessor of a property
  const ir::CallShape& shape = program_.Shape(program_.ops[call]);
  for (const Symbol keyword : shape.keywords) {
    if (!keyword.valid()) return true;
  }
  for (std::uint32_t i = 0; i < shape.positional; ++i) {
    if (program_.ops[program_.Operand(call, 1 + i)].kind == ir::OpKind::kStarred) return true;
  }
  return false;
}

std::span<const ir::ValueId> Facts::CallSitesOf(ir::FunctionId function) const {
  return impl_->functions[function].call_sites;
}

std::span<const ir::ValueId> Facts::RandomCalls() const {
  if (!impl_->random_calls_known) {
    impl_->random_calls_known = true;
    for (const ir::Function& function : program_.functions) {
      for (const ir::ValueId call : function.calls) {
        const Callee& callee = CalleeOf(call);
        const bool random =
            StartsWithModule(callee.name, "numpy.random") || StartsWithModule(callee.name, "cupynumeric.random");
        if (callee.kind == Callee::Kind::kApi && callee.library == Library::kDevice && random) {
          impl_->random_calls.push_back(call);
        }
      }
    }
  }
  return impl_->random_calls;
}

bool ImportsPackage(Facts::Impl& impl, std::string_view package) {
  if (!impl.imported_packages_known) {
    impl.imported_packages_known = true;
    const auto add = [&](Symbol dotted) {
      const std::string_view module = impl.names.Text(dotted);
      impl.imported_packages.insert(module.substr(0, module.find('.')));
    };
    for (const ir::ImportRecord& record : impl.program.imports) {
      if (record.level == 0) add(record.module);
    }
    for (const ir::Module& module : impl.program.modules) {
      for (const Symbol star : module.star_imports) add(star);
    }
  }
  return impl.imported_packages.contains(package);
}

bool Facts::Imports(std::string_view package) const { return ImportsPackage(*impl_, package); }

// --- subscripts ---

std::span<const ir::ValueId> Facts::KeysOf(ir::ValueId op) const {
  const ir::Op& subscript = program_.ops[op];
  const std::size_t first = subscript.kind == ir::OpKind::kStoreSubscript ? 2 : 1;
  const std::span<const ir::ValueId> operands = program_.Operands(op);
  return operands.size() > first ? operands.subspan(first) : std::span<const ir::ValueId>();
}

const SubscriptResult& Facts::SubscriptOf(ir::ValueId op) const {
  const auto found = impl_->subscripts.find(op);
  if (found != impl_->subscripts.end()) return found->second;
  SubscriptResult result;
  const Value& base = Of(program_.Operand(op, 0));
  if (base.kind == Kind::kArray) {
    std::vector<Value> keys;
    for (const ir::ValueId key : KeysOf(op)) keys.push_back(SelectingKey(*impl_, key));
    CallContext context{impl_->store, impl_->names, op, base.library};
    result = ResultOfSubscript(context, base, keys);
    SettleMaskedRank(*impl_, program_.Operand(op, 0), KeysOf(op), result);
  }
  return impl_->subscripts.emplace(op, std::move(result)).first->second;
}

// --- functions ---

bool Facts::IsCompiledElsewhere(ir::FunctionId function) const { return impl_->functions[function].compiled; }

std::string_view Facts::QualifiedName(ir::FunctionId function) const { return program_.functions[function].qualified; }

bool Facts::HasDeviceArrays(ir::ModuleId module) const {
  const ir::Module& record = program_.modules[module];
  for (std::uint32_t f = record.first_function.index(); f < record.end_function.index(); ++f) {
    const ir::Function& function = program_.functions[ir::FunctionId(f)];
    for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
      if (IsDevice(ir::ValueId(i))) return true;
    }
  }
  return false;
}

}  // namespace cpnlint::analysis
