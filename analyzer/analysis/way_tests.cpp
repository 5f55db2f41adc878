#include "analyzer/analysis/way_tests.h"

#include <algorithm>
#include <array>
#include <string>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/own_methods.h"

namespace cpnlint::analysis {

std::optional<std::uint32_t> ParamOf(const Facts& facts, ir::FunctionId function, ir::ValueId id) {
  id = facts.Source(id);
  if (!id.valid() || facts.program().ops[id].kind != ir::OpKind::kParam) return std::nullopt;
  const std::span<const ir::Param> params = facts.program().functions[function].params;
  for (std::size_t p = 0; p < params.size(); ++p) {
    if (params[p].value == id && params[p].kind != ir::ParamKind::kVarPositional) return static_cast<std::uint32_t>(p);
  }
  return std::nullopt;
}

namespace {

constexpr int kMostNots = 8;  // around one test

// Without its `not`s; `source` says which value a name stands for.
template <typename Source>
Test WithoutNots(const ir::Program& program, Test test, Source source) {
  for (int steps = 0; steps < kMostNots && test.id.valid(); ++steps) {
    test.id = source(test.id);
    if (!test.id.valid()) break;
    const ir::OpKind kind = program.ops[test.id].kind;
    if (kind == ir::OpKind::kNot) test.holds = !test.holds;
    if (kind != ir::OpKind::kNot && kind != ir::OpKind::kTruth) break;
    test.id = program.Operand(test.id, 0);
  }
  return test;
}

}  // namespace

Test TestOf(const ir::Program& program, const ir::Guard& guard) {
  return WithoutNots(program, {guard.truth, guard.holds}, [](ir::ValueId id) { return id; });
}

Test TestAtEnd(const Facts& facts, ir::BlockId id) {
  const ir::Program& program = facts.program();
  const ir::Block& block = program.blocks[id];
  if (block.ops.empty() || program.ops[block.ops.back()].kind != ir::OpKind::kBranch) return {};
  const ir::ValueId asked = program.Operand(block.ops.back(), 0);
  return WithoutNots(program, {asked, true}, [&](ir::ValueId value) { return facts.Source(value); });
}

namespace {

// What the test looks at besides constants: a parameter, perhaps in lower case, or its number of axes.
struct Subject {
  ir::ValueId id;
  bool lower = false;
  bool rank = false;
};

// `.lower()`; None() for anything else.
ir::ValueId LowerOf(const ir::Program& program, ir::ValueId id) {
  const ir::Op& op = program.ops[id];
  const ir::ValueId called = op.kind == ir::OpKind::kCall ? program.Operand(id, 0) : ir::ValueId::None();
  if (!called.valid() || program.ops[called].kind != ir::OpKind::kAttr || program.Name(program.ops[called]) != "lower")
    return {};
  return program.Operand(called, 0);
}

// What a function of the program hands back as it was given it, as its first argument, or refuses: `method =
// one_of(method, "method", options)`. None() where it may give anything else.
Subject HandedBack(const Facts& facts, const Facts::Impl& impl, ir::ValueId call) {
  constexpr std::size_t kMostValues = 16;
  const ir::Program& program = facts.program();
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind != Callee::Kind::kLocal || program.functions[callee.function].owner.valid()) return {};
  const ir::Function& function = program.functions[callee.function];
  if (function.params.empty() || function.is_generator || function.is_async || !function.decorators.empty()) return {};
  bool lower = false, found = false;
  std::vector<ir::ValueId> work;
  const auto add = [&](ir::ValueId id) {
    id = facts.Source(id);
    if (id.valid() && std::find(work.begin(), work.end(), id) == work.end()) work.push_back(id);
  };
  for (const ir::ValueId leave : function.returns) {
    if (program.ops[leave].operand_count != 0) add(program.Operand(leave, 0));
  }
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (work.size() > kMostValues) return {};
    const ir::Op& op = program.ops[work[i]];
    if (op.kind == ir::OpKind::kPhi) {
      for (const ir::ValueId operand : program.Operands(work[i])) add(operand);
    } else if (ParamOf(facts, callee.function, work[i]) == 0U) {
      found = true;
    } else if (const ir::ValueId text = LowerOf(program, work[i]); text.valid()) {
      lower = true;
      add(text);
    } else if (op.kind == ir::OpKind::kSubscript) {  // of a table that the call leaves out
      const auto table = ParamOf(facts, callee.function, program.Operand(work[i], 0));
      const ir::ValueId given = table ? Passed(facts, impl, call, function, *table) : ir::ValueId::None();
      if (!given.valid() || facts.Of(given).kind != Kind::kNone) return {};
    } else if (facts.Of(work[i]).kind != Kind::kNone) {
      return {};
    }
  }
  return found ? Subject{Passed(facts, impl, call, function, 0), lower} : Subject{};
}

