// R216 array-function-on-scalar: a device function called with Python numbers only.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/call_path.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r216 {

using analysis::Kind;
using ir::OpKind;
using match::AsDeviceCall;
using match::DeviceCall;

// What computes the same of Python numbers.
struct Twin {
  std::string_view base;  // of numpy.
  std::string_view call;  // "math.cos", "abs"; a form with "x" and "y" where it is no call: "x ** y"
  std::size_t arguments = 1;
  bool raises = false;   // outside of its domain, where NumPy gives NaN or infinity
  bool complex = false;  // cmath has it, too
};

constexpr std::array kTwins = {
    Twin{"sin", "math.sin", 1, false, true},
    Twin{"cos", "math.cos", 1, false, true},
    Twin{"tan", "math.tan", 1, false, true},
    Twin{"arcsin", "math.asin", 1, true, true},
    Twin{"arccos", "math.acos", 1, true, true},
    Twin{"arctan", "math.atan", 1, false, true},
    Twin{"asin", "math.asin", 1, true, true},
    Twin{"acos", "math.acos", 1, true, true},
    Twin{"atan", "math.atan", 1, false, true},
    Twin{"arctan2", "math.atan2", 2},
    Twin{"atan2", "math.atan2", 2},
    Twin{"sinh", "math.sinh", 1, true, true},
    Twin{"cosh", "math.cosh", 1, true, true},
    Twin{"tanh", "math.tanh", 1, false, true},
    Twin{"exp", "math.exp", 1, true, true},
    Twin{"expm1", "math.expm1", 1, true},
    Twin{"log", "math.log", 1, true, true},
    Twin{"log2", "math.log2", 1, true},
    Twin{"log10", "math.log10", 1, true, true},
    Twin{"log1p", "math.log1p", 1, true},
    Twin{"sqrt", "math.sqrt", 1, true, true},
    Twin{"floor", "math.floor", 1, true},
    Twin{"ceil", "math.ceil", 1, true},
    Twin{"trunc", "math.trunc", 1, true},
    Twin{"hypot", "math.hypot", 2},
    Twin{"deg2rad", "math.radians", 1},
    Twin{"radians", "math.radians", 1},
    Twin{"rad2deg", "math.degrees", 1},
    Twin{"degrees", "math.degrees", 1},
    Twin{"isnan", "math.isnan", 1},
    Twin{"isinf", "math.isinf", 1},
    Twin{"isfinite", "math.isfinite", 1},
    Twin{"abs", "abs", 1, false, true},
    Twin{"absolute", "abs", 1, false, true},
    Twin{"fabs", "abs", 1},
    Twin{"minimum", "min", 2},
    Twin{"maximum", "max", 2},
    Twin{"fmin", "min", 2},
    Twin{"fmax", "max", 2},
    Twin{"power", "x ** y", 2, true},
    Twin{"pow", "x ** y", 2, true},
    Twin{"square", "x * x", 1},
    Twin{"clip", "min(max(x, low), high)", 3},
    Twin{"where", "y if x else z", 3},
};

static const Twin* TwinOf(const DeviceCall& call) {
  const auto* at = std::find_if(kTwins.begin(), kTwins.end(), [&](const Twin& twin) { return twin.base == call.base; });
  return at != kTwins.end() && !call.method ? at : nullptr;
}

static bool IsPythonNumber(Kind kind) { return kind >= Kind::kBool && kind <= Kind::kComplex; }

// A docstring calls the parameter a number, and some call hands over the item of what a loop walks, which may be an
// array.
static bool IsNumberByWordAlone(const Facts& facts, ir::ValueId param) {
  if (facts.program().ops[param].kind != OpKind::kParam) return false;
  return std::ranges::any_of(analysis::AllHandedOver(facts, param), [&](const analysis::Handed& handed) {
    return handed.known && !IsPythonNumber(facts.Of(handed.value).kind) &&
           facts.program().ops[facts.Source(handed.value)].kind == OpKind::kLoopItem;
  });
}

