#include "rules/match/symmetry.h"

#include <algorithm>
#include <span>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/same_expression.h"

namespace cpnlint::rules::match {
namespace {

using ir::LoopId;
using ir::OpKind;
using ir::ValueId;

// `c[i, j]`, `c[i][j]`
struct Entry {
  ValueId matrix, row, column;
  Span span;  // of the matrix
};

class Nest {
 public:
  Nest(const Facts& facts, LoopId outer) : facts_(facts), program_(facts.program()), outer_(outer) {}

  std::optional<Text> AsTest() {
    if (!FindInner() || !CountsFromZero(outer_) || !GoesOverPairs() || !TakeBody()) return std::nullopt;
    const std::optional<Entry> left = EntryOf(program_.Operand(compare_, 0)),
                               right = EntryOf(program_.Operand(compare_, 1));
    if (!left || !right || !SameExpression(facts_, left->matrix, right->matrix)) return std::nullopt;
    const ValueId i = program_.loops[outer_].item, j = program_.loops[inner_].item;
    const bool crossed = (left->row == i && left->column == j && right->row == j && right->column == i) ||
                         (left->row == j && left->column == i && right->row == i && right->column == j);
    if (!crossed || !RaisesWhereDifferent()) return std::nullopt;
    return Words(*left);
  }

 private:
  bool FindInner() {
    for (const ir::BlockId block : Blocks()) {
      const LoopId loop = program_.blocks[block].loop;
      if (loop == outer_ || loop == inner_ || !facts_.LoopContains(outer_, loop)) continue;
      if (inner_.valid() || program_.loops[loop].parent != outer_) return false;
      inner_ = loop;
    }
    return inner_.valid();
  }

  [[nodiscard]] std::vector<ir::BlockId> Blocks() const {
    std::vector<ir::BlockId> blocks;
    for (const ir::BlockId block : program_.functions[program_.loops[outer_].function].blocks) {
      const LoopId loop = program_.blocks[block].loop;
      if (loop.valid() && facts_.LoopContains(outer_, loop)) blocks.push_back(block);
    }
    return blocks;
  }

  [[nodiscard]] ValueId RangeOf(LoopId loop) const {
    const ir::Loop& record = program_.loops[loop];
    const bool plain = record.kind == ir::Loop::Kind::kFor && !record.has_break && !record.has_else;
    const ValueId range = plain && record.iterable.valid() ? facts_.Source(record.iterable) : ValueId::None();
    const bool counts = range.valid() && program_.ops[range].kind == OpKind::kCall &&
                        facts_.Of(range).kind == analysis::Kind::kRange && !facts_.HasStarArguments(range);
    return counts && facts_.PositionalCount(range) <= 2 ? range : ValueId::None();
  }

  [[nodiscard]] bool CountsFromZero(LoopId loop) const {
    const ValueId range = RangeOf(loop);
    return range.valid() && (facts_.PositionalCount(range) == 1 || facts_.IntOf(program_.Operand(range, 1)) == 0);
  }

  [[nodiscard]] ValueId StopOf(LoopId loop) const {
    const ValueId range = RangeOf(loop);
    return program_.Operand(range, static_cast<std::uint32_t>(facts_.PositionalCount(range)));
  }

  [[nodiscard]] std::optional<std::int64_t> BeyondCounter(ValueId bound) const {
    return facts_.store().dims().Difference(facts_.Of(bound).dim, facts_.Of(program_.loops[outer_].item).dim);
  }

  // `range(i)`, `range(i + 1)`, `range(i + 1, n)`, `range(n)` where the outer loop goes over range(n).
  bool GoesOverPairs() {
    const ValueId range = RangeOf(inner_);
    if (!range.valid()) return false;
    const bool to_end =
        facts_.store().dims().Difference(facts_.Of(StopOf(inner_)).dim, facts_.Of(StopOf(outer_)).dim) == 0;
    if (CountsFromZero(inner_)) {
      const auto beyond = BeyondCounter(StopOf(inner_));
      diagonal_ = to_end || beyond == 1;
      return to_end || beyond == 0 || beyond == 1;
    }
    const auto beyond = BeyondCounter(program_.Operand(range, 1));
    diagonal_ = beyond == 0;
    return to_end && (beyond == 0 || beyond == 1);
  }

