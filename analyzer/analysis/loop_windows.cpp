// Slices whose bounds a loop moves (rules.md A.5, chunk).

#include "analyzer/analysis/loop_windows.h"

#include <algorithm>
#include <unordered_set>

#include "analyzer/analysis/progress_bars.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostOps = 64;  // of one expression

// `n - k`
bool CountsDown(const Facts& facts, ir::ValueId number, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId made = facts.Source(number);
  return made.valid() && program.ops[made].kind == ir::OpKind::kBinary &&
         static_cast<ir::BinaryOp>(program.ops[made].detail) == ir::BinaryOp::kSub &&
         !facts.DependsOnInduction(program.Operand(made, 0), loop);
}

bool KeepsMost(const Facts& facts, ir::ValueId slice, ir::ValueId array, std::size_t key, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId lower = program.Operand(slice, 0), upper = program.Operand(slice, 1);
  if (program.Operand(slice, 2).valid()) return false;
  const bool lower_moves = lower.valid() && facts.DependsOnInduction(lower, loop);
  const bool upper_moves = upper.valid() && facts.DependsOnInduction(upper, loop);
  ir::DimStore& dims = facts.store().dims();
  const ir::DimId from = facts.Of(lower).dim, to = facts.Of(upper).dim;
  const auto from_end = [&](ir::DimId bound) {
    const std::optional<std::int64_t> least = bound.valid() ? dims.LowerBound(dims.Negate(bound), 0) : std::nullopt;
    return least && *least >= 0;
  };
  if (lower_moves && !upper_moves) return !from_end(from);
  if (upper_moves && !lower_moves) return from_end(to) || CountsDown(facts, upper, loop);  // x[:k] grows from nothing
  if (from_end(to)) return !from_end(from);
  // x[k : n - p + k] of n entries
  const ir::DimId piece = dims.Sub(to, from);
  const ir::DimId extent =
      facts.RankOf(array) > static_cast<int>(key) ? facts.ExtentOf(array, static_cast<int>(key)) : ir::DimId::None();
  if (!piece.valid() || !extent.valid() || dims.AsConst(extent)) return false;
  const auto has = [&](ir::DimId dim, Symbol name) {
    const std::vector<Symbol> symbols = dims.Symbols(dim);
    return std::find(symbols.begin(), symbols.end(), name) != symbols.end();
  };
  const std::vector<Symbol> names = dims.Symbols(extent);
  const ir::DimId rest = dims.Sub(extent, piece);
  return rest.valid() &&
         std::all_of(names.begin(), names.end(), [&](Symbol name) { return has(piece, name) && !has(rest, name); });
}

// What gives the same items in another form.
bool KeepsItems(std::string_view method) {
  for (const std::string_view name : {"ravel", "flatten", "reshape", "copy", "astype", "squeeze", "transpose", "T"}) {
    if (method == name) return true;
  }
  return false;
}

std::string_view LastName(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// What the op computes element by element; empty for what it computes in other ways.
std::vector<ir::ValueId> Elementwise(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[value];
  const auto operands = program.Operands(value);
  switch (op.kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kInplaceBinary:
      if (static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMatMul) return {};
      return {operands.begin(), operands.end()};
    case ir::OpKind::kUnary:
    case ir::OpKind::kCompare: return {operands.begin(), operands.end()};
    case ir::OpKind::kAttr:
      if (!KeepsItems(program.Name(op))) return {};
      return {operands.front()};
    case ir::OpKind::kCall: {
      const Callee& callee = facts.CalleeOf(value);
      if (callee.kind == Callee::Kind::kMethod && KeepsItems(LastName(callee.name))) return {callee.receiver};
      if (callee.kind != Callee::Kind::kApi || operands.size() < 2) return {};
      if (KeepsItems(LastName(callee.name))) return {operands[1]};
      if (!api::IsUfunc(callee.name)) return {};
      return {operands.begin() + 1, operands.end()};
    }
    default: return {};
  }
}

// `i`, `i - 1`, `i + k` with a counter that goes up by one.
// NOLINTNEXTLINE(misc-no-recursion): through one expression
bool MovesByOne(const Facts& facts, ir::ValueId bound, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId made = bound.valid() ? facts.Source(bound) : bound;
  if (!made.valid()) return false;
  if (facts.IsBareInduction(made, loop)) return true;
  const ir::Op& op = program.ops[made];
  const bool moved = op.kind == ir::OpKind::kBinary && (static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd ||
                                                        static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kSub);
  if (!moved) return false;
  int bare = 0;
  for (const ir::ValueId part : program.Operands(made)) {
    if (MovesByOne(facts, part, loop)) {
      ++bare;
    } else if (facts.DependsOnInduction(part, loop)) {
      return false;
    }
  }
  return bare == 1;
}

bool CountsByOne(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId iterable = program.loops[loop].iterable;
  if (!iterable.valid()) return false;
  const ir::ValueId range = facts.Source(iterable);
  return range.valid() && facts.Of(range).kind == Kind::kRange && program.ops[range].kind == ir::OpKind::kCall &&
         program.ops[range].operand_count <= 3;
}

enum class Pieces : std::uint8_t { kAny, kSliding };

// The slices of the subscript that the loop moves cut a piece out of the array.
bool CutsPiece(const Facts& facts, ir::ValueId subscript, ir::LoopId loop, Pieces pieces) {
  const ir::Program& program = facts.program();
  const auto keys = facts.KeysOf(subscript);
  bool any = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!SliceDepends(facts, keys[i], loop)) continue;
    if (KeepsMost(facts, keys[i], program.Operand(subscript, 0), i, loop)) return false;
    if (pieces == Pieces::kSliding && (!MovesByOne(facts, program.Operand(keys[i], 0), loop) ||
                                       !MovesByOne(facts, program.Operand(keys[i], 1), loop)))
      return false;
    any = true;
  }
  return any;
}

