#include "rules/match/on_by_default.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "analyzer/analysis/call_path.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr std::size_t kMostCalls = 32;
constexpr int kDeepest = 4;  // parameters that are handed on

// What is asked of one value, besides constants.
struct Question {
  ValueId of;
  ValueId compared;  // None() of `if flag:`
  ir::CompareOp compare = ir::CompareOp::kEq;
  bool holds = true;
};

std::optional<Question> QuestionOf(const Facts& facts, const ir::Guard& guard) {
  constexpr int kMostNots = 8;
  const ir::Program& program = facts.program();
  Question question{guard.truth, {}, ir::CompareOp::kEq, guard.holds};
  for (int steps = 0; steps < kMostNots; ++steps) {
    if (!question.of.valid()) return std::nullopt;
    question.of = facts.Source(question.of);
    const OpKind kind = program.ops[question.of].kind;
    if (kind != OpKind::kNot && kind != OpKind::kTruth) break;
    if (kind == OpKind::kNot) question.holds = !question.holds;
    question.of = program.Operand(question.of, 0);
  }
  if (question.of.valid() && program.ops[question.of].kind == OpKind::kCompare) {
    question.compare = static_cast<ir::CompareOp>(program.ops[question.of].detail);
    question.compared = program.Operand(question.of, 1);
    question.of = facts.Source(program.Operand(question.of, 0));
  }
  return question.of.valid() ? std::optional(question) : std::nullopt;
}

// Of a constant; nullopt where it is none.
std::optional<bool> IsTrue(const Facts& facts, ValueId value) {
  if (facts.IsNoneConstant(value)) return false;
  if (const auto truth = facts.BoolOf(value)) return truth;
  if (const auto number = facts.NumberOf(value)) return *number != 0;
  if (const auto text = facts.TextOf(value)) return !text->empty();
  return std::nullopt;
}

std::optional<double> NumberIn(const Facts& facts, ValueId value) {
  if (const auto truth = facts.BoolOf(value)) return *truth ? 1 : 0;
  return facts.NumberOf(value);
}

std::optional<bool> AreEqual(const Facts& facts, ValueId a, ValueId b) {
  if (!IsTrue(facts, a) || !IsTrue(facts, b)) return std::nullopt;
  const auto text = facts.TextOf(a), other = facts.TextOf(b);
  if (text || other) return text == other;
  const auto number = NumberIn(facts, a), second = NumberIn(facts, b);
  return number.has_value() == second.has_value() && number == second;
}

std::optional<bool> IsAmong(const Facts& facts, ValueId value, ValueId display) {
  const ir::Program& program = facts.program();
  display = display.valid() ? facts.Source(display) : display;
  if (!display.valid()) return std::nullopt;
  const OpKind kind = program.ops[display].kind;
  if (kind != OpKind::kTuple && kind != OpKind::kList && kind != OpKind::kSet) return std::nullopt;
  bool found = false;
  for (const ValueId item : program.Operands(display)) {
    const std::optional<bool> equal = AreEqual(facts, value, item);
    if (!equal) return std::nullopt;
    found = found || *equal;
  }
  return found;
}

// What the question gives for a constant.
std::optional<bool> Answer(const Facts& facts, const Question& question, ValueId value) {
  if (!question.compared.valid()) return IsTrue(facts, value);
  const auto negated = [](std::optional<bool> answer, bool not_so) {
    return answer ? std::optional(*answer != not_so) : std::nullopt;
  };
  switch (question.compare) {
    case ir::CompareOp::kEq:
    case ir::CompareOp::kIs: return AreEqual(facts, value, question.compared);
    case ir::CompareOp::kNe:
    case ir::CompareOp::kIsNot: return negated(AreEqual(facts, value, question.compared), true);
    case ir::CompareOp::kIn: return IsAmong(facts, value, question.compared);
    case ir::CompareOp::kNotIn: return negated(IsAmong(facts, value, question.compared), true);
    default: break;
  }
  const auto left = NumberIn(facts, value), right = NumberIn(facts, question.compared);
  if (!left || !right) return std::nullopt;
  switch (question.compare) {
    case ir::CompareOp::kLt: return *left < *right;
    case ir::CompareOp::kLe: return *left <= *right;
    case ir::CompareOp::kGt: return *left > *right;
    case ir::CompareOp::kGe: return *left >= *right;
    default: return std::nullopt;
  }
}

class Asked {
 public:
  Asked(const Facts& facts, const Question& question) : facts_(facts), program_(facts.program()), question_(question) {}

  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  [[nodiscard]] bool LetsThrough(ValueId value, int depth) const {
    if (!value.valid() || depth > kDeepest) return false;
    value = facts_.Source(value);
    switch (program_.ops[value].kind) {
      case OpKind::kParam: return Parameter(value, depth);
      case OpKind::kAttr: return Attribute(value, depth);
      case OpKind::kNone:
      case OpKind::kBool:
      case OpKind::kInt:
      case OpKind::kFloat:
      case OpKind::kStr: return Answer(facts_, question_, value) == question_.holds;
      default: return false;
    }
  }

 private:
  // By default, and some known call leaves it so; or by what every known call hands over.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool Parameter(ValueId param, int depth) const {
    const ir::FunctionId id = program_.FunctionOf(param);
    const ir::Function& function = program_.functions[id];
    const std::size_t index = program_.ops[param].detail;
    if (index >= function.params.size()) return false;
    const ValueId by_default = function.params[index].default_value;
    const auto calls = facts_.CallSitesOf(id);
    const bool on = LetsThrough(by_default, depth + 1);
    if (calls.empty() || calls.size() > kMostCalls) return on;
    // NOLINTNEXTLINE(misc-no-recursion)
    const auto lets_through = [&](ValueId call) {
      const analysis::Handed handed = analysis::HandedOver(facts_, call, id, index);
      return handed.known && LetsThrough(handed.value, depth + 1);
    };
    return on ? std::ranges::any_of(calls, lets_through) : std::ranges::all_of(calls, lets_through);
  }

  // All that the methods of the object's class store there.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool Attribute(ValueId read, int depth) const {
    const analysis::Value& object = facts_.Of(program_.Operand(read, 0));
    if (object.kind != Kind::kInstance) return false;
    const Symbol name = program_.SymbolOf(program_.ops[read]);
    bool any = false;
    for (const ir::FunctionId method : program_.classes[object.class_id].methods) {
      const ir::Function& function = program_.functions[method];
      for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
        const ir::Op& op = program_.ops[ValueId(i)];
        if (op.kind != OpKind::kStoreAttr || program_.SymbolOf(op) != name) continue;
        if (!LetsThrough(program_.Operand(ValueId(i), 1), depth + 1)) return false;
        any = true;
      }
    }
    return any;
  }

  const Facts& facts_;
  const ir::Program& program_;
  const Question& question_;
};

}  // namespace

bool IsOnByDefault(const Facts& facts, const ir::Guard& guard) {
  const std::optional<Question> question = QuestionOf(facts, guard);
  return question && Asked(facts, *question).LetsThrough(question->of, 0);
}

}  // namespace cpnlint::rules::match
