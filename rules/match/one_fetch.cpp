#include "rules/match/one_fetch.h"

#include <algorithm>
#include <optional>
#include <string>

#include "rules/match/random_draw.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr std::size_t kMostValues = 64;  // that one number is computed from, or that are computed from it
constexpr std::size_t kMostNamed = 3;    // that a help names

// Computes a number from numbers, entry by entry.
bool IsElementwise(const Facts& facts, ValueId id) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[id];
  switch (op.kind) {
    case OpKind::kBinary:
    case OpKind::kInplaceBinary: return static_cast<ir::BinaryOp>(op.detail) != ir::BinaryOp::kMatMul;
    case OpKind::kUnary:
    case OpKind::kCompare:
    case OpKind::kNot:
    case OpKind::kTruth: return true;
    case OpKind::kPhi: {  // not what the pass before has left
      const ir::LoopId loop = program.LoopOf(id);
      return !loop.valid() || program.loops[loop].header != op.block;
    }
    case OpKind::kCall: {
      const Callee& callee = facts.CalleeOf(id);
      if (callee.kind == Callee::Kind::kBuiltin) return IsOneOf(callee.name, {"abs", "max", "min", "pow", "round"});
      const bool library = callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod;
      return library && (api::IsUfunc(callee.name) || IsOneOf(BaseName(callee.name), {"round", "around", "clip"}));
    }
    default: return false;
  }
}

bool IsOnHost(analysis::Kind kind) {
  return analysis::IsNumber(kind) || kind == analysis::Kind::kBool || kind == analysis::Kind::kStr ||
         kind == analysis::Kind::kNone;
}

