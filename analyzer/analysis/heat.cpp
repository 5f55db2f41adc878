// How often a site runs (rules.md A.6): through its loops, its guards and the calls that lead to its function.

#include <algorithm>
#include <bit>
#include <tuple>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/entries.h"
#include "analyzer/analysis/loop_flags.h"

namespace cpnlint::analysis {
namespace {

constexpr std::int64_t kHotItems = 64;  // an item loop is hot only from this many known trips on
constexpr double kUnknownPeriod = 10;   // `i % k == 0` with an unknown k
constexpr double kOncePeriod = 1000;    // `i == c`: once in a loop of unknown length
constexpr int kMostCallDepth = 12;

bool IsHotKind(LoopKind kind) {
  switch (kind) {
    case LoopKind::kIter:
    case LoopKind::kRecurrence:
    case LoopKind::kElement:
    case LoopKind::kChunk:
    case LoopKind::kSweep:
    case LoopKind::kRow:
    case LoopKind::kConvergence:
    case LoopKind::kStep: return true;
    default: return false;
  }
}

bool SwallowsBody(LoopKind kind) {
  return kind == LoopKind::kElement || kind == LoopKind::kRecurrence || kind == LoopKind::kIter;
}

bool IsModulo(const Facts& facts, ir::ValueId id) {
  id = facts.Source(id);
  if (!id.valid()) return false;
  const ir::Op& op = facts.program().ops[id];
  return op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMod &&
         !facts.IsArray(facts.program().Operand(id, 0));
}

double PeriodOfModulo(const Facts& facts, ir::ValueId modulo) {
  const ir::ValueId every = facts.program().Operand(facts.Source(modulo), 1);
  const std::optional<std::int64_t> k = facts.IntOf(every);
  // `every=4` may be anything.
  if (!k || (facts.Of(every).evidence & kDefaultValue) != 0) return kUnknownPeriod;
  return *k > 1 ? static_cast<double>(*k) : 1;
}

}  // namespace

double Facts::GuardPeriod(ir::GuardId guard_id) const {
  const ir::Guard& guard = program_.guards[guard_id];
  if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) return 1;
  ir::ValueId test =
      program_.ops[guard.truth].kind == ir::OpKind::kTruth ? program_.Operand(guard.truth, 0) : guard.truth;
  bool holds = guard.holds;
  for (int steps = 0; steps < 8 && test.valid(); ++steps) {
    const ir::Op& op = program_.ops[test];
    if (op.kind == ir::OpKind::kNot) {
      holds = !holds;
      test = program_.Operand(test, 0);
      if (test.valid() && program_.ops[test].kind == ir::OpKind::kTruth) test = program_.Operand(test, 0);
      continue;
    }
    if (IsModulo(*this, test)) return holds ? 1 : PeriodOfModulo(*this, test);  // `if not i % 10`
    if (op.kind != ir::OpKind::kCompare) return 1;
    const auto compare = static_cast<ir::CompareOp>(op.detail);
    const bool equal = compare == ir::CompareOp::kEq ? holds : compare == ir::CompareOp::kNe ? !holds : false;
    if (!equal) return 1;
    const ir::ValueId left = program_.Operand(test, 0), right = program_.Operand(test, 1);
    if (IsModulo(*this, left)) return PeriodOfModulo(*this, left);
    if (IsModulo(*this, right)) return PeriodOfModulo(*this, right);
    // `i == c` of the loop's own counter: once in all its trips.
    if (!guard.loop.valid()) return 1;
    const bool counter = (IsBareInduction(left, guard.loop) && !InLoop(right, guard.loop)) ||
                         (IsBareInduction(right, guard.loop) && !InLoop(left, guard.loop)) ||
                         (IsBareInduction(left, guard.loop) && IntOf(right)) ||
                         (IsBareInduction(right, guard.loop) && IntOf(left));
    if (!counter) return 1;
    const std::optional<std::int64_t> trips = impl_->store.dims().AsConst(TripsOf(guard.loop).count);
    return trips ? std::max<double>(1, static_cast<double>(*trips)) : kOncePeriod;
  }
  return 1;
}

