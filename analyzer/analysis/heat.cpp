// How often a site runs (rules.md A.6): through its loops, its guards and the calls that lead to its function.

#include <algorithm>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

constexpr std::int64_t kHotTrips = 8;   // hot.min_trips
constexpr std::int64_t kHotItems = 64;  // an item loop is hot only from this many known trips on
constexpr double kUnknownPeriod = 10;   // `i % k == 0` with an unknown k
constexpr double kOncePeriod = 1000;    // `i == c`: once in a loop of unknown length
constexpr int kMostRounds = 64;         // calls on the way from a hot loop to a function

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
  const std::optional<std::int64_t> k = facts.IntOf(facts.program().Operand(facts.Source(modulo), 1));
  if (!k) return kUnknownPeriod;
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

// Only reached to raise: the block, or what it jumps to without a choice, ends in a raise.
bool EndsInRaise(const ir::Program& program, ir::BlockId block_id) {
  for (int steps = 0; steps < 8 && block_id.valid(); ++steps) {
    const ir::Block& block = program.blocks[block_id];
    if (block.ops.empty()) return false;
    const ir::OpKind last = program.ops[block.ops.back()].kind;
    if (last == ir::OpKind::kRaise) return true;
    if (last != ir::OpKind::kJump || block.succs.size() != 1) return false;
    block_id = block.succs[0];
  }
  return false;
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
        if (in.valid() && facts.LoopContains(loop, in) && blocks.insert(pred).second) work.push_back(pred);
      }
    }
  }
  return blocks.contains(block);
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

// Tests around one place that are looked at, innermost first: a chain of thousands of `elif` is generated code.
constexpr int kMostGuards = 256;

bool IsHotLoop(const Facts& facts, ir::LoopId loop, EvidenceSet& evidence) {
  const LoopFact& fact = facts.LoopFactOf(loop);
  if (fact.kind == LoopKind::kItem) return facts.TripsKnownAtLeast(loop, kHotItems);
  if (!IsHotKind(fact.kind)) return false;
  if (facts.TripsKnownBelow(loop, kHotTrips)) return false;
  evidence |= fact.evidence;
  return true;
}

// Within the function alone.
Heat LocalHeat(const Facts& facts, Facts::Impl& impl, ir::BlockId block_id) {
  const ir::Program& program = impl.program;
  Heat heat;
  ir::DimStore& dims = impl.store.dims();
  const ir::Block& block = program.blocks[block_id];
  heat.dead = EndsInRaise(program, block_id);
  heat.trips = dims.Const(1);
  for (ir::LoopId loop = block.loop; loop.valid(); loop = program.loops[loop].parent) {
    if (!Repeats(facts, impl, block_id, loop)) continue;  // on the way out: once, not once per trip
    const LoopFact& fact = facts.LoopFactOf(loop);
    heat.trips = dims.Mul(heat.trips, fact.trips);
    if (SwallowsBody(fact.kind) && !heat.in_element_loop && !facts.TripsKnownBelow(loop, kHotTrips)) {
      heat.in_element_loop = true;
      heat.element_loop = loop;
    }
    EvidenceSet evidence = 0;
    if (!IsHotLoop(facts, loop, evidence)) continue;
    if (!heat.hot) {
      heat.hot = true;
      heat.loop = loop;
      heat.evidence = evidence;
    }
    heat.region = loop;
  }
  int tests = 0;
  for (ir::GuardId guard = block.guard; guard.valid() && tests < kMostGuards; guard = program.guards[guard].parent) {
    ++tests;
    const ir::Guard& record = program.guards[guard];
    if (IsDeadGuard(facts, record)) heat.dead = true;
    // A cadence counts where it stands inside the hot loop.
    if (heat.hot && record.loop.valid() && facts.LoopContains(heat.loop, record.loop)) {
      heat.period *= facts.GuardPeriod(guard);
    } else if (heat.hot && record.loop.valid() && facts.LoopContains(heat.region, record.loop)) {
      // A short loop that runs every k passes of a loop around it: `if it % 100 == 0: for k in range(8):`.
      const std::optional<std::int64_t> trips = facts.MostTrips(heat.loop);
      if (trips && *trips > 0) heat.period *= std::max(1.0, facts.GuardPeriod(guard) / static_cast<double>(*trips));
    }
    if (!heat.hot && !record.loop.valid()) heat.period *= facts.GuardPeriod(guard);
  }
  return heat;
}

