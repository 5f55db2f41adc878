// R313 small-factorisation: solvers and factorisations of matrices too small for more than one processor.

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/factorisation.h"
#include "rules/match/recurrence.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r313 {

constexpr std::int64_t kSolve = 2048;     // rows from which several GPUs solve
constexpr std::int64_t kCholesky = 8192;  // rows from which several GPUs factorise
constexpr std::int64_t kQr = 1'048'576;   // elements from which QR is distributed
constexpr std::int64_t kTrivial = 8;      // a system that small is nothing, once
constexpr std::int64_t kFewTrips = 8;

static bool IsFactorisation(std::string_view base) {
  return match::TakesStacks(base) || match::IsOneOf(base, {"linalg.cho_factor", "linalg.qr", "linalg.svd"});
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
  const ir::LoopId stack = match::LoopOverSystems(facts, call);
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
    report.Message("`{call}` takes one system of a stack[[ {passes}]] and stays on one processor");
  }
  const Span span = facts.program().ops[op].span;
  if (walks) {
    report.Arg("passes", Text("on every pass of ").Add(match::Quoted(facts.program().loops[stack].header_span)))
        .Label(facts.program().loops[stack].header_span, match::RunsText(facts, stack));
  } else if (again) {
    report.Arg("passes", match::PassesText(facts, op));
    match::TellHotLoop(facts, op, span, report);
  }
  match::TellOrigin(facts, call.array, span, report);
  if (walks && match::TakesStacks(call.base)) {
    report.Help(Text("RR-batch  ").Add(match::HelpForStack(facts, call)));
  } else if (!match::TakesStacks(call.base)) {
    const Text instead = again ? Text() : match::InsteadOfFactorisation(facts, call);
    report.Help(instead.empty()
                    ? Text("RR-batch  such calls take no stacks; one small matrix is factorised as fast on the host")
                    : Text("RR-batch  ").Add(instead));
  } else if (again) {
    report.Help(
        Text("RR-batch  where the systems do not depend on each other, stack them along a leading axis and call "
             "once; one small system is solved as fast on the host")
            .Add(match::StacksAreSolved(facts, call)));
  } else {
    report.Help(Text("RR-batch  several systems of one size as a stack are split over the GPUs")
                    .Add(match::StacksAreSolved(facts, call)));
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
    .message = "`{call}` on a {n} × {k} system stays on one processor[[, {passes}]]",
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

Stacks of matrices are taken by `solve`, `cholesky` and the eig family; stacked QR and SVD raise, and `inv` of a stack
gives wrong numbers (R113).
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
