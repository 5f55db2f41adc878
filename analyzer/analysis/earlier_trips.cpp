#include "analyzer/analysis/earlier_trips.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "analyzer/analysis/keys.h"
#include "analyzer/analysis/same_place.h"

namespace cpnlint::analysis {
namespace {

// The `range` that a loop inside of `loop` counts by, where the value is its counter; None() for others.
ir::ValueId RangeOfCounter(const Facts& facts, ir::LoopId loop, ir::ValueId id) {
  const ir::Program& program = facts.program();
  const ir::ValueId item = id.valid() ? facts.Source(id) : id;
  if (!item.valid() || program.ops[item].kind != ir::OpKind::kLoopItem || !facts.InLoop(item, loop)) return {};
  const ir::ValueId range = facts.Source(program.loops[ir::LoopId(program.ops[item].payload)].iterable);
  const bool counts = range.valid() && facts.Of(range).kind == Kind::kRange &&
                      program.ops[range].kind == ir::OpKind::kCall && facts.PositionalCount(range) <= 2;
  return counts ? range : ir::ValueId::None();
}

bool IsSum(const ir::Op& op) {
  if (op.kind != ir::OpKind::kBinary && op.kind != ir::OpKind::kInplaceBinary) return false;
  const auto kind = static_cast<ir::BinaryOp>(op.detail);
  return kind == ir::BinaryOp::kAdd || kind == ir::BinaryOp::kSub;
}

// The sum that is stored where its first operand was read, which nothing else uses; None() for others.
ir::ValueId ReadToAddTo(const Facts& facts, ir::ValueId store) {
  const ir::Program& program = facts.program();
  const ir::ValueId sum = program.Operand(store, 1);
  if (!sum.valid() || !IsSum(program.ops[sum]) || facts.UsesOf(sum).size() != 1) return {};
  const ir::ValueId read = program.Operand(sum, 0);
  if (!read.valid() || program.ops[read].kind != ir::OpKind::kSubscript || facts.UsesOf(read).size() != 1) return {};
  const auto from = facts.KeysOf(read), to = facts.KeysOf(store);
  const auto same = [&](ir::ValueId a, ir::ValueId b) { return facts.Source(a) == facts.Source(b); };
  const bool there = same(program.Operand(read, 0), program.Operand(store, 0)) && std::ranges::equal(from, to, same);
  return there ? read : ir::ValueId::None();
}

bool OnlyAddsTo(const Facts& facts, ir::ValueId access) {
  const ir::Program& program = facts.program();
  if (program.ops[access].kind == ir::OpKind::kStoreSubscript) return ReadToAddTo(facts, access).valid();
  const auto sums = facts.UsesOf(access);
  const auto stores = sums.size() == 1 ? facts.UsesOf(sums.front()) : sums;
  return stores.size() == 1 && program.ops[stores.front()].kind == ir::OpKind::kStoreSubscript &&
         ReadToAddTo(facts, stores.front()) == access;
}

bool IsLoopVariable(const ir::Program& program, ir::ValueId phi) {
  const ir::LoopId loop = program.LoopOf(phi);
  return loop.valid() && program.loops[loop].header == program.ops[phi].block;
}

void AddPositions(const Facts& facts, ir::ValueId key, int steps, std::vector<ir::DimId>& positions) {
  constexpr int kMostSteps = 4;
  const ir::Program& program = facts.program();
  const ir::ValueId made = key.valid() ? facts.Source(key) : key;
  if (!made.valid() || steps == kMostSteps) return positions.push_back({});
  const ir::Op& op = program.ops[made];
  if (op.kind == ir::OpKind::kPhi && !IsLoopVariable(program, made)) {
    for (const ir::ValueId one : program.Operands(made)) AddPositions(facts, one, steps + 1, positions);
    return;
  }
  if (IsSum(op)) {
    std::vector<ir::DimId> lefts, rights;
    AddPositions(facts, program.Operand(made, 0), steps + 1, lefts);
    AddPositions(facts, program.Operand(made, 1), steps + 1, rights);
    if (lefts.size() + rights.size() > 2) {
      ir::DimStore& dims = facts.store().dims();
      const bool adds = static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd;
      for (const ir::DimId left : lefts) {
        for (const ir::DimId right : rights) {
          const bool known = left.valid() && right.valid();
          positions.push_back(!known ? ir::DimId() : adds ? dims.Add(left, right) : dims.Sub(left, right));
        }
      }
      return;
    }
  }
  positions.push_back(facts.Of(key).dim);
}

// 1 where the loop counts up, -1 where it counts down, `reversed(range(n))`, 0 where nobody knows.
int DirectionOf(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId iterable = program.loops[loop].iterable;
  ir::ValueId range = iterable.valid() ? facts.Source(iterable) : iterable;
  int sign = 1;
  if (range.valid() && program.ops[range].kind == ir::OpKind::kCall && facts.PositionalCount(range) == 1 &&
      facts.CalleeOf(range).kind == Callee::Kind::kBuiltin && facts.CalleeOf(range).name == "reversed") {
    range = facts.Source(program.Operand(range, 1));
    sign = -1;
  }
  if (!range.valid() || facts.Of(range).kind != Kind::kRange || program.ops[range].kind != ir::OpKind::kCall ||
      facts.HasStarArguments(range))
    return 0;
  if (facts.PositionalCount(range) < 3) return sign;
  const std::int64_t step = facts.IntOf(program.Operand(range, 3)).value_or(0);
  return sign * ((step > 0) - (step < 0));
}

}  // namespace

std::vector<ir::DimId> PositionsOf(const Facts& facts, ir::ValueId key) {
  constexpr std::size_t kMostPositions = 16;
  std::vector<ir::DimId> positions;
  AddPositions(facts, key, 0, positions);
  if (positions.size() > kMostPositions) return {facts.Of(key).dim};
  return positions;
}

namespace {

// With the read at one of the places where it may be, `from`, an axis each.
bool MeetsEarlierTrip(const Facts& facts, ir::LoopId loop, const KeyedAccess& write, const KeyedAccess& read,
                      std::span<const ir::DimId> from) {
  const ir::Program& program = facts.program();
  // Inside of a loop in this one, two keys of one pass say nothing about those of two passes.
  const auto is_direct = [&](ir::ValueId op) { return program.LoopOf(op) == loop; };
  const bool direct = is_direct(write.op) && is_direct(read.op);
  const auto stays = [&](ir::ValueId key) {  // `y + 1` in a loop that counts x
    return facts.IntOf(key) || !facts.InLoop(facts.Source(key), loop) || facts.Invariant(key, loop);
  };
  std::optional<std::int64_t> distance;
  for (std::size_t axis = 0; axis < write.keys.size(); ++axis) {
    const ir::ValueId to = write.keys[axis], key = read.keys[axis];
    const std::optional<std::int64_t> shift = facts.store().dims().Difference(facts.Of(to).dim, from[axis]);
    if (!shift) continue;
    if (stays(to) && stays(key) && *shift != 0) return false;
    if (!facts.DependsOnInduction(to, loop) || !facts.DependsOnInduction(key, loop)) continue;
    if (direct && distance && *distance != *shift) return false;
    if (!distance || *distance == 0) distance = shift;
  }
  if (!distance || *distance == 0) return false;
  const int direction = DirectionOf(facts, loop);
  return direction == 0 || (*distance > 0) == (direction > 0);
}

}  // namespace

bool ReadsWhatWasWritten(const Facts& facts, ir::LoopId loop, const KeyedAccess& write, const KeyedAccess& read) {
  constexpr std::size_t kMostPlaces = 64;
  if (write.keys.size() != read.keys.size()) return false;
  if (OnlyAddsTo(facts, write.op) && OnlyAddsTo(facts, read.op)) return false;
  std::vector<std::vector<ir::DimId>> places = {{}};
  for (const ir::ValueId key : read.keys) {
    const std::vector<ir::DimId> positions = PositionsOf(facts, key);
    std::vector<std::vector<ir::DimId>> longer;
    for (const std::vector<ir::DimId>& place : places) {
      for (const ir::DimId position : positions) {
        longer.push_back(place);
        longer.back().push_back(position);
      }
    }
    if (longer.size() > kMostPlaces) return false;
    places = std::move(longer);
  }
  return std::ranges::any_of(
      places, [&](const std::vector<ir::DimId>& place) { return MeetsEarlierTrip(facts, loop, write, read, place); });
}

bool IsBefore(const Facts& facts, ir::LoopId loop, ir::ValueId earlier, ir::ValueId later) {
  const ir::Program& program = facts.program();
  const auto is_difference = [&](ir::ValueId id) {
    return id.valid() && program.ops[id].kind == ir::OpKind::kBinary &&
           static_cast<ir::BinaryOp>(program.ops[id].detail) == ir::BinaryOp::kSub;
  };
  ir::ValueId made = facts.Source(earlier);
  std::int64_t least = 0;
  if (is_difference(made)) {
    if (const std::optional<std::int64_t> by = facts.IntOf(program.Operand(made, 1))) {
      least = *by;
      made = facts.Source(program.Operand(made, 0));
    }
  }
  if (!is_difference(made) || facts.Source(program.Operand(made, 0)) != facts.Source(later)) return false;
  const ir::ValueId range = RangeOfCounter(facts, loop, program.Operand(made, 1));
  if (!range.valid()) return false;
  const std::optional<std::int64_t> first =
      facts.PositionalCount(range) == 1 ? std::optional<std::int64_t>(0) : facts.IntOf(program.Operand(range, 1));
  return first && *first + least >= 1;
}

bool IsOfAnotherTrip(const Facts& facts, ir::LoopId loop, ir::ValueId other, ir::ValueId own) {
  constexpr int kMostSteps = 3;
  const ir::Program& program = facts.program();
  const ir::ValueId counter = own.valid() ? facts.Source(own) : own;
  if (!counter.valid() || !facts.IsBareInduction(counter, loop)) return false;
  ir::ValueId made = other.valid() ? facts.Source(other) : other;
  bool moved = false;
  for (int steps = 0; steps < kMostSteps && made.valid() && made != counter; ++steps) {
    const ir::Op& op = program.ops[made];
    if (op.kind != ir::OpKind::kBinary || facts.DependsOnInduction(program.Operand(made, 1), loop)) return false;
    switch (static_cast<ir::BinaryOp>(op.detail)) {
      case ir::BinaryOp::kAdd:
      case ir::BinaryOp::kSub: moved = moved || facts.IntOf(program.Operand(made, 1)) != 0; break;
      case ir::BinaryOp::kMod: break;
      case ir::BinaryOp::kFloorDiv: moved = moved || facts.IntOf(program.Operand(made, 1)) != 1; break;
      default: return false;
    }
    made = facts.Source(program.Operand(made, 0));
  }
  return moved && made == counter;
}

bool IsCarriedOn(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  constexpr std::size_t kMostValues = 200;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {value};
  std::unordered_set<ir::ValueId> seen = {value};
  // The trip's own things, or what the loop leaves as it is.
  const auto keeps_state = [&](ir::ValueId object) {
    if (!object.valid()) return true;
    const ir::ValueId source = facts.Source(object);
    if (!source.valid()) return true;
    const Kind kind = facts.Of(source).kind;
    const bool stateless = kind == Kind::kApi || kind == Kind::kModule || kind == Kind::kClass ||
                           kind == Kind::kBuiltin || program.ops[source].kind == ir::OpKind::kImport;
    return !stateless && !facts.InLoop(source, loop);
  };
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ir::ValueId now = work[i];
    if (i == kMostValues) return true;
    if (!now.valid() || !facts.InLoop(now, loop)) continue;
    const ir::Op& op = program.ops[now];
    if (op.kind == ir::OpKind::kLoopItem && ir::LoopId(op.payload) == loop) continue;
    if (op.kind == ir::OpKind::kPhi && op.block == program.loops[loop].header) return true;
    if (op.kind == ir::OpKind::kAttr && keeps_state(program.Operand(now, 0)) &&
        facts.AttributeStoredIn(program.SymbolOf(op), loop))
      return true;
    if (op.kind == ir::OpKind::kCall) {
      const ir::ValueId called = program.Operand(now, 0);
      if (called.valid() && program.ops[called].kind == ir::OpKind::kAttr && keeps_state(program.Operand(called, 0)))
        return true;
    }
    // What is written into an array is read through every name of it.
    const ir::ValueId root = facts.IsArray(now) ? facts.RootOf(now) : ir::ValueId::None();
    if (root.valid() && !facts.InLoop(root, loop) && facts.MutatedIn(root, loop)) return true;
    for (const ir::ValueId operand : program.Operands(op)) {
      if (!operand.valid()) continue;
      const ir::ValueId of = facts.IsArray(operand) ? facts.RootOf(operand) : ir::ValueId::None();
      if (of.valid() && !facts.InLoop(of, loop) && facts.MutatedIn(of, loop)) return true;
      if (seen.insert(operand).second) work.push_back(operand);
    }
  }
  return false;
}