bool IsMadeOf(const Facts& facts, ir::ValueId value, ir::LoopId loop, Pieces pieces) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {value};
  std::unordered_set<ir::ValueId> seen(work.begin(), work.end());
  bool any = false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostOps) return false;
    const ir::ValueId made = work[i].valid() ? facts.Source(work[i]) : work[i];
    if (!made.valid() || !facts.InLoop(made, loop) || IsNumber(facts.Of(made).kind) || facts.IsZeroD(made)) continue;
    if (!facts.IsDevice(made)) return false;
    if (program.ops[made].kind == ir::OpKind::kSubscript) {
      const auto keys = facts.KeysOf(made);
      const bool moved =
          std::any_of(keys.begin(), keys.end(), [&](ir::ValueId key) { return SliceDepends(facts, key, loop); });
      if (moved && !CutsPiece(facts, made, loop, pieces)) return false;
      any = any || moved;
      if (!moved && seen.insert(program.Operand(made, 0)).second) work.push_back(program.Operand(made, 0));
      continue;
    }
    const std::vector<ir::ValueId> parts = Elementwise(facts, made);
    if (parts.empty()) return false;
    for (const ir::ValueId part : parts) {
      if (part.valid() && seen.insert(part).second) work.push_back(part);
    }
  }
  return any;
}

// A counter of the loop, and by how much each pass moves it.
struct Counter {
  ir::ValueId value;
  ir::DimId step;
};

// The step of `range(...)`, and of what walks one: `enumerate(range(0, n, 100))`, `tqdm(range(0, n, 100))`.
ir::DimId StepOfRange(const Facts& facts, ir::ValueId iterable) {
  constexpr int kMostLayers = 3;
  const ir::Program& program = facts.program();
  ir::DimStore& dims = facts.store().dims();
  for (int layer = 0; layer < kMostLayers && iterable.valid(); ++layer) {
    const ir::ValueId call = facts.Source(iterable);
    if (!call.valid() || program.ops[call].kind != ir::OpKind::kCall || facts.HasStarArguments(call)) return {};
    if (facts.Of(call).kind == Kind::kRange) {
      const std::size_t given = facts.PositionalCount(call);
      return given == 3 ? facts.Of(program.Operand(call, 3)).dim : dims.Const(1);
    }
    const std::string_view name = facts.CalleeOf(call).name;
    if (LastName(name) != "enumerate" && !IsProgressBar(name)) return {};
    iterable = program.Operand(call, 1);
  }
  return {};
}

ir::DimId StepOf(const Facts& facts, ir::ValueId counter, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[counter];
  const ir::Loop& record = program.loops[loop];
  if (counter == record.item) return StepOfRange(facts, record.iterable);
  if (op.kind == ir::OpKind::kUnpackItem && program.Operand(counter, 0) == record.item) {
    const ir::ValueId call = facts.Source(record.iterable);
    if (!call.valid() || program.ops[call].kind != ir::OpKind::kCall || facts.CalleeOf(call).name != "enumerate")
      return {};
    const bool number = ir::ItemPosition::Unpack(op.payload).index == 0;
    return number ? facts.store().dims().Const(1) : StepOfRange(facts, program.Operand(call, 1));
  }
  if (op.kind != ir::OpKind::kPhi) return {};
  for (const ir::ValueId next : program.Operands(counter)) {  // `s += 100`
    if (!next.valid() || !facts.InLoop(next, loop)) continue;
    const ir::Op& moved = program.ops[next];
    const bool adds = (moved.kind == ir::OpKind::kInplaceBinary || moved.kind == ir::OpKind::kBinary) &&
                      static_cast<ir::BinaryOp>(moved.detail) == ir::BinaryOp::kAdd;
    return adds && program.Operand(next, 0) == counter ? facts.Of(program.Operand(next, 1)).dim : ir::DimId::None();
  }
  return {};
}

