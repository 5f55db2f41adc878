// How many passes a loop makes, exactly or at most.

#include <algorithm>

#include "analyzer/analysis/axis_lists.h"
#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/choices.h"
#include "analyzer/analysis/counted_passes.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/generated_items.h"
#include "analyzer/analysis/progress_bars.h"
#include "analyzer/analysis/written_lists.h"
#include "analyzer/base/utf8.h"

namespace cpnlint::analysis {
namespace {

constexpr int kDeepestJoin = 4;  // iterables of which one is walked, as an option says

// product(a, b) makes as many items as the lengths multiply to; with repeat= only a bound that rules need: unknown.
template <class LengthOf>
ir::DimId LengthOfProduct(const Facts& facts, ir::ValueId call, const LengthOf& length_of) {
  const ir::Program& program = facts.program();
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  ir::DimStore& dims = facts.store().dims();
  ir::DimId length = dims.Const(1);
  for (std::uint32_t i = 0; i < shape.positional; ++i)
    length = dims.Mul(length, length_of(program.Operand(call, 1 + i)));
  if (shape.keywords.empty()) return length;
  const std::optional<std::int64_t> repeat = facts.IntOf(facts.KeywordArgument(call, "repeat"));
  return repeat ? dims.Pow(length, dims.Const(*repeat)) : ir::DimId::None();
}

// `combinations("xyz", 2)`, `permutations(range(3))`
template <class LengthOf>
ir::DimId LengthOfChoices(const Facts& facts, ir::ValueId call, const LengthOf& length_of) {
  ir::DimStore& dims = facts.store().dims();
  const std::optional<std::int64_t> count = dims.AsConst(length_of(facts.program().Operand(call, 1)));
  if (!count) return {};
  const ir::ValueId taken = facts.program().Operand(call, 2);
  const auto choices =
      ChoicesOf(facts.CalleeOf(call).name, *count, taken.valid() ? facts.IntOf(taken).value_or(-1) : *count);
  return choices ? dims.Const(*choices) : ir::DimId::None();
}

// `zip(a, b)` ends with the shortest. Partners of unknown length count as long as the others: who joins two lists has
// an item of one for each of the other.
template <class LengthOf>
ir::DimId LengthOfZip(const Facts& facts, ir::ValueId call, const LengthOf& length_of) {
  if (facts.HasStarArguments(call)) return {};
  ir::DimStore& dims = facts.store().dims();
  ir::DimId shortest;
  for (std::uint32_t i = 1; i <= facts.PositionalCount(call); ++i) {
    const ir::DimId length = length_of(facts.program().Operand(call, i));
    const auto number = dims.AsConst(length), least = dims.AsConst(shortest);
    const bool shorter = number && (!least || *number < *least);
    if (length.valid() && (!shortest.valid() || shorter)) shortest = length;
  }
  return shortest;
}

// Number of items an iterable gives, through enumerate, zip, reversed and progress bars; None() where unknown.
// `evidence`: what it rests on besides the iterable's own.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
ir::DimId LengthOfIterable(const Facts& facts, ir::ValueId iterable, EvidenceSet& evidence, int depth = 0) {
  const auto direct = [&](ir::ValueId id) -> ir::DimId {
    const Value& value = facts.Of(id);
    if (value.kind == Kind::kRange || value.kind == Kind::kTuple || value.kind == Kind::kList ||
        value.kind == Kind::kDict || value.kind == Kind::kIterator)
      return value.dim;
    if (value.kind == Kind::kGenerator) {
      const Trips items = ItemsGenerated(facts, id);
      evidence |= items.evidence;
      return items.count;
    }
    if (const auto text = facts.TextOf(id)) return facts.store().dims().Const(CharactersOf(*text));
    return value.kind == Kind::kArray ? facts.ExtentOf(id, 0) : ir::DimId::None();
  };
  const Kind kind = facts.Of(iterable).kind;
  if (kind == Kind::kRange || kind == Kind::kTuple || kind == Kind::kList || kind == Kind::kArray ||
      kind == Kind::kStr || kind == Kind::kDict)
    return direct(iterable);
  if (const ir::DimId items = kind == Kind::kGenerator ? direct(iterable) : ir::DimId::None(); items.valid())
    return items;
  if (kind == Kind::kIterator && facts.Of(iterable).dim.valid()) return facts.Of(iterable).dim;
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(iterable);
  if (!source.valid()) return {};
  if (program.ops[source].kind == ir::OpKind::kPhi && depth < kDeepestJoin) {  // `if progress: steps = tqdm(steps)`
    ir::DimId common;
    for (const ir::ValueId one : program.Operands(source)) {
      const ir::DimId length = one.valid() ? LengthOfIterable(facts, one, evidence, depth + 1) : ir::DimId::None();
      if (!length.valid() || (common.valid() && length != common)) return {};
      common = length;
    }
    return common;
  }
  if (program.ops[source].kind != ir::OpKind::kCall) return {};
  const Callee& callee = facts.CalleeOf(source);
  const bool same_length = (callee.kind == Callee::Kind::kBuiltin &&
                            (callee.name == "enumerate" || callee.name == "reversed" || callee.name == "iter")) ||
                           IsProgressBar(callee.name) || CountsWithBar(callee.name);
  if (callee.name == "itertools.product") return LengthOfProduct(facts, source, direct);
  if (MakesChoices(callee.name)) return LengthOfChoices(facts, source, direct);
  // NOLINTNEXTLINE(misc-no-recursion)
  const auto inside = [&](ir::ValueId id) {
    return depth < kDeepestJoin ? LengthOfIterable(facts, id, evidence, depth + 1) : ir::DimId::None();
  };
  if (IsBuiltin(callee, {"zip"})) return LengthOfZip(facts, source, inside);
  const ir::ValueId inner = same_length ? program.Operand(source, 1) : ir::ValueId::None();
  if (!inner.valid()) return {};
  return facts.Of(inner).kind == Kind::kInt ? facts.Of(inner).dim : inside(inner);  // an int: trange(n)
}

// `if k in axes: t[k] = ...` lets only some trips through.
bool GuardedByCounter(const Facts& facts, ir::GuardId guard, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  for (; guard.valid() && program.guards[guard].loop.valid() && facts.LoopContains(loop, program.guards[guard].loop);
       guard = program.guards[guard].parent) {
    const ir::ValueId truth = program.guards[guard].truth;
    const ir::ValueId test = truth.valid() ? facts.Source(truth) : truth;
    if (!test.valid()) return true;
    if (facts.DependsOnInduction(test, loop)) return true;
    for (const ir::ValueId operand : program.Operands(test)) {
      if (operand.valid() && facts.DependsOnInduction(operand, loop)) return true;
    }
  }
  return false;
}

// The value differs from trip to trip: an item of range, or the counter of enumerate.
bool CountsUp(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(value);
  if (source == program.loops[loop].item) return facts.Of(program.loops[loop].iterable).kind == Kind::kRange;
  if (program.ops[source].kind != ir::OpKind::kUnpackItem || program.Operand(source, 0) != program.loops[loop].item ||
      ir::ItemPosition::Unpack(program.ops[source].payload).index != 0) {
    return false;
  }
  const ir::ValueId iterable = facts.Source(program.loops[loop].iterable);
  return iterable.valid() && program.ops[iterable].kind == ir::OpKind::kCall &&
         facts.CalleeOf(iterable).kind == Callee::Kind::kBuiltin && facts.CalleeOf(iterable).name == "enumerate";
}

}  // namespace

// A counter that is an index of every trip cannot exceed the extent: `t = np.zeros(3)`, `for k, v in enumerate(cell):
// t[k] += v`.
std::optional<std::int64_t> BoundByIndex(const Facts& facts, Facts::Impl& impl, ir::LoopId loop_id, Trust trust) {
  const ir::Program& program = facts.program();
  const auto extent_of = [&](ir::ValueId array, int axis) -> std::optional<std::int64_t> {
    const ir::DimId extent = facts.ExtentOf(array, axis);
    const std::optional<std::int64_t> known = impl.store.dims().AsConst(extent);
    if (known || trust == Trust::kProof) return known;
    if (const std::optional<std::int64_t> usual = UsualSize(facts, impl, extent)) return usual;
    return axis == 0 ? UsualItems(facts, impl, array, axis) : std::nullopt;
  };
  const ir::Loop& loop = program.loops[loop_id];
  if (!loop.item.valid() || !loop.body.valid()) return std::nullopt;
  std::vector<ir::ValueId> counters = {loop.item};
  for (const ir::ValueId user : facts.UsesOf(loop.item)) {
    if (program.ops[user].kind == ir::OpKind::kUnpackItem) counters.push_back(user);
  }
  std::optional<std::int64_t> bound;
  for (const ir::ValueId counter : counters) {
    if (!CountsUp(facts, counter, loop_id)) continue;  // the items of a list may come again
    for (const ir::ValueId user : facts.UsesOf(counter)) {
      const ir::Op& op = program.ops[user];
      if ((op.kind != ir::OpKind::kSubscript && op.kind != ir::OpKind::kStoreSubscript) ||
          !facts.IsArray(program.Operand(user, 0)))
        continue;
      if (program.blocks[op.block].loop != loop_id || GuardedByCounter(facts, program.blocks[op.block].guard, loop_id))
        continue;
      const std::span<const ir::ValueId> keys = facts.KeysOf(user);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::vector<Key>& selected = facts.SubscriptOf(user).keys;
        // Whatever the rank is, the first key of them selects from the first axis.
        const int axis = i == 0 ? 0 : i < selected.size() ? selected[i].axis : -1;
        if (keys[i] != counter || axis < 0) continue;
        const std::optional<std::int64_t> extent = extent_of(program.Operand(user, 0), axis);
        if (extent && (!bound || *extent < *bound)) bound = extent;
      }
    }
  }
  return bound;
}

