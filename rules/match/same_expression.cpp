#include "rules/match/same_expression.h"

#include <utility>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/layout.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr int kMostPairs = 200;

// A call that gives the same for the same arguments. Draws do not.
bool IsRepeatable(const Facts& facts, ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  switch (callee.kind) {
    case Callee::Kind::kApi:
    case Callee::Kind::kMethod: return BaseName(callee.name).substr(0, 7) != "random.";
    case Callee::Kind::kForeign: return callee.name.substr(0, 5) == "math.";
    case Callee::Kind::kBuiltin:
      return IsOneOf(callee.name, {"abs", "float", "int", "len", "max", "min", "round", "complex", "bool", "pow"});
    default: return false;
  }
}

bool SameOp(const Facts& facts, ValueId a, ValueId b) {
  const ir::Program& program = facts.program();
  const ir::Op &x = program.ops[a], &y = program.ops[b];
  if (x.kind != y.kind || x.detail != y.detail || x.operand_count != y.operand_count) return false;
  switch (x.kind) {
    case OpKind::kInt:
    case OpKind::kBool: return program.ints[x.payload] == program.ints[y.payload];
    case OpKind::kFloat:
    case OpKind::kComplex: return program.floats[x.payload] == program.floats[y.payload];
    case OpKind::kStr:
    case OpKind::kAttr:
    case OpKind::kLoadCell:
    case OpKind::kBuiltin: return x.payload == y.payload;
    case OpKind::kCall: {
      const ir::CallShape &p = program.Shape(x), &q = program.Shape(y);
      return p.positional == q.positional && p.keywords == q.keywords && IsRepeatable(facts, a);
    }
    case OpKind::kNone:
    case OpKind::kEllipsis:
    case OpKind::kUnary:
    case OpKind::kBinary:
    case OpKind::kCompare:
    case OpKind::kSubscript:
    case OpKind::kSlice:
    case OpKind::kTuple: return true;
    default: return false;
  }
}

// A literal, `:`, `i + 1` of numbers: the same wherever in the function it is written, as nothing changes what it is
// made of. The elements of an array change between two statements.
bool IsMadeOfOperandsAlone(const Facts& facts, ValueId value) {
  const ir::Op& op = facts.program().ops[value];
  switch (op.kind) {
    case OpKind::kInt:
    case OpKind::kFloat:
    case OpKind::kBool:
    case OpKind::kNone:
    case OpKind::kEllipsis:
    case OpKind::kSlice: return true;
    case OpKind::kUnary:
    case OpKind::kBinary: return analysis::IsNumber(facts.Of(value).kind);
    default: return false;
  }
}

}  // namespace

bool SameExpression(const Facts& facts, ValueId a, ValueId b) {
  const ir::Program& program = facts.program();
  std::vector<std::pair<ValueId, ValueId>> work = {{a, b}};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostPairs) return false;
    if (work[i].first.valid() != work[i].second.valid()) return false;
    if (!work[i].first.valid()) continue;
    const ValueId x = facts.Source(work[i].first), y = facts.Source(work[i].second);
    if (x == y) continue;
    const bool one_statement = program.ops[x].statement == program.ops[y].statement;
    if ((!one_statement && !IsMadeOfOperandsAlone(facts, x)) || !SameOp(facts, x, y)) return false;
    const auto p = program.Operands(x), q = program.Operands(y);
    for (std::size_t k = 0; k < p.size(); ++k) work.emplace_back(p[k], q[k]);
  }
  return true;
}

bool IsNumber(const Facts& facts, ValueId value) {
  return value.valid() &&
         (analysis::IsNumber(facts.Of(value).kind) || facts.Of(value).kind == analysis::Kind::kNumpyScalar);
}

bool IsScalar(const Facts& facts, ValueId value) {
  return value.valid() && (IsNumber(facts, value) || facts.IsZeroD(value));
}

bool HasWholeMask(const Facts& facts, ValueId op) {
  const auto keys = facts.KeysOf(op);
  if (keys.size() != 1 || !facts.IsDevice(keys[0]) || facts.Of(keys[0]).dtype != ir::DType::kBool) return false;
  const ValueId array = facts.program().Operand(op, 0);
  const int rank = facts.RankOf(keys[0]);
  return (rank > 0 && rank == facts.RankOf(array)) || SameShape(facts, keys[0], array);
}

}  // namespace cpnlint::rules::match
