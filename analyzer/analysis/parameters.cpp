// What the parameters of a function are: by what calls hand over, by annotations and docstrings, by use (A.3).

#include <algorithm>
#include <bit>

#include "analyzer/analysis/either_objects.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/handed_extents.h"
#include "analyzer/analysis/loaded_data.h"
#include "analyzer/analysis/text_arrays.h"

namespace cpnlint::analysis {

// A known call hands over what is no array for sure, and other calls something unknown (A.3: mixed call sites).
bool Engine::SomeCallPassesObject(const Flow& flow, std::size_t parameter) const {
  for (std::size_t at = parameter; at < flow.passed_by_site.size(); at += flow.passed.size()) {
    const Kind kind = Kept(flow.passed_by_site[at]).kind;
    if (kind == Kind::kInstance || kind == Kind::kForeign || kind == Kind::kDict || kind == Kind::kStr) return true;
  }
  return false;
}

// The texts that a known call hands over, where no other hands over numbers: such an array is one of texts in any case.
ir::DType Engine::TextsPassed(const Flow& flow, std::size_t parameter) const {
  ir::DType texts = ir::DType::kUnknown;
  for (std::size_t at = parameter; at < flow.passed_by_site.size(); at += flow.passed.size()) {
    const Value& passed = Kept(flow.passed_by_site[at]);
    if (IsTextArray(passed)) texts = passed.dtype;
    if (passed.kind == Kind::kArray && ir::IsNumeric(passed.dtype)) return ir::DType::kUnknown;
  }
  return texts;
}

// Of the arrays that known calls hand over, as far as these are known yet; None() for what is no array.
std::vector<ShapeId> Engine::ShapesPassed(const Flow& flow, std::size_t parameter) const {
  std::vector<ShapeId> shapes;
  for (std::size_t at = parameter; at < flow.passed_by_site.size(); at += flow.passed.size()) {
    const Value& passed = Kept(flow.passed_by_site[at]);
    if (passed.kind == Kind::kArray) {
      shapes.push_back(passed.shape);
    } else if (passed.kind != Kind::kBottom && passed.kind != Kind::kNone) {
      shapes.push_back(ShapeId::None());
    }
  }
  return shapes;
}

bool IsObjectType(const Facts::Impl& impl, const Value& value) {
  return value.kind == Kind::kBuiltin && impl.names.Text(value.name) == "object";
}

// A size that the user names holds against the one that a demo run passes.
Value Engine::ParameterValue(ir::FunctionId function_id, std::size_t index) {
  Value value = KnownParameter(function_id, index);
  if (value.kind != Kind::kInt || !store_.dims().AssumesAnything()) return value;
  const ir::Param& param = program_.functions[function_id].params[index];
  const std::optional<std::int64_t> assumed = store_.dims().Assumed(param.name, param.value.index());
  return assumed ? Int(store_, *assumed) : value;
}

namespace {

// The parameter holds an object of the class that its default is of, and is asked whether it is that one.
bool IsStandIn(const Facts::Impl& impl, const ir::Param& param, const Value& passed) {
  if (!param.default_value.valid()) return false;
  const Value& usual = impl.Of(param.default_value);
  if (usual.kind != Kind::kInstance || usual.class_id != passed.class_id) return false;
  const ir::ValueId origin = OriginOf(impl, param.default_value);
  return std::ranges::any_of(impl.UsesOf(param.value), [&](ir::ValueId user) {
    const ir::Op& op = impl.program.ops[user];
    if (op.kind != ir::OpKind::kCompare) return false;
    const auto compare = static_cast<ir::CompareOp>(op.detail);
    const bool same = compare == ir::CompareOp::kIs || compare == ir::CompareOp::kIsNot;
    return same && OriginOf(impl, impl.program.Operand(user, 1)) == origin;
  });
}

}  // namespace

// There are calls, and each of them leaves the parameter at None.
bool Engine::IsLeftOut(ir::ValueId param) const {
  const Flow& flow = flows_[program_.FunctionOf(param)];
  return Kept(flow.passed[program_.ops[param].detail]).kind == Kind::kNone;
}

// An array by annotation, docstring or use alone, which say nothing of what it holds.
bool Engine::IsAnyArray(ir::ValueId param, const Value& value) const {
  if (value.kind != Kind::kArray || value.library != Library::kDevice) return false;
  const Flow& flow = flows_[program_.FunctionOf(param)];
  if (Kept(flow.passed[program_.ops[param].detail]).kind != Kind::kBottom) return false;
  return value.dtype == ir::DType::kUnknown && !value.shape.valid() && !value.class_id.valid();
}

Value Engine::KnownParameter(ir::FunctionId function_id, std::size_t index) {
  const ir::Function& function = program_.functions[function_id];
  const FunctionFact& fact = impl_.functions[function_id];
  Flow& flow = flows_[function_id];
  const ir::Param& param = function.params[index];
  if (const Value* assumed = AssumedArray(impl_, function_id, param.name)) {
    Value value = *assumed;
    value.root = value.device_root = param.value;
    return value;
  }
  if (index == 0 && function.owner.valid() && !fact.is_static && function.kind == ir::Function::Kind::kDef) {
    if (!fact.is_classmethod && impl_.names.Text(param.name) != "cls") return ObjectOf(function.owner, param.value);
    Value self = analysis::Of(Kind::kClass);
    self.class_id = function.owner;
    return self;
  }
  if (function.owner.valid() && array_libraries_[function.owner] != Library::kNone) {
    const std::string_view name = impl_.names.Text(function.name);
    if (index == 1 && name == "__array_finalize__") return ObjectOf(function.owner, param.value);
    if (index == 0 && name == "__new__") {
      Value type = analysis::Of(Kind::kClass);
      type.class_id = function.owner;
      return type;
    }
  }
  const Value& passed = Kept(flow.passed[index]);
  const bool waits = fact.has_call_sites && released_[function_id] == 0 && param.kind != ir::ParamKind::kVarKeyword;
  if (passed.kind == Kind::kBottom && waits) return passed;
  if (flow.local.empty()) {
    std::vector<Value> said = LocalEvidence(impl_, function_id);
    for (std::size_t i = 0; i < said.size(); ++i) {
      Value& promised = said[i];  // `u : Patch`, a class that derives from ndarray
      if (promised.kind == Kind::kInstance && array_libraries_[promised.class_id] != Library::kNone) {
        const EvidenceSet evidence = promised.evidence;
        promised = ObjectOf(promised.class_id, function.params[i].value);
        promised.evidence = evidence;
      }
      flow.local.push_back(impl_.values.Keep(promised));
    }
  }
  const Value& local = Kept(flow.local[index]);
  // `def f(sizes=_UNSET): sizes = None if sizes is _UNSET else sizes`: nobody works with what stands for nothing.
  if (passed.kind == Kind::kInstance && IsStandIn(impl_, param, passed)) return local;
  if (passed.kind == Kind::kBottom || passed.kind == Kind::kNone) {
    if (local.kind != Kind::kUnknown) return local;
    // Nothing known but a default: `def f(n=100)`.
    if (param.default_value.valid()) {
      Value value = Of(param.default_value);
      const bool plain = IsNumber(value.kind) || value.kind == Kind::kStr || value.kind == Kind::kTuple;
      if (plain) {
        value.evidence |= kDefaultValue;
        // The default is one value of many: keep the kind, and for integers a symbol.
        value.constant = false;
        if (value.kind == Kind::kInt) value.dim = store_.dims().SymbolOf(param.name, param.value.index());
        if (value.kind == Kind::kTuple) value.elements = ElementsId::None();
        return value;
      }
      if (value.kind == Kind::kApi || value.kind == Kind::kDType) return value;
      if (value.kind == Kind::kGeneratorRng) {  // `rng=np.random.default_rng(1)`: callers hand over the like
        value.evidence |= kDefaultValue;
        return value;
      }
      if (value.kind == Kind::kClass) {  // `data_class=Field`: others that are handed over do what it does
        value.evidence |= kDefaultValue;
        value.receiver = param.value;
        return value;
      }
      if (IsObjectType(impl_, value)) return value;
    }
    return local;
  }
  if (passed.kind == Kind::kUnknown && (local.kind != Kind::kUnknown || !IsEither(passed))) {
    if (param.default_value.valid() && IsObjectType(impl_, Of(param.default_value))) return Of(param.default_value);
    Value value = LoadedAs(passed, local);
    if (value.kind == Kind::kArray && value.evidence == kUsed && SomeCallPassesObject(flow, index))
      value.evidence |= kContradicted;
    if (value.kind == Kind::kUnknown && !value.dim.valid()) value = NamedInt(param.name, param.value);
    return value;
  }
  Value value = passed;
  // A namespace that is handed on is as sure as where it comes from: `def f(np, a)` (A.3).
  const bool handed_on = value.kind == Kind::kApi && (value.evidence & kNamespaceParam) != 0;
  if (!fact.closed && !handed_on) value.evidence |= kCalledWith;
  // `x: torch.Tensor`: what callers do with what they hand over makes no array of NumPy of it.
  const bool of_other = value.kind == Kind::kArray && local.kind == Kind::kArray && value.library != local.library &&
                        local.library != Library::kDevice;
  if (of_other && passed.evidence != 0) return local;
  if (of_other) value.evidence |= kContradicted;
  // Known in two ways: the one that needs less faith counts.
  if (value.kind == local.kind && value.kind != Kind::kUnknown && !of_other &&
      std::popcount(local.evidence) < std::popcount(value.evidence)) {
    value.evidence = local.evidence;
  }
  if (value.kind == Kind::kArray && !value.root.valid()) value.root = value.device_root = param.value;
  if (value.kind == Kind::kArray && value.shape.valid() && !HasKnownShape(value) && flow.passed_elsewhere.empty())
    value.shape = WithOwnExtents(impl_, {param.value, param.name, ShapesPassed(flow, index)}, value.shape);
  if (value.kind == Kind::kArray && local.kind == Kind::kArray && value.dtype == ir::DType::kUnknown)
    value.dtype = local.dtype;
  if (value.kind == Kind::kArray && value.dtype == ir::DType::kUnknown) value.dtype = TextsPassed(flow, index);
  // The calls tell that it is an array, the docstring which shape it has.
  if (value.kind == Kind::kArray && local.kind == Kind::kArray && !value.shape.valid() && local.shape.valid() &&
      std::popcount(local.evidence) <= 1) {
    value.shape = local.shape;
    value.evidence = local.evidence;
  }
  // A flag that the known callers leave at one value is still a flag.
  if (value.kind == Kind::kBool && !fact.closed) value.constant = false;
  if (value.kind == Kind::kInt) {
    // Several call sites, several sizes: inside the function it is one symbol.
    if (!value.dim.valid()) value.dim = NamedInt(param.name, param.value).dim;
  }
  return value;
}

}  // namespace cpnlint::analysis