// A call of such a method says nothing about our classes.
bool IsCommonMethod(std::string_view name) { return IsMethodOf(name, MethodOf::kAnything) || name.starts_with("__"); }

// Unrelated classes with a method of that name: a call on an unknown object says too little about either.
bool DefinedByOneFamily(Facts::Impl& impl, Symbol name) {
  const ir::Program& program = impl.program;
  if (impl.method_families.empty()) {
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      const ir::Function& method = program.functions[ir::FunctionId(i)];
      if (!method.owner.valid() || method.kind != ir::Function::Kind::kDef) continue;
      const ir::ClassId family = FamilyOf(impl, method.owner);
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

// Calls of the methods that a method overrides: the object may be of its class.
std::vector<ir::ValueId> CallsOfOverridden(const Facts::Impl& impl, ir::FunctionId function) {
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
        if (!IsCallOfSuper(program, site)) calls.push_back(site);
      }
    }
  }
  return calls;
}

enum class Way : std::uint8_t { kNone, kCalled, kHandedOver, kUnsure };  // how a function became hot, surest first

struct WaysIn {
  std::span<const ir::ValueId> calls;       // that name the function
  std::span<const ir::ValueId> drivers;     // that hand it to minimize, solve_ivp, ...
  std::vector<ir::ValueId> of_overridden;   // of a method that it overrides
  std::span<const ir::ValueId> unresolved;  // of a method of that name of an object we know nothing of
};

WaysIn WaysInto(const Facts& facts, Facts::Impl& impl, ir::FunctionId function) {
  const ir::Function& record = impl.program.functions[function];
  WaysIn ways;
  ways.calls = impl.functions[function].call_sites;
  ways.drivers = DriverCallsOf(facts, impl, function);
  ways.of_overridden = CallsOfOverridden(impl, function);
  if (record.owner.valid() && !IsCommonMethod(impl.names.Text(record.name)) && DefinedByOneFamily(impl, record.name))
    ways.unresolved = UnresolvedCallsOf(facts, impl, record.name);
  return ways;
}

template <typename Visit>
void EachSite(const WaysIn& ways, Visit visit) {
  for (const ir::ValueId site : ways.calls) visit(site);
  for (const ir::ValueId site : ways.drivers) visit(site);
  for (const ir::ValueId site : ways.of_overridden) visit(site);
  for (const ir::ValueId site : ways.unresolved) visit(site);
}

// By what is known so far of the functions that call.
Heat HeatIn(const Facts& facts, Facts::Impl& impl, ir::BlockId block_id) {
  const auto [entry, is_new] = impl.local_heats.emplace(block_id, Heat{});
  if (is_new) entry->second = LocalHeat(facts, impl, block_id);
  Heat heat = entry->second;
  const Heat& callers = impl.function_heats[impl.program.blocks[block_id].function];
  if (callers.hot) {
    heat.period *= callers.period;
    if (callers.region.valid() || !heat.hot) heat.region = callers.region;
    if (!heat.hot) {
      heat.hot = true;
      heat.loop = callers.loop;
      heat.callback = callers.callback;
      heat.evidence |= callers.evidence;
    }
    heat.trips = impl.store.dims().Mul(heat.trips, callers.trips);
  }
  if (!heat.in_element_loop && callers.in_element_loop) {
    heat.in_element_loop = true;
    heat.element_loop = callers.element_loop;
  }
  return heat;
}

// The hottest way in, by what is known of the functions that the sites are in; surer kinds of ways come first.
class HeatOfFunctions {
 public:
  HeatOfFunctions(const Facts& facts, Facts::Impl& impl)
      : facts_(facts), impl_(impl), count_(impl.program.functions.size()), ways_(count_), leads_to_(count_) {
    became_hot_by_ = IdVector<ir::FunctionId, Way>(count_, Way::kNone);
    for (std::size_t i = 0; i < count_; ++i) {
      const ir::FunctionId function(i);
      ways_[function] = WaysInto(facts, impl, function);
      EachSite(ways_[function], [&](ir::ValueId site) {
        std::vector<ir::FunctionId>& led = leads_to_[impl.program.FunctionOf(site)];
        if (led.empty() || led.back() != function) led.push_back(function);
      });
    }
  }

  void Settle() {
    for (const Way way : {Way::kCalled, Way::kHandedOver, Way::kUnsure}) {
      Repeat([&](ir::FunctionId function) { return Warm(function, way); });
    }
    Repeat([&](ir::FunctionId function) { return EnterElementLoop(function); });
  }