  // The nest does nothing but compare two entries and raise.
  bool TakeBody() {
    for (const ir::BlockId block : Blocks()) {
      const std::span<const ValueId> ops = program_.blocks[block].ops;
      if (ops.empty()) continue;
      if (program_.ops[ops.back()].kind == OpKind::kRaise) {
        if (raises_.valid()) return false;
        raises_ = block;
        continue;
      }
      for (const ValueId op : ops) {
        if (!MayStand(op)) return false;
      }
    }
    return compare_.valid() && raises_.valid();
  }

  bool MayStand(ValueId id) {
    const ir::Op& op = program_.ops[id];
    switch (op.kind) {
      case OpKind::kPhi:
      case OpKind::kForNext:
      case OpKind::kLoopItem:
      case OpKind::kIter:
      case OpKind::kJump:
      case OpKind::kBranch:
      case OpKind::kTruth:
      case OpKind::kNot:
      case OpKind::kInt:
      case OpKind::kBuiltin:
      case OpKind::kLoadCell:
      case OpKind::kAttr:
      case OpKind::kSubscript: return true;
      case OpKind::kBinary: return facts_.Of(id).kind == analysis::Kind::kInt;
      case OpKind::kCall: return facts_.Of(id).kind == analysis::Kind::kRange;
      case OpKind::kStoreCell: return program_.cells[ir::CellId(op.payload)].loads.empty();  // a module's counters
      case OpKind::kCompare: {
        const auto kind = static_cast<ir::CompareOp>(op.detail);
        if (compare_.valid() || (kind != ir::CompareOp::kEq && kind != ir::CompareOp::kNe)) return false;
        compare_ = id;
        return true;
      }
      default: return false;
    }
  }

  [[nodiscard]] std::optional<Entry> EntryOf(ValueId value) const {
    const ValueId last = value.valid() ? facts_.Source(value) : value;
    if (!last.valid() || program_.ops[last].kind != OpKind::kSubscript || !facts_.InLoop(last, inner_))
      return std::nullopt;
    const auto keys = facts_.KeysOf(last);
    if (keys.size() == 2) {
      if (facts_.RankOf(program_.Operand(last, 0)) > 2) return std::nullopt;
      return Entry{program_.Operand(last, 0), facts_.Source(keys[0]), facts_.Source(keys[1]),
                   program_.OperandSpan(last, 0)};
    }
    const ValueId row = facts_.Source(program_.Operand(last, 0));
    if (keys.size() != 1 || !row.valid() || program_.ops[row].kind != OpKind::kSubscript ||
        facts_.KeysOf(row).size() != 1 || facts_.RankOf(program_.Operand(row, 0)) > 2)
      return std::nullopt;
    return Entry{program_.Operand(row, 0), facts_.Source(facts_.KeysOf(row)[0]), facts_.Source(keys[0]),
                 program_.OperandSpan(row, 0)};
  }

  [[nodiscard]] bool RaisesWhereDifferent() const {
    const ir::Block& block = program_.blocks[program_.ops[compare_].block];
    if (block.ops.empty() || program_.ops[block.ops.back()].kind != OpKind::kBranch || block.succs.size() != 2)
      return false;
    const ValueId truth = program_.Operand(block.ops.back(), 0);
    if (!truth.valid() || program_.ops[truth].kind != OpKind::kTruth || program_.Operand(truth, 0) != compare_)
      return false;
    const bool equal = static_cast<ir::CompareOp>(program_.ops[compare_].detail) == ir::CompareOp::kEq;
    return block.succs[equal ? 1 : 0] == raises_;
  }