// The result of such a call, or arithmetic on one, is a Python number once the call is rewritten, too.
static bool BecomesNumber(const Facts& facts, ir::ValueId value) {
  constexpr std::size_t kMost = 40;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {value};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMost || !work[i].valid()) return false;
    const ir::ValueId now = facts.Source(work[i]);
    const bool number = IsPythonNumber(facts.Of(now).kind);
    if (number && (facts.Of(now).evidence & analysis::kDocumented) == 0) continue;
    if (IsNumberByWordAlone(facts, now)) return false;
    if (!number && facts.Of(now).kind != Kind::kNumpyScalar) return false;
    const OpKind kind = program.ops[now].kind;
    const DeviceCall call = match::AsDeviceCall(facts, now);
    if (kind == OpKind::kBinary || kind == OpKind::kUnary || kind == OpKind::kCompare) {
      const auto operands = program.Operands(now);
      work.insert(work.end(), operands.begin(), operands.end());
    } else if (call && TwinOf(call) != nullptr) {
      const auto arguments = program.Operands(now).subspan(1);
      work.insert(work.end(), arguments.begin(), arguments.end());
    } else if (!number) {
      return false;
    }
  }
  return true;
}

static bool TakesComplex(const Facts& facts, ir::ValueId call) {
  const auto arguments = facts.program().Operands(call).subspan(1);
  return std::any_of(arguments.begin(), arguments.end(), [&](ir::ValueId argument) {
    return facts.Of(argument).kind == Kind::kComplex || ir::IsComplex(facts.Of(argument).dtype);
  });
}

// Another such call in the same expression takes this one in: its advice is for both.
static bool InsideAnother(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {op};
  for (std::size_t i = 0; i < work.size() && i < 20; ++i) {
    for (const ir::ValueId use : facts.UsesOf(work[i])) {
      if (program.ops[use].statement != program.ops[op].statement || facts.Of(use).kind != Kind::kNumpyScalar) continue;
      if (!program.ops[use].span.Contains(program.ops[op].span)) continue;
      const DeviceCall call = match::AsDeviceCall(facts, use);
      if (call && TwinOf(call) != nullptr) return true;
      if (program.ops[use].kind == OpKind::kBinary || program.ops[use].kind == OpKind::kUnary) work.push_back(use);
    }
  }
  return false;
}

static bool IsFunction(const Twin& twin) { return twin.call.find(' ') == std::string_view::npos; }

// The words of an argument, with the calls of this kind in it rewritten, too.
static Text ArgumentText(const Facts& facts, const DeviceCall& call, std::uint32_t at) {
  const ir::Program& program = facts.program();
  std::vector<match::Cut> cuts;
  for (const ir::ValueId op : match::ExpressionOf(facts, program.Operand(call.call, at))) {
    const DeviceCall inner = match::AsDeviceCall(facts, op);
    const Twin* twin = inner ? TwinOf(inner) : nullptr;
    if (twin != nullptr && IsFunction(*twin)) cuts.push_back({program.OperandSpan(op, 0), Text(twin->call)});
  }
  std::sort(cuts.begin(), cuts.end(), [](const match::Cut& a, const match::Cut& b) { return a.span < b.span; });
  return match::Replace(program.OperandSpan(call.call, at), cuts);
}

// A constant that the function of `math` takes, as it takes all others of this range: sqrt(2.0), exp(-1.0).
static bool IsHarmless(const Facts& facts, const DeviceCall& call) {
  constexpr double kLargestExponent = 700;  // of e, within float64
  const std::optional<double> x = facts.NumberOf(facts.program().Operand(call.call, 1));
  if (!x) return false;
  if (match::IsOneOf(call.base, {"sqrt", "log1p"})) return *x >= 0;
  if (match::IsOneOf(call.base, {"log", "log2", "log10"})) return *x > 0;
  if (match::IsOneOf(call.base, {"exp", "expm1", "sinh", "cosh"})) return std::abs(*x) < kLargestExponent;
  if (match::IsOneOf(call.base, {"arcsin", "arccos", "asin", "acos"})) return std::abs(*x) <= 1;
  if (!match::IsOneOf(call.base, {"power", "pow"}) || *x <= 0) return false;
  const std::optional<double> exponent = facts.NumberOf(facts.program().Operand(call.call, 2));
  return exponent && std::abs(*exponent * std::log(*x)) < kLargestExponent;
}

