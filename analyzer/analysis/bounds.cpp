// How many entries an axis of an array has at most, where its shape does not say: from what it is made of, through
// variables, functions of the program and what they are called with.

#include <algorithm>
#include <limits>
#include <utility>

#include "analyzer/analysis/attribute_stores.h"
#include "analyzer/analysis/axis_lists.h"
#include "analyzer/analysis/axis_makers.h"
#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/callers.h"
#include "analyzer/analysis/changes.h"
#include "analyzer/analysis/checked_extents.h"
#include "analyzer/analysis/counted_items.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/left_out.h"
#include "analyzer/analysis/like_objects.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr std::int64_t kSmallExtent = 16;  // axis.max of rules.md A.5: bounds that matter to rules
constexpr int kDeepest = 10;               // from an array to what it is made of
constexpr int kMostVisits = 100;           // of one question
constexpr std::size_t kMostCallSites = 8;
constexpr std::int64_t kMany = 1 << 10;  // nobody knows how many
constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max();
// A value that is being looked at already: it comes from itself, and says nothing.
constexpr std::int64_t kItself = 0;

// A size that cannot exceed a small bound counts as that bound: a number of dimensions is at most 6.
ir::DimId SmallBound(ir::DimStore& dims, ir::DimId dim) {
  if (!dim.valid() || dims.AsConst(dim)) return dim;
  const std::optional<std::int64_t> least = dims.LowerBound(dims.Negate(dim), 0);
  return least && *least >= -kSmallExtent && *least < 0 ? dims.Const(-*least) : dim;
}

bool IsSequence(const Value& value) { return value.kind == Kind::kList || value.kind == Kind::kTuple; }

class AxisBound {
 public:
  AxisBound(const Facts& facts, Facts::Impl& impl, Trust trust)
      : facts_(facts), impl_(impl), program_(impl.program), by_usage_(trust == Trust::kUsage) {}

  // Of the first (0) or the last axis (-1); nullopt where there is no small bound.
  std::optional<std::int64_t> Of(ir::ValueId array, int axis) {
    axis_ = axis;
    const std::int64_t most = Most(array, 0);
    return most == kItself || most > kSmallExtent ? std::nullopt : std::optional(most);
  }

 private:
  [[nodiscard]] ir::DimStore& Dims() const { return impl_.store.dims(); }
  [[nodiscard]] bool First() const { return axis_ == 0; }
  [[nodiscard]] Trust TrustIn() const { return by_usage_ ? Trust::kUsage : Trust::kProof; }

  [[nodiscard]] std::int64_t Number(ir::DimId dim) const {
    const std::optional<std::int64_t> most = Dims().AsConst(SmallBound(Dims(), dim));
    return most || !by_usage_ ? most.value_or(kNoBound) : UsualSize(facts_, impl_, dim).value_or(kNoBound);
  }

  // What the shape itself says.
  [[nodiscard]] std::int64_t Stated(ir::ValueId id) const {
    const Value& value = facts_.Of(id);
    if (value.kind != Kind::kArray || !value.shape.valid()) return kNoBound;
    const Shape& shape = impl_.store.Get(value.shape);
    if (shape.empty()) return kNoBound;
    return Number(First() ? shape.front() : shape.back());
  }

  std::int64_t Most(ir::ValueId id, int depth) {
    if (!id.valid() || depth > kDeepest || ++visits_ > kMostVisits) return kNoBound;
    if (const std::int64_t stated = Stated(id); stated != kNoBound) return stated;
    const ir::ValueId source = facts_.Source(id);
    if (!source.valid()) return kNoBound;
    if (depth == 0) asked_ = source;
    const std::int64_t names = First() ? Unpacked(source) : UnpackedColumns(source);
    if (names != kNoBound) return names;
    if (First() && IsSequence(facts_.Of(id))) {
      if (const std::int64_t most = OfSequence(id); most != kNoBound) return most;
      if (program_.ops[source].kind == ir::OpKind::kBinary) return kNoBound;  // `[a, b] * n`
    } else {
      const std::vector<ir::ValueId> users = facts_.DeepUsesOf(source);
      if (const std::int64_t checked = Checked(users); checked != kNoBound) return checked;
      if (const std::int64_t checked = CheckedElsewhere(source, users); checked != kNoBound) return checked;
      if (!First()) return OfMade(source, depth);
      if (MakesKeys(facts_, users) || BecomesAxes(facts_, source, by_usage_)) return kMostAxes;
      if (by_usage_ && IsCalledShape(program_, source)) return kMostAxes;
    }
    return OfMade(source, depth);
  }

  // By what makes the array.
  std::int64_t OfMade(ir::ValueId source, int depth) {
    if (First() && HoldsOnePerAxis(facts_, source, by_usage_)) return kMostAxes;
    switch (program_.ops[source].kind) {
      case ir::OpKind::kPhi: return OfPhi(source, depth);
      case ir::OpKind::kParam: return OfParameter(source, depth);
      case ir::OpKind::kLoadCell: return OfCell(source, depth);
      case ir::OpKind::kAttr: return OfAttribute(source, depth);
      case ir::OpKind::kSubscript: return First() ? OfSubscript(source, depth) : kNoBound;
      case ir::OpKind::kInplaceBinary: return Most(program_.Operand(source, 0), depth + 1);
      case ir::OpKind::kBinary: {
        const bool product = static_cast<ir::BinaryOp>(program_.ops[source].detail) == ir::BinaryOp::kMatMul;
        return product ? OfProduct(program_.Operand(source, 0), program_.Operand(source, 1), depth)
                       : Broadcast(program_.Operands(source), depth);
      }
      case ir::OpKind::kUnary:
      case ir::OpKind::kCompare: return Broadcast(program_.Operands(source), depth);
      case ir::OpKind::kCall: return OfCall(source, depth);
      case ir::OpKind::kUnpackItem: return OfPart(source, depth);
      case ir::OpKind::kLoopItem: return OfRow(ir::LoopId(program_.ops[source].payload), depth);
      default: return kNoBound;
    }
  }

