// R202 rebinding-in-loop: `x = x + e` where `x += e` would do.

#include "analyzer/api/api.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"
#include "rules/match/lifetime.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r202 {

using ir::OpKind;

// The old value of the variable that `op` gives a new one to, and how it is written.
struct Rebound {
  ir::ValueId old;  // operand of op
  std::uint32_t operand = 0;
  bool attribute = false;
};

static bool IsElementwise(const Facts& facts, ir::ValueId op) {
  const ir::Op& it = facts.program().ops[op];
  if (it.kind == OpKind::kBinary) return static_cast<ir::BinaryOp>(it.detail) != ir::BinaryOp::kMatMul;
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  return call && api::IsUfunc(call.name) && call.base != "matmul" && !facts.KeywordArgument(op, "out").valid();
}

static Rebound FindRebound(const Facts& facts, ir::ValueId op, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const auto operands = program.Operands(op);
  const ir::ValueId next = match::NextPassOf(facts, op, loop);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    if (next.valid() && operands[i] == next) return {next, i, false};
  }
  // self.u = self.u + e
  for (const ir::ValueId use : facts.UsesOf(op)) {
    if (program.ops[use].kind != OpKind::kStoreAttr || program.Operand(use, 1) != op) continue;
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].valid() || program.ops[operands[i]].kind != OpKind::kAttr) continue;
      const bool same = program.ops[operands[i]].payload == program.ops[use].payload &&
                        facts.Source(program.Operand(operands[i], 0)) == facts.Source(program.Operand(use, 0));
      if (same) return {operands[i], i, true};
    }
  }
  return {};
}

// The old array is still wanted after the statement, or somebody else holds it.
static bool OldValueKept(const Facts& facts, ir::ValueId op, ir::ValueId old, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (match::LeavesThePass(facts, old, loop)) return true;
  for (const ir::ValueId use : facts.UsesOf(old)) {
    if (use > op && program.ops[use].kind != OpKind::kPhi && facts.InLoop(use, loop)) return true;
    // prev = x becomes a variable of the next pass.
    if (program.ops[use].kind == OpKind::kPhi && use != old && program.ops[use].block == program.loops[loop].header)
      return true;
  }
  return false;
}

// Something else still names the array that enters the loop, or the caller does: then a copy goes first.
static bool EntersShared(const Facts& facts, const Rebound& rebound, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (rebound.attribute || program.ops[rebound.old].kind != OpKind::kPhi) return false;
  for (const ir::ValueId entering : program.Operands(rebound.old)) {
    if (!entering.valid() || facts.InLoop(entering, loop)) continue;
    const OpKind kind = program.ops[entering].kind;
    if (kind == OpKind::kParam || kind == OpKind::kAttr || facts.UsesOf(entering).size() > 1) return true;
  }
  return false;
}

static Text InPlace(const ir::Program& program, ir::ValueId op, const Rebound& rebound) {
  const Span old = program.OperandSpan(op, rebound.operand);
  Text help("RR-inplace  write `");
  if (program.ops[op].kind != OpKind::kBinary) {
    return help.Add("out=").Add(old).Add("` in the call, so that it writes into the array that is there");
  }
  const auto kind = static_cast<ir::BinaryOp>(program.ops[op].detail);
  const bool commutes = kind == ir::BinaryOp::kAdd || kind == ir::BinaryOp::kMul;
  if (rebound.operand == 0 || commutes) {
    return help.Add(old)
        .Add(" ")
        .Add(ir::Spelling(kind))
        .Add("= ")
        .Add(program.OperandSpan(op, 1 - rebound.operand))
        .Add("`");
  }
  const char* name = kind == ir::BinaryOp::kSub ? "np.subtract(" : kind == ir::BinaryOp::kDiv ? "np.divide(" : nullptr;
  if (name == nullptr) return {};
  return help.Add(name).Add(program.OperandSpan(op, 0)).Add(", ").Add(old).Add(", out=").Add(old).Add(")`");
}

// Fires when
//   1. the site is hot, in a loop of its own function,
//   2. an elementwise operation on x gives the next pass's x (a variable, or an attribute of one object),
//   3. x is a device array of rank 1 or more, and shape and dtype of the result are those of x.
// Quiet: (b) is condition 3, (c) and (e) numbers and 0-d values are no arrays of rank 1, (d) the old x is still in use.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  if (!facts.IsDevice(op) || !IsElementwise(facts, op)) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(1, hot.loop.valid()) || !hot.loop.valid()) return;
  const Rebound rebound = FindRebound(facts, op, hot.loop);
  if (!trial.Holds(2, rebound.old.valid()) || !rebound.old.valid()) return;
  const analysis::Value& before = facts.Of(rebound.old);
  const analysis::Value& after = facts.Of(op);
  const bool typed = before.dtype != ir::DType::kUnknown && before.dtype == after.dtype;
  const bool shaped = before.shape.valid() && before.shape == after.shape && facts.RankOf(op) >= 1;
  if (!trial.Holds(3, facts.IsDevice(rebound.old) && typed && shaped)) return;
  if (trial.Quiet('d', !rebound.attribute && hot.in_function && OldValueKept(facts, op, rebound.old, hot.loop))) return;
  Text help = InPlace(facts.program(), op, rebound);
  if (help.empty()) return;  // no legal rewrite, no finding
  if (EntersShared(facts, rebound, hot.loop))
    help.Add(", on a copy made before the loop where the old array is still needed");

  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("array", facts.program().OperandSpan(op, rebound.operand))
      .Root(rebound.attribute ? facts.RootOf(rebound.old) : rebound.old)
      .Evidence(before.evidence | after.evidence)
      .PrimaryLabel("a new array, while the old one is still in use")
      .Help(help);
  if (facts.KnownBelow(op, trial.target().split)) report.Severity(Severity::kInfo);
  match::TellPasses(facts, op, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 202,
    .slug = "rebinding-in-loop",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "an array replaced on every pass by a new one of the same shape and type",
    .message = "`{expr}` builds a new array for `{array}` on every pass[[ of {passes}]]",
    .why = "the old and the new array both live until the tasks that read them are done; updating in place needs one",
    .details = R"md(
Fires in hot loops on `x = x + e` and `x = np.f(x, ...)` with an elementwise operation of which x itself is an operand,
where shape and dtype of the result are known to be those of x, and on the same form for an attribute.

Stays quiet on `x += e`, on results of another shape or dtype, on numbers and 0-d accumulators, where the old array is
read afterwards or kept (`previous = x`), and where x is replaced by something unrelated (`u = solver(u)`).

What it buys is memory, seldom time: the runtime recycles a few generations of the same size.
)md",
    .bad = R"py(
import numpy as np

def drift(n, steps):
    position = np.zeros((n, 3))
    velocity = np.ones((n, 3))
    for _ in range(steps):
        position = position + 0.1 * velocity
    return position
)py",
    .good = R"py(
import numpy as np

def drift(n, steps):
    position = np.zeros((n, 3))
    velocity = np.ones((n, 3))
    for _ in range(steps):
        position += 0.1 * velocity
    return position
)py",
    .recipe = "RR-inplace",
    .fix = FixClass::kUnsafe,
    .ops = {OpKind::kBinary, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r202
