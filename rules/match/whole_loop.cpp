#include "rules/match/whole_loop.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/rewrite.h"

namespace cpnlint::rules::match {
namespace {

using ir::BinaryOp;
using ir::LoopId;
using ir::OpKind;
using ir::ValueId;

constexpr std::size_t kMostLoops = 4;
constexpr std::uint32_t kLongestPiece = 60;  // what is longer is not quoted whole

// A loop over range(stop) or range(start, stop), start a number that is not negative.
struct Counter {
  LoopId loop;
  ValueId item;
  std::int64_t first = 0;
  ir::DimId stop;
  ValueId stop_value;
  Span stop_span;
};

// `x[i - 1, j]`: which counter each axis has, and how far from it.
struct Axis {
  std::size_t counter = kFixed;
  std::int64_t offset = 0;
  ValueId key;
  Span key_span;
  static constexpr std::size_t kFixed = ~std::size_t{0};  // the same position on every trip: `x[i, 0]`
};
struct Access {
  ValueId op, base;
  Span base_span, span;  // span: up to the closing bracket
  std::vector<Axis> axes;
  bool write = false;

  [[nodiscard]] std::vector<std::size_t> Counters() const {
    std::vector<std::size_t> counters;
    for (const Axis& axis : axes) {
      if (axis.counter != Axis::kFixed) counters.push_back(axis.counter);
    }
    return counters;
  }
};

class Loop {
 public:
  Loop(const Facts& facts, LoopId outer) : facts_(facts), program_(facts.program()), outer_(outer) {}

  std::optional<Text> AsStatement() {
    if (!TakeCounters() || !TakeBody()) return std::nullopt;
    const auto store =
        std::find_if(accesses_.begin(), accesses_.end(), [](const Access& access) { return access.write; });
    if (store == accesses_.end() || !store_once_ || !CountersOnlySelect() || !EndsWithLoop()) return std::nullopt;
    if (only_copies_ && !Copies(*store)) return std::nullopt;
    const Span statement = program_.statements[program_.ops[store->op].statement].span;
    if (store->base_span.begin != statement.begin || BindsName(statement)) return std::nullopt;
    for (const Access& access : accesses_) {
      if (!MayTakeAtOnce(access, *store)) return std::nullopt;
    }
    return Rewrite(statement, *store);
  }

 private:
  // --- the nest ---

  bool TakeCounters() {
    for (LoopId loop = outer_; loop.valid(); loop = OnlyLoopIn(loop)) {
      const std::optional<Counter> counter = CounterOf(loop);
      if (!counter || counters_.size() == kMostLoops) return false;
      counters_.push_back(*counter);
    }
    // Nothing else happens in the outer ones than that the next one begins.
    for (std::size_t i = 0; i + 1 < counters_.size(); ++i) {
      if (!facts_.Invariant(counters_[i + 1].stop_value, outer_)) return false;
      if (!OnlyBegins(counters_[i].loop, counters_[i + 1].loop)) return false;
    }
    return true;
  }

  [[nodiscard]] std::span<const ir::BlockId> Blocks() const {
    return program_.functions[program_.loops[outer_].function].blocks;
  }

  [[nodiscard]] LoopId OnlyLoopIn(LoopId outer) const {
    LoopId inner;
    for (const ir::BlockId block : Blocks()) {
      const LoopId loop = program_.blocks[block].loop;
      if (!loop.valid() || program_.loops[loop].parent != outer || loop == inner) continue;
      if (inner.valid()) return {};
      inner = loop;
    }
    return inner;
  }

