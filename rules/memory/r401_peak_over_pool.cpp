// R401 peak-over-pool: statements at which more bytes are alive than the pool holds.

#include <algorithm>
#include <cmath>

#include "cost-model/footprint.h"
#include "rules/engine/rule.h"
#include "rules/match/memory.h"

namespace cpnlint::rules::r401 {

constexpr double kTight = 0.8;  // of the pool
constexpr std::size_t kMostNames = 3;

// Fires when
//   1. every size that makes up the peak of what runs is known,
//   2. the peak exceeds four fifths of the pool of one processor.
// Quiet: (a) unknown sizes are condition 1, (b) arrays that are filled and never used have no storage, (c) arrays below
// the split threshold count once, (d) host arrays are not in the plan, (e) no pool is known.
static void OnModule(const Facts& facts, ir::ModuleId module, Trial& trial) {
  const cost::MemoryPlan* plan = trial.target().memory;
  if (plan == nullptr || plan->pool <= 0) return;
  for (const cost::Footprint& footprint : plan->roots) {
    const cost::Moment& peak = footprint.peak;
    if (peak.arrays.empty()) continue;
    const ir::ValueId op = plan->work->tasks[footprint.tasks[peak.step]].op;
    if (!op.valid() || match::ModuleOf(facts, op) != module) continue;
    trial.Considers(op);
    if (!trial.Holds(1, footprint.known)) continue;
    if (!trial.Holds(2, peak.bytes > kTight * plan->pool)) continue;
    Text names;
    analysis::EvidenceSet evidence = 0;
    for (std::size_t i = 0; i < peak.arrays.size(); ++i) {
      const cost::Lifetime& array = footprint.arrays[peak.arrays[i]];
      evidence |= match::SizeEvidence(facts, array.array);
      if (i >= kMostNames) continue;
      if (i > 0) names.Add(", ");
      names.Add("`").Add(match::ArrayText(facts, array.array)).Add("` (" + match::BytesText(array.bytes) + ")");
    }
    const double share = peak.bytes / plan->pool;
    Trial::Report report = trial.ReportOp(op);
    report.Arg("expr", facts.program().ops[op].span)
        .Arg("bytes", match::BytesText(peak.bytes))
        .Arg("of", plan->gpu ? "per GPU" : "per process")
        .Arg("n", std::to_string(static_cast<long>(std::lround(std::min(share, 1e6) * 100))))
        .Arg("pool", match::BytesText(plan->pool))
        .Arg("name", names)
        .Root(footprint.arrays[peak.arrays.front()].array)
        .Evidence(evidence)
        .Severity(share > 1 && evidence == 0 ? Severity::kError : Severity::kWarning);
    for (std::size_t i = 0; i < peak.arrays.size() && i < kMostNames; ++i) {
      const cost::Lifetime& array = footprint.arrays[peak.arrays[i]];
      if (array.array == op) continue;
      report.Label(facts.program().ops[array.array].span, match::BytesText(array.bytes) + " are made here");
    }
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 401,
    .slug = "peak-over-pool",
    .family = Family::kMemory,
    .severity = Severity::kWarning,
    .cold = Severity::kWarning,
    .summary = "more bytes are alive than the memory pool holds",
    .message = "at `{expr}` about {bytes} {of} are alive, {n} % of the pool of {pool}[[; the largest are {name}]]",
    .why = "Legate reserves its pools when it starts, and a program that asks for more ends with an error (26.07)",
    .details = R"md(
Fires at the statement where the most bytes are alive, for each module body and each function that nothing in the program
calls, when every size there is known (literals, `--assume`, pragmas) and the sum exceeds 80 % of the pool: an error where it
exceeds all of it and nothing was assumed.

What is counted: the arrays that are referenced at the statement, each divided by the number of GPUs (in full where it is below
the split threshold of 1,048,576 elements or needed whole by every GPU), and the statement's hidden temporaries. An array lives
until its last use, or as long as a name holds it; a name in a loop still holds the last pass's array while the next is made.
The pool is `--fbmem`, or 95 % of what the profile's GPU has left; without a GPU it is `--sysmem`, or 80 % of the host's memory.

Stays quiet

- (a) where a size is not known
- (b) on arrays that are filled and never used: they have no storage
- (c) arrays below the threshold count on one GPU
- (d) on host arrays
- (e) where no pool is known

What to do, in this order: a larger pool, RR-hint, drop references (RR-release), work in place (RR-inplace), offload (RR-offload),
a smaller dtype (RR-precision), more GPUs.
)md",
    .bad = R"py(
import numpy as np

rain = np.ones(20_000_000_000)
runoff = rain * 0.7
storage = runoff + 1.0
print((rain + runoff + storage).sum())
)py",
    .good = R"py(
import numpy as np

rain = np.ones(2_000_000_000)
rain *= 0.7
rain += 1.0
print(rain.sum())
)py",
    .recipe = "RR-fit",
    .preview = true,
    .conditions = R"md(
1. every size that makes up the peak of what runs is known
2. the peak exceeds four fifths of the pool of one processor
)md",
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r401
