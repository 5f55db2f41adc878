// R312 uneven-extents: work that can be split along one axis only, whose extent does not suit the number of GPUs.

#include <cstdio>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/workload.h"

namespace cpnlint::rules::r312 {

using ir::OpKind;

constexpr double kUneven = 1.1;  // share of the busiest GPU from which on it is told

// What can be split along its first axis only; None() where that is not so.
static ir::ValueId SplitAlongFirst(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  if (program.ops[op].kind == OpKind::kSubscript) {
    const ir::ValueId base = program.Operand(op, 0);
    const auto& keys = facts.SubscriptOf(op).keys;
    const bool mask = keys.size() == 1 && keys[0].kind == analysis::KeyKind::kMask;
    return mask && facts.IsDevice(base) && facts.RankOf(base) >= 2 ? base : ir::ValueId();
  }
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call || !facts.IsDevice(call.array)) return {};
  const int rank = facts.RankOf(call.array);
  if (match::IsOneOf(call.base, {"linalg.solve", "linalg.inv", "linalg.cholesky", "linalg.eig", "linalg.eigh",
                                 "linalg.eigvals", "linalg.eigvalsh"}))
    return rank == 3 ? call.array : ir::ValueId();
  if (match::IsOneOf(call.base, {"nonzero", "argwhere"})) return rank >= 2 ? call.array : ir::ValueId();
  const bool one = match::IsOneOf(call.base, {"fft.fft", "fft.ifft"});
  if (!one && !match::IsOneOf(call.base, {"fft.fft2", "fft.ifft2"})) return {};
  if (rank != (one ? 2 : 3) || match::Argument(facts, call, 1, one ? "n" : "s").valid()) return {};
  const ir::ValueId axis = match::Argument(facts, call, 2, one ? "axis" : "axes");
  if (!axis.valid()) return call.array;
  const auto which = one ? facts.IntOf(axis) : std::nullopt;
  return which && (*which == -1 || *which == 1) ? call.array : ir::ValueId();
}

// Fires when
//   1. there are several GPUs, and the site is in a hot loop,
//   2. the operation can be split along one axis only (a batch of transforms or systems, a mask read, nonzero), its
//   array is of known size, and large enough to be split,
//   3. the busiest GPU has a tenth more than its share, or some have nothing.
// Quiet: (a) large extents are condition 3, (b) elementwise work is no such operation, (d) unknown sizes are condition
// 2, (e) is condition 1.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const Target& target = trial.target();
  const ir::ValueId array = SplitAlongFirst(facts, op);
  if (!array.valid()) return;
  const analysis::Heat& heat = facts.HeatOf(op);
  if (!trial.Holds(1, target.gpus > 1 && heat.hot && heat.region.valid())) return;
  const auto extent = facts.store().dims().AsConst(facts.ExtentOf(array, 0));
  if (!trial.Holds(2, extent && *extent > 0 && facts.KnownAtLeast(array, target.split)) || !extent) return;
  const std::int64_t tile = (*extent + target.gpus - 1) / target.gpus;
  const double share = static_cast<double>(tile) * target.gpus / static_cast<double>(*extent);
  if (!trial.Holds(3, share >= kUneven)) return;

  const ir::Program& program = facts.program();
  char factor[32];
  std::snprintf(factor, sizeof factor, "%.1f", share);
  Trial::Report report = trial.ReportOp(op);
  const Span span = program.ops[op].span;
  report
      .Arg("array", program.ops[op].kind == OpKind::kSubscript ? program.OperandSpan(op, 0)
                                                               : match::AsDeviceCall(facts, op).array_span)
      .Arg("n", match::Grouped(*extent))
      .Arg("gpus", std::to_string(target.gpus))
      .Arg("k", factor)
      .Evidence(facts.Of(array).evidence)
      .Key("loop");
  // Once per hot loop, at its header; there is none to point at where another module has it.
  if (heat.region.valid() && program.loops[heat.region].function == program.FunctionOf(op)) {
    report.At(program.loops[heat.region].header_span).Label(span, "only axis 0 can be split");
  }
  if (*extent < target.gpus) {
    report.Message("axis 0 of `{array}` has {n} entries for {gpus} GPUs, so some of them have nothing to do");
  }
  const std::int64_t even = tile * target.gpus;
  report.Help(Text("RR-extent  pad the batch to ")
                  .Add(match::Grouped(even))
                  .Add(" and slice the rest off, or use a number of GPUs that divides ")
                  .Add(match::Grouped(*extent)));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 312,
    .slug = "uneven-extents",
    .family = Family::kInfo,
    .severity = Severity::kInfo,
    .cap = Confidence::kLikely,
    .summary = "a batch that does not suit the number of GPUs",
    .message = "axis 0 of `{array}` has {n} entries for {gpus} GPUs, so the busiest one does {k} times its share",
    .why =
        "each GPU gets a tile of ceil(extent / GPUs) entries, the last one what is left; batched transforms and "
        "solvers "
        "and mask reads have one axis to split (26.07)",
    .details = R"md(
Fires once per hot loop, at its header, when an operation that can be split along one axis only works on an array of known
size, large enough to be split at all, and the busiest GPU gets 10 % more than its share: `solve`, `inv`, `cholesky` and the
eig family on a stack of matrices, complex transforms that leave one axis alone, `nonzero`, `argwhere` and reads through a
mask of arrays of two or more axes.

Stays quiet

- (a) on large extents, whose last tile is hardly shorter
- (b) on elementwise work of several axes: another axis can be split
- (c) fewer entries than GPUs are told by another message: some GPUs have nothing to do
- (d) where a size is not known
- (e) with one GPU

To pad an axis of a million entries gains nothing that could be measured, contrary to the migration guide.
)md",
    .bad = R"py(
import numpy as np

def relax(steps):
    k = np.zeros((5, 600, 600))
    k[:] = 2.0 * np.eye(600)
    u = np.ones((5, 600, 1))
    for _ in range(steps):
        u = np.linalg.solve(k, u)
    return u
)py",
    .good = R"py(
import numpy as np

def relax(steps):
    k = np.zeros((8, 600, 600))
    k[:] = 2.0 * np.eye(600)
    u = np.ones((8, 600, 1))
    for _ in range(steps):
        u = np.linalg.solve(k, u)
    return u
)py",
    .recipe = "RR-extent",
    .preview = true,
    .conditions = R"md(
1. there are several GPUs, and the site is in a hot loop
2. the operation can be split along one axis only (a batch of transforms or systems, a masked read, `nonzero`), and its array is of known size and large enough to be split
3. the busiest GPU has a tenth more than its share, or some have nothing to do
)md",
    .ops = {OpKind::kCall, OpKind::kSubscript},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r312
