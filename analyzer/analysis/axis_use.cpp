#include "analyzer/analysis/axis_use.h"

#include <algorithm>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/comparisons.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/one_number.h"
#include "analyzer/analysis/tested_numbers.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

bool IsSlice(const Facts& facts, ir::ValueId id) {
  const ir::Program& program = facts.program();
  return id.valid() && program.ops[id].kind == ir::OpKind::kCall && facts.CalleeOf(id).kind == Callee::Kind::kBuiltin &&
         facts.CalleeOf(id).name == "slice";
}

// The walk of a comprehension that collects slices, or lists of them.
bool IsKeyLoop(const Facts& facts, ir::ValueId iter) {
  const ir::Program& program = facts.program();
  if (program.ops[iter].kind != ir::OpKind::kIter) return false;
  const ir::LoopId loop(program.ops[iter].payload);
  for (const ir::ValueId item : facts.UsesOf(iter)) {
    if (program.ops[item].kind != ir::OpKind::kLoopItem) continue;
    for (const ir::ValueId op : program.blocks[program.ops[item].block].ops) {
      if (program.ops[op].kind != ir::OpKind::kCollectItem || program.LoopOf(op) != loop) continue;
      const ir::ValueId collected = program.Operand(op, 1);
      if (IsSlice(facts, collected)) return true;
      const bool several = collected.valid() && program.ops[collected].kind == ir::OpKind::kTuple;
      const auto parts = several ? program.Operands(collected) : std::span<const ir::ValueId>{};
      if (std::any_of(parts.begin(), parts.end(), [&](ir::ValueId part) { return IsSlice(facts, part); })) return true;
    }
  }
  return false;
}

}  // namespace

bool MakesKeys(const Facts& facts, const std::vector<ir::ValueId>& users) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId user : users) {
    if (IsKeyLoop(facts, user)) return true;
    if (program.ops[user].kind != ir::OpKind::kCall || facts.CalleeOf(user).kind != Callee::Kind::kBuiltin) continue;
    if (facts.CalleeOf(user).name != "zip" && facts.CalleeOf(user).name != "enumerate") continue;
    const std::vector<ir::ValueId> walks = facts.DeepUsesOf(user);
    if (std::any_of(walks.begin(), walks.end(), [&](ir::ValueId walk) { return IsKeyLoop(facts, walk); })) return true;
  }
  return false;
}

bool IsCalledShape(const ir::Program& program, ir::ValueId id) {
  const ir::Op& op = program.ops[id];
  std::string_view name;
  if (op.kind == ir::OpKind::kAttr) name = program.Name(op);
  if (op.kind == ir::OpKind::kParam) {
    const List<ir::Param> params = program.functions[program.FunctionOf(id)].params;
    if (op.detail < params.size()) name = program.names.Text(params[op.detail].name);
  }
  return name == "shape" || name.ends_with("_shape");
}

bool CountsAxes(const Facts& facts, ir::ClassId owner, Symbol attribute) {
  const ir::Program& program = facts.program();
  for (const ir::FunctionId method : program.classes[owner].methods) {
    const ir::Function& function = program.functions[method];
    const std::string_view name = program.names.Text(function.name);
    if (name != "dim" && name != "ndim") continue;
    for (const ir::ValueId leave : function.returns) {
      const ir::ValueId length = facts.Source(program.Operand(leave, 0));
      if (!length.valid() || program.ops[length].kind != ir::OpKind::kCall ||
          facts.CalleeOf(length).kind != Callee::Kind::kBuiltin || facts.CalleeOf(length).name != "len")
        continue;
      const ir::ValueId counted = program.Operand(length, 1);
      if (counted.valid() && program.ops[counted].kind == ir::OpKind::kAttr &&
          program.SymbolOf(program.ops[counted]) == attribute)
        return true;
    }
  }
  return false;
}

