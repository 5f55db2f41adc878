// R215 scalar-math-on-array: a function for Python numbers fetches a device value.

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r215 {

using analysis::Callee;
using analysis::HostRead;
using ir::OpKind;

// The functions of `math` that the array library has under the same meaning, for 0-d arrays, too.
constexpr std::pair<std::string_view, std::string_view> kUfuncs[] = {
    {"sin", "sin"},         {"cos", "cos"},           {"tan", "tan"},           {"asin", "arcsin"}, {"acos", "arccos"},
    {"atan", "arctan"},     {"atan2", "arctan2"},     {"sinh", "sinh"},         {"cosh", "cosh"},   {"tanh", "tanh"},
    {"asinh", "arcsinh"},   {"acosh", "arccosh"},     {"atanh", "arctanh"},     {"exp", "exp"},     {"exp2", "exp2"},
    {"expm1", "expm1"},     {"log", "log"},           {"log2", "log2"},         {"log10", "log10"}, {"log1p", "log1p"},
    {"sqrt", "sqrt"},       {"cbrt", "cbrt"},         {"fabs", "abs"},          {"hypot", "hypot"}, {"pow", "power"},
    {"radians", "radians"}, {"degrees", "degrees"},   {"copysign", "copysign"}, {"fmod", "fmod"},   {"isnan", "isnan"},
    {"isinf", "isinf"},     {"isfinite", "isfinite"},
};

static std::string_view LastName(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

static std::string_view UfuncOf(const Callee& callee, std::size_t arguments) {
  const std::string_view name = LastName(callee.name);
  if (!match::IsOneOf(callee.name.substr(0, callee.name.find('.')), {"math", "cmath"})) return {};
  if (name == "log" && arguments != 1) return {};  // a base
  const auto* at =
      std::find_if(std::begin(kUfuncs), std::end(kUfuncs), [&](const auto& twin) { return twin.first == name; });
  return at == std::end(kUfuncs) ? std::string_view() : at->second;
}

// What becomes of the number.
enum class Fate : std::uint8_t {
  kArithmetic,  // operators and functions on device arrays, and nothing else
  kTest,        // some of it is tested, which waits in any form
  kOther,
};

static bool IsLoopTest(const Facts& facts, ir::ValueId truth, ir::LoopId loop) {
  return facts.program().ops[truth].kind == OpKind::kTruth && facts.InLoop(truth, loop);
}

static Fate FateOf(const Facts& facts, ir::ValueId number, ir::LoopId loop) {
  constexpr std::size_t kMost = 200;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = facts.DeepUsesOf(number);
  if (work.empty()) return Fate::kOther;
  bool tested = false, met = false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMost) return Fate::kOther;
    const ir::ValueId use = work[i];
    const ir::Op& op = program.ops[use];
    if (op.kind == OpKind::kStoreSubscript && facts.IsDevice(program.Operand(use, 0))) {
      met = true;
      continue;
    }
    if (IsLoopTest(facts, use, loop)) {
      tested = true;
      continue;
    }
    // A test of its own, `not math.isfinite(...)`, and what stands in it.
    if (op.kind == OpKind::kTruth || op.kind == OpKind::kNot) {
      for (const ir::ValueId next : facts.DeepUsesOf(use)) {
        if (std::find(work.begin(), work.end(), next) == work.end()) work.push_back(next);
      }
      continue;
    }
    const bool operates = op.kind == OpKind::kBinary || op.kind == OpKind::kUnary || op.kind == OpKind::kCompare ||
                          op.kind == OpKind::kInplaceBinary;
    if ((operates || match::AsDeviceCall(facts, use)) && facts.IsDevice(use)) {
      met = true;  // an array from here on
      continue;
    }
    if (op.kind == OpKind::kStoreCell && program.cells[ir::CellId(op.payload)].loads.empty()) continue;
    if (!operates) return Fate::kOther;
    for (const ir::ValueId next : facts.DeepUsesOf(use)) {
      if (std::find(work.begin(), work.end(), next) == work.end()) work.push_back(next);
    }
  }
  if (tested) return Fate::kTest;
  return met ? Fate::kArithmetic : Fate::kOther;
}

// The call walks its argument and needs no single number.
static bool WalksItsArgument(std::string_view callee) {
  return callee.substr(0, 11) == "statistics." ||
         match::IsOneOf(callee, {"math.fsum", "math.prod", "math.dist", "math.sumprod"});
}

// An array of more than one element raises: TypeError in NumPy and here.
static bool IsSeveral(const Facts& facts, ir::ValueId value) {
  return facts.RankOf(value) >= 1 && facts.KnownAtLeast(value, 2);
}

