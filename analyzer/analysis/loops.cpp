// Loop kinds and their discriminators (rules.md A.5), in the order given there: the first match names the loop.

#include <algorithm>
#include <bit>
#include <cmath>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/carried_numbers.h"
#include "analyzer/analysis/carried_state.h"
#include "analyzer/analysis/earlier_trips.h"
#include "analyzer/analysis/entry_use.h"
#include "analyzer/analysis/generated_items.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/keys.h"
#include "analyzer/analysis/least_rank.h"
#include "analyzer/analysis/loop_scalars.h"
#include "analyzer/analysis/loop_windows.h"
#include "analyzer/analysis/moving_positions.h"
#include "analyzer/analysis/progress_bars.h"
#include "analyzer/analysis/read_items.h"
#include "analyzer/analysis/shares.h"
#include "analyzer/analysis/strides.h"

namespace cpnlint::analysis {

std::string_view Name(LoopKind kind) {
  switch (kind) {
    case LoopKind::kUnknown: return "unknown";
    case LoopKind::kCompiled: return "compiled";
    case LoopKind::kIter: return "iter";
    case LoopKind::kRecurrence: return "recurrence";
    case LoopKind::kElement: return "element";
    case LoopKind::kChunk: return "chunk";
    case LoopKind::kAxis: return "axis";
    case LoopKind::kSweep: return "sweep";
    case LoopKind::kRow: return "row";
    case LoopKind::kConvergence: return "convergence";
    case LoopKind::kStep: return "step";
    case LoopKind::kItem: return "item";
  }
  return "unknown";
}

namespace {

constexpr std::int64_t kAxisMax = 16;  // axis.max of rules.md A.5
constexpr std::int64_t kUnrolled = 8;  // accesses below which a loop counts as straight-line code (A.6)
constexpr double kElementShare = 10;   // an access on fewer than one trip in ten does not make an element loop

struct SeenAccess {
  LoopFact::Access access;
  bool element = false;       // selects one element
  bool doubtful = false;      // unknown rank decides
  bool slice_bounds = false;  // the induction value only forms slice bounds
  bool window = false;        // ... of nearly the whole array: neither an item nor a piece
  bool maybe_scalar = false;  // of unknown rank: perhaps an entry of a table or history of scalars
  std::vector<ir::ValueId> keys;
};

class Classifier {
 public:
  Classifier(const Facts& facts, Facts::Impl& impl, ir::LoopId loop)
      : facts_(facts),
        impl_(impl),
        program_(impl.program),
        scalars_(facts, loop),
        id_(loop),
        loop_(program_.loops[loop]) {}

  LoopFact Classify() {
    const Trips& trips = facts_.TripsOf(id_);
    fact_.trips = trips.count;
    fact_.trips_evidence = trips.evidence;
    if (facts_.IsCompiledElsewhere(loop_.function)) return Named(LoopKind::kCompiled);
    if (IteratesArray()) {
      fact_.hands_out = scalars_.HandsOutNumbers();
      CollectOps();
      CollectAccesses();
      fact_.carried = IsRecurrence() || CarriesNumber(facts_, id_);
      return Named(LoopKind::kIter);
    }
    CollectOps();
    CollectAccesses();
    if (IsElement()) return Named(IsRecurrence() ? LoopKind::kRecurrence : LoopKind::kElement);
    if (IsChunk()) return Named(LoopKind::kChunk);
    if (PicksSlabs()) {
      if (TripsAtMost(kAxisMax)) return Named(LoopKind::kAxis);
      if (IsSweep()) return Named(LoopKind::kSweep);
      return Named(LoopKind::kRow);
    }
    const bool small = TripsAtMost(kAxisMax) && loop_.kind != ir::Loop::Kind::kWhile && IsLiteral(loop_.iterable);
    if (!WalksNames(facts_, id_) && ExitDependsOnDevice() && !SearchesObjects()) return Named(LoopKind::kConvergence);
    if (!WalksObjects() && HasArrayWork()) return Named(small && !CountsSteps() ? LoopKind::kAxis : LoopKind::kStep);
    return Named(LoopKind::kItem);
  }

 private:
  LoopFact Named(LoopKind kind) {
    fact_.kind = kind;
    // One access on firm ground is enough to make the loop what it is.
    std::optional<EvidenceSet> firmest;
    for (const LoopFact::Access& access : fact_.accesses) {
      const EvidenceSet evidence = facts_.Of(program_.Operand(access.op, 0)).evidence;
      if (!firmest || std::popcount(evidence) < std::popcount(*firmest)) firmest = evidence;
    }
    if (firmest) fact_.evidence = *firmest;
    // If the doubt is right, this is a walk over objects, or over a few entries: not hot by itself.
    if ((fact_.possible || CutsForObjects(facts_, id_, kind)) && WalksObjects()) fact_.evidence |= kContradicted;
    if (!fact_.accesses.empty() && MakesFewPasses(facts_, impl_, id_)) fact_.evidence |= kContradicted;
    if (kind == LoopKind::kIter && UsuallyWalksAxis()) fact_.evidence |= kContradicted;
    return std::move(fact_);
  }