namespace {

// `self.pairs` twice: what is read has the same length, if nothing is stored between; a test tells of what follows it.
bool IsSameThing(const Facts& facts, ir::ValueId one, ir::ValueId other) {
  const ir::Program& program = facts.program();
  const ir::ValueId first = one.valid() ? facts.Source(one) : one;
  const ir::ValueId second = other.valid() ? facts.Source(other) : other;
  if (!first.valid() || !second.valid()) return false;
  if (first == second) return true;
  const ir::Op &a = program.ops[first], &b = program.ops[second];
  if (a.kind != ir::OpKind::kAttr || b.kind != ir::OpKind::kAttr || program.SymbolOf(a) != program.SymbolOf(b))
    return false;
  return facts.Source(program.Operand(first, 0)) == facts.Source(program.Operand(second, 0));
}

// `len(x)`, `x.size`, `x.shape[0]`
bool IsLengthOf(const Facts& facts, ir::ValueId number, ir::ValueId array) {
  const ir::Program& program = facts.program();
  const ir::ValueId id = number.valid() ? facts.Source(number) : number;
  if (!id.valid()) return false;
  const ir::Op& op = program.ops[id];
  if (op.kind == ir::OpKind::kCall) {
    const Callee& callee = facts.CalleeOf(id);
    const bool length = callee.kind == Callee::Kind::kBuiltin && callee.name == "len";
    return length && IsSameThing(facts, program.Operand(id, 1), array);
  }
  if (op.kind == ir::OpKind::kAttr)
    return program.Name(op) == "size" && IsSameThing(facts, program.Operand(id, 0), array);
  if (op.kind != ir::OpKind::kSubscript || facts.IntOf(program.Operand(id, 1)) != 0) return false;
  const ir::ValueId shape = facts.Source(program.Operand(id, 0));
  return shape.valid() && program.ops[shape].kind == ir::OpKind::kAttr && program.Name(program.ops[shape]) == "shape" &&
         IsSameThing(facts, program.Operand(shape, 0), array);
}

// What a test says of the array's length where it holds, or where it does not.
std::optional<std::int64_t> MostOnWay(const Facts& facts, ir::ValueId array, ir::ValueId truth, bool holds) {
  const ir::Program& program = facts.program();
  const ir::ValueId test = facts.Source(program.Operand(truth, 0));
  if (!test.valid() || program.ops[test].kind != ir::OpKind::kCompare) return std::nullopt;
  if (!IsLengthOf(facts, program.Operand(test, 0), array)) return std::nullopt;
  const auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
  if (compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn)
    return holds == (compare == ir::CompareOp::kIn) ? LargestChoice(facts, program.Operand(test, 1)) : std::nullopt;
  const std::optional<std::int64_t> number = facts.IntOf(program.Operand(test, 1));
  return number ? MostAllowed(compare, holds, *number) : std::nullopt;
}

// `if len(x) == 3 or len(x) == 4:`: each of the tests that lead here says so.
std::optional<std::int64_t> MostOnAllWays(const Facts& facts, ir::ValueId array, const ir::Guard& guard) {
  const ir::Program& program = facts.program();
  const ir::BlockId last = program.ops[guard.truth].block;
  const ir::BlockId here = program.blocks[last].succs[guard.holds ? 0 : 1];
  std::optional<std::int64_t> most;
  for (const ir::BlockId before : program.blocks[here].preds) {
    const ir::Block& block = program.blocks[before];
    const ir::ValueId branch = block.ops.empty() ? ir::ValueId::None() : block.ops.back();
    if (!branch.valid() || program.ops[branch].kind != ir::OpKind::kBranch) return std::nullopt;
    const auto one = MostOnWay(facts, array, program.Operand(branch, 0), block.succs[0] == here);
    if (!one) return std::nullopt;
    most = std::max(most.value_or(*one), *one);
  }
  return most;
}

}  // namespace

