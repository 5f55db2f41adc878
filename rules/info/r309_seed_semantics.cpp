// R309 seed-semantics: seeds without effect, and draws that are not what NumPy gives.

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/one_number.h"
#include "analyzer/analysis/parser_defaults.h"
#include "analyzer/analysis/running_together.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/random_draw.h"
#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r309 {

using analysis::Callee;
using analysis::Kind;
using ir::OpKind;
using match::DeviceCall;

constexpr std::size_t kMostOps = 2000;  // that a drawn number is followed through

// A generator, and the parameters that have it by default: `def f(n, rs=np.random.RandomState(0))`.
static std::vector<ir::ValueId> HoldersOf(const Facts& facts, ir::ValueId generator) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> holders = {generator};
  for (const ir::ValueId use : facts.UsesOf(generator)) {
    if (program.ops[use].kind != OpKind::kMakeFunction) continue;
    for (const ir::Param& param : program.functions[ir::FunctionId(program.ops[use].payload)].params) {
      if (param.default_value == generator) holders.push_back(param.value);
    }
  }
  return holders;
}

// Generators and RandomStates: the methods called on them.
static std::vector<ir::ValueId> DrawsFrom(const Facts& facts, ir::ValueId generator) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> draws;
  for (const ir::ValueId holder : HoldersOf(facts, generator)) {
    for (const ir::ValueId use : facts.DeepUsesOf(holder)) {
      if (program.ops[use].kind != OpKind::kAttr) continue;
      for (const ir::ValueId call : facts.UsesOf(use)) {
        if (program.ops[call].kind == OpKind::kCall && program.Operand(call, 0) == use) draws.push_back(call);
      }
    }
  }
  return draws;
}

static bool ComparesOrSaves(const Facts& facts, ir::ValueId op) {
  const ir::Op& it = facts.program().ops[op];
  if (it.kind == OpKind::kTruth) return static_cast<ir::TruthContext>(it.detail) == ir::TruthContext::kAssert;
  if (it.kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(op);
  if (callee.kind != Callee::Kind::kApi && callee.kind != Callee::Kind::kMethod) return false;
  const std::string_view base = match::BaseName(callee.name);
  return base.starts_with("testing.") ||
         match::IsOneOf(base, {"allclose", "array_equal", "array_equiv", "isclose", "save", "savez", "savez_compressed",
                               "savetxt", "tofile"});
}

// A number that one of the draws gives is compared with others or saved.
static bool ResultMatters(const Facts& facts, const std::vector<ir::ValueId>& draws) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = draws;
  std::unordered_set<ir::ValueId> seen(draws.begin(), draws.end());
  while (!work.empty() && seen.size() < kMostOps) {
    const ir::ValueId value = work.back();
    work.pop_back();
    for (const ir::ValueId use : facts.UsesOf(value)) {
      if (ComparesOrSaves(facts, use)) return true;
      const OpKind kind = program.ops[use].kind;
      if (kind == OpKind::kStoreCell) {
        for (const ir::ValueId load : program.cells[ir::CellId(program.ops[use].payload)].loads) {
          if (seen.insert(load).second) work.push_back(load);
        }
      }
      const bool carries = facts.IsArray(use) || kind == OpKind::kCompare || kind == OpKind::kTruth ||
                           kind == OpKind::kNot || kind == OpKind::kTuple || kind == OpKind::kList ||
                           kind == OpKind::kPhi;
      if (carries && seen.insert(use).second) work.push_back(use);
    }
  }
  return false;
}

// A draw by a function of np.random itself: these share one generator.
struct ModuleDraw {
  ir::ValueId call;
  ir::ValueId seed;  // the call right before it, in its function, that alone says what it gives; else None()
};

// The test or loop around the seed stands around the draw, too.
static bool RunsBefore(const Facts& facts, ir::ValueId seed, ir::ValueId draw) {
  const ir::Program& program = facts.program();
  if (draw < seed || program.FunctionOf(seed) != program.FunctionOf(draw)) return false;
  const ir::Block &of_seed = program.blocks[program.ops[seed].block],
                  &of_draw = program.blocks[program.ops[draw].block];
  if (of_seed.loop.valid() && !(of_draw.loop.valid() && facts.LoopContains(of_seed.loop, of_draw.loop))) return false;
  ir::GuardId around = of_draw.guard;
  while (around.valid() && around != of_seed.guard) around = program.guards[around].parent;
  return around == of_seed.guard;
}