std::optional<std::int64_t> MostTimes(const Facts& facts, ir::ValueId subscript, ir::LoopId loop) {
  const ir::Loop& header = facts.program().loops[loop];
  if (!header.item.valid() || !facts.IsArray(facts.program().Operand(subscript, 0))) return std::nullopt;
  const std::span<const ir::ValueId> keys = facts.KeysOf(subscript);
  const std::vector<Key>& selected = facts.SubscriptOf(subscript).keys;
  std::optional<std::int64_t> most;
  for (std::size_t i = 0; i < keys.size() && i < selected.size(); ++i) {
    if (selected[i].axis < 0 || !facts.IsBareInduction(keys[i], loop) || !CountsUp(facts, keys[i], loop)) continue;
    const ir::DimId extent = facts.ExtentOf(facts.program().Operand(subscript, 0), selected[i].axis);
    const std::optional<std::int64_t> known = facts.store().dims().AsConst(extent);
    if (known && (!most || *known < *most)) most = known;
  }
  return most;
}

const Trips& Facts::TripsOf(ir::LoopId loop) const {
  const auto found = impl_->trips.find(loop);
  if (found != impl_->trips.end()) return found->second;
  Trips& trips = impl_->trips[loop];  // a generator that calls itself asks for its own loop again: unknown
  const ir::ValueId iterable = program_.loops[loop].iterable;
  if (!iterable.valid()) return trips;
  EvidenceSet evidence = Of(iterable).evidence;
  trips.count = LengthOfIterable(*this, iterable, evidence);
  trips.evidence = evidence;
  return trips;
}

