// The largest of the constants that a number can be: for certain, or where nobody asks for more.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyzer/analysis/attribute_stores.h"
#include "analyzer/analysis/axis_numbers.h"
#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/callers.h"
#include "analyzer/analysis/choices.h"
#include "analyzer/analysis/count_names.h"
#include "analyzer/analysis/counted_passes.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/handed_extents.h"
#include "analyzer/analysis/kept_arguments.h"
#include "analyzer/analysis/left_out.h"
#include "analyzer/analysis/parser_defaults.h"
#include "analyzer/analysis/shares.h"
#include "analyzer/analysis/short_loops.h"
#include "analyzer/analysis/tested_numbers.h"
#include "analyzer/analysis/way_tests.h"
#include "analyzer/analysis/written_defaults.h"
#include "analyzer/analysis/written_lists.h"

namespace cpnlint::analysis {
namespace {

using Most = std::optional<std::int64_t>;

constexpr int kMostSteps = 8;
constexpr int kMostLookedAt = 1024;
constexpr std::size_t kMostPlaces = 32;  // that assign or hand over one count
constexpr std::size_t kMostStored = 8;   // in an attribute, for a proof

// `grid.dim`: what is called so has three as a rule.
constexpr std::int64_t kMostDimensions = 3;
Most DimensionsByName(std::string_view name) {
  return name == "dim" || name == "ndim" ? Most(kMostDimensions) : std::nullopt;
}

// Makes an array or a list with an entry for each of its first argument's.
bool KeepsLength(const Callee& callee) {
  if (callee.kind == Callee::Kind::kBuiltin)
    return IsBuiltin(callee, {"list", "tuple", "sorted", "reversed", "enumerate", "iter"});
  constexpr auto kNames = std::to_array<std::string_view>(
      {"numpy.array", "numpy.asarray", "numpy.asanyarray", "numpy.atleast_1d", "numpy.sort", "numpy.argsort"});
  return callee.kind == Callee::Kind::kApi && std::find(kNames.begin(), kNames.end(), callee.name) != kNames.end();
}

class Largest {
 public:
  Largest(const Facts& facts, Facts::Impl& impl, Trust trust)
      : facts_(facts), impl_(impl), program_(facts.program()), by_usage_(trust == Trust::kUsage) {}

  // nullopt where it may be something else.
  // NOLINTNEXTLINE(misc-no-recursion): `steps` bounds it
  [[nodiscard]] Most Of(ir::ValueId id, int steps = 0) {
    id = Unpacked(id.valid() ? facts_.Source(id) : id);
    if (!id.valid() || steps > kMostSteps || ++looked_at_ > Budget()) return std::nullopt;
    if (part_) return PartIn(id, steps);
    if (length_) {
      const Most length = LengthIn(id, steps);
      return length ? length : ByName(id, UsualLengthByName);
    }
    if (const Most known = facts_.IntOf(id)) return known;
    if (facts_.Of(id).kind == Kind::kBool) return 1;
    const Most tested = MostByTests(facts_, id);
    if (tested && (!by_usage_ || *tested < kHotTrips)) return tested;
    const bool is_list = facts_.Of(id).kind == Kind::kList;  // whose length is known
    if (const Most bound = by_usage_ && !is_list ? BoundOf(facts_.Of(id).dim) : std::nullopt) {
      axes_ = axes_ || IsRank(facts_.Of(id).dim);
      return bound;
    }
    const Most number = NumberIn(id, steps);
    if (!by_usage_ || (number && *number != 0)) return number;
    if (!number && IsComparedWithFew(facts_, id, kMostDimensions)) {
      if (const Most dimensions = ByName(id, DimensionsByName)) return dimensions;
    }
    if (!number && IsNumberOfAxes(facts_, id)) return kMostAxes;
    const Most named = ByName(id, UsualCountByName);  // `order=(1, 0, 0)`: none, and a few where somebody asks for it
    return named ? named : number;
  }

  // Of entries, where there is one for each axis, or where they are written out: a list that is empty by default says
  // nothing.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most LengthOf(ir::ValueId sequence, int steps = 0) {
    const bool length_before = std::exchange(length_, true), axes_before = std::exchange(axes_, false);
    const bool written_before = std::exchange(written_, false);
    const Most most = Of(sequence, steps);
    const bool per_axis = axes_, written = std::exchange(written_, written_before);
    length_ = length_before;
    axes_ = axes_before || per_axis;
    return per_axis || written ? most : std::nullopt;
  }

  // Of what a symbol of a size stands for: an op, a variable or an attribute (kCellInstance, kClassInstance).
  [[nodiscard]] Most OfSymbol(Symbol name, std::uint32_t instance) {
    if (const Most handed = LargestHandedOver(facts_, name, instance)) return handed;
    if (instance < kCellInstance)
      return instance < program_.ops.size() && !IsShape(ir::ValueId(instance)) ? Of(ir::ValueId(instance))
                                                                               : std::nullopt;
    if (instance < kClassInstance) return OfCell(ir::CellId(instance - kCellInstance), 0);
    object_ = ir::ClassId(instance - kClassInstance);
    const Most stored = OfStores(SlotKey(object_, name), 0);
    object_ = {};
    if (stored) return stored;
    const Most dimensions = DimensionsByName(impl_.names.Text(name));
    return dimensions ? dimensions : UsualCountByName(impl_.names.Text(name));
  }