  // `low, high = limits`, and `for limit in limits` elsewhere: that there are two is not what the former would ask.
  [[nodiscard]] std::int64_t Unpacked(ir::ValueId array) const {
    const auto names = by_usage_ ? NamesUnpackedTo(facts_, array) : std::nullopt;
    if (!names) return kNoBound;
    const std::vector<ir::ValueId> users = facts_.DeepUsesOf(array);
    const bool walked = std::ranges::any_of(users, [&](ir::ValueId user) {
      const ir::OpKind kind = program_.ops[user].kind;
      return kind == ir::OpKind::kIter || kind == ir::OpKind::kCall || kind == ir::OpKind::kStarred;
    });
    return walked || array != asked_ ? *names : kNoBound;
  }

  // `x, y = points.T`, and not where that is what is asked about.
  [[nodiscard]] std::int64_t UnpackedColumns(ir::ValueId matrix) const {
    if (!by_usage_) return kNoBound;
    for (const ir::ValueId user : facts_.DeepUsesOf(matrix)) {
      const bool transposed = program_.ops[user].kind == ir::OpKind::kAttr && program_.Name(program_.ops[user]) == "T";
      const auto names = transposed && user != asked_ ? NamesUnpackedTo(facts_, user) : std::nullopt;
      if (names) return *names;
    }
    return kNoBound;
  }

  // `for row in matrix`: as long as the matrix is wide.
  std::int64_t OfRow(ir::LoopId loop, int depth) {
    const ir::ValueId matrix = program_.loops[loop].iterable;
    if (!matrix.valid() || !facts_.IsArray(matrix) || depth > 0) return kNoBound;
    const int rank = facts_.RankOf(matrix);
    if (First() && rank != 2 && (rank >= 0 || !by_usage_)) return kNoBound;
    const int axis_before = std::exchange(axis_, -1);
    const std::int64_t most = Most(matrix, depth + 1);
    axis_ = axis_before;
    return most;
  }

  // `a, b = f(x)`: what f returns at that place.
  std::int64_t OfPart(ir::ValueId part, int depth) {
    const auto position = ir::ItemPosition::Unpack(program_.ops[part].payload);
    const ir::ValueId call = facts_.Source(program_.Operand(part, 0));
    if (position.star != ir::ItemPosition::kNoStar || !call.valid()) return kNoBound;
    const ir::Op& made = program_.ops[call];  // or `a, b = np.array(a), np.array(b)`
    if (made.kind == ir::OpKind::kTuple && made.operand_count == position.count)
      return Most(program_.Operand(call, position.index), depth + 1);
    if (made.kind != ir::OpKind::kCall) return kNoBound;
    const Callee& callee = facts_.CalleeOf(call);
    if (IsOneOf(BareName(callee), {"linalg.eig", "linalg.eigh"})) return OfSquare(facts_.Argument(call, 0, "a"), depth);
    if (callee.kind != Callee::Kind::kLocal) return kNoBound;
    return OfResults(call, callee.function, depth, position.index);
  }

  // `values, vectors = np.linalg.eigh(m)`: as many as the matrix has rows.
  std::int64_t OfSquare(ir::ValueId matrix, int depth) {
    const std::int64_t most = Most(matrix, depth + 1);
    const bool few = most == kNoBound && by_usage_ && matrix.valid() && facts_.UsuallyFewRows(matrix, kHotTrips);
    return few ? kHotTrips - 1 : most;
  }

  // `if v.shape != (3,): raise`, `if not len(v) == image.ndim: raise`, `assert len(v) <= 5`: what goes on has that many
  // entries.
  [[nodiscard]] std::int64_t Checked(const std::vector<ir::ValueId>& users) const {
    return CheckedExtent(facts_, impl_, users, axis_, TrustIn()).value_or(kNoBound);
  }

  // Handed to a function of the program that raises where there are others than so many.
  [[nodiscard]] std::int64_t CheckedElsewhere(ir::ValueId array, const std::vector<ir::ValueId>& users) const {
    for (const ir::ValueId user : users) {
      if (program_.ops[user].kind != ir::OpKind::kCall) continue;
      const Callee& callee = facts_.CalleeOf(user);
      if (callee.kind != Callee::Kind::kLocal) continue;
      const List<ir::Param> params = program_.functions[callee.function].params;
      for (std::size_t i = 0; i < params.size(); ++i) {
        const ir::ValueId over = HandedOver(facts_, user, callee.function, i).value;
        if (!over.valid() || facts_.Source(over) != array) continue;
        const std::int64_t checked = Checked(facts_.DeepUsesOf(params[i].value));
        if (checked != kNoBound) return checked;
      }
    }
    return kNoBound;
  }

  std::int64_t OfPhi(ir::ValueId phi, int depth) {
    if (std::find(looked_at_.begin(), looked_at_.end(), phi) != looked_at_.end()) return kItself;
    looked_at_.push_back(phi);
    const ir::LoopId loop = program_.LoopOf(phi);
    const bool carried = loop.valid() && program_.loops[loop].header == program_.ops[phi].block;
    Ways ways;
    for (const ir::ValueId operand : WaysThatCount(facts_, impl_, phi, TrustIn()))
      ways.Add(Most(operand, depth + 1), !carried && IsPlain(operand));
    looked_at_.pop_back();
    return ways.Most(by_usage_);
  }