namespace {

// `a, b = (f(x) for x in xs)`: as many items as there are names.
std::optional<std::int64_t> NamesUnpacked(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::Loop& header = program.loops[loop];
  if (header.kind != ir::Loop::Kind::kComprehension || !header.body.valid()) return std::nullopt;
  for (const ir::ValueId op : program.blocks[header.body].ops) {
    if (program.ops[op].kind != ir::OpKind::kCollectItem) continue;
    if (const auto names = NamesUnpackedTo(facts, program.Operand(op, 0))) return names;
  }
  return std::nullopt;
}

// `signs = [1, -1] if both else [1]`: the longest of the lists.
std::optional<std::int64_t> LongestList(const Facts& facts, ir::ValueId iterable) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = iterable.valid() ? facts.Source(iterable) : iterable;
  if (!source.valid() || program.ops[source].kind != ir::OpKind::kPhi) return std::nullopt;
  std::optional<std::int64_t> longest;
  for (const ir::ValueId operand : program.Operands(source)) {
    const Value& value = facts.Of(operand);
    if (!operand.valid() || (value.kind != Kind::kList && value.kind != Kind::kTuple)) return std::nullopt;
    const std::optional<std::int64_t> length = facts.store().dims().AsConst(value.dim);
    if (!length) return std::nullopt;
    longest = std::max(longest.value_or(0), *length);
  }
  return longest;
}

// `for i in range(terms(trend))` where the function returns 0, 1 or 2.
std::optional<std::int64_t> LargestCount(const Facts& facts, Facts::Impl& impl, ir::ValueId iterable) {
  const ir::ValueId source = iterable.valid() ? facts.Source(iterable) : iterable;
  if (!source.valid() || facts.program().ops[source].kind != ir::OpKind::kCall) return std::nullopt;
  const Callee& callee = facts.CalleeOf(source);
  const bool counts = callee.kind == Callee::Kind::kBuiltin && callee.name == "range";
  if (!counts || facts.PositionalCount(source) != 1 || facts.HasStarArguments(source)) return std::nullopt;
  const std::optional<std::int64_t> most =
      LargestConstant(facts, impl, facts.program().Operand(source, 1), Trust::kProof);
  return most ? std::optional(std::max<std::int64_t>(0, *most)) : std::nullopt;
}

}  // namespace

