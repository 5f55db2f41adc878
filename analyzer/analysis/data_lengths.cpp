#include "analyzer/analysis/data_lengths.h"

#include <algorithm>

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr int kDeepest = 12;
constexpr std::size_t kMostCalls = 8;    // of one function
constexpr std::size_t kMostValues = 32;  // that one array may be

bool Selects(const Callee& callee) {
  return IsOneOf(callee.name, {"numpy.flatnonzero", "numpy.argwhere", "numpy.compress", "numpy.extract", "numpy.unique",
                               "numpy.ndarray.compress"});
}

bool Joins(const Callee& callee) {
  return IsOneOf(callee.name,
                 {"numpy.column_stack", "numpy.concatenate", "numpy.hstack", "numpy.stack", "numpy.vstack"});
}

bool IsElementwise(const Callee& callee) {
  const api::Entry* row = callee.kind == Callee::Kind::kApi ? api::Find(callee.name) : nullptr;
  return row != nullptr && row->kind == api::Kind::kUfunc;
}

// Copies, and other axes for the same elements.
bool KeepsElements(const Callee& callee) {
  return IsOneOf(callee.name,
                 {"numpy.copy", "numpy.expand_dims", "numpy.ndarray.astype", "numpy.ndarray.conj", "numpy.ndarray.copy",
                  "numpy.ndarray.flatten", "numpy.ndarray.ravel", "numpy.ndarray.reshape", "numpy.ndarray.transpose",
                  "numpy.ravel", "numpy.reshape", "numpy.squeeze", "numpy.transpose"});
}

bool Counts(const Callee& callee) { return callee.name == "numpy.bincount"; }

// `np.array(log)` of a list.
bool Converts(const Facts& facts, ir::ValueId op) {
  return facts.program().ops[op].kind == ir::OpKind::kCall &&
         IsOneOf(facts.CalleeOf(op).name, {"numpy.array", "numpy.asarray"});
}

// The join by which a loop makes the array longer, which may stand under a test; None() where it is none.
ir::ValueId JoinOf(const Facts& facts, ir::ValueId carried, ir::ValueId array) {
  const ir::Program& program = facts.program();
  carried = facts.Source(carried);
  if (carried.valid() && program.ops[carried].kind == ir::OpKind::kPhi) {
    const auto operands = program.Operands(carried);
    const auto same = [&](ir::ValueId one) { return one.valid() && facts.Source(one) == array; };
    if (operands.size() != 2 || same(operands[0]) == same(operands[1])) return {};
    carried = facts.Source(operands[same(operands[0]) ? 1 : 0]);
  }
  if (!carried.valid() || program.ops[carried].kind != ir::OpKind::kCall) return {};
  const Callee& callee = facts.CalleeOf(carried);
  return Joins(callee) || callee.name == "numpy.append" ? carried : ir::ValueId::None();
}

// `x = np.concatenate([x, new])` on each of so many passes: what was there before, and half of what comes to it, as it
// is on average.
template <typename LengthOf>
ir::DimId LengthOfGrowing(const Facts& facts, ir::ValueId array, const LengthOf& length_of) {
  const ir::Program& program = facts.program();
  const ir::LoopId loop = program.LoopOf(array);
  if (!loop.valid() || program.loops[loop].header != program.ops[array].block) return {};
  ir::DimId before;
  ir::ValueId join;
  for (const ir::ValueId operand : program.Operands(array)) {
    if (!operand.valid()) return {};
    if (facts.InLoop(operand, loop)) {
      join = JoinOf(facts, operand, array);
    } else {
      before = length_of(operand);
    }
  }
  ir::DimStore& dims = facts.store().dims();
  const ir::DimId passes = facts.TripsOf(loop).count;
  if (!join.valid() || !before.valid() || !dims.AsConst(passes)) return {};
  ir::ValueId pieces = program.Operand(join, 1);
  const bool append = facts.CalleeOf(join).name == "numpy.append";
  if (append && program.ops[join].operand_count < 3) return {};
  if (!append) pieces = facts.Source(pieces);
  const bool listed = pieces.valid() &&
                      (program.ops[pieces].kind == ir::OpKind::kList || program.ops[pieces].kind == ir::OpKind::kTuple);
  if (!append && !listed) return {};
  ir::DimId added = dims.Const(0);
  bool joins_itself = false;
  for (const ir::ValueId piece : append ? program.Operands(join).subspan(1, 2) : program.Operands(pieces)) {
    const bool itself = piece.valid() && facts.Source(piece) == array;
    if (!itself) added = dims.Add(added, length_of(piece));
    joins_itself = joins_itself || itself;
  }
  if (!joins_itself || !added.valid()) return {};
  const auto period = static_cast<std::int64_t>(std::clamp(facts.HeatOf(join).period, 1.0, 1e6));
  return dims.Add(before, dims.CeilDiv(dims.Mul(passes, added), dims.Const(2 * period)));
}

}  // namespace

