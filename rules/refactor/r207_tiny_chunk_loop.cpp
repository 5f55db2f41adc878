// R207 tiny-chunk-loop: an array worked through piece by piece where one operation could do all.

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "analyzer/analysis/loop_windows.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r207 {

using analysis::Callee;
using analysis::KeyKind;
using analysis::LoopFact;
using analysis::LoopKind;
using ir::OpKind;

constexpr std::int64_t kManyPieces = 16;
constexpr std::int64_t kVeryManyPieces = 100;
constexpr std::size_t kMostFunctions = 20;

static bool IsReduction(std::string_view base) {
  return match::IsOneOf(base,
                        {"sum", "prod", "max", "min", "amax", "amin", "any", "all", "count_nonzero", "mean", "var"});
}

// The same of a piece as of the whole, element by element.
static bool IsElementwiseCall(const match::DeviceCall& call) {
  return (!call.method && api::IsUfunc(call.name)) ||
         match::IsOneOf(call.base, {"where", "clip", "abs", "astype", "copy", "nan_to_num", "putmask", "zeros_like",
                                    "ones_like", "empty_like", "full_like", "logical_and", "conj"});
}

// What the body of a chunk loop does, as far as it decides whether the loop can go.
class Body {
 public:
  Body(const Facts& facts, ir::LoopId loop) : facts_(facts), program_(facts.program()), loop_(loop) {}

  // Everything in it is elementwise work on pieces, or a reduction that is only added up.
  [[nodiscard]] bool CanGo() {
    for (const ir::BlockId block : program_.functions[program_.loops[loop_].function].blocks) {
      const ir::LoopId in = program_.blocks[block].loop;
      if (!in.valid() || !facts_.LoopContains(loop_, in)) continue;
      if (in != loop_) return false;  // a loop in the loop
      for (const ir::ValueId op : program_.blocks[block].ops) {
        const bool own_test = block == program_.loops[loop_].header && program_.ops[op].kind == OpKind::kCompare;
        if (!own_test && !Fits(op, true)) return false;  // `while s < n` asks where the piece stands
      }
    }
    return CarriesSumsOnly();
  }

  // ... or a reduction of each piece that is kept.
  [[nodiscard]] bool Collects() const { return collects_; }

  // A table that is wider than the piece: the pieces keep it small (all pairs of points).
  [[nodiscard]] bool MakesWiderArrays(int rank) const {
    for (const ir::BlockId block : program_.functions[program_.loops[loop_].function].blocks) {
      if (program_.blocks[block].loop != loop_) continue;
      for (const ir::ValueId op : program_.blocks[block].ops) {
        if (facts_.IsDevice(op) && rank >= 0 && facts_.RankOf(op) > rank) return true;
        if (program_.ops[op].kind != OpKind::kSubscript || !facts_.IsDevice(op)) continue;
        for (const analysis::Key& key : facts_.SubscriptOf(op).keys) {
          if (key.kind == KeyKind::kNewAxis) return true;
        }
      }
    }
    return false;
  }

 private:
  [[nodiscard]] bool Fits(ir::ValueId op, bool in_loop) {
    const ir::Op& it = program_.ops[op];
    if (in_loop && UsesPosition(op)) return false;
    switch (it.kind) {
      case OpKind::kYield:
      case OpKind::kAwait:
      case OpKind::kWithEnter:
      case OpKind::kOpaque:
      case OpKind::kStoreAttr:
      case OpKind::kDelSubscript:
      case OpKind::kMakeFunction: return false;
      case OpKind::kBinary: return static_cast<ir::BinaryOp>(it.detail) != ir::BinaryOp::kMatMul;
      case OpKind::kTruth: return !facts_.IsDevice(program_.Operand(op, 0));
      case OpKind::kSubscript: return !facts_.IsDevice(program_.Operand(op, 0)) || ReadFits(op, in_loop);
      case OpKind::kStoreSubscript: return StoreFits(op, in_loop);
      case OpKind::kCall: return CallFits(op);
      default: return true;
    }
  }

  // Where the piece stands is part of the work: `x[s:e] += s`, `if s == 0`.
  [[nodiscard]] bool UsesPosition(ir::ValueId op) const {
    const OpKind kind = program_.ops[op].kind;
    if (kind == OpKind::kSubscript ||
        (!facts_.IsDevice(op) && kind != OpKind::kCompare && kind != OpKind::kStoreSubscript))
      return false;
    const auto operands = program_.Operands(op);
    const std::size_t last = kind == OpKind::kStoreSubscript ? 2 : operands.size();
    return std::any_of(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(last),
                       [&](ir::ValueId operand) { return facts_.DependsOnInduction(operand, loop_); });
  }

