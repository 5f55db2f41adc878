#include "analyzer/analysis/least_rank.h"

#include <algorithm>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr int kDeepest = 8;  // of what an array is made of
constexpr int kStack = 3;    // axes of a stack of matrices

// Give an array with as many axes.
bool KeepsAxes(std::string_view name) {
  return IsOneOf(name, {"abs", "array", "asarray", "ascontiguousarray", "astype", "conj", "conjugate", "copy",
                        "linalg.inv", "nan_to_num", "transpose"});
}

// Take one axis away where they are told which.
bool TakesOneAxis(std::string_view name) {
  return IsOneOf(name, {"amax", "amin", "max", "mean", "median", "min", "prod", "std", "sum", "var"});
}

// Give an array of as many axes, and are told along which of them they work.
bool WorksAlongAxis(std::string_view name) {
  return IsOneOf(name, {"cumprod", "cumsum", "fft.fft", "fft.hfft", "fft.ifft", "fft.ihfft", "fft.irfft", "fft.rfft",
                        "flip", "roll", "sort"});
}

// What such a call works on.
ir::ValueId WorksOn(const Facts& facts, ir::ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  return callee.kind == Callee::Kind::kMethod ? callee.receiver : facts.program().Operand(call, 1);
}

int CountKeys(const Facts& facts, ir::ValueId subscript, std::initializer_list<KeyKind> kinds) {
  const std::vector<Key>& keys = facts.SubscriptOf(subscript).keys;
  return static_cast<int>(std::ranges::count_if(
      keys, [&](const Key& key) { return std::find(kinds.begin(), kinds.end(), key.kind) != kinds.end(); }));
}

// Whenever the site runs, the other op runs, too, but for early leaves between them.
bool RunsWith(const ir::Program& program, ir::ValueId op, ir::ValueId site) {
  constexpr int kMostTests = 32;
  const ir::GuardId wanted = program.blocks[program.ops[op].block].guard;
  ir::GuardId guard = program.blocks[program.ops[site].block].guard;
  if (guard == wanted) return true;
  for (int tests = 0; guard.valid() && tests < kMostTests; ++tests) {
    guard = program.guards[guard].parent;
    if (guard == wanted) return op < site;
  }
  return false;
}

// By the keys that it is read with and written to.
int ByKeys(const Facts& facts, ir::ValueId array, ir::ValueId site) {
  const ir::Program& program = facts.program();
  int least = 0;
  for (const ir::ValueId use : facts.DeepUsesOf(array)) {
    const ir::OpKind kind = program.ops[use].kind;
    const bool keyed = kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript;
    if (!keyed || facts.Source(program.Operand(use, 0)) != array || !RunsWith(program, use, site)) continue;
    using enum KeyKind;
    least = std::max(least, CountKeys(facts, use, {kInteger, kSlice, kMask, kIndexArray}));
  }
  return least;
}

