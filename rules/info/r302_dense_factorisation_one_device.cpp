// R302 dense-factorisation-one-device: QR, SVD and eigenvalues of one matrix on one processor.

#include <string>

#include "analyzer/analysis/least_rank.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/factorisation.h"
#include "rules/match/story.h"
#include "rules/match/symmetry.h"

namespace cpnlint::rules::r302 {

constexpr std::int64_t kDistributedQr = 1'048'576;  // rows * columns from which QR uses all GPUs, with cuSolverMp

constexpr std::int64_t kTrivial = 8;  // a matrix with no more rows and columns is nothing, once

static bool IsTiny(const Facts& facts, ir::ValueId matrix) {
  if (facts.RankOf(matrix) != 2) return false;
  const auto rows = facts.store().dims().AsConst(facts.ExtentOf(matrix, 0));
  const auto columns = facts.store().dims().AsConst(facts.ExtentOf(matrix, 1));
  return rows && columns && *rows <= kTrivial && *columns <= kTrivial;
}

// What only hotness of unknown kind says is not told.
static bool IsSurelyHot(const Facts& facts, ir::ValueId op) {
  const analysis::Heat& heat = facts.HeatOf(op);
  return heat.hot && analysis::ConfidenceOf(heat.evidence) == Confidence::kCertain;
}

static bool IsEigen(std::string_view base) {
  return match::IsOneOf(base, {"linalg.eig", "linalg.eigh", "linalg.eigvals", "linalg.eigvalsh"});
}

// Fires when
//   1. the call factorises a matrix of the device library: QR, SVD, pinv, the eig family, tssvd.
// Quiet: (a) QR known to be large enough for the distributed solver, (b) a stack of matrices for the eig family, (c)
// and (d) SciPy and host matrices are no such calls, (e) a tiny matrix outside of hot loops, (g) there is one GPU.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  const bool factorises =
      IsEigen(call.base) || match::IsOneOf(call.base, {"linalg.qr", "linalg.svd", "linalg.pinv", "linalg.tssvd"});
  if (!trial.Holds(1, factorises && facts.IsDevice(call.array))) return;
  if (trial.Quiet('a', call.base == "linalg.qr" && facts.KnownAtLeast(call.array, kDistributedQr))) return;
  if (trial.Quiet('b', IsEigen(call.base) && LeastRank(facts, call.array, op) > 2)) return;
  if (trial.Quiet('e', IsTiny(facts, call.array) && !IsSurelyHot(facts, op))) return;
  if (trial.Quiet('g', trial.target().gpus <= 1)) return;

  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", facts.program().OperandSpan(op, 0))
      .Key(std::string(call.base))
      .Root(facts.RootOf(call.array))
      .Evidence(call.evidence);
  if (facts.RankOf(call.array) == 2) {
    // As the shape says it: a bound is no size to quote.
    const analysis::Shape& shape = facts.store().Get(facts.Of(call.array).shape);
    const std::string rows = facts.DimText(shape[0]), columns = facts.DimText(shape[1]);
    if (!rows.empty() && !columns.empty()) report.Arg("n", rows).Arg("k", columns);
  }
  match::TellOrigin(facts, call.array, facts.program().ops[op].span, report);
  Text help("RR-batch  ");
  const bool general = call.base == "linalg.eig" || call.base == "linalg.eigvals";
  if (general && match::IsMadeHermitian(facts, call.array)) {
    report.Help(Text(help)
                    .Add("the matrix is its own adjoint: `np.")
                    .Add(call.base == "linalg.eig" ? "linalg.eigh(" : "linalg.eigvalsh(")
                    .Add(call.array_span)
                    .Add(")` costs less and gives real values, in ascending order"));
  } else if (IsEigen(call.base)) {
    report.Help(help.Add(match::kStackSeveral));
  } else if (const Text instead = match::InsteadOfFactorisation(facts, call); !instead.empty()) {
    report.Help(help.Add(instead));
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 302,
    .slug = "dense-factorisation-one-device",
    .family = Family::kInfo,
    .severity = Severity::kInfo,
    .cold = Severity::kInfo,
    .summary = "a dense factorisation that one processor does",
    .message = "`{call}` runs on one processor[[ for a {n} × {k} matrix]]",
    .why =
        "SVD and pinv broadcast all operands to one task, the eig family takes one task per matrix, QR is distributed "
        "only "
        "from 1,048,576 elements on and with cuSolverMp in the build (26.07)",
    .details = R"md(
Fires on `linalg.qr`, `svd`, `pinv`, `eig`, `eigh`, `eigvals`, `eigvalsh` of device arrays and on
`cupynumeric.linalg.tssvd`, when the run has more than one GPU.

Stays quiet on QR of a matrix known to have 1,048,576 elements or more, on stacks of matrices for the eig family, on SciPy's
functions (R301), on host matrices, and on matrices of at most 8 rows and columns outside of hot loops.

SVD needs at least as many rows as columns, and `full_matrices=True`, the default, builds a square matrix of all rows.
Stacked QR and SVD raise (R113), contrary to the migration guide. All of these may throw, so the host waits for them.
)md",
    .bad = R"py(
import numpy as np

def modes(n):
    k = np.eye(n)
    return np.linalg.eigh(k)
)py",
    .good = R"py(
import numpy as np

def modes(m, n):
    k = np.zeros((m, n, n))
    return np.linalg.eigh(k)
)py",
    .recipe = "RR-batch",
    .conditions = R"md(
1. the call factorises a matrix of the device library: QR, SVD, `pinv`, the `eig` family, `tssvd`
- (a) a QR known to be large enough for the solver that uses several GPUs
- (b) a stack of matrices for the `eig` family
- (e) a tiny matrix outside of hot loops
- (g) there is one GPU
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r302