Subject SubjectOf(const Facts& facts, const Facts::Impl& impl, ir::ValueId id) {
  id = facts.Source(id);
  if (!id.valid() || facts.program().ops[id].kind != ir::OpKind::kCall) return {id};
  if (const ir::ValueId text = LowerOf(facts.program(), id); text.valid()) return {text, true};
  if (facts.ApiName(facts.program().Operand(id, 0)) == "numpy.ndim" && facts.PositionalCount(id) == 1)
    return {facts.program().Operand(id, 1), false, true};
  const Subject handed_back = HandedBack(facts, impl, id);
  return handed_back.id.valid() ? handed_back : Subject{id};
}

}  // namespace

ir::ValueId GivenTo(const Facts& facts, const Facts::Impl& impl, ir::ValueId value) {
  const ir::ValueId call = facts.Source(value);
  if (!call.valid() || facts.program().ops[call].kind != ir::OpKind::kCall) return value;
  const Subject given = HandedBack(facts, impl, call);
  return given.id.valid() ? given.id : value;
}

bool IsInstanceTest(const Facts& facts, const Facts::Impl& impl, ir::ValueId id) {
  return BuiltinCalled(facts, impl, id) == "isinstance";
}

namespace {

// What a call asks of its one argument: "numpy.isscalar", "numpy.iterable", "callable"; else empty.
std::string_view QuestionOf(const Facts& facts, const Facts::Impl& impl, ir::ValueId id) {
  if (!id.valid() || facts.program().ops[id].kind != ir::OpKind::kCall || facts.PositionalCount(id) != 1) return {};
  if (BuiltinCalled(facts, impl, id) == "callable") return "callable";
  const std::string_view name = facts.ApiName(facts.program().Operand(id, 0));
  return name == "numpy.isscalar" || name == "numpy.iterable" ? name : std::string_view();
}

}  // namespace

// `method.startswith("exact")`, `name.endswith("_c")`
bool AsksForPart(const Facts& facts, ir::ValueId id) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[id];
  if (op.kind != ir::OpKind::kCall || program.Shape(op).positional != 1 || !program.Shape(op).keywords.empty())
    return false;
  const ir::ValueId called = program.Operand(id, 0);
  if (!called.valid() || program.ops[called].kind != ir::OpKind::kAttr) return false;
  const std::string_view name = program.Name(program.ops[called]);
  return (name == "startswith" || name == "endswith") && facts.TextOf(program.Operand(id, 1)).has_value();
}

bool AsksForKeyword(const Facts& facts, ir::ValueId id) {
  const ir::Op& op = facts.program().ops[id];
  if (op.kind != ir::OpKind::kCompare) return false;
  const auto compare = static_cast<ir::CompareOp>(op.detail);
  if (compare != ir::CompareOp::kIn && compare != ir::CompareOp::kNotIn) return false;
  return facts.TextOf(facts.program().Operand(id, 0)).has_value() &&
         facts.Of(facts.program().Operand(id, 1)).kind == Kind::kDict;
}

ir::ValueId TestedValue(const Facts& facts, const Facts::Impl& impl, const Test& test) {
  const ir::Program& program = facts.program();
  if (!test.id.valid()) return {};
  if (AsksForKeyword(facts, test.id)) return program.Operand(test.id, 1);
  if (program.ops[test.id].kind == ir::OpKind::kCompare) return SubjectOf(facts, impl, program.Operand(test.id, 0)).id;
  if (AsksForPart(facts, test.id)) return SubjectOf(facts, impl, program.Operand(program.Operand(test.id, 0), 0)).id;
  const bool asks = IsInstanceTest(facts, impl, test.id) || !QuestionOf(facts, impl, test.id).empty();
  return asks ? program.Operand(test.id, 1) : test.id;
}