// Fires when
//   1. a function of `math`, `cmath`, `decimal`, `fractions` or the like gets a device value in a hot loop (of rank 0,
//      or of unknown rank), or one with several elements anywhere, which raises, and
//   2. the array library has the function and the number only enters arithmetic on arrays, or it feeds a test of the
//      loop, which every few passes are enough for.
// Quiet: (a) and (c) Python numbers are no device values, (b) outside of hot loops, (d) the finding on an element loop
// takes it in, (e) behind a cadence.
static void OnFunction(const Facts& facts, ir::FunctionId function, Trial& trial) {
  const ir::Program& program = facts.program();
  for (const HostRead& read : facts.HostReadsOf(function)) {
    trial.Considers(read.op);
    if (read.kind != HostRead::Kind::kMath || program.ops[read.op].kind != OpKind::kCall) continue;
    const Callee& callee = facts.CalleeOf(read.op);
    if (WalksItsArgument(callee.name)) continue;
    const std::string_view ufunc = UfuncOf(callee, facts.PositionalCount(read.op));
    const bool several = IsSeveral(facts, read.value);
    const match::HotSite hot = match::HotSiteOf(facts, read.op);
    if (!trial.Holds(1, several || (facts.RankOf(read.value) <= 0 && hot))) continue;
    const Fate fate = several || !hot ? Fate::kArithmetic : FateOf(facts, read.op, hot.loop);
    if (!trial.Holds(2, !ufunc.empty() && fate != Fate::kOther)) continue;

    const Span span = program.ops[read.op].span;
    const Span array = program.OperandSpan(read.op, read.operand);
    Trial::Report report = trial.ReportOp(read.op);
    report.Arg("call", span).Arg("array", array).Root(facts.RootOf(read.value));
    report.Evidence(facts.Of(read.value).evidence);
    Text help("RR-ufunc  write `np.");
    help.Add(ufunc).Add("` for `").Add(program.OperandSpan(read.op, 0)).Add("`");
    if (several) {
      report.Message("`{call}` needs a Python number and `{array}` is an array of several, so it raises TypeError")
          .PrimaryLabel("raises")
          .Why("`math` and its kin take one number; an array of several cannot become one, in NumPy neither")
          .Severity(Severity::kError);
      report.Help(help);
      continue;
    }
    report.PrimaryLabel("waits here");
    if (fate == Fate::kTest) {
      help = Text("RR-converge  where a few passes more do no harm, make the call and the test every k passes only");
    } else {
      help.Add(": the value then stays on the device");
    }
    report.Help(help);
    match::TellPasses(facts, read.op, span, report);
    match::TellOrigin(facts, read.value, span, report);
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 215,
    .slug = "scalar-math-on-array",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "a function for Python numbers called with a device value on every pass of a hot loop",
    .message =
        "`{call}` needs a Python number, so `{array}` is fetched from the device first[[, on every pass of {passes}]]",
    .why = "the conversion to a Python number waits until all work behind the value is done (26.07)",
    .details = R"md(
Fires in hot loops on calls of `math` and `cmath` whose argument is a 0-d device value, such as the result of a
reduction, where the array library has the same function and the result only enters arithmetic on arrays, or where
it feeds a test of the loop, which can be made every few passes. Fires as an error on an array of several elements
anywhere: that raises TypeError.

Stays quiet on Python numbers, on constants (`math.pi`), outside of hot loops, behind a cadence, where the number is
used on the host for something else (it must come over in any case), on `math.floor`, `ceil` and `trunc`, which give
integers, and on what walks its argument (`math.fsum`, `statistics.mean`).

`np.exp` of a 0-d value differs from `math.exp` in the last bit at most. `math.sqrt` and `math.log` raise where
NumPy gives NaN, `math.exp` where it gives infinity.
)md",
    .bad = R"py(
import math

import numpy as np

def cool(n, steps):
    u = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u *= math.exp(-u.mean())
    return u
)py",
    .good = R"py(
import numpy as np

def cool(n, steps):
    u = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u *= np.exp(-u.mean())
    return u
)py",
    .recipe = "RR-ufunc",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. a function of `math`, `cmath`, `decimal`, `fractions` or the like gets a device value in a hot loop, or one with several elements anywhere, which raises
2. the array library has the function and the number only enters arithmetic on arrays, or it feeds a test of the loop, which every few passes are enough for
)md",
    .on_function = &OnFunction,
};

}  // namespace cpnlint::rules::r215