 private:
  // Rounds over the functions whose callers changed: short ways come before long ones.
  template <typename Step>
  void Repeat(Step step) {
    std::vector<ir::FunctionId> work;
    for (std::size_t i = 0; i < count_; ++i) work.emplace_back(i);
    for (int round = 0; round < kMostRounds && !work.empty(); ++round) {
      std::vector<std::pair<ir::FunctionId, Heat>> changes;
      for (const ir::FunctionId function : work) {
        if (std::optional<Heat> heat = step(function)) changes.emplace_back(function, *heat);
      }
      work.clear();
      for (const auto& [function, heat] : changes) {
        impl_.function_heats[function] = heat;
        work.insert(work.end(), leads_to_[function].begin(), leads_to_[function].end());
      }
      std::sort(work.begin(), work.end());
      work.erase(std::unique(work.begin(), work.end()), work.end());
    }
  }

  std::optional<Heat> Warm(ir::FunctionId function, Way way) {
    Way& became_hot_by = became_hot_by_[function];
    if (became_hot_by != Way::kNone && became_hot_by < way) return std::nullopt;
    const Heat heat = Hottest(ways_[function], way);
    const Heat& now = impl_.function_heats[function];
    if (!heat.hot || (now.hot && now.period <= heat.period)) return std::nullopt;
    became_hot_by = way;
    return heat;
  }

  Heat Hottest(const WaysIn& ways, Way way) const {
    Heat hottest;
    const auto consider = [&](const Heat& heat) {
      if (heat.dead || !heat.hot || (hottest.hot && hottest.period <= heat.period)) return;
      hottest = heat;
    };
    for (const ir::ValueId site : ways.calls) consider(At(site));
    for (const ir::ValueId site : ways.drivers) {
      if (way < Way::kHandedOver || hottest.hot || At(site).dead) continue;
      hottest = At(site);
      hottest.hot = true;
      hottest.loop = ir::LoopId::None();
      hottest.callback = site;
      hottest.period = 1;
      hottest.trips = ir::DimId::None();
    }
    if (way == Way::kUnsure && !hottest.hot) {
      for (const ir::ValueId site : ways.of_overridden) {
        Heat heat = At(site);
        heat.evidence |= kUnresolvedCall;
        // What is cold for sure says more than what may be hot.
        if (analysis::ConfidenceOf(heat.evidence) != Confidence::kPossible) consider(heat);
      }
    }
    if (way == Way::kUnsure && !hottest.hot) {
      for (const ir::ValueId site : ways.unresolved) consider(At(site));
      if (hottest.hot) hottest.evidence |= kUnresolvedCall;
    }
    hottest.dead = hottest.in_element_loop = false;
    hottest.element_loop = ir::LoopId::None();
    return hottest;
  }

  // Where every call stands in a loop over elements, what the function does is explained by it.
  std::optional<Heat> EnterElementLoop(ir::FunctionId function) const {
    const Heat& now = impl_.function_heats[function];
    const WaysIn& ways = ways_[function];
    if (now.in_element_loop || !ways.drivers.empty() || became_hot_by_[function] == Way::kUnsure || ways.calls.empty())
      return std::nullopt;
    Heat heat = now;
    for (const ir::ValueId site : ways.calls) {
      const Heat calling = At(site);
      if (!calling.in_element_loop) return std::nullopt;
      if (!heat.element_loop.valid()) heat.element_loop = calling.element_loop;
    }
    heat.in_element_loop = true;
    return heat;
  }

  Heat At(ir::ValueId site) const { return HeatIn(facts_, impl_, impl_.program.ops[site].block); }

  const Facts& facts_;
  Facts::Impl& impl_;
  std::size_t count_;
  IdVector<ir::FunctionId, WaysIn> ways_;
  IdVector<ir::FunctionId, std::vector<ir::FunctionId>> leads_to_;  // by a call in the function
  IdVector<ir::FunctionId, Way> became_hot_by_;
};

}  // namespace

const Heat& Facts::HeatOf(ir::ValueId op) const {
  if (impl_->function_heats.empty()) {
    impl_->function_heats = IdVector<ir::FunctionId, Heat>(program_.functions.size());
    HeatOfFunctions(*this, *impl_).Settle();
  }
  const ir::BlockId block_id = program_.ops[op].block;
  const auto found = impl_->heats.find(block_id);
  return found != impl_->heats.end() ? found->second
                                     : impl_->heats.emplace(block_id, HeatIn(*this, *impl_, block_id)).first->second;
}

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