std::optional<std::int64_t> MostItemsAt(const Facts& facts, ir::ValueId array, ir::BlockId place) {
  const ir::Program& program = facts.program();
  constexpr int kMostTests = 32;
  std::optional<std::int64_t> most = facts.MostItems(array);
  ir::GuardId id = program.blocks[place].guard;
  for (int tests = 0; id.valid() && tests < kMostTests; ++tests, id = program.guards[id].parent) {
    const ir::Guard& guard = program.guards[id];
    if (!guard.truth.valid() || program.ops[guard.truth].kind != ir::OpKind::kTruth) continue;
    const auto allowed = guard.kind == ir::Guard::Kind::kTest       ? MostOnWay(facts, array, guard.truth, guard.holds)
                         : guard.kind == ir::Guard::Kind::kCompound ? MostOnAllWays(facts, array, guard)
                                                                    : std::nullopt;
    if (allowed) most = std::min(most.value_or(*allowed), *allowed);
  }
  return most;
}

namespace {

bool EndsAt(const ir::Program& program, ir::BlockId block, bool by_raising) {
  for (int steps = 0; steps < 8 && block.valid() && !program.blocks[block].ops.empty(); ++steps) {
    const ir::OpKind last = program.ops[program.blocks[block].ops.back()].kind;
    if (last == ir::OpKind::kRaise) return true;
    if (last == ir::OpKind::kReturn) return !by_raising;
    if (last != ir::OpKind::kJump) break;
    block = program.blocks[block].succs[0];
    if (program.blocks[block].preds.size() > 1) break;  // others come here, too
  }
  return false;
}

bool EndsWhere(const Facts& facts, ir::ValueId test, bool holds, bool by_raising) {
  struct Tested {
    ir::ValueId test;
    bool holds;
  };
  constexpr std::size_t kMostTests = 16;
  const ir::Program& program = facts.program();
  std::vector<Tested> tests = {{test, holds}};
  for (std::size_t i = 0; i < tests.size() && i < kMostTests; ++i) {
    const Tested now = tests[i];
    for (const ir::ValueId user : facts.UsesOf(now.test)) {
      const ir::OpKind kind = program.ops[user].kind;
      if (kind == ir::OpKind::kTruth) tests.push_back({user, now.holds});
      if (kind == ir::OpKind::kNot) tests.push_back({user, !now.holds});
      if (kind != ir::OpKind::kBranch) continue;
      if (EndsAt(program, program.blocks[program.ops[user].block].succs[now.holds ? 0 : 1], by_raising)) return true;
    }
  }
  return false;
}

}  // namespace

bool EndsWhere(const Facts& facts, ir::ValueId test, bool holds) {
  // `if len(x) == 3: ...` is a case, and what is left returns as well.
  return EndsWhere(facts, test, holds, !holds);
}

bool RaisesWhere(const Facts& facts, ir::ValueId test, bool holds) { return EndsWhere(facts, test, holds, true); }

std::optional<std::int64_t> MostAfter(const Facts& facts, ir::ValueId compare, std::int64_t number) {
  const ir::Op& op = facts.program().ops[compare];
  if (facts.program().blocks[op.block].guard.valid()) return std::nullopt;  // in one case only
  const auto test = static_cast<ir::CompareOp>(op.detail);
  for (const bool holds : {true, false}) {
    if (EndsWhere(facts, compare, !holds)) return MostAllowed(test, holds, number);
  }
  return std::nullopt;
}

std::optional<std::int64_t> NamesUnpackedTo(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  if (!value.valid()) return std::nullopt;
  for (const ir::ValueId user : facts.DeepUsesOf(value)) {
    if (program.ops[user].kind != ir::OpKind::kUnpackItem) continue;
    const ir::ItemPosition item = ir::ItemPosition::Unpack(program.ops[user].payload);
    if (item.star != ir::ItemPosition::kNoStar) continue;
    // `if len(v) == 3: x, y, z = v` tells of some values only.
    constexpr int kMostTests = 32;
    ir::GuardId tested = program.blocks[program.ops[user].block].guard;
    for (int tests = 0; tested.valid() && tests < kMostTests; ++tests, tested = program.guards[tested].parent) {
      const ir::Guard& guard = program.guards[tested];  // `assert len(v) == 2` tells of all that go on
      const bool test = guard.kind == ir::Guard::Kind::kTest && guard.truth.valid();
      if (!test || !EndsWhere(facts, program.Operand(guard.truth, 0), !guard.holds)) break;
    }
    bool always = !tested.valid();
    ir::GuardId around = program.blocks[program.ops[value].block].guard;
    for (int tests = 0; !always && around.valid() && tests < kMostTests;
         ++tests, around = program.guards[around].parent)
      always = around == tested;
    if (always) return item.count;
  }
  return std::nullopt;
}