namespace {

// Only reached to raise: whichever way goes on from the block ends in a raise, be it through the loop of
// `[x for x in found if x < 0]`.
bool EndsInRaise(const ir::Program& program, ir::BlockId block_id) {
  constexpr std::size_t kMostBlocks = 12;
  std::vector<ir::BlockId> work = {block_id};
  bool raises = false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ir::Block& block = program.blocks[work[i]];
    if (block.ops.empty()) return false;
    if (program.ops[block.ops.back()].kind == ir::OpKind::kRaise) {
      raises = true;
      continue;
    }
    if (block.succs.empty()) return false;
    for (const ir::BlockId next : block.succs) {
      if (!next.valid()) return false;
      if (std::find(work.begin(), work.end(), next) == work.end()) work.push_back(next);
    }
    if (work.size() > kMostBlocks) return false;
  }
  return raises;
}

// `done = True` and then `if done: break`: the test always leads elsewhere.
bool NeverGoesTo(const Facts& facts, ir::BlockId from, ir::BlockId to) {
  const ir::Program& program = facts.program();
  const ir::Block& block = program.blocks[from];
  if (block.ops.empty() || block.succs.size() != 2 || block.succs[0] == block.succs[1]) return false;
  if (program.ops[block.ops.back()].kind != ir::OpKind::kBranch) return false;
  const ir::ValueId tested = facts.Source(program.Operand(block.ops.back(), 0));
  // A parameter may be handed over in another way by calls that nobody knows.
  if (!tested.valid() || program.ops[tested].kind != ir::OpKind::kBool) return false;
  return block.succs[*facts.BoolOf(tested) ? 0 : 1] != to;
}

// Whether another trip of the loop can follow the block; what leads to a return, break or raise runs at most once.
bool Repeats(const Facts& facts, Facts::Impl& impl, ir::BlockId block, ir::LoopId loop) {
  const auto [entry, is_new] = impl.repeating.try_emplace(loop);
  std::unordered_set<ir::BlockId>& blocks = entry->second;
  if (is_new) {
    const ir::Program& program = facts.program();
    std::vector<ir::BlockId> work = {program.loops[loop].header};
    blocks.insert(work.front());
    while (!work.empty()) {
      const ir::BlockId now = work.back();
      work.pop_back();
      for (const ir::BlockId pred : program.blocks[now].preds) {
        const ir::LoopId in = program.blocks[pred].loop;
        if (NeverGoesTo(facts, pred, now)) continue;
        if (in.valid() && facts.LoopContains(loop, in) && blocks.insert(pred).second) work.push_back(pred);
      }
    }
  }
  return blocks.contains(block) && ComesAround(facts, block, loop);
}

bool IsDeadGuard(const Facts& facts, const ir::Guard& guard) {
  if (guard.kind == ir::Guard::Kind::kExcept) return true;
  if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) return false;
  const ir::ValueId tested = facts.program().Operand(guard.truth, 0);
  if (facts.ApiName(tested) == "typing.TYPE_CHECKING") return guard.holds;
  std::optional<bool> value = facts.BoolOf(tested);
  if (tested.valid() && facts.program().ops[tested].kind == ir::OpKind::kInt) value = facts.IntOf(tested) != 0;
  return value && *value != guard.holds;
}

// From the outermost one inwards, so that each is looked at once: a chain may have thousands of tests.
const GuardFact& GuardFactOf(const Facts& facts, Facts::Impl& impl, ir::GuardId guard) {
  const ir::Program& program = facts.program();
  if (impl.guards.empty()) impl.guards.resize(program.guards.size());
  std::vector<ir::GuardId> chain;
  for (ir::GuardId at = guard; at.valid() && !impl.guards[at.index()].known; at = program.guards[at].parent) {
    chain.push_back(at);
  }
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    const ir::Guard& record = program.guards[*at];
    GuardFact fact;
    fact.known = true;
    fact.dead = IsDeadGuard(facts, record);
    fact.period = facts.GuardPeriod(*at);
    fact.outside = record.parent;
    if (record.parent.valid()) {
      const GuardFact& around = impl.guards[record.parent.index()];
      fact.dead = fact.dead || around.dead;
      if (program.guards[record.parent].loop == record.loop) {
        fact.period *= around.period;
        fact.outside = around.outside;
      }
    }
    impl.guards[at->index()] = fact;
  }
  return impl.guards[guard.index()];
}