  [[nodiscard]] bool UsuallyWalksAxis() const {
    const std::optional<std::int64_t> usual = UsualTrips(facts_, impl_, id_);
    return usual && *usual <= kAxisMax;
  }

  [[nodiscard]] bool TripsAtMost(std::int64_t most) const {
    if (const std::optional<std::int64_t> trips = facts_.MostTrips(id_)) return *trips <= most;
    // `for axis in range(u.ndim)`
    const ir::ValueId source = loop_.iterable.valid() ? facts_.Source(loop_.iterable) : ir::ValueId::None();
    if (!source.valid() || program_.ops[source].kind != ir::OpKind::kCall) return false;
    const ir::ValueId bound = facts_.Source(program_.Operand(source, 1));
    return bound.valid() && program_.ops[bound].kind == ir::OpKind::kAttr &&
           program_.Name(program_.ops[bound]) == "ndim";
  }

  [[nodiscard]] bool IsLiteral(ir::ValueId iterable) const {
    if (!iterable.valid()) return false;
    const ir::OpKind kind = program_.ops[facts_.Source(iterable)].kind;
    return kind == ir::OpKind::kTuple || kind == ir::OpKind::kList;
  }

  // `for step in range(10)`: the trips are counted, the value is not used as data.
  [[nodiscard]] bool CountsSteps() const { return facts_.Of(loop_.iterable).kind == Kind::kRange; }

  // --- iter ---

  [[nodiscard]] bool IteratesArray() {
    if (!loop_.iterable.valid() || !ReadsItems(facts_, id_)) return false;
    std::vector<ir::ValueId> work = {facts_.Source(loop_.iterable)};
    for (std::size_t i = 0; i < work.size() && i < 16; ++i) {
      const ir::ValueId value = work[i];
      if (!value.valid()) continue;
      if (facts_.IsDevice(value)) {
        const std::optional<std::int64_t> extent = impl_.store.dims().AsConst(facts_.ExtentOf(value, 0));
        if (extent && *extent <= kAxisMax) continue;  // components of a vector, not a walk over data
        fact_.evidence |= facts_.Of(value).evidence;
        fact_.trips = facts_.ExtentOf(value, 0);
        return true;
      }
      if (program_.ops[value].kind != ir::OpKind::kCall) continue;
      const Callee& callee = facts_.CalleeOf(value);
      const bool passes_on =
          callee.kind == Callee::Kind::kBuiltin &&
          (callee.name == "enumerate" || callee.name == "zip" || callee.name == "reversed" || callee.name == "map");
      if (!passes_on && !IsProgressBar(callee.name)) continue;
      if (callee.name == "zip" && AnyShort(program_.Operands(value).subspan(1))) continue;  // the shortest one ends it
      for (const ir::ValueId argument : program_.Operands(value).subspan(1)) work.push_back(facts_.Source(argument));
    }
    return false;
  }

  [[nodiscard]] bool AnyShort(std::span<const ir::ValueId> sequences) const {
    ir::DimStore& dims = impl_.store.dims();
    return std::any_of(sequences.begin(), sequences.end(), [&](ir::ValueId id) {
      const Value& value = facts_.Of(id);
      const ir::DimId length = value.kind == Kind::kArray ? facts_.ExtentOf(id, 0) : value.dim;
      const std::optional<std::int64_t> least = length.valid() ? dims.LowerBound(dims.Negate(length), 0) : std::nullopt;
      return value.kind != Kind::kUnknown && least && *least >= -kAxisMax;
    });
  }

  // --- accesses ---

  void CollectOps() {
    for (const ir::BlockId block_id : program_.functions[loop_.function].blocks) {
      const ir::Block& block = program_.blocks[block_id];
      if (!block.loop.valid() || !facts_.LoopContains(id_, block.loop)) continue;
      ops_.insert(ops_.end(), block.ops.begin(), block.ops.end());
    }
  }