ir::ValueId ListUnpacked(const Facts& facts, ir::ValueId item) {
  const ir::Program& program = facts.program();
  if (program.ops[item].kind != ir::OpKind::kUnpackItem) return {};
  const ir::ItemPosition position = ir::ItemPosition::Unpack(program.ops[item].payload);
  const ir::ValueId tuple = program.Operand(item, 0);
  const ir::Op& op = program.ops[tuple];
  if (op.kind != ir::OpKind::kTuple || position.star != ir::ItemPosition::kNoStar || op.operand_count != position.count)
    return {};
  const ir::ValueId list = program.Operand(tuple, position.index);
  const auto is_unpacked = [&](ir::ValueId user) { return program.ops[user].kind == ir::OpKind::kUnpackItem; };
  const bool alone = facts.UsesOf(list).size() == 1 && std::ranges::all_of(facts.UsesOf(tuple), is_unpacked);
  return alone && program.ops[list].kind == ir::OpKind::kList ? list : ir::ValueId::None();
}

// The loop of a comprehension with one clause.
ir::LoopId LoopOfComprehension(const Facts& facts, ir::ValueId collection) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId use : facts.UsesOf(collection)) {
    if (program.ops[use].kind != ir::OpKind::kCollectItem || program.Operand(use, 0) != collection) continue;
    const ir::LoopId loop = program.blocks[program.ops[use].block].loop;
    const ir::LoopId around = program.blocks[program.ops[collection].block].loop;
    return loop.valid() && program.loops[loop].parent == around ? loop : ir::LoopId::None();
  }
  return {};
}

bool GivesPositions(const Facts& facts, ir::ValueId call) {
  const std::string_view name = BareName(facts.CalleeOf(call));
  return name == "nonzero" || (name == "where" && facts.PositionalCount(call) == 1);
}