  // What comes of several ways to make one thing. By usage those that spell it out are what is asked for, where they
  // are as many as those that nobody can follow.
  struct Ways {
    std::int64_t most = kItself;
    int plain = 0, unknown = 0;

    void Add(std::int64_t one, bool is_plain) {
      if (one == kNoBound) {
        ++unknown;
        return;
      }
      most = std::max(most, one);
      if (is_plain) ++plain;
    }
    [[nodiscard]] std::int64_t Most(bool by_usage) const {
      return unknown == 0 || (by_usage && plain >= unknown && most != kItself) ? most : kNoBound;
    }
  };

  // `np.ones(2)`, `np.r_[0, 1]`: made of nothing but constants, and no wrapped argument like `np.array([x])`.
  [[nodiscard]] bool IsPlain(ir::ValueId id) const {
    const ir::ValueId source = facts_.Source(id);
    if (!source.valid()) return false;
    if (facts_.Of(source).constant_items || IsMadePerAxis(source)) return true;
    if (program_.ops[source].kind == ir::OpKind::kSubscript)
      return facts_.ApiName(program_.Operand(source, 0)) == "numpy.r_";
    if (program_.ops[source].kind != ir::OpKind::kCall) return false;
    return MakesNew(BareName(facts_.CalleeOf(source)));
  }

  // `np.array(x.shape) // 2`: whatever else may stand for it has one entry per axis as well.
  [[nodiscard]] bool IsMadePerAxis(ir::ValueId id) const {
    const ir::Op& op = program_.ops[id];
    const ir::ValueId made = op.kind == ir::OpKind::kBinary ? facts_.Source(program_.Operand(id, 0)) : id;
    if (!made.valid() || program_.ops[made].kind != ir::OpKind::kCall) return false;
    const bool array = IsOneOf(BareName(facts_.CalleeOf(made)), {"array", "asarray"});
    return array && HasOnePerAxis(facts_.Argument(made, 0, "object"));
  }

  // What the call that led here passes, or else all known calls.
  std::int64_t OfParameter(ir::ValueId param, int depth) {
    const ir::FunctionId function = program_.FunctionOf(param);
    const std::size_t index = program_.ops[param].detail;
    if (!calls_.empty() && facts_.CalleeOf(calls_.back()).function == function) {
      const ir::ValueId call = calls_.back();
      calls_.pop_back();
      const std::int64_t most = Most(HandedOver(facts_, call, function, index).value, depth + 1);
      calls_.push_back(call);
      return most;
    }
    if (const std::int64_t documented = Documented(param); documented != kNoBound) return documented;
    const auto known = facts_.CallSitesOf(function);
    std::vector<ir::ValueId> sites(known.begin(), known.end());
    if (by_usage_) KeepCallsOfKin(impl_, function, object_, sites);
    const std::int64_t by_default = by_usage_ ? OfDefault(function, index, depth) : kNoBound;
    if (sites.size() > kMostCallSites || (sites.empty() && by_default == kNoBound)) return kNoBound;
    if (std::find(looked_at_.begin(), looked_at_.end(), param) != looked_at_.end()) return kItself;
    looked_at_.push_back(param);
    std::int64_t most = by_default == kNoBound ? kItself : by_default;
    std::size_t unseen = 0;
    for (const ir::ValueId site : sites) {
      const bool call = program_.ops[site].kind == ir::OpKind::kCall;
      const ir::ValueId handed = call ? HandedOver(facts_, site, function, index).value : ir::ValueId::None();
      const std::int64_t one = call ? Most(handed, depth + 1) : kNoBound;
      const bool says_nothing = one == kNoBound && by_usage_ && call && HandsOnUnseen(facts_, impl_, site, handed);
      unseen += says_nothing ? 1 : 0;
      if (!says_nothing) most = std::max(most, one);
    }
    looked_at_.pop_back();
    return unseen > 0 && unseen == sites.size() && by_default == kNoBound ? kNoBound : most;
  }

  // What the function is called with unless somebody asks for something else: `power=3` is no array at all.
  std::int64_t OfDefault(ir::FunctionId function, std::size_t index, int depth) {
    const List<ir::Param> params = program_.functions[function].params;
    const ir::ValueId by_default = index < params.size() ? params[index].default_value : ir::ValueId::None();
    if (!by_default.valid() || facts_.IsNoneConstant(by_default)) return kNoBound;
    return IsNumber(facts_.Of(by_default).kind) ? kItself : Most(by_default, depth + 1);
  }

  std::int64_t OfCell(ir::ValueId load, int depth) {
    const ir::Cell& cell = program_.cells[ir::CellId(program_.ops[load].payload)];
    if (cell.stores.empty() || cell.stores.size() > kMostCallSites) return kNoBound;
    if (std::find(looked_at_.begin(), looked_at_.end(), load) != looked_at_.end()) return kItself;
    looked_at_.push_back(load);
    std::int64_t most = kItself;
    for (const ir::ValueId store : cell.stores) most = std::max(most, Most(program_.Operand(store, 0), depth + 1));
    looked_at_.pop_back();
    return most;
  }

  // What is ever stored in the attribute of an object of the program; of a transposed matrix the other axis.
  std::int64_t OfAttribute(ir::ValueId attribute, int depth) {
    const ir::ValueId object = program_.Operand(attribute, 0);
    const Value& value = facts_.Of(object);
    const std::string_view name = program_.Name(program_.ops[attribute]);
    if (value.kind == Kind::kArray && name == "T") {
      axis_ = -1 - axis_;
      const std::int64_t most = Most(object, depth + 1);
      axis_ = -1 - axis_;
      return most;
    }
    if (value.kind != Kind::kInstance) return kNoBound;
    if (by_usage_ && CountsAxes(facts_, value.class_id, program_.SymbolOf(program_.ops[attribute]))) return kMostAxes;
    const ir::ClassId object_before = std::exchange(object_, value.class_id);
    const std::vector<ir::FunctionId> properties = RunBy(facts_, impl_, attribute).functions;
    const std::int64_t most = properties.size() == 1 ? OfResults(attribute, properties[0], depth)
                                                     : OfStored(attribute, value.class_id, depth);
    object_ = object_before;
    return most;
  }

