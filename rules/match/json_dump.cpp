#include "rules/match/json_dump.h"

#include <algorithm>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/rewrite.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Kind;
using analysis::Value;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr int kMostLevels = 4;  // of containers in containers

bool IsSingleFloat(const Facts& facts, const Value& value) {
  const bool number = value.dtype == ir::DType::kFloat64 || value.dtype == ir::DType::kUnknown;
  return value.kind == Kind::kArray && value.library == analysis::Library::kDevice && number &&
         analysis::Rank(facts.store(), value) == 0;
}

// Looks through what the code puts into a container, as far as one function shows it.
class Search {
 public:
  explicit Search(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  std::optional<Dumped> In(ValueId value, Span words, int level) {
    if (!value.valid() || level > kMostLevels) return std::nullopt;
    if (IsSingleFloat(facts_, facts_.Of(value))) return Dumped{words, facts_.Of(value).evidence};
    const ValueId made = facts_.Source(value);
    if (!made.valid()) return std::nullopt;
    switch (program_.ops[made].kind) {
      case OpKind::kDict:
      case OpKind::kList:
      case OpKind::kTuple:
        if (auto found = InDisplay(made, level)) return found;
        return Put(made, level);
      case OpKind::kCollection: return Collected(made, level);
      // Made elsewhere: what is known of it.
      case OpKind::kParam:
      case OpKind::kAttr:
      case OpKind::kLoadCell: return InValue(facts_.Of(value), 0, 0);
      case OpKind::kCall:
        return facts_.CalleeOf(made).kind == Callee::Kind::kLocal ? InValue(facts_.Of(value), 0, 0) : std::nullopt;
      default: return std::nullopt;
    }
  }

 private:
  std::optional<Dumped> InDisplay(ValueId display, int level) {
    const bool dict = program_.ops[display].kind == OpKind::kDict;
    const auto operands = program_.Operands(display);
    for (std::uint32_t i = dict ? 1 : 0; i < operands.size(); i += dict ? 2 : 1) {
      const bool other = dict && IsStoredAnew(display, operands[i - 1]);
      if (other) continue;
      if (auto found = In(operands[i], program_.OperandSpan(display, i), level + 1)) return found;
    }
    return std::nullopt;
  }

  // `[{"max": u.max()} for u in fields]`
  std::optional<Dumped> Collected(ValueId collection, int level) {
    for (const ValueId use : facts_.UsesOf(collection)) {
      if (program_.ops[use].kind != OpKind::kCollectItem || facts_.IsDead(use)) continue;
      const std::uint32_t last = program_.ops[use].operand_count - 1;  // of a dictionary the value
      if (auto found = In(program_.Operand(use, last), program_.OperandSpan(use, last), level + 1)) return found;
    }
    return std::nullopt;
  }

  // `rows.append(x)`, `rows["max"] = x`, `rows["all"].append(x)`, wherever the function does it.
  std::optional<Dumped> Put(ValueId container, int level) {
    if (level > kMostLevels) return std::nullopt;
    for (const ValueId use : facts_.DeepUsesOf(container)) {
      if (facts_.IsDead(use)) continue;
      const ir::Op& op = program_.ops[use];
      std::optional<Dumped> found;
      if (op.kind == OpKind::kAttr) {
        found = Appended(use, level);
      } else if (op.kind == OpKind::kSubscript && facts_.Source(program_.Operand(use, 0)) == container) {
        if (!IsStoredAnew(container, program_.Operand(use, 1))) found = Put(use, level + 1);
      } else if (op.kind == OpKind::kStoreSubscript && facts_.Source(program_.Operand(use, 0)) == container) {
        if (!IsStoredAnew(container, program_.Operand(use, 2)))
          found = In(program_.Operand(use, 1), program_.OperandSpan(use, 1), level + 1);
      }
      if (found) return found;
    }
    return std::nullopt;
  }

  std::optional<Dumped> Appended(ValueId method, int level) {
    for (const ValueId call : facts_.UsesOf(method)) {
      if (program_.ops[call].kind != OpKind::kCall || program_.Operand(call, 0) != method) continue;
      const Callee& callee = facts_.CalleeOf(call);
      if (callee.kind != Callee::Kind::kContainerMethod || callee.name != "list.append") continue;
      if (auto found = In(program_.Operand(call, 1), program_.OperandSpan(call, 1), level + 1)) return found;
    }
    return std::nullopt;
  }

  // Another value goes to that key as well, `rows[k] = float(rows[k])`: what stays there is not known.
  bool IsStoredAnew(ValueId container, ValueId key) {
    const auto text = facts_.TextOf(key);
    return std::ranges::any_of(facts_.DeepUsesOf(container), [&](ValueId use) {
      if (program_.ops[use].kind != OpKind::kStoreSubscript) return false;
      if (facts_.Source(program_.Operand(use, 0)) != container) return false;
      const auto other = facts_.TextOf(program_.Operand(use, 2));
      const bool same = !text || !other || *text == *other;
      return same && !facts_.IsDevice(program_.Operand(use, 1)) && !IsContainer(program_.Operand(use, 1));
    });
  }

  bool IsContainer(ValueId value) const {
    const Kind kind = facts_.Of(value).kind;
    return kind == Kind::kList || kind == Kind::kDict || kind == Kind::kTuple;
  }

  std::optional<Dumped> InValue(const Value& value, analysis::EvidenceSet evidence, int level) const {
    evidence = analysis::EvidenceSet(evidence | value.evidence);
    if (IsSingleFloat(facts_, value)) return Dumped{{}, evidence};
    if (level > kMostLevels) return std::nullopt;
    if (value.kind != Kind::kDict && value.kind != Kind::kList && value.kind != Kind::kTuple) return std::nullopt;
    for (const analysis::ElementsId held : {value.elements, value.item}) {
      if (!held.valid()) continue;
      for (const Value& one : facts_.store().Get(held)) {
        if (auto found = InValue(one, evidence, level + 1)) return found;
      }
    }
    return std::nullopt;
  }

  const Facts& facts_;
  const ir::Program& program_;
};

}  // namespace

std::optional<Dumped> DumpedResult(const Facts& facts, ValueId call) {
  if (facts.program().ops[call].kind != OpKind::kCall) return std::nullopt;
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind != Callee::Kind::kForeign || !IsOneOf(callee.name, {"json.dump", "json.dumps"})) return std::nullopt;
  if (facts.HasStarArguments(call) || facts.PositionalCount(call) == 0) return std::nullopt;
  for (const char* keyword : {"default", "cls"}) {
    const ValueId given = facts.KeywordArgument(call, keyword);
    if (given.valid() && !facts.IsNoneConstant(given)) return std::nullopt;
  }
  return Search(facts).In(facts.program().Operand(call, 1), facts.program().OperandSpan(call, 1), 0);
}

Text WithDefaultFloat(const Facts& facts, ValueId call) {
  const ir::Program& program = facts.program();
  Span last = program.OperandSpan(call, 1);
  for (std::uint32_t i = 2; i < program.ops[call].operand_count; ++i) {
    const Span span = program.OperandSpan(call, i);
    if (span.end > last.end) last = span;
  }
  return Replace(program.ops[call].span, {{last, Text(last).Add(", default=float")}});
}

}  // namespace cpnlint::rules::match