  void CollectAccesses() {
    std::vector<SeenAccess> histories, rows;
    for (const ir::ValueId op_id : ops_) {
      const ir::Op& op = program_.ops[op_id];
      if (op.kind != ir::OpKind::kSubscript && op.kind != ir::OpKind::kStoreSubscript) continue;
      if (!facts_.IsDevice(program_.Operand(op_id, 0)) || facts_.Of(op_id).dtype == ir::DType::kStructured) continue;
      if (LeadsOn(facts_, op_id)) continue;
      const Selected selected = SelectedBy(facts_, op_id, id_);
      const ir::ValueId base = selected.array;
      SeenAccess seen;
      bool depends = false, offset = false, bounds_only = true;
      int integer_keys = 0;
      bool holds_tuple = false;
      for (const ir::ValueId key : selected.keys) {
        seen.keys.push_back(key);
        const bool is_slice = facts_.Of(key).kind == Kind::kSlice;
        if (facts_.Of(key).kind == Kind::kTuple) holds_tuple = true;  // a tuple of keys made elsewhere
        if (IsOnePosition(facts_, key)) ++integer_keys;
        const bool from_induction = facts_.DependsOnInduction(key, id_) || SliceDepends(facts_, key, id_);
        if (!from_induction) continue;
        depends = true;
        if (!is_slice) bounds_only = false;
        if (!facts_.IsBareInduction(key, id_)) offset = true;
      }
      if (!depends && MovesByItself(facts_, op_id, id_) && !AnyWorksOnWhole(facts_, ops_)) {
        depends = offset = true;
        bounds_only = false;
      }
      const SubscriptResult& result = facts_.SubscriptOf(op_id);
      // `a[index]` with the index that np.ndindex gives is an element all the same.
      const bool whole_index = result.selects == SubscriptResult::Selects::kElement && seen.keys.size() == 1;
      if (!depends || (holds_tuple && !whole_index)) continue;
      if (HappensSeldom(op_id) || TakesShare(facts_, op_id, id_)) continue;
      if (MadeAnew(base)) continue;
      seen.access = {op_id, facts_.RootOf(base), op.kind == ir::OpKind::kStoreSubscript, offset};
      seen.slice_bounds = bounds_only;
      seen.window = bounds_only && IsWindow(facts_, op_id, id_);
      seen.element = result.selects == SubscriptResult::Selects::kElement;
      if (facts_.RankOf(base) < 0 && !bounds_only && integer_keys == static_cast<int>(seen.keys.size())) {
        // Unknown rank: several integer keys name an element; a single one a slab, unless its value is tested or
        // converted.
        const bool tested = IsTestedOrConverted(facts_, op_id);
        seen.element = integer_keys >= 2 || tested;
        seen.doubtful = (integer_keys < 2 && !tested) ||
                        (op.kind == ir::OpKind::kSubscript && !tested && MeetsUnknown(facts_, op_id));
      }
      const bool scalar_stored =
          op.kind == ir::OpKind::kStoreSubscript &&
          ((facts_.RankOf(base) < 0 && integer_keys == 1 && facts_.RankOf(program_.Operand(op_id, 1)) == 0) ||
           (integer_keys == static_cast<int>(seen.keys.size()) && IsOneEntry(base, integer_keys)) ||
           (integer_keys + 1 == facts_.RankOf(base) && scalars_.StoresRow(op_id)));
      // A stored array is no element, whatever the rank of its target; nor is what an array is added to.
      if (seen.element && TakesArray(op_id)) seen.element = false;
      if (seen.element || scalar_stored) {
        const LoopScalars::Found history = scalars_.IsHistory(op_id);
        const LoopScalars::Found table = scalars_.IsTable(op_id);
        if (history == LoopScalars::Found::kYes) histories.push_back(seen);
        if (history == LoopScalars::Found::kYes || table == LoopScalars::Found::kYes) continue;
        // `x[i][0] = e` is no history: a row holds more than that.
        const bool maybe = history == LoopScalars::Found::kMaybe || table == LoopScalars::Found::kMaybe;
        if (maybe && base == program_.Operand(op_id, 0)) seen.doubtful = true;
      }
      const bool one_key = facts_.RankOf(base) < 0 && integer_keys == 1 && seen.keys.size() == 1;
      if (one_key && !seen.element && scalars_.IsTable(op_id) == LoopScalars::Found::kYes) {
        if (HasRowsByCallers(facts_, base)) rows.push_back(seen);
        continue;
      }
      seen.maybe_scalar =
          one_key && (seen.access.write ? scalars_.StoresReduction(op_id) || StoresUnknownResult(facts_, op_id, id_)
                                        : MeetsUnknownArithmetic(facts_, op_id));
      if (PeriodOf(op_id) >= kElementShare) continue;
      accesses_.push_back(std::move(seen));
    }
    // `out[s : s + n] += frames[t]`
    if (std::ranges::any_of(accesses_, &SeenAccess::slice_bounds))
      accesses_.insert(accesses_.end(), rows.begin(), rows.end());
    std::erase_if(accesses_, [&](const SeenAccess& seen) {
      return std::ranges::any_of(histories, [&](const SeenAccess& history) { return ReadsBack(seen, history); });
    });
  }

  // `errors[i]` behind `errors[i] = np.sum(...)` is that number by another name, and `errors[i - 1]` the one before;
  // not where it names an item: `d[tour[i - 1]]`.
  [[nodiscard]] bool ReadsBack(const SeenAccess& read, const SeenAccess& history) const {
    if (NamesItem(facts_, read.access.op)) return false;
    if (read.access.write || !read.access.root.valid() || read.access.root != history.access.root) return false;
    const auto is_same = [&](ir::ValueId a, ir::ValueId b) {
      return a == b || impl_.store.dims().KnownEqual(facts_.Of(a).dim, facts_.Of(b).dim);
    };
    if (std::ranges::equal(read.keys, history.keys, is_same)) {
      return history.access.op < read.access.op || scalars_.IsReadToAdd(read.access.op, history.access.op);
    }
    return read.keys.size() == history.keys.size() &&
           ReadsWhatWasWritten(facts_, id_, {history.access.op, history.keys}, {read.access.op, read.keys});
  }