struct ModuleDraws {
  std::uint64_t facts = 0;  // serial
  std::vector<ModuleDraw> all;
  std::vector<ir::ValueId> open;  // those that no seed of their own comes before
  // By a module with seeds: those of `open` that one run can do with it, and whether a number that they give is
  // compared or saved.
  std::unordered_map<ir::ModuleId, std::pair<std::vector<ir::ValueId>, bool>> open_with;
};

// Asked for each seed of the program, and tests have thousands.
static ModuleDraws& DrawsOfModule(const Facts& facts) {
  thread_local ModuleDraws known;
  if (known.facts == facts.serial()) return known;
  known = {facts.serial(), {}, {}, {}};
  ir::ValueId last_seed;  // of the functions' calls in order
  for (const ir::ValueId call : facts.RandomCalls()) {
    const DeviceCall draw = match::AsDeviceCall(facts, call);
    if (!draw) continue;
    if (draw.base == "random.seed") last_seed = call;
    if (!match::IsDraw(draw.base) || draw.base.starts_with("random.Generator.") ||
        draw.base.starts_with("random.RandomState."))
      continue;
    const bool own = last_seed.valid() && RunsBefore(facts, last_seed, call);
    known.all.push_back({call, own ? last_seed : ir::ValueId::None()});
    if (!own) known.open.push_back(call);
  }
  return known;
}

static const std::pair<std::vector<ir::ValueId>, bool>& OpenDrawsWith(const Facts& facts, ir::ModuleId module) {
  ModuleDraws& draws = DrawsOfModule(facts);
  const auto [entry, is_new] = draws.open_with.try_emplace(module);
  if (!is_new) return entry->second;
  const ir::Program& program = facts.program();
  for (const ir::ValueId draw : draws.open) {
    if (analysis::RunTogether(facts, module, program.functions[program.FunctionOf(draw)].module))
      entry->second.first.push_back(draw);
  }
  entry->second.second = ResultMatters(facts, entry->second.first);
  return entry->second;
}

// The draws that the seed could decide, the nearest one first, and whether what is drawn so matters.
static std::pair<std::vector<ir::ValueId>, bool> DrawsAfter(const Facts& facts, ir::ValueId seed) {
  const ir::Program& program = facts.program();
  const ir::FunctionId function = program.FunctionOf(seed);
  const auto& [open, open_matter] = OpenDrawsWith(facts, program.functions[function].module);
  std::vector<ir::ValueId> own;
  for (const ModuleDraw& draw : DrawsOfModule(facts).all) {
    if (draw.seed == seed) own.push_back(draw.call);
  }
  if (!own.empty()) {
    const bool matter = open_matter || ResultMatters(facts, own);
    return {std::move(own), matter};
  }
  // `s = int(np.random.uniform() * 2**31)` and then `np.random.seed(s)`: not what the seed decides.
  const auto is_before = [&](ir::ValueId draw) {
    return draw < seed && program.FunctionOf(draw) == function && !program.LoopOf(seed).valid();
  };
  const auto first = std::ranges::find_if_not(open, is_before);
  if (first == open.end()) return {};
  const auto is_near = [&](ir::ValueId draw) { return seed < draw && program.FunctionOf(draw) == function; };
  const auto is_by = [&](ir::ValueId draw) {
    return !is_before(draw) && program.functions[program.FunctionOf(draw)].module == program.functions[function].module;
  };
  auto draw = std::ranges::find_if(open, is_near);
  if (draw == open.end()) draw = std::ranges::find_if(open, is_by);
  return {{draw != open.end() ? *draw : *first}, open_matter};
}

// `def f(n, seed=0)`, and no call of the program that is known hands over another seed.
static bool IsZeroByDefault(const Facts& facts, ir::ValueId seed) {
  const ir::Program& program = facts.program();
  const ir::ValueId param = seed.valid() ? facts.Source(seed) : seed;
  if (!param.valid() || program.ops[param].kind != OpKind::kParam) return false;
  const ir::FunctionId function = program.FunctionOf(param);
  const std::uint32_t index = program.ops[param].detail;
  const ir::ValueId by_default = program.functions[function].params[index].default_value;
  if (!by_default.valid() || facts.IntOf(by_default) != 0 || facts.Of(by_default).kind == Kind::kBool) return false;
  return std::ranges::all_of(facts.CallSitesOf(function), [&](ir::ValueId site) {
    if (program.ops[site].kind != OpKind::kCall) return false;
    const analysis::Handed handed = analysis::HandedOver(facts, site, function, index);
    return handed.known && handed.value.valid() && facts.IntOf(handed.value) == 0;
  });
}

