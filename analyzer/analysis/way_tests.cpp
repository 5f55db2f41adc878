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

Test TestOf(const ir::Program& program, const ir::Guard& guard) {
  Test test{guard.truth, guard.holds};
  for (int steps = 0; steps < 8 && test.id.valid(); ++steps) {
    const ir::OpKind kind = program.ops[test.id].kind;
    if (kind == ir::OpKind::kNot) test.holds = !test.holds;
    if (kind != ir::OpKind::kNot && kind != ir::OpKind::kTruth) break;
    test.id = program.Operand(test.id, 0);
  }
  return test;
}

namespace {

// What the test looks at besides constants: a parameter, perhaps in lower case.
struct Subject {
  ir::ValueId id;
  bool lower = false;
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
  return IsInstanceTest(facts, impl, test.id) ? program.Operand(test.id, 1) : test.id;
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

std::optional<bool> IsOfType(const Value& value, std::string_view type) {
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
    const Value& type = facts.Of(program.Operand(test, 2));
    return type.kind == Kind::kBuiltin ? IsOfType(value, impl.names.Text(type.name)) : std::nullopt;
  }
  if (op.kind != ir::OpKind::kCompare) return Truth(impl, value);
  const bool lower = SubjectOf(facts, impl, program.Operand(test, 0)).lower;
  const Value& other = facts.Of(program.Operand(test, 1));
  const auto compare = static_cast<ir::CompareOp>(op.detail);
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

}  // namespace cpnlint::analysis
