// How many entries an array has where nobody asks for more: by the sizes that literals and defaults give to what it is
// made of. No proof, and no answer where some of it comes from nobody knows where.

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "analyzer/analysis/attribute_stores.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/drivers.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/left_out.h"
#include "analyzer/analysis/way_tests.h"
#include "analyzer/analysis/written_lists.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr int kDeepest = 14;       // from an array to what it is made of
constexpr int kDeepestOnWay = 24;  // ... through the calls of one loop
constexpr int kMostVisitsOnWay = 1000;
constexpr int kMostVisits = 300;           // of one question
constexpr std::size_t kMostPlaces = 8;     // that assign or hand over one array
constexpr std::int64_t kMost = 1LL << 40;  // products stay below it
constexpr std::int64_t kUnknownCount = std::numeric_limits<std::int64_t>::max();
// A value that is being looked at already: it comes from itself, and says nothing.
constexpr std::int64_t kItself = 0;

// Have no more entries than their (first) argument.
constexpr auto kKeepers = std::to_array<std::string_view>({"abs",        "absolute",
                                                           "all",        "amax",
                                                           "amin",       "any",
                                                           "argmax",     "argmin",
                                                           "argsort",    "around",
                                                           "array",      "asanyarray",
                                                           "asarray",    "ascontiguousarray",
                                                           "astype",     "atleast_1d",
                                                           "atleast_2d", "atleast_3d",
                                                           "clip",       "column_stack",
                                                           "conj",       "conjugate",
                                                           "copy",       "cumprod",
                                                           "cumsum",     "diff",
                                                           "empty_like", "expand_dims",
                                                           "fft.fft",    "fft.fftshift",
                                                           "fft.ifft",   "flatten",
                                                           "flip",       "full_like",
                                                           "imag",       "interp",
                                                           "linalg.inv", "linalg.norm",
                                                           "max",        "mean",
                                                           "median",     "min",
                                                           "nan_to_num", "nanmax",
                                                           "nanmean",    "nanmin",
                                                           "nansum",     "nonzero",
                                                           "ones_like",  "prod",
                                                           "ravel",      "real",
                                                           "reshape",    "roll",
                                                           "round",      "sort",
                                                           "squeeze",    "stack",
                                                           "std",        "sum",
                                                           "swapaxes",   "take_along_axis",
                                                           "transpose",  "unwrap",
                                                           "var",        "zeros_like"});
static_assert(std::ranges::is_sorted(kKeepers));

// What comes of several ways to make one array. Those that say how many are what is asked for, where they are as many
// as those that nobody can follow. A number is what a sum starts from and says nothing, unless nothing else is there.
struct Ways {
  std::int64_t most = kItself;
  int known = 0, unknown = 0;
  bool number = false;

  void Add(std::int64_t one, bool is_number) {
    number = number || is_number;
    if (one == kUnknownCount) {
      ++unknown;
    } else if (one != kItself && !is_number) {
      most = std::max(most, one);
      ++known;
    }
  }
  [[nodiscard]] std::int64_t Most(bool carried) const {
    if (unknown == 0) return most == kItself && number ? 1 : most;
    return known >= unknown && !carried ? most : kUnknownCount;
  }
};

class Entries {
 public:
  // On the way that a driver's calls take, where there is one: `quad` hands over single numbers.
  Entries(const Facts& facts, Facts::Impl& impl, ir::ValueId callback)
      : facts_(facts), impl_(impl), program_(impl.program), callback_(callback) {}

  [[nodiscard]] std::optional<std::int64_t> Of(ir::ValueId array) {
    const std::int64_t most = Most(array, 0);
    return most == kItself || most == kUnknownCount ? std::nullopt : std::optional(most);
  }

  // ... on the ways that the loop's calls take to the array's function.
  [[nodiscard]] std::optional<std::int64_t> OnWayOf(ir::LoopId loop, ir::ValueId array) {
    loop_ = loop;
    deepest_ = kDeepestOnWay;
    most_visits_ = kMostVisitsOnWay;
    return Of(array);
  }

 private:
  [[nodiscard]] std::int64_t Number(ir::DimId dim) const {
    if (!dim.valid()) return kUnknownCount;
    const ir::DimStore& dims = impl_.store.dims();
    const std::optional<std::int64_t> known = dims.AsConst(dim);
    return known ? *known : UsualSize(facts_, impl_, dim).value_or(kUnknownCount);
  }

