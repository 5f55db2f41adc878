// What is computed from a loop's induction value.

#include <algorithm>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostWays = 32;  // of a counter through the body of its loop

// Ops whose result is a number computed from the operand, so that it still says where to look.
bool CarriesIndex(const Facts::Impl& impl, ir::ValueId user) {
  const ir::Op& op = impl.program.ops[user];
  const Value& value = impl.Of(user);
  switch (op.kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kInplaceBinary:
    case ir::OpKind::kUnary:
    case ir::OpKind::kPhi:
    case ir::OpKind::kUnpackItem:
    case ir::OpKind::kTuple:
    case ir::OpKind::kSlice: return value.kind != Kind::kArray || Rank(impl.store, value) == 0;
    case ir::OpKind::kSubscript: return value.kind != Kind::kArray || Rank(impl.store, value) <= 0;
    case ir::OpKind::kCall: {
      const Callee callee = ResolveCallee(impl, user);
      if (callee.kind == Callee::Kind::kBuiltin) {
        return callee.name == "int" || callee.name == "round" || callee.name == "min" || callee.name == "max" ||
               callee.name == "abs" || callee.name == "float" || callee.name == "slice";
      }
      if (callee.kind == Callee::Kind::kForeign) return callee.name.starts_with("math.");
      if (callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod) {
        return value.kind == Kind::kNumpyScalar || (value.kind == Kind::kArray && Rank(impl.store, value) == 0);
      }
      return false;
    }
    default: return false;
  }
}

bool InLoopBlocks(const ir::Program& program, ir::LoopId inner, ir::LoopId outer) {
  for (; inner.valid(); inner = program.loops[inner].parent) {
    if (inner == outer) return true;
  }
  return false;
}

enum class Counts : std::uint8_t { kNo, kSometimes, kEachTrip };

// A manual counter: a Phi of the loop's header that trips move by a constant. Where only some do, as where two arrays
// are merged, it is one all the same.
Counts CountsTrips(const Facts::Impl& impl, ir::ValueId phi, ir::LoopId loop_id) {
  const ir::Program& program = impl.program;
  const Value& now = impl.Of(phi);
  if (now.kind != Kind::kInt && now.kind != Kind::kUnknown) return Counts::kNo;
  std::vector<ir::ValueId> ways = {phi};  // what it is on the ways through the body: joined, and moved on
  bool moves = false, joins = false;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    // What a loop inside moves is that loop's counter.
    if (ways.size() > kMostWays || program.LoopOf(ways[i]) != loop_id) return Counts::kNo;
    const ir::Op& op = program.ops[ways[i]];
    const auto how = static_cast<ir::BinaryOp>(op.detail);
    std::span<const ir::ValueId> from = program.Operands(ways[i]);
    if (op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kInplaceBinary) {
      if (how != ir::BinaryOp::kAdd && how != ir::BinaryOp::kSub) return Counts::kNo;
      if (impl.Of(from[1]).kind != Kind::kInt || !InLoopBlocks(program, program.LoopOf(from[0]), loop_id))
        return Counts::kNo;
      from = from.first(1);
      moves = true;
    } else if (op.kind != ir::OpKind::kPhi) {
      return Counts::kNo;
    }
    joins = joins || (op.kind == ir::OpKind::kPhi && ways[i] != phi);
    for (const ir::ValueId operand : from) {
      if (!operand.valid() || std::ranges::find(ways, operand) != ways.end()) continue;
      if (InLoopBlocks(program, program.LoopOf(operand), loop_id)) ways.push_back(operand);
    }
  }
  if (!moves) return Counts::kNo;
  return joins ? Counts::kSometimes : Counts::kEachTrip;
}