// A short loop that runs every k passes of a loop around it: `if it % 100 == 0: for k in range(8):`. Of the tests from
// `guard` to before `end`.
double PeriodOfShortLoop(const Facts& facts, ir::LoopId loop, ir::GuardId guard, ir::GuardId end) {
  constexpr int kMostTests = 256;
  const std::optional<std::int64_t> trips = facts.MostTrips(loop);
  if (!trips || *trips <= 0) return 1;
  double period = 1;
  for (int tests = 0; guard != end && tests < kMostTests; guard = facts.program().guards[guard].parent, ++tests) {
    period *= std::max(1.0, facts.GuardPeriod(guard) / static_cast<double>(*trips));
  }
  return period;
}

bool IsHotLoop(const Facts& facts, ir::LoopId loop, EvidenceSet& evidence) {
  const LoopFact& fact = facts.LoopFactOf(loop);
  if (fact.kind == LoopKind::kItem) return facts.TripsKnownAtLeast(loop, kHotItems);
  if (!IsHotKind(fact.kind)) return false;
  if (facts.TripsKnownBelow(loop, kHotTrips)) return false;
  evidence |= fact.evidence;
  return true;
}

}  // namespace

Heat Facts::LocalHeat(ir::BlockId block_id) const {
  Heat heat;
  ir::DimStore& dims = impl_->store.dims();
  const ir::Block& block = program_.blocks[block_id];
  heat.dead = EndsInRaise(program_, block_id);
  heat.trips = dims.Const(1);
  bool only_few = false;
  for (ir::LoopId loop = block.loop; loop.valid(); loop = program_.loops[loop].parent) {
    if (!Repeats(*this, *impl_, block_id, loop)) continue;  // on the way out: once, not once per trip
    const LoopFact& fact = LoopFactOf(loop);
    heat.trips = dims.Mul(heat.trips, fact.trips);
    if (SwallowsBody(fact.kind) && !heat.in_element_loop && !TripsKnownBelow(loop, kHotTrips)) {
      heat.in_element_loop = true;
      heat.element_loop = loop;
    }
    EvidenceSet evidence = 0;
    if (!IsHotLoop(*this, loop, evidence)) continue;
    const bool few = MakesFewPasses(*this, *impl_, loop);
    if (few) evidence |= kContradicted;
    if (!heat.hot || (only_few && !few)) {  // what stands around loops of few passes is as hot as without them
      only_few = few;
      heat.hot = true;
      heat.loop = loop;
      heat.evidence = evidence;
    }
    heat.region = loop;
  }
  for (ir::GuardId guard = block.guard; guard.valid();) {
    const GuardFact& fact = GuardFactOf(*this, *impl_, guard);
    const ir::LoopId loop = program_.guards[guard].loop;
    heat.dead = heat.dead || fact.dead;
    // A cadence counts where it stands inside the hot loop.
    if (heat.hot && loop.valid() && LoopContains(heat.loop, loop)) {
      heat.period *= fact.period;
    } else if (heat.hot && loop.valid() && LoopContains(heat.region, loop)) {
      heat.period *= PeriodOfShortLoop(*this, heat.loop, guard, fact.outside);
    }
    if (!heat.hot && !loop.valid()) heat.period *= fact.period;
    guard = fact.outside;
  }
  return heat;
}

namespace {

// A call of such a method says nothing about our classes.
bool IsCommonMethod(std::string_view name) { return IsMethodOf(name, MethodOf::kAnything) || name.starts_with("__"); }

// The farthest class above that has a method of that name, as the class itself has: whoever overrides it means the same
// by it.
ir::ClassId FirstWithMethod(const Facts::Impl& impl, ir::ClassId class_id, Symbol name) {
  constexpr std::size_t kMostAbove = 64;
  std::vector<ir::ClassId> work = {class_id};
  ir::ClassId first = class_id;
  for (std::size_t i = 0; i < work.size() && i < kMostAbove; ++i) {
    const auto& methods = impl.program.classes[work[i]].methods;
    if (i > 0 && std::any_of(methods.begin(), methods.end(),
                             [&](ir::FunctionId method) { return impl.program.functions[method].name == name; }))
      first = work[i];
    for (const ir::ClassId base : impl.bases[work[i]]) work.push_back(base);
  }
  return first;
}

// Unrelated classes with a method of that name: a call on an unknown object says too little about either.
bool DefinedByOneFamily(Facts::Impl& impl, Symbol name) {
  const ir::Program& program = impl.program;
  if (impl.method_families.empty()) {
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      const ir::Function& method = program.functions[ir::FunctionId(i)];
      if (!method.owner.valid() || method.kind != ir::Function::Kind::kDef) continue;
      const ir::ClassId family = FirstWithMethod(impl, method.owner, method.name);
      const auto [known, is_new] = impl.method_families.emplace(method.name, family);
      if (!is_new && known->second != family) known->second = ir::ClassId::None();
      impl.methods_by_name[method.name].emplace_back(i);
    }
  }
  return impl.method_families[name].valid();
}

}  // namespace