  [[nodiscard]] static std::int64_t Product(std::int64_t a, std::int64_t b) {
    if (a == kUnknownCount || b == kUnknownCount || (a > 0 && b > kMost / a)) return kUnknownCount;
    return a * b;
  }

  // What the shape itself says.
  [[nodiscard]] std::int64_t Stated(ir::ValueId id) const {
    const Value& value = facts_.Of(id);
    if (IsNumber(value.kind) || value.kind == Kind::kNumpyScalar) return 1;
    if (value.kind != Kind::kArray || !value.shape.valid()) return kUnknownCount;
    std::int64_t entries = 1;
    for (int axis = 0, rank = facts_.RankOf(id); axis < rank; ++axis)
      entries = Product(entries, Number(facts_.ExtentOf(id, axis)));
    return entries == 0 ? 1 : entries;
  }

  // NOLINTNEXTLINE(misc-no-recursion): kDeepest bounds it
  [[nodiscard]] std::int64_t Most(ir::ValueId id, int depth) {
    if (!id.valid() || depth > deepest_ || ++visits_ > most_visits_) return kUnknownCount;
    if (const std::int64_t stated = Stated(id); stated != kUnknownCount) return stated;
    const ir::ValueId source = facts_.Source(id);
    if (!source.valid()) return kUnknownCount;
    const ir::Op& op = program_.ops[source];
    switch (op.kind) {
      case ir::OpKind::kPhi: return OfWays(source, WaysThatCount(facts_, impl_, source, Trust::kUsage), depth);
      case ir::OpKind::kParam: return OfParameter(source, depth);
      case ir::OpKind::kLoadCell: return OfCell(source, depth);
      case ir::OpKind::kAttr: return OfAttribute(source, depth);
      case ir::OpKind::kSubscript: return OfSubscript(source, depth);
      case ir::OpKind::kUnpackItem: return OfPart(source, depth);
      case ir::OpKind::kInplaceBinary: {  // an array keeps its shape, a number takes over the other's
        const std::int64_t most = Most(program_.Operand(source, 0), depth + 1);
        return most > 1 && most != kUnknownCount ? most : Broadcast(program_.Operands(source), depth);
      }
      case ir::OpKind::kList:
      case ir::OpKind::kTuple: return OfDisplay(source, depth);
      case ir::OpKind::kUnary: return Most(program_.Operand(source, 0), depth + 1);
      case ir::OpKind::kBinary:
        if (static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMatMul) return OfProduct(source, depth);
        return Broadcast(program_.Operands(source), depth);
      case ir::OpKind::kCompare: return Broadcast(program_.Operands(source), depth);
      case ir::OpKind::kCall: return OfCall(source, depth);
      default: return kUnknownCount;
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfWays(ir::ValueId asked, std::span<const ir::ValueId> values, int depth) {
    if (values.empty() || values.size() > kMostPlaces) return kUnknownCount;
    if (std::find(looked_at_.begin(), looked_at_.end(), asked) != looked_at_.end()) return kItself;
    looked_at_.push_back(asked);
    const ir::LoopId loop = program_.LoopOf(asked);
    const bool carried = program_.ops[asked].kind == ir::OpKind::kPhi && loop.valid() &&
                         program_.loops[loop].header == program_.ops[asked].block;
    Ways ways;
    for (const ir::ValueId value : values) {
      if (!value.valid() || facts_.IsNoneConstant(value)) continue;
      ways.Add(Most(value, depth + 1), IsNumber(facts_.Of(value).kind));
    }
    looked_at_.pop_back();
    return ways.Most(carried);
  }

  // `((a, 0, 0), (b, a, 0), (c, b, a))`: beside a number stand numbers, and rows are as long as each other.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfDisplay(ir::ValueId display, int depth) {
    const std::span<const ir::ValueId> items = program_.Operands(display);
    std::int64_t longest = kItself;
    for (const ir::ValueId item : items) {
      if (!item.valid() || program_.ops[item].kind == ir::OpKind::kStarred) return kUnknownCount;
      const std::int64_t one = Most(item, depth + 1);
      if (one != kUnknownCount) longest = std::max(longest, one);
    }
    return longest == kItself ? kUnknownCount : Product(longest, static_cast<std::int64_t>(items.size()));
  }

  // Goes with numbers and with what has its own size: entries that a mask selects, an identity matrix.
  [[nodiscard]] bool GoesWithItsLike(ir::ValueId id) const {
    const ir::ValueId source = facts_.Source(id);
    if (!source.valid()) return false;
    const ir::Op& op = program_.ops[source];
    if (op.kind == ir::OpKind::kSubscript)
      return facts_.SubscriptOf(source).selects == SubscriptResult::Selects::kMasked;
    if (op.kind == ir::OpKind::kUnary) return GoesWithItsLike(program_.Operand(source, 0));
    if (op.kind == ir::OpKind::kBinary)
      return GoesWithItsLike(program_.Operand(source, 0)) || GoesWithItsLike(program_.Operand(source, 1));
    if (op.kind != ir::OpKind::kCall) return false;
    const std::string_view name = BareName(facts_.CalleeOf(source));
    return name == "eye" || name == "identity";
  }

  // On the way of a driver that is given one number for the numbers that it hands over: nothing goes with them there
  // that nobody knows to be an array.
  [[nodiscard]] bool NumbersOnly() const {
    const Driver* driver = callback_.valid() ? FindDriver(facts_.CalleeOf(callback_).name, 0, {}) : nullptr;
    return driver != nullptr && HandsOnlyNumbers(*driver);
  }

  // `speed[k]`: an item of something, for a row a number as a rule, and what is computed from such and from numbers.
  // NOLINTNEXTLINE(misc-no-recursion): kDeepestItem bounds it
  [[nodiscard]] bool IsItem(ir::ValueId id, int depth = 0) const {
    constexpr int kDeepestItem = 6;
    const ir::ValueId source = facts_.Source(id);
    if (!source.valid() || depth > kDeepestItem) return false;
    if (IsNumber(facts_.Of(source).kind)) return depth > 0;
    switch (program_.ops[source].kind) {
      case ir::OpKind::kSubscript: {
        const auto keys = facts_.KeysOf(source);
        return std::ranges::all_of(keys, [&](ir::ValueId key) { return facts_.Of(key).kind == Kind::kInt; });
      }
      case ir::OpKind::kLoadCell: {
        const auto& stores = program_.cells[ir::CellId(program_.ops[source].payload)].stores;
        return stores.size() == 1 && IsItem(program_.Operand(stores[0], 0), depth + 1);
      }
      case ir::OpKind::kUnary:
      case ir::OpKind::kBinary: {
        const auto operands = program_.Operands(source);
        // NOLINTNEXTLINE(misc-no-recursion)
        return std::ranges::all_of(operands, [&](ir::ValueId operand) { return IsItem(operand, depth + 1); });
      }
      default: return false;
    }
  }

  // One axis, and so what is computed from it and from items.
  // NOLINTNEXTLINE(misc-no-recursion): kDeepestItem bounds it
  [[nodiscard]] bool IsRow(ir::ValueId id, int depth = 0) const {
    constexpr int kDeepestItem = 6;
    if (facts_.RankOf(id) == 1) return true;
    const ir::ValueId source = facts_.Source(id);
    if (!source.valid() || depth > kDeepestItem) return false;
    const ir::OpKind kind = program_.ops[source].kind;
    if (kind != ir::OpKind::kUnary && kind != ir::OpKind::kBinary) return false;
    bool any = false;
    for (const ir::ValueId operand : program_.Operands(source)) {
      const bool row = IsRow(operand, depth + 1);
      if (!row && !IsItem(operand, 1)) return false;
      any = any || row;
    }
    return any;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t Broadcast(std::span<const ir::ValueId> operands, int depth) {
    constexpr std::int64_t kLongRow = 16;
    std::int64_t most = kItself;
    bool unknown = false, items_only = true, with_its_like = false, long_row = false, like_others = false;
    for (const ir::ValueId operand : operands) {
      if (!operand.valid()) continue;
      const std::int64_t one = Most(operand, depth + 1);
      const bool number = one == kUnknownCount && !facts_.IsArray(operand) && NumbersOnly();
      const bool like_other = one == kUnknownCount && !number && GoesWithItsLike(operand);
      like_others = like_others || like_other;
      unknown = unknown || (one == kUnknownCount && !number && !like_other);
      items_only = items_only && (one != kUnknownCount || IsItem(operand));
      if (one == kUnknownCount || one == kItself) continue;
      with_its_like = with_its_like || GoesWithItsLike(operand);
      long_row = long_row || (one >= kLongRow && IsRow(operand));
      // Of the same size they are of the same shape, most likely; else one may be a row and the other a column.
      most = most <= 1 || most == one ? std::max(most, one) : one <= 1 ? most : Product(most, one);
    }
    if (like_others && most <= 1) return kUnknownCount;  // `2 * np.identity(n)`
    const bool goes = with_its_like || (long_row && items_only);
    return unknown && (!goes || most == kItself) ? kUnknownCount : most;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfSubscript(ir::ValueId subscript, int depth) {
    const ir::ValueId base = program_.Operand(subscript, 0);
    if (!facts_.IsArray(base)) return kUnknownCount;
    const std::vector<Key>& keys = facts_.SubscriptOf(subscript).keys;
    const bool cuts = std::all_of(keys.begin(), keys.end(), [](const Key& key) {
      return key.kind != KeyKind::kIndexArray && key.kind != KeyKind::kUnknown;
    });
    if (cuts) return Most(base, depth + 1);
    return OfGathered(subscript, keys, depth);
  }

  // `x[indices]` of a row has as many as there are indices, `x[rows, columns]` and `x[np.ix_(rows, columns)]` of a
  // matrix no more than each row with each column.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfGathered(ir::ValueId subscript, const std::vector<Key>& keys, int depth) {
    const int rank = facts_.RankOf(program_.Operand(subscript, 0));
    std::span<const ir::ValueId> lists = facts_.KeysOf(subscript);
    const ir::ValueId mesh = lists.size() == 1 ? facts_.Source(lists[0]) : ir::ValueId::None();
    const bool is_mesh =
        mesh.valid() && program_.ops[mesh].kind == ir::OpKind::kCall && BareName(facts_.CalleeOf(mesh)) == "ix_";
    if (is_mesh) {
      if (facts_.HasStarArguments(mesh)) return kUnknownCount;
      lists = program_.Operands(mesh).subspan(1);
    }
    const auto is_list = [&](ir::ValueId key) { return key.valid() && facts_.IsArray(key) && !facts_.IsZeroD(key); };
    const bool only_lists =
        is_mesh || (keys.size() == lists.size() && std::ranges::all_of(lists, is_list));  // or masks: no more, either
    // A mesh is made of as many lists as there are axes, as a rule, also by hand: `x[rows.reshape(-1, 1), columns]`.
    const int axes = static_cast<int>(lists.size());
    const bool open =
        is_mesh || std::ranges::all_of(lists, [&](ir::ValueId key) { return facts_.RankOf(key) == axes; });
    const bool all_axes = rank == axes || (rank < 0 && open && axes >= 2);
    if (!only_lists || !all_axes) return kUnknownCount;
    std::int64_t most = 1;
    for (const ir::ValueId list : lists) {
      const std::int64_t one = Most(list, depth + 1);
      if (one == kItself) return kItself;
      most = Product(most, one);
    }
    return most;
  }

  // `np.concatenate([a, b])`: all of them together.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfJoined(ir::ValueId parts, int depth) {
    const ir::ValueId display = parts.valid() ? facts_.Source(parts) : parts;
    if (!display.valid() ||
        (program_.ops[display].kind != ir::OpKind::kList && program_.ops[display].kind != ir::OpKind::kTuple))
      return kUnknownCount;
    if (facts_.UsesOf(display).size() > 1 && ChangesLater(facts_, display)) return kUnknownCount;
    std::int64_t most = 0;
    for (const ir::ValueId part : program_.Operands(display)) {
      if (!part.valid() || program_.ops[part].kind == ir::OpKind::kStarred) return kUnknownCount;
      const std::int64_t one = Most(part, depth + 1);
      if (one == kUnknownCount || one == kItself || one > kMost) return one > kMost ? kUnknownCount : one;
      most += one;
    }
    return most > 0 ? most : kUnknownCount;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfCall(ir::ValueId call, int depth) {
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind == Callee::Kind::kLocal) return OfResults(call, depth, std::nullopt);
    if (callee.kind == Callee::Kind::kBuiltin && callee.name == "abs")
      return Most(program_.Operand(call, 1), depth + 1);
    if (api::IsUfunc(callee.name)) return Broadcast(program_.Operands(call).subspan(1), depth);
    const std::string_view name = BareName(callee);
    if (IsOneOf(name, {"concatenate", "hstack", "vstack"})) return OfJoined(facts_.Argument(call, 0, "arrays"), depth);
    if (!std::ranges::binary_search(kKeepers, name)) return kUnknownCount;
    return Most(callee.kind == Callee::Kind::kMethod ? callee.receiver : program_.Operand(call, 1), depth + 1);
  }

  // `matrix @ x` for one vector has as many entries as the matrix has rows.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfProduct(ir::ValueId product, int depth) {
    const ir::ValueId matrix = program_.Operand(product, 0), vector = program_.Operand(product, 1);
    if (facts_.RankOf(matrix) != 2 || (facts_.RankOf(vector) != 1 && !IsHandedVector(vector))) return kUnknownCount;
    const std::int64_t rows = Number(facts_.ExtentOf(matrix, 0));
    return rows != kUnknownCount ? rows : Most(matrix, depth + 1);
  }