namespace {

std::string TextOf(const Facts::Impl& impl, const Value& text, bool lower) {
  std::string result(impl.names.Text(text.name));
  if (!lower) return result;
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

// Whether two constants are equal; nullopt where one of them is not known.
std::optional<bool> Equal(const Facts::Impl& impl, const Value& a, const Value& b, bool lower) {
  const auto known = [](const Value& value) { return value.kind == Kind::kNone || value.constant; };
  if (!known(a) || !known(b)) return std::nullopt;
  if (a.kind == Kind::kStr && b.kind == Kind::kStr) {
    return TextOf(impl, a, lower) == impl.names.Text(b.name);
  }
  if (IsNumber(a.kind) && IsNumber(b.kind)) return a.number == b.number;
  return a.kind == b.kind;  // None and None; else a text and a number, or None and either
}

std::optional<bool> IsOfBuiltin(const Value& value, std::string_view type) {
  static constexpr auto kTypes = std::to_array<std::pair<std::string_view, Kind>>({{"bool", Kind::kBool},
                                                                                   {"dict", Kind::kDict},
                                                                                   {"float", Kind::kFloat},
                                                                                   {"int", Kind::kInt},
                                                                                   {"list", Kind::kList},
                                                                                   {"set", Kind::kSet},
                                                                                   {"str", Kind::kStr},
                                                                                   {"tuple", Kind::kTuple}});
  const auto named = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.first == type; });
  if (named == kTypes.end()) return std::nullopt;
  if (value.kind == named->second || (type == "int" && value.kind == Kind::kBool)) return true;
  const bool plain =
      value.kind == Kind::kNone || value.kind == Kind::kArray ||
      std::any_of(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.second == value.kind; });
  if (!plain) return std::nullopt;
  return false;
}

// What no class of the program or of NumPy has objects of, but for a subclass of the type itself.
bool IsPlain(const Value& value) {
  return value.kind == Kind::kNone || value.kind == Kind::kStr || value.kind == Kind::kBool || IsNumber(value.kind);
}

// `np.ndim(x) == 0` of what has no axes
std::optional<bool> ComparesAxes(ir::CompareOp compare, std::int64_t with) {
  switch (compare) {
    case ir::CompareOp::kEq: return with == 0;
    case ir::CompareOp::kNe: return with != 0;
    case ir::CompareOp::kLt: return with > 0;
    case ir::CompareOp::kLe: return with >= 0;
    case ir::CompareOp::kGt: return with < 0;
    case ir::CompareOp::kGe: return with <= 0;
    default: return std::nullopt;
  }
}

std::optional<bool> IsOfClass(const Facts::Impl& impl, const Value& value, ir::ClassId class_id) {
  if (IsPlain(value) || (value.kind == Kind::kArray && !value.class_id.valid())) return false;
  if (value.kind != Kind::kInstance) return std::nullopt;
  if (IsA(impl, value.class_id, class_id)) return true;
  // An object of a derived class may be both.
  const std::vector<ir::ClassId>& heirs = impl.heirs[value.class_id];
  const bool may_be = std::ranges::any_of(heirs, [&](ir::ClassId heir) { return IsA(impl, heir, class_id); });
  return may_be ? std::nullopt : std::optional(false);
}