  // Made in each trip: no walk through it. Of unknown rank only what a function of the library creates.
  [[nodiscard]] bool MadeAnew(ir::ValueId array) const {
    const ir::ValueId root = facts_.RootOf(array);
    if (!root.valid() || !facts_.InLoop(root, id_) || program_.ops[root].kind != ir::OpKind::kCall) return false;
    if (facts_.RankOf(array) >= 0) return true;
    const Callee& callee = facts_.CalleeOf(root);
    return callee.kind == Callee::Kind::kApi && (callee.name.ends_with("_like") || callee.name.ends_with("zeros") ||
                                                 callee.name.ends_with("ones") || callee.name.ends_with("empty"));
  }

  // `if k in axes: t[k] = 0` with three entries in t: three trips at most get there, however many there are.
  [[nodiscard]] bool HappensSeldom(ir::ValueId op) const {
    const std::optional<std::int64_t> most = MostTimes(facts_, op, id_);
    return most && *most < kUnrolled && !facts_.TripsKnownBelow(id_, kUnrolled);
  }

  // `x[i]` of an array of shape (n, 1)
  [[nodiscard]] bool IsOneEntry(ir::ValueId array, int selected) const {
    const int rank = facts_.RankOf(array);
    for (int axis = selected; axis < rank; ++axis) {
      if (impl_.store.dims().AsConst(facts_.ExtentOf(array, axis)) != 1) return false;
    }
    return rank > selected;
  }

  // Of `x[k] = v` and both halves of `x[k] += v`: v has an axis.
  [[nodiscard]] bool TakesArray(ir::ValueId access) const {
    const bool augmented = (program_.ops[access].flags & ir::kAugmented) != 0;
    if (program_.ops[access].kind == ir::OpKind::kSubscript) {
      const auto users = facts_.UsesOf(access);
      return augmented && std::any_of(users.begin(), users.end(), [&](ir::ValueId user) {
               return program_.ops[user].kind == ir::OpKind::kInplaceBinary &&
                      facts_.HasAxis(program_.Operand(user, 1));
             });
    }
    const ir::ValueId value = program_.Operand(access, 1);
    if (facts_.HasAxis(value)) return true;
    return augmented && value.valid() && program_.ops[value].kind == ir::OpKind::kInplaceBinary &&
           facts_.HasAxis(program_.Operand(value, 1));
  }

  // The k of an enclosing `i % k == 0` inside this loop.
  [[nodiscard]] double PeriodOf(ir::ValueId op) const {
    double period = 1;
    for (ir::GuardId guard = program_.blocks[program_.ops[op].block].guard; guard.valid();
         guard = program_.guards[guard].parent) {
      const ir::Guard& record = program_.guards[guard];
      if (!record.loop.valid() || !facts_.LoopContains(id_, record.loop)) break;
      period *= facts_.GuardPeriod(guard);
    }
    return period;
  }

  [[nodiscard]] bool IsElement() {
    bool any = false;
    for (const SeenAccess& seen : accesses_) {
      if (!seen.element) continue;
      any = true;
      fact_.accesses.push_back(seen.access);
    }
    if (!any) return false;
    fact_.possible = std::all_of(accesses_.begin(), accesses_.end(),
                                 [](const SeenAccess& seen) { return !seen.element || seen.doubtful; });
    fact_.accumulates = AccumulatesScalars();
    return true;
  }

  // The element written at i is read at i±c along the same axis of the same root.
  [[nodiscard]] bool IsRecurrence() {
    for (const SeenAccess& write : accesses_) {
      if (!write.access.write || !write.element) continue;
      for (const SeenAccess& read : accesses_) {
        if (read.access.write || !read.element || read.access.root != write.access.root || !read.access.root.valid())
          continue;
        if (!ReadsWhatWasWritten(facts_, id_, {write.access.op, write.keys}, {read.access.op, read.keys})) continue;
        fact_.carried = true;
        return true;
      }
    }
    return false;
  }

  // total = total + a[i], total += a[i]: a scalar carried from trip to trip.
  [[nodiscard]] bool AccumulatesScalars() const {
    for (const ir::ValueId op_id : program_.blocks[loop_.header].ops) {
      if (program_.ops[op_id].kind != ir::OpKind::kPhi) break;
      for (const ir::ValueId operand : program_.Operands(op_id)) {
        if (!operand.valid() || !facts_.InLoop(operand, id_)) continue;
        const ir::Op& made = program_.ops[facts_.Source(operand)];
        if ((made.kind == ir::OpKind::kBinary || made.kind == ir::OpKind::kInplaceBinary) &&
            !facts_.IsBareInduction(op_id, id_)) {
          return true;
        }
      }
    }
    return false;
  }

  // --- chunk, slabs ---

  [[nodiscard]] bool IsChunk() {
    if (std::all_of(accesses_.begin(), accesses_.end(), [](const SeenAccess& seen) { return seen.window; }))
      return WalksPieces();
    for (const SeenAccess& seen : accesses_) {
      if (!seen.slice_bounds) return false;
    }
    ir::DimStore& dims = impl_.store.dims();
    for (const SeenAccess& seen : accesses_) {
      if (seen.window) continue;
      for (const ir::ValueId key : seen.keys) {
        if (!SliceDepends(facts_, key, id_)) continue;
        const ir::ValueId lower = program_.Operand(key, 0), upper = program_.Operand(key, 1);
        if (!lower.valid() || !upper.valid()) return false;  // a growing slice: a[:i]
        const ir::DimId piece = dims.Sub(facts_.Of(upper).dim, facts_.Of(lower).dim);
        if (!piece.valid() || !fact_.piece.valid()) fact_.piece = piece;
      }
      fact_.accesses.push_back(seen.access);
    }
    return true;
  }