// The same for expressions of one value, however often they are written: `numpy.sqrt(2.0)`. `%7` is what op 7 gives.
static std::string NameOf(const Facts& facts, ir::ValueId value, int depth = 6) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(value);
  if (const std::optional<double> number = facts.NumberOf(source)) return std::to_string(*number);
  const ir::Op& op = program.ops[source];
  const DeviceCall call = AsDeviceCall(facts, source);
  const bool twin = call && TwinOf(call) != nullptr && facts.PositionalCount(source) + 1 == op.operand_count;
  if (depth == 0 || (!twin && op.kind != OpKind::kBinary && op.kind != OpKind::kUnary))
    return "%" + std::to_string(source.index());
  std::string name =
      twin ? std::string(call.name) : std::to_string(static_cast<int>(op.kind)) + '.' + std::to_string(op.detail);
  for (const ir::ValueId part : program.Operands(source).subspan(twin ? 1 : 0))
    name += '(' + NameOf(facts, part, depth - 1) + ')';
  return name;
}

// " after `import math`" where nothing in the module imports it.
static std::string AfterImport(const Facts& facts, ir::ValueId op, std::string_view library) {
  const ir::Program& program = facts.program();
  const ir::ModuleId module = program.functions[program.FunctionOf(op)].module;
  const auto imports = [&](ir::ValueId id) {
    if (program.ops[id].kind != OpKind::kImport) return false;
    const ir::ImportRecord& record = program.imports[program.ops[id].payload];
    return !record.name.valid() && program.names.Text(record.module) == library;
  };
  for (const ir::Function& function : program.functions) {
    if (function.module != module) continue;
    for (const ir::BlockId block : function.blocks) {
      if (std::ranges::any_of(program.blocks[block].ops, imports)) return {};
    }
  }
  return " after `import " + std::string(library) + "`";
}

static Text Advice(const Facts& facts, const DeviceCall& call, const Twin& twin, bool complex) {
  const auto argument = [&](std::uint32_t at) { return ArgumentText(facts, call, at); };
  Text help("RR-ufunc  write `");
  std::string_view ends = "`";
  if (call.base == "where") {
    help.Add("(").Add(argument(2)).Add(" if ").Add(argument(1)).Add(" else ").Add(argument(3)).Add(")");
  } else if (call.base == "clip") {
    help.Add("min(max(").Add(argument(1)).Add(", ").Add(argument(2)).Add("), ").Add(argument(3)).Add(")");
  } else if (call.base == "power" || call.base == "pow") {
    help.Add("((").Add(argument(1)).Add(") ** (").Add(argument(2)).Add("))");
  } else if (call.base == "square") {
    help.Add("((").Add(argument(1)).Add(") ** 2)");
  } else {
    const bool from_math = twin.call.substr(0, 5) == "math.";
    help.Add(complex && from_math ? "c" : "").Add(twin.call).Add("(").Add(argument(1));
    if (twin.arguments == 2) help.Add(", ").Add(argument(2));
    help.Add(")`");
    if (from_math) help.Add(AfterImport(facts, call.call, complex ? "cmath" : "math"));
    ends = "";
  }
  help.Add(ends);
  if (match::IsOneOf(call.base, {"floor", "ceil", "trunc"})) return help.Add(", which gives an integer");
  if (twin.raises && !IsHarmless(facts, call)) help.Add(", which raises where NumPy gives NaN or infinity");
  return help;
}