// A type of a library: `np.ndarray`, `numbers.Number`.
std::optional<bool> IsOfLibrary(const Value& value, std::string_view type) {
  const bool text = value.kind == Kind::kNone || value.kind == Kind::kStr;
  const bool number = value.kind == Kind::kBool || IsNumber(value.kind);
  if (type == "numpy.ndarray") return text || number ? std::optional(false) : std::nullopt;
  if (type == "numbers.Number" || type == "numbers.Complex" || type == "numbers.Real" || type == "numbers.Integral") {
    if (text) return false;
    if (!number) return std::nullopt;
    if (type == "numbers.Integral" && value.kind == Kind::kNumber) return std::nullopt;
    if (type == "numbers.Integral") return value.kind == Kind::kInt || value.kind == Kind::kBool;
    return type != "numbers.Real" || value.kind != Kind::kComplex;
  }
  static constexpr auto kOthers =
      std::to_array<std::string_view>({"cupy", "dask", "h5py", "jax", "networkx", "pandas", "polars", "scipy",
                                       "sklearn", "tensorflow", "torch", "xarray"});
  const std::string_view library = type.substr(0, type.find('.'));
  if (std::find(kOthers.begin(), kOthers.end(), library) != kOthers.end()) {
    const bool array = value.kind == Kind::kArray && value.library == Library::kDevice && !value.class_id.valid();
    return text || number || array ? std::optional(false) : std::nullopt;
  }
  // `np.integer`, `np.floating`: what is a number of Python here may be one of NumPy's.
  return text && type.starts_with("numpy.") ? std::optional(false) : std::nullopt;
}

// One of the types that `isinstance` is asked for.
std::optional<bool> IsOfType(const Facts::Impl& impl, const Value& value, const Value& type) {
  switch (type.kind) {
    case Kind::kBuiltin: return IsOfBuiltin(value, impl.names.Text(type.name));
    case Kind::kClass: return IsOfClass(impl, value, type.class_id);
    case Kind::kApi:
    case Kind::kForeign: return IsOfLibrary(value, impl.names.Text(type.name));
    case Kind::kDType: return value.kind == Kind::kNone ? std::optional(false) : std::nullopt;
    default: return std::nullopt;
  }
}

// `isinstance(x, float)`, `isinstance(x, (int, float))`
std::optional<bool> IsOfTypes(const Facts::Impl& impl, const Value& value, const Value& types) {
  if (types.kind != Kind::kTuple) return IsOfType(impl, value, types);
  if (!types.elements.valid()) return std::nullopt;
  bool known = true;
  for (const Value& type : impl.store.Get(types.elements)) {
    const std::optional<bool> one = IsOfType(impl, value, type);
    if (one == true) return true;
    known = known && one;
  }
  return known ? std::optional(false) : std::nullopt;
}

// `np.isscalar(x)`, `np.iterable(x)`, `callable(x)`
std::optional<bool> AnswersTo(const Value& value, std::string_view question) {
  const bool number = value.kind == Kind::kBool || IsNumber(value.kind);
  const bool array = value.kind == Kind::kArray;
  const bool sequence = value.kind == Kind::kTuple || value.kind == Kind::kList || value.kind == Kind::kDict;
  if (!number && !array && !sequence && value.kind != Kind::kNone && value.kind != Kind::kStr) return std::nullopt;
  if (question == "callable") return false;
  if (question == "numpy.isscalar") return number || value.kind == Kind::kStr;
  if (array) return std::nullopt;  // of no axis, perhaps
  return sequence || value.kind == Kind::kStr;
}

std::optional<bool> Truth(const Facts::Impl& impl, const Value& value) {
  if (value.kind == Kind::kNone) return false;
  if (!value.constant) return std::nullopt;
  return value.kind == Kind::kStr ? !impl.names.Text(value.name).empty() : value.number != 0;
}

}  // namespace

