// R313 small-factorisation: solvers and factorisations of matrices too small for more than one processor.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/recurrence.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r313 {

constexpr std::int64_t kSolve = 2048;     // rows from which several GPUs solve
constexpr std::int64_t kCholesky = 8192;  // rows from which several GPUs factorise
constexpr std::int64_t kQr = 1'048'576;   // elements from which QR is distributed
constexpr std::int64_t kTrivial = 8;      // a system that small is nothing, once
constexpr std::int64_t kFewTrips = 8;

static bool IsBatchable(std::string_view base) {
  return match::IsOneOf(base, {"linalg.solve", "linalg.inv", "linalg.cholesky", "linalg.eig", "linalg.eigh",
                               "linalg.eigvals", "linalg.eigvalsh"});
}

static bool IsFactorisation(std::string_view base) {
  return IsBatchable(base) || match::IsOneOf(base, {"linalg.cho_factor", "linalg.qr", "linalg.svd"});
}

struct Extents {
  std::int64_t rows = 0, columns = 0;
};

static std::optional<Extents> ExtentsOf(const Facts& facts, ir::ValueId matrix) {
  if (facts.RankOf(matrix) != 2) return std::nullopt;
  const auto rows = facts.store().dims().AsConst(facts.ExtentOf(matrix, 0));
  const auto columns = facts.store().dims().AsConst(facts.ExtentOf(matrix, 1));
  if (!rows || !columns) return std::nullopt;
  return Extents{*rows, *columns};
}

static bool StaysOnOne(std::string_view base, Extents extents) {
  if (match::IsOneOf(base, {"linalg.solve", "linalg.inv"})) return extents.rows < kSolve;
  if (match::IsOneOf(base, {"linalg.cholesky", "linalg.cho_factor"})) return extents.rows < kCholesky;
  if (base == "linalg.qr") return extents.rows * extents.columns < kQr;
  return true;
}

// The loop of this function whose counter picks the matrix out of a stack: `A[i]`.
static ir::LoopId LoopOverSystems(const Facts& facts, const match::DeviceCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId matrix = facts.Source(call.array);
  if (program.ops[matrix].kind != ir::OpKind::kSubscript || !facts.IsDevice(program.Operand(matrix, 0))) return {};
  const auto keys = facts.KeysOf(matrix);
  if (keys.size() != 1) return {};
  for (ir::LoopId loop = program.LoopOf(call.call); loop.valid(); loop = program.loops[loop].parent) {
    if (facts.IsBareInduction(keys[0], loop)) return loop;
  }
  return {};
}

// One call for all systems; a vector on the right-hand side gets an axis more, which the result loses again.
static Text HelpForStack(const Facts& facts, const match::DeviceCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId matrix = facts.Source(call.array);
  const Span name = program.OperandSpan(call.call, 0), all = program.OperandSpan(matrix, 0);
  Text help("RR-batch  call it once for the whole stack: `");
  help.Add(name).Add("(").Add(all);
  if (call.base != "linalg.solve") return help.Add(")`");
  const ir::ValueId right = facts.Source(facts.Argument(call.call, 1, "b"));
  const auto keys = right.valid() && program.ops[right].kind == ir::OpKind::kSubscript ? facts.KeysOf(right)
                                                                                       : std::span<const ir::ValueId>{};
  const bool same = keys.size() == 1 && facts.Source(keys[0]) == facts.Source(facts.KeysOf(matrix)[0]);
  const int rank = same ? facts.RankOf(program.Operand(right, 0)) : -1;
  if (rank == 3) return help.Add(", ").Add(program.OperandSpan(right, 0)).Add(")`");
  if (rank == 2) {
    help.Add(", ").Add(program.OperandSpan(right, 0), Binding::kPrimary);
    return help.Add("[..., None])[..., 0]`");
  }
  return Text("RR-batch  call `")
      .Add(name)
      .Add("` once for the whole stack ")
      .Add(match::Quoted(all))
      .Add(", with the right-hand sides of all systems as (m, n, 1)");
}