std::span<const ir::FunctionId> MethodsReachedBy(Facts::Impl& impl, Symbol name) {
  if (IsCommonMethod(impl.names.Text(name)) || !DefinedByOneFamily(impl, name)) return {};
  return impl.methods_by_name[name];
}

namespace {

// Calls like `src.update_E()` on an object we know nothing of reach the methods of that name (A.6).
const std::vector<ir::ValueId>& UnresolvedCallsOf(const Facts& facts, Facts::Impl& impl, Symbol name) {
  static const std::vector<ir::ValueId> none;
  const ir::Program& program = facts.program();
  if (!impl.unresolved_calls_known) {
    impl.unresolved_calls_known = true;
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      for (const ir::ValueId call : program.functions[ir::FunctionId(i)].calls) {
        const ir::ValueId callee = program.Operand(call, 0);
        if (!callee.valid() || program.ops[callee].kind != ir::OpKind::kAttr || facts.Of(callee).kind != Kind::kUnknown)
          continue;
        impl.unresolved_calls[program.SymbolOf(program.ops[callee])].push_back(call);
      }
    }
  }
  const auto found = impl.unresolved_calls.find(name);
  return found == impl.unresolved_calls.end() ? none : found->second;
}

}  // namespace

namespace {

bool IsCallOfSuper(const ir::Program& program, ir::ValueId call) {
  const ir::ValueId callee = program.Operand(call, 0);
  const ir::ValueId object = callee.valid() && program.ops[callee].kind == ir::OpKind::kAttr
                                 ? program.Operand(callee, 0)
                                 : ir::ValueId::None();
  if (!object.valid() || program.ops[object].kind != ir::OpKind::kCall) return false;
  const ir::ValueId made_by = program.Operand(object, 0);
  return made_by.valid() && program.ops[made_by].kind == ir::OpKind::kBuiltin &&
         program.Name(program.ops[made_by]) == "super";
}

// `f(x)` with a method in a variable: of which objects it may be a method was seen where it was taken, and what
// overrides it there is among the functions that the call is known to reach.
bool CallsKeptMethod(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  return program.ops[call].kind == ir::OpKind::kCall && facts.Of(program.Operand(call, 0)).kind == Kind::kUnknown;
}

// Calls of the methods that a method overrides: the object may be of its class.
std::vector<ir::ValueId> CallsOfOverridden(const Facts& facts, const Facts::Impl& impl, ir::FunctionId function) {
  const ir::Program& program = impl.program;
  const ir::Function& record = program.functions[function];
  std::vector<ir::ValueId> calls;
  if (!record.owner.valid() || record.kind != ir::Function::Kind::kDef) return calls;
  std::vector<ir::ClassId> work = {record.owner};
  for (std::size_t i = 0; i < work.size() && i < 16; ++i) {
    for (const ir::ClassId base : impl.bases[work[i]]) work.push_back(base);
    if (i == 0) continue;
    for (const ir::FunctionId method : program.classes[work[i]].methods) {
      if (program.functions[method].name != record.name) continue;
      for (const ir::ValueId site : impl.functions[method].call_sites) {
        if (!IsCallOfSuper(program, site) && !CallsKeptMethod(facts, site)) calls.push_back(site);
      }
    }
  }
  return calls;
}

}  // namespace