  // Of passes.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfLoop(ir::LoopId loop, int steps = 0) {
    const ir::ValueId iterable = program_.loops[loop].iterable;
    const ir::ValueId range = RangeOf(facts_, iterable);
    if (!range.valid()) return iterable.valid() ? LengthOf(iterable, steps) : std::nullopt;
    if (facts_.HasStarArguments(range)) return std::nullopt;
    const std::size_t count = facts_.PositionalCount(range);
    if (count == 1) {
      const Most most = Of(program_.Operand(range, 1), steps);
      // `for channel in range(image.shape[-1])`
      return most ? most : ByName(program_.loops[loop].item, UsualCountByName);
    }
    const Most step = count == 3 ? facts_.IntOf(program_.Operand(range, 3)) : Most(1);
    if (step && *step >= kHugeStep) return 1;
    if (!step && by_usage_) {
      const ir::ValueId parts = PartsOf(facts_, range);
      const Most shares = parts.valid() ? Of(parts, steps + 1) : std::nullopt;
      return shares && IsModest(*shares) ? Most(*shares + 1) : std::nullopt;  // one for the rest
    }
    if (!step || *step == 0 || !IsModest(*step)) return std::nullopt;
    const ir::ValueId from = program_.Operand(range, 1), to = program_.Operand(range, 2);
    const Most least = LeastOfCounter(facts_, *step > 0 ? from : to);
    const Most most = least ? Of(*step > 0 ? to : from, steps) : std::nullopt;
    const std::int64_t width = std::abs(*step);
    if (!most) return OfDistance(from, loop);
    return IsModest(*most) && IsModest(*least) ? Most((*most - *least + width - 1) / width) : std::nullopt;
  }

 private:
  // A question inside of another one is asked from many places of that.
  [[nodiscard]] int Budget() const { return kMostLookedAt >> (3 * impl_.usual_depth); }

  // `p, q = self.p, self.q`: which of the two.
  [[nodiscard]] ir::ValueId Unpacked(ir::ValueId id) const {
    if (!id.valid() || program_.ops[id].kind != ir::OpKind::kUnpackItem) return id;
    const ir::ItemPosition item = ir::ItemPosition::Unpack(program_.ops[id].payload);
    const ir::ValueId from = facts_.Source(program_.Operand(id, 0));
    if (!from.valid() || item.star != ir::ItemPosition::kNoStar) return id;
    const ir::Op& display = program_.ops[from];
    const bool fits = display.kind == ir::OpKind::kTuple && display.operand_count == item.count;
    return fits ? facts_.Source(program_.Operand(from, item.index)) : id;
  }

  // Sums of a few such numbers cannot overflow.
  static bool IsModest(std::int64_t number) { return number >= -kLargest && number <= kLargest; }

  // `range(i, i + n)`: wherever it begins.
  [[nodiscard]] Most OfDistance(ir::ValueId from, ir::LoopId loop) const {
    const ir::DimId count = facts_.TripsOf(loop).count;
    const std::vector<Symbol> begin = impl_.store.dims().Symbols(facts_.Of(from).dim);
    const std::vector<Symbol> left = impl_.store.dims().Symbols(count);
    const bool cancels = count.valid() && !begin.empty() && std::ranges::none_of(left, [&](Symbol symbol) {
                           return std::ranges::find(begin, symbol) != begin.end();
                         });
    return cancels ? UsualSize(facts_, impl_, count) : std::nullopt;
  }

  // As its name says, where nothing else does. `self.order[1]` is called after the tuple.
  [[nodiscard]] Most ByName(ir::ValueId id, Most (&usual)(std::string_view)) {
    Most most = ByOwnName(id, usual);
    if (!most && program_.ops[id].kind == ir::OpKind::kSubscript && !facts_.IsArray(program_.Operand(id, 0)))
      most = ByOwnName(facts_.Source(program_.Operand(id, 0)), usual);
    axes_ = axes_ || most;
    return most;
  }

