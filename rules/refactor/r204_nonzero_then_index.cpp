// R204 nonzero-then-index: a mask turned into positions, which then only index arrays of the mask's own shape.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/layout.h"
#include "rules/match/rewrite.h"
#include "rules/match/same_expression.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r204 {

using ir::OpKind;
using match::DeviceCall;

static bool MakesPositions(const Facts& facts, const DeviceCall& call) {
  if (call.base == "where")
    return !call.method && facts.PositionalCount(call.call) == 1 && facts.program().ops[call.call].operand_count == 2;
  return match::IsOneOf(call.base, {"nonzero", "argwhere", "flatnonzero"});
}

// What the positions are used for.
struct Usage {
  std::vector<ir::ValueId> indexings;  // Subscript and StoreSubscript ops on arrays of the mask's shape
  bool counted = false;                // len(idx[0]), idx[0].size
  bool other = false;
};

class UsageOf {
 public:
  UsageOf(const Facts& facts, ir::ValueId producer, ir::ValueId mask, Usage& usage)
      : facts_(facts), program_(facts.program()), producer_(producer), mask_(mask), usage_(usage) {}

  // The positions along one axis of the mask, or kWhole: all of them in a tuple, a row of `argwhere` each, or flat.
  static constexpr int kWhole = -1;
  void Follow(ir::ValueId positions, int axis) {
    for (const ir::ValueId use : facts_.UsesOf(positions)) {
      if (usage_.other) return;
      Look(use, positions, axis);
    }
  }

 private:
  // `x[i, j]` of positions along the first axis and the second; any keys of a flat array, a tuple of all.
  [[nodiscard]] bool IndexesAllAxes(ir::ValueId use, ir::ValueId positions, int axis) const {
    const auto keys = facts_.KeysOf(use);
    if (axis == kWhole) return keys.size() == 1 && !(facts_.IsArray(positions) && facts_.RankOf(mask_) != 1);
    const auto is_of_mask = [&](ir::ValueId key) {
      const auto operands = key.valid() ? program_.Operands(key) : std::span<const ir::ValueId>();
      return !operands.empty() && operands.front() == producer_;
    };
    return keys.size() == static_cast<std::size_t>(facts_.RankOf(mask_)) && keys[axis] == positions &&
           std::ranges::all_of(keys, is_of_mask);
  }

  // `positions[1]` of a tuple, `positions[:, 1]` of an array with a row for each: the axis.
  [[nodiscard]] std::optional<int> AxisTaken(ir::ValueId use, ir::ValueId positions) const {
    const auto keys = facts_.KeysOf(use);
    const bool rows = facts_.IsArray(positions);
    if (keys.size() != (rows ? 2 : 1) || (rows && !facts_.SubscriptOf(use).keys[0].full)) return std::nullopt;
    const std::optional<std::int64_t> axis = facts_.IntOf(keys.back());
    const int rank = facts_.RankOf(mask_);
    if (!axis || *axis < 0 || (rank >= 0 && *axis >= rank)) return std::nullopt;
    return static_cast<int>(*axis);
  }