std::optional<bool> Decide(const Facts& facts, const Facts::Impl& impl, ir::ValueId test, const Value& value) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[test];
  if (AsksForPart(facts, test)) {
    if (value.kind != Kind::kStr || !value.constant) return std::nullopt;
    const ir::ValueId called = program.Operand(test, 0);
    const std::string text = TextOf(impl, value, SubjectOf(facts, impl, program.Operand(called, 0)).lower);
    const std::string_view part = *facts.TextOf(program.Operand(test, 1));
    return program.Name(program.ops[called]) == "startswith" ? text.starts_with(part) : text.ends_with(part);
  }
  if (op.kind == ir::OpKind::kCall) {
    if (IsInstanceTest(facts, impl, test)) return IsOfTypes(impl, value, facts.Of(program.Operand(test, 2)));
    const std::string_view question = QuestionOf(facts, impl, test);
    return question.empty() ? std::nullopt : AnswersTo(value, question);
  }
  if (op.kind != ir::OpKind::kCompare) return Truth(impl, value);
  const Subject subject = SubjectOf(facts, impl, program.Operand(test, 0));
  const bool lower = subject.lower;
  const Value& other = facts.Of(program.Operand(test, 1));
  const auto compare = static_cast<ir::CompareOp>(op.detail);
  if (subject.rank) {
    const std::optional<std::int64_t> axes = facts.IntOf(program.Operand(test, 1));
    return axes && IsPlain(value) ? ComparesAxes(compare, *axes) : std::nullopt;
  }
  switch (compare) {
    case ir::CompareOp::kEq:
    case ir::CompareOp::kNe: {
      const std::optional<bool> equal = Equal(impl, value, other, lower);
      if (!equal) return std::nullopt;
      return *equal == (compare == ir::CompareOp::kEq);
    }
    case ir::CompareOp::kIs:
    case ir::CompareOp::kIsNot: {
      std::optional<bool> same;
      if (other.kind == Kind::kNone && value.kind != Kind::kUnknown && value.kind != Kind::kBottom)
        same = value.kind == Kind::kNone;
      if (other.kind == Kind::kBool && other.constant) same = Equal(impl, value, other, false);
      if (!same) return std::nullopt;
      return *same == (compare == ir::CompareOp::kIs);
    }
    case ir::CompareOp::kIn:
    case ir::CompareOp::kNotIn: {
      if ((other.kind != Kind::kTuple && other.kind != Kind::kList) || !other.elements.valid()) return std::nullopt;
      bool found = false;
      for (const Value& element : impl.store.Get(other.elements)) {
        const std::optional<bool> equal = Equal(impl, value, element, lower);
        if (!equal) return std::nullopt;
        found = found || *equal;
      }
      return found == (compare == ir::CompareOp::kIn);
    }
    default: return std::nullopt;
  }
}

std::optional<std::uint32_t> ParamAsked(const Facts& facts, const Facts::Impl& impl, ir::FunctionId function,
                                        const Test& test) {
  constexpr std::size_t kMostValues = 8;
  const ir::Program& program = facts.program();
  const ir::ValueId tested = facts.Source(TestedValue(facts, impl, test));
  if (!tested.valid() || program.ops[tested].kind != ir::OpKind::kPhi) return ParamOf(facts, function, tested);
  std::optional<std::uint32_t> asked;
  std::vector<ir::ValueId> work = {tested};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (program.ops[work[i]].kind == ir::OpKind::kPhi) {
      for (const ir::ValueId operand : program.Operands(work[i])) {
        const ir::ValueId source = facts.Source(operand);
        if (!source.valid() || work.size() == kMostValues) return std::nullopt;
        if (std::find(work.begin(), work.end(), source) == work.end()) work.push_back(source);
      }
      continue;
    }
    const std::optional<std::uint32_t> param = ParamOf(facts, function, work[i]);
    if (param && !asked) {
      asked = param;
    } else if (param || Decide(facts, impl, test.id, facts.Of(work[i])) != !test.holds) {
      return std::nullopt;
    }
  }
  return asked;
}

bool AsksForOneCase(const Facts& facts, const Test& test) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[test.id];
  if (op.kind != ir::OpKind::kCompare) return test.holds;
  const auto is_constant = [&](ir::ValueId id) {
    const Value& value = facts.Of(id);
    return value.kind == Kind::kNone || value.constant;
  };
  switch (static_cast<ir::CompareOp>(op.detail)) {
    case ir::CompareOp::kEq:
    case ir::CompareOp::kIs: return test.holds && is_constant(program.Operand(test.id, 1));
    case ir::CompareOp::kNe:
    case ir::CompareOp::kIsNot: return !test.holds && is_constant(program.Operand(test.id, 1));
    case ir::CompareOp::kIn: return test.holds;
    case ir::CompareOp::kNotIn: return !test.holds;
    default: return false;
  }
}