  [[nodiscard]] Most ByOwnName(ir::ValueId id, Most (&usual)(std::string_view)) const {
    if (!id.valid()) return std::nullopt;
    const ir::Op& op = program_.ops[id];
    const ir::Function& function = program_.functions[program_.FunctionOf(id)];
    const auto is = [id](const auto& named) { return named.value == id; };
    if (op.kind == ir::OpKind::kParam) {
      const auto param = std::find_if(function.params.begin(), function.params.end(), is);
      const Most left_out = param == function.params.end() ? std::nullopt : facts_.IntOf(param->default_value);
      // Called an order, and twenty by default.
      return left_out && *left_out >= kHotTrips ? std::nullopt : usual(program_.Name(op));
    }
    if (op.kind == ir::OpKind::kPhi || op.kind == ir::OpKind::kAttr) return usual(program_.Name(op));
    if (op.kind == ir::OpKind::kLoadCell) return usual(impl_.names.Text(program_.cells[ir::CellId(op.payload)].name));
    const auto bound = std::find_if(function.bindings.begin(), function.bindings.end(), is);
    return bound == function.bindings.end() ? std::nullopt : usual(impl_.names.Text(bound->name));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most NumberIn(ir::ValueId id, int steps) {
    const ir::Op& op = program_.ops[id];
    switch (op.kind) {
      case ir::OpKind::kAttr: return OfAttribute(id, steps);
      case ir::OpKind::kCall: return OfCall(id, steps);
      case ir::OpKind::kPhi: return OfAll(program_.Operands(op), steps, true);
      case ir::OpKind::kParam: return by_usage_ ? OfParam(id, steps) : std::nullopt;
      case ir::OpKind::kBinary:
      case ir::OpKind::kInplaceBinary: return by_usage_ ? OfBinary(id, steps) : std::nullopt;
      case ir::OpKind::kLoadCell: return by_usage_ ? OfCell(ir::CellId(op.payload), steps) : std::nullopt;
      case ir::OpKind::kLoopItem: return OfItem(ir::LoopId(op.payload), steps);
      case ir::OpKind::kNot:
      case ir::OpKind::kCompare: return by_usage_ ? Most(1) : std::nullopt;  // int(n > 3)
      case ir::OpKind::kSubscript: {
        if (!by_usage_) return std::nullopt;
        if (const Most extent = OfExtent(id)) return extent;
        if (const Most written = WrittenDefault(facts_, id)) return written;
        if (op.operand_count != 2 || facts_.Of(program_.Operand(id, 1)).kind != Kind::kInt) return std::nullopt;
        const Most index = facts_.IntOf(program_.Operand(id, 1));
        if (index && *index >= 0) return OfPart(program_.Operand(id, 0), static_cast<std::size_t>(*index), steps);
        const Most largest = OfPart(program_.Operand(id, 0), kAnyPart, steps);
        return largest && *largest > 0 ? largest : std::nullopt;  // `[0] * n`: nothing there yet
      }
      case ir::OpKind::kUnpackItem: {
        if (!by_usage_) return std::nullopt;
        const ir::ValueId from = facts_.Source(program_.Operand(id, 0));
        const ir::ItemPosition item = ir::ItemPosition::Unpack(op.payload);
        if (from.valid() && IsShape(from))  // `n, m = x.shape`
          return OfAxis(from, item.index == 0, item.index + 1 == item.count);
        return item.star == ir::ItemPosition::kNoStar ? OfPart(from, item.index, steps) : std::nullopt;
      }
      default: return std::nullopt;
    }
  }

  // `p, d, q = order`, `order[0]`: of tuples that are written out somewhere.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfPart(ir::ValueId tuple, std::size_t index, int steps) {
    if (!tuple.valid() || facts_.IsArray(tuple)) return std::nullopt;
    part_ = index;
    const Most most = Of(tuple, steps + 1);
    part_ = {};
    return most;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most PartIn(ir::ValueId id, int steps) {
    const ir::Op& op = program_.ops[id];
    if (part_ == kAnyPart && ChangesLater(facts_, id)) return std::nullopt;
    switch (op.kind) {
      case ir::OpKind::kTuple:
      case ir::OpKind::kList: {
        const std::span<const ir::ValueId> parts = program_.Operands(op);
        const auto is_starred = [&](ir::ValueId part) { return program_.ops[part].kind == ir::OpKind::kStarred; };
        const bool any = part_ == kAnyPart;
        if (std::ranges::any_of(parts, is_starred)) return std::nullopt;
        if (!any && *part_ >= parts.size()) return std::nullopt;
        const std::optional<std::size_t> part = std::exchange(part_, std::nullopt);
        const Most most = any ? OfAll(parts, steps) : Of(parts[*part], steps + 1);
        part_ = part;
        return most;
      }
      case ir::OpKind::kBinary: {  // `[sections] * rings`
        const bool repeats = static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMul;
        return repeats && part_ == kAnyPart ? Of(program_.Operand(id, 0), steps + 1) : std::nullopt;
      }
      case ir::OpKind::kPhi: return OfAll(program_.Operands(op), steps, true);
      case ir::OpKind::kParam: return OfParam(id, steps);
      case ir::OpKind::kLoadCell: return OfCell(ir::CellId(op.payload), steps);
      case ir::OpKind::kAttr: {
        const Value& object = facts_.Of(program_.Operand(id, 0));
        if (object.kind != Kind::kInstance) return std::nullopt;
        const bool changes = part_ == kAnyPart && ItemsChange(facts_, impl_, object.class_id, program_.SymbolOf(op));
        return changes ? std::nullopt : OfAttribute(id, steps);
      }
      case ir::OpKind::kCall: {
        const Callee& callee = facts_.CalleeOf(id);
        if (IsBuiltin(callee, {"tuple", "list"})) return Of(program_.Operand(id, 1), steps + 1);
        return callee.kind == Callee::Kind::kLocal ? OfCall(id, steps) : std::nullopt;
      }
      default: return std::nullopt;
    }
  }

  // `x.shape[0]`, `x.shape[-1]`, `x.shape[1]` of what may have two axes
  [[nodiscard]] Most OfExtent(ir::ValueId subscript) {
    const ir::ValueId shape = facts_.Source(program_.Operand(subscript, 0));
    const Most axis = facts_.IntOf(program_.Operand(subscript, 1));
    if (!shape.valid() || !IsShape(shape)) return std::nullopt;
    const int rank = facts_.RankOf(program_.Operand(shape, 0));
    const bool last = axis == -1 || (axis == 1 && (rank == 2 || rank < 0));
    return OfAxis(shape, axis == 0, last);
  }

  [[nodiscard]] Most OfAxis(ir::ValueId shape, bool first, bool last) {
    Most most;
    if (first || last) most = UsualItems(facts_, impl_, program_.Operand(shape, 0), first ? 0 : -1);
    open_ = open_ || !most;
    return most;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfAll(std::span<const ir::ValueId> values, int steps, bool in_phi = false) {
    Most most;
    if (values.size() > kMostPlaces) return most;
    for (const ir::ValueId value : values) {
      if (facts_.IsNoneConstant(value) || (by_usage_ && IsNoneWhereLeftOut(facts_, value))) continue;  // not there yet
      if (by_usage_ && (length_ || part_) && IsNumberWhereLeftOut(facts_, value)) continue;
      if (by_usage_ && in_phi && NobodyGives(facts_, impl_, value, object_)) continue;
      const Most one = Of(value, steps + 1);
      if (!one) return std::nullopt;
      most = std::max(most.value_or(*one), *one);
    }
    return most;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfParam(ir::ValueId id, int steps) {
    const ir::FunctionId function = program_.FunctionOf(id);
    const List<ir::Param> params = program_.functions[function].params;
    const auto param = std::find_if(params.begin(), params.end(), [&](const ir::Param& p) { return p.value == id; });
    if (param == params.end()) return std::nullopt;
    const auto index = static_cast<std::size_t>(param - params.begin());
    if (!calls_.empty() && facts_.CalleeOf(calls_.back()).function == function) {
      const ir::ValueId call = calls_.back();
      calls_.pop_back();
      const Most most = Of(HandedOver(facts_, call, function, index).value, steps + 1);
      calls_.push_back(call);
      return most;
    }
    if (!calls_.empty()) return OfCallers(function, *param, index, steps);
    // Many ways lead to one parameter; asked as deep as before, it is what it was.
    const Asked asked = {id.index(), steps, length_, part_, object_.index()};
    if (const auto known = answers_.find(asked); known != answers_.end()) return Again(known->second);
    const Answer before = {
        {}, std::exchange(axes_, false), std::exchange(written_, false), std::exchange(open_, false)};
    const Most most = OfCallers(function, *param, index, steps);
    answers_.emplace(asked, Answer{most, axes_, written_, open_});
    (void)Again(before);
    return most;
  }

  struct Answer {
    Most most;
    bool axes = false, written = false, open = false;  // what was seen on the way
  };

  [[nodiscard]] Most Again(const Answer& answer) {
    axes_ = axes_ || answer.axes;
    written_ = written_ || answer.written;
    open_ = open_ || answer.open;
    return answer.most;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfCallers(ir::FunctionId function, const ir::Param& param, std::size_t index, int steps) {
    const bool left_out = param.default_value.valid() && !IsOneDraw(function, param.default_value);
    const std::vector<ir::ValueId> sites = CallersOf(facts_, impl_, function, object_);
    // Whoever has to say how many is not to be found here, unless all callers are.
    const auto is_store = [&](ir::ValueId site) { return program_.ops[site].kind == ir::OpKind::kStoreAttr; };
    const bool closed = left_out || impl_.functions[function].closed || std::ranges::any_of(sites, is_store) ||
                        (!sites.empty() && (IsConstructor(impl_, function) || IsPrivateMethod(impl_, function)));
    open_ = open_ || (!left_out && !closed);
    if ((!closed && sites.empty()) || sites.size() > kMostPlaces) return std::nullopt;
    const bool axes_before = std::exchange(axes_, false);
    const Most usual = left_out ? Of(param.default_value, steps + 1) : std::nullopt;
    Most most = usual;
    std::size_t said = 0, unread = left_out && !usual && !facts_.IsNoneConstant(param.default_value) ? 1 : 0;
    bool asked_openly = false;
    for (const ir::ValueId call : sites) {
      const bool stores = program_.ops[call].kind == ir::OpKind::kStoreAttr;  // what a property's setter is given
      if (program_.ops[call].kind != ir::OpKind::kCall && !stores) {
        ++unread;
        continue;
      }
      const ir::ValueId over = stores ? program_.Operand(call, 1) : GivenBy(facts_, impl_, call, function, index);
      if (!over.valid() && left_out) continue;
      if (over.valid() && facts_.IsNoneConstant(over)) continue;
      const bool open_before = std::exchange(open_, false);
      const Most one = Of(over, steps + 1);  // `f(*args)` hands over nobody knows what
      if (one) most = std::max(most.value_or(*one), *one);
      asked_openly = asked_openly || (!one && open_);
      ++(one ? said : unread);
      open_ = open_before;
    }
    const bool per_axis = axes_;
    axes_ = axes_before || per_axis;
    // What is handed a number of axes counts axes, whoever calls.
    if (per_axis && most && *most <= kMostAxes) return most;
    open_ = open_ || asked_openly;
    // Calls that cannot be read take nothing from the default, and a few of them nothing from what the others say.
    const bool agreed = !asked_openly && (usual || said >= unread);
    return closed && agreed ? most : std::nullopt;
  }

  // `def sample(self, n=1)`: one is what a draw gives where nobody says how many, and nobody leaves it at that.
  [[nodiscard]] bool IsOneDraw(ir::FunctionId function, ir::ValueId by_default) const {
    const std::string_view name = impl_.names.Text(program_.functions[function].name);
    const bool draws = name.find("sample") != std::string_view::npos || name.starts_with("draw") || name == "rvs";
    return draws && facts_.IntOf(by_default) == 1;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfAttribute(ir::ValueId id, int steps) {
    const Value& object = facts_.Of(program_.Operand(id, 0));
    const Symbol name = program_.SymbolOf(program_.ops[id]);
    if (!by_usage_) return object.kind == Kind::kInstance ? OfSlots(object.class_id, name, steps) : std::nullopt;
    open_ = open_ || object.kind == Kind::kArray;
    const ir::ClassId object_before = std::exchange(object_, object.class_id);
    const Most most = OfStored(object, name, steps);
    object_ = object_before;
    const bool other = object.kind != Kind::kInstance && object.kind != Kind::kArray;
    return most || length_ || part_ || !other ? most : OfOther(id, impl_.names.Text(name), steps);
  }

  // Of an object that is none of the program's: the options of a command line, an estimator.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfOther(ir::ValueId attribute, std::string_view name, int steps) {
    Most most = ParserDefault(facts_, program_.functions[program_.FunctionOf(attribute)].module, name);
    for (const KeptArgument& kept : KeptArguments(facts_, impl_, program_.Operand(attribute, 0), name)) {
      if (kept.call.valid()) calls_.push_back(kept.call);
      const Most one = Of(kept.value, steps + 1);
      if (kept.call.valid()) calls_.pop_back();
      if (!one) return std::nullopt;
      most = std::max(most.value_or(*one), *one);
    }
    return most;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfStored(const Value& object, Symbol name, int steps) {
    Most most;
    // Another class with the same base may count something else under that name.
    if (object.kind == Kind::kInstance) most = OfSlots(object.class_id, name, steps);
    if (object.kind == Kind::kInstance && !most)
      most = OfStores(SlotKey(FamilyOf(impl_, object.class_id), name), steps);
    if (object.kind == Kind::kUnknown) most = OfStores(KeyOfAnyClass(name), steps);
    if (most || length_ || part_) return most;
    most = DimensionsByName(impl_.names.Text(name));
    axes_ = axes_ || most;
    return most;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfSlots(ir::ClassId object, Symbol name, int steps) {
    std::vector<ir::ValueId> stored;
    for (const ir::ClassId kin : impl_.kin[object]) {
      const auto found = impl_.slot_of.find(SlotKey(kin, name));
      if (found == impl_.slot_of.end()) continue;
      const std::vector<ir::ValueId>& here = impl_.slots[found->second].stored;
      stored.insert(stored.end(), here.begin(), here.end());
    }
    return stored.size() > kMostStored ? std::nullopt : OfAll(stored, steps);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfStores(std::uint64_t owner, int steps) {
    IndexAttributeStores(impl_);
    const auto stores = impl_.attribute_stores.find(owner);
    if (stores != impl_.attribute_stores.end()) return OfAll(stores->second, steps);
    return OfAll(DeclaredInFamily(impl_, ir::ClassId(owner >> 32), NameOfSlot(owner)), steps);
  }

  // A variable of the function around.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfCell(ir::CellId cell, int steps) {
    std::vector<ir::ValueId> stored;
    for (const ir::ValueId store : program_.cells[cell].stores) stored.push_back(program_.Operand(store, 0));
    return OfAll(stored, steps);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfBinary(ir::ValueId id, int steps) {
    const auto operation = static_cast<ir::BinaryOp>(program_.ops[id].detail);
    if (operation == ir::BinaryOp::kMod) return OfRemainder(id);
    const Most left = Of(program_.Operand(id, 0), steps + 1);
    if (!left || *left < 0 || *left > kLargest) return std::nullopt;
    const Most right = Of(program_.Operand(id, 1), steps + 1);
    if (!right && (operation == ir::BinaryOp::kSub || operation == ir::BinaryOp::kFloorDiv)) return left;  // or less
    if (!right || *right < 0 || *right > kLargest) return std::nullopt;
    switch (operation) {
      case ir::BinaryOp::kAdd: return *left + *right;
      case ir::BinaryOp::kMul: return *left * *right;
      case ir::BinaryOp::kSub: return facts_.IntOf(program_.Operand(id, 1)) ? *left - *right : *left;  // or less
      case ir::BinaryOp::kFloorDiv:
      case ir::BinaryOp::kDiv: {
        const Most parts = facts_.IntOf(program_.Operand(id, 1));
        return parts && *parts > 0 ? Most((*left + *parts - 1) / *parts) : std::nullopt;  // or less
      }
      default: return std::nullopt;
    }
  }

  // `n % 4`
  [[nodiscard]] Most OfRemainder(ir::ValueId id) const {
    const Most parts = facts_.IntOf(program_.Operand(id, 1));
    return parts && *parts > 0 ? Most(*parts - 1) : std::nullopt;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfCall(ir::ValueId id, int steps) {
    const Callee& callee = facts_.CalleeOf(id);
    if (const Most written = by_usage_ ? WrittenDefault(facts_, id) : std::nullopt) return written;
    if (const ir::ValueId by_default = by_usage_ ? DefaultOfLookup(facts_, id) : ir::ValueId::None();
        by_default.valid())
      return Of(by_default, steps + 1);
    if (IsBuiltin(callee, {"int"}) && facts_.Of(program_.Operand(id, 1)).kind == Kind::kBool) return 1;
    if (by_usage_ && IsRounding(callee)) return Of(program_.Operand(id, 1), steps + 1);
    if (by_usage_ && IsBuiltin(callee, {"len"})) {
      Most length = LengthOf(program_.Operand(id, 1), steps + 1);
      if (!length) length = UsualItems(facts_, impl_, program_.Operand(id, 1), 0);
      open_ = open_ || !length;
      return length;
    }
    const bool least = IsBuiltin(callee, {"min"}) || callee.name == "numpy.minimum";
    if (least && facts_.PositionalCount(id) >= 2) return LeastOf(id, steps);
    const bool largest = IsBuiltin(callee, {"max"}) || IsOneOf(callee.name, {"numpy.max", "numpy.amax"});
    if (by_usage_ && largest) return OfLargest(id, steps);
    if (by_usage_ && callee.kind == Callee::Kind::kUnknown) return OfOneEntry(id, steps);
    if (callee.kind != Callee::Kind::kLocal) return std::nullopt;
    const ir::Function& function = program_.functions[callee.function];
    if (function.is_generator || function.is_async) return std::nullopt;
    std::vector<ir::ValueId> returned;
    for (const ir::ValueId leave : function.returns) returned.push_back(program_.Operand(leave, 0));
    calls_.push_back(id);
    const Most most = OfAll(returned, steps);
    calls_.pop_back();
    return most;
  }

  // `max(p, q)`, `np.max([p, q])`
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfLargest(ir::ValueId call, int steps) {
    if (program_.ops[call].operand_count > 2) return OfAll(program_.Operands(call).subspan(1), steps);
    const ir::ValueId items =
        program_.Operand(call, 1).valid() ? facts_.Source(program_.Operand(call, 1)) : ir::ValueId();
    if (!items.valid()) return std::nullopt;
    const ir::OpKind kind = program_.ops[items].kind;
    const bool display = kind == ir::OpKind::kList || kind == ir::OpKind::kTuple;
    return display ? OfAll(program_.Operands(items), steps) : std::nullopt;
  }

  // `count.item()`, `count.squeeze()` of something that may be an array with the one number.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfOneEntry(ir::ValueId call, int steps) {
    const ir::ValueId method = program_.Operand(call, 0);
    if (!method.valid() || program_.ops[method].kind != ir::OpKind::kAttr || program_.ops[call].operand_count != 1)
      return std::nullopt;
    const std::string_view name = program_.Name(program_.ops[method]);
    return name == "item" || name == "squeeze" ? Of(program_.Operand(method, 0), steps + 1) : std::nullopt;
  }

  // min(4, n)
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most LeastOf(ir::ValueId call, int steps) {
    Most least;
    for (const ir::ValueId operand : program_.Operands(call).subspan(1)) {
      const Most one = Of(operand, steps + 1);
      if (one) least = std::min(least.value_or(*one), *one);
    }
    return least;
  }

  // `for order in (2, 3)`, `for j in range(order + 1)`
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfItem(ir::LoopId loop, int steps) {
    const ir::ValueId iterable = program_.loops[loop].iterable;
    const Value& sequence = facts_.Of(iterable);
    const ir::ValueId range = by_usage_ ? RangeOf(facts_, iterable) : ir::ValueId::None();
    if (range.valid() && facts_.Of(program_.loops[loop].item).kind == Kind::kInt && !facts_.HasStarArguments(range)) {
      const std::size_t count = facts_.PositionalCount(range);
      const bool down = count == 3 && facts_.IntOf(program_.Operand(range, 3)).value_or(0) < 0;
      if (down) return Of(program_.Operand(range, 1), steps + 1);
      const Most end = Of(program_.Operand(range, count == 1 ? 1 : 2), steps + 1);
      return end ? Most(*end - 1) : std::nullopt;
    }
    if ((sequence.kind != Kind::kTuple && sequence.kind != Kind::kList) || !sequence.elements.valid())
      return std::nullopt;
    Most most;
    for (const Value& element : impl_.store.Get(sequence.elements)) {
      const Most one = element.kind == Kind::kInt ? impl_.store.dims().AsConst(element.dim) : std::nullopt;
      if (!one) return std::nullopt;
      most = std::max(most.value_or(*one), *one);
    }
    return most;
  }

  // What no value of its symbols makes it exceed.
  [[nodiscard]] Most BoundOf(ir::DimId dim) const {
    if (!dim.valid()) return std::nullopt;
    const Most least = impl_.store.dims().LowerBound(impl_.store.dims().Negate(dim), 0);
    return least ? Most(-*least) : std::nullopt;
  }

  // `x.ndim`, `len(x.shape)`
  [[nodiscard]] bool IsRank(ir::DimId dim) const {
    const std::vector<Symbol> symbols = impl_.store.dims().Symbols(dim);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](Symbol symbol) { return impl_.names.Text(symbol).ends_with(".ndim"); });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most LengthIn(ir::ValueId id, int steps) {
    const Value& value = facts_.Of(id);
    const bool sequence = value.kind == Kind::kTuple || value.kind == Kind::kList || value.kind == Kind::kRange;
    const ir::DimId length = sequence                     ? value.dim
                             : value.kind == Kind::kArray ? facts_.ExtentOf(id, 0)
                                                          : ir::DimId::None();
    const bool shape = IsShape(id);
    axes_ = axes_ || shape || (length.valid() && IsRank(length));
    if (const Most bound = BoundOf(length)) {
      written_ = written_ || (*bound > 0 && (value.kind == Kind::kTuple || (by_usage_ && IsDisplay(facts_, id))));
      if (by_usage_ && !written_ && program_.ops[id].kind == ir::OpKind::kAttr) (void)OfAttribute(id, steps);
      return bound;
    }
    if (shape) return kMostAxes;
    if (const Most letters = by_usage_ ? FewLettersOf(facts_, id) : std::nullopt) {
      written_ = true;
      return letters;
    }
    if (const Most names = NamesUnpackedTo(facts_, id)) {
      written_ = true;
      return names;
    }
    const ir::Op& op = program_.ops[id];
    open_ = open_ || HoldsStarred(program_, op);
    switch (op.kind) {
      case ir::OpKind::kAttr: return OfAttribute(id, steps);
      case ir::OpKind::kPhi: return OfAll(program_.Operands(op), steps, true);
      case ir::OpKind::kParam: return IsArguments(id) ? Most(kHotTrips - 1) : OfParam(id, steps);
      case ir::OpKind::kLoadCell: return OfCell(ir::CellId(op.payload), steps);
      case ir::OpKind::kSubscript:  // a part has no more of them
        return facts_.Of(program_.Operand(id, 1)).kind == Kind::kSlice ? Of(program_.Operand(id, 0), steps + 1)
                                                                       : std::nullopt;
      case ir::OpKind::kBinary: return LengthOfJoined(id, steps);
      case ir::OpKind::kList:  // `[]`
        return by_usage_ && op.operand_count == 0 && !GrowsLater(facts_, id) ? Most(0) : std::nullopt;
      case ir::OpKind::kCall: {
        const Callee& callee = facts_.CalleeOf(id);
        if (IsOneOf(callee.name, {"numpy.split", "numpy.array_split"})) return OfPieces(id, steps);
        if (callee.name == "numpy.ndarray.tolist") return UsualItems(facts_, impl_, callee.receiver, 0);
        if (IsBuiltin(callee, {"zip"})) return facts_.HasStarArguments(id) ? std::nullopt : LeastOf(id, steps);
        if (MakesChoices(callee.name)) return OfChoices(id, steps);
        return KeepsLength(callee) ? Of(program_.Operand(id, 1), steps + 1) : OfCall(id, steps);
      }
      default: return std::nullopt;
    }
  }

  // `combinations(axes, 2)`
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfChoices(ir::ValueId call, int steps) {
    const Most count = Of(program_.Operand(call, 1), steps + 1);
    const ir::ValueId taken = program_.Operand(call, 2);
    const Most at_a_time = taken.valid() ? facts_.IntOf(taken) : count;
    return count && at_a_time ? ChoicesOf(facts_.CalleeOf(call).name, *count, *at_a_time) : std::nullopt;
  }

  // `*args`: as many as a call has arguments.
  [[nodiscard]] bool IsArguments(ir::ValueId id) {
    const bool written = HoldsArguments(facts_, id);
    written_ = written_ || written;
    return written;
  }

  // `np.split(data, 4)`, `np.split(data, [a, b])`
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfPieces(ir::ValueId call, int steps) {
    const ir::ValueId at = facts_.Argument(call, 1, "indices_or_sections");
    if (const Most huge = OfHugePieces(at)) return huge;
    if (!at.valid() || !by_usage_) return std::nullopt;
    Most most;
    if (facts_.Of(at).kind == Kind::kInt) {
      length_ = false;
      most = Of(at, steps + 1);
      length_ = true;
    } else {
      const Most cuts = Of(at, steps + 1);
      if (cuts) most = *cuts + 1;
    }
    written_ = written_ || most;
    return most;
  }

  // `np.split(data, range(size, len(data), size))` into pieces that hardly any array is longer than.
  [[nodiscard]] Most OfHugePieces(ir::ValueId at) {
    const ir::ValueId range = at.valid() ? RangeOf(facts_, at) : at;
    if (!range.valid() || facts_.HasStarArguments(range) || facts_.PositionalCount(range) != 3) return std::nullopt;
    const Most step = facts_.IntOf(program_.Operand(range, 3));
    if (!step || *step < kHugeStep) return std::nullopt;
    written_ = true;
    return 1;
  }

  // `x.shape`
  [[nodiscard]] bool IsShape(ir::ValueId id) const {
    const ir::Op& op = program_.ops[id];
    if (op.kind != ir::OpKind::kAttr || (program_.Name(op) != "shape" && program_.Name(op) != "strides")) return false;
    const Kind object = facts_.Of(program_.Operand(id, 0)).kind;
    return object == Kind::kArray || object == Kind::kUnknown;
  }

  // `[False] * n`, `x.shape + (1,)`
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most LengthOfJoined(ir::ValueId id, int steps) {
    const auto is_sequence = [&](ir::ValueId part) {
      const Kind kind = facts_.Of(part).kind;
      return kind == Kind::kTuple || kind == Kind::kList;
    };
    const ir::ValueId left = program_.Operand(id, 0), right = program_.Operand(id, 1);
    const auto kind = static_cast<ir::BinaryOp>(program_.ops[id].detail);
    if (!is_sequence(left)) return std::nullopt;
    if (kind == ir::BinaryOp::kAdd && is_sequence(right)) {
      const Most first = Of(left, steps + 1), second = Of(right, steps + 1);
      return first && second ? Most(*first + *second) : std::nullopt;
    }
    if (kind != ir::BinaryOp::kMul) return std::nullopt;
    const Most one = Of(left, steps + 1);
    length_ = false;
    const Most times = one ? Of(right, steps + 1) : std::nullopt;
    length_ = true;
    return times && *one <= kLargest && *times <= kLargest ? Most(*one * *times) : std::nullopt;
  }

  static constexpr std::size_t kAnyPart = static_cast<std::size_t>(-1);
  static constexpr std::int64_t kLargest = 1 << 20;
  static constexpr std::int64_t kHugeStep = 1 << 20;  // pieces of a file or of an array: there is one as a rule

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  const bool by_usage_;
  bool length_ = false;              // asks for the number of entries of a sequence
  std::optional<std::size_t> part_;  // asks for that item of a tuple, or for the largest (kAnyPart)
  bool axes_ = false;                // something on the way numbers axes
  bool written_ = false;             // a tuple on the way is written out
  bool open_ = false;   // something on the way is as many as somebody else says: a parameter, a size of an array
  ir::ClassId object_;  // whose attribute is asked about
  int looked_at_ = 0;
  using Asked = std::tuple<std::size_t, int, bool, std::optional<std::size_t>, std::size_t>;
  std::map<Asked, Answer> answers_;  // of parameters
  std::vector<ir::ValueId> calls_;   // those that led from the number asked about to the function looked at
};

}  // namespace

std::optional<std::int64_t> LargestConstant(const Facts& facts, Facts::Impl& impl, ir::ValueId number, Trust trust) {
  return Largest(facts, impl, trust).Of(number);
}

std::optional<std::int64_t> UsualSize(const Facts& facts, Facts::Impl& impl, ir::DimId size) {
  constexpr double kLargest = 1 << 20;
  constexpr std::uint64_t kDepths = 4;
  if (!size.valid()) return std::nullopt;
  const std::uint64_t key = std::uint64_t{size.index()} * kDepths + static_cast<std::uint64_t>(impl.usual_depth);
  if (const auto before = impl.usual_sizes.find(key); before != impl.usual_sizes.end()) return before->second;
  Largest largest(facts, impl, Trust::kUsage);
  bool known = true;
  const auto usual = impl.store.dims().Evaluate(size, [&](Symbol name, std::uint32_t instance) {
    const Most most = largest.OfSymbol(name, instance);
    known = known && most.has_value();
    return static_cast<double>(most.value_or(0));
  });
  const bool small = known && usual && *usual >= 0 && *usual < kLargest;
  const Most most = small ? Most(static_cast<std::int64_t>(*usual)) : std::nullopt;
  impl.usual_sizes.emplace(key, most);
  return most;
}

std::optional<std::int64_t> UsualTrips(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  if (const auto found = impl.usual_trips.find(loop); found != impl.usual_trips.end()) return found->second;
  Most most = Largest(facts, impl, Trust::kUsage).OfLoop(loop);
  if (!most) most = BoundByIndex(facts, impl, loop, Trust::kUsage);
  if (!most || *most >= kHotTrips) {
    const Most counted = CountedPasses(facts, impl, loop, Trust::kUsage);
    if (counted) most = std::min(most.value_or(*counted), *counted);
  }
  if (!most) most = ItemsByTests(facts, loop);
  if (!most && (CountsAxesByName(facts, loop) || CountsChannels(facts, loop))) most = kMostAxes;
  if (!most && WalksFewItems(facts, facts.program().loops[loop].iterable)) most = kHotTrips - 1;
  if (!most && IsShortByKind(facts, impl, loop)) most = kHotTrips - 1;
  if ((!most || *most >= kHotTrips) && EndsBySuccess(facts, loop, most)) most = kHotTrips - 1;
  // Inside of another question the answer may lack what is asked too deep.
  if (impl.usual_depth == 0) impl.usual_trips.emplace(loop, most);
  return most;
}

bool MakesFewPasses(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  const std::optional<std::int64_t> usual = UsualTrips(facts, impl, loop);
  return usual && *usual < kHotTrips;
}

}  // namespace cpnlint::analysis
