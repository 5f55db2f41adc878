// How hot a function is through the calls that lead to it (rules.md A.6), be it that they call each other.

#include <algorithm>
#include <bit>
#include <tuple>

#include "analyzer/analysis/attribute_stores.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/own_methods.h"
#include "analyzer/analysis/way_arrays.h"
#include "analyzer/analysis/work.h"

namespace cpnlint::analysis {
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

// The class that both are, or derive from directly: `MHMove(Move)` and `RedBlueMove(Move)`, which stand for one
// another.
ir::ClassId Common(const Facts::Impl& impl, ir::ClassId family, ir::ClassId other) {
  if (!family.valid() || family == other) return family;
  const auto derives = [&](ir::ClassId one, ir::ClassId from) { return std::ranges::count(impl.bases[one], from) > 0; };
  if (derives(other, family)) return family;
  const auto base = std::ranges::find_if(impl.bases[family], [&](ir::ClassId one) { return derives(other, one); });
  return base == impl.bases[family].end() ? ir::ClassId::None() : *base;
}

// Unrelated classes with a method of that name, or many siblings: a call on an unknown object says too little about
// one.
bool DefinedByOneFamily(Facts::Impl& impl, Symbol name) {
  constexpr std::size_t kMostSiblings = 2;
  const ir::Program& program = impl.program;
  if (impl.method_families.empty()) {
    std::unordered_map<Symbol, std::vector<ir::ClassId>> families;
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      const ir::Function& method = program.functions[ir::FunctionId(i)];
      if (!method.owner.valid() || method.kind != ir::Function::Kind::kDef) continue;
      const ir::ClassId family = FirstWithMethod(impl, method.owner, method.name);
      std::vector<ir::ClassId>& siblings = families[method.name];
      if (std::ranges::find(siblings, family) == siblings.end()) siblings.push_back(family);
      const auto [known, is_new] = impl.method_families.emplace(method.name, family);
      if (!is_new)
        known->second = siblings.size() > kMostSiblings ? ir::ClassId::None() : Common(impl, known->second, family);
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

namespace {

// `env.step(action)` in a module that has a class with such a method itself: the object is one of that class rather
// than of another module's.
bool MeansOwnClass(const Facts& facts, Facts::Impl& impl, ir::ValueId site, ir::FunctionId method) {
  const ir::Program& program = impl.program;
  if (!program.functions[method].owner.valid() || program.ops[site].kind != ir::OpKind::kCall) return false;
  // A method hands on what it is asked for to other objects that have it.
  if (MethodAround(program, program.FunctionOf(site)).valid()) return false;
  const ir::ValueId callee = program.Operand(site, 0);
  const bool unknown = facts.Of(callee).kind == Kind::kUnknown && program.ops[callee].kind == ir::OpKind::kAttr;
  if (!unknown || !DefinedByOneFamily(impl, program.functions[method].name)) return false;
  const ir::ModuleId module = program.functions[program.FunctionOf(site)].module;
  if (program.functions[method].module == module) return false;
  const auto named = impl.methods_by_name.find(program.functions[method].name);
  if (named == impl.methods_by_name.end()) return false;
  bool own = false;
  for (const ir::FunctionId other : named->second) {
    if (program.functions[other].module != module) continue;
    if (IsA(impl, program.functions[method].owner, program.functions[other].owner)) return false;
    own = true;
  }
  return own;
}

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

namespace {

// A run-time value decides whether the place is hot (A.2): `evidence` says at most possible.
bool IsFirm(const Heat& heat) { return heat.hot && ConfidenceOf(heat.evidence) != Confidence::kPossible; }

bool IsHotter(const Heat& heat, const Heat& than) {
  if (!than.hot || IsFirm(heat) != IsFirm(than)) return !than.hot || IsFirm(heat);
  return heat.period < than.period;
}

// As hot for all that is known, and of more passes: what a function costs belongs to the heaviest that calls it (A.6).
bool IsHeavier(const Heat& heat, const Heat& than) {
  if (IsHotter(heat, than)) return true;
  const bool as_sure = (heat.evidence & ~than.evidence) == 0;
  return as_sure && !IsHotter(than, heat) && heat.passes > than.passes;
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

namespace {

// A call that leads to a function as a way says, and the way to it.
struct Edge {
  enum class Kind : std::uint8_t { kCall, kOverridden, kUnresolved, kDriver } kind = Kind::kCall;
  ir::ValueId site;
  std::uint32_t before = 0;  // index in ways
  Doubt doubt;
};

// The ways that lead to one, and through what calls. Those that lead to each other are one cycle: they are found
// together (Tarjan's strongly connected components), so that it does not matter which of them is asked for first.
class Ways {
 public:
  Ways(const Facts& facts, Facts::Impl& impl) : facts_(facts), impl_(impl), program_(impl.program) {}

  void Solve(std::uint32_t way) {
    Enter(way);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next < nodes_[step.node].edges.size()) {
        const std::uint32_t before = nodes_[step.node].edges[step.next++].before;
        if (impl_.way_heats[before] != kOpenHeat) continue;
        if (const auto known = node_of_.find(before); known != node_of_.end()) {
          Reaches(step.node, nodes_[known->second].low);
        } else {
          Enter(before);
        }
        continue;
      }
      const std::uint32_t node = step.node;
      path_.pop_back();
      if (!path_.empty()) Reaches(path_.back().node, nodes_[node].low);
      if (nodes_[node].low == node) SolveFrom(node);
    }
  }

 private:
  static constexpr std::uint32_t kOpenHeat = Facts::Impl::kOpenHeat;

  struct Node {
    std::uint32_t way = 0;
    std::uint32_t low = 0;  // the first node of the path that it leads back to
    std::vector<Edge> edges;
    WayHeat heat;
    bool changed = false;  // in the last round
  };
  struct Step {
    std::uint32_t node = 0;
    std::size_t next = 0;
  };

  void Enter(std::uint32_t way) {
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    node_of_.emplace(way, node);
    nodes_.push_back({way, node, EdgesTo(impl_.ways[way]), {}, false});
    path_.push_back({node, 0});
  }

  void Reaches(std::uint32_t node, std::uint32_t low) { nodes_[node].low = std::min(nodes_[node].low, low); }

  // The nodes from this one on lead to each other. What a cycle adds to what leads into it is nothing: each takes the
  // first heat that comes to it, unless a longer way is hotter.
  void SolveFrom(std::uint32_t first) {
    const std::size_t count = nodes_.size() - first;
    for (std::size_t i = first; i < nodes_.size(); ++i) nodes_[i].changed = true;
    std::vector<WayHeat> found(count);
    for (std::size_t round = 0; round <= count; ++round) {
      bool any = false;
      std::vector<std::uint32_t> open;
      for (std::uint32_t i = first; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        const bool again = round == 0 || (IsOpen(node.heat) && AnyBeforeChanged(node, first));
        if (!again) continue;
        open.push_back(i);
        found[i - first] = HottestOf(impl_.ways[node.way], node.edges);
      }
      for (std::uint32_t i = first; i < nodes_.size(); ++i) nodes_[i].changed = false;
      for (const std::uint32_t i : open) {
        WayHeat& heat = nodes_[i].heat;
        const bool hotter = found[i - first].hot && IsHotter(found[i - first], heat);
        if (round > 0 && !hotter) continue;
        heat = found[i - first];
        nodes_[i].changed = hotter;
        any = any || hotter;
      }
      if (!any) break;
    }
    for (std::size_t i = first; i < nodes_.size(); ++i) {
      impl_.way_heats[nodes_[i].way] = impl_.Keep(nodes_[i].heat);
      node_of_.erase(nodes_[i].way);
    }
    nodes_.resize(first);
  }

  static bool IsOpen(const WayHeat& heat) { return !IsFirm(heat) || heat.period > 1; }

  [[nodiscard]] bool AnyBeforeChanged(const Node& node, std::uint32_t first) const {
    return std::any_of(node.edges.begin(), node.edges.end(), [&](const Edge& edge) {
      const auto before = node_of_.find(edge.before);
      return before != node_of_.end() && before->second >= first && nodes_[before->second].changed;
    });
  }

  [[nodiscard]] const WayHeat& HeatOf(std::uint32_t way) const {
    if (impl_.way_heats[way] != kOpenHeat) return impl_.heats[impl_.way_heats[way]];
    return nodes_[node_of_.at(way)].heat;
  }

  [[nodiscard]] WayHeat HeatAt(const Edge& edge) {
    const ir::BlockId block = program_.ops[edge.site].block;
    const bool plain = edge.before == WayToBlock(edge.site);  // all that leads to the block
    if (plain) {
      if (const std::uint32_t known = impl_.heat_of[block.index()]; known != 0) return impl_.heats[known - 1];
    }
    WayHeat heat = impl_.HeatOn(facts_, edge.site, impl_.ways[edge.before], HeatOf(edge.before));
    if (plain && impl_.way_heats[edge.before] != kOpenHeat) impl_.heat_of[block.index()] = impl_.Keep(heat) + 1;
    return heat;
  }

  [[nodiscard]] std::uint32_t WayToBlock(ir::ValueId site) { return WayTo(facts_, impl_, program_.ops[site].block); }

  // Hot and firm whatever leads to it.
  [[nodiscard]] bool IsFirmAlone(const Edge& edge) {
    WayHeat heat = impl_.HeatOn(facts_, edge.site, impl_.ways[edge.before], {});
    Add(edge.doubt, heat);
    return IsFirm(heat) && !heat.dead;
  }

  [[nodiscard]] std::vector<Edge> EdgesTo(const Way& way) {
    std::vector<Edge> edges;
    const bool any_call = !way.object.valid() && way.needs.empty();  // each counts
    const bool is_method = program_.functions[way.function].owner.valid();
    bool firm = !is_method;  // then no other calls matter
    for (const ir::ValueId site : impl_.functions[way.function].call_sites) {
      Edge edge{Edge::Kind::kCall, site, 0, {}};
      const std::optional<std::uint32_t> before =
          any_call ? WayToBlock(site) : WayToCall(facts_, impl_, way, site, edge.doubt);
      if (!before) continue;
      edge.before = *before;
      edge.doubt.unknown = edge.doubt.unknown || CallsOneOfMany(facts_, impl_, site);
      firm = firm || IsFirmAlone(edge);
      edges.push_back(edge);
    }
    if (!firm) AddOverridden(way, edges);
    if (!firm) AddUnresolved(way, any_call, edges);
    for (const ir::ValueId site : DriverCallsOf(facts_, impl_, way.function)) {
      const std::optional<std::uint32_t> before = WayToDriver(facts_, impl_, way, site);
      if (before) edges.push_back({Edge::Kind::kDriver, site, *before, {}});
    }
    return edges;
  }

  void AddOverridden(const Way& way, std::vector<Edge>& edges) {
    for (const ir::ValueId site : CallsOfOverridden(facts_, impl_, way.function)) {
      Edge edge{Edge::Kind::kOverridden, site, 0, {}};
      const std::optional<std::uint32_t> before = WayToCall(facts_, impl_, way, site, edge.doubt);
      if (!before || edge.doubt.unknown || CallsOneOfMany(facts_, impl_, site)) continue;
      edge.before = *before;
      edges.push_back(edge);
    }
  }

  void AddUnresolved(const Way& way, bool any_call, std::vector<Edge>& edges) {
    const Symbol name = program_.functions[way.function].name;
    if (!IsCommonMethod(impl_.names.Text(name)) && DefinedByOneFamily(impl_, name))
      AddCallsOf(name, way, any_call, edges);
    for (const Symbol attribute : AttributesThatHold(impl_, way.function)) {
      if (!IsCommonMethod(impl_.names.Text(attribute))) AddCallsOf(attribute, way, any_call, edges);
    }
  }

  void AddCallsOf(Symbol name, const Way& way, bool any_call, std::vector<Edge>& edges) {
    for (const ir::ValueId site : UnresolvedCallsOf(facts_, impl_, name)) {
      if (!CouldCall(facts_, impl_, site, way.function)) continue;
      if (Doubt doubt; !any_call && !WayToCall(facts_, impl_, way, site, doubt)) continue;
      edges.push_back({Edge::Kind::kUnresolved, site, WayToBlock(site), {}});
    }
  }

  // The hottest way to reach a function through the known calls that can happen; then through those that may be meant.
  [[nodiscard]] WayHeat HottestOf(const Way& way, const std::vector<Edge>& edges) {
    WayHeat hottest;
    bool all_in_element_loops = true;
    ir::LoopId element_loop;
    Edge::Kind kind = Edge::Kind::kCall;
    bool asked = true;
    for (const Edge& edge : edges) {
      if (edge.kind != kind) {
        kind = edge.kind;
        asked = kind == Edge::Kind::kDriver || !IsFirm(hottest);
      }
      if (!asked) continue;
      if (kind == Edge::Kind::kDriver) all_in_element_loops = false;
      WayHeat heat = HeatAt(edge);
      if (kind == Edge::Kind::kCall || kind == Edge::Kind::kOverridden) Add(edge.doubt, heat);
      if (kind == Edge::Kind::kCall) {
        // A function that calls itself runs where its first call runs.
        const bool own = program_.FunctionOf(edge.site) == way.function;
        if (!heat.in_element_loop && !own) all_in_element_loops = false;
        if (heat.in_element_loop && !element_loop.valid()) element_loop = heat.element_loop;
      }
      if (heat.dead) continue;
      if (kind != Edge::Kind::kDriver && MeansOwnClass(facts_, impl_, edge.site, way.function))
        heat.evidence |= kContradicted;
      if (kind == Edge::Kind::kDriver) {
        if (!IsFirm(hottest)) hottest = Driven(heat, edge.site);
        continue;
      }
      if (kind != Edge::Kind::kCall) heat.evidence |= kUnresolvedCall;
      // What is cold for sure says more than what may be hot.
      if (kind == Edge::Kind::kOverridden && ConfidenceOf(heat.evidence) == Confidence::kPossible) continue;
      if (!heat.hot || !IsHeavier(heat, hottest)) continue;
      hottest = heat;
      if (kind != Edge::Kind::kCall) all_in_element_loops = false;
    }
    // On the first pass alone, unless the loop makes new objects.
    if (hottest.hot && KeepsResult(impl_, way.function)) hottest.evidence |= kContradicted;
    hottest.in_element_loop = element_loop.valid() && all_in_element_loops;
    hottest.element_loop = hottest.in_element_loop ? element_loop : ir::LoopId::None();
    hottest.dead = false;
    return hottest;
  }

  static WayHeat Driven(WayHeat heat, ir::ValueId site) {
    heat.hot = true;
    heat.loop = ir::LoopId::None();
    heat.callback = site;
    heat.period = 1;
    heat.trips = ir::DimId::None();
    heat.passes *= kDriverCalls;
    return heat;
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  std::vector<Node> nodes_;  // of the path and of cycles that it has come through
  std::unordered_map<std::uint32_t, std::uint32_t> node_of_;
  std::vector<Step> path_;
};

}  // namespace

namespace {

// How seldom the loops of the callers let the function run, for what stands in a hot loop of its own: `if it % 100 ==
// 0: smooth(u)`.
double PeriodAround(const Facts& facts, ir::LoopId loop, double period) {
  const std::optional<std::int64_t> trips = facts.MostTrips(loop);
  return trips && *trips > 0 ? std::max(1.0, period / static_cast<double>(*trips)) : 1;
}

}  // namespace

// Asked for anew with each call that leads to the block's function.
const WayHeat& Facts::Impl::LocalHeat(const Facts& facts, ir::BlockId block) {
  if (local_heat_of.empty()) local_heat_of.resize(program.blocks.size());
  std::uint32_t& known = local_heat_of[block.index()];
  if (known == 0) known = Keep(WayHeat{facts.LocalHeat(block)}) + 1;
  return heats[known - 1];
}

WayHeat Facts::Impl::HeatOn(const Facts& facts, ir::ValueId op, const Way& way, const WayHeat& callers) {
  const ir::BlockId block = program.ops[op].block;
  WayHeat heat = LocalHeat(facts, block);
  if (heat.hot && (AsksUnknown(facts, *this, way) || IsSwitchedOff(facts, *this, block, heat.loop)))
    heat.evidence |= kContradicted;
  if (callers.hot) {
    if (heat.hot && !IsFirm(heat) && IsFirm(callers) && MakesFewPasses(facts, *this, heat.loop)) {
      heat.hot = false;
      heat.evidence = 0;
    }
    heat.period *= heat.hot ? PeriodAround(facts, heat.loop, callers.period) : callers.period;
    if (callers.region.valid() || !heat.hot) heat.region = callers.region;
    if (!heat.hot) {
      heat.hot = true;
      heat.loop = callers.loop;
      heat.callback = callers.callback;
      heat.evidence |= callers.evidence;
      if (RunsInOneCaseOnly(facts, *this, block)) heat.evidence |= kContradicted;
      heat.period *= PeriodOfTests(facts, *this, block);
      heat.open = callers.open;
      AddOpen(OpenTests(facts, *this, block), heat);
    }
    heat.trips = store.dims().Mul(heat.trips, callers.trips);
    heat.passes *= callers.passes;
  }
  if (!heat.in_element_loop && callers.in_element_loop) {
    heat.in_element_loop = true;
    heat.element_loop = callers.element_loop;
  }
  return heat;
}

std::uint32_t Facts::Impl::IndexOf(const Way& way) {
  const std::uint64_t hash = HashOf(way);
  const std::uint32_t known = way_table.Find(hash, [&](std::uint32_t index) { return ways[index] == way; });
  if (known != IndexTable::kFree) return known;
  const auto here = static_cast<std::uint32_t>(ways.size());
  ways.push_back(way);
  way_heats.push_back(kOpenHeat);
  way_table.Insert(hash, here);
  return here;
}

const WayHeat& Facts::Impl::SiteHeat(const Facts& facts, ir::ValueId op) {
  const ir::BlockId block = program.ops[op].block;
  if (heat_of.empty()) heat_of.resize(program.blocks.size());
  std::uint32_t& known = heat_of[block.index()];
  if (known != 0) return heats[known - 1];
  const std::uint32_t way = WayTo(facts, *this, block);
  if (way_heats[way] == kOpenHeat) Ways(facts, *this).Solve(way);
  known = Keep(HeatOn(facts, op, ways[way], heats[way_heats[way]])) + 1;
  return heats[known - 1];
}

std::uint32_t Facts::Impl::Keep(const WayHeat& heat) {
  const auto fields = [](const WayHeat& h) {
    return std::tuple(h.hot, h.dead, h.in_element_loop, h.evidence, h.period, h.loop, h.callback, h.region, h.trips,
                      h.element_loop, h.open, h.passes);
  };
  std::uint64_t hash = std::uint64_t{heat.evidence} << 3 | (heat.hot ? 4U : 0U) | (heat.dead ? 2U : 0U) |
                       (heat.in_element_loop ? 1U : 0U);
  hash = Mix(Mix(hash, std::bit_cast<std::uint64_t>(heat.period)), std::bit_cast<std::uint64_t>(heat.passes));
  hash = Mix(hash, std::uint64_t{heat.loop.index()} << 32 | heat.region.index());
  hash = Mix(hash, std::uint64_t{heat.callback.index()} << 32 | heat.trips.index());
  hash = Mix(hash, std::uint64_t{heat.element_loop.index()} << 32 | static_cast<std::uint32_t>(heat.open));
  const auto same = [&](std::uint32_t index) { return fields(heats[index]) == fields(heat); };
  if (const std::uint32_t found = heat_table.Find(hash, same); found != IndexTable::kFree) return found;
  heats.push_back(heat);
  heat_table.Insert(hash, static_cast<std::uint32_t>(heats.size() - 1));
  return static_cast<std::uint32_t>(heats.size() - 1);
}

bool Facts::IsDead(ir::BlockId block) const { return impl_->LocalHeat(*this, block).dead; }

// A loop somewhere else may hand over a number for what other calls hand over arrays for.
const Heat& Facts::HeatOf(ir::ValueId op) const {
  const WayHeat& heat = impl_->SiteHeat(*this, op);
  if (!heat.hot || !heat.loop.valid() || program_.loops[heat.loop].function == program_.FunctionOf(op)) return heat;
  if (!MayWorkOnParam(program_, op)) return heat;
  const auto [entry, is_new] = impl_->array_heats.try_emplace(op, Impl::kOpenHeat);
  if (is_new) entry->second = impl_->Keep(impl_->HeatWithArray(*this, op, heat));
  return impl_->heats[entry->second];
}

WayHeat Facts::Impl::HeatWithArray(const Facts& facts, ir::ValueId op, const WayHeat& heat) {
  const std::optional<ArrayParam> param = ArrayParamOf(facts, op);
  if (!param) return heat;
  const std::uint32_t way = IndexOf(WayWithArray(facts, *this, program.ops[op].block, *param));
  if (way_heats[way] == kOpenHeat) Ways(facts, *this).Solve(way);
  const WayHeat with_array = HeatOn(facts, op, ways[way], heats[way_heats[way]]);
  const bool same = with_array.hot && with_array.loop == heat.loop;
  return same ? heat : with_array;
}

}  // namespace cpnlint::analysis