  // `def residual(x)` for leastsq() and the like: x is a row.
  [[nodiscard]] bool IsHandedVector(ir::ValueId id) const {
    const ir::ValueId param = facts_.Source(id);
    if (!param.valid() || program_.ops[param].kind != ir::OpKind::kParam || !callback_.valid()) return false;
    const Driver* driver = DriverOf(facts_, impl_, program_.FunctionOf(param), callback_);
    const std::uint32_t at = program_.ops[param].detail;
    return driver != nullptr && at < driver->hands.size() && (driver->hands[at] == 'a' || driver->hands[at] == 'v');
  }

  // `a, b = f(x)`: what f returns at that place.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfPart(ir::ValueId part, int depth) {
    const auto position = ir::ItemPosition::Unpack(program_.ops[part].payload);
    if (facts_.IsArray(program_.Operand(part, 0))) return Most(program_.Operand(part, 0), depth + 1);  // one row
    const ir::ValueId call = facts_.Source(program_.Operand(part, 0));
    if (position.star != ir::ItemPosition::kNoStar || !call.valid() || program_.ops[call].kind != ir::OpKind::kCall ||
        facts_.CalleeOf(call).kind != Callee::Kind::kLocal)
      return kUnknownCount;
    return OfResults(call, depth, position.index);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfResults(ir::ValueId call, int depth, std::optional<std::uint32_t> part) {
    const ir::Function& function = program_.functions[facts_.CalleeOf(call).function];
    if (function.is_generator || function.is_async || calls_.size() >= 4) return kUnknownCount;
    std::vector<ir::ValueId> results;
    for (const ir::ValueId leave : function.returns) {
      ir::ValueId result = program_.Operand(leave, 0);
      if (part) {
        const ir::ValueId tuple = result.valid() ? facts_.Source(result) : result;
        const bool known = tuple.valid() && program_.ops[tuple].kind == ir::OpKind::kTuple;
        if (!known || *part >= program_.ops[tuple].operand_count) return kUnknownCount;
        result = program_.Operand(tuple, *part);
      }
      results.push_back(result);
    }
    calls_.push_back(call);
    const std::int64_t most = OfWays(call, results, depth);
    calls_.pop_back();
    return most;
  }