  // As documentation says of a parameter or of what is stored in an attribute.
  [[nodiscard]] std::int64_t Documented(ir::ValueId id) const {
    const auto documented = impl_.documented_extents.find(id);
    if (!by_usage_ || documented == impl_.documented_extents.end()) return kNoBound;
    return documented->second[First() ? 0 : 1].value_or(kNoBound);
  }

  std::int64_t OfStored(ir::ValueId attribute, ir::ClassId object, int depth) {
    IndexAttributeStores(impl_);
    const auto found =
        impl_.attribute_stores.find(SlotKey(FamilyOf(impl_, object), program_.SymbolOf(program_.ops[attribute])));
    if (found == impl_.attribute_stores.end() || found->second.size() > kMostCallSites) return kNoBound;
    if (std::find(looked_at_.begin(), looked_at_.end(), attribute) != looked_at_.end()) return kItself;
    looked_at_.push_back(attribute);
    // Classes that have but a base in common may store something else.
    const bool own =
        StoredByKin(impl_, object, program_.SymbolOf(program_.ops[attribute])).size() >= found->second.size();
    Ways ways;
    for (const ir::ValueId stored : found->second) {
      if (facts_.IsNoneConstant(stored)) continue;
      std::int64_t one = Most(stored, depth + 1);
      if (one == kNoBound) one = Documented(stored);
      ways.Add(one, own && one > 1 && IsPlain(stored));  // `np.zeros(1)`: nothing there yet
    }
    looked_at_.pop_back();
    return ways.Most(by_usage_);
  }

  // The first axis of a matrix product is the left matrix's, the last one the right matrix's.
  std::int64_t OfProduct(ir::ValueId left, ir::ValueId right, int depth) {
    if (!First()) return right.valid() && facts_.RankOf(right) >= 2 ? Most(right, depth + 1) : kNoBound;
    const bool vector = facts_.RankOf(left) == 1 || IsSequence(facts_.Of(left));
    return vector ? kNoBound : Most(left, depth + 1);
  }

  // x[0:3] has at most three entries, x[-2:] at most two, x[3 * i:3 * i + 3] at most three.
  [[nodiscard]] std::int64_t OfSlice(ir::ValueId slice) const {
    const ir::ValueId lower_id = program_.Operand(slice, 0), upper_id = program_.Operand(slice, 1);
    const ir::DimId lower = lower_id.valid() ? facts_.Of(lower_id).dim : Dims().Const(0);
    const std::optional<std::int64_t> from = Dims().AsConst(lower);
    if (!upper_id.valid() && by_usage_ && !from) return UsuallyFromEnd(lower_id);
    if (!upper_id.valid()) return from && *from < 0 ? -*from : kNoBound;
    const ir::DimId upper = facts_.Of(upper_id).dim;
    const std::optional<std::int64_t> to = Dims().AsConst(upper);
    if (from && to && (*from < 0) != (*to < 0)) return kNoBound;  // from different ends
    const std::int64_t most = Number(Dims().Sub(upper, lower));
    return most >= 0 ? most : kNoBound;
  }

  // `x[-k:]`, and with `k = min(wanted, len(x))` no more than is wanted.
  [[nodiscard]] std::int64_t UsuallyFromEnd(ir::ValueId lower) const {
    const std::int64_t stated = Number(Dims().Negate(facts_.Of(lower).dim));
    const ir::ValueId negative = facts_.Source(lower);
    if (stated != kNoBound || !negative.valid() || program_.ops[negative].kind != ir::OpKind::kUnary) return stated;
    const ir::ValueId least = facts_.Source(program_.Operand(negative, 0));
    if (!least.valid() || program_.ops[least].kind != ir::OpKind::kCall ||
        facts_.CalleeOf(least).kind != Callee::Kind::kBuiltin || facts_.CalleeOf(least).name != "min")
      return kNoBound;
    std::int64_t most = kNoBound;
    for (const ir::ValueId one : program_.Operands(least).subspan(1)) most = std::min(most, Number(facts_.Of(one).dim));
    return most;
  }

  // A list or tuple; `x.shape` and what is made of each of its items have one entry per axis.
  [[nodiscard]] std::int64_t OfSequence(ir::ValueId sequence, int depth = 0) {
    const std::int64_t stated = Number(facts_.Of(sequence).dim);
    const ir::ValueId source = facts_.Source(sequence);
    if (stated != kNoBound || !source.valid()) return stated;
    if (const std::int64_t checked = Checked(facts_.DeepUsesOf(source)); checked != kNoBound) return checked;
    if (HasOnePerAxis(source)) return kMostAxes;
    switch (program_.ops[source].kind) {
      case ir::OpKind::kList: return OfFilledList(source, source);
      case ir::OpKind::kUnpackItem: {
        const ir::ValueId display = ListUnpacked(facts_, source);
        return display.valid() ? OfFilledList(display, source) : kNoBound;
      }
      case ir::OpKind::kBinary: {  // left + right
        const std::int64_t left = depth < 4 ? OfSequence(program_.Operand(source, 0), depth + 1) : kNoBound;
        const std::int64_t right = left != kNoBound ? OfSequence(program_.Operand(source, 1), depth + 1) : kNoBound;
        const bool joined = static_cast<ir::BinaryOp>(program_.ops[source].detail) == ir::BinaryOp::kAdd;
        return joined && right != kNoBound ? left + right : kNoBound;
      }
      case ir::OpKind::kCollection: {  // [f(i) for i in range(3)]
        const ir::LoopId loop = LoopOfComprehension(facts_, source);
        return loop.valid() && !GrowsLater(facts_, source) ? PassesOf(loop) : kNoBound;
      }
      default: return kNoBound;
    }
  }