class Ranks {
 public:
  Ranks(const Facts& facts, ir::ValueId site) : facts_(facts), program_(facts.program()), site_(site) {}

  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  [[nodiscard]] int Least(ir::ValueId array, int depth) const {
    array = facts_.Source(array);
    if (!array.valid() || depth == kDeepest || !facts_.IsArray(array)) return 0;
    if (const int rank = facts_.RankOf(array); rank >= 0) return rank;
    return std::max(ByKeys(facts_, array, site_), OfMade(array, depth + 1));
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] int OfMade(ir::ValueId array, int depth) const {
    const ir::Op& op = program_.ops[array];
    const ir::ValueId first = program_.Operand(array, 0), second = program_.Operand(array, 1);
    switch (op.kind) {
      case ir::OpKind::kSubscript: return CountKeys(facts_, array, {KeyKind::kSlice, KeyKind::kNewAxis});
      case ir::OpKind::kUnary: return Least(first, depth);
      case ir::OpKind::kAttr: return program_.Name(op) == "T" ? Least(first, depth) : 0;
      case ir::OpKind::kBinary:
        if (static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMatMul) return 0;  // of vectors less
        return std::max(Least(first, depth), Least(second, depth));
      case ir::OpKind::kCall: return OfCall(array, depth);
      default: return 0;
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] int OfCall(ir::ValueId call, int depth) const {
    const std::string_view name = BareName(facts_.CalleeOf(call));
    if (KeepsAxes(name)) return Least(WorksOn(facts_, call), depth);
    if (WorksAlongAxis(name)) {  // `np.fft.irfft(x, n, axis=1)` has two of them
      const auto axis = facts_.IntOf(facts_.KeywordArgument(call, "axis")).value_or(-1);
      return std::max(Least(WorksOn(facts_, call), depth),
                      static_cast<int>(std::clamp<std::int64_t>(axis, -1, 31)) + 1);
    }
    if (!TakesOneAxis(name)) return 0;
    const bool method = facts_.CalleeOf(call).kind == Callee::Kind::kMethod;
    const ir::ValueId axis = facts_.Argument(call, method ? 0 : 1, "axis");
    return facts_.IntOf(axis) ? std::max(Least(WorksOn(facts_, call), depth) - 1, 0) : 0;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::ValueId site_;
};

// The parameter that the array is another form of; None() where it is made of anything else.
ir::ValueId ParameterBehind(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  for (int step = 0; step < kDeepest; ++step) {
    array = facts.Source(array);
    if (!array.valid()) return {};
    const ir::Op& op = program.ops[array];
    if (op.kind == ir::OpKind::kParam) return array;
    if (op.kind != ir::OpKind::kCall || !KeepsAxes(BareName(facts.CalleeOf(array)))) return {};
    array = WorksOn(facts, array);
  }
  return {};
}

}  // namespace

int LeastRank(const Facts& facts, ir::ValueId array, ir::ValueId site) { return Ranks(facts, site).Least(array, 0); }

bool IsStackOnOneWay(const Facts& facts, ir::ValueId matrix) {
  const ir::Program& program = facts.program();
  const ir::ValueId variable = facts.Source(matrix);
  if (!variable.valid()) return false;
  std::vector<ir::ValueId> bound;
  const ir::Op& op = program.ops[variable];
  if (op.kind == ir::OpKind::kPhi) bound.assign(program.Operands(op).begin(), program.Operands(op).end());
  if (op.kind == ir::OpKind::kLoadCell) {
    for (const ir::ValueId store : program.cells[ir::CellId(op.payload)].stores) {
      const ir::ValueId stored = facts.Source(program.Operand(store, 0));
      const bool joined = stored.valid() && program.ops[stored].kind == ir::OpKind::kPhi;
      if (!joined) bound.push_back(stored);
      if (joined) bound.insert(bound.end(), program.Operands(stored).begin(), program.Operands(stored).end());
    }
  }
  const auto rank_is = [&](auto test) {
    return std::ranges::any_of(bound, [&](ir::ValueId id) { return id.valid() && test(facts.RankOf(id)); });
  };
  return rank_is([](int rank) { return rank >= kStack; }) && !rank_is([](int rank) { return rank == kStack - 1; });
}

namespace {

// A parameter that some call of the program hands an array of so many axes, and none one of fewer.
bool HasAxesByCallers(const Facts& facts, ir::ValueId array, int axes) {
  const ir::ValueId parameter = ParameterBehind(facts, array);
  if (!parameter.valid()) return false;
  const ir::Program& program = facts.program();
  const ir::FunctionId function = program.FunctionOf(parameter);
  bool any = false;
  for (const ir::ValueId call : facts.CallSitesOf(function)) {
    const ir::ValueId over = HandedOver(facts, call, function, program.ops[parameter].detail).value;
    const int rank = facts.RankOf(over);
    if (rank >= 0 && rank < axes) return false;
    any = any || LeastRank(facts, over, call) >= axes;
  }
  return any;
}

}  // namespace

bool IsStackByCallers(const Facts& facts, ir::ValueId matrix) { return HasAxesByCallers(facts, matrix, kStack); }

bool HasRowsByCallers(const Facts& facts, ir::ValueId array) { return HasAxesByCallers(facts, array, 2); }

}  // namespace cpnlint::analysis