// `for at in np.ndindex(*counts)`, `for i, at in enumerate(itertools.product(*lists))`, `for at, x in
// np.ndenumerate(y)`: a position. By usage of what comes of a product: the work multiplies with each of its lists.
static bool IsPosition(const Facts& facts, ir::ValueId source, bool by_usage) {
  const ir::Program& program = facts.program();
  const bool part = program.ops[source].kind == ir::OpKind::kUnpackItem;
  const std::uint32_t index = part ? ir::ItemPosition::Unpack(program.ops[source].payload).index : 0;
  const ir::ValueId item = part ? facts.Source(program.Operand(source, 0)) : source;
  if (!item.valid() || program.ops[item].kind != ir::OpKind::kLoopItem) return false;
  const ir::ValueId iterable = program.loops[ir::LoopId(program.ops[item].payload)].iterable;
  ir::ValueId walked = iterable.valid() ? facts.Source(iterable) : iterable;
  if (!walked.valid() || program.ops[walked].kind != ir::OpKind::kCall) return false;
  const bool counted = IsBuiltin(facts.CalleeOf(walked), {"enumerate"});
  if (counted) walked = facts.Source(program.Operand(walked, 1));
  if (!walked.valid() || program.ops[walked].kind != ir::OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(walked);
  if (callee.name == "numpy.ndenumerate") return part && index == 0 && !counted;
  if (part != counted || (counted && index != 1)) return false;
  return callee.name == "numpy.ndindex" || (by_usage && callee.name == "itertools.product");
}

// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
static bool HasOnePerAxis(const Facts& facts, ir::ValueId id, bool by_usage, int depth) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = id.valid() ? facts.Source(id) : id;
  if (!source.valid() || depth > 4) return false;
  if (by_usage && IsCalledShape(program, source)) return true;
  const ir::Op& op = program.ops[source];
  switch (op.kind) {
    case ir::OpKind::kAttr:
      return (program.Name(op) == "shape" || program.Name(op) == "strides") &&
             facts.IsArray(program.Operand(source, 0));
    case ir::OpKind::kLoopItem:
    case ir::OpKind::kUnpackItem: return IsPosition(facts, source, by_usage);
    case ir::OpKind::kSubscript:  // x.shape[1:]
      return facts.Of(program.Operand(source, 1)).kind == Kind::kSlice &&
             HasOnePerAxis(facts, program.Operand(source, 0), by_usage, depth + 1);
    case ir::OpKind::kCollection: {  // [n // 2 for n in x.shape]
      const ir::LoopId loop = LoopOfComprehension(facts, source);
      return loop.valid() && HasOnePerAxis(facts, program.loops[loop].iterable, by_usage, depth + 1);
    }
    case ir::OpKind::kCall: {
      const Callee& callee = facts.CalleeOf(source);
      if (GivesPositions(facts, source)) return true;  // np.nonzero(x)
      if (by_usage && IsOneOf(BareName(callee), {"ix_", "indices", "meshgrid", "unravel_index"})) return true;
      if (by_usage && BareName(callee) == "broadcast_arrays") {  // broadcast_arrays(*np.ix_(a, b))
        const ir::ValueId parts = facts.HasStarArguments(source) ? program.Operand(source, 1) : ir::ValueId::None();
        return parts.valid() && program.ops[parts].kind == ir::OpKind::kStarred &&
               HasOnePerAxis(facts, program.Operand(parts, 0), by_usage, depth + 1);
      }
      if (callee.kind != Callee::Kind::kBuiltin) return false;
      const bool shortest = callee.name == "zip";
      if (!shortest && !IsOneOf(callee.name, {"list", "tuple", "reversed", "sorted", "enumerate"})) return false;
      const std::size_t count = shortest ? facts.PositionalCount(source) : 1;
      for (std::uint32_t i = 1; i <= count; ++i) {
        if (HasOnePerAxis(facts, program.Operand(source, i), by_usage, depth + 1)) return true;
      }
      return false;
    }
    default: return false;
  }
}

bool HasOnePerAxis(const Facts& facts, ir::ValueId id, bool by_usage) { return HasOnePerAxis(facts, id, by_usage, 0); }

bool GrowsLater(const Facts& facts, ir::ValueId list) {
  return std::ranges::any_of(facts.DeepUsesOf(list), [&](ir::ValueId user) {
    const ir::OpKind kind = facts.program().ops[user].kind;
    return kind == ir::OpKind::kAttr || kind == ir::OpKind::kInplaceBinary;
  });
}

namespace {

// A slice keeps an axis, and an array of indices makes one: alone, or in a tuple as `np.nonzero` gives it.
bool KeepsAxis(const Facts& facts, const Value& key) {
  if (key.kind == Kind::kSlice) return true;
  if (key.kind == Kind::kArray) return Rank(facts.store(), key) >= 1;
  if (key.kind != Kind::kTuple) return false;
  const auto keeps = [&](const Value& part) {
    return part.kind == Kind::kSlice || (part.kind == Kind::kArray && Rank(facts.store(), part) >= 1);
  };
  if (key.item.valid()) return keeps(facts.store().Get(key.item).front());
  if (!key.elements.valid()) return false;
  const std::vector<Value>& parts = facts.store().Get(key.elements);
  return std::any_of(parts.begin(), parts.end(), keeps);
}

// Arithmetic, or another element-by-element function, has the axes of what goes in.
bool IsElementByElement(const Facts& facts, ir::ValueId source) {
  const ir::Op& op = facts.program().ops[source];
  return (op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) != ir::BinaryOp::kMatMul) ||
         op.kind == ir::OpKind::kUnary || op.kind == ir::OpKind::kCompare ||
         (op.kind == ir::OpKind::kCall && api::IsUfunc(facts.CalleeOf(source).name));
}

