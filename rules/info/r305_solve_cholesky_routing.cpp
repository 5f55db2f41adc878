// R305 solve-cholesky-routing: solvers that use several GPUs only from a size on.

#include <algorithm>
#include <string>

#include "analyzer/analysis/least_rank.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/factorisation.h"
#include "rules/match/hot_site.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r305 {

constexpr std::int64_t kSolve = 2048;
constexpr std::int64_t kCholesky = 8192;

// Fires when
//   1. the call solves, inverts or factorises (Cholesky) a device matrix, and
//   2. its size is unknown or at least the size from which several GPUs are used.
// Quiet: (a) is condition 2, (b) a stack of matrices, (c) and (e) SciPy and host matrices are no such calls, (d) one
// GPU.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  const bool solves = match::IsOneOf(call.base, {"linalg.solve", "linalg.inv"});
  const bool cholesky = match::IsOneOf(call.base, {"linalg.cholesky", "linalg.cho_factor"});
  if (!trial.Holds(1, (solves || cholesky) && facts.IsDevice(call.array))) return;
  const std::int64_t threshold = cholesky ? kCholesky : kSolve;
  const int rank = std::max(facts.RankOf(call.array), LeastRank(facts, call.array, op));
  const auto size = facts.store().dims().AsConst(facts.ExtentOf(call.array, -1));
  const bool small = size ? *size < threshold : rank <= 2 && facts.UsuallyFewRows(call.array, threshold);
  if (!trial.Holds(2, !small)) return;
  const ir::ValueId right = call.base == "linalg.solve" ? facts.Argument(op, 1, "b") : ir::ValueId::None();
  const bool stack = rank > 2 || LeastRank(facts, op, op) > 2 || (right.valid() && LeastRank(facts, right, op) > 2);
  if (trial.Quiet('b', stack || IsStackByCallers(facts, call.array) || IsStackOnOneWay(facts, call.array))) return;
  if (trial.Quiet('d', trial.target().gpus <= 1)) return;

  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", facts.program().OperandSpan(op, 0))
      .Arg("cause", cholesky ? "more than 8,192 rows" : "2,048 rows and more, with cuSolverMp in the build")
      .Key(std::string(call.base))
      .Root(facts.RootOf(call.array))
      .Evidence(call.evidence);
  match::TellOrigin(facts, call.array, facts.program().ops[op].span, report);
  if (!match::HotSiteOf(facts, op)) {
    report.Help(Text("RR-batch  ").Add(match::kStackSeveral).Add(match::StacksAreSolved(facts, call)));
  }
  if (call.base != "linalg.inv") return;
  for (const ir::ValueId use : facts.UsesOf(op)) {
    const ir::Op& product = facts.program().ops[use];
    const bool at =
        product.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(product.detail) == ir::BinaryOp::kMatMul;
    if (!at || facts.program().Operand(use, 0) != op) continue;
    report.Help(Text("RR-batch  write `np.linalg.solve(")
                    .Add(call.array_span)
                    .Add(", ")
                    .Add(facts.program().OperandSpan(use, 1))
                    .Add(")`"));
    return;
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 305,
    .slug = "solve-cholesky-routing",
    .family = Family::kInfo,
    .severity = Severity::kInfo,
    .cold = Severity::kInfo,
    .summary = "a solver that uses several GPUs only from a size on",
    .message = "`{call}` uses several GPUs only for {cause}; otherwise one",
    .why =
        "solve and inv are distributed for one matrix of 2,048 rows and more with cuSolverMp, cholesky in tiles beyond "
        "8,192 "
        "rows; stacks are split over the batch (26.07)",
    .details = R"md(
Fires on `linalg.solve`, `inv`, `cholesky` and `cupynumeric.linalg.cho_factor` of a device matrix whose size is unknown or
at least the size from which several GPUs are used, when the run has more than one.

Stays quiet on matrices known to be smaller, or small by their use or by the name of their size (`n_clusters`,
`n_params`), on stacks of matrices, on SciPy's functions (R301), and on host matrices.

The migration guide names 512 as the limit of solve; that is the size of a tile, the limit is 2,048. All of these may throw,
so the host waits for them.
)md",
    .bad = R"py(
import numpy as np

def relax(n):
    a = np.eye(n)
    b = np.ones(n)
    return np.linalg.solve(a, b)
)py",
    .good = R"py(
import numpy as np

def relax(m, n):
    a = np.eye(n) + np.zeros((m, n, n))
    b = np.ones((m, n, 1))
    return np.linalg.solve(a, b)
)py",
    .recipe = "RR-batch",
    .conditions = R"md(
1. the call solves with, inverts or factorises (Cholesky) a device matrix
2. its size is unknown, or at least the size from which several GPUs are used
- (b) a stack of matrices
- (d) there is one GPU
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r305