  [[nodiscard]] bool OnlyBegins(LoopId outer, LoopId inner) const {
    const Span header = program_.loops[inner].header_span;
    for (const ir::BlockId block : Blocks()) {
      if (program_.blocks[block].loop != outer) continue;
      for (const ValueId id : program_.blocks[block].ops) {
        const ir::Op& op = program_.ops[id];
        if (IsPlumbing(op) || op.kind == OpKind::kIter || header.Contains(op.span)) continue;
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::optional<Counter> CounterOf(LoopId id) const {
    const ir::Loop& loop = program_.loops[id];
    if (loop.kind != ir::Loop::Kind::kFor || loop.has_break || loop.has_else) return std::nullopt;
    const ValueId range = facts_.Source(loop.iterable);
    if (!range.valid() || program_.ops[range].kind != OpKind::kCall ||
        !loop.header_span.Contains(program_.ops[range].span))
      return std::nullopt;
    const analysis::Callee& callee = facts_.CalleeOf(range);
    if (callee.kind != analysis::Callee::Kind::kBuiltin || callee.name != "range") return std::nullopt;
    const std::size_t given = facts_.PositionalCount(range);
    if (facts_.HasStarArguments(range) || given < 1 || given > 2) return std::nullopt;
    Counter counter{id, loop.item, 0, {}, {}, {}};
    if (given == 2) {
      const std::optional<std::int64_t> first = facts_.IntOf(program_.Operand(range, 1));
      if (!first || *first < 0) return std::nullopt;
      counter.first = *first;
    }
    const auto last = static_cast<std::uint32_t>(given);
    counter.stop_value = program_.Operand(range, last);
    counter.stop_span = program_.OperandSpan(range, last);
    counter.stop = facts_.Of(counter.stop_value).dim;
    return counter;
  }

  static bool IsPlumbing(const ir::Op& op) {
    return op.kind == OpKind::kForNext || op.kind == OpKind::kLoopItem || op.kind == OpKind::kPhi ||
           op.kind == OpKind::kJump;
  }

  // --- the body ---

  bool TakeBody() {
    ir::StatementId statement;
    for (const ir::BlockId block : Blocks()) {
      if (program_.blocks[block].loop != counters_.back().loop) continue;
      for (const ValueId id : program_.blocks[block].ops) {
        const ir::Op& op = program_.ops[id];
        if (IsPlumbing(op)) continue;
        if (op.kind == OpKind::kStoreCell && (op.flags & ir::kSynthetic) == 0 && IsItem(program_.Operand(id, 0)) &&
            program_.cells[ir::CellId(op.payload)].loads.empty())
          continue;  // the counter, a variable of the module
        if (!ReadsAlikeForArrays(id)) return false;
        if (statement.valid() && op.statement != statement) return false;
        statement = op.statement;
        body_.push_back(id);
      }
    }
    return !body_.empty();
  }

  // The op means for whole arrays what it means for their elements.
  bool ReadsAlikeForArrays(ValueId id) {
    const ir::Op& op = program_.ops[id];
    switch (op.kind) {
      case OpKind::kInt:
      case OpKind::kFloat:
      case OpKind::kComplex:
      case OpKind::kBool:
      case OpKind::kBuiltin:
      case OpKind::kLoadCell: return true;
      case OpKind::kAttr: return !Moves(program_.Operand(id, 0)) || IsOneOf(program_.Name(op), {"real", "imag"});
      case OpKind::kBinary:
      case OpKind::kInplaceBinary: return static_cast<BinaryOp>(op.detail) != BinaryOp::kMatMul && OfNumbers(id, 0);
      case OpKind::kUnary: return OfNumbers(id, 0);
      case OpKind::kCompare: return static_cast<ir::CompareOp>(op.detail) <= ir::CompareOp::kGe && OfNumbers(id, 0);
      case OpKind::kCall: return IsOfElements(id) && OfNumbers(id, 1);
      case OpKind::kSubscript: return TakeAccess(id, 1) || IsFixedNumber(id);
      case OpKind::kStoreSubscript: {
        store_once_ = !stored_;
        stored_ = true;
        return TakeAccess(id, 2) && OfNumbers(id, 1, 2);
      }
      default: return false;
    }
  }

  [[nodiscard]] bool Moves(ValueId value) const {
    return std::any_of(counters_.begin(), counters_.end(),
                       [&](const Counter& counter) { return facts_.DependsOnInduction(value, counter.loop); });
  }

  // The operands are numbers, or may be taken for some: what a loop does with an array inside of it stays with it.
  [[nodiscard]] bool OfNumbers(ValueId id, std::uint32_t from, std::uint32_t to = ~0U) const {
    const auto operands = program_.Operands(id);
    for (std::uint32_t i = from; i < std::min<std::size_t>(to, operands.size()); ++i) {
      if (!operands[i].valid()) return false;
      if (std::find(body_.begin(), body_.end(), operands[i]) != body_.end()) continue;  // looked at before
      const analysis::Value& value = facts_.Of(operands[i]);
      if (value.kind == analysis::Kind::kArray && facts_.RankOf(operands[i]) != 0) return false;
      const bool number = value.kind == analysis::Kind::kArray || value.kind == analysis::Kind::kNumpyScalar ||
                          value.kind == analysis::Kind::kUnknown || value.kind == analysis::Kind::kBottom ||
                          analysis::IsNumber(value.kind);
      if (!number) return false;
    }
    return true;
  }

  [[nodiscard]] bool IsOfElements(ValueId call) const {
    const analysis::Callee& callee = facts_.CalleeOf(call);
    const std::size_t arguments = program_.Operands(call).size() - 1;
    if (facts_.HasStarArguments(call) || facts_.PositionalCount(call) != arguments) return false;
    if (callee.kind == analysis::Callee::Kind::kBuiltin) return callee.name == "abs" && arguments == 1;
    if (callee.kind != analysis::Callee::Kind::kApi) return false;
    const std::string_view name = BaseName(callee.name);
    if (arguments == 2) return IsOneOf(name, {"maximum", "minimum", "hypot", "arctan2", "power"});
    return arguments == 1 && IsOneOf(name, {"sqrt", "exp",      "log",    "log10",  "log2",   "log1p", "expm1", "sin",
                                            "cos",  "tan",      "arcsin", "arccos", "arctan", "sinh",  "cosh",  "tanh",
                                            "abs",  "absolute", "square", "sign",   "floor",  "ceil"});
  }

  // `dt[0]`, `u.shape[1]`: the same number on every trip.
  [[nodiscard]] bool IsFixedNumber(ValueId id) const {
    if (!facts_.Invariant(id, outer_) || Moves(id)) return false;
    const analysis::Value& value = facts_.Of(id);
    return analysis::IsNumber(value.kind) || (value.kind == analysis::Kind::kArray && facts_.RankOf(id) == 0);
  }

  bool TakeAccess(ValueId id, std::uint32_t first_key) {
    const auto keys = facts_.KeysOf(id);
    if (keys.size() < counters_.size() || !facts_.IsDevice(program_.Operand(id, 0))) return false;
    if (facts_.SubscriptOf(id).selects != analysis::SubscriptResult::Selects::kElement) {
      // As many axes as keys, or elements are blocks.
      if (facts_.RankOf(program_.Operand(id, 0)) >= 0 || keys.size() < 2) return false;
      only_copies_ = true;
    }
    const Span base = program_.OperandSpan(id, 0);
    const Span last = program_.OperandSpan(id, first_key + static_cast<std::uint32_t>(keys.size()) - 1);
    if (base.empty() || last.end < base.end) return false;
    // A store's op may span the whole statement; the bracket follows its last key.
    const bool write = first_key == 2;
    const Span whole = write ? Span{base.begin, last.end + 1} : program_.ops[id].span;
    if (whole.begin != base.begin) return false;
    Access access{id, program_.Operand(id, 0), base, whole, {}, write};
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      if (!TakeKey(keys[i], access) && !TakeFixed(keys[i], access)) return false;
      access.axes.back().key = keys[i];
      access.axes.back().key_span = program_.OperandSpan(id, first_key + i);
    }
    if (access.Counters().size() != counters_.size()) return false;
    if (facts_.InLoop(access.base, outer_) && Moves(access.base)) return false;
    accesses_.push_back(std::move(access));
    return true;
  }

  // `i`, `i + 1`, `i - 1` of a counter that no other axis has.
  bool TakeKey(ValueId key, Access& access) {
    ValueId item = facts_.Source(key);
    std::int64_t offset = 0;
    if (item.valid() && program_.ops[item].kind == OpKind::kBinary) {
      const auto kind = static_cast<BinaryOp>(program_.ops[item].detail);
      const std::optional<std::int64_t> by = facts_.IntOf(program_.Operand(item, 1));
      if ((kind != BinaryOp::kAdd && kind != BinaryOp::kSub) || !by) return false;
      offset = kind == BinaryOp::kAdd ? *by : -*by;
      keys_.push_back(item);
      item = facts_.Source(program_.Operand(item, 0));
    }
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      if (counters_[i].item != item) continue;
      if (std::ranges::find(access.axes, i, &Axis::counter) != access.axes.end()) return false;
      if (counters_[i].first + offset < 0) return false;  // counts from the end
      access.axes.push_back({i, offset, {}, {}});
      return true;
    }
    return false;
  }

  // `0`, `k + 1` with a number that the nest leaves as it is.
  bool TakeFixed(ValueId key, Access& access) {
    const bool number = facts_.IntOf(key) || facts_.Of(key).kind == analysis::Kind::kInt;
    if (!number || Moves(key) || !facts_.Invariant(key, outer_)) return false;
    access.axes.push_back({});
    return true;
  }

  // --- what makes the statement another thing than the loop ---

  [[nodiscard]] bool IsItem(ValueId value) const {
    const ValueId source = facts_.Source(value);
    return std::any_of(counters_.begin(), counters_.end(),
                       [&](const Counter& counter) { return source.valid() && counter.item == source; });
  }

  // `a[i] = 2.0 * i` needs the numbers themselves.
  [[nodiscard]] bool CountersOnlySelect() const {
    for (const ValueId id : body_) {
      const OpKind kind = program_.ops[id].kind;
      const bool key = std::find(keys_.begin(), keys_.end(), id) != keys_.end();
      if (key || kind == OpKind::kSubscript) continue;
      const auto operands = program_.Operands(id);
      const std::size_t from = kind == OpKind::kStoreSubscript ? 1 : 0;
      const std::size_t to = kind == OpKind::kStoreSubscript ? 2 : operands.size();
      for (std::size_t i = from; i < to; ++i) {
        const bool counts = operands[i].valid() && IsItem(operands[i]);
        const bool shifted = std::find(keys_.begin(), keys_.end(), operands[i]) != keys_.end();
        if (counts || shifted) return false;
      }
    }
    return true;
  }

  // Nothing after the loop reads its counters.
  [[nodiscard]] bool EndsWithLoop() const {
    for (const Counter& counter : counters_) {
      for (const ValueId use : facts_.DeepUsesOf(counter.item)) {
        const ir::Op& op = program_.ops[use];
        if (op.kind == OpKind::kStoreCell && program_.cells[ir::CellId(op.payload)].loads.empty()) continue;
        if (!facts_.InLoop(use, outer_)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool BindsName(Span statement) const {
    const auto& bindings = program_.functions[program_.loops[outer_].function].bindings;
    return std::any_of(bindings.begin(), bindings.end(),
                       [&](const ir::Binding& binding) { return statement.Contains(binding.span); });
  }

  // No trip reads what another one has written.
  [[nodiscard]] bool MayTakeAtOnce(const Access& access, const Access& store) const {
    if (access.write) return true;
    const ValueId written = facts_.RootOf(store.base), read = facts_.RootOf(access.base);
    if (written.valid() && read.valid() && written != read) return true;
    if (facts_.Source(access.base) != facts_.Source(store.base) || access.axes.size() != store.axes.size())
      return false;
    bool same = true;
    for (std::size_t i = 0; i < store.axes.size(); ++i) {
      const Axis &from = access.axes[i], &to = store.axes[i];
      if (from.counter == Axis::kFixed && to.counter == Axis::kFixed) {
        const auto apart = facts_.store().dims().Difference(facts_.Of(from.key).dim, facts_.Of(to.key).dim);
        if (apart.value_or(0) != 0) return !CountsFromEnd(from.key, to.key);
        same = same && apart.has_value();
      }
      same = same && from.counter == to.counter && from.offset == to.offset;
    }
    return same;
  }

  // `x[-1]` beside `x[n - 1]` may be one place.
  [[nodiscard]] bool CountsFromEnd(ValueId a, ValueId b) const {
    const std::int64_t one = facts_.IntOf(a).value_or(0), other = facts_.IntOf(b).value_or(0);
    return (one < 0) != (other < 0);
  }

  // `out[i, j] = a[j, i]`, which is the same of blocks and of numbers but for the axes behind them.
  [[nodiscard]] bool Copies(const Access& store) const {
    const bool augmented = (program_.ops[store.op].flags & ir::kAugmented) != 0;
    return !augmented && accesses_.size() == 2 &&
           facts_.Source(program_.Operand(store.op, 1)) == accesses_[accesses_[0].write ? 1 : 0].op;
  }

  // --- the statement ---

  // The slice of one axis that the trips go through; nullopt where its ends are not known. Whole where empty.
  [[nodiscard]] std::optional<Text> SliceOf(const Access& access, std::size_t axis) const {
    ir::DimStore& dims = facts_.store().dims();
    if (access.axes[axis].counter == Axis::kFixed) return Text(access.axes[axis].key_span);
    const Counter& counter = counters_[access.axes[axis].counter];
    const std::int64_t offset = access.axes[axis].offset, first = counter.first + offset;
    const std::string from = first == 0 ? "" : std::to_string(first);
    const ir::DimId end = dims.Add(counter.stop, dims.Const(offset));
    if (!end.valid()) return std::nullopt;
    if (const std::optional<std::int64_t> beyond = Beyond(access, axis, end)) {
      if (*beyond < 0) return std::nullopt;
      if (*beyond == 0) return first == 0 ? Text() : Text(from + ":");
      return Text(from + ":-" + std::to_string(*beyond));
    }
    // A name may stand for a number that is known by one call only.
    const bool literal = program_.ops[counter.stop_value].kind == OpKind::kInt;
    if (const std::optional<std::int64_t> number = dims.AsConst(end); number && literal) {
      if (*number < 0) return std::nullopt;
      return Text(from + ":" + std::to_string(*number));
    }
    if (dims.LowerBound(end, 0).value_or(-1) < 0) return std::nullopt;
    return Text(from + ":").Add(EndText(counter, offset));
  }

  // How many entries of the axis lie behind the last trip's.
  [[nodiscard]] std::optional<std::int64_t> Beyond(const Access& access, std::size_t axis, ir::DimId end) const {
    const Counter& counter = counters_[access.axes[axis].counter];
    if (const std::optional<std::int64_t> less = LessThanExtent(counter.stop_value, access.base, axis))
      return *less - access.axes[axis].offset;
    return facts_.store().dims().Difference(ExtentOf(access, axis), end);
  }

  // 1 of `len(x) - 1`, 0 of `x.shape[0]` and of n after `n, m = x.shape`: so much below the extent of x.
  [[nodiscard]] std::optional<std::int64_t> LessThanExtent(ValueId stop, ValueId array, std::size_t axis) const {
    ValueId value = facts_.Source(stop);
    if (!value.valid()) return std::nullopt;
    std::int64_t less = 0;
    if (program_.ops[value].kind == OpKind::kBinary) {
      const auto kind = static_cast<BinaryOp>(program_.ops[value].detail);
      const std::optional<std::int64_t> by = facts_.IntOf(program_.Operand(value, 1));
      if (!by || (kind != BinaryOp::kAdd && kind != BinaryOp::kSub)) return std::nullopt;
      less = kind == BinaryOp::kSub ? *by : -*by;
      value = facts_.Source(program_.Operand(value, 0));
      if (!value.valid()) return std::nullopt;
    }
    const ir::Op& op = program_.ops[value];
    ValueId of;
    if (op.kind == OpKind::kCall && facts_.CalleeOf(value).kind == analysis::Callee::Kind::kBuiltin &&
        facts_.CalleeOf(value).name == "len" && axis == 0) {
      of = program_.Operand(value, 1);
    } else if (op.kind == OpKind::kSubscript || op.kind == OpKind::kUnpackItem) {
      const ValueId shape = facts_.Source(program_.Operand(value, 0));
      const bool is_shape =
          shape.valid() && program_.ops[shape].kind == OpKind::kAttr && program_.Name(program_.ops[shape]) == "shape";
      const bool same_axis = op.kind == OpKind::kUnpackItem
                                 ? ir::ItemPosition::Unpack(op.payload).index == axis &&
                                       ir::ItemPosition::Unpack(op.payload).star == ir::ItemPosition::kNoStar
                                 : facts_.IntOf(program_.Operand(value, 1)) == static_cast<std::int64_t>(axis);
      if (is_shape && same_axis) of = program_.Operand(shape, 0);
    }
    if (!of.valid() || facts_.Source(of) != facts_.Source(array)) return std::nullopt;
    return less;
  }

  // Where the shape is proved.
  [[nodiscard]] ir::DimId ExtentOf(const Access& access, std::size_t axis) const {
    const analysis::Value& base = facts_.Of(access.base);
    const int proved = ~(analysis::kUsed | analysis::kAnnotated);
    if ((base.evidence & proved) != 0 || !base.shape.valid()) return {};
    const analysis::Shape& shape = facts_.store().Get(base.shape);
    return axis < shape.size() ? shape[axis] : ir::DimId();
  }

  // `n`, `n + 1`; `n` of range(n - 1) one further.
  [[nodiscard]] Text EndText(const Counter& counter, std::int64_t offset) const {
    if (offset == 0) return Text(counter.stop_span);
    const ir::Op& op = program_.ops[counter.stop_value];
    Text words;
    words.Add(counter.stop_span, Binding::kSum);
    if (op.kind == OpKind::kBinary && op.span == counter.stop_span) {
      const auto kind = static_cast<BinaryOp>(op.detail);
      const std::optional<std::int64_t> by = facts_.IntOf(program_.Operand(counter.stop_value, 1));
      if (by && (kind == BinaryOp::kAdd || kind == BinaryOp::kSub)) {
        offset += kind == BinaryOp::kAdd ? *by : -*by;
        words = Text().Add(program_.OperandSpan(counter.stop_value, 0), Binding::kSum);
      }
    }
    if (offset == 0) return words;
    return words.Add(offset < 0 ? " - " : " + ").Add(std::to_string(offset < 0 ? -offset : offset));
  }

  // `.T`, `.transpose(2, 0, 1)` of what has the counters in another order than the target; empty where it is the same,
  // nullopt where it has others.
  [[nodiscard]] static std::optional<std::string> Turned(const Access& access, const Access& store) {
    const std::vector<std::size_t> from = access.Counters(), to = store.Counters();
    if (from == to) return "";
    if (to.size() == 2) return ".T";
    std::string order;
    for (const std::size_t counter : to) {
      const auto at = std::ranges::find(from, counter);
      if (at == from.end()) return std::nullopt;
      order += (order.empty() ? "" : ", ") + std::to_string(at - from.begin());
    }
    return ".transpose(" + order + ")";
  }

  // `x`, `x[1:-1]`, `x[1:, :n]`.
  [[nodiscard]] std::optional<Text> Whole(const Access& access) const {
    std::vector<Text> slices;
    bool all = true;
    for (std::size_t axis = 0; axis < access.axes.size(); ++axis) {
      std::optional<Text> slice = SliceOf(access, axis);
      if (!slice) return std::nullopt;
      all = all && slice->empty();
      slices.push_back(slice->empty() ? Text(":") : *std::move(slice));
    }
    Text text(access.base_span);
    if (all) return text;
    for (std::size_t axis = 0; axis < slices.size(); ++axis) text.Add(axis == 0 ? "[" : ", ").Add(slices[axis]);
    return text.Add("]");
  }

  [[nodiscard]] std::optional<Text> Rewrite(Span statement, const Access& store) const {
    std::optional<Text> target = Whole(store);
    if (!target) return std::nullopt;
    const bool all = target->pieces.size() == 1;
    Text written = *target;
    if (all) written.Add("[:]");
    std::vector<Cut> cuts;
    for (const Access& access : accesses_) {
      const bool augmented = (program_.ops[access.op].flags & ir::kAugmented) != 0;
      if (access.write || (augmented && access.span.begin == store.span.begin)) continue;
      std::optional<Text> whole = Whole(access);
      const std::optional<std::string> turned = Turned(access, store);
      if (!whole || !turned) return std::nullopt;
      whole->Add(*turned);
      cuts.push_back({access.span, *std::move(whole)});
    }
    std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.span < b.span; });

    const ValueId update = program_.Operand(store.op, 1);
    if ((program_.ops[store.op].flags & ir::kAugmented) == 0) {
      cuts.insert(cuts.begin(), Cut{store.span, written});
      return Short(Replace(statement, cuts));
    }
    if (program_.ops[update].kind != OpKind::kInplaceBinary) return std::nullopt;
    const Text value = Replace(program_.OperandSpan(update, 1), cuts);
    const auto kind = static_cast<BinaryOp>(program_.ops[update].detail);
    const ir::DType dtype = facts_.Of(store.base).dtype;
    // `op=` refuses what the array's type cannot take, where a loop rounds.
    if (dtype != ir::DType::kUnknown && facts_.Of(update).dtype == dtype) {
      return Short((IsLocalName(store) ? *target : written).Add(" ").Add(ir::Spelling(kind)).Add("= ").Add(value));
    }
    const bool compound = IsCompound(program_.Operand(update, 1), program_.OperandSpan(update, 1));
    written.Add(" = ").Add(*target).Add(" ").Add(ir::Spelling(kind)).Add(compound ? " (" : " ").Add(value);
    return Short(compound ? written.Add(")") : written);
  }

  // `q += 1` makes q a variable of the function, where `q[j] += 1` does not.
  [[nodiscard]] bool IsLocalName(const Access& store) const {
    const ir::Op& op = program_.ops[store.base];
    return op.kind != OpKind::kLoadCell && op.span != store.base_span;
  }

  [[nodiscard]] bool IsCompound(ValueId value, Span span) const {
    const ir::Op& op = program_.ops[value];
    const bool has_operator = op.kind == OpKind::kBinary || op.kind == OpKind::kUnary || op.kind == OpKind::kCompare;
    return has_operator && op.span == span;
  }

  // Code that cannot be quoted whole is none.
  static std::optional<Text> Short(Text text) {
    const bool fits = std::all_of(text.pieces.begin(), text.pieces.end(),
                                  [](const Text::Piece& piece) { return piece.span.size() <= kLongestPiece; });
    return fits ? std::optional<Text>(std::move(text)) : std::nullopt;
  }

  const Facts& facts_;
  const ir::Program& program_;
  LoopId outer_;
  std::vector<Counter> counters_;
  std::vector<ValueId> body_, keys_;  // keys_: the sums of `x[i + 1]`
  std::vector<Access> accesses_;
  bool stored_ = false, store_once_ = false;
  bool only_copies_ = false;  // nothing tells how many axes an array has
};

}  // namespace

std::optional<Text> WithoutIndex(const Facts& facts, LoopId loop) { return Loop(facts, loop).AsStatement(); }

}  // namespace cpnlint::rules::match
