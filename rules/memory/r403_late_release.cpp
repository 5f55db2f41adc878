// R403 late-release: large arrays that a name holds through work that does not use them.

#include <algorithm>

#include "cost-model/footprint.h"
#include "rules/engine/rule.h"
#include "rules/match/memory.h"

namespace cpnlint::rules::r403 {

constexpr double kLarge = 256.0 * (1 << 20), kShare = 0.05, kTight = 0.8;

// Fires when
//   1. the array takes 256 MiB on a GPU or 5 % of the pool,
//   2. after its last use comes a hot loop, or arrays are made that take as much,
//   3. a name holds it until then.
// Quiet: (a) used later, (b) the function ends and (c) bound anew before that work are condition 3, (d) small arrays
// are condition 1, (e) views count as uses of their source.
static void OnModule(const Facts& facts, ir::ModuleId module, Trial& trial) {
  const cost::MemoryPlan* plan = trial.target().memory;
  if (plan == nullptr || plan->pool <= 0) return;
  for (const cost::Footprint& footprint : plan->roots) {
    for (const cost::Lifetime& array : footprint.arrays) {
      if (match::ModuleOf(facts, array.array) != module) continue;
      trial.Considers(array.array);
      const double bound = std::min(kLarge, kShare * plan->pool);
      if (!trial.Holds(1, array.known && array.bytes >= bound)) continue;
      const auto loop = std::find_if(footprint.loops.begin(), footprint.loops.end(), [&](const cost::LoopSpan& span) {
        return span.begin > array.last && span.begin < array.end && span.loop.valid();
      });
      // What the statement of the last use makes besides is no later work.
      const ir::ValueId last = plan->work->tasks[footprint.tasks[array.last]].op;
      double made = 0;
      for (const cost::Lifetime& other : footprint.arrays) {
        const ir::ValueId maker = plan->work->tasks[footprint.tasks[other.first]].op;
        const bool same = last.valid() && maker.valid() &&
                          facts.program().ops[last].statement == facts.program().ops[maker].statement;
        if (other.first > array.last && other.first < array.end && !same) made += other.bytes;
      }
      const bool more = loop != footprint.loops.end() || made >= array.bytes;
      if (!trial.Holds(2, more)) continue;
      // A parameter is the caller's, an array of an object or a container may be wanted by somebody else.
      const bool named = array.end > array.last + 1 && !facts.Escapes(array.array) &&
                         facts.program().ops[array.array].kind != ir::OpKind::kParam &&
                         match::IsHeldByName(facts, array.array);
      if (!trial.Holds(3, named)) continue;
      const bool at_peak =
          array.begin <= footprint.peak.step && footprint.peak.step < array.end && footprint.peak.step > array.last;
      Trial::Report report = trial.ReportOp(array.array);
      report.Arg("array", match::ArrayText(facts, array.array))
          .Arg("bytes", match::BytesText(array.bytes))
          .Root(array.array)
          .Evidence(match::SizeEvidence(facts, array.array))
          .Severity(at_peak && footprint.peak.bytes > kTight * plan->pool ? Severity::kWarning : Severity::kInfo);
      if (last.valid()) report.Label(facts.program().ops[last].span, "last used here");
      if (loop != footprint.loops.end()) {
        const Span header = facts.program().loops[loop->loop].header_span;
        report.Arg("loop", header).Label(header, "held all through this loop");
      }
    }
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 403,
    .slug = "late-release",
    .family = Family::kMemory,
    .severity = Severity::kInfo,
    .cold = Severity::kInfo,
    .summary = "a large array stays referenced through work that does not use it",
    .message = "`{array}` ({bytes}) is used no more but stays referenced[[ through `{loop}`]]",
    .why = "an array's memory is used again as soon as nothing refers to it, and not before (26.07)",
    .details = R"md(
Fires where an array of known size, at least 256 MiB on each GPU or 5 % of the pool, is used for the last time, and a name
still holds it while a loop runs or while arrays of its size are made. A warning where the peak that it adds to takes 80 % of
the pool.

Stays quiet

- (a) where it is used later
- (b) where the function ends before that
- (c) where the name is bound anew before that
- (d) on small arrays, and where the size is not known
- (e) on views: they keep their source, and count as uses of it
)md",
    .bad = R"py(
import numpy as np

def spectrum(steps):
    raw = np.ones(4_000_000_000)
    power = raw * raw
    for _ in range(steps):
        power *= 0.99
    return power

print(spectrum(1000).sum())
)py",
    .good = R"py(
import numpy as np

def spectrum(steps):
    raw = np.ones(4_000_000_000)
    raw *= raw
    for _ in range(steps):
        raw *= 0.99
    return raw

print(spectrum(1000).sum())
)py",
    .recipe = "RR-release",
    .fix = FixClass::kUnsafe,
    .preview = true,
    .conditions = R"md(
1. the array takes 256 MiB on a GPU or 5 % of the pool
2. after its last use comes a hot loop, or arrays are made that take as much
3. a name holds it until then
)md",
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r403