// `self.seed`, which every assignment to an attribute of that name takes from such a parameter.
static bool IsZeroInAttribute(const Facts& facts, ir::ValueId seed) {
  const ir::Program& program = facts.program();
  const ir::ValueId read = seed.valid() ? facts.Source(seed) : seed;
  if (!read.valid() || program.ops[read].kind != OpKind::kAttr) return false;
  const ir::ValueId object = facts.Source(program.Operand(read, 0));
  if (!object.valid() || facts.Of(object).kind != Kind::kInstance) return false;
  bool stored = false;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId op(i);
    if (program.ops[op].kind != OpKind::kStoreAttr || program.Name(program.ops[op]) != program.Name(program.ops[read]))
      continue;
    if (!IsZeroByDefault(facts, program.Operand(op, 1))) return false;
    stored = true;
  }
  return stored;
}

// `if args.seed:`, `args.seed > 0`
static bool IsAskedFor(const Facts& facts, ir::ValueId read) {
  return std::ranges::any_of(facts.DeepUsesOf(read), [&](ir::ValueId use) {
    const OpKind kind = facts.program().ops[use].kind;
    return kind == OpKind::kTruth || kind == OpKind::kCompare || kind == OpKind::kNot;
  });
}

// `args.seed` of a command line whose `--seed` is 0 where nobody gives it. What is assigned to it later is not, and a
// program that asks for it may take another one then.
static bool IsZeroByOption(const Facts& facts, ir::ValueId seed) {
  const ir::Program& program = facts.program();
  const ir::ValueId read = seed.valid() ? facts.Source(seed) : seed;
  if (!read.valid() || program.ops[read].kind != OpKind::kAttr) return false;
  const analysis::Value& options = facts.Of(program.Operand(read, 0));
  if (options.kind != Kind::kDict || !options.root.valid()) return false;
  const std::string_view name = program.Name(program.ops[read]);
  const ir::ModuleId module = program.functions[program.FunctionOf(options.root)].module;
  if (analysis::ParserDefault(facts, module, name) != 0) return false;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if ((op.kind != OpKind::kStoreAttr && op.kind != OpKind::kAttr) || program.Name(op) != name) continue;
    if (op.kind == OpKind::kStoreAttr || IsAskedFor(facts, ir::ValueId(i))) return false;
  }
  return true;
}

struct Fault {
  const char* cause = nullptr;
  const char* message = nullptr;  // where it is not about repeating
  Text help;
  std::vector<ir::ValueId> draws;
  std::optional<bool> matter;  // that a number they give is compared or saved; nullopt: not asked yet
  Span label;
  const char* label_text = "";
  analysis::EvidenceSet evidence = 0;
};

static Fault SeedFault(const Facts& facts, const DeviceCall& call) {
  Fault fault;
  if (call.base == "random.seed") {
    std::tie(fault.draws, fault.matter) = DrawsAfter(facts, call.call);
    if (fault.draws.empty()) return {};
    fault.cause = "it has no effect on any sampler";
    fault.help = "RR-seed  make one `rng = np.random.default_rng(seed)` with a seed other than 0, and draw from it";
    return fault;
  }
  const bool state = call.base == "random.RandomState";
  if (!state && call.base != "random.default_rng") return {};
  fault.draws = DrawsFrom(facts, call.call);
  // Handed on, it is drawn from elsewhere.
  if (fault.draws.empty() && !facts.Escapes(call.call)) return {};
  if (state) {
    if (fault.draws.empty()) return {};
    fault.cause = "a `RandomState` has no sampling methods there";
    fault.help = "RR-seed  make it `np.random.default_rng(seed)` with a seed other than 0";
    return fault;
  }
  const ir::ValueId seed = facts.Argument(call.call, 0, "seed");
  const bool none = !facts.HasStarArguments(call.call) && (!seed.valid() || facts.IsNoneConstant(seed));
  if (none) {
    fault.cause = "";
    fault.message = "draws from `{call}` cannot be repeated: without a seed the clock seeds it";
  } else if (seed.valid() && facts.IntOf(seed) == 0 && facts.Of(seed).evidence == 0) {
    fault.cause = "0 counts as no seed, so the clock seeds it";
  } else if (seed.valid() && (IsZeroByDefault(facts, seed) || IsZeroInAttribute(facts, seed))) {
    fault.cause = "its seed is 0 by default, which counts as no seed, so the clock seeds it";
    fault.evidence = analysis::kDefaultValue;
  } else if (IsZeroByOption(facts, seed)) {
    fault.cause = "its seed is 0 by default, which counts as no seed, so the clock seeds it";
    fault.evidence = analysis::kArgparseDefault;
  } else {
    return {};
  }
  fault.help = "RR-seed  give it a seed other than 0: `np.random.default_rng(1)`";
  return fault;
}