  // A piece, or a mask of one.
  [[nodiscard]] bool ReadFits(ir::ValueId op, bool in_loop) const {
    const std::vector<analysis::Key>& keys = facts_.SubscriptOf(op).keys;
    return std::all_of(keys.begin(), keys.end(), [&](const analysis::Key& key) {
      return key.kind == KeyKind::kMask || (in_loop && key.kind == KeyKind::kSlice) ||
             (key.kind == KeyKind::kSlice && key.full);
    });
  }

  // Into a piece of an array: by the same bounds, or through the piece itself and a mask.
  [[nodiscard]] bool StoreFits(ir::ValueId op, bool in_loop) const {
    return facts_.IsDevice(program_.Operand(op, 0)) && ReadFits(op, in_loop);
  }

  [[nodiscard]] bool CallFits(ir::ValueId op) {
    const Callee& callee = facts_.CalleeOf(op);
    if (const match::DeviceCall call = match::AsDeviceCall(facts_, op)) {
      if (IsElementwiseCall(call)) return true;
      if (!IsReduction(call.base)) return false;
      if (call.base != "mean" && call.base != "var" && IsAddedUp(op)) return true;
      collects_ = collects_ || IsCollected(op);
      return IsCollected(op);
    }
    if (callee.kind == Callee::Kind::kBuiltin)
      return match::IsOneOf(callee.name, {"min", "max", "len", "int", "float", "range", "slice", "print", "abs"});
    if (callee.kind == Callee::Kind::kContainerMethod)
      return callee.name == "list.append" || callee.name == "str.format";
    if (callee.kind == Callee::Kind::kForeign) return callee.name.substr(0, 5) == "math.";
    return callee.kind == Callee::Kind::kLocal && FunctionFits(callee.function);
  }

  // A function of the program that works element by element.
  [[nodiscard]] bool FunctionFits(ir::FunctionId id) {
    if (!functions_.insert(id).second) return true;
    if (functions_.size() > kMostFunctions) return false;
    const ir::Function& function = program_.functions[id];
    if (function.is_generator || function.is_async) return false;
    for (const ir::BlockId block : function.blocks) {
      if (program_.blocks[block].loop.valid()) return false;
      for (const ir::ValueId op : program_.blocks[block].ops) {
        if (!Fits(op, false)) return false;
      }
    }
    return true;
  }

  // means.append(piece.mean()): one number of each piece.
  [[nodiscard]] bool IsCollected(ir::ValueId reduction) const {
    const std::vector<ir::ValueId> uses = facts_.DeepUsesOf(reduction);
    return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
      return program_.ops[use].kind == OpKind::kCall && facts_.CalleeOf(use).name == "list.append";
    });
  }

  // total += piece.sum(): and nothing else is done with it.
  [[nodiscard]] bool IsAddedUp(ir::ValueId reduction) const {
    const std::vector<ir::ValueId> uses = facts_.DeepUsesOf(reduction);
    return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
      const ir::Op& op = program_.ops[use];
      if (op.kind == OpKind::kCall)
        return match::IsOneOf(match::AsDeviceCall(facts_, use).base, {"maximum", "minimum"}) ||
               (facts_.CalleeOf(use).kind == Callee::Kind::kBuiltin &&
                match::IsOneOf(facts_.CalleeOf(use).name, {"float", "int", "max", "min"}));
      return (op.kind == OpKind::kBinary || op.kind == OpKind::kInplaceBinary) &&
             static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd && !UsesPiece(use);
    });
  }

  [[nodiscard]] bool UsesPiece(ir::ValueId op) const {
    const auto operands = program_.Operands(op);
    return std::any_of(operands.begin(), operands.end(), [&](ir::ValueId operand) {
      return operand.valid() && facts_.IsDevice(operand) && facts_.RankOf(operand) >= 1;
    });
  }

  // What one pass hands to the next is the counter, or a running sum that nobody looks at.
  [[nodiscard]] bool CarriesSumsOnly() const {
    for (const ir::ValueId phi : program_.blocks[program_.loops[loop_].header].ops) {
      if (program_.ops[phi].kind != OpKind::kPhi) break;
      if (facts_.DependsOnInduction(phi, loop_)) continue;
      const bool read = std::any_of(facts_.UsesOf(phi).begin(), facts_.UsesOf(phi).end(),
                                    [&](ir::ValueId use) { return facts_.InLoop(use, loop_); });
      if (read && facts_.IsDevice(phi) && !facts_.IsZeroD(phi)) return false;
      for (const ir::ValueId use : facts_.UsesOf(phi)) {
        if (!facts_.InLoop(use, loop_)) continue;
        const ir::Op& op = program_.ops[use];
        const bool sum = (op.kind == OpKind::kBinary || op.kind == OpKind::kInplaceBinary) &&
                         static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd;
        const bool extremum =
            op.kind == OpKind::kCall &&
            match::IsOneOf(facts_.CalleeOf(use).name, {"min", "max", "numpy.minimum", "numpy.maximum"});
        if (!sum && !extremum && op.kind != OpKind::kPhi) return false;
      }
    }
    return true;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
  std::unordered_set<ir::FunctionId> functions_;
  bool collects_ = false;
};