  // Of a range or a tuple; a walk over an array may come back to the one that is asked about.
  [[nodiscard]] std::int64_t PassesOf(ir::LoopId loop) {
    const ir::ValueId iterable = program_.loops[loop].iterable;
    const Value& walked = facts_.Of(iterable);
    const bool counted = walked.kind == Kind::kRange || walked.kind == Kind::kTuple;
    if (!iterable.valid()) return kNoBound;
    if (by_usage_ && WalksOneOf(facts_, impl_, iterable, looked_at_)) return kItself;
    if (const auto names = NamesUnpackedTo(facts_, facts_.Source(iterable))) return *names;
    if (walked.kind == Kind::kStr) return facts_.MostTrips(loop).value_or(kNoBound);
    if (walked.kind == Kind::kUnknown) {  // `assert len(names) == 2`
      const auto users = facts_.DeepUsesOf(facts_.Source(iterable));
      const auto checked = CheckedExtent(facts_, impl_, users, 0, TrustIn());
      if (checked || !by_usage_ || !First()) return checked.value_or(kNoBound);
      // `[[mean] for mean in means]` of what calls hand over; what says nothing may be anything.
      const bool given = program_.ops[facts_.Source(iterable)].kind == ir::OpKind::kParam;
      const std::int64_t most = given ? Most(iterable, kDeepest / 2) : kNoBound;
      return most == kItself ? kNoBound : most;
    }
    if (!counted) return kNoBound;
    const std::int64_t stated = Number(walked.dim);
    if (stated != kNoBound || !by_usage_) return stated;
    const std::optional<std::int64_t> usual = UsualTrips(facts_, impl_, loop);
    return usual && *usual > 0 ? *usual : kNoBound;
  }

  // A list that only `append` makes longer, in loops of few passes.
  [[nodiscard]] std::int64_t OfFilledList(ir::ValueId display, ir::ValueId list) {
    const auto operands = program_.Operands(display);
    auto most = static_cast<std::int64_t>(operands.size());
    bool itself = false;
    for (const ir::ValueId operand : operands) {
      if (program_.ops[operand].kind == ir::OpKind::kStarred) return kNoBound;
    }
    for (const ir::ValueId user : facts_.DeepUsesOf(list)) {
      const ir::Op& op = program_.ops[user];
      if (op.kind == ir::OpKind::kCall) {
        const Callee::Kind kind = facts_.CalleeOf(user).kind;
        const bool own = kind == Callee::Kind::kLocal || kind == Callee::Kind::kClass;
        if (by_usage_ && own && !GrowsThere(facts_, impl_, user, facts_.Source(list))) continue;
        if (kind != Callee::Kind::kApi && kind != Callee::Kind::kBuiltin) return kNoBound;  // may make it longer
        continue;
      }
      if (op.kind == ir::OpKind::kInplaceBinary || op.kind == ir::OpKind::kStoreCell ||
          op.kind == ir::OpKind::kStoreAttr || op.kind == ir::OpKind::kStoreSubscript)
        return kNoBound;
      if (op.kind != ir::OpKind::kAttr) continue;
      if (program_.Name(op) != "append") return kNoBound;
      std::int64_t times = 1;
      const ir::LoopId around = program_.LoopOf(list);
      for (ir::LoopId loop = program_.LoopOf(user); loop.valid() && loop != around;
           loop = program_.loops[loop].parent) {
        const std::int64_t passes = PassesOf(loop);
        if (passes > kSmallExtent) return kNoBound;
        itself = itself || passes == kItself;
        times *= passes;
      }
      most += times;
      if (most > kSmallExtent) return kNoBound;
    }
    return most > 0 ? most : itself ? kItself : kNoBound;
  }

  [[nodiscard]] bool HasOnePerAxis(ir::ValueId id) const { return analysis::HasOnePerAxis(facts_, id, by_usage_); }

  std::int64_t OfSubscript(ir::ValueId subscript, int depth) {
    const ir::ValueId base = program_.Operand(subscript, 0), key = program_.Operand(subscript, 1);
    if (!key.valid()) return kNoBound;
    if (facts_.ApiName(base) == "numpy.r_") return OfJoined(subscript);
    if (facts_.IntOf(key)) {
      const std::int64_t positions = OfPositions(base, depth);
      if (positions != kNoBound) return positions;
    }
    const Value& selects = facts_.Of(key);
    if (selects.kind == Kind::kSlice) {
      if (program_.ops[key].kind != ir::OpKind::kSlice) return kNoBound;
      const std::int64_t most = OfSlice(key);
      return most != kNoBound ? most : Most(base, depth + 1);
    }
    // One key of unknown kind on a matrix is a row number most of the time.
    const bool one_key = program_.ops[subscript].operand_count == 2;
    if (selects.kind == Kind::kUnknown && one_key && facts_.RankOf(base) >= 2) {
      return Number(impl_.store.Get(facts_.Of(base).shape)[1]);
    }
    if (selects.kind == Kind::kArray &&
        selects.dtype == ir::DType::kBool) {  // some entries of an axis, or items of all
      return facts_.RankOf(base) == 1 ? Most(base, depth + 1) : kNoBound;
    }
    if (selects.kind == Kind::kArray) return Most(key, depth + 1);
    // x[tuple(index)]: one array of positions per axis of x.
    if (selects.kind == Kind::kTuple && !selects.elements.valid() && selects.item.valid() &&
        program_.ops[subscript].operand_count == 2) {
      const Value& item = impl_.store.Get(selects.item).front();
      if (item.kind != Kind::kArray || !item.shape.valid() || impl_.store.Get(item.shape).empty()) return kNoBound;
      return Number(impl_.store.Get(item.shape).front());
    }
    return kNoBound;
  }