// `for index in np.ndindex(n, m)`, `for index in product(range(n), range(m))`: a whole index of counters.
bool GivesIndices(const Facts::Impl& impl, ir::ValueId iterable, const Value& item) {
  if (!item.elements.valid()) return false;
  for (const Value& element : impl.store.Get(item.elements)) {
    if (element.kind != Kind::kInt) return false;
  }
  if (!iterable.valid() || impl.program.ops[iterable].kind != ir::OpKind::kCall) return false;
  const Value& callee = impl.Of(impl.program.Operand(iterable, 0));
  const bool named = callee.kind == Kind::kApi || callee.kind == Kind::kForeign;
  if (!named) return false;
  const std::string_view name = impl.names.Text(callee.name);
  return name == "numpy.ndindex" || name == "itertools.product";
}

const Induction& InductionOf(Facts::Impl& impl, ir::LoopId loop_id) {
  const auto found = impl.inductions.find(loop_id);
  if (found != impl.inductions.end()) return found->second;
  const ir::Program& program = impl.program;
  const ir::Loop& loop = program.loops[loop_id];
  Induction induction;
  std::vector<ir::ValueId> work;
  const auto add = [&](ir::ValueId value, bool bare) {
    if (induction.values.emplace(value, bare).second) work.push_back(value);
  };
  if (loop.item.valid()) {
    // `for i in range(n)`; of enumerate and zip the items that are numbers.
    const Value& item = impl.Of(loop.item);
    if (item.kind == Kind::kTuple) {
      for (const ir::ValueId user : impl.UsesOf(loop.item)) {
        if (program.ops[user].kind == ir::OpKind::kUnpackItem && impl.Of(user).kind == Kind::kInt) {
          add(user, true);
        }
      }
      if (GivesIndices(impl, loop.iterable, item)) add(loop.item, true);
    } else if (item.kind == Kind::kInt || (item.kind == Kind::kArray && Rank(impl.store, item) == 0)) {
      add(loop.item, item.kind == Kind::kInt);  // an item of unknown kind may be anything
    }
  }
  if (loop.header.valid()) {  // a for loop may have a counter of its own besides: `row += 1`
    for (const ir::ValueId op : program.blocks[loop.header].ops) {
      if (program.ops[op].kind != ir::OpKind::kPhi) break;
      const Counts counts = CountsTrips(impl, op, loop_id);
      if (counts != Counts::kNo) add(op, counts == Counts::kEachTrip);
    }
  }
  while (!work.empty()) {
    const ir::ValueId value = work.back();
    work.pop_back();
    for (const ir::ValueId user : impl.UsesOf(value)) {
      if (!InLoopBlocks(program, program.LoopOf(user), loop_id)) continue;
      const ir::Op& op = program.ops[user];
      // An element read by the induction value is data, not an index, unless it is an integer (idx[i]).
      if (op.kind == ir::OpKind::kSubscript) {
        if (program.Operand(user, 0) == value) continue;
        const Value& element = impl.Of(user);
        const bool index = element.kind == Kind::kInt || (element.kind == Kind::kArray && ir::IsInteger(element.dtype));
        if (!index) continue;
      }
      const bool same = op.kind == ir::OpKind::kPhi || op.kind == ir::OpKind::kUnpackItem;
      if (CarriesIndex(impl, user)) add(user, same && induction.values.at(value));
    }
  }
  return impl.inductions.emplace(loop_id, std::move(induction)).first->second;
}

}  // namespace

bool Facts::InLoop(ir::ValueId op, ir::LoopId loop) const {
  return op.valid() && InLoopBlocks(program_, program_.LoopOf(op), loop);
}

bool Facts::BlockInLoop(ir::BlockId block, ir::LoopId loop) const {
  return InLoopBlocks(program_, program_.blocks[block].loop, loop);
}

bool Facts::LoopContains(ir::LoopId outer, ir::LoopId inner) const { return InLoopBlocks(program_, inner, outer); }

bool Facts::DependsOnInduction(ir::ValueId value, ir::LoopId loop) const {
  return value.valid() && InductionOf(*impl_, loop).values.contains(value);
}

bool Facts::IsBareInduction(ir::ValueId value, ir::LoopId loop) const {
  const Induction& induction = InductionOf(*impl_, loop);
  const auto found = induction.values.find(value);
  return found != induction.values.end() && found->second;
}

}  // namespace cpnlint::analysis