// The twin of a call that takes Python numbers alone; null for others.
static const Twin* TwinOfNumbers(const Facts& facts, const DeviceCall& call) {
  const Twin* twin = call ? TwinOf(call) : nullptr;
  if (twin == nullptr || facts.Of(call.call).kind != Kind::kNumpyScalar) return nullptr;
  const auto arguments = facts.program().Operands(call.call).subspan(1);
  const bool plain = arguments.size() == twin->arguments && facts.PositionalCount(call.call) == twin->arguments &&
                     !facts.HasStarArguments(call.call);
  const bool numbers =
      plain && std::ranges::all_of(arguments, [&](ir::ValueId argument) { return BecomesNumber(facts, argument); });
  if (!numbers || (TakesComplex(facts, call.call) && !twin->complex)) return nullptr;
  return twin;
}

// `np.sqrt(2) * np.sqrt(n + 1)` around `np.sqrt(2)`: arithmetic of numbers that are all made by such calls, or
// Python's.
static ir::ValueId NumberAround(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  ir::ValueId top = op;
  for (int steps = 0; steps < 20; ++steps) {
    const auto uses = facts.UsesOf(top);
    const auto around = std::ranges::find_if(uses, [&](ir::ValueId use) {
      const ir::Op& it = program.ops[use];
      return (it.kind == OpKind::kBinary || it.kind == OpKind::kUnary) && it.statement == program.ops[op].statement &&
             facts.Of(use).kind == Kind::kNumpyScalar && it.span.Contains(program.ops[top].span);
    });
    if (around == uses.end()) break;
    top = *around;
  }
  return top;
}

// The calls in an expression of numbers, in order; nothing where one of them has no twin that is a function.
static std::vector<DeviceCall> CallsIn(const Facts& facts, ir::ValueId expression) {
  std::vector<DeviceCall> calls;
  for (const ir::ValueId op : match::ExpressionOf(facts, expression)) {
    const DeviceCall call = AsDeviceCall(facts, op);
    if (!call) continue;
    const Twin* twin = TwinOfNumbers(facts, call);
    if (twin == nullptr || !IsFunction(*twin) || TakesComplex(facts, op)) return {};
    calls.push_back(call);
  }
  std::ranges::sort(calls, {}, [&](const DeviceCall& call) { return facts.program().ops[call.call].span; });
  return calls;
}

static Text AdviceForAll(const Facts& facts, ir::ValueId expression, const std::vector<DeviceCall>& calls) {
  std::vector<match::Cut> cuts;
  bool raises = false, from_math = false;
  for (const DeviceCall& call : calls) {
    const Twin* twin = TwinOf(call);
    cuts.push_back({facts.program().OperandSpan(call.call, 0), Text(twin->call)});
    raises = raises || (twin->raises && !IsHarmless(facts, call));
    from_math = from_math || twin->call.starts_with("math.");
  }
  Text help = Text("RR-ufunc  write `").Add(match::Replace(facts.program().ops[expression].span, cuts)).Add("`");
  if (from_math) help.Add(AfterImport(facts, expression, "math"));
  return raises ? help.Add(", which raises where NumPy gives NaN or infinity") : help;
}

// All that is done with it is arithmetic and calls on the device: nobody waits for it.
static bool StaysOnDevice(const Facts& facts, ir::ValueId number) {
  const auto uses = facts.DeepUsesOf(number);
  return !uses.empty() && std::ranges::all_of(uses, [&](ir::ValueId use) {
    const OpKind kind = facts.program().ops[use].kind;
    const bool arithmetic = kind == OpKind::kBinary || kind == OpKind::kInplaceBinary;
    return (arithmetic || AsDeviceCall(facts, use)) && facts.IsDevice(use) && !facts.IsZeroD(use);
  });
}