// All pieces are cut by the same two bounds, one piece after the other: windows that overlap are no parts of a whole.
static bool ArePartition(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  ir::DimStore& dims = facts.store().dims();
  const analysis::Key* first = nullptr;
  for (const LoopFact::Access& access : fact.accesses) {
    for (const ir::ValueId key : facts.KeysOf(access.op)) {
      if (analysis::SliceDepends(facts, key, loop) && !analysis::PieceOfWhole(facts, key, loop).valid()) return false;
    }
    for (const analysis::Key& key : facts.SubscriptOf(access.op).keys) {
      if (key.kind != KeyKind::kSlice || key.full) continue;
      if (key.step_given && key.step != 1) return false;
      if (first == nullptr) first = &key;
      if (!dims.KnownEqual(key.lower, first->lower) || !dims.KnownEqual(key.upper, first->upper)) return false;
    }
  }
  return first != nullptr;
}

// Elements of a piece, where all its extents are numbers.
static std::optional<std::int64_t> PieceVolume(const Facts& facts, ir::LoopId loop, const LoopFact::Access& access) {
  ir::DimStore& dims = facts.store().dims();
  const ir::ValueId base = facts.program().Operand(access.op, 0);
  const std::vector<analysis::Key>& keys = facts.SubscriptOf(access.op).keys;
  std::optional<std::int64_t> piece;
  for (const ir::ValueId key : facts.KeysOf(access.op)) {
    if (analysis::SliceDepends(facts, key, loop)) piece = dims.AsConst(analysis::PieceOfWhole(facts, key, loop));
  }
  const int rank = facts.RankOf(base);
  if (!piece || rank < 0) return std::nullopt;
  ir::DimId volume = dims.Const(*piece);
  for (int axis = 0; axis < rank; ++axis) {
    const bool cut = std::any_of(keys.begin(), keys.end(), [&](const analysis::Key& key) {
      return key.axis == axis && key.kind == KeyKind::kSlice && !key.full;
    });
    if (!cut) volume = dims.Mul(volume, facts.ExtentOf(base, axis));
  }
  return dims.AsConst(volume);
}

// What is cut, and how large a piece is.
struct Pieces {
  ir::ValueId base;  // None(): no array
  Span span;         // of the base
  ir::ValueId read;  // a piece as it is read; None() where that is not seen
  std::optional<std::int64_t> volume;
};

static Pieces PiecesOf(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  const ir::Program& program = facts.program();
  if (!fact.accesses.empty()) {
    const LoopFact::Access& access = fact.accesses.front();
    const auto read = std::find_if(fact.accesses.begin(), fact.accesses.end(),
                                   [](const LoopFact::Access& one) { return !one.write; });
    return {program.Operand(access.op, 0), program.OperandSpan(access.op, 0),
            read == fact.accesses.end() ? ir::ValueId::None() : read->op, PieceVolume(facts, loop, access)};
  }
  // `for part in np.array_split(q, 100)`
  if (!program.loops[loop].iterable.valid()) return {};
  const match::DeviceCall call = match::AsDeviceCall(facts, facts.Source(program.loops[loop].iterable));
  if (!call || !match::IsOneOf(call.base, {"split", "array_split"}) || !facts.IsDevice(call.array)) return {};
  return {call.array, call.array_span, {}, std::nullopt};
}