// `float(c)`, `c.item()`, `math.sqrt(c)`, `range(c)`
bool Converts(const Facts& facts, ValueId user) {
  if (facts.program().ops[user].kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(user);
  if (callee.kind == Callee::Kind::kBuiltin) return IsOneOf(callee.name, {"bool", "complex", "float", "int", "range"});
  return callee.kind == Callee::Kind::kForeign && callee.name.starts_with("math.");
}

// `min(c, 1.0)`
bool IsExtremum(const Facts& facts, ValueId user) {
  if (facts.program().ops[user].kind != OpKind::kCall || facts.PositionalCount(user) < 2) return false;
  const Callee& callee = facts.CalleeOf(user);
  return callee.kind == Callee::Kind::kBuiltin && IsOneOf(callee.name, {"max", "min"});
}

// The name that is bound to the value, and to no other that may be meant.
Span NameOf(const Facts& facts, ValueId value) {
  for (const ir::Binding& binding : facts.program().functions[facts.program().FunctionOf(value)].bindings) {
    if (binding.value == value) return binding.span;
  }
  return {};
}

// `post.prior(x)`, which gives `-np.inf` on one of its ways: Python's number has no `.item()`.
bool MayBePythonFloat(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  const auto is_float = [&](ValueId id) { return id.valid() && facts.Of(id).kind == analysis::Kind::kFloat; };
  if (program.ops[value].kind == OpKind::kPhi) return std::ranges::any_of(program.Operands(value), is_float);
  if (program.ops[value].kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(value);
  if (callee.kind != Callee::Kind::kLocal || !callee.function.valid()) return false;
  return std::ranges::any_of(program.functions[callee.function].returns,
                             [&](ValueId way) { return is_float(program.Operand(way, 0)); });
}

// `dt` of `dt = 0.4 / u.max()`, where nothing else is made of the maximum: the first number with a name that the value
// goes into, with numbers of the host alone. The value itself where there is none.
ValueId Named(const Facts& facts, ValueId value) {
  constexpr int kMostSteps = 8;
  const ir::Program& program = facts.program();
  ValueId at = value;
  for (int steps = 0; steps < kMostSteps; ++steps) {
    if (!NameOf(facts, at).empty()) return at;
    const auto uses = facts.UsesOf(at);
    if (uses.size() != 1 || !IsElementwise(facts, uses.front()) || program.LoopOf(uses.front()) != program.LoopOf(at))
      return value;
    const ir::Op& op = program.ops[uses.front()];
    if (op.kind != OpKind::kBinary && op.kind != OpKind::kUnary && op.kind != OpKind::kCall) return value;
    const auto operands = program.Operands(op);
    const auto others = op.kind == OpKind::kCall ? operands.subspan(1) : operands;
    if (!std::ranges::all_of(others, [&](ValueId one) {
          return one.valid() && (facts.Source(one) == facts.Source(at) || IsOnHost(facts.Of(one).kind));
        })) {
      return value;
    }
    at = uses.front();
  }
  return value;
}

// One number in an array of one axis, which `float` refuses: with `keepdims=True`, and `rng.random()`, which is no
// scalar in cuPyNumeric, with all that is computed from it as from a scalar: `np.searchsorted(u, rng.random())`.
bool HasAxis(const Facts& facts, ValueId value) {
  if (facts.RankOf(value) > 0) return true;
  const ir::Program& program = facts.program();
  std::vector<ValueId> work = {value};
  for (std::size_t i = 0; i < work.size() && i < kMostValues; ++i) {
    if (const DeviceCall call = AsDeviceCall(facts, work[i]); call && IsDraw(call.base)) return true;
    for (const ValueId operand : program.Operands(work[i])) {
      const ValueId source = operand.valid() ? facts.Source(operand) : operand;
      if (source.valid() && facts.IsZeroD(source) && std::ranges::find(work, source) == work.end())
        work.push_back(source);
    }
  }
  return false;
}

std::string_view ConverterOf(const Facts& facts, ValueId value) {
  const ir::DType type = facts.Of(value).dtype;
  const bool number = MayBePythonFloat(facts, value);
  if (!number && HasAxis(facts, value)) return "";
  if (ir::IsFloat(type) || number) return "float(";
  return ir::IsInteger(type) ? "int(" : "";
}

// `c = float(m[k][j])`, or `a = float(a)` of one of several names that are unpacked to.
std::optional<Text> FetchOf(const Facts& facts, ValueId value) {
  const Span name = NameOf(facts, value);
  if (name.empty()) return std::nullopt;
  const ir::Op& op = facts.program().ops[value];
  const bool own = op.kind != OpKind::kUnpackItem && op.kind != OpKind::kPhi && op.kind != OpKind::kParam;
  const Span made = own && !op.span.empty() ? op.span : name;
  const std::string_view converter = ConverterOf(facts, value);
  Text text("`");
  text.Add(name).Add(" = ");
  if (converter.empty()) return text.Add(made, Binding::kPrimary).Add(".item()`");
  return text.Add(converter).Add(made).Add(")`");
}

}  // namespace

Origins OriginsOf(const Facts& facts, ValueId number) {
  const ir::Program& program = facts.program();
  Origins origins;
  std::vector<ValueId> work;
  std::vector<ValueId>& found = origins.on_device;
  const auto look_at = [&](ValueId id) {
    const ValueId source = id.valid() ? facts.Source(id) : id;
    if (source.valid() && std::ranges::find(work, source) == work.end()) work.push_back(source);
  };
  look_at(number);
  for (std::size_t i = 0; i < work.size() && i < kMostValues; ++i) {
    if (!IsElementwise(facts, work[i])) {
      const bool device = facts.IsDevice(work[i]);
      if (device) found.push_back(work[i]);
      if (!device && !IsOnHost(facts.Of(work[i]).kind)) origins.rest_on_host = false;
      continue;
    }
    const ir::Op& op = program.ops[work[i]];
    const auto operands = program.Operands(op);
    if (op.kind == OpKind::kCall && facts.CalleeOf(work[i]).kind == Callee::Kind::kMethod)
      look_at(facts.CalleeOf(work[i]).receiver);
    for (const ValueId operand : op.kind == OpKind::kCall ? operands.subspan(1) : operands) look_at(operand);
  }
  if (work.size() > kMostValues) origins.rest_on_host = false;
  std::ranges::sort(found);
  return origins;
}

std::vector<ValueId> BeginningsOf(const Facts& facts, ValueId number) { return OriginsOf(facts, number).on_device; }

bool HaveOneOrigin(const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
  return !a.empty() && !b.empty() && (std::ranges::includes(a, b) || std::ranges::includes(b, a));
}

namespace {

// The tests that the op stands behind in its function, the innermost first.
std::vector<ir::GuardId> TestsBefore(const Facts& facts, ValueId op) {
  constexpr std::size_t kMostTests = 32;
  const ir::Program& program = facts.program();
  std::vector<ir::GuardId> tests;
  for (ir::GuardId guard = program.blocks[program.ops[op].block].guard; guard.valid() && tests.size() < kMostTests;
       guard = program.guards[guard].parent) {
    tests.push_back(guard);
  }
  return tests;
}

// Two arms of one test, `else` of `if a and b` among them, or of tests of one number: `if mode == 1`, `if mode == 2`.
bool AreOtherArms(const Facts& facts, ir::GuardId first, ir::GuardId second) {
  const ir::Program& program = facts.program();
  const ir::Guard &a = program.guards[first], &b = program.guards[second];
  using Kind = ir::Guard::Kind;
  if (first == second || !a.truth.valid() || !b.truth.valid()) return false;
  if (a.truth == b.truth) return a.kind != b.kind || (a.kind == Kind::kTest && a.holds != b.holds);
  if (a.kind != Kind::kTest || b.kind != Kind::kTest || !a.holds || !b.holds) return false;
  const auto equality = [&](ValueId truth) {
    const ir::Op& op = program.ops[truth];
    const ValueId test = op.kind == OpKind::kTruth ? facts.Source(program.Operand(truth, 0)) : ValueId::None();
    const bool equal = test.valid() && program.ops[test].kind == OpKind::kCompare &&
                       static_cast<ir::CompareOp>(program.ops[test].detail) == ir::CompareOp::kEq;
    return equal ? test : ValueId::None();
  };
  const ValueId one = equality(a.truth), other = equality(b.truth);
  if (!one.valid() || !other.valid()) return false;
  if (facts.Source(program.Operand(one, 0)) != facts.Source(program.Operand(other, 0))) return false;
  const auto wanted = facts.IntOf(program.Operand(one, 1)), wanted_there = facts.IntOf(program.Operand(other, 1));
  return wanted && wanted_there && *wanted != *wanted_there;
}

bool ExcludeEachOther(const Facts& facts, ValueId first, ValueId second) {
  const std::vector<ir::GuardId> before = TestsBefore(facts, first), others = TestsBefore(facts, second);
  return std::ranges::any_of(before, [&](ir::GuardId one) {
    return std::ranges::any_of(others, [&](ir::GuardId other) { return AreOtherArms(facts, one, other); });
  });
}

// `if it % 4 == 0:` around the op that does not stand around the other one.
bool IsMoreSeldom(const Facts& facts, ValueId op, ValueId than) {
  const std::vector<ir::GuardId> others = TestsBefore(facts, than);
  return std::ranges::any_of(TestsBefore(facts, op), [&](ir::GuardId test) {
    return facts.GuardPeriod(test) > 1 && std::ranges::find(others, test) == others.end();
  });
}

// The most of the sites that no two of exclude each other, begun with each of them in turn, as far as anybody asks: two
// are more than one. Long chains of arms are no such place.
std::size_t MostTogether(const Facts& facts, const std::vector<ValueId>& sites) {
  constexpr std::size_t kMostSites = 12, kEnough = 2;
  std::size_t most = 0;
  if (sites.size() > kMostSites) return most;
  for (const ValueId first : sites) {
    if (most >= kEnough) break;
    std::vector<ValueId> together = {first};
    for (const ValueId site : sites) {
      const bool fits = std::ranges::none_of(
          together, [&](ValueId one) { return one == site || ExcludeEachOther(facts, one, site); });
      if (fits) together.push_back(site);
    }
    most = std::max(most, together.size());
  }
  return most;
}

}  // namespace

Shared SharedWith(const Facts& facts, ValueId asking, const std::vector<ValueId>& beginnings) {
  const ir::Program& program = facts.program();
  const ir::LoopId loop = program.LoopOf(asking);
  const auto in_pass = [&](ValueId id) {  // nor in a loop of its own
    return program.LoopOf(id) == loop && program.FunctionOf(id) == program.FunctionOf(asking);
  };
  Shared shared;
  std::vector<ValueId> work, sites;
  std::ranges::copy_if(beginnings, std::back_inserter(work), in_pass);
  constexpr std::size_t kMostUsers = 24;  // a number that more ask for is no simple story
  for (std::size_t i = 0; i < work.size() && i < kMostValues; ++i) {
    if (facts.UsesOf(work[i]).size() > kMostUsers) continue;
    for (const ValueId user : facts.UsesOf(work[i])) {
      if (!in_pass(user)) continue;
      const bool same_pass = !IsMoreSeldom(facts, user, asking) && !ExcludeEachOther(facts, user, asking);
      shared.converted = shared.converted || (same_pass && Converts(facts, user));
      const bool other = same_pass && program.ops[user].statement != program.ops[asking].statement;
      const bool test = program.ops[user].kind == OpKind::kTruth;
      if (other && test) shared.tests.push_back(user);
      if (other && (test || IsExtremum(facts, user))) sites.push_back(user);
      if (IsElementwise(facts, user) && std::ranges::find(work, user) == work.end()) work.push_back(user);
    }
  }
  // A number of each pass that is asked for on few of them: the others may do without.
  const bool seldom =
      std::ranges::any_of(beginnings, [&](ValueId one) { return in_pass(one) && IsMoreSeldom(facts, asking, one); });
  if (!seldom) shared.together = MostTogether(facts, sites);
  return shared;
}

std::optional<Text> Fetches(const Facts& facts, const std::vector<ValueId>& beginnings) {
  if (beginnings.empty() || beginnings.size() > kMostNamed) return std::nullopt;
  Text fetches;
  for (const ValueId beginning : beginnings) {
    const ValueId value = Named(facts, beginning);
    const bool one = facts.RankOf(value) <= 0 || facts.store().dims().AsConst(facts.VolumeOf(value)) == 1;
    const std::optional<Text> fetch = one ? FetchOf(facts, value) : std::nullopt;
    if (!fetch) return std::nullopt;
    fetches.Add(fetches.empty() ? "" : ", ").Add(*fetch);
  }
  return fetches;
}

Text FetchOnce(const Facts& facts, const std::vector<ValueId>& beginnings) {
  Text text("the pass needs the number on the host more than once: fetch ");
  if (const std::optional<Text> fetches = Fetches(facts, beginnings)) {
    text.Add(beginnings.size() == 1 ? "it once, " : "what it is computed from once, ").Add(*fetches);
  } else {
    text.Add("what the tests are computed from once per pass, as Python numbers");
  }
  return text.Add(", and go on with `math`, `abs`, `min` and `max`, which keep them there");
}

}  // namespace cpnlint::rules::match