ir::DimId UsualCount(const Facts& facts, ir::ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  const ir::ValueId least = Counts(callee) ? facts.Argument(call, 2, "minlength") : ir::ValueId::None();
  return least.valid() ? facts.Of(least).dim : ir::DimId::None();
}

ir::DimId DataLengths::Half(ir::DimId elements) {
  ir::DimStore& dims = facts_.store().dims();
  return elements.valid() ? dims.CeilDiv(elements, dims.Const(2)) : ir::DimId::None();
}

// NOLINTNEXTLINE(misc-no-recursion): `depth_` bounds it
ir::DimId DataLengths::Of(ir::ValueId array) {
  if (!array.valid()) return {};
  if (const ir::DimId volume = facts_.VolumeOf(array); volume.valid()) return volume;
  array = facts_.Source(array);
  if (!array.valid() || depth_ >= kDeepest || !facts_.IsArray(array)) return {};
  const auto [found, is_new] = known_.try_emplace(array);
  if (!is_new) return found->second;
  ++depth_;
  const ir::DimId length = Find(array);
  --depth_;
  return known_[array] = length;
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::Find(ir::ValueId array) {
  switch (program_.ops[array].kind) {
    case ir::OpKind::kUnpackItem:
    case ir::OpKind::kSubscript: return OfSubscript(array);
    case ir::OpKind::kAttr:
      return program_.Name(program_.ops[array]) == "T" ? Of(program_.Operand(array, 0)) : ir::DimId::None();
    case ir::OpKind::kBinary:
      if (static_cast<ir::BinaryOp>(program_.ops[array].detail) == ir::BinaryOp::kMatMul) return OfProduct(array);
      [[fallthrough]];
    case ir::OpKind::kInplaceBinary:
    case ir::OpKind::kCompare:
    case ir::OpKind::kUnary: return LargestOf(array, program_.Operands(array));
    case ir::OpKind::kPhi: {
      const ir::DimId grown = LengthOfGrowing(facts_, array, [&](ir::ValueId one) { return Of(one); });
      return grown.valid() ? grown : LargestOf(array, program_.Operands(array));
    }
    case ir::OpKind::kCall: return OfCall(array);
    case ir::OpKind::kParam: return OfParam(array);
    default: return {};
  }
}

bool DataLengths::HasNames(ir::DimId size) const {
  return std::ranges::none_of(facts_.store().dims().Symbols(size), [&](Symbol symbol) {
    return program_.names.Text(symbol).find('?') != std::string_view::npos;
  });
}

// As long as the longest of those with as many axes: `v = 0.5 * (v[:-1] + v[1:])` begins with all of it. Two vectors
// may span a table, so that is no longer than what it is made of is not said of it.
// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::LargestOf(ir::ValueId made, std::span<const ir::ValueId> arrays) {
  const ir::DimStore& dims = facts_.store().dims();
  const int rank = facts_.RankOf(made);
  ir::DimId largest;
  for (const ir::ValueId array : arrays) {
    if (!array.valid() || !facts_.IsArray(array) || (rank >= 0 && facts_.RankOf(array) != rank)) continue;
    const ir::DimId length = Of(array);
    const auto known = dims.AsConst(length), before = dims.AsConst(largest);
    // What the program says on one way counts before what it is told on another: `int(sys.argv[1])`.
    const bool nameless = known && !before && largest.valid() && !HasNames(largest);
    if (!largest.valid() || nameless || (known && before && *known > *before)) largest = length;
    known_[made] = largest;  // for what a loop makes of it
  }
  return largest;
}