// The counter that the number is computed from, where it is one alone.
Counter CounterIn(const Facts& facts, ir::ValueId number, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  Counter counter;
  std::vector<ir::ValueId> work = {number};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostOps) return {};
    const ir::ValueId made = work[i].valid() ? facts.Source(work[i]) : work[i];
    if (!made.valid() || !facts.DependsOnInduction(made, loop)) continue;
    const ir::OpKind kind = program.ops[made].kind;
    if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kInplaceBinary) {
      if (counter.value.valid() && counter.value != made) return {};
      counter = {made, StepOf(facts, made, loop)};
      continue;
    }
    const auto parts = program.Operands(made);
    work.insert(work.end(), parts.begin(), parts.end());
  }
  return counter;
}

}  // namespace

ir::DimId PieceOfWhole(const Facts& facts, ir::ValueId slice, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  ir::DimStore& dims = facts.store().dims();
  const ir::ValueId lower = program.Operand(slice, 0), upper = program.Operand(slice, 1);
  if (!lower.valid() || !upper.valid()) return {};
  const Counter counter = CounterIn(facts, lower, loop);
  if (!counter.value.valid() || !counter.step.valid()) return {};
  const ir::DimId now = facts.Of(counter.value).dim;
  // Where the next pass begins.
  const ir::DimId next = dims.Substitute(facts.Of(lower).dim, [&](Symbol, std::uint32_t instance) {
    return instance == counter.value.index() ? dims.Add(now, counter.step) : ir::DimId::None();
  });
  if (!next.valid() || dims.KnownEqual(next, facts.Of(lower).dim)) return {};
  const ir::DimId piece = dims.Sub(next, facts.Of(lower).dim);
  if (dims.KnownEqual(facts.Of(upper).dim, next)) return piece;
  // `min(s + 100, n)`
  const ir::ValueId least = facts.Source(upper);
  if (!least.valid() || program.ops[least].kind != ir::OpKind::kCall || facts.CalleeOf(least).name != "min") return {};
  const auto bounds = program.Operands(least).subspan(1);
  const bool to_next = std::any_of(bounds.begin(), bounds.end(), [&](ir::ValueId bound) {
    return bound.valid() && dims.KnownEqual(facts.Of(bound).dim, next);
  });
  return to_next ? piece : ir::DimId::None();
}

bool IsPieceOfPassBefore(const Facts& facts, ir::ValueId slice, ir::ValueId now, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  ir::DimStore& dims = facts.store().dims();
  if (!SliceDepends(facts, slice, loop) || !SliceDepends(facts, now, loop)) return false;
  const Counter counter = CounterIn(facts, program.Operand(now, 0), loop);
  if (!counter.value.valid() || !counter.step.valid()) return false;
  const ir::DimId before = dims.Sub(facts.Of(counter.value).dim, counter.step);
  const auto was = [&](std::uint32_t bound) {
    return dims.Substitute(facts.Of(program.Operand(now, bound)).dim, [&](Symbol, std::uint32_t instance) {
      return instance == counter.value.index() ? before : ir::DimId::None();
    });
  };
  const auto is_then = [&](std::uint32_t bound) {
    const ir::DimId then = was(bound), read = facts.Of(program.Operand(slice, bound)).dim;
    return then.valid() && read.valid() && dims.KnownEqual(then, read);
  };
  return is_then(0) && is_then(1);
}

bool SliceDepends(const Facts& facts, ir::ValueId key, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (!key.valid() || program.ops[key].kind != ir::OpKind::kSlice) return false;
  const auto parts = program.Operands(key);
  return std::any_of(parts.begin(), parts.end(),
                     [&](ir::ValueId part) { return part.valid() && facts.DependsOnInduction(part, loop); });
}

bool IsWindow(const Facts& facts, ir::ValueId access, ir::LoopId loop) {
  const auto keys = facts.KeysOf(access);
  bool any = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!SliceDepends(facts, keys[i], loop)) continue;
    if (!KeepsMost(facts, keys[i], facts.program().Operand(access, 0), i, loop)) return false;
    any = true;
  }
  return any;
}

bool IsPiece(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  return IsMadeOf(facts, value, loop, Pieces::kAny);
}

bool IsSlidingPiece(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  return CountsByOne(facts, loop) && IsMadeOf(facts, value, loop, Pieces::kSliding);
}

}  // namespace cpnlint::analysis