  // What the call that led here passes, or else the calls on the driver's way, or all known calls and the default.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfParameter(ir::ValueId param, int depth) {
    const ir::FunctionId function = program_.FunctionOf(param);
    const std::size_t index = program_.ops[param].detail;
    if (!calls_.empty() && facts_.CalleeOf(calls_.back()).function == function) {
      const ir::ValueId call = calls_.back();
      calls_.pop_back();
      const Handed handed = HandedOver(facts_, call, function, index);
      const std::int64_t most = handed.known ? Most(handed.value, depth + 1) : kUnknownCount;
      calls_.push_back(call);
      return most;
    }
    if (IsHandedNumbers(function)) return 1;
    std::vector<ir::ValueId> passed;
    const auto sites = facts_.CallSitesOf(function);
    const bool driven = std::any_of(sites.begin(), sites.end(), [&](ir::ValueId site) { return IsOnWay(site); });
    if (!driven) {
      if (const std::int64_t most = ByUnknownObject(param, depth); most != kItself) return most;
    }
    const bool of_loop = loop_.valid() && function != program_.loops[loop_].function;
    for (const ir::ValueId site : sites) {
      if ((driven && !IsOnWay(site)) || (of_loop && !IsOnWayOfLoop(site))) continue;
      const Handed handed = HandedOver(facts_, site, function, index);
      if (!handed.known) return kUnknownCount;
      passed.push_back(handed.value);
    }
    const ir::ValueId by_default = program_.functions[function].params[index].default_value;
    if (!driven && !of_loop && by_default.valid()) passed.push_back(by_default);
    return OfWays(param, passed, depth);
  }

  // `model.f(x)` on the driver's way, where nobody knows what `model` is.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t ByUnknownObject(ir::ValueId param, int depth) {
    const ir::Function& function = program_.functions[program_.FunctionOf(param)];
    if (!callback_.valid() || !function.owner.valid()) return kItself;
    std::vector<ir::ValueId> passed;
    for (const ir::ValueId site : UnresolvedCallsOf(facts_, impl_, function.name)) {
      if (!IsOnWay(site)) continue;
      passed.push_back(Passed(facts_, impl_, site, function, program_.ops[param].detail));
      if (!passed.back().valid()) return kUnknownCount;
    }
    return passed.empty() ? kItself : OfWays(param, passed, depth);
  }

  [[nodiscard]] bool IsOnWayOfLoop(ir::ValueId site) const {
    const ir::FunctionId caller = program_.FunctionOf(site);
    if (caller == program_.loops[loop_].function) return facts_.InLoop(site, loop_);
    return ReachedFrom(facts_, caller, loop_);
  }
  [[nodiscard]] bool IsOnWay(ir::ValueId site) const {
    return callback_.valid() && facts_.HeatOf(site).callback == callback_;
  }
  [[nodiscard]] bool IsHandedNumbers(ir::FunctionId function) const {
    if (!callback_.valid()) return false;
    const Driver* driver = DriverOf(facts_, impl_, function, callback_);
    return driver != nullptr && HandsOnlyNumbers(*driver);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfCell(ir::ValueId load, int depth) {
    std::vector<ir::ValueId> stored;
    for (const ir::ValueId store : program_.cells[ir::CellId(program_.ops[load].payload)].stores)
      stored.push_back(program_.Operand(store, 0));
    return OfWays(load, stored, depth);
  }

  // What is stored in the attribute of an object of the program: just before, or ever.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] std::int64_t OfAttribute(ir::ValueId attribute, int depth) {
    const ir::ValueId object = program_.Operand(attribute, 0);
    const Value& value = facts_.Of(object);
    const std::string_view name = program_.Name(program_.ops[attribute]);
    if (value.kind == Kind::kArray)
      return name == "T" || name == "real" || name == "imag" ? Most(object, depth + 1) : kUnknownCount;
    if (value.kind != Kind::kInstance) return kUnknownCount;
    if (const ir::ValueId before = StoredBefore(attribute); before.valid()) return Most(before, depth + 1);
    IndexAttributeStores(impl_);
    const auto found = impl_.attribute_stores.find(
        SlotKey(FamilyOf(impl_, value.class_id), program_.SymbolOf(program_.ops[attribute])));
    return found == impl_.attribute_stores.end() ? kUnknownCount : OfWays(attribute, found->second, depth);
  }

  // `self.x = a` above in the same block, with nothing in between that stores another.
  [[nodiscard]] ir::ValueId StoredBefore(ir::ValueId attribute) const {
    const ir::Op& read = program_.ops[attribute];
    ir::ValueId stored;
    for (const ir::ValueId op : program_.blocks[read.block].ops) {
      if (op == attribute) break;
      const ir::Op& before = program_.ops[op];
      if (before.kind == ir::OpKind::kStoreAttr && program_.SymbolOf(before) == program_.SymbolOf(read)) {
        const bool same = facts_.Source(program_.Operand(op, 0)) == facts_.Source(program_.Operand(attribute, 0));
        stored = same ? program_.Operand(op, 1) : ir::ValueId::None();
      }
      // A method of the object may store anything.
      if (before.kind == ir::OpKind::kCall && facts_.CalleeOf(op).kind == Callee::Kind::kLocal &&
          facts_.CalleeOf(op).receiver.valid())
        stored = {};
    }
    return stored;
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  ir::ValueId callback_;
  ir::LoopId loop_;
  int deepest_ = kDeepest, most_visits_ = kMostVisits;
  int visits_ = 0;
  std::vector<ir::ValueId> looked_at_;
  std::vector<ir::ValueId> calls_;  // those that led from the array asked about to the function looked at
};

}  // namespace

bool Facts::UsuallyBelow(ir::ValueId array, std::int64_t elements) const {
  if (KnownBelow(array, elements)) return true;
  const Heat& heat = HeatOf(array);
  // What the loop's own calls hand over, where they say it.
  const ir::FunctionId function = program_.FunctionOf(array);
  if (heat.loop.valid() && program_.loops[heat.loop].function != function) {
    const auto most = Entries(*this, *impl_, {}).OnWayOf(heat.loop, array);
    if (most && *most < elements) return true;
  }
  const auto most = Entries(*this, *impl_, heat.callback).Of(array);
  return most && *most < elements;
}

}  // namespace cpnlint::analysis