// Fires when
//   1. a ufunc, `clip` or `where` of the device library is called with Python numbers alone,
//   2. the site is hot, and
//   3. `math`, `cmath` or a builtin function does the same.
// Quiet: (a) and (b) an argument that may be an array is no number, (c) outside of hot loops, (d) the host library,
// (e) classes such as np.float64 are no such functions.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  if (!trial.Holds(3, TwinOf(call) != nullptr)) return;
  const Twin* twin = TwinOfNumbers(facts, call);
  if (!trial.Holds(1, twin != nullptr) || twin == nullptr) return;
  if (InsideAnother(facts, op)) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(2, static_cast<bool>(hot)) || !hot) return;

  // Several calls in one expression of numbers are told with the first of them.
  ir::ValueId told = NumberAround(facts, op);
  std::vector<DeviceCall> calls = CallsIn(facts, told);
  const auto side_by_side =
      std::ranges::count_if(calls, [&](const DeviceCall& one) { return !InsideAnother(facts, one.call); });
  if (side_by_side < 2) {
    told = op;
    calls = {call};
  }
  if (calls.front().call != op) return;

  const ir::Program& program = facts.program();
  analysis::EvidenceSet evidence = 0;
  for (const DeviceCall& one : calls) {
    evidence |= one.evidence;
    for (const ir::ValueId argument : program.Operands(one.call).subspan(1)) evidence |= facts.Of(argument).evidence;
  }
  const Span span = program.ops[told].span;
  Trial::Report report = trial.ReportOp(op);
  report.At(span).Arg("call", span).Key(NameOf(facts, told)).Evidence(evidence);
  report.PrimaryLabel(told == op ? "a task of its own, for one number" : "tasks of their own, for one number");
  report.Help(told == op ? Advice(facts, call, *twin, TakesComplex(facts, op)) : AdviceForAll(facts, told, calls));
  if (StaysOnDevice(facts, NumberAround(facts, op)))
    report.Why(
        "the result is a 0-d device array: nothing waits for it here, and making it costs the launch of a task "
        "(26.07)");
  match::TellPasses(facts, op, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 216,
    .slug = "array-function-on-scalar",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "a function of the array library called with Python numbers on every pass of a hot loop",
    .message = "`{call}` takes Python numbers, yet runs as a task on the device[[ {passes}]]",
    .why = "the result is a 0-d device array; testing it, indexing with it or handing it to `math` waits for that task",
    .details = R"md(
Fires in hot loops on `sin`, `cos`, `exp`, `sqrt`, `log`, `hypot`, `arctan2`, `floor`, `abs`, `minimum`, `maximum`,
`power`, `clip`, `where` and their kin of the device library, where all arguments are Python numbers: literals, loop
counters, parts of a `.shape`, results of `float()` or of `math`, arithmetic on those, and results of other such
calls. `math`, `cmath` or a builtin function does the same on the host.

Stays quiet where an argument may be an array (a function that serves both), outside of hot loops, on host NumPy,
and on classes such as `np.float64`. Calls side by side in an expression of numbers, `np.sqrt(2) * np.sqrt(k + 1)`, are one
finding, and so is one expression written several times.

Reading the result of such a call waits for that one task, not for what else is pending. `math` raises where NumPy
gives NaN or infinity (`math.sqrt(-1.0)`, `math.exp(1000.0)`), and `math.floor` gives an integer.
)md",
    .bad = R"py(
import numpy as np

def drive(n, steps, dt=0.1):
    u = np.zeros(n)
    for step in range(steps):
        u += np.sin(step * dt)
    return u
)py",
    .good = R"py(
import math

import numpy as np

def drive(n, steps, dt=0.1):
    u = np.zeros(n)
    for step in range(steps):
        u += math.sin(step * dt)
    return u
)py",
    .recipe = "RR-ufunc",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. a ufunc, `clip` or `where` of the device library is called with Python numbers alone
2. the site is hot
3. `math`, `cmath` or a builtin function does the same
)md",
    .ops = {OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r216