  // `for part in np.array_split(a, k)`
  [[nodiscard]] bool WalksPieces() {
    if (!loop_.iterable.valid()) return false;
    const ir::ValueId source = facts_.Source(loop_.iterable);
    if (!source.valid() || program_.ops[source].kind != ir::OpKind::kCall) return false;
    const bool splits = facts_.CallsDevice(source, "numpy.split") || facts_.CallsDevice(source, "numpy.array_split");
    if (!splits || TripsAtMost(kAxisMax)) return false;
    const ir::ValueId pieces = facts_.Argument(source, 1, "indices_or_sections");
    const std::optional<std::int64_t> count = facts_.IntOf(pieces);
    return !(count && *count <= kAxisMax);
  }

  [[nodiscard]] bool PicksSlabs() {
    bool any = false, firm = false;
    for (const SeenAccess& seen : accesses_) {
      if (seen.element || seen.window) continue;
      any = true;
      firm = firm || !seen.maybe_scalar;
      fact_.accesses.push_back(seen.access);
    }
    fact_.possible = any && !firm;
    return any;
  }

  // Slab i depends on slab i-c, or on an array carried over from the trip before.
  [[nodiscard]] bool IsSweep() {
    ir::DimStore& dims = impl_.store.dims();
    for (const SeenAccess& write : accesses_) {
      const bool changed = !write.access.write && IsChanged(write.access.op);
      if (!write.access.write && !changed) continue;
      if (ReadsWhole(write.access.root)) {
        fact_.carried = true;
        return true;
      }
      for (const SeenAccess& read : accesses_) {
        if (read.access.write || read.access.op == write.access.op || read.access.root != write.access.root) continue;
        if (AreApart(facts_, id_, read.access.op, write.access.op)) continue;
        const std::size_t keys = std::min(read.keys.size(), write.keys.size());
        for (std::size_t axis = 0; axis < keys; ++axis) {
          const std::vector<ir::DimId> positions = PositionsOf(facts_, read.keys[axis]);
          const bool elsewhere = std::ranges::any_of(positions, [&](ir::DimId position) {
            return dims.Difference(facts_.Of(write.keys[axis]).dim, position).value_or(0) != 0;
          });
          if (elsewhere || IsBefore(facts_, id_, read.keys[axis], write.keys[axis]) ||
              IsPieceOfPassBefore(facts_, read.keys[axis], write.keys[axis], id_) ||
              IsOfAnotherTrip(facts_, id_, read.keys[axis], write.keys[axis])) {
            fact_.carried = true;
            return true;
          }
        }
      }
    }
    if (ChangesOneSlab() || ReadsSlicesWritten() || CarriesUnknown() || TakesFromList(facts_, id_, ops_) ||
        KeepsState() || ReadsBefore())
      fact_.carried = true;
    if (CarriesArray() || CarriesList(facts_, id_, ops_) || CarriesState(facts_, id_, ops_)) {
      fact_.carried = true;
      return true;
    }
    return false;
  }

  // `y = x[:, t]`, `y += ...`: the slab that is read is changed, here or in a loop inside.
  [[nodiscard]] bool IsChanged(ir::ValueId read) const {
    if ((program_.ops[read].flags & ir::kAugmented) != 0) return false;  // the load of `x[:, t] += ...`
    return std::any_of(ops_.begin(), ops_.end(), [&](ir::ValueId op) {
      const ir::OpKind kind = program_.ops[op].kind;
      if (kind != ir::OpKind::kInplaceBinary && kind != ir::OpKind::kStoreSubscript) return false;
      const ir::ValueId changed = facts_.Source(program_.Operand(op, 0));
      if (!changed.valid() || program_.ops[changed].kind != ir::OpKind::kPhi) return changed == read;
      const auto before = program_.Operands(changed);
      return std::find(before.begin(), before.end(), read) != before.end();
    });
  }

  // `h = v[:, i] @ v[:, k]; v[:, k] = v[:, k] - h * v[:, i]` in a loop over i: a slab that all trips read and change.
  [[nodiscard]] bool ChangesOneSlab() const {
    const auto is_fixed = [&](ir::ValueId op) {
      const auto keys = facts_.KeysOf(op);
      return std::ranges::none_of(
          keys, [&](ir::ValueId key) { return facts_.DependsOnInduction(key, id_) || SliceDepends(facts_, key, id_); });
    };
    const auto is_root = [&](ir::ValueId root) {
      return root.valid() && !facts_.InLoop(root, id_) &&
             std::ranges::any_of(accesses_, [&](const SeenAccess& seen) { return seen.access.root == root; });
    };
    std::vector<ir::ValueId> read;  // before it is written: what the trip before has left
    for (const ir::ValueId op : ops_) {
      const ir::OpKind kind = program_.ops[op].kind;
      const bool store = kind == ir::OpKind::kStoreSubscript;
      if ((!store && kind != ir::OpKind::kSubscript) || (program_.ops[op].flags & ir::kAugmented) != 0) continue;
      const ir::ValueId base = program_.Operand(op, 0), root = facts_.RootOf(base);
      if (facts_.InLoop(facts_.Source(base), id_)) continue;  // `row = v[i]`: it is the loop that selects
      if (!is_root(root) || !is_fixed(op)) continue;
      if (!store) read.push_back(root);
      if (store && std::ranges::count(read, root) > 0) return true;
    }
    return false;
  }

