#include "analyzer/analysis/type_questions.h"

#include <algorithm>
#include <array>
#include <functional>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

using ir::OpKind;

constexpr std::size_t kMostTypes = 16;
constexpr std::size_t kMostReturns = 4;

bool IsCallOf(const ir::Program& program, ir::ValueId id, std::string_view builtin, std::uint32_t arguments) {
  const ir::Op& op = program.ops[id];
  if (op.kind != OpKind::kCall || op.operand_count != arguments + 1) return false;
  const ir::ValueId callee = program.Operand(id, 0);
  return callee.valid() && program.ops[callee].kind == OpKind::kBuiltin && program.Name(program.ops[callee]) == builtin;
}

// How `a and b`, `a or b` join what their Phi op has for operands; nullopt of any other Phi.
std::optional<ir::TruthContext> JoinedBy(const ir::Program& program, ir::ValueId phi) {
  const auto before = program.blocks[program.ops[phi].block].preds;
  if (before.empty() || program.ops[phi].operand_count != before.size()) return std::nullopt;
  const ir::Block& first = program.blocks[before[0]];
  if (first.ops.empty() || program.ops[first.ops.back()].kind != OpKind::kBranch) return std::nullopt;
  const ir::ValueId truth = program.Operand(first.ops.back(), 0);
  if (!truth.valid() || program.ops[truth].kind != OpKind::kTruth ||
      program.Operand(truth, 0) != program.Operand(phi, 0))
    return std::nullopt;
  const auto context = static_cast<ir::TruthContext>(program.ops[truth].detail);
  const bool joins = context == ir::TruthContext::kAnd || context == ir::TruthContext::kOr;
  return joins ? std::optional(context) : std::nullopt;
}

// `isinstance(x, A) or isinstance(x, B)`; without types where one part asks something else.
TypeQuestion EitherOf(const ir::Program& program, ir::ValueId phi) {
  TypeQuestion either;
  for (const ir::ValueId part : program.Operands(phi)) {
    TypeQuestion one = part.valid() ? TypeQuestionOf(program, part) : TypeQuestion{};
    if (one.types.empty() || (either.value.valid() && either.value != one.value)) return {};
    either.value = one.value;
    either.types.insert(either.types.end(), one.types.begin(), one.types.end());
  }
  return either;
}

// What holds where the value is true: one part of an `and`, or all of an `or` together.
TypeQuestion ImpliedBy(const ir::Program& program, ir::ValueId value) {
  if (program.ops[value].kind != OpKind::kPhi) return TypeQuestionOf(program, value);
  const std::optional<ir::TruthContext> joined = JoinedBy(program, value);
  if (!joined) return {};
  if (*joined == ir::TruthContext::kOr) return EitherOf(program, value);
  for (const ir::ValueId part : program.Operands(value)) {
    if (!part.valid()) continue;
    const bool either = program.ops[part].kind == OpKind::kPhi && JoinedBy(program, part) == ir::TruthContext::kOr;
    TypeQuestion found = either ? EitherOf(program, part) : TypeQuestionOf(program, part);
    if (!found.types.empty()) return found;
  }
  return {};
}

bool IsFalse(const ir::Program& program, ir::ValueId value) {
  const ir::Op& op = program.ops[value];
  return op.kind == OpKind::kNone || (op.kind == OpKind::kBool && program.ints[op.payload] == 0);
}

// The kind of the values of one type; kBottom of a number that may be complex.
Kind KindOfType(const Interner& names, const Value& type) {
  const std::string_view name = names.Text(type.name);
  if (type.kind == Kind::kBuiltin) {
    if (name == "int") return Kind::kInt;
    if (name == "float") return Kind::kFloat;
    if (name == "bool") return Kind::kBool;
    if (name == "str") return Kind::kStr;
    return name == "complex" ? Kind::kBottom : Kind::kUnknown;
  }
  if (type.kind == Kind::kDType)
    return ir::IsInteger(type.dtype) ? Kind::kInt : ir::IsFloat(type.dtype) ? Kind::kFloat : Kind::kUnknown;
  if (type.kind != Kind::kApi && type.kind != Kind::kForeign) return Kind::kUnknown;
  if (IsOneOf(name, {"numbers.Integral", "numpy.integer", "numpy.signedinteger", "numpy.unsignedinteger"}))
    return Kind::kInt;
  if (name == "numpy.floating") return Kind::kFloat;
  if (name == "numbers.Real") return Kind::kNumber;
  if (name == "numpy.bool" || name == "numpy.bool_") return Kind::kBool;
  const bool number = IsOneOf(name, {"numbers.Number", "numbers.Complex", "numpy.number", "numpy.inexact",
                                     "numpy.complexfloating", "numpy.generic", "numpy.ScalarType"});
  return number ? Kind::kBottom : Kind::kUnknown;
}

