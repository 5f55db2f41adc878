#include "rules/match/scalar_math.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using ir::OpKind;

namespace {

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

std::string_view LastName(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

std::string_view UfuncOf(const Callee& callee, std::size_t arguments) {
  const std::string_view name = LastName(callee.name);
  if (!IsOneOf(callee.name.substr(0, callee.name.find('.')), {"math", "cmath"})) return {};
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

bool IsLoopTest(const Facts& facts, ir::ValueId truth, ir::LoopId loop) {
  return facts.program().ops[truth].kind == OpKind::kTruth && facts.InLoop(truth, loop);
}

Fate FateOf(const Facts& facts, ir::ValueId number, ir::LoopId loop) {
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
    if ((operates || AsDeviceCall(facts, use)) && facts.IsDevice(use)) {
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

}  // namespace

bool WalksItsArgument(std::string_view callee) {
  return callee.substr(0, 11) == "statistics." ||
         IsOneOf(callee, {"math.fsum", "math.prod", "math.dist", "math.sumprod"});
}

bool IsSeveral(const Facts& facts, ir::ValueId value) {
  return facts.RankOf(value) >= 1 && facts.KnownAtLeast(value, 2);
}

ScalarMath ScalarMathOf(const Facts& facts, const analysis::HostRead& read) {
  ScalarMath math;
  math.ufunc = UfuncOf(facts.CalleeOf(read.op), facts.PositionalCount(read.op));
  const HotSite hot = HotSiteOf(facts, read.op);
  const Fate fate = IsSeveral(facts, read.value) || !hot ? Fate::kArithmetic : FateOf(facts, read.op, hot.loop);
  math.tested = fate == Fate::kTest;
  math.has_rewrite = !math.ufunc.empty() && fate != Fate::kOther;
  return math;
}

}  // namespace cpnlint::rules::match