// A run-time value decides whether the place is hot (A.2): `evidence` says at most possible.
namespace {

bool IsFirm(const Heat& heat) { return heat.hot && ConfidenceOf(heat.evidence) != Confidence::kPossible; }

bool IsHotter(const Heat& heat, const Heat& than) {
  if (!than.hot || IsFirm(heat) != IsFirm(than)) return !than.hot || IsFirm(heat);
  return heat.period < than.period;
}

// What the way from the hot loop leaves open is up to a run-time value (A.2). A driver is there to call the one
// function that it is given: of that, one thing may be open.
void AddOpen(int open, WayHeat& heat) {
  heat.open += open;
  const int most = heat.callback.valid() && heat.evidence == 0 ? 1 : 0;
  if (heat.open > most) heat.evidence |= kContradicted;
}

void Add(const Doubt& doubt, WayHeat& heat) {
  if (doubt.unknown) heat.evidence |= kContradicted;
  heat.period *= doubt.period;
  AddOpen(doubt.one_of_many ? 1 : 0, heat);
}

std::uint64_t HashOf(const Way& way) {
  std::uint64_t hash = Mix(way.function.index(), way.object.index());
  for (const Way::Need& need : way.needs) hash = Mix(Mix(hash, need.param), need.guard.index());
  return hash;
}

}  // namespace

// The hottest way to reach a function through the known calls that can happen.
// NOLINTNEXTLINE(misc-no-recursion): call_depth bounds it
const WayHeat& Facts::Impl::FunctionHeat(const Facts& facts, const Way& way) {
  const std::uint32_t cold = heats.empty() ? Keep(WayHeat()) : 0;  // whatever heat is asked for, this comes first
  const std::uint64_t hash = HashOf(way);
  const std::uint32_t known = way_table.Find(hash, [&](std::uint32_t index) { return ways[index] == way; });
  if (known != IndexTable::kFree) return heats[way_heats[known]];
  const auto here = static_cast<std::uint32_t>(ways.size());
  ways.push_back(way);
  way_heats.push_back(cold);  // while in progress: recursion adds nothing
  way_table.Insert(hash, here);
  if (call_depth >= kMostCallDepth) return heats[cold];
  WayHeat hottest;
  bool all_in_element_loops = true;
  ir::LoopId element_loop;
  const bool any_call = !way.object.valid() && way.needs.empty();  // each counts
  ++call_depth;
  for (const ir::ValueId site : functions[way.function].call_sites) {
    Doubt doubt;
    const std::optional<Way> before = any_call ? std::nullopt : WayToCall(facts, *this, way, site, doubt);
    if (!any_call && !before) continue;
    doubt.unknown = doubt.unknown || CallsOneOfMany(facts, *this, site);
    WayHeat heat = any_call ? SiteHeat(facts, site) : HeatOn(facts, site, *before);
    Add(doubt, heat);
    if (!heat.in_element_loop) all_in_element_loops = false;
    if (heat.in_element_loop && !element_loop.valid()) element_loop = heat.element_loop;
    if (heat.dead || !heat.hot) continue;
    if (IsHotter(heat, hottest)) hottest = heat;
  }
  if (!IsFirm(hottest)) {
    for (const ir::ValueId site : CallsOfOverridden(facts, *this, way.function)) {
      Doubt doubt;
      const std::optional<Way> before = WayToCall(facts, *this, way, site, doubt);
      if (!before || doubt.unknown || CallsOneOfMany(facts, *this, site)) continue;
      WayHeat heat = HeatOn(facts, site, *before);
      Add(doubt, heat);
      heat.evidence |= kUnresolvedCall;
      // What is cold for sure says more than what may be hot.
      if (analysis::ConfidenceOf(heat.evidence) == Confidence::kPossible) continue;
      if (heat.dead || !heat.hot || !IsHotter(heat, hottest)) continue;
      hottest = heat;
      all_in_element_loops = false;
    }
  }
  const ir::Function& record = program.functions[way.function];
  if (!IsFirm(hottest) && record.owner.valid() && !IsCommonMethod(names.Text(record.name)) &&
      DefinedByOneFamily(*this, record.name)) {
    for (const ir::ValueId site : UnresolvedCallsOf(facts, *this, record.name)) {
      if (!CouldCall(facts, *this, site, way.function)) continue;
      if (Doubt doubt; !any_call && !WayToCall(facts, *this, way, site, doubt)) continue;
      WayHeat heat = SiteHeat(facts, site);
      heat.evidence |= kUnresolvedCall;
      if (heat.dead || !heat.hot || !IsHotter(heat, hottest)) continue;
      hottest = heat;
      all_in_element_loops = false;
    }
  }
  for (const ir::ValueId site : DriverCallsOf(facts, *this, way.function)) {
    all_in_element_loops = false;
    const WayHeat& heat = SiteHeat(facts, site);
    if (heat.dead || IsFirm(hottest)) continue;
    hottest = heat;
    hottest.hot = true;
    hottest.loop = ir::LoopId::None();
    hottest.callback = site;
    hottest.period = 1;
    hottest.trips = ir::DimId::None();
  }
  // On the first pass alone, unless the loop makes new objects.
  if (hottest.hot && KeepsResult(*this, way.function)) hottest.evidence |= kContradicted;
  --call_depth;
  hottest.in_element_loop = element_loop.valid() && all_in_element_loops;
  hottest.element_loop = hottest.in_element_loop ? element_loop : ir::LoopId::None();
  hottest.dead = false;
  way_heats[here] = Keep(hottest);
  return heats[way_heats[here]];
}