// Rows of a matrix times a vector.
// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfProduct(ir::ValueId op) {
  const ir::ValueId left = program_.Operand(op, 0), right = program_.Operand(op, 1);
  const ir::DimId columns = facts_.ExtentOf(left, 1), elements = Of(left);
  if (facts_.RankOf(left) != 2 || facts_.RankOf(right) != 1 || !columns.valid() || !elements.valid()) return {};
  return facts_.store().dims().CeilDiv(elements, columns);
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfJoined(ir::ValueId pieces) {
  pieces = facts_.Source(pieces);
  if (!pieces.valid()) return {};
  const ir::OpKind kind = program_.ops[pieces].kind;
  if (kind != ir::OpKind::kList && kind != ir::OpKind::kTuple) return {};
  ir::DimStore& dims = facts_.store().dims();
  ir::DimId sum = dims.Const(0);
  for (const ir::ValueId piece : program_.Operands(pieces)) sum = dims.Add(sum, Of(piece));
  return sum;
}

// A list that begins empty and gets a number on each pass of loops. A cadence is not looked at: it is no longer than
// that.
ir::DimId DataLengths::OfNumbers(ir::ValueId list) const {
  list = list.valid() ? facts_.Source(list) : list;
  if (!list.valid() || program_.ops[list].kind != ir::OpKind::kList || !program_.Operands(list).empty()) return {};
  ir::DimStore& dims = facts_.store().dims();
  ir::DimId items = dims.Const(0);
  for (const ir::ValueId use : facts_.DeepUsesOf(list)) {
    const ir::OpKind kind = program_.ops[use].kind;
    if (kind != ir::OpKind::kAttr || program_.Name(program_.ops[use]) != "append") {
      if (kind == ir::OpKind::kAttr || kind == ir::OpKind::kInplaceBinary) return {};
      continue;
    }
    for (const ir::ValueId call : facts_.UsesOf(use)) {
      const ir::ValueId item = program_.Operand(call, 1);
      if (program_.ops[call].kind != ir::OpKind::kCall || !item.valid()) return {};
      if (facts_.IsArray(item) ? !facts_.IsZeroD(item) : !IsNumber(facts_.Of(item).kind)) return {};
      items = dims.Add(items, PassesSince(call, list));
    }
  }
  return items;
}