bool CountsUpTo(const Facts& facts, ir::LoopId loop, ir::ValueId key) {
  const ir::ValueId range = RangeOfCounter(facts, loop, key);
  if (!range.valid()) return false;
  const std::uint32_t bound = facts.PositionalCount(range) == 1 ? 1 : 2;
  return facts.DependsOnInduction(facts.program().Operand(range, bound), loop);
}

bool AreApart(const Facts& facts, ir::LoopId loop, ir::ValueId access, ir::ValueId other) {
  const Selected first = SelectedBy(facts, access, loop), second = SelectedBy(facts, other, loop);
  // `tail = x[1:]` has an item of `x` under another number.
  if (!IsSamePlace(facts.program(), facts.Source(first.array), facts.Source(second.array))) return false;
  const std::vector<ir::ValueId>&one = first.keys, &two = second.keys;
  const auto is_number = [&](ir::ValueId key) { return facts.Of(key).kind == Kind::kInt; };
  const auto takes_one_axis = [&](ir::ValueId key) { return is_number(key) || facts.Of(key).kind == Kind::kSlice; };
  const auto stays = [&](ir::ValueId key) { return facts.IntOf(key) || facts.Invariant(key, loop); };
  const auto counts_from_end = [&](ir::ValueId key) { return facts.IntOf(key).value_or(0) < 0; };
  for (std::size_t axis = 0; axis < std::min(one.size(), two.size()); ++axis) {
    const ir::ValueId a = one[axis], b = two[axis];
    if (is_number(a) && is_number(b)) {
      const std::optional<std::int64_t> distance = facts.store().dims().Difference(facts.Of(a).dim, facts.Of(b).dim);
      const bool same_end = counts_from_end(a) == counts_from_end(b);  // `x[-1]` may be `x[0]`
      if (distance && *distance != 0 && stays(a) && stays(b) && same_end) return true;
      if (distance == 0 && facts.IsBareInduction(a, loop) && facts.IsBareInduction(b, loop)) return true;
    }
    if (!takes_one_axis(a) || !takes_one_axis(b)) return false;
  }
  return false;
}

}  // namespace cpnlint::analysis