  // `np.r_[0, 1]`
  [[nodiscard]] std::int64_t OfJoined(ir::ValueId subscript) const {
    const auto keys = facts_.KeysOf(subscript);
    const bool numbers =
        std::all_of(keys.begin(), keys.end(), [&](ir::ValueId key) { return IsNumber(facts_.Of(key).kind); });
    return numbers ? static_cast<std::int64_t>(keys.size()) : kNoBound;
  }

  // Computed from a matrix, item by item.
  [[nodiscard]] bool HasRows(ir::ValueId id, int depth) const {
    if (facts_.RankOf(id) >= 0) return facts_.RankOf(id) >= 2;
    const ir::ValueId source = facts_.Source(id);
    if (!source.valid() || depth > kDeepest || !facts_.IsArray(id)) return false;
    const ir::Op& op = program_.ops[source];
    if (op.kind != ir::OpKind::kBinary || static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMatMul) return false;
    return HasRows(program_.Operand(source, 0), depth + 1) || HasRows(program_.Operand(source, 1), depth + 1);
  }

  // All operands have as many entries, or one, or are numbers; of one whose rank is not known that is taken for
  // granted.
  std::int64_t Broadcast(std::span<const ir::ValueId> operands, int depth) {
    std::int64_t least = kNoBound;
    bool itself = false;
    for (const ir::ValueId operand : operands) {
      if (!operand.valid() || IsNumber(facts_.Of(operand).kind) || facts_.IsZeroD(operand)) continue;
      const Value& value = facts_.Of(operand);
      const std::int64_t most = IsSequence(value) ? OfSequence(operand) : Most(operand, depth + 1);
      if (First() && HasRows(operand, depth) && most != kItself) return most;
      // What is not known may be a matrix, and this a row of it.
      if (by_usage_ && most == kNoBound && facts_.RankOf(operand) != 1) return kNoBound;
      itself = itself || most == kItself;
      if (most > 1) least = std::min(least, most);
    }
    return least == kNoBound && itself ? kItself : least;
  }

