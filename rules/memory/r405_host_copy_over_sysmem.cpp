// R405 host-copy-over-sysmem: gathers of arrays that the host's pool does not hold.

#include <cmath>

#include "cost-model/footprint.h"
#include "rules/engine/rule.h"
#include "rules/match/memory.h"

namespace cpnlint::rules::r405 {

constexpr double kTight = 0.8;  // of the pool

// Fires when
//   1. the operation maps a whole array into host memory, and its size is known,
//   2. that is more than four fifths of the host pool of one process.
// Quiet: (a) what is sliced or reduced first maps the result alone, (b) unknown sizes are condition 1, (d) 0-d results
// are no gathers, (e) host arrays neither.
static void OnModule(const Facts& facts, ir::ModuleId module, Trial& trial) {
  const cost::MemoryPlan* plan = trial.target().memory;
  if (plan == nullptr || plan->host_pool <= 0) return;
  for (const std::uint32_t gather : plan->gathers) {
    const analysis::WorkTask& task = plan->work->tasks[gather];
    if (match::ModuleOf(facts, task.op) != module) continue;
    trial.Considers(task.op);
    const auto bytes = facts.store().dims().AsConst(task.to_host);
    if (!trial.Holds(1, bytes.has_value()) || !bytes) continue;
    if (!trial.Holds(2, static_cast<double>(*bytes) > kTight * plan->host_pool)) continue;
    const ir::ValueId array = task.operands.empty() ? ir::ValueId() : task.operands.front().root;
    const analysis::EvidenceSet evidence = array.valid() ? match::SizeEvidence(facts, array) : 0;
    Trial::Report report = trial.ReportOp(task.op);
    report.Arg("call", facts.program().ops[task.op].span)
        .Arg("bytes", match::BytesText(static_cast<double>(*bytes)))
        .Arg("array", array.valid() ? match::ArrayText(facts, array) : Text("the array"))
        .Arg("pool", match::BytesText(plan->host_pool))
        .Root(array)
        .Evidence(evidence)
        .Severity(evidence == 0 ? Severity::kError : Severity::kWarning)
        .Doctor("array gather");
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 405,
    .slug = "host-copy-over-sysmem",
    .family = Family::kMemory,
    .severity = Severity::kWarning,
    .cold = Severity::kWarning,
    .summary = "an array is gathered that host memory does not hold",
    .message = "`{call}` maps all {bytes} of `{array}` into host memory of every process, whose pool has {pool}",
    .why = "a gather maps the whole array on each node and keeps it mapped until the array goes (26.07)",
    .details = R"md(
Fires where a whole array crosses to the host (`asarray` of the host's NumPy, `tolist`, `print`, plotting, saving, SciPy), its
size is known, and it exceeds 80 % of the host pool: `--sysmem`, or 80 % of the memory that the profile's host has. `print` of a
large array gathers all of it, even though it shows a few numbers.

Stays quiet

- (a) where the array is reduced or sliced before it crosses
- (b) where its size is not known
- (d) on 0-d results
- (e) on host arrays
)md",
    .bad = R"py(
import numpy as np

height = np.random.rand(600_000_000_000)
print(height.tolist())
)py",
    .good = R"py(
import numpy as np

height = np.random.rand(600_000_000_000)
print(height[:100].tolist())
)py",
    .recipe = "RR-reduce-first",
    .doctor = "array gather",
    .preview = true,
    .conditions = R"md(
1. the operation maps a whole array into host memory, and its size is known
2. that is more than four fifths of the host pool of one process
)md",
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r405
