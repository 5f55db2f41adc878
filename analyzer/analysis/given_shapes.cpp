// What a small function gives for the arrays of one call: `sigmoid(x)` of a layer here and of a whole batch there.

#include <algorithm>
#include <array>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/keys.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostParts = 48;  // of the expression that is returned

// What gives the shape of its arrays, or reduces one.
bool FollowsShapes(std::string_view name) {
  const api::Entry* row = api::Find(name);
  if (row != nullptr && row->kind == api::Kind::kUfunc) return true;
  return IsOneOf(name.substr(name.rfind('.') + 1), {"all", "amax", "amin", "any", "clip", "ix_", "max", "mean", "min",
                                                    "prod", "std", "sum", "var", "where"});
}

}  // namespace

bool Engine::HasKnownShape(const Value& array) const {
  return array.shape.valid() && std::ranges::count(store_.Get(array.shape), ir::DimId::None()) == 0;
}

// The shape of the one expression that the function returns, with the values of the call for its parameters; None()
// where it is more than operators, elementwise functions, reductions and parts of arrays.
ShapeId Engine::ShapeGiven(ir::ValueId call, ir::FunctionId function, const std::vector<ir::ValueId>& arguments) {
  const std::vector<ir::ValueId> returns = ReturnsReached(function, arguments);
  if (returns.size() != 1 || program_.functions[function].is_generator) return {};
  int parts = 0;
  const std::optional<Value> given = PartGiven(program_.Operand(returns.front(), 0), call, function, arguments, parts);
  return given && given->kind == Kind::kArray ? given->shape : ShapeId::None();
}

// NOLINTNEXTLINE(misc-no-recursion): `parts` bounds it
std::optional<Value> Engine::PartGiven(ir::ValueId id, ir::ValueId call, ir::FunctionId function,
                                       const std::vector<ir::ValueId>& arguments, int& parts) {
  if (!id.valid() || ++parts > kMostParts) return std::nullopt;
  const ir::Op& op = program_.ops[id];
  CallContext context{store_, impl_.names, call, Library::kDevice};
  // NOLINTNEXTLINE(misc-no-recursion)
  const auto part = [&](std::uint32_t operand) {
    return PartGiven(program_.Operand(id, operand), call, function, arguments, parts);
  };
  switch (op.kind) {
    case ir::OpKind::kParam: {
      const auto& params = program_.functions[function].params;
      const auto at = std::ranges::find(params, id, [](const ir::Param& one) { return one.value; });
      const auto index = static_cast<std::size_t>(at - params.begin());
      if (at == params.end() || !arguments[index].valid()) return std::nullopt;
      return Of(arguments[index]);
    }
    case ir::OpKind::kUnary: {
      const auto operand = part(0);
      if (!operand || operand->kind != Kind::kArray) return operand;
      return ResultOfUnary(context, static_cast<ir::UnaryOp>(op.detail), *operand);
    }
    case ir::OpKind::kBinary: {
      const auto left = part(0), right = left ? part(1) : std::nullopt;
      if (!right || (left->kind != Kind::kArray && right->kind != Kind::kArray)) return right ? left : right;
      return ResultOfBinary(context, static_cast<ir::BinaryOp>(op.detail), *left, *right);
    }
    case ir::OpKind::kCall: return CallGiven(id, call, function, arguments, parts);
    case ir::OpKind::kSubscript: return SubscriptGiven(id, call, function, arguments, parts);
    default: break;
  }
  const Value& value = Of(id);
  return IsNumber(value.kind) ? std::optional(value) : std::nullopt;
}

// `return self.full[np.ix_(chosen, chosen)]`: a part of an array that is the same for all calls.
// NOLINTNEXTLINE(misc-no-recursion)
std::optional<Value> Engine::SubscriptGiven(ir::ValueId id, ir::ValueId call, ir::FunctionId function,
                                            const std::vector<ir::ValueId>& arguments, int& parts) {
  const std::span<const ir::ValueId> operands = program_.Operands(id);
  if (operands.size() != 2 || !MakesOpenMesh(impl_, operands[1])) return std::nullopt;
  const Value base = Of(operands[0]);
  const auto mesh = PartGiven(operands[1], call, function, arguments, parts);
  if (base.kind != Kind::kArray || !mesh) return std::nullopt;
  CallContext context{store_, impl_.names, call, base.library};
  return ResultOfSubscript(context, base, std::array{MeshAsKey(store_, *mesh)}).value;
}

// NOLINTNEXTLINE(misc-no-recursion)
std::optional<Value> Engine::CallGiven(ir::ValueId id, ir::ValueId call, ir::FunctionId function,
                                       const std::vector<ir::ValueId>& arguments, int& parts) {
  const ir::CallShape& shape = program_.Shape(program_.ops[id]);
  const ir::ValueId called = program_.Operand(id, 0);
  const Value callee = Of(called);
  std::string name;
  std::vector<Value> positional;
  if (callee.kind == Kind::kApi) {
    name = impl_.names.Text(callee.name);
  } else if (callee.kind == Kind::kMethod && callee.receiver.valid()) {
    const auto receiver = PartGiven(callee.receiver, call, function, arguments, parts);
    if (!receiver || receiver->kind != Kind::kArray) return std::nullopt;
    name = "numpy.ndarray." + std::string(impl_.names.Text(callee.name));
    positional.push_back(*receiver);
  }
  if (name.empty() || !FollowsShapes(name)) return std::nullopt;
  for (std::uint32_t i = 1; i <= shape.positional; ++i) {
    const ir::ValueId argument = program_.Operand(id, i);
    const Value& fixed = Of(argument);
    const bool setting = fixed.kind == Kind::kTuple || fixed.kind == Kind::kBool || fixed.kind == Kind::kNone;
    const auto one = setting ? std::optional(fixed) : PartGiven(argument, call, function, arguments, parts);
    if (!one) return std::nullopt;
    positional.push_back(*one);
  }
  std::vector<KeywordArgument> keywords;
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    if (!shape.keywords[i].valid()) return std::nullopt;
    const ir::ValueId argument = program_.Operand(id, static_cast<std::uint32_t>(1 + shape.positional + i));
    keywords.push_back({impl_.names.Text(shape.keywords[i]), Of(argument)});
  }
  CallContext context{store_, impl_.names, call, Library::kDevice};
  return ResultOfCall(context, name, Arguments{positional, keywords, false});
}

}  // namespace cpnlint::analysis