// What is given as the size; None() where nothing is.
static ir::ValueId SizeOf(const Facts& facts, const DeviceCall& call, const api::Entry* row) {
  const auto position = row != nullptr ? api::ParameterPosition(*row, "size") : std::nullopt;
  return facts.Argument(call.call, position.value_or(99), "size");
}

// One number of a distribution, which NumPy gives as a number: no size, and parameters that are numbers.
static bool DrawsOne(const Facts& facts, const DeviceCall& call, const api::Entry* row) {
  const ir::ValueId size = SizeOf(facts, call, row);
  return analysis::HoldsOneNumber(facts, call.call) && !facts.HasStarArguments(call.call) &&
         (!size.valid() || facts.IsNoneConstant(size));
}

// Tested by its truth it is as good as a number, and so it is next to an array.
static bool TakesNumber(const Facts& facts, ir::ValueId use) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[use];
  switch (it.kind) {
    case OpKind::kReturn:
    case OpKind::kYield:
    case OpKind::kFormatString:
    case OpKind::kList:
    case OpKind::kCollectItem: return true;
    case OpKind::kTuple: {
      // `a, b = rng.random(), rng.random()` is no tuple.
      return !std::ranges::all_of(facts.UsesOf(use),
                                  [&](ir::ValueId taker) { return program.ops[taker].kind == OpKind::kUnpackItem; });
    }
    case OpKind::kBinary: return facts.Of(program.Operand(use, 0)).kind == Kind::kStr;  // "%f" % x
    case OpKind::kCall: {
      const Callee& callee = facts.CalleeOf(use);
      if (callee.kind == Callee::Kind::kContainerMethod)
        return match::IsOneOf(callee.name, {"list.append", "str.format"});
      if (callee.kind == Callee::Kind::kForeign) return callee.name.starts_with("math.");
      return callee.kind == Callee::Kind::kBuiltin &&
             match::IsOneOf(callee.name, {"print", "str", "repr", "round", "float", "int", "complex", "format"});
    }
    default: return false;
  }
}

// `u[np.searchsorted(c, rng.random())]`, `np.linspace(0, rng.random(), 9)`: what comes out has an axis more.
static bool AddsAxis(const Facts& facts, ir::ValueId use, ir::ValueId number) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[use];
  if (op.kind == OpKind::kSubscript && (op.flags & ir::kAugmented) == 0) {
    const Kind of = facts.Of(program.Operand(use, 0)).kind;
    const bool sequence = of == Kind::kArray || of == Kind::kList || of == Kind::kTuple;
    const auto keys = facts.KeysOf(use);
    return sequence && std::ranges::any_of(keys, [&](ir::ValueId key) {
             return key.valid() && facts.Source(key) == facts.Source(number);
           });
  }
  const DeviceCall call = match::AsDeviceCall(facts, use);
  return call && match::IsOneOf(call.base, {"linspace", "logspace"});
}

// The parameters of the program's own functions that the call hands the number to, where all calls hand over such.
static std::vector<ir::ValueId> ParametersThatGet(const Facts& facts, ir::ValueId use, ir::ValueId number) {
  const ir::Program& program = facts.program();
  if (program.ops[use].kind != OpKind::kCall) return {};
  const Callee& callee = facts.CalleeOf(use);
  if (callee.kind != Callee::Kind::kLocal || !callee.function.valid()) return {};
  std::vector<ir::ValueId> getting;
  const auto& params = program.functions[callee.function].params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (!analysis::HoldsOneNumber(facts, params[i].value)) continue;
    const analysis::Handed handed = analysis::HandedOver(facts, use, callee.function, i);
    if (handed.known && handed.value.valid() && facts.Source(handed.value) == facts.Source(number))
      getting.push_back(params[i].value);
  }
  return getting;
}