// Fires when
//   1. the call solves with, inverts or factorises a device matrix, and
//   2. the size is known and too small for several GPUs, or the call stands in a loop over the systems of a stack that
//   do not depend on each other.
// Quiet: (a) other unknown sizes, (b) a stack of matrices, (c) host matrices are no such calls, (d) a tiny system,
// once, (e) systems that need the previous solution.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  if (!trial.Holds(1, IsFactorisation(call.base) && facts.IsDevice(call.array))) return;
  if (trial.Quiet('b', facts.RankOf(call.array) > 2)) return;
  const auto extents = ExtentsOf(facts, call.array);
  const ir::LoopId stack = LoopOverSystems(facts, call);
  const bool walks =
      stack.valid() && !facts.TripsKnownBelow(stack, kFewTrips) && !match::MayFeedItself(facts, op, stack);
  const bool small = extents && StaysOnOne(call.base, *extents);
  if (!trial.Holds(2, small || (walks && !extents))) return;
  const analysis::Heat& heat = facts.HeatOf(op);
  // What only hotness of unknown kind says is not told.
  const bool again = walks || (heat.hot && analysis::ConfidenceOf(heat.evidence) == Confidence::kCertain);
  if (trial.Quiet('d', extents && extents->rows <= kTrivial && extents->columns <= kTrivial && !again)) return;
  const bool here = heat.loop.valid() && facts.InLoop(op, heat.loop);
  if (trial.Quiet('e', !walks && here && match::MayFeedItself(facts, op, heat.loop))) return;

  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", facts.program().OperandSpan(op, 0))
      .Key(std::string(call.base))
      .Root(facts.RootOf(call.array))
      .Evidence(call.evidence)
      .Severity(again ? Severity::kWarning : Severity::kInfo);
  if (extents) {
    report.Arg("n", std::to_string(extents->rows)).Arg("k", std::to_string(extents->columns));
  } else {
    report.Message("`{call}` takes one system of a stack[[ on every pass of {passes}]] and stays on one processor");
  }
  const Span span = facts.program().ops[op].span;
  if (walks) {
    report.Arg("passes", match::Quoted(facts.program().loops[stack].header_span))
        .Label(facts.program().loops[stack].header_span, match::RunsText(facts, stack));
  } else if (again) {
    report.Arg("passes", match::HotLoopText(facts, op));
    match::TellHotLoop(facts, op, span, report);
  }
  match::TellOrigin(facts, call.array, span, report);
  if (walks && IsBatchable(call.base)) {
    report.Help(HelpForStack(facts, call));
  } else if (again) {
    report.Help(
        "RR-batch  where the systems do not depend on each other, stack them along a leading axis and call once; one "
        "small system is solved as fast on the host");
  } else {
    report.Help("RR-batch  several systems of one size as a stack are split over the GPUs; QR and SVD take no stacks");
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 313,
    .slug = "small-factorisation",
    .family = Family::kInfo,
    .severity = Severity::kWarning,
    .cold = Severity::kInfo,
    .summary = "a solver or factorisation of a matrix too small for more than one processor",
    .message = "`{call}` on a {n} × {k} system stays on one processor[[, on every pass of {passes}]]",
    .why =
        "one small system is one task that may throw, so the host waits for it each time; a stack of systems is split "
        "over the processors, except by QR and SVD (26.07)",
    .details = R"md(
Fires on `linalg.solve`, `inv`, `cholesky`, `cho_factor`, `qr`, `svd`, `eig`, `eigh`, `eigvals`, `eigvalsh` of a device matrix

- whose size is known and below the one from which several GPUs take part: 2,048 rows for `solve` and `inv`, 8,192 for
  Cholesky, 1,048,576 elements for QR; SVD and the eig family use one processor at any size
- or that a loop takes out of a stack (`A[i]`) one after the other, where no system needs the solution of another

A warning in a hot loop, else info.

Stays quiet

- (a) on other matrices of unknown size (R302, R305)
- (b) on calls that take a whole stack
- (c) on matrices of host NumPy and SciPy's functions
- (d) on systems of 8 rows or fewer that are solved once
- (e) in loops where a system needs the previous solution: there is nothing to batch

Stacks of matrices are taken by `solve`, `inv`, `cholesky` and the eig family; stacked QR and SVD raise (R113).
)md",
    .bad = R"py(
import numpy as np

def displacement(load):
    stiffness = 2.0 * np.eye(600)
    return np.linalg.solve(stiffness, load)
)py",
    .good = R"py(
import numpy as np

def displacements(loads, cases):
    stiffness = np.zeros((cases, 600, 600))
    stiffness[:] = 2.0 * np.eye(600)
    return np.linalg.solve(stiffness, loads)
)py",
    .recipe = "RR-batch",
    .conditions = R"md(
1. the call solves with, inverts or factorises a device matrix
2. the size is known and too small for several GPUs, or the call stands in a loop over systems of a stack that do not depend on each other
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r313
