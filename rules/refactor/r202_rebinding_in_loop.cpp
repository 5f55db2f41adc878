// R202 rebinding-in-loop: `x = x + e` where `x += e` would do.

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/api/api.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"
#include "rules/match/lifetime.h"
#include "rules/match/rebinding.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r202 {

using ir::OpKind;

// The old value of the variable that `op` gives a new one to, and how it is written.
struct Rebound {
  ir::ValueId old;  // operand of op
  std::uint32_t operand = 0;
  bool place = false;  // an attribute, an entry of a dictionary, a variable of others
};

static bool IsElementwise(const Facts& facts, ir::ValueId op) {
  const ir::Op& it = facts.program().ops[op];
  if (it.kind == OpKind::kBinary) return static_cast<ir::BinaryOp>(it.detail) != ir::BinaryOp::kMatMul;
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  return call && api::IsUfunc(call.name) && call.base != "matmul" && !facts.KeywordArgument(op, "out").valid();
}

static Rebound FindRebound(const Facts& facts, ir::ValueId op) {
  const auto operands = facts.program().Operands(op);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    if (match::RebindsVariable(facts, op, operands[i])) return {operands[i], i, false};
    if (match::ReplacesAtPlace(facts, op, operands[i])) return {operands[i], i, true};
  }
  return {};
}

// Nobody but the variable that is given a new value has the array that `old` is.
class Owner {
 public:
  Owner(const Facts& facts, ir::ValueId op, ir::LoopId loop)
      : facts_(facts), program_(facts.program()), op_(op), loop_(loop) {}

  [[nodiscard]] bool Owns(ir::ValueId old) {
    work_ = {{old, false}};
    while (!work_.empty()) {
      const auto [value, of_last_pass] = work_.back();
      work_.pop_back();
      if (!seen_.insert(value).second) continue;
      if (seen_.size() > kMost || HeldByOther(value) || match::LeavesThePass(facts_, value, loop_)) return false;
      if (!of_last_pass && UsedLater(value)) return false;
      switch (program_.ops[value].kind) {
        case OpKind::kPhi:
          for (const ir::ValueId operand : program_.Operands(value)) {
            // What enters the loop is copied before it, where somebody else has it.
            const bool looped = IsLoopPhi(value);
            if (operand.valid() && (!looped || facts_.InLoop(operand, loop_)))
              work_.emplace_back(operand, looped || of_last_pass);
          }
          break;
        case OpKind::kInplaceBinary: work_.emplace_back(program_.Operand(value, 0), of_last_pass); break;
        case OpKind::kBinary:
        case OpKind::kUnary:
        case OpKind::kCompare:
        case OpKind::kCall:
          if (facts_.RootOf(value) != value) return false;  // a view of another array, or one that a function hands on
          break;
        default: return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kMost = 64;

  [[nodiscard]] bool IsLoopPhi(ir::ValueId phi) const {
    const ir::LoopId in = program_.LoopOf(phi);
    return in.valid() && program_.ops[phi].block == program_.loops[in].header && facts_.InLoop(op_, in);
  }

  // `prev = x`: it becomes the value of another variable.
  [[nodiscard]] bool HeldByOther(ir::ValueId value) const {
    const auto uses = facts_.UsesOf(value);
    return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
      return program_.ops[use].kind == OpKind::kPhi && !match::RebindsVariable(facts_, op_, use);
    });
  }

  // The array is read after the statement, or a view of it is.
  [[nodiscard]] bool UsedLater(ir::ValueId value) const {
    const auto uses = facts_.UsesOf(value);
    const auto later = [&](ir::ValueId use) {
      return use > op_ && program_.ops[use].kind != OpKind::kPhi &&
             (facts_.InLoop(use, loop_) || !facts_.InLoop(op_, loop_));
    };
    return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
      if (use == op_ || seen_.contains(use)) return false;
      if (later(use)) return true;
      const bool view = facts_.IsArray(use) && program_.ops[use].kind != OpKind::kInplaceBinary &&
                        facts_.RootOf(use).valid() && facts_.RootOf(use) == facts_.RootOf(value);
      const auto readers = facts_.UsesOf(use);
      return view && std::any_of(readers.begin(), readers.end(), later);
    });
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::ValueId op_;
  ir::LoopId loop_;
  std::vector<std::pair<ir::ValueId, bool>> work_;  // true: what the pass before left
  std::unordered_set<ir::ValueId> seen_;
};

// The old array is still wanted after the statement, or somebody else holds it.
static bool OldValueKept(const Facts& facts, ir::ValueId op, const Rebound& rebound, ir::LoopId loop) {
  if (rebound.place) return match::PlaceIsHeld(facts, op, rebound.old, loop);
  return !Owner(facts, op, loop).Owns(rebound.old);
}