  std::int64_t OfCall(ir::ValueId call, int depth) {
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind == Callee::Kind::kLocal) return OfResults(call, callee.function, depth);
    if (callee.kind == Callee::Kind::kBuiltin && callee.name == "abs") {
      return Broadcast(program_.Operands(call).subspan(1), depth);
    }
    const std::string_view name = BareName(callee);
    if (name.empty()) return kNoBound;
    const ir::ValueId first =
        callee.kind == Callee::Kind::kMethod ? callee.receiver : facts_.Argument(call, 0, "object");
    const bool elementwise = api::IsUfunc(callee.name) || (name == "where" && facts_.PositionalCount(call) == 3);
    if (elementwise) return Broadcast(program_.Operands(call).subspan(1), depth);
    if (by_usage_ && name == "arange" && HasHugeStep(facts_, call)) return 1;
    const Value& given = facts_.Of(first);
    const bool sequence = given.kind == Kind::kList || given.kind == Kind::kTuple;
    const bool makes = IsOneOf(name, {"array", "asarray", "asanyarray", "stack"});
    const bool stacked_elsewhere = name == "stack" && facts_.Argument(call, 1, "axis").valid();
    if (First() && makes && !stacked_elsewhere && HasOnePerAxis(first)) return kMostAxes;
    if (First() && sequence && makes) {
      // np.array([a, b]): whatever a and b are, there are two of them.
      const std::int64_t items = stacked_elsewhere ? kNoBound : OfSequence(first);
      return items != kNoBound || stacked_elsewhere || !by_usage_ ? items : Most(first, depth + 1);
    }
    if (!First() && by_usage_ && sequence && IsOneOf(name, {"array", "asarray", "asanyarray"})) {
      if (const std::int64_t columns = ColumnsDisplayed(facts_, first); columns > 0) return columns;
    }
    if (name == "transpose" && (facts_.RankOf(first) == 2 || (by_usage_ && facts_.RankOf(first) < 0)) &&
        facts_.PositionalCount(call) == (callee.kind == Callee::Kind::kMethod ? 0 : 1)) {
      axis_ = -1 - axis_;
      const std::int64_t most = Most(first, depth + 1);
      axis_ = -1 - axis_;
      return most;
    }
    if (IsOneOf(name, {"hstack", "column_stack"}) && First()) {
      const std::int64_t side = OfJoinedSide(first, depth);
      if (side != kNoBound || name == "column_stack") return side;
    }
    if (KeepsFirstAxis(name) || name == "poly1d") return Most(first, depth + 1);
    if (First() && name == "repeat" && HoldsNumber(facts_, impl_, first))
      return LargestConstant(facts_, impl_, facts_.Argument(call, 1, "repeats"), TrustIn()).value_or(kNoBound);
    if (by_usage_ && IsOneOf(name, {"eye", "identity"}) && facts_.PositionalCount(call) == 1)
      return LargestConstant(facts_, impl_, program_.Operand(call, 1), TrustIn()).value_or(kNoBound);
    if (name == "unique" && First()) {
      if (const std::int64_t different = DifferentItems(facts_, first); different > 0) return different;
    }
    if (name == "linalg.eigvals" || name == "linalg.eigvalsh") return OfSquare(first, depth);
    if (name == "polyfit") return OfDegree(facts_.Argument(call, 2, "deg"));
    if (name == "polyder" || name == "roots") return OneLess(Most(first, depth + 1));
    if (name == "flatnonzero") return facts_.RankOf(first) == 1 ? Most(first, depth + 1) : kNoBound;
    if (const std::int64_t rows = by_usage_ && First() ? RowsStacked(facts_, call) : 0; rows > 0) return rows;
    if (First() && LeavesAxisOut(name)) return OfReduction(call, callee, first, depth);
    if (IsOneOf(name, {"dot", "matmul"}))
      return OfProduct(first, facts_.Argument(call, callee.kind == Callee::Kind::kMethod ? 0 : 1, "b"), depth);
    if (First() && name == "reshape")
      return FirstOfShape(facts_.Argument(call, callee.kind == Callee::Kind::kMethod ? 0 : 1, "shape"));
    if (!First() && MakesNew(name)) return LastOfShape(facts_.Argument(call, 0, "shape"));
    return First() ? OfParts(PartsOfAxis(facts_, call), depth) : kNoBound;
  }

  std::int64_t OfParts(const std::optional<AxisParts>& made, int depth) {
    if (!made) return kNoBound;
    // What is joined may be a case of its own, which what it is joined with is not: a proof, or nothing.
    const bool by_usage = std::exchange(by_usage_, by_usage_ && made->parts.size() == 1);
    const std::int64_t most = SumOf(*made, depth);
    by_usage_ = by_usage;
    return most;
  }

  std::int64_t SumOf(const AxisParts& made, int depth) {
    std::int64_t most = made.more;
    for (const ir::ValueId part : made.parts) {
      const Value& value = facts_.Of(part);
      if (IsNumber(value.kind) || value.kind == Kind::kNumpyScalar || facts_.IsZeroD(part)) {
        ++most;
        continue;
      }
      const std::int64_t one = IsSequence(value) ? OfSequence(part) : Most(part, depth + 1);
      const bool grows = one == kItself && made.parts.size() > 1;
      if (one > kSmallExtent || grows) return kNoBound;
      most += one;
    }
    if (made.times.valid()) most *= LargestConstant(facts_, impl_, made.times, TrustIn()).value_or(kMany);
    return most > kSmallExtent ? kNoBound : std::max(most, kItself);
  }

  // `np.hstack([matrix, column])`: all parts of rank two have as many rows.
  std::int64_t OfJoinedSide(ir::ValueId parts, int depth) {
    const ir::ValueId display = parts.valid() ? facts_.Source(parts) : parts;
    if (!display.valid()) return kNoBound;
    const ir::OpKind kind = program_.ops[display].kind;
    if (kind != ir::OpKind::kList && kind != ir::OpKind::kTuple) return kNoBound;
    for (const ir::ValueId part : program_.Operands(display)) {
      const std::int64_t rows = facts_.RankOf(part) == 2 ? Most(part, depth + 1) : kNoBound;
      if (rows != kNoBound) return rows;
    }
    return kNoBound;
  }

  // A polynomial of degree n has n + 1 coefficients, its derivative and its roots are n.
  [[nodiscard]] std::int64_t OfDegree(ir::ValueId degree) const {
    const std::optional<std::int64_t> known = LargestConstant(facts_, impl_, degree, TrustIn());
    return known && *known >= 0 && *known < kSmallExtent ? *known + 1 : kNoBound;
  }
  [[nodiscard]] static std::int64_t OneLess(std::int64_t most) {
    return most == kNoBound || most == kItself ? most : std::max<std::int64_t>(most - 1, 1);
  }

  // `np.where(x > 0)[0]`, `x.nonzero()[0]`: of a row no more than it has entries.
  std::int64_t OfPositions(ir::ValueId base, int depth) {
    const ir::ValueId call = facts_.Source(base);
    if (!call.valid() || program_.ops[call].kind != ir::OpKind::kCall) return kNoBound;
    const Callee& callee = facts_.CalleeOf(call);
    if (!GivesPositions(facts_, call)) return kNoBound;
    const ir::ValueId row =
        callee.kind == Callee::Kind::kMethod ? callee.receiver : facts_.Argument(call, 0, "condition");
    const int rank = facts_.RankOf(row);
    return rank == 1 || (rank < 0 && by_usage_) ? Most(row, depth + 1) : kNoBound;
  }

  // Along the first axis of a matrix its columns are left, along another one its rows.
  std::int64_t OfReduction(ir::ValueId call, const Callee& callee, ir::ValueId array, int depth) {
    const bool method = callee.kind == Callee::Kind::kMethod;
    const ir::ValueId given = facts_.Argument(call, method ? 0 : 1, "axis");
    const std::optional<std::int64_t> axis = given.valid() ? facts_.IntOf(given) : std::nullopt;
    if (!axis || facts_.KeywordArgument(call, "keepdims").valid()) return kNoBound;
    if (*axis != 0) return *axis == -1 || *axis > 0 ? Most(array, depth + 1) : kNoBound;
    if (facts_.RankOf(array) != 2) return kNoBound;
    axis_ = -1;
    const std::int64_t most = Most(array, depth + 1);
    axis_ = 0;
    return most;
  }

  // `(3,) + x.shape`, `(self.order, -1)`
  [[nodiscard]] std::int64_t FirstOfShape(ir::ValueId shape) const {
    constexpr int kMostJoined = 4;
    shape = shape.valid() ? facts_.Source(shape) : shape;
    for (int joined = 0; joined < kMostJoined && shape.valid(); ++joined) {
      const ir::Op& op = program_.ops[shape];
      if (op.kind == ir::OpKind::kTuple && op.operand_count > 0) {
        const std::int64_t most =
            LargestConstant(facts_, impl_, program_.Operand(shape, 0), TrustIn()).value_or(kNoBound);
        return most > 0 ? most : kNoBound;  // -1: whatever is left
      }
      if (op.kind != ir::OpKind::kBinary || static_cast<ir::BinaryOp>(op.detail) != ir::BinaryOp::kAdd) break;
      shape = facts_.Source(program_.Operand(shape, 0));
    }
    return kNoBound;
  }

  // `x.shape + (3, 3)`
  [[nodiscard]] std::int64_t LastOfShape(ir::ValueId shape) const {
    const ir::ValueId source = shape.valid() ? facts_.Source(shape) : shape;
    if (!source.valid() || program_.ops[source].kind != ir::OpKind::kBinary) return kNoBound;
    const Value& tail = facts_.Of(program_.Operand(source, 1));
    if (facts_.Of(source).kind != Kind::kTuple || tail.kind != Kind::kTuple || !tail.elements.valid()) return kNoBound;
    const std::vector<Value>& extents = impl_.store.Get(tail.elements);
    return extents.empty() || extents.back().kind != Kind::kInt ? kNoBound : Number(extents.back().dim);
  }

  // Every result of the function has that many entries at most.
  std::int64_t OfResults(ir::ValueId call, ir::FunctionId called, int depth,
                         std::optional<std::uint32_t> part = std::nullopt) {
    const ir::Function& function = program_.functions[called];
    if (function.is_generator || function.is_async || calls_.size() >= 4) return kNoBound;
    calls_.push_back(call);
    Ways ways;
    for (const ir::ValueId result : function.returns) {
      ir::ValueId value = program_.Operand(result, 0);
      if (facts_.IsNoneConstant(value)) continue;
      if (part) value = PartOf(value, *part);
      const std::int64_t most = Most(value, depth + 1);
      ways.Add(most, most > 1 && IsPlain(value));  // none or one: a case of its own, left early
    }
    calls_.pop_back();
    const std::int64_t most = ways.Most(by_usage_);
    if (most != kNoBound || !by_usage_ || part) return most;
    const auto documented = impl_.documented_items.find(called);
    return documented == impl_.documented_items.end() ? most : documented->second;
  }

  // Of `return a, b`; None() where the tuple is made elsewhere.
  [[nodiscard]] ir::ValueId PartOf(ir::ValueId value, std::uint32_t index) const {
    const ir::ValueId tuple = value.valid() ? facts_.Source(value) : value;
    if (!tuple.valid() || program_.ops[tuple].kind != ir::OpKind::kTuple) return {};
    const auto parts = program_.Operands(tuple);
    const bool stars = std::any_of(parts.begin(), parts.end(),
                                   [&](ir::ValueId one) { return program_.ops[one].kind == ir::OpKind::kStarred; });
    return !stars && index < parts.size() ? parts[index] : ir::ValueId::None();
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  bool by_usage_;
  int axis_ = 0;
  int visits_ = 0;
  ir::ValueId asked_;
  ir::ClassId object_;  // whose attribute is asked about
  std::vector<ir::ValueId> looked_at_;
  std::vector<ir::ValueId> calls_;  // those that led from the array asked about to the function looked at
};

}  // namespace