// NOLINTNEXTLINE(misc-no-recursion): call_depth bounds it
WayHeat Facts::Impl::HeatOn(const Facts& facts, ir::ValueId op, const Way& way) {
  WayHeat heat{facts.LocalHeat(program.ops[op].block)};
  if (heat.hot && (AsksUnknown(facts, *this, way) || IsSwitchedOff(facts, *this, program.ops[op].block, heat.loop)))
    heat.evidence |= kContradicted;
  const WayHeat& callers = FunctionHeat(facts, way);
  if (callers.hot) {
    if (heat.hot && !IsFirm(heat) && IsFirm(callers) && MakesFewPasses(facts, *this, heat.loop)) {
      heat.hot = false;
      heat.evidence = 0;
    }
    heat.period *= callers.period;
    if (callers.region.valid() || !heat.hot) heat.region = callers.region;
    if (!heat.hot) {
      heat.hot = true;
      heat.loop = callers.loop;
      heat.callback = callers.callback;
      heat.evidence |= callers.evidence;
      if (RunsInOneCaseOnly(facts, *this, program.ops[op].block)) heat.evidence |= kContradicted;
      heat.period *= PeriodOfTests(facts, *this, program.ops[op].block);
      heat.open = callers.open;
      AddOpen(OpenTests(facts, *this, program.ops[op].block), heat);
    }
    heat.trips = store.dims().Mul(heat.trips, callers.trips);
  }
  if (!heat.in_element_loop && callers.in_element_loop) {
    heat.in_element_loop = true;
    heat.element_loop = callers.element_loop;
  }
  return heat;
}

// NOLINTNEXTLINE(misc-no-recursion): call_depth bounds it
const WayHeat& Facts::Impl::SiteHeat(const Facts& facts, ir::ValueId op) {
  const ir::BlockId block = program.ops[op].block;
  if (heat_of.empty()) heat_of.resize(program.blocks.size());
  if (const std::uint32_t known = heat_of[block.index()]; known != 0) return heats[known - 1];
  const WayHeat heat = HeatOn(facts, op, WayTo(facts, *this, block));
  std::uint32_t& known = heat_of[block.index()];
  if (known != 0) return heats[known - 1];  // a recursion came here first
  known = Keep(heat) + 1;
  return heats[known - 1];
}

std::uint32_t Facts::Impl::Keep(const WayHeat& heat) {
  const auto fields = [](const WayHeat& h) {
    return std::tuple(h.hot, h.dead, h.in_element_loop, h.evidence, h.period, h.loop, h.callback, h.region, h.trips,
                      h.element_loop, h.open);
  };
  std::uint64_t hash = std::uint64_t{heat.evidence} << 3 | (heat.hot ? 4U : 0U) | (heat.dead ? 2U : 0U) |
                       (heat.in_element_loop ? 1U : 0U);
  hash = Mix(hash, std::bit_cast<std::uint64_t>(heat.period));
  hash = Mix(hash, std::uint64_t{heat.loop.index()} << 32 | heat.region.index());
  hash = Mix(hash, std::uint64_t{heat.callback.index()} << 32 | heat.trips.index());
  hash = Mix(hash, std::uint64_t{heat.element_loop.index()} << 32 | static_cast<std::uint32_t>(heat.open));
  const auto same = [&](std::uint32_t index) { return fields(heats[index]) == fields(heat); };
  if (const std::uint32_t found = heat_table.Find(hash, same); found != IndexTable::kFree) return found;
  heats.push_back(heat);
  heat_table.Insert(hash, static_cast<std::uint32_t>(heats.size() - 1));
  return static_cast<std::uint32_t>(heats.size() - 1);
}