// Fires when
//   1. a loop cuts device arrays into pieces, all by the same bounds and one after the other, or walks what np.split
//      gives,
//   2. the pieces are known to be too small to be split, or there are many of them, and
//   3. the body works on each piece element by element, through a mask, or by a reduction that is added up, and nothing
//      passes from piece to piece but such sums.
// Quiet: (a) generators and files are no arrays, (b) the pieces bound a wider table, (c) is condition 2, (d) host
// arrays, (e) is condition 3, (f) lists.
static void OnLoop(const Facts& facts, ir::LoopId loop, Trial& trial) {
  const LoopFact& fact = facts.LoopFactOf(loop);
  if (!trial.Holds(1, fact.kind == LoopKind::kChunk && (fact.accesses.empty() || ArePartition(facts, loop, fact))))
    return;
  const Pieces pieces = PiecesOf(facts, loop, fact);
  if (!pieces.base.valid()) return;
  const ir::ValueId base = pieces.base;
  const bool known =
      (pieces.volume && *pieces.volume < trial.target().split) || facts.TripsKnownAtLeast(loop, kManyPieces);
  const bool small = known || (pieces.read.valid() && facts.UsuallyBelow(pieces.read, trial.target().split));
  if (!trial.Holds(2, small)) return;
  if (facts.TripsKnownBelow(loop, 2)) return;
  Body body(facts, loop);
  if (!trial.Holds(3, body.CanGo())) return;
  if (trial.Quiet('b', body.MakesWiderArrays(facts.RankOf(base)))) return;
  const std::optional<std::int64_t> volume = pieces.volume;

  const ir::Program& program = facts.program();
  const Span header = program.loops[loop].header_span;
  const Span array = pieces.span;
  Trial::Report report = trial.ReportLoop(loop);
  report.Arg("array", array).Root(facts.RootOf(base)).Evidence(facts.Of(base).evidence | fact.evidence);
  if (volume) report.Arg("elems", std::to_string(*volume));
  if (!known) report.Confidence(Confidence::kLikely);  // by the default of a parameter
  report.PrimaryLabel(match::RunsText(facts, loop)).Label(array, "one piece per pass");
  const bool tiny = volume && *volume < trial.target().economic && facts.TripsKnownAtLeast(loop, kVeryManyPieces);
  report.Severity(tiny ? Severity::kError : Severity::kWarning);
  match::TellOrigin(facts, base, header, report);
  if (body.Collects()) {
    report.Help(Text("RR-chunk  give ")
                    .Add(match::Quoted(array))
                    .Add(" an axis for the pieces where they divide it, `.reshape(-1, k)`, and reduce all of them "
                         "along the last "
                         "axis at once"));
    return;
  }
  report.Help(Text("RR-chunk  drop the loop and work on all of ").Add(match::Quoted(array)).Add(" at once"));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 207,
    .slug = "tiny-chunk-loop",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .cold = Severity::kWarning,
    .summary = "an array worked through in small pieces, each a launch of its own",
    .message = "loop over pieces of `{array}`[[, {elems} elements each]]",
    .why =
        "a slice keeps the tiling of its array: one or two processors work on a piece while the others wait, and each "
        "operator of the body is a launch per piece (26.07)",
    .details = R"md(
Fires on a loop that cuts device arrays into pieces (`q[s:s + 4096]`, `np.array_split(q, k)`) known to be too small to be split
over processors, or of which there are 16 and more, where the body works on each piece element by element, through a
mask, by a sum, product, minimum or maximum that is only added up, or by a reduction that goes into a list. An error where
the pieces are known to be below 65,536 elements and there are 100 and more.

Stays quiet on windows that overlap or leave gaps, where the pieces bound an intermediate that is wider than they are
(tables of all pairs), on matrix products, on bounds that differ between the arrays, where a piece needs another one, where a result of a piece goes
back into it (normalising by its own mean), on inner loops, on code that is not known, on generators, files and host
arrays, and on few large pieces.

Ten million elements in pieces of 4,096 are some 2,440 passes of ten tasks each. Doctor does not count plain slices.
)md",
    .bad = R"py(
import numpy as np

def cap(limit):
    q = np.linspace(0.0, 1.0, 1_000_000)
    for s in range(0, 1_000_000, 4096):
        piece = q[s:s + 4096]
        piece[piece > limit] = limit
    return q
)py",
    .good = R"py(
import numpy as np

def cap(limit):
    q = np.linspace(0.0, 1.0, 1_000_000)
    np.minimum(q, limit, out=q)
    return q
)py",
    .recipe = "RR-chunk",
    .fix = FixClass::kUnsafe,
    .preview = true,
    .conditions = R"md(
1. a loop cuts device arrays into pieces, all by the same bounds, or walks what `np.split` gives
2. the pieces are known to be too small to be split, or there are many of them
3. the body works on each piece element by element, through a mask, or by a reduction that is added up, and nothing passes from piece to piece but such sums
- (b) the pieces bound a table that is wider than they are
)md",
    .on_loop = &OnLoop,
};

}  // namespace cpnlint::rules::r207