  void Look(ir::ValueId use, ir::ValueId positions, int axis) {
    const ir::Op& op = program_.ops[use];
    if ((op.kind == OpKind::kSubscript || op.kind == OpKind::kStoreSubscript) &&
        program_.Operand(use, 0) != positions) {
      const ir::ValueId base = program_.Operand(use, 0);
      const bool is_key = !(op.kind == OpKind::kStoreSubscript && program_.Operand(use, 1) == positions);
      if (is_key && IndexesAllAxes(use, positions, axis) && facts_.IsDevice(base) &&
          match::SameShape(facts_, base, mask_)) {
        usage_.indexings.push_back(use);
        return;
      }
    }
    if (op.kind == OpKind::kSubscript && program_.Operand(use, 0) == positions && axis == kWhole) {
      if (const std::optional<int> taken = AxisTaken(use, positions)) return Follow(use, *taken);
    }
    if (op.kind == OpKind::kUnpackItem && !facts_.IsArray(positions)) {
      const ir::ItemPosition item = ir::ItemPosition::Unpack(op.payload);
      if (item.star == ir::ItemPosition::kNoStar) return Follow(use, static_cast<int>(item.index));
    }
    if (op.kind == OpKind::kAttr && facts_.IsArray(positions) && program_.Name(op) == "size") {
      usage_.counted = true;
      return;
    }
    if (op.kind == OpKind::kCall && facts_.IsArray(positions) &&
        facts_.CalleeOf(use).kind == analysis::Callee::Kind::kBuiltin && facts_.CalleeOf(use).name == "len") {
      usage_.counted = true;
      return;
    }
    if (op.kind == OpKind::kStoreCell && program_.cells[ir::CellId(op.payload)].loads.empty()) return;
    usage_.other = true;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::ValueId producer_, mask_;
  Usage& usage_;
};

static bool Contains(const std::vector<ir::ValueId>& ops, ir::ValueId op) {
  return std::ranges::find(ops, op) != ops.end();
}

// A sum, a largest value of what is read at the positions.
static bool IsReduced(const Facts& facts, const Usage& usage) {
  const auto reduces = [&](ir::ValueId use) {
    const DeviceCall call = match::AsDeviceCall(facts, use);
    return call && match::IsOneOf(call.base, {"sum", "mean", "prod", "max", "min", "amax", "amin", "any", "all"});
  };
  return std::ranges::any_of(usage.indexings, [&](ir::ValueId read) {
    return std::ranges::any_of(facts.DeepUsesOf(read), [&](ir::ValueId use) {
      const bool method = facts.program().ops[use].kind == OpKind::kAttr;
      return method ? std::ranges::any_of(facts.UsesOf(use), reduces) : reduces(use);
    });
  });
}

// All that is read at the positions is fetched as it is: `names[at].tolist()`.
static bool GoToHost(const Facts& facts, const Usage& usage) {
  const auto is_fetched = [&](ir::ValueId read) {
    const auto reads = facts.HostReadsOf(facts.program().FunctionOf(read));
    return std::ranges::any_of(reads, [&](const analysis::HostRead& fetch) {
      return fetch.value.valid() && facts.Source(fetch.value) == read;
    });
  };
  return std::ranges::all_of(usage.indexings, is_fetched);
}

// What is computed element by element from reads at the positions and numbers: `np.log(r[i]) * 2`. The reads go to
// `reads`, none is left out; false for other values.
static bool IsElementwise(const Facts& facts, ir::ValueId value, const Usage& usage, std::vector<ir::ValueId>& reads) {
  const ir::Program& program = facts.program();
  if (Contains(usage.indexings, value)) {
    reads.push_back(value);
    return true;
  }
  if (!facts.IsArray(value) || facts.IsZeroD(value)) return match::IsScalar(facts, value);
  const ir::Op& op = program.ops[value];
  const bool ufunc = op.kind == OpKind::kCall && api::IsUfunc(facts.CalleeOf(value).name) &&
                     facts.PositionalCount(value) + 1 == op.operand_count;
  // An integer divisor that is zero where the mask does not hold ends the process.
  const auto kind = static_cast<ir::BinaryOp>(op.detail);
  const bool binary = op.kind == OpKind::kBinary && kind != ir::BinaryOp::kFloorDiv && kind != ir::BinaryOp::kMod;
  if (!ufunc && !binary && op.kind != OpKind::kUnary) return false;
  const auto operands = program.Operands(value).subspan(ufunc ? 1 : 0);
  return std::ranges::all_of(operands, [&](ir::ValueId one) { return IsElementwise(facts, one, usage, reads); });
}

// `u[...] = np.where(mask, np.log(r), u)` for `u[i] = np.log(r[i])`; empty where the values are no such expression.
static Text WholeStore(const Facts& facts, ir::ValueId store, const Text& mask, const Usage& usage) {
  const ir::Program& program = facts.program();
  const ir::ValueId value = program.Operand(store, 1);
  const bool augmented = value.valid() && program.ops[value].kind == OpKind::kInplaceBinary;
  const ir::ValueId right = augmented ? program.Operand(value, 1) : value;
  const Span array = program.OperandSpan(store, 0), words = program.OperandSpan(augmented ? value : store, 1);
  std::vector<ir::ValueId> reads;
  if (!right.valid() || !IsElementwise(facts, right, usage, reads) || (reads.empty() && !augmented)) return {};
  std::vector<match::Cut> cuts;
  for (const ir::ValueId read : reads) {
    if (!words.Contains(program.ops[read].span)) return {};
    cuts.push_back({program.ops[read].span, Text(program.OperandSpan(read, 0))});
  }
  std::ranges::sort(cuts, {}, [](const match::Cut& cut) { return cut.span.begin; });
  const Text whole = match::Replace(words, cuts);
  const ir::DType dtype = facts.Of(program.Operand(store, 0)).dtype;
  // putmask takes values of the array's own type only.
  if (!augmented && dtype != ir::DType::kUnknown && facts.Of(value).dtype == dtype && reads.front() == value)
    return Text("np.putmask(").Add(array).Add(", ").Add(mask).Add(", ").Add(whole).Add(")");
  Text code(array);
  code.Add("[...] = np.where(").Add(mask).Add(", ");
  if (!augmented) return code.Add(whole).Add(", ").Add(array).Add(")");
  const auto kind = static_cast<ir::BinaryOp>(program.ops[value].detail);
  if (kind == ir::BinaryOp::kFloorDiv || kind == ir::BinaryOp::kMod) return {};
  const OpKind outer = program.ops[right].kind;
  const bool simple = outer != OpKind::kBinary && outer != OpKind::kUnary;
  code.Add(array, match::LeftOf(kind)).Add(" ").Add(ir::Spelling(kind)).Add(simple ? " " : " (");
  return code.Add(whole).Add(simple ? ", " : "), ").Add(array).Add(")");
}

static Text Rewrite(const Facts& facts, const Usage& usage, const DeviceCall& positions) {
  const ir::Program& program = facts.program();
  // `nonzero` takes numbers; a key of numbers would be positions.
  Text mask;
  const bool boolean = facts.Of(positions.array).dtype == ir::DType::kBool;
  mask.Add(positions.array_span, boolean ? Binding::kConditional : Binding::kBitOr).Add(boolean ? "" : " != 0");
  Text help("RR-mask  write `");
  const auto store = std::ranges::find_if(
      usage.indexings, [&](ir::ValueId use) { return program.ops[use].kind == OpKind::kStoreSubscript; });
  if (store == usage.indexings.end()) {
    const Span array = program.OperandSpan(usage.indexings.front(), 0);
    if (GoToHost(facts, usage)) {
      return help.Add(array, Binding::kPrimary)
          .Add("[")
          .Add(mask)
          .Add("]`: what it selects goes to the host, which waits for its length either way, but no longer twice");
    }
    if (IsReduced(facts, usage))
      help.Add("np.sum(").Add(array).Add(", where=").Add(mask).Add(")` for what is reduced, `");
    return help.Add("np.where(").Add(mask).Add(", ...)` for what is computed");
  }
  if (const Text whole = WholeStore(facts, *store, mask, usage); !whole.empty()) return help.Add(whole).Add("`");
  const Span array = program.OperandSpan(*store, 0);
  const ir::ValueId value = program.Operand(*store, 1);
  if (facts.IsArray(value) && !facts.IsZeroD(value)) {
    return help.Add(array)
        .Add("[...] = np.where(")
        .Add(mask)
        .Add(", values, ")
        .Add(array)
        .Add(")` with values of the whole shape");
  }
  return help.Add(array).Add("[").Add(mask).Add("] = ").Add(program.OperandSpan(*store, 1)).Add("`");
}

// Fires when
//   1. a call of the device library turns a mask into positions,
//   2. they index arrays of the mask's shape, and
//   3. all that is done with them is such indexing or counting.
// Quiet: (a) and (e) are condition 3, (b) condition 2, (c) and (d) condition 1.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  if (!trial.Holds(1, MakesPositions(facts, call) && facts.IsDevice(call.array))) return;
  Usage usage;
  UsageOf(facts, op, call.array, usage).Follow(op, UsageOf::kWhole);
  if (!trial.Holds(2, !usage.indexings.empty()) || usage.indexings.empty()) return;
  if (!trial.Holds(3, !usage.other)) return;