// Of the loops around `op` that are not around `before`.
ir::DimId DataLengths::PassesSince(ir::ValueId op, ir::ValueId before) const {
  ir::DimStore& dims = facts_.store().dims();
  ir::DimId passes = dims.Const(1);
  const ir::LoopId end = program_.LoopOf(before);
  for (ir::LoopId loop = program_.LoopOf(op); loop != end; loop = program_.loops[loop].parent) {
    if (!loop.valid()) return {};
    passes = dims.Mul(passes, facts_.TripsOf(loop).count);
  }
  return passes;
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::Covered(ir::ValueId subscript) {
  const ir::ValueId base = program_.Operand(subscript, 0);
  const int rank = facts_.RankOf(base);
  if (rank < 1) return Of(base);
  std::vector<bool> dropped(static_cast<std::size_t>(rank));
  for (const Key& key : facts_.SubscriptOf(subscript).keys) {
    if (key.kind == KeyKind::kInteger && key.axis >= 0 && key.axis < rank)
      dropped[static_cast<std::size_t>(key.axis)] = true;
  }
  if (std::ranges::count(dropped, true) == 0) return Of(base);
  ir::DimStore& dims = facts_.store().dims();
  ir::DimId covered = dims.Const(1);
  for (int axis = 0; axis < rank; ++axis) {
    if (!dropped[static_cast<std::size_t>(axis)]) covered = dims.Mul(covered, facts_.ExtentOf(base, axis));
  }
  return covered;
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfSubscript(ir::ValueId op) {
  const ir::ValueId base = facts_.Source(program_.Operand(op, 0));
  if (!base.valid()) return {};
  if (program_.ops[base].kind == ir::OpKind::kCall && GivesPositions(facts_, base)) {
    const Callee& callee = facts_.CalleeOf(base);
    return Half(Of(callee.receiver.valid() ? callee.receiver : program_.Operand(base, 1)));
  }
  if (program_.ops[op].kind != ir::OpKind::kSubscript) return {};
  switch (facts_.SubscriptOf(op).selects) {
    case SubscriptResult::Selects::kMasked: return Half(Covered(op));
    case SubscriptResult::Selects::kGather: return OfGathered(op);
    case SubscriptResult::Selects::kView: return OfView(op, base);
    default: return {};
  }
}

// `x[i]`, `x[row, i]`, `x[i, :]`: one entry for each position, times what is taken whole.
// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfGathered(ir::ValueId op) {
  const ir::DimId positions = LargestPositions(op);
  const ShapeId shape = facts_.Of(op).shape;
  if (!positions.valid() || !shape.valid()) return {};
  ir::DimStore& dims = facts_.store().dims();
  const Shape extents = facts_.store().Get(shape);
  if (std::ranges::count(extents, ir::DimId::None()) != 1) return {};
  ir::DimId elements = positions;
  for (const ir::DimId extent : extents) {
    if (extent.valid()) elements = dims.Mul(elements, extent);
  }
  return elements;
}

// Of the vectors of positions in a key.
// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::LargestPositions(ir::ValueId op) {
  const ir::DimStore& dims = facts_.store().dims();
  ir::DimId largest;
  for (const ir::ValueId key : facts_.KeysOf(op)) {
    if (!key.valid() || !facts_.IsArray(key) || facts_.RankOf(key) == 0) continue;
    if (facts_.RankOf(key) != 1) return {};
    const ir::DimId length = Of(key);
    if (!length.valid()) return {};
    const auto known = dims.AsConst(length), before = dims.AsConst(largest);
    if (!largest.valid() || (known && before && *known > *before)) largest = length;
  }
  return largest;
}

// At most, without the axes that a position takes away: `pairs[:, 0, :]` of a known number of them.
// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfView(ir::ValueId op, ir::ValueId base) {
  if (facts_.RankOf(op) == facts_.RankOf(base)) return Of(base);
  if (facts_.RankOf(base) < 0) return {};
  ir::DimStore& dims = facts_.store().dims();
  ir::DimId elements = Of(base);
  for (const Key& key : facts_.SubscriptOf(op).keys) {
    if (key.kind == KeyKind::kInteger)
      elements = dims.CeilDiv(elements, key.axis < 0 ? ir::DimId::None() : facts_.ExtentOf(base, key.axis));
  }
  return elements;
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfCall(ir::ValueId op) {
  const Callee& callee = facts_.CalleeOf(op);
  if (callee.kind == Callee::Kind::kLocal) {
    const auto returns = program_.functions[callee.function].returns;
    return returns.size() == 1 ? Of(program_.Operand(returns.front(), 0)) : ir::DimId::None();
  }
  if (const ir::DimId count = UsualCount(facts_, op); count.valid()) return count;
  const ir::ValueId first = callee.receiver.valid() ? callee.receiver : program_.Operand(op, 1);
  if (Converts(facts_, op)) return facts_.IsArray(first) ? Of(first) : OfNumbers(first);
  if (Selects(callee)) return Half(Of(first));
  if (Joins(callee)) return OfJoined(first);
  if (KeepsElements(callee)) return Of(first);
  if (IsElementwise(callee)) return LargestOf(op, program_.Operands(op).subspan(1));
  const bool longer = IsOneOf(callee.name, {"numpy.append", "numpy.repeat", "numpy.tile", "numpy.ndarray.repeat"});
  if (longer || !facts_.Of(op).unbounded || facts_.RankOf(op) != facts_.RankOf(first)) return {};
  return Of(first);
}

// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfParam(ir::ValueId param) {
  if (facts_.CallSitesOf(program_.FunctionOf(param)).size() > kMostCalls) return {};
  std::vector<ir::ValueId> arrays;
  for (const Handed& handed : AllHandedOver(facts_, param)) {
    if (handed.known) arrays.push_back(handed.value);
  }
  return LargestOf(param, arrays);
}

std::vector<ir::ValueId> Selections::Behind(ir::ValueId array) {
  std::vector<ir::ValueId> open, found;
  const auto push = [&](ir::ValueId value) {
    if (!value.valid() || open.size() == kMostValues) return;
    const ir::ValueId root = facts_.DeviceRootOf(value);
    value = facts_.Source(root.valid() ? root : value);
    if (value.valid() && std::ranges::find(open, value) == open.end()) open.push_back(value);
  };
  push(array);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const ir::ValueId op = open[i];
    const ir::OpKind kind = program_.ops[op].kind;
    // One of the arrays that `np.nonzero` gives.
    const bool item =
        kind == ir::OpKind::kUnpackItem || (kind == ir::OpKind::kSubscript && !facts_.IsArray(program_.Operand(op, 0)));
    if (kind == ir::OpKind::kPhi) {
      for (const ir::ValueId operand : program_.Operands(op)) push(operand);
    } else if (item) {
      push(program_.Operand(op, 0));
    } else if (IsOne(op)) {
      found.push_back(op);
    }
  }
  return found;
}

// NOLINTNEXTLINE(misc-no-recursion): `known_` ends it
bool Selections::IsOne(ir::ValueId op) {
  switch (program_.ops[op].kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kInplaceBinary:
    case ir::OpKind::kCompare:
    case ir::OpKind::kUnary: return false;
    case ir::OpKind::kSubscript: return facts_.SubscriptOf(op).selects == SubscriptResult::Selects::kMasked;
    case ir::OpKind::kCall:
    case ir::OpKind::kParam: break;
    default: return true;  // an attribute: nobody knows how it came to be
  }
  const auto [found, is_new] = known_.try_emplace(op, false);
  if (!is_new) return found->second;
  const bool is_one = program_.ops[op].kind == ir::OpKind::kCall ? CallGivesOne(op) : IsHandedOne(op);
  return known_[op] = is_one;
}

// NOLINTNEXTLINE(misc-no-recursion)
bool Selections::CallGivesOne(ir::ValueId call) {
  const Callee& callee = facts_.CalleeOf(call);
  if (callee.kind == Callee::Kind::kLocal) {
    const auto& returns = program_.functions[callee.function].returns;
    return std::ranges::any_of(returns, [&](ir::ValueId one) { return !Behind(program_.Operand(one, 0)).empty(); });
  }
  const api::Entry* row = api::Find(callee.name);
  if (row == nullptr) return false;
  const bool method = callee.kind == Callee::Kind::kMethod;
  const auto operands = program_.Operands(call).subspan(1);
  switch (row->unbound) {
    case api::Unbound::kAlways: return true;
    case api::Unbound::kOneArgument: return !method && operands.size() == 1;
    case api::Unbound::kArrayCounts:
    case api::Unbound::kArrayIndex:
      return std::ranges::count_if(operands, [&](ir::ValueId one) { return facts_.IsArray(one); }) + (method ? 1 : 0) >
             1;
    case api::Unbound::kNever:
    case api::Unbound::kOneDimensional: return false;  // the model knows how many processors there are
  }
  return false;
}

// NOLINTNEXTLINE(misc-no-recursion)
bool Selections::IsHandedOne(ir::ValueId param) {
  if (facts_.CallSitesOf(program_.FunctionOf(param)).size() > kMostCalls) return true;
  return std::ranges::any_of(AllHandedOver(facts_, param), [&](const Handed& handed) {
    return handed.known && handed.value.valid() && facts_.Of(handed.value).unbounded && !Behind(handed.value).empty();
  });
}

}  // namespace cpnlint::analysis