namespace {

// `layers.distance(x)` with nobody knows what layers: a method of the program by its name alone.
bool IsCallOnUnknown(const Facts& facts, ir::ValueId call) {
  const ir::ValueId callee = facts.program().Operand(call, 0);
  return facts.Of(callee).kind == Kind::kUnknown && facts.program().ops[callee].kind == ir::OpKind::kAttr;
}

// The call hands over its object before its arguments: obj.f(x), Class(x), obj(x).
bool HandsOverObject(const Facts& facts, const Facts::Impl& impl, ir::ValueId call) {
  const Value& callee = facts.Of(facts.program().Operand(call, 0));
  switch (callee.kind) {
    case Kind::kClass:
    case Kind::kInstance: return true;
    case Kind::kUnknown: return IsCallOnUnknown(facts, call);
    case Kind::kMethod:
      return callee.function.valid() && !impl.functions[callee.function].is_static &&
             (facts.Of(callee.receiver).kind != Kind::kClass || impl.functions[callee.function].is_classmethod);
    case Kind::kFunction: {  // one of several methods
      if (!callee.elements.valid()) return false;
      const std::vector<Value>& either = facts.store().Get(callee.elements);
      return std::any_of(either.begin(), either.end(), [](const Value& one) { return one.kind == Kind::kMethod; });
    }
    default: return false;
  }
}

}  // namespace

ir::ValueId Passed(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, const ir::Function& function,
                   std::uint32_t param) {
  const ir::Program& program = facts.program();
  if (program.ops[call].kind != ir::OpKind::kCall) return {};
  // `map(f, items)` hands over its items; `super().__new__(cls, x)` names the class itself.
  switch (facts.Of(program.Operand(call, 0)).kind) {
    case Kind::kFunction:
    case Kind::kClass:
    case Kind::kInstance:
    case Kind::kMethod: break;
    default:
      if (!IsCallOnUnknown(facts, call)) return {};
  }
  if (impl.names.Text(function.name) == "__new__") return {};
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  const std::uint32_t first = HandsOverObject(facts, impl, call) ? 1 : 0;
  if (param < first) return {};
  bool has_star = false;
  for (std::uint32_t i = 0; i < shape.positional; ++i) {
    const ir::ValueId argument = program.Operand(call, 1 + i);
    if (program.ops[argument].kind == ir::OpKind::kStarred) {
      has_star = true;
      break;
    }
    if (i == param - first) return argument;
  }
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    if (!shape.keywords[i].valid()) has_star = true;
    if (shape.keywords[i] == function.params[param].name)
      return program.Operand(call, static_cast<std::uint32_t>(1 + shape.positional + i));
  }
  return has_star ? ir::ValueId::None() : function.params[param].default_value;
}

ir::ValueId GivenBy(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::FunctionId function,
                    std::size_t param) {
  const ir::Program& program = facts.program();
  if (program.ops[call].kind != ir::OpKind::kCall) return {};
  const ir::Function& called = program.functions[function];
  ir::ValueId given = facts.KeywordArgument(call, impl.names.Text(called.params[param].name));
  if (!given.valid()) given = HandedOver(facts, call, function, param).value;
  if (!given.valid() && facts.Of(program.Operand(call, 0)).kind == Kind::kUnknown)
    given = Passed(facts, impl, call, called, static_cast<std::uint32_t>(param));
  return given;
}

bool AnswersBefore(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  const ir::ValueId called = program.ops[call].kind == ir::OpKind::kCall ? program.Operand(call, 0) : ir::ValueId();
  if (!called.valid() || program.ops[called].kind != ir::OpKind::kAttr) return false;
  const ir::ValueId object = facts.Source(program.Operand(called, 0));
  return AnyTestAround(program, program.ops[call].block, [&](const Test& test, ir::GuardId) {
    if (program.ops[test.id].kind != ir::OpKind::kCall) return false;
    const ir::ValueId method = program.Operand(test.id, 0);
    return method.valid() && program.ops[method].kind == ir::OpKind::kAttr &&
           facts.Source(program.Operand(method, 0)) == object;
  });
}

}  // namespace cpnlint::analysis