// Where one drawn number, or what is computed from it and other numbers, is used as a Python number: formatted,
// converted, collected, returned, handed on. None() where it is nowhere.
static ir::ValueId UseAsNumber(const Facts& facts, ir::ValueId draw) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {draw};
  std::unordered_set<ir::ValueId> seen = {draw};
  for (std::size_t next = 0; next < work.size() && next < kMostOps; ++next) {
    for (const ir::ValueId use : facts.DeepUsesOf(work[next])) {
      if (TakesNumber(facts, use) || AddsAxis(facts, use, work[next])) return use;
      for (const ir::ValueId param : ParametersThatGet(facts, use, work[next])) {
        if (seen.insert(param).second) work.push_back(param);
      }
      const bool computes = program.ops[use].kind != OpKind::kCompare && analysis::HoldsOneNumber(facts, use);
      if (computes && seen.insert(use).second) work.push_back(use);
    }
  }
  return {};
}

// `rng.gamma(4.0, 0.5, size=1)[0]`
static Text WithSize(const Facts& facts, const DeviceCall& call, const api::Entry* row) {
  const ir::Program& program = facts.program();
  const Span span = program.ops[call.call].span;
  if (SizeOf(facts, call, row).valid()) {
    const auto position = row != nullptr ? api::ParameterPosition(*row, "size") : std::nullopt;
    return match::Replace(span, {{match::ArgumentSpan(facts, call, position.value_or(99), "size"), "1"}}).Add("[0]");
  }
  const bool alone = program.Operands(call.call).size() == 1;
  return match::Replace(span, {{Span{span.end - 1, span.end}, alone ? "size=1)[0]" : ", size=1)[0]"}});
}

// The least number that such a draw gives is 1.
static bool StartsAtOne(std::string_view name) { return match::IsOneOf(name, {"geometric", "logseries", "zipf"}); }

// A count that NumPy has as int64 and cuPyNumeric as uint32: a difference of such counts wraps.
static ir::ValueId UseAsSigned(const Facts& facts, const DeviceCall& call) {
  const std::string_view last = call.base.substr(call.base.rfind('.') + 1);
  if (!match::IsOneOf(last, {"poisson", "binomial", "geometric", "zipf", "logseries", "hypergeometric"})) return {};
  const ir::Program& program = facts.program();
  const auto is_count = [&](ir::ValueId value) {
    const Kind kind = facts.Of(value).kind;
    if (kind == Kind::kInt || kind == Kind::kBool) return true;
    const DeviceCall other = match::AsDeviceCall(facts, facts.Source(value));
    return other && other.base == call.base;
  };
  for (const ir::ValueId use : facts.DeepUsesOf(call.call)) {
    const ir::Op& it = program.ops[use];
    if (it.kind == OpKind::kUnary && static_cast<ir::UnaryOp>(it.detail) == ir::UnaryOp::kNegative) return use;
    const bool binary = it.kind == OpKind::kBinary || it.kind == OpKind::kInplaceBinary;
    if (binary && static_cast<ir::BinaryOp>(it.detail) == ir::BinaryOp::kSub) {
      const bool below_zero = !StartsAtOne(last) || facts.IntOf(program.Operand(use, 1)).value_or(2) > 1;
      if (below_zero && is_count(program.Operand(use, 0)) && is_count(program.Operand(use, 1))) return use;
    }
    const DeviceCall further = match::AsDeviceCall(facts, use);
    if (further && further.base == "diff") return use;
  }
  return {};
}