// Modules whose classes say what can be done with a value, not what it is: arrays may be of them.
bool IsOfProtocols(std::string_view dotted) {
  constexpr auto kModules = std::to_array<std::string_view>({"abc", "builtins", "collections", "cupy", "cupynumeric",
                                                             "jax", "numbers", "numpy", "typing", "typing_extensions"});
  return std::ranges::any_of(kModules, [&](std::string_view module) { return StartsWithModule(dotted, module); });
}

// Nothing of the type is an array: a list, a text, a number, a class of another library by its name.
bool IsTypeOfNoArray(const Interner& names, const Value& type) {
  if (KindOfType(names, type) != Kind::kUnknown) return true;
  const std::string_view name = names.Text(type.name);
  if (type.kind == Kind::kBuiltin) {
    return IsOneOf(name, {"bytearray", "bytes", "dict", "frozenset", "list", "range", "set", "slice", "tuple", "type"});
  }
  if (type.kind != Kind::kApi && type.kind != Kind::kForeign) return false;
  // NumPy registers its arrays as neither.
  for (const std::string_view module : {"collections.abc.", "typing.", "typing_extensions."}) {
    if (name.starts_with(module)) return IsOneOf(name.substr(module.size()), {"Mapping", "MutableMapping", "Sequence"});
  }
  return IsClassOfOthers(names, type);
}

// Each of the types; the ops may stand for tuples of them. False where one is not known.
bool AllTypes(const ValueStore& store, const ValueOf& value_of, const std::vector<ir::ValueId>& types,
              const std::function<bool(const Value&)>& is) {
  return std::ranges::all_of(types, [&](ir::ValueId type) {
    if (!type.valid()) return false;
    const Value& value = value_of(type);
    if (value.kind != Kind::kTuple || !value.elements.valid()) return is(value);
    return std::ranges::all_of(store.Get(value.elements), is);
  });
}

// Of what is of the one kind or of the other.
Kind EitherKind(Kind a, Kind b) {
  if (a == b) return a;
  if (a == Kind::kUnknown || b == Kind::kUnknown || a == Kind::kStr || b == Kind::kStr) return Kind::kUnknown;
  return a == Kind::kBottom || b == Kind::kBottom ? Kind::kBottom : Kind::kNumber;
}

}  // namespace

TypeQuestion TypeQuestionOf(const ir::Program& program, ir::ValueId test) {
  TypeQuestion question;
  ir::ValueId type;
  if (IsCallOf(program, test, "isinstance", 2)) {
    question.value = program.Operand(test, 1);
    type = program.Operand(test, 2);
  } else if (program.ops[test].kind == OpKind::kCompare) {
    const auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
    const ir::ValueId left = program.Operand(test, 0);
    const bool one = compare == ir::CompareOp::kIs || compare == ir::CompareOp::kEq;
    if ((!one && compare != ir::CompareOp::kIn) || !left.valid() || !IsCallOf(program, left, "type", 1)) return {};
    type = program.Operand(test, 1);
    if (type.valid() && one != (program.ops[type].kind != OpKind::kTuple)) return {};
    question.value = program.Operand(left, 1);
  }
  if (!question.value.valid() || !type.valid()) return {};
  if (program.ops[type].kind != OpKind::kTuple) {
    question.types.push_back(type);
  } else if (program.ops[type].operand_count <= kMostTypes) {
    for (const ir::ValueId one : program.Operands(type)) question.types.push_back(one);
  }
  return question;
}