// Something else still names the array that enters the loop, or the caller does: then a copy goes first.
static bool EntersShared(const Facts& facts, const Rebound& rebound, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (rebound.place || program.ops[rebound.old].kind != OpKind::kPhi) return false;
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

// `x = x + x.T` reads x in another order than it would be written in.
static bool ReadsThroughView(const Facts& facts, ir::ValueId op, ir::ValueId old) {
  const auto operands = facts.program().Operands(op);
  return std::any_of(operands.begin(), operands.end(), [&](ir::ValueId operand) {
    return operand.valid() && operand != old && facts.IsArray(operand) && facts.RootOf(operand).valid() &&
           facts.RootOf(operand) == facts.RootOf(old) && facts.Source(operand) != facts.Source(old);
  });
}

// Known to be less than a tenth of the memory for arrays of the GPUs: what it buys is little.
static bool IsSmallPart(const Facts& facts, ir::ValueId op, const Target& target) {
  constexpr double kTenthOfPool = 8e9;  // bytes, of the 80 GB of the usual GPU
  const double elements = kTenthOfPool * target.gpus / ir::ItemSize(facts.Of(op).dtype).value_or(8);
  return facts.KnownBelow(op, std::max(target.split, static_cast<std::int64_t>(elements)));
}

// Fires when
//   1. the site is hot,
//   2. an elementwise operation on x gives the new x: a variable, an attribute of one object, an entry of a dictionary,
//   3. x is a device array of rank 1 or more, and shape and dtype of the result are those of x.
// Quiet: (b) is condition 3, (c) and (e) numbers and 0-d values are no arrays of rank 1, (d) the old x is still in use
// or somebody else has it.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  if (!facts.IsDevice(op) || !IsElementwise(facts, op)) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(1, hot.loop.valid()) || !hot.loop.valid()) return;
  const Rebound rebound = FindRebound(facts, op);
  if (!trial.Holds(2, rebound.old.valid()) || !rebound.old.valid()) return;
  const analysis::Value& before = facts.Of(rebound.old);
  const analysis::Value& after = facts.Of(op);
  const bool typed = before.dtype != ir::DType::kUnknown && before.dtype == after.dtype;
  const bool shaped = before.shape.valid() && before.shape == after.shape && facts.RankOf(op) >= 1;
  if (!trial.Holds(3, facts.IsDevice(rebound.old) && typed && shaped)) return;
  if (trial.Quiet('d', OldValueKept(facts, op, rebound, hot.loop))) return;
  if (ReadsThroughView(facts, op, rebound.old)) return;  // no legal rewrite, no finding
  Text help = InPlace(facts.program(), op, rebound);
  if (help.empty()) return;  // no legal rewrite, no finding
  if (EntersShared(facts, rebound, hot.loop))
    help.Add(", on a copy made before the loop where the old array is still needed");

  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("array", facts.program().OperandSpan(op, rebound.operand))
      .Root(rebound.place ? facts.RootOf(rebound.old) : rebound.old)
      .Evidence(before.evidence | after.evidence)
      .PrimaryLabel("a new array, while the old one is still in use")
      .Help(help);
  if (IsSmallPart(facts, op, trial.target())) report.Severity(Severity::kInfo);
  match::TellPasses(facts, op, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 202,
    .slug = "rebinding-in-loop",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "an array replaced on every pass by a new one of the same shape and type",
    .message = "`{expr}` builds a new array for `{array}`[[ {passes}]]",
    .why = "the old and the new array both live until the tasks that read them are done; updating in place needs one",
    .details = R"md(
Fires in hot loops on `x = x + e` and `x = np.f(x, ...)` with an elementwise operation of which x itself is an operand,
where shape and dtype of the result are known to be those of x, and on the same form for an attribute, an entry of a
dictionary, a global variable.

Stays quiet on `x += e`, on results of another shape or dtype, on numbers and 0-d accumulators, where the old array is
read afterwards, kept (`previous = x`, `frames.append(x)`) or seen through a view (`x + x.T`), and where x is replaced by
something unrelated (`u = solver(u)`).

An info where the array is known to take less than a tenth of the memory for arrays. What it buys is memory, seldom
time: the runtime recycles a few generations of the same size.
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
    .conditions = R"md(
1. the site is hot
2. an elementwise operation on x gives the new x: a variable, an attribute of one object, an entry of a dictionary
3. x is a device array of rank 1 or more, and shape and type of the result are those of x
- (d) the old x is still in use, or somebody else has it
)md",
    .ops = {OpKind::kBinary, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r202