static Fault DrawFault(const Facts& facts, const DeviceCall& call, std::string_view version) {
  Fault fault;
  const api::Entry* row = match::Row(call.name, version);
  if (!match::IsDraw(call.base) || call.base.starts_with("random.RandomState.")) return fault;
  fault.draws = {call.call};
  ir::ValueId use;
  if (use = UseAsSigned(facts, call); use.valid()) {
    fault.message = "`{call}` draws uint32 in cuPyNumeric where NumPy draws int64, so a difference below zero wraps";
    fault.help = "RR-seed  convert the counts: `.astype(np.int64)`";
    fault.label_text = "unsigned there";
  } else if (DrawsOne(facts, call, row)) {
    use = UseAsNumber(facts, call.call);
    fault.message = "`{call}` is an array of shape (1,) in cuPyNumeric where NumPy gives a number";
    fault.help = Text("RR-seed  draw with a size and take the number out: `").Add(WithSize(facts, call, row)).Add("`");
    fault.label_text = "used as a number";
  }
  if (!use.valid()) return {};
  fault.cause = "";
  fault.label = facts.program().ops[use].span;
  return fault;
}

// Fires when
//   1. the call seeds or makes a generator of np.random that draws in the program, or draws itself, and
//   2. the seed has no effect, or one draw without a size is used as a number, or a count that is unsigned in
//   cuPyNumeric as a signed one.
// Quiet: (a) default_rng with a seed other than 0 or unknown is condition 2, (b) Python's and torch's seeds and (c)
// those of host NumPy are no such calls, (e) SeedSequence is missing (R112).
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  if (!trial.Holds(1, call.base.starts_with("random."))) return;
  Fault fault = SeedFault(facts, call);
  if (fault.cause == nullptr) fault = DrawFault(facts, call, trial.target().version);
  if (!trial.Holds(2, fault.cause != nullptr)) return;

  const Span span = facts.program().ops[op].span;
  const bool matter = fault.matter ? *fault.matter : ResultMatters(facts, fault.draws);
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span)
      .Evidence(call.evidence | fault.evidence)
      .Severity(matter ? Severity::kWarning : Severity::kInfo)
      .Help(fault.help);
  if (fault.message != nullptr) report.Message(fault.message);
  if (!fault.label.empty()) {
    if (!span.Contains(fault.label) && !fault.label.Contains(span)) report.Label(fault.label, fault.label_text);
    return;
  }
  if (fault.message == nullptr) report.Arg("cause", fault.cause);
  if (!fault.draws.empty()) report.Label(facts.program().ops[fault.draws.front()].span, "a draw");
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 309,
    .slug = "seed-semantics",
    .family = Family::kInfo,
    .severity = Severity::kWarning,
    .cold = Severity::kInfo,
    .summary = "a seed without effect, or a draw of another shape or type than NumPy's",
    .message = "`{call}` does not make the draws repeatable on cuPyNumeric: {cause}",
    .why =
        "only `default_rng` with a seed other than 0 gives the same numbers again; one draw without a size has the "
        "shape "
        "(1,), and counts are uint32 (26.07)",
    .details = R"md(
Fires on

- `np.random.seed` where functions of `np.random` draw that no seed of their own comes before, and `RandomState` that something is drawn from: the first has no
  effect, the second has no sampling methods
- `default_rng()` and `default_rng(0)`: 0 counts as no seed, so the clock seeds the generator; *likely* where 0 is the default of
  a parameter and no call hands over another seed, *possible* where it is that of an option of the command line
- one draw without a size that is returned, collected, formatted, printed or converted, by itself or after arithmetic
  with other numbers: its shape is (1,), but of `rand`, `randint` and `integers` ()
- counts of `poisson`, `binomial`, `geometric`, `zipf`, `logseries`, `hypergeometric` that are subtracted or negated: they
  are uint32 and wrap below zero

A warning where a drawn number is compared (`allclose`, `assert`, `np.testing`) or saved, else info.

Stays quiet

- (a) on `default_rng` with any other seed, known or not
- (b) on seeds of Python's `random` and of torch
- (c) on generators of host NumPy
- (e) on `SeedSequence`, which is missing (R112)
- on one draw that is only computed with arrays

The migration guide recommends seeding in general; in 26.07 only a seeded `default_rng` does it.
)md",
    .bad = R"py(
import numpy as np

def noise(n):
    np.random.seed(42)
    return np.random.normal(0.0, 1.0, n)
)py",
    .good = R"py(
import numpy as np

def noise(n):
    rng = np.random.default_rng(42)
    return rng.normal(0.0, 1.0, n)
)py",
    .recipe = "RR-seed",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. the call seeds or makes a generator of `np.random` that draws in the program, or draws itself
2. the seed has no effect, or one draw without a size is used as a number, or a count that is unsigned in cuPyNumeric as a signed one
)md",
    .ops = {OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r309
