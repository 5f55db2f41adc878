#include "rules/match/running_sum.h"

#include <algorithm>
#include <string>
#include <vector>

#include "rules/match/expression.h"
#include "rules/match/rewrite.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using ir::OpKind;
using ir::ValueId;

namespace {

class Search {
 public:
  Search(const Facts& facts, ir::LoopId loop, ValueId array, Span words)
      : facts_(facts), program_(facts.program()), loop_(loop), array_(array), words_(words) {}

  std::optional<RunningSum> Find() {
    if (program_.loops[loop_].iterable != array_ || !FindSum() || !ReadTerm()) return std::nullopt;
    if (!LooksAtAll() || notes_ == 0) return std::nullopt;
    const Text term = Replace(term_words_, cuts_);
    return RunningSum{Text("np.cumsum(").Add(term).Add(", axis=0)"), notes_before_};
  }

 private:
  // `last = last + term`, from 0.
  bool FindSum() {
    for (const ValueId variable : program_.blocks[program_.loops[loop_].header].ops) {
      if (program_.ops[variable].kind != OpKind::kPhi) break;
      const auto ways = program_.Operands(variable);
      if (ways.size() != 2) return false;
      const auto is_sum = [&](ValueId way) {
        if (!way.valid()) return false;
        const ir::Op& op = program_.ops[way];
        return (op.kind == OpKind::kBinary || op.kind == OpKind::kInplaceBinary) &&
               static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd && program_.Operand(way, 0) == variable;
      };
      const std::size_t sum = is_sum(ways[0]) ? 0 : 1;
      if (variable_.valid() || !is_sum(ways[sum]) || facts_.NumberOf(ways[1 - sum]) != 0.0) return false;
      variable_ = variable;
      sum_ = ways[sum];
    }
    return variable_.valid();
  }

  // The term is made of the item's numbers, `g[1] - g[0]`, and of what no pass changes.
  bool ReadTerm() {
    const ValueId item = program_.loops[loop_].item;
    const ValueId term = program_.Operand(sum_, 1);
    term_words_ = program_.OperandSpan(sum_, 1);
    expression_ = ExpressionOf(facts_, term);
    bool of_item = false;
    for (const ValueId op : expression_) {
      const OpKind kind = program_.ops[op].kind;
      if (kind == OpKind::kSubscript) {
        const auto keys = facts_.KeysOf(op);
        if (facts_.Source(program_.Operand(op, 0)) != item || keys.size() != 1) return false;
        const auto position = facts_.IntOf(keys[0]);
        if (!position) return false;
        cuts_.push_back({program_.ops[op].span,
                         Text().Add(words_, Binding::kPrimary).Add("[:, " + std::to_string(*position) + "]")});
        of_item = true;
      } else if (kind == OpKind::kBinary) {
        if (static_cast<ir::BinaryOp>(program_.ops[op].detail) == ir::BinaryOp::kMatMul) return false;
        of_item = AddItem(op, item) || of_item;
      } else if (op != item && !analysis::IsNumber(facts_.Of(op).kind)) {
        return false;
      }
    }
    if (term == item && facts_.RankOf(array_) == 1) {
      cuts_.push_back({term_words_, Text(words_)});
      of_item = true;
    }
    std::ranges::sort(cuts_, {}, &Cut::span);
    return of_item;
  }

  // `2 * x` of the numbers of a flat array.
  bool AddItem(ValueId op, ValueId item) {
    bool added = false;
    for (std::uint32_t i = 0; i < program_.Operands(op).size(); ++i) {
      if (program_.Operand(op, i) != item || facts_.RankOf(array_) != 1) continue;
      cuts_.push_back({program_.OperandSpan(op, i), Text().Add(words_, Binding::kPrimary)});
      added = true;
    }
    return added;
  }

  [[nodiscard]] bool IsInTerm(ValueId op) const { return std::ranges::find(expression_, op) != expression_.end(); }

  // Nothing else is in the loop than the sum and `edges.append(last)`.
  bool LooksAtAll() {
    for (const ir::BlockId block : program_.functions[program_.loops[loop_].function].blocks) {
      const ir::LoopId in = program_.blocks[block].loop;
      if (!in.valid() || !facts_.LoopContains(loop_, in)) continue;
      if (in != loop_) return false;
      for (const ValueId op : program_.blocks[block].ops) {
        if (!MayStand(op)) return false;
      }
    }
    return true;
  }

  bool MayStand(ValueId op) {
    switch (program_.ops[op].kind) {
      case OpKind::kPhi: return op == variable_;
      case OpKind::kLoopItem:
      case OpKind::kForNext:
      case OpKind::kJump:
      case OpKind::kInt:
      case OpKind::kFloat: return true;
      case OpKind::kAttr: return program_.Name(program_.ops[op]) == "append";
      case OpKind::kCall: {
        const Callee& callee = facts_.CalleeOf(op);
        const ValueId noted = program_.Operand(op, 1);
        if (callee.kind != Callee::Kind::kContainerMethod || callee.name != "list.append") return false;
        if (noted != variable_ && noted != sum_) return false;
        notes_before_ = noted == variable_;
        ++notes_;
        return true;
      }
      default: return op == sum_ || IsInTerm(op);
    }
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
  ValueId array_;
  Span words_;
  ValueId variable_, sum_;
  Span term_words_;
  std::vector<ValueId> expression_;
  std::vector<Cut> cuts_;
  int notes_ = 0;
  bool notes_before_ = false;
};

}  // namespace

std::optional<RunningSum> RunningSumOf(const Facts& facts, ir::LoopId loop, ValueId array, Span words) {
  return Search(facts, loop, array, words).Find();
}

}  // namespace cpnlint::rules::match