// The most passes a loop can make, if its symbols are no negative numbers: range(a, 3) makes at most 3.
std::optional<std::int64_t> Facts::MostTrips(ir::LoopId loop) const {
  if (const auto found = impl_->most_trips.find(loop); found != impl_->most_trips.end()) return found->second;
  ir::DimStore& dims = impl_->store.dims();
  const ir::DimId count = TripsOf(loop).count;
  std::optional<std::int64_t> most = dims.AsConst(count);
  if (!most) {
    const std::optional<std::int64_t> least = dims.LowerBound(dims.Negate(count), 0);
    most = least ? std::max<std::int64_t>(0, -*least) : BoundByIndex(*this, *impl_, loop, Trust::kProof);
    if (!most) most = LongestList(*this, program_.loops[loop].iterable);
    if (!most) most = WrittenItemsWalked(*this, program_.loops[loop].iterable);
    if (!most) most = NamesUnpacked(*this, loop);
    if (!most) most = LargestCount(*this, *impl_, program_.loops[loop].iterable);
    if (!most && (CountsAxes(*this, loop) || CollectsAxes(*this, loop, false))) most = kMostAxes;
  }
  // `if i == 3: break` ends a range early.
  if (!most || *most >= kHotTrips) {
    const std::optional<std::int64_t> counted = CountedPasses(*this, *impl_, loop, Trust::kProof);
    if (counted) most = std::min(most.value_or(*counted), *counted);
  }
  impl_->most_trips.emplace(loop, most);
  return most;
}

std::optional<std::int64_t> Facts::UsualTrips(ir::LoopId loop) const {
  return analysis::UsualTrips(*this, *impl_, loop);
}

bool Facts::TripsKnownBelow(ir::LoopId loop, std::int64_t trips) const {
  const std::optional<std::int64_t> most = MostTrips(loop);
  return most && *most < trips;
}

bool Facts::TripsKnownAtLeast(ir::LoopId loop, std::int64_t trips) const {
  const std::optional<std::int64_t> known = impl_->store.dims().AsConst(TripsOf(loop).count);
  return known && *known >= trips;
}

bool WalksNames(const Facts& facts, ir::LoopId loop) {
  const ir::ValueId iterable = facts.program().loops[loop].iterable;
  if (!iterable.valid()) return false;
  if (facts.Of(iterable).kind == Kind::kDict) return true;
  ir::ValueId source = facts.Source(iterable);
  const auto names = [&](ir::OpKind kind) { return source.valid() && facts.program().ops[source].kind == kind; };
  if (names(ir::OpKind::kCall) && facts.CalleeOf(source).kind == Callee::Kind::kBuiltin &&
      IsOneOf(facts.CalleeOf(source).name, {"sorted", "list", "tuple", "set"}) &&
      facts.program().ops[source].operand_count >= 2)
    source = facts.Source(facts.program().Operand(source, 1));
  // The attributes of an object, and of its class.
  if (names(ir::OpKind::kAttr))
    return IsOneOf(facts.program().Name(facts.program().ops[source]), {"__dict__", "__slots__", "__annotations__"});
  if (!names(ir::OpKind::kCall)) return false;
  const std::string_view called = facts.CalleeOf(source).name;
  if (called.starts_with("dict.") || called == "vars" || called == "dir" || called == "dataclasses.fields") return true;
  // `settings.items()` of who knows what: only what maps keys to values has that.
  const ir::ValueId callee = facts.program().Operand(source, 0);
  if (!callee.valid() || facts.program().ops[callee].kind != ir::OpKind::kAttr) return false;
  const std::string_view name = facts.program().Name(facts.program().ops[callee]);
  return facts.Of(callee).kind == Kind::kUnknown && (name == "items" || name == "keys" || name == "values");
}

bool CutsForObjects(const Facts& facts, ir::LoopId loop, LoopKind kind) {
  if (kind != LoopKind::kRow && kind != LoopKind::kChunk && kind != LoopKind::kSweep) return false;
  const ir::Program& program = facts.program();
  const ir::ValueId item = program.loops[loop].item;
  if (!item.valid() || facts.IsArray(item)) return false;
  const std::vector<ir::ValueId> uses = facts.DeepUsesOf(item);
  return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
    const ir::Op& op = program.ops[use];
    return op.kind == ir::OpKind::kAttr && !NumpyHas("numpy.ndarray." + std::string(program.Name(op)));
  });
}

bool IndexesObjects(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId counter = program.loops[loop].item;
  if (!counter.valid()) return false;
  const std::vector<ir::ValueId> uses = facts.DeepUsesOf(counter);
  return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
    if (program.ops[use].kind != ir::OpKind::kSubscript || program.ops[use].operand_count != 2) return false;
    const Value& list = facts.Of(program.Operand(use, 0));
    if (list.kind != Kind::kList || program.Operand(use, 0) == counter || !list.item.valid()) return false;
    return facts.store().Get(list.item).front().kind == Kind::kInstance;
  });
}

}  // namespace cpnlint::analysis