  const ir::Program& program = facts.program();
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("producer", span)
      .Arg("array", program.OperandSpan(usage.indexings.front(), 0))
      .Root(op)
      .Evidence(call.evidence)
      .PrimaryLabel("positions, of a length that only the device knows")
      .Help(Rewrite(facts, usage, call));
  for (const ir::ValueId use : usage.indexings) {
    if (program.ops[use].span.Contains(span)) continue;
    report.Label(program.ops[use].span,
                 program.ops[use].kind == OpKind::kSubscript ? "gathers with them" : "scatters with them");
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 204,
    .slug = "nonzero-then-index",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .cold = Severity::kWarning,
    .summary = "a mask turned into positions that only index arrays of its own shape",
    .message = "`{producer}` turns a mask into positions only to index `{array}` with them",
    .why =
        "the number of positions is known only after the task ran, so the first use waits; the scatter then waits "
        "again "
        "and may move data between all processors, where a mask write stays local to each tile",
    .details = R"md(
Fires on `np.nonzero(mask)`, `np.where(mask)`, `np.argwhere` and `np.flatnonzero` where all that happens to the result is
indexing of arrays of the mask's shape, or counting. It fires outside of loops, too: the wait is paid once there.

Stays quiet where the positions themselves are wanted (`edges[np.nonzero(d)[0][0]]`, printing, arithmetic on them), where
arrays of other shapes are indexed, on host arrays, and on the three-argument `where`.

Rewriting to `x[mask] = y[mask]` is not enough: that compacts and scatters, too. `np.putmask` and `np.where` are aligned.
)md",
    .bad = R"py(
import numpy as np

def dry_out(n):
    depth = np.linspace(-1.0, 1.0, n)
    below = np.nonzero(depth < 0.0)
    depth[below] = 0.0
    return depth
)py",
    .good = R"py(
import numpy as np

def dry_out(n):
    depth = np.linspace(-1.0, 1.0, n)
    depth[depth < 0.0] = 0.0
    return depth
)py",
    .recipe = "RR-mask",
    .fix = FixClass::kUnsafe,
    .doctor = "nonzero",
    .conditions = R"md(
1. a call of the device library turns a mask into positions
2. they index arrays of the mask's shape
3. all that is done with them is such indexing or counting
)md",
    .ops = {OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r204