  // `P[:, j]` is written and `P[:, :j]` read: slabs of other trips.
  [[nodiscard]] bool ReadsSlicesWritten() const {
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const SeenAccess& read) {
      if (read.access.write || !read.access.root.valid()) return false;
      const bool slice = std::any_of(read.keys.begin(), read.keys.end(),
                                     [&](ir::ValueId key) { return SliceDepends(facts_, key, id_); });
      return slice && std::any_of(accesses_.begin(), accesses_.end(), [&](const SeenAccess& write) {
               return write.access.write && !write.slice_bounds && write.access.root == read.access.root;
             });
    });
  }

  // `for j in range(i): c[i] -= c[j]`: what earlier trips wrote.
  [[nodiscard]] bool ReadsBefore() const {
    return std::any_of(ops_.begin(), ops_.end(), [&](ir::ValueId op) {
      if (program_.ops[op].kind != ir::OpKind::kSubscript || !facts_.IsDevice(program_.Operand(op, 0))) return false;
      const ir::ValueId root = facts_.RootOf(program_.Operand(op, 0));
      const bool written = std::any_of(accesses_.begin(), accesses_.end(), [&](const SeenAccess& seen) {
        return seen.access.write && !seen.slice_bounds && seen.access.root == root;
      });
      if (!written) return false;
      const auto keys = facts_.KeysOf(op);
      return std::any_of(keys.begin(), keys.end(), [&](ir::ValueId key) { return CountsUpTo(facts_, id_, key); }) &&
             std::none_of(keys.begin(), keys.end(), [&](ir::ValueId key) {  // `d[i, j] += x` is its own
               return facts_.DependsOnInduction(key, id_);
             });
    });
  }

  // A whole array that changes from trip to trip: a Phi of the header, or an array outside that the body updates in
  // place and reads.
  [[nodiscard]] bool CarriesArray() const {
    for (const ir::ValueId op_id : program_.blocks[loop_.header].ops) {
      if (program_.ops[op_id].kind != ir::OpKind::kPhi) break;
      if (facts_.IsDevice(op_id) && facts_.RankOf(op_id) != 0 && !OnlyAccumulates(op_id)) return true;
    }
    for (const ir::ValueId op_id : ops_) {
      const ir::Op& op = program_.ops[op_id];
      const bool updates = op.kind == ir::OpKind::kStoreSubscript || op.kind == ir::OpKind::kInplaceBinary;
      const ir::ValueId base = program_.Operand(op_id, 0);
      if (!updates || ((op.flags & ir::kAugmented) != 0 && !IsEntry(base))) continue;
      if (!facts_.IsDevice(base) || facts_.InLoop(facts_.RootOf(base), id_)) continue;
      bool selected = false;
      for (const SeenAccess& seen : accesses_) selected = selected || seen.access.root == facts_.RootOf(base);
      if (!selected && ReadsRoot(facts_.RootOf(base))) return true;
    }
    return false;
  }

  // `state["u"]`, `self.u`: no item of an array.
  [[nodiscard]] bool IsEntry(ir::ValueId id) const {
    const ir::ValueId source = facts_.Source(id);
    const ir::OpKind kind = program_.ops[source].kind;
    if (kind == ir::OpKind::kAttr) return true;
    return kind == ir::OpKind::kSubscript && facts_.Of(program_.Operand(source, 0)).kind == Kind::kDict;
  }

