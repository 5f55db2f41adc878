// R204 nonzero-then-index: a mask turned into positions, which then only index arrays of the mask's own shape.

#include <algorithm>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/layout.h"
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
  UsageOf(const Facts& facts, ir::ValueId mask, Usage& usage)
      : facts_(facts), program_(facts.program()), mask_(mask), usage_(usage) {}

  // `whole`: all positions of all axes, or the one array of a 1-D mask.
  void Follow(ir::ValueId positions, bool whole) {
    for (const ir::ValueId use : facts_.UsesOf(positions)) {
      if (usage_.other) return;
      Look(use, positions, whole);
    }
  }

 private:
  void Look(ir::ValueId use, ir::ValueId positions, bool whole) {
    const ir::Op& op = program_.ops[use];
    if ((op.kind == OpKind::kSubscript || op.kind == OpKind::kStoreSubscript) &&
        program_.Operand(use, 0) != positions) {
      const ir::ValueId base = program_.Operand(use, 0);
      const bool is_key = !(op.kind == OpKind::kStoreSubscript && program_.Operand(use, 1) == positions);
      const bool all_axes = facts_.KeysOf(use).size() == (whole ? 1 : static_cast<std::size_t>(facts_.RankOf(mask_)));
      if (is_key && all_axes && facts_.IsDevice(base) && match::SameShape(facts_, base, mask_)) {
        usage_.indexings.push_back(use);
        return;
      }
    }
    if (op.kind == OpKind::kSubscript && program_.Operand(use, 0) == positions && whole && !facts_.IsArray(positions) &&
        facts_.KeysOf(use).size() == 1 && facts_.IntOf(facts_.KeysOf(use)[0]) == 0) {
      return Follow(use, facts_.RankOf(mask_) == 1);  // positions[0]
    }
    if (op.kind == OpKind::kUnpackItem) return Follow(use, facts_.RankOf(mask_) == 1);
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
  ir::ValueId mask_;
  Usage& usage_;
};

static Text Rewrite(const Facts& facts, const Usage& usage, const DeviceCall& positions) {
  const ir::Program& program = facts.program();
  // `nonzero` takes numbers; a key of numbers would be positions.
  Text mask;
  const bool boolean = facts.Of(positions.array).dtype == ir::DType::kBool;
  mask.Add(positions.array_span, boolean ? Binding::kConditional : Binding::kBitOr).Add(boolean ? "" : " != 0");
  const ir::ValueId use = usage.indexings.front();
  const Span array = program.OperandSpan(use, 0);
  Text help("RR-mask  write `");
  if (program.ops[use].kind == OpKind::kSubscript) {
    return help.Add("np.sum(")
        .Add(array)
        .Add(", where=")
        .Add(mask)
        .Add(")` for what is reduced, `np.where(")
        .Add(mask)
        .Add(", ...)` for what is computed");
  }
  const ir::ValueId value = program.Operand(use, 1);
  // Read with the same positions out of an array of the same shape.
  const bool gathered = value.valid() && program.ops[value].kind == OpKind::kSubscript &&
                        std::find(usage.indexings.begin(), usage.indexings.end(), value) != usage.indexings.end();
  if (gathered) {
    const Span other = program.OperandSpan(value, 0);
    const ir::DType dtype = facts.Of(program.Operand(use, 0)).dtype;
    // putmask takes values of the array's own type only.
    if (dtype != ir::DType::kUnknown && facts.Of(value).dtype == dtype)
      return help.Add("np.putmask(").Add(array).Add(", ").Add(mask).Add(", ").Add(other).Add(")`");
    help.Add(array).Add("[...] = np.where(").Add(mask).Add(", ").Add(other).Add(", ").Add(array);
    return help.Add(")`");
  }
  if (facts.IsArray(value) && !facts.IsZeroD(value)) {
    return help.Add(array)
        .Add("[...] = np.where(")
        .Add(mask)
        .Add(", values, ")
        .Add(array)
        .Add(")` with values of the whole shape");
  }
  return help.Add(array).Add("[").Add(mask).Add("] = ").Add(program.OperandSpan(use, 1)).Add("`");
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
  UsageOf(facts, call.array, usage).Follow(op, call.base != "flatnonzero" || facts.RankOf(call.array) == 1);
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