const Heat& Facts::HeatOf(ir::ValueId op) const { return impl_->SiteHeat(*this, op); }

// --- reachability (rules.md A.8) ---

namespace {

// A def inside of a function that nothing calls or takes as a value.
bool IsNeverUsed(const Facts& facts, const ir::Function& function) {
  const ir::Program& program = facts.program();
  if (function.kind != ir::Function::Kind::kDef || !function.parent.valid() || !function.made_by.valid()) return false;
  if (program.functions[function.parent].kind != ir::Function::Kind::kDef || !function.decorators.empty()) return false;
  const std::span<const ir::ValueId> uses = facts.UsesOf(function.made_by);
  return std::all_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
    const ir::Op& op = program.ops[use];
    return op.kind == ir::OpKind::kStoreCell && program.cells[ir::CellId(op.payload)].loads.empty();
  });
}

// The functions that the function's calls lead to, itself only where it is called again.
class CallGraph {
 public:
  CallGraph(const Facts& facts, Facts::Impl& impl)
      : facts_(facts), impl_(impl), called_from_(impl.program.functions.size()) {
    for (std::size_t i = 0; i < impl.program.functions.size(); ++i) {
      for (const ir::ValueId site : impl.functions[ir::FunctionId(i)].call_sites) {
        std::vector<ir::FunctionId>& called = called_from_[impl.program.FunctionOf(site)];
        if (called.empty() || called.back() != ir::FunctionId(i)) called.emplace_back(i);
      }
    }
  }

  void Reach(ir::FunctionId function) {
    if (!impl_.reachable[function.index()]) work_.push_back(function);
    while (!work_.empty()) {
      const ir::FunctionId from = work_.back();
      work_.pop_back();
      if (impl_.reachable[from.index()]) continue;
      impl_.reachable[from.index()] = true;
      EachCallee(from, [this](ir::FunctionId to) { work_.push_back(to); });
    }
  }

  [[nodiscard]] bool CallsItself(ir::FunctionId function) const {
    std::unordered_set<ir::FunctionId> seen;
    std::vector<ir::FunctionId> work = {function};
    while (!work.empty()) {
      const ir::FunctionId from = work.back();
      work.pop_back();
      EachCallee(from, [&](ir::FunctionId to) {
        if (seen.insert(to).second) work.push_back(to);
      });
    }
    return seen.contains(function);
  }

 private:
  template <class Use>
  void EachCallee(ir::FunctionId from, const Use& use) const {
    for (const ir::ValueId call : impl_.program.functions[from].calls) {
      const Callee& callee = facts_.CalleeOf(call);
      if (callee.kind == Callee::Kind::kLocal) use(callee.function);
      if (callee.kind != Callee::Kind::kClass) continue;
      const ir::FunctionId init = FindMethod(impl_, callee.class_id, impl_.names.Intern("__init__"));
      if (init.valid()) use(init);
    }
    // Methods that override the one called, one of several functions, properties.
    for (const ir::FunctionId called : called_from_[from]) use(called);
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  IdVector<ir::FunctionId, std::vector<ir::FunctionId>> called_from_;
  std::vector<ir::FunctionId> work_;
};

}  // namespace

// Entry points are module bodies and every function that no analysed code calls; the rest follows the call graph. Of
// functions that only call each other the first one is an entry point, too.
bool Facts::IsReachable(ir::FunctionId function) const {
  if (!impl_->reachability_known) {
    impl_->reachability_known = true;
    if (ReachFromDeclared(*this, *impl_)) return impl_->reachable[function.index()];
    impl_->reachable.assign(program_.functions.size(), false);
    CallGraph graph(*this, *impl_);
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const ir::FunctionId id(i);
      const ir::Function& candidate = program_.functions[id];
      const bool body =
          candidate.kind == ir::Function::Kind::kModule || candidate.kind == ir::Function::Kind::kClassBody;
      if (body || (impl_->functions[id].call_sites.empty() && !IsNeverUsed(*this, candidate))) graph.Reach(id);
    }
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const ir::FunctionId id(i);
      if (!impl_->reachable[i] && graph.CallsItself(id)) graph.Reach(id);
    }
  }
  return impl_->reachable[function.index()];
}

}  // namespace cpnlint::analysis