std::optional<std::pair<std::uint32_t, TypeQuestion>> AnswerOf(const ir::Program& program, ir::FunctionId function) {
  const ir::Function& record = program.functions[function];
  if (record.params.empty() || record.returns.size() > kMostReturns || record.is_generator || record.is_async ||
      record.owner.valid() || !record.decorators.empty())
    return std::nullopt;
  TypeQuestion answer;
  for (const ir::ValueId leave : record.returns) {
    const ir::ValueId given = program.ops[leave].operand_count != 0 ? program.Operand(leave, 0) : ir::ValueId::None();
    if (!given.valid() || IsFalse(program, given)) continue;
    TypeQuestion one = ImpliedBy(program, given);
    if (one.types.empty()) {  // if isinstance(x, int): return True
      AnyTestAround(program, program.ops[leave].block, [&](const Test& test, ir::GuardId) {
        if (test.holds) one = TypeQuestionOf(program, test.id);
        return test.holds && !one.types.empty();
      });
    }
    if (one.types.empty() || (answer.value.valid() && answer.value != one.value)) return std::nullopt;
    answer.value = one.value;
    answer.types.insert(answer.types.end(), one.types.begin(), one.types.end());
  }
  for (std::size_t i = 0; i < record.params.size(); ++i) {
    if (answer.value.valid() && record.params[i].value == answer.value)
      return std::pair(static_cast<std::uint32_t>(i), std::move(answer));
  }
  return std::nullopt;
}

Kind KindOfTypes(const ir::Program& program, const ValueStore& store, const ValueOf& value_of,
                 const std::vector<ir::ValueId>& types) {
  std::optional<Kind> common;
  const bool known = AllTypes(store, value_of, types, [&](const Value& type) {
    const Kind one = KindOfType(program.names, type);
    common = common ? EitherKind(*common, one) : one;
    return true;
  });
  return known ? common.value_or(Kind::kUnknown) : Kind::kUnknown;
}

bool AreOfNoArray(const ir::Program& program, const ValueStore& store, const ValueOf& value_of,
                  const std::vector<ir::ValueId>& types) {
  const auto is = [&](const Value& type) { return IsTypeOfNoArray(program.names, type); };
  return !types.empty() && AllTypes(store, value_of, types, is);
}

bool IsClassOfOthers(const Interner& names, const Value& type) {
  if (type.kind != Kind::kApi || type.library != Library::kOther) return false;
  const std::string_view name = names.Text(type.name), last = name.substr(name.rfind('.') + 1);
  return !last.empty() && last.front() >= 'A' && last.front() <= 'Z' && !IsOfProtocols(name);
}

// The question of a test, or of the function of the program that answers it; its types may be of that function.
static TypeQuestion QuestionBehind(const Facts& facts, ir::ValueId test) {
  const ir::Program& program = facts.program();
  TypeQuestion question = TypeQuestionOf(program, test);
  if (!question.types.empty() || program.ops[test].kind != OpKind::kCall) return question;
  const Callee& callee = facts.CalleeOf(test);
  if (callee.kind != Callee::Kind::kLocal) return {};
  auto answer = AnswerOf(program, callee.function);
  if (!answer || answer->first >= facts.PositionalCount(test)) return {};
  answer->second.value = program.Operand(test, 1 + answer->first);
  return std::move(answer->second);
}

ir::ValueId FoundNoArray(const Facts& facts, ir::ValueId test) {
  const ir::Program& program = facts.program();
  if (program.ops[test].kind == OpKind::kCall && facts.PositionalCount(test) == 1 &&
      facts.ApiName(program.Operand(test, 0)) == "numpy.isscalar")
    return program.Operand(test, 1);
  const TypeQuestion question = QuestionBehind(facts, test);
  const auto value_of = [&](ir::ValueId id) -> const Value& { return facts.Of(id); };
  return AreOfNoArray(program, facts.store(), value_of, question.types) ? question.value : ir::ValueId::None();
}

bool FindsOtherInArray(const Facts& facts, ir::ValueId test) {
  const ir::Program& program = facts.program();
  const ir::ValueId found = FoundNoArray(facts, test);
  if (!found.valid() || !facts.IsDevice(found)) return false;
  // What the array library gives is an array, also where its arguments are only taken for some. Anything else may be
  // handed over in another way by calls that nobody knows.
  const ir::ValueId source = facts.Source(found);
  if (!source.valid()) return false;
  if (program.ops[source].kind == OpKind::kCall && facts.CalleeOf(source).library == Library::kDevice)
    return ConfidenceOf(facts.Of(source).evidence) != Confidence::kPossible;
  return program.ops[source].kind != OpKind::kParam && facts.Of(source).evidence == 0;
}

}  // namespace cpnlint::analysis