  // `self.update(z[i]); means[i] = self.x`: what an object is after each trip, which the next one goes on from.
  [[nodiscard]] bool KeepsState() const {
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const SeenAccess& seen) {
      if (!seen.access.write || program_.ops[seen.access.op].kind != ir::OpKind::kStoreSubscript) return false;
      const ir::ValueId stored = facts_.Source(program_.Operand(seen.access.op, 1));
      if (!stored.valid() || program_.ops[stored].kind != ir::OpKind::kAttr) return false;
      const ir::ValueId object = facts_.Source(program_.Operand(stored, 0));
      return object.valid() && !facts_.InLoop(object, id_) && facts_.Of(object).kind == Kind::kInstance &&
             facts_.AttributeStoredIn(program_.SymbolOf(program_.ops[stored]), id_);
    });
  }

  // Something else that changes from trip to trip and that the body looks at.
  [[nodiscard]] bool CarriesUnknown() const {
    for (const ir::ValueId op_id : program_.blocks[loop_.header].ops) {
      if (program_.ops[op_id].kind != ir::OpKind::kPhi) break;
      if (facts_.IsDevice(op_id) || facts_.DependsOnInduction(op_id, id_) || OnlyAccumulates(op_id)) continue;
      for (const ir::ValueId user : facts_.UsesOf(op_id)) {
        if (facts_.InLoop(user, id_) && program_.ops[user].kind != ir::OpKind::kPhi) return true;
      }
    }
    return false;
  }

  // acc = acc + f(slab): order does not matter, so nothing is carried that would forbid a rewrite.
  [[nodiscard]] bool OnlyAccumulates(ir::ValueId phi) const {
    int uses = 0;
    for (const ir::ValueId user : facts_.UsesOf(phi)) {
      if (!facts_.InLoop(user, id_)) continue;
      ++uses;
      const ir::Op& op = program_.ops[user];
      const bool sum = (op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kInplaceBinary) &&
                       (static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd ||
                        static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kSub ||
                        static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMul);
      if (!sum) return false;
      // What the sum is after each trip must not be looked at.
      for (const ir::ValueId reader : facts_.UsesOf(user)) {
        if (reader != phi && facts_.InLoop(reader, id_)) return false;
      }
    }
    return uses == 1;
  }

  // `filled[box]`: entries that are not those of this trip.
  [[nodiscard]] bool CopiesFromElsewhere(ir::ValueId read) const {
    if ((program_.ops[read].flags & ir::kAugmented) != 0 || facts_.UsesOf(read).empty()) return false;
    const auto keys = facts_.KeysOf(read);
    return facts_.IsArray(program_.Operand(read, 0)) &&
           facts_.SubscriptOf(read).selects != SubscriptResult::Selects::kView &&
           std::none_of(keys.begin(), keys.end(), [&](ir::ValueId key) { return facts_.DependsOnInduction(key, id_); });
  }

  // `small = hist < limit`: all of an array that was made before the loop goes into the work of a trip.
  [[nodiscard]] bool ReadsWhole(ir::ValueId root) const {
    return root.valid() && std::any_of(ops_.begin(), ops_.end(), [&](ir::ValueId op) {
             const ir::OpKind kind = program_.ops[op].kind;
             if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kCompare && kind != ir::OpKind::kUnary)
               return false;
             const auto operands = program_.Operands(op);
             return std::any_of(operands.begin(), operands.end(), [&](ir::ValueId operand) {
               return operand.valid() && facts_.IsArray(operand) && !facts_.InLoop(operand, id_) &&
                      facts_.RootOf(operand) == root && facts_.RankOf(operand) == facts_.RankOf(root);
             });
           });
  }

  [[nodiscard]] bool ReadsRoot(ir::ValueId root) const {
    for (const ir::ValueId op_id : ops_) {
      const ir::Op& op = program_.ops[op_id];
      const bool copies = op.kind == ir::OpKind::kSubscript && CopiesFromElsewhere(op_id);
      if (op.kind != ir::OpKind::kBinary && op.kind != ir::OpKind::kCall && !copies) continue;
      for (const ir::ValueId operand : program_.Operands(op_id)) {
        if (operand.valid() && facts_.RootOf(operand) == root && root.valid()) return true;
      }
    }
    return false;
  }

  // --- convergence, step, item ---

  // `for cls in classes: if isinstance(x, cls): ...`, `if x.dtype.names == cls.fields: ...` of an array that the loop
  // does not make: no item is looked at, and no pass changes the answer.
  [[nodiscard]] bool AsksForType(ir::ValueId value) const {
    const ir::Op& op = program_.ops[value];
    const bool attribute = op.kind == ir::OpKind::kAttr;
    const ir::ValueId object = attribute ? program_.Operand(value, 0) : ArgumentOfQuestion(value);
    if (loop_.kind != ir::Loop::Kind::kFor || !object.valid() || facts_.InLoop(facts_.Source(object), id_))
      return false;
    return !attribute || IsOneOf(program_.Name(op), {"dtype", "flags", "itemsize", "nbytes", "ndim", "shape", "size"});
  }

  // `x` of `len(x)`, `isinstance(x, ...)`; None() for anything else.
  [[nodiscard]] ir::ValueId ArgumentOfQuestion(ir::ValueId call) const {
    if (program_.ops[call].kind != ir::OpKind::kCall || facts_.PositionalCount(call) == 0) return {};
    const bool asks = IsBuiltin(facts_.CalleeOf(call), {"hasattr", "isinstance", "len", "type"});
    return asks ? program_.Operand(call, 1) : ir::ValueId::None();
  }

  [[nodiscard]] bool DerivedFromDevice(ir::ValueId value) const {
    std::vector<ir::ValueId> work = {value};
    std::unordered_set<ir::ValueId> seen = {value};
    for (std::size_t i = 0; i < work.size() && i < 200; ++i) {
      const ir::ValueId now = work[i];
      if (!now.valid()) continue;
      if (facts_.IsDevice(now)) return true;
      if (!facts_.InLoop(now, id_) || AsksForType(now)) continue;
      // What a function of the program returns is known by itself: True or False out of device work is a Python bool.
      if (program_.ops[now].kind == ir::OpKind::kCall && facts_.CalleeOf(now).kind == Callee::Kind::kLocal) continue;
      for (const ir::ValueId operand : program_.Operands(now)) {
        if (operand.valid() && seen.insert(operand).second) work.push_back(operand);
      }
    }
    return false;
  }

  // The tests on which the loop is left.
  [[nodiscard]] std::vector<ir::ValueId> LeavingTests() const {
    std::vector<ir::ValueId> tests;
    for (const ir::ValueId op_id : ops_) {
      if (program_.ops[op_id].kind != ir::OpKind::kBranch) continue;
      const auto& succs = program_.blocks[program_.ops[op_id].block].succs;
      if (std::any_of(succs.begin(), succs.end(), [&](ir::BlockId to) { return Leaves(to); }))
        tests.push_back(program_.Operand(op_id, 0));
    }
    return tests;
  }

  [[nodiscard]] bool ExitDependsOnDevice() const {
    const std::vector<ir::ValueId> tests = LeavingTests();
    return std::any_of(tests.begin(), tests.end(), [&](ir::ValueId test) { return DerivedFromDevice(test); });
  }

  // `for layer in layers: if np.any(layer.data < 0): return False`: what leaves the loop is asked of each object by
  // itself, and of nothing that the passes before have made.
  [[nodiscard]] bool SearchesObjects() const {
    if (loop_.kind != ir::Loop::Kind::kFor || !loop_.item.valid() || facts_.Of(loop_.item).kind != Kind::kInstance)
      return false;
    const std::vector<ir::ValueId> tests = LeavingTests();
    return std::none_of(tests.begin(), tests.end(), [&](ir::ValueId test) { return IsCarriedOn(facts_, test, id_); });
  }

  // The block is outside the loop, or goes straight there without raising.
  [[nodiscard]] bool Leaves(ir::BlockId block_id) const {
    for (int steps = 0; steps < 8; ++steps) {
      const ir::Block& block = program_.blocks[block_id];
      if (block.ops.empty()) return false;
      const ir::OpKind last = program_.ops[block.ops.back()].kind;
      if (last == ir::OpKind::kRaise) return false;
      if (!block.loop.valid() || !facts_.LoopContains(id_, block.loop)) return true;
      if (last == ir::OpKind::kReturn) return true;
      if (last != ir::OpKind::kJump || block.succs.size() != 1 || block.succs[0] == loop_.header) return false;
      block_id = block.succs[0];
    }
    return false;
  }

  [[nodiscard]] bool WalksObjects() const {
    if (!loop_.iterable.valid()) return TestsWhatIsNext(facts_, id_, LeavingTests());
    const ir::ValueId source = facts_.Source(loop_.iterable);
    if (program_.ops[source].kind != ir::OpKind::kPhi || facts_.Of(source).kind != Kind::kUnknown)
      return HoldsObjects(source);
    // `if progress: steps = tqdm(steps)`: one or the other.
    return std::ranges::any_of(program_.Operands(source),
                               [&](ir::ValueId one) { return !one.valid() || HoldsObjects(facts_.Source(one)); });
  }

  [[nodiscard]] bool HoldsObjects(ir::ValueId source) const {
    if (IsRangeInList(source)) source = facts_.Source(program_.Operand(source, 1));
    const Value& value = facts_.Of(source);
    if (value.kind == Kind::kRange) return CountsObjects(facts_, source) || IndexesObjects(facts_, id_);
    if (value.kind == Kind::kTuple || value.kind == Kind::kList) {
      // A literal of numbers is a schedule, not a set of objects.
      return !(value.item.valid() && IsNumber(impl_.store.Get(value.item).front().kind));
    }
    if (program_.ops[source].kind == ir::OpKind::kCall) {
      const Callee& callee = facts_.CalleeOf(source);
      if (IsProgressBar(callee.name) || CountsWithBar(callee.name) || callee.name == "itertools.count") return false;
      if (callee.name == "reversed" || callee.name == "enumerate") {
        const ir::ValueId inner = program_.Operand(source, 1);
        return inner.valid() && facts_.Of(inner).kind != Kind::kRange && !WalksGenerated(facts_, impl_, inner);
      }
    }
    return !WalksGenerated(facts_, impl_, source);
  }

  // list(range(n)), as Python 2 had it
  [[nodiscard]] bool IsRangeInList(ir::ValueId source) const {
    if (program_.ops[source].kind != ir::OpKind::kCall || program_.ops[source].operand_count != 2) return false;
    const Callee& callee = facts_.CalleeOf(source);
    return callee.kind == Callee::Kind::kBuiltin && (callee.name == "list" || callee.name == "tuple") &&
           facts_.Of(program_.Operand(source, 1)).kind == Kind::kRange;
  }

  [[nodiscard]] bool HasArrayWork() const {
    return std::ranges::any_of(ops_,
                               [&](ir::ValueId op) { return facts_.IsArrayWork(op) || TakesShare(facts_, op, id_); });
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  LoopScalars scalars_;
  ir::LoopId id_;
  const ir::Loop& loop_;
  LoopFact fact_;
  std::vector<ir::ValueId> ops_;
  std::vector<SeenAccess> accesses_;
};

}  // namespace

const LoopFact& Facts::LoopFactOf(ir::LoopId loop) const {
  const auto found = impl_->loops.find(loop);
  if (found != impl_->loops.end()) return found->second;
  LoopFact fact = Classifier(*this, *impl_, loop).Classify();
  return impl_->loops.emplace(loop, std::move(fact)).first->second;
}

}  // namespace cpnlint::analysis