// `v` of `np.searchsorted(edges, v)` and `np.digitize(v, edges)`: the places have its axes. None() for others.
ir::ValueId SoughtValue(const Facts& facts, ir::ValueId source) {
  const ir::Program& program = facts.program();
  if (program.ops[source].kind != ir::OpKind::kCall) return {};
  const std::string_view name = facts.CalleeOf(source).name;
  if (name == "numpy.searchsorted") return facts.Argument(source, 1, "v");
  if (name == "numpy.ndarray.searchsorted") return facts.Argument(source, 0, "v");
  return name == "numpy.digitize" ? facts.Argument(source, 0, "x") : ir::ValueId::None();
}

// One draw of a distribution is an array of shape (1,), and so is what is computed of it; as a number, it has no axis.
bool MayBeOneDraw(const Facts& facts, ir::ValueId source) {
  if (!source.valid() || !HoldsOneNumber(facts, source)) return false;
  if (IsElementByElement(facts, source) || SoughtValue(facts, source).valid()) return true;  // what goes in decides
  const ir::Op& op = facts.program().ops[source];
  if (op.kind == ir::OpKind::kSubscript)
    return !facts.IsArray(facts.program().Operand(source, 0));  // out of a list of such
  return op.kind == ir::OpKind::kCall && facts.CalleeOf(source).name.starts_with("numpy.random.");
}

bool FindAxis(const Facts& facts, ir::ValueId array) {
  constexpr std::size_t kMostOps = 40;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {array};
  for (std::size_t i = 0; i < work.size() && i < kMostOps; ++i) {
    const ir::ValueId id = work[i];
    if (!id.valid() || !facts.IsArray(id)) continue;
    const ir::ValueId source = facts.Source(id);
    if (facts.RankOf(id) >= 1 && !MayBeOneDraw(facts, source)) return true;
    if (facts.RankOf(id) == 0 || !source.valid()) continue;
    const ir::Op& op = program.ops[source];
    if (op.kind == ir::OpKind::kSubscript) {
      const auto keys = facts.KeysOf(source);
      const auto keeps = [&](ir::ValueId key) { return KeepsAxis(facts, facts.Of(key)); };
      if (std::any_of(keys.begin(), keys.end(), keeps)) return true;
      continue;
    }
    if (op.kind == ir::OpKind::kCall) {
      const Callee& callee = facts.CalleeOf(source);
      if (callee.kind == Callee::Kind::kClass && facts.Of(source).class_id.valid())
        return true;  // of the user's own array class
      if (callee.kind == Callee::Kind::kLocal) {
        for (const ir::ValueId leave : program.functions[callee.function].returns)
          work.push_back(program.Operand(leave, 0));
      }
      // Of a number they make an array of one element, or raise.
      const bool library = callee.name.starts_with("numpy.");
      if (library && IsOneOf(BareName(callee), {"argsort", "cumprod", "cumsum", "lexsort", "sort"})) return true;
      if (callee.name == "numpy.asarray" || callee.name == "numpy.array") work.push_back(program.Operand(source, 1));
      if (callee.name == "numpy.ndarray.copy" || callee.name == "numpy.ndarray.astype") work.push_back(callee.receiver);
    }
    work.push_back(SoughtValue(facts, source));
    // What is broadcast with an axis has one.
    const auto operands = program.Operands(source);
    if (IsElementByElement(facts, source)) work.insert(work.end(), operands.begin(), operands.end());
  }
  return false;
}

}  // namespace

bool Facts::HasAxis(ir::ValueId array) const {
  if (!IsArray(array)) return false;
  if (impl_->has_axis.empty()) impl_->has_axis.resize(program_.ops.size());
  std::uint8_t& known = impl_->has_axis[array.index()];
  if (known == 0) known = FindAxis(*this, array) ? 2 : 1;
  return known == 2;
}

}  // namespace cpnlint::analysis
