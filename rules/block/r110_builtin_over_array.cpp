#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "analyzer/analysis/item_doubt.h"
#include "rules/engine/rule.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r110 {
namespace {

using analysis::Callee;
using analysis::Kind;
using ir::ValueId;

constexpr std::int64_t kFew = 8;  // items that are few enough to walk

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view each : names) {
    if (name == each) return true;
  }
  return false;
}

bool WalksItsArgument(std::string_view name) {
  return IsOneOf(name, {"sum", "min", "max", "any", "all", "sorted", "reversed"});
}

const char* Replacement(std::string_view name) {
  if (name == "sum") return "np.sum";
  if (name == "min") return "np.min";
  if (name == "max") return "np.max";
  if (name == "any") return "np.any";
  if (name == "all") return "np.all";
  if (name == "sorted") return "np.sort";
  return "np.flip";
}

bool HasFewItems(const Facts& facts, ValueId array) {
  const auto items = facts.MostItems(array);
  return items && *items < kFew;
}

// Known to be small enough that walking it outside of loops costs little.
bool IsSmall(const Facts& facts, ValueId array, std::int64_t split) { return facts.KnownBelow(array, split); }

bool IsLoopIterable(const Facts& facts, ValueId call) {
  for (const ValueId use : facts.DeepUsesOf(call)) {
    if (facts.program().ops[use].kind == ir::OpKind::kIter) return true;
  }
  return false;
}

// Fires when
//   1. a builtin (not shadowed) that walks its argument is called on one, or handed to functools.reduce with one,
//   2. the argument is a device array that has at least one axis,
//   3. its first extent is not known to be below 8.
void OnCall(const Facts& facts, ValueId call, Trial& trial) {
  const ir::Program& program = facts.program();
  const Callee& callee = facts.CalleeOf(call);
  std::string_view name = callee.name;
  std::uint32_t at = 1;
  if (callee.kind == Callee::Kind::kForeign && name == "functools.reduce") {
    const analysis::Value& function = facts.Of(program.Operand(call, 1));
    if (function.kind != Kind::kBuiltin) return;
    name = program.names.Text(function.name);
    at = 2;
  } else if (callee.kind == Callee::Kind::kForeign && name.starts_with("builtins.")) {
    name.remove_prefix(std::string_view("builtins.").size());
  } else if (callee.kind != Callee::Kind::kBuiltin) {
    return;
  }
  const bool pairwise = name == "divmod";
  if (!trial.Holds(1, WalksItsArgument(name) || pairwise)) return;
  const std::size_t positional = facts.PositionalCount(call);
  if (positional < at || facts.HasStarArguments(call)) return;
  // With several arguments min and max compare them; that is a branch (R105).
  if (at == 1 && IsOneOf(name, {"min", "max"}) && positional != 1) return;
  if (name == "reversed" && IsLoopIterable(facts, call)) return;  // R103

  ValueId array = program.Operand(call, at);
  if (pairwise && !facts.IsDevice(array) && positional == 2) {
    array = program.Operand(call, at = 2);
  }
  if (!facts.IsDevice(array)) return;
  const bool has_axis = pairwise || !facts.IsZeroD(array);  // divmod raises for 0-d arrays, too
  if (!trial.Holds(2, has_axis)) return;
  if (!trial.Holds(3, pairwise || !HasFewItems(facts, array))) return;

  Trial::Report report = trial.ReportOp(call);
  const Span span = program.OperandSpan(call, at);
  report.Arg("name", std::string(name)).Arg("array", span).Root(facts.RootOf(array));
  report.Evidence(facts.Of(array).evidence | callee.evidence);
  const bool doubtful =
      facts.UsuallyFewItems(array) || analysis::MayHoldText(facts, array) || analysis::MayHoldKeys(facts, array);
  if (!pairwise && doubtful) report.Confidence(Confidence::kPossible);
  match::TellOrigin(facts, array, program.ops[call].span, report);
  match::TellHotLoop(facts, call, program.ops[call].span, report);
  if (pairwise) {
    report.Message("`divmod` of `{array}` raises").Why("cuPyNumeric arrays have no __divmod__ (26.07)");
    report.Raises().Severity(Severity::kError);
    if (positional != 2) return;
    const Span left = program.OperandSpan(call, 1), right = program.OperandSpan(call, 2);
    const auto with = [&](const char* op) {
      return Text().Add(left, Binding::kProduct).Add(op).Add(right, Binding::kUnary);
    };
    report.Help(Text("write `").Add(with(" // ")).Add("` and `").Add(with(" % ")).Add("`"));
    return;
  }
  if (!IsSmall(facts, array, trial.target().split)) report.Severity(Severity::kError);
  if (name == "sum") {
    report.Why(
        "Python's `sum` queues one addition per item of the first axis: thousands of tiny tasks for one reduction "
        "(26.07)");
  }
  if (positional == at && facts.KeywordArgument(call, "key") == ValueId::None()) {
    // The builtins walk the first axis.
    const bool one_axis = facts.RankOf(array) == 1 || !IsOneOf(name, {"sum", "reversed"});
    report.Help(Text("write `").Add(Replacement(name)).Add("(").Add(span).Add(one_axis ? ")`" : ", axis=0)`"));
  } else {
    report.Help(Text("use `").Add(Replacement(name)).Add("` on ").Add(match::Quoted(span)));
  }
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 110,
    .slug = "builtin-over-array",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kWarning,
    .summary = "a Python builtin walks an array item by item",
    .message = "`{name}` walks `{array}` item by item",
    .why = "the builtin compares items in Python: each one is a task, and each comparison waits for it (26.07)",
    .details = R"md(
Python's `sum`, `min`, `max`, `any`, `all`, `sorted` and `reversed` know nothing of arrays: they iterate. On a cuPyNumeric
array each item is a slice or a read. `sum` over a 2-D array queues one addition per row and does not wait; the comparing ones
test each item, and each test waits. `divmod` raises.

**Fires when**

1. a builtin (not shadowed) that walks its argument is called, or handed to `functools.reduce`
2. the argument is a device array that has at least one axis
3. its first extent is not known to be below 8

It is *possible* and no more where defaults, names and usage say that there are few items (`np.vstack([low, high])`, one entry
per axis), and where they may be texts (`np.unique(names)`). It is an error in hot code and on arrays of unknown or large size, a warning on small ones elsewhere.

**Stays quiet**

- (a) `len(a)`, `abs(a)`, `pow(a, 2)`, which are one operation each
- (b) `sum(list_of_arrays)`, a chain of additions, and `sum(w * f for ...)` over a Python list
- (c) `max(nx, ny)` and `min(a.shape)`
- (d) shadowed names and `np.max`
- (e) `any(isinstance(x, ...) for x in args)`
- (f) host arrays

With NaN in the data the three differ: the builtin's answer depends on positions, NumPy's is NaN, and cuPyNumeric's `max` and
`min` ignore NaN.
)md",
    .bad = R"py(import numpy as np


def worst(n):
    residual = np.linspace(0.0, 1.0, n)
    return max(residual)
)py",
    .good = R"py(import numpy as np


def worst(n):
    residual = np.linspace(0.0, 1.0, n)
    return np.max(residual)
)py",
    .recipe = "RR-builtin",
    .fix = FixClass::kSafe,
    .doctor = "builtin on array",
    .preview = true,
    .may_raise = true,
    .ops = {ir::OpKind::kCall},
    .on_op = &OnCall,
};

}  // namespace cpnlint::rules::r110