  // The statement that raises, where it says nothing of the counters and stands alone.
  [[nodiscard]] Span Raises() const {
    const std::span<const ValueId> ops = program_.blocks[raises_].ops;
    const ir::StatementId statement = program_.ops[ops.back()].statement;
    for (const ValueId op : ops) {
      const bool counts = facts_.DependsOnInduction(op, outer_) || facts_.DependsOnInduction(op, inner_) ||
                          std::ranges::any_of(program_.Operands(op), [&](ValueId operand) {
                            return operand.valid() && (facts_.DependsOnInduction(operand, outer_) ||
                                                       facts_.DependsOnInduction(operand, inner_));
                          });
      if (program_.ops[op].statement != statement || counts) return {};
    }
    const Span span = program_.statements[statement].span;
    constexpr std::uint32_t kLongest = 60;  // what is longer is not quoted whole
    return span.size() <= kLongest ? span : Span{};
  }

  [[nodiscard]] Text Words(const Entry& entry) const {
    ir::DimStore& dims = facts_.store().dims();
    const bool all = dims.Difference(facts_.ExtentOf(entry.matrix, 0), facts_.Of(StopOf(outer_)).dim) == 0;
    Text test("if not np.array_equal(");
    test.Add(entry.span).Add(", ").Add(entry.span, Binding::kPrimary).Add(".T):");
    const Span raises = Raises();
    Text words("write `");
    words.Add(test);
    if (!raises.empty()) words.Add(" ").Add(raises);
    words.Add(raises.empty() ? "` and raise there, instead of the loop" : "` instead of the loop");
    if (!all) words.Add(", where that goes over all rows");
    words.Add(": one test of the whole matrix, and one wait");
    return diagonal_ ? words : words.Add("; a NaN on the diagonal fails it, too");
  }

  const Facts& facts_;
  const ir::Program& program_;
  LoopId outer_, inner_;
  ValueId compare_;
  ir::BlockId raises_;
  bool diagonal_ = false;  // its entries are compared with themselves
};

}  // namespace

std::optional<Text> InsteadOfSymmetryTest(const Facts& facts, LoopId loop) { return Nest(facts, loop).AsTest(); }

namespace {

bool IsReal(const Facts& facts, ValueId array) {
  const ir::DType dtype = facts.Of(array).dtype;
  return dtype != ir::DType::kUnknown && !ir::IsComplex(dtype);
}

// What `a.T` of real data, `a.conj().T` and `a.T.conj()` are made of; None() for others.
ValueId Adjoint(const Facts& facts, ValueId value, bool conjugated = false, bool turned = false) {
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(value);
  if (!made.valid()) return {};
  const ir::Op& op = program.ops[made];
  if (op.kind == OpKind::kAttr && program.Name(op) == "T" && !turned)
    return Adjoint(facts, program.Operand(made, 0), conjugated, true);
  if (op.kind == OpKind::kCall && !conjugated) {
    const DeviceCall call = AsDeviceCall(facts, made);
    if (IsOneOf(call.base, {"conj", "conjugate"})) return Adjoint(facts, call.array, true, turned);
  }
  return turned && (conjugated || IsReal(facts, made)) ? made : ValueId::None();
}

}  // namespace

bool IsMadeHermitian(const Facts& facts, ValueId matrix) {
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(matrix);
  if (!made.valid() || program.ops[made].kind != OpKind::kBinary) return false;
  const ValueId left = program.Operand(made, 0), right = program.Operand(made, 1);
  const auto pairs = [&](ValueId a, ValueId b) {
    const ValueId of = Adjoint(facts, b);
    // In one statement: what was copied before may have been written to since.
    return of.valid() && of == facts.Source(a) && program.ops[facts.Source(b)].statement == program.ops[made].statement;
  };
  const auto is_real_number = [&](ValueId value) {
    const analysis::Kind kind = facts.Of(value).kind;
    return kind == analysis::Kind::kInt || kind == analysis::Kind::kFloat;
  };
  switch (static_cast<ir::BinaryOp>(program.ops[made].detail)) {
    case ir::BinaryOp::kAdd: return pairs(left, right) || pairs(right, left);
    case ir::BinaryOp::kMatMul: return pairs(left, right) || pairs(right, left);
    case ir::BinaryOp::kMul:
      return (is_real_number(left) && IsMadeHermitian(facts, right)) ||
             (is_real_number(right) && IsMadeHermitian(facts, left));
    case ir::BinaryOp::kDiv: return is_real_number(right) && IsMadeHermitian(facts, left);
    default: return false;
  }
}

}  // namespace cpnlint::rules::match