ir::DimId Facts::ExtentOf(ir::ValueId id, int axis) const {
  const Value& value = Of(id);
  if (value.kind != Kind::kArray) return {};
  ir::DimId extent;
  const int rank = value.shape.valid() ? static_cast<int>(impl_->store.Get(value.shape).size()) : -1;
  if (rank >= 0) {
    const int at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) return {};
    extent = SmallBound(impl_->store.dims(), impl_->store.Get(value.shape)[static_cast<std::size_t>(at)]);
    if (impl_->store.dims().AsConst(extent)) return extent;
    if (at == rank - 1 && at != 0) axis = -1;
  }
  if (axis != 0 && axis != -1) return extent;
  const std::uint64_t key = std::uint64_t{id.index()} * 2 + (axis == 0 ? 0 : 1);
  auto found = impl_->small_extents.find(key);
  if (found == impl_->small_extents.end()) {
    const auto bound = AxisBound(*this, *impl_, Trust::kProof).Of(id, axis);
    found = impl_->small_extents.emplace(key, bound ? impl_->store.dims().Const(*bound) : ir::DimId::None()).first;
  }
  return found->second.valid() ? found->second : extent;
}

std::optional<std::int64_t> Facts::MostItems(ir::ValueId array) const {
  return impl_->store.dims().AsConst(ExtentOf(array, 0));
}

std::optional<std::int64_t> UsualItems(const Facts& facts, Facts::Impl& impl, ir::ValueId array, int axis) {
  constexpr int kDeepestQuestion = 2;
  if ((!facts.IsArray(array) && !IsSequence(facts.Of(array))) || impl.usual_depth >= kDeepestQuestion)
    return std::nullopt;
  const auto depth = static_cast<std::uint64_t>(impl.usual_depth);
  const std::uint64_t key = (std::uint64_t{array.index()} * 2 + (axis == 0 ? 0 : 1)) * kDeepestQuestion + depth;
  if (const auto known = impl.usual_items.find(key); known != impl.usual_items.end()) return known->second;
  ++impl.usual_depth;
  const auto most = AxisBound(facts, impl, Trust::kUsage).Of(array, axis);
  --impl.usual_depth;
  impl.usual_items.emplace(key, most);
  return most;
}

bool Facts::UsuallyFewItems(ir::ValueId array) const {
  const auto most = UsualItems(*this, *impl_, array, 0);
  return (most && *most < kHotTrips) || ItemsAreCounted(*this, array);
}

}  // namespace cpnlint::analysis
