// The order of a program's work: functions one by one, then the tree from each root with calls followed.

#include "analyzer/analysis/work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "analyzer/analysis/cadences.h"
#include "analyzer/analysis/call_trips.h"
#include "analyzer/analysis/held_objects.h"
#include "analyzer/analysis/work_impl.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostDepth = 12;       // calls within calls
constexpr std::size_t kMostSteps = 100'000;  // of all roots together
constexpr std::size_t kMostOfRoot = 20'000;
// rules.md A.5.
constexpr double kStepTrips = 1000, kConvergenceTrips = 500, kItemTrips = 10, kAxisTrips = 4;

// The block, or what it jumps to without a choice, ends in a raise.
bool EndsInRaise(const ir::Program& program, ir::BlockId block_id) {
  for (int steps = 0; steps < 8; ++steps) {
    const ir::Block& block = program.blocks[block_id];
    if (block.ops.empty()) return false;
    const ir::OpKind last = program.ops[block.ops.back()].kind;
    if (last == ir::OpKind::kRaise) return true;
    if (last != ir::OpKind::kJump || block.succs.size() != 1) return false;
    block_id = block.succs.front();
  }
  return false;
}

// What share of passes comes to each place.
class Shares {
 public:
  explicit Shares(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  // Of the passes of the innermost loop, or of the function; of the loop where the block ends it.
  double OfBlock(ir::BlockId block) {
    const ir::Block& record = program_.blocks[block];
    return OfGuards(record.guard, record.loop);
  }

  bool EndsLoop(ir::BlockId block) {
    const ir::LoopId loop = program_.blocks[block].loop;
    return loop.valid() && !Repeats(block, loop);
  }

  double OfLoop(ir::LoopId loop) {
    const ir::Loop& record = program_.loops[loop];
    return OfGuards(program_.blocks[record.header].guard, record.parent);
  }

 private:
  // The tests that stand directly in `loop`; those around the loop count for the loop itself.
  double OfGuards(ir::GuardId guard, ir::LoopId loop) {
    std::vector<ir::GuardId> chain;
    double share = 1;
    for (; guard.valid() && program_.guards[guard].loop == loop; guard = program_.guards[guard].parent) {
      if (const auto known = shares_.find(guard); known != shares_.end()) {
        share = known->second;
        break;
      }
      chain.push_back(guard);
    }
    for (; !chain.empty(); chain.pop_back()) {
      share *= Factor(chain.back());
      shares_.emplace(chain.back(), share);
    }
    return share;
  }

  double Factor(ir::GuardId guard_id) {
    const ir::Guard& guard = program_.guards[guard_id];
    if (guard.kind == ir::Guard::Kind::kExcept) return 0;
    if (guard.kind == ir::Guard::Kind::kLoopElse) return 1;
    if (!guard.truth.valid()) return 1;
    const bool compound = guard.kind == ir::Guard::Kind::kCompound;
    const ir::ValueId tested = program_.Operand(guard.truth, 0);
    if (const std::optional<bool> known = facts_.BoolOf(tested); known && !compound) {
      return *known == guard.holds ? 1 : 0;
    }
    if (!compound && IsMainTest(tested)) return guard.holds ? 1 : 0;
    // Of several tests the last one leads here, or to where all others lead that do not lead here.
    const ir::Block& block = program_.blocks[program_.ops[guard.truth].block];
    if (block.succs.size() == 2 && !block.ops.empty() && program_.ops[block.ops.back()].kind == ir::OpKind::kBranch) {
      const ir::BlockId other = block.succs[guard.holds ? 1 : 0];
      const ir::BlockId here = block.succs[guard.holds ? 0 : 1];
      if (EndsInRaise(program_, other)) return 1;
      if (guard.loop.valid() && !Repeats(here, guard.loop)) return 1;  // it counts once per loop
      if (guard.loop.valid() && !Repeats(other, guard.loop)) return 1;
    }
    if (compound) return 0.5;
    if (EveryAsked(facts_, guard).valid()) return 1 / facts_.CadenceOf(guard_id).period;
    if (const double period = facts_.GuardPeriod(guard_id); period > 1) return 1 / period;
    return Complement(guard_id);
  }

  // The other branch of `if i % k == 0`.
  double Complement(ir::GuardId guard_id) const {
    const ir::Guard& guard = program_.guards[guard_id];
    const ir::ValueId test = program_.Operand(guard.truth, 0);
    if (!test.valid() || program_.ops[test].kind != ir::OpKind::kCompare) return 0.5;
    const auto compare = static_cast<ir::CompareOp>(program_.ops[test].detail);
    const bool differs = guard.holds ? compare == ir::CompareOp::kNe : compare == ir::CompareOp::kEq;
    const ir::ValueId left = program_.Operand(test, 0);
    if (!differs || !left.valid() || program_.ops[left].kind != ir::OpKind::kBinary ||
        static_cast<ir::BinaryOp>(program_.ops[left].detail) != ir::BinaryOp::kMod) {
      return 0.5;
    }
    const std::optional<std::int64_t> period = facts_.IntOf(program_.Operand(left, 1));
    return period && *period > 1 ? 1 - 1 / static_cast<double>(*period) : 0.5;
  }

  // `__name__ == "__main__"`
  bool IsMainTest(ir::ValueId test) const {
    if (!test.valid() || program_.ops[test].kind != ir::OpKind::kCompare) return false;
    if (static_cast<ir::CompareOp>(program_.ops[test].detail) != ir::CompareOp::kEq) return false;
    const ir::ValueId left = program_.Operand(test, 0);
    return left.valid() && program_.ops[left].kind == ir::OpKind::kBuiltin &&
           program_.Name(program_.ops[left]) == "__name__";
  }

  // Another trip of the loop can follow the block; what leads to a return or break runs at most once.
  bool Repeats(ir::BlockId block, ir::LoopId loop) {
    const auto [entry, is_new] = repeating_.try_emplace(loop);
    std::unordered_set<ir::BlockId>& blocks = entry->second;
    if (is_new) {
      std::vector<ir::BlockId> open = {program_.loops[loop].header};
      blocks.insert(open.front());
      while (!open.empty()) {
        const ir::BlockId now = open.back();
        open.pop_back();
        for (const ir::BlockId pred : program_.blocks[now].preds) {
          const ir::LoopId in = program_.blocks[pred].loop;
          if (in.valid() && facts_.LoopContains(loop, in) && blocks.insert(pred).second) open.push_back(pred);
        }
      }
    }
    return blocks.contains(block);
  }

  const Facts& facts_;
  const ir::Program& program_;
  std::unordered_map<ir::GuardId, double> shares_;  // of the tests from the loop down to this one
  std::unordered_map<ir::LoopId, std::unordered_set<ir::BlockId>> repeating_;
};

// A function's own steps in the order of its code.
class Planner {
 public:
  Planner(const Facts& facts, Work& work) : facts_(facts), program_(facts.program()), maker_(facts, work) {}

  Plan Of(ir::FunctionId function) {
    if (facts_.IsCompiledElsewhere(function)) return {};
    maker_.Begin(function);
    Plan& plan = growing_;
    plan.items.clear();
    plan.loops.clear();
    Shares shares(facts_);
    const ir::Function& record = program_.functions[function];
    open_.clear();
    statement_ = ir::StatementId::None();
    statements_ = 0;
    for (const ir::BlockId block_id : record.blocks) {
      const ir::Block& block = program_.blocks[block_id];
      if (block.ops.empty() || (block_id != record.blocks.front() && block.preds.empty())) continue;
      GoTo(block.loop, shares, plan);
      if (facts_.IsDead(block_id)) continue;
      const double share = shares.OfBlock(block_id);
      if (share <= 0) continue;
      ends_loop_ = shares.EndsLoop(block_id);
      for (const ir::ValueId op : block.ops) SeeOp(op, share, plan);
      FlushStatements(share, plan);
    }
    GoTo(ir::LoopId::None(), shares, plan);
    // The plans of all functions stay until the last one is made: they have no room to grow, and most are of functions
    // that neither work on arrays nor call what does.
    const bool may_work = std::any_of(plan.items.begin(), plan.items.end(), [](const PlanItem& item) {
      return item.kind == PlanItem::Kind::kTask || item.kind == PlanItem::Kind::kCall;
    });
    return may_work ? plan : Plan();
  }

 private:
  void SeeOp(ir::ValueId id, double share, Plan& plan) {
    const ir::Op& op = program_.ops[id];
    if ((op.flags & (ir::kInAnnotation | ir::kNotEvaluated)) != 0) return;
    if (op.statement.valid() && op.statement != statement_) {
      statement_ = op.statement;
      ++statements_;
      fresh_ = true;
    }
    const std::size_t before = plan.items.size();
    maker_.See(id, share, plan);
    if (plan.items.size() == before) return;
    if (ends_loop_) MarkEnding(before, plan);
    // A statement that does array work is no plain one; the plain ones before it come first.
    if (fresh_ && statements_ > 0) --statements_;
    fresh_ = false;
    AddStatements(before, share, plan);
  }

  // Not what stands in a loop of its own (`list(x)`).
  static void MarkEnding(std::size_t from, Plan& plan) {
    int open = 0;
    for (std::size_t i = from; i < plan.items.size(); ++i) {
      PlanItem& item = plan.items[i];
      if (item.kind == PlanItem::Kind::kCloseLoop) --open;
      item.ends_loop = open == 0;
      if (item.kind == PlanItem::Kind::kOpenLoop) ++open;
    }
  }

  void FlushStatements(double share, Plan& plan) {
    AddStatements(plan.items.size(), share, plan);
    fresh_ = false;
  }

  // The plain ones since the last item; with those right before them they are one item where the share is the same.
  void AddStatements(std::size_t at, double share, Plan& plan) {
    const std::uint32_t statements = std::exchange(statements_, 0);
    if (statements == 0) return;
    const PlanItem added{PlanItem::Kind::kPython, statements, share, {}, {}, ends_loop_};
    if (at > 0) {
      PlanItem& before = plan.items[at - 1];
      if (before.kind == added.kind && before.share == share && before.ends_loop == ends_loop_) {
        before.index += statements;
        return;
      }
    }
    plan.items.insert(plan.items.begin() + static_cast<std::ptrdiff_t>(at), added);
  }

  // Closes and opens loops until `loop` is the innermost open one.
  void GoTo(ir::LoopId loop, Shares& shares, Plan& plan) {
    while (!open_.empty() && !(loop.valid() && facts_.LoopContains(open_.back(), loop))) {
      plan.items.push_back({PlanItem::Kind::kCloseLoop, 0, 1, {}, {}});
      open_.pop_back();
    }
    std::vector<ir::LoopId> inner;
    for (ir::LoopId l = loop; l.valid() && (open_.empty() || l != open_.back()); l = program_.loops[l].parent) {
      inner.push_back(l);
    }
    for (; !inner.empty(); inner.pop_back()) {
      const ir::LoopId opened = inner.back();
      plan.loops.push_back({opened, facts_.LoopFactOf(opened).trips, AssumedTrips(facts_, opened, kDefaultExtent)});
      const auto index = static_cast<std::uint32_t>(plan.loops.size() - 1);
      plan.items.push_back({PlanItem::Kind::kOpenLoop, index, shares.OfLoop(opened), {}, {}});
      open_.push_back(opened);
    }
  }

  const Facts& facts_;
  const ir::Program& program_;
  TaskMaker maker_;
  Plan growing_;
  std::vector<ir::LoopId> open_;
  ir::StatementId statement_;
  std::uint32_t statements_ = 0;  // plain ones since the last item
  bool fresh_ = false;            // the last of them is the current one
  bool ends_loop_ = false;        // the block does
};

// Marks the plans that lead to a task.
void FindWorking(std::vector<Plan>& plans) {
  std::vector<std::vector<std::uint32_t>> callers(plans.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t f = 0; f < plans.size(); ++f) {
    for (const PlanItem& item : plans[f].items) {
      if (item.kind == PlanItem::Kind::kTask) plans[f].works = true;
      if (item.kind == PlanItem::Kind::kCall) callers[item.callee.index()].push_back(f);
    }
    if (plans[f].works) open.push_back(f);
  }
  while (!open.empty()) {
    const std::uint32_t f = open.back();
    open.pop_back();
    for (const std::uint32_t caller : callers[f]) {
      if (plans[caller].works) continue;
      plans[caller].works = true;
      open.push_back(caller);
    }
  }
}

// Follows calls from one root.
class Tree {
 public:
  Tree(const Facts& facts, Work& work, const std::vector<Plan>& plans)
      : facts_(facts), work_(work), plans_(plans), seen_(plans.size(), false) {}

  // Followed, or left out where a tree was cut.
  [[nodiscard]] bool HasSeen(ir::FunctionId function) const { return any_cut_ || seen_[function.index()]; }

  void Follow(ir::FunctionId function, std::size_t& budget) {
    seen_[function.index()] = true;
    work_.roots.push_back({function, {}, false});
    budget_ = std::min(budget, kMostOfRoot);
    const std::size_t at_first = budget_;
    loops_.clear();
    call_ = kNoCall;
    if (!call_of_.empty()) call_of_.clear();  // it goes over as many buckets as the largest tree needed
    frames_.assign(1, Frame{function, 0, 1, 0});
    while (!frames_.empty()) Step();
    budget -= at_first - budget_;
  }

 private:
  struct Frame {
    ir::FunctionId function;
    std::size_t next = 0;   // item of its plan
    double share = 1;       // of the call, within the loop that it stands in
    std::size_t loops = 0;  // that were open at the call
  };

  void Step() {
    Frame& frame = frames_.back();
    const Plan& plan = plans_[frame.function.index()];
    if (frame.next == plan.items.size()) {
      frames_.pop_back();
      if (call_ != kNoCall) call_ = work_.calls[call_].outer;
      return;
    }
    const PlanItem& item = plan.items[frame.next++];
    const double outside = loops_.size() == frame.loops ? frame.share : 1;
    const double share = item.share * outside / (item.ends_loop ? PassesOf(work_.loops[loops_.back()]) : 1);
    switch (item.kind) {
      case PlanItem::Kind::kTask: Put({WorkStep::Kind::kTask, item.index, share, call_}); break;
      case PlanItem::Kind::kPython: Put({WorkStep::Kind::kPython, item.index, share, call_}); break;
      case PlanItem::Kind::kOpenLoop: {
        const auto index = static_cast<std::uint32_t>(work_.loops.size());
        work_.loops.push_back(LoopHere(plan.loops[item.index]));
        Put({WorkStep::Kind::kLoop, index, share, call_});
        loops_.push_back(index);
        break;
      }
      case PlanItem::Kind::kCloseLoop: loops_.pop_back(); break;
      case PlanItem::Kind::kCall: Call(item, share); break;
    }
  }

  [[nodiscard]] double PassesOf(const WorkLoop& loop) const {
    const std::optional<std::int64_t> known = facts_.store().dims().AsConst(loop.trips);
    return std::max(1.0, known ? static_cast<double>(*known) : loop.assumed_trips);
  }

  // It makes as many passes as the calls that lead here ask for.
  [[nodiscard]] WorkLoop LoopHere(const PlanLoop& loop) const {
    ir::DimId trips = loop.trips;
    for (std::uint32_t at = call_; at != kNoCall; at = work_.calls[at].outer)
      trips = HandedOverIn(facts_, trips, work_.calls[at].call, work_.calls[at].function);
    const bool same = trips == loop.trips || !loop.loop.valid();
    return {loop.loop, trips, same ? loop.assumed_trips : AssumedTripsOf(facts_, loop.loop, trips, kDefaultExtent), {}};
  }

  void Call(const PlanItem& item, double share) {
    if (!plans_[item.callee.index()].works) return Put({WorkStep::Kind::kPython, 1, share, call_});
    const bool recursive =
        std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.function == item.callee; });
    if (recursive) return Missing(item.op, "calls itself: how often is not known", share);
    if (frames_.size() > kMostDepth) any_cut_ = true;
    if (frames_.size() > kMostDepth) return Missing(item.op, "calls nest too deep to be followed", share);
    seen_[item.callee.index()] = true;
    call_ = CallOf(item.op, item.callee);
    frames_.push_back({item.callee, 0, share, loops_.size()});
  }

  std::uint32_t CallOf(ir::ValueId op, ir::FunctionId callee) {
    const std::uint64_t key = std::uint64_t{call_} << 32 | op.index();
    const auto [found, is_new] = call_of_.emplace(key, static_cast<std::uint32_t>(work_.calls.size()));
    const WorkCall call{op, callee, call_, call_ == kNoCall ? 1 : work_.calls[call_].depth + 1};
    if (!is_new && work_.calls[found->second].function != callee) {  // one of several functions that it may run
      const auto same = std::ranges::find_if(work_.calls, [&](const WorkCall& one) {
        return one.call == op && one.function == callee && one.outer == call_;
      });
      if (same != work_.calls.end()) return static_cast<std::uint32_t>(same - work_.calls.begin());
      work_.calls.push_back(call);
      return static_cast<std::uint32_t>(work_.calls.size() - 1);
    }
    if (is_new) work_.calls.push_back(call);
    return found->second;
  }

  void Missing(ir::ValueId op, std::string_view why, double share) {
    WorkTask task;
    task.op = op;
    task.launches = task.launches_divided = 0;
    task.unpriced = why;
    work_.tasks.push_back(std::move(task));
    Put({WorkStep::Kind::kTask, static_cast<std::uint32_t>(work_.tasks.size() - 1), share, call_});
  }

  void Put(WorkStep step) {
    if (budget_ == 0) return Cut(step);
    std::vector<WorkStep>& steps = Steps();
    if (step.kind == WorkStep::Kind::kPython && !steps.empty()) {
      WorkStep& last = steps.back();
      if (last.kind == step.kind && last.share == step.share && last.call == step.call) {
        last.index += step.index;
        return;
      }
    }
    --budget_;
    steps.push_back(std::move(step));
  }

  // The rest of the tree is one task that nothing is known of.
  void Cut(const WorkStep& step) {
    if (!work_.roots.back().cut) {
      work_.roots.back().cut = any_cut_ = true;
      ir::ValueId op = step.call == kNoCall ? ir::ValueId::None() : work_.calls[step.call].call;
      if (step.kind == WorkStep::Kind::kTask) op = work_.tasks[step.index].op;
      WorkTask task;
      task.op = op;
      task.launches = task.launches_divided = 0;
      task.unpriced = "more steps than are followed";
      work_.tasks.push_back(std::move(task));
      WorkStep last{WorkStep::Kind::kTask, static_cast<std::uint32_t>(work_.tasks.size() - 1), 1};
      work_.roots.back().steps.push_back(std::move(last));
    }
    frames_.clear();
  }

  std::vector<WorkStep>& Steps() { return loops_.empty() ? work_.roots.back().steps : work_.loops[loops_.back()].body; }

  const Facts& facts_;
  Work& work_;
  const std::vector<Plan>& plans_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> loops_;                          // open ones, into Work::loops
  std::uint32_t call_ = kNoCall;                              // that is being followed, of Work::calls
  std::unordered_map<std::uint64_t, std::uint32_t> call_of_;  // of the root: by the call around it and the op
  std::size_t budget_ = 0;
  std::vector<bool> seen_;  // by function
  bool any_cut_ = false;
};

bool WalksItems(const Facts& facts, ir::LoopId loop) {
  switch (facts.LoopFactOf(loop).kind) {
    case LoopKind::kIter:
    case LoopKind::kRecurrence:
    case LoopKind::kElement:
    case LoopKind::kChunk:
    case LoopKind::kRow: return true;
    default: return false;
  }
}

// Three loops over items in one another and more walk the axes of one array, and share the elements of the widest
// (rules.md E.1).
double AxisOfNest(const Facts& facts, ir::LoopId loop, double extent) {
  constexpr double kWidest = kDefaultExtent * kDefaultExtent;
  const ir::Program& program = facts.program();
  const auto unknown = [&](ir::LoopId one) {
    return WalksItems(facts, one) && !facts.store().dims().AsConst(facts.LoopFactOf(one).trips) ? 1 : 0;
  };
  int depth = 1, inside = 0;
  for (ir::LoopId around = program.loops[loop].parent; around.valid(); around = program.loops[around].parent)
    depth += unknown(around);
  for (std::size_t i = loop.index() + 1; i < program.loops.size(); ++i) {
    ir::LoopId inner(i);
    int below = 0;
    for (; inner.valid() && inner != loop; inner = program.loops[inner].parent) below += unknown(inner);
    if (inner != loop) break;  // those inside stand right behind it
    inside = std::max(inside, below);
  }
  return depth + inside < 3 ? extent : std::min(extent, std::round(std::pow(kWidest, 1.0 / (depth + inside))));
}

// What `range(len(names))` and `range(args.cells)` come to; nullopt where anything else is in it.
std::optional<double> TripsOfCounts(const Facts& facts, ir::DimId trips) {
  if (!trips.valid()) return std::nullopt;
  const ir::DimStore& dims = facts.store().dims();
  const std::vector<Symbol> symbols = dims.Symbols(trips);
  if (symbols.empty() ||
      !std::ranges::all_of(symbols, [&](Symbol symbol) { return facts.UsualCount(symbol).has_value(); }))
    return std::nullopt;
  return dims.Evaluate(trips, [&](Symbol symbol, std::uint32_t) { return *facts.UsualCount(symbol); });
}

// What the counter of a loop over a range is on average where that makes so many passes; nullopt for others.
std::optional<double> MeanOfCounter(const Facts& facts, ir::LoopId loop, double passes) {
  const ir::Program& program = facts.program();
  const ir::Loop& record = program.loops[loop];
  const ir::ValueId made = record.iterable.valid() ? facts.Source(record.iterable) : record.iterable;
  if (!made.valid() || facts.Of(made).kind != Kind::kRange) return std::nullopt;
  if (program.ops[made].kind != ir::OpKind::kCall) return std::nullopt;
  const std::size_t given = facts.PositionalCount(made);
  const auto start = given < 2 ? std::optional<std::int64_t>(0) : facts.IntOf(program.Operand(made, 1));
  const auto step = given < 3 ? std::optional<std::int64_t>(1) : facts.IntOf(program.Operand(made, 3));
  if (!start || !step) return std::nullopt;
  return static_cast<double>(*start) + static_cast<double>(*step) * (passes - 1) / 2;
}

// The number of which a loop makes `passes`: n where that is `n - 1`. nullopt where they are not as many as one size,
// more or less by a constant.
std::optional<double> SizeFor(const Facts& facts, ir::DimId trips, double passes) {
  const auto at = [&](double size) {
    return facts.store().dims().Evaluate(trips, [&](Symbol, std::uint32_t) { return size; });
  };
  const auto none = at(0), one = at(1);
  if (!none || !one || *one - *none != 1) return std::nullopt;
  return passes - *none;
}

// `for nu in range(mu + 1, 4)` in `for mu in range(4)`: 1.5, as the sum over all passes has it; with n for 4 half of
// what n is taken for. NOLINTNEXTLINE(misc-no-recursion): from a loop to the one around it
std::optional<double> MeanTrips(const Facts& facts, ir::LoopId loop, ir::DimId trips, double extent) {
  const ir::Program& program = facts.program();
  const ir::DimStore& dims = facts.store().dims();
  if (!trips.valid()) return std::nullopt;
  const std::vector<Symbol> symbols = dims.Symbols(trips);
  for (ir::LoopId around = program.loops[loop].parent; around.valid(); around = program.loops[around].parent) {
    const ir::ValueId item = program.loops[around].item;
    const std::vector<Symbol> counter = item.valid() ? dims.Symbols(facts.Of(item).dim) : std::vector<Symbol>{};
    if (counter.size() != 1 || std::ranges::find(symbols, counter.front()) == symbols.end()) continue;
    const ir::DimId trips_around = facts.LoopFactOf(around).trips;
    const auto known = dims.AsConst(trips_around);
    // What a call hands over for one of the two loops it hands over for the other.
    if (!known && (!trips_around.valid() || trips != facts.LoopFactOf(loop).trips)) return std::nullopt;
    const double passes = known ? static_cast<double>(*known) : AssumedTrips(facts, around, extent);
    const std::vector<Symbol> size = dims.Symbols(trips_around);
    const auto is_told = [&](Symbol symbol) { return symbol == counter.front() || size == std::vector{symbol}; };
    const std::optional<double> mean = MeanOfCounter(facts, around, passes);
    const std::optional<double> whole = size.empty() ? passes : SizeFor(facts, trips_around, passes);
    if (!mean || !whole || !std::ranges::all_of(symbols, is_told)) return std::nullopt;
    return dims.Evaluate(trips,
                         [&](Symbol symbol, std::uint32_t) { return symbol == counter.front() ? *mean : *whole; });
  }
  return std::nullopt;
}

// Of a loop over what a mask or `np.nonzero` selects; nullopt for others.
std::optional<double> TripsOfSelected(const Facts& facts, ir::LoopId loop, double extent) {
  const ir::DimId items = DataLengths(facts).OfWalked(facts.program().loops[loop].iterable);
  return facts.store().dims().Evaluate(items, [&](Symbol symbol, std::uint32_t instance) {
    return facts.UsualCount(symbol, instance).value_or(extent);
  });
}

double TripsOfKind(const Facts& facts, ir::LoopId loop, double extent) {
  if (WalksItems(facts, loop)) {
    // `for k, x in enumerate(parts.values())`: as many as `len(parts)` is taken for.
    const double trips = AxisOfNest(facts, loop, extent);
    return WalksHeldObjects(facts, loop) ? std::min(trips, kUsualItems) : trips;
  }
  switch (facts.LoopFactOf(loop).kind) {
    case LoopKind::kStep:
    case LoopKind::kSweep: return kStepTrips;
    case LoopKind::kConvergence: return kConvergenceTrips;
    case LoopKind::kItem: return kItemTrips;
    case LoopKind::kAxis: return kAxisTrips;
    default: return facts.program().loops[loop].kind == ir::Loop::Kind::kWhile ? kConvergenceTrips : kItemTrips;
  }
}

// `while j < n and times[j] < t:` in a loop that does not set `j` back: its counter; None() for others.
ir::ValueId CounterThatGoesOn(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::Loop& record = program.loops[loop];
  if (record.kind != ir::Loop::Kind::kWhile || !record.parent.valid()) return {};
  const ir::BlockId around = program.loops[record.parent].header;
  for (const ir::ValueId phi : program.blocks[record.header].ops) {
    if (program.ops[phi].kind != ir::OpKind::kPhi) break;
    if (facts.Of(phi).kind != Kind::kInt) continue;
    for (const ir::ValueId before : program.Operands(phi)) {
      const bool outer =
          before.valid() && program.ops[before].kind == ir::OpKind::kPhi && program.ops[before].block == around;
      if (outer && std::ranges::find(program.Operands(before), phi) != program.Operands(before).end()) return phi;
    }
  }
  return {};
}

// The smallest constant that it is compared with.
std::optional<double> LimitOf(const Facts& facts, ir::ValueId counter) {
  std::optional<double> least;
  for (const ir::ValueId test : facts.UsesOf(counter)) {
    if (facts.program().ops[test].kind != ir::OpKind::kCompare) continue;
    for (const ir::ValueId with : facts.program().Operands(test)) {
      const auto number = with.valid() && with != counter ? facts.IntOf(with) : std::nullopt;
      if (number) least = std::min(least.value_or(static_cast<double>(*number)), static_cast<double>(*number));
    }
  }
  return least;
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): from a loop to the one around it
double AssumedTrips(const Facts& facts, ir::LoopId loop, double extent) {
  return AssumedTripsOf(facts, loop, facts.LoopFactOf(loop).trips, extent);
}

// NOLINTNEXTLINE(misc-no-recursion)
double AssumedTripsOf(const Facts& facts, ir::LoopId loop, ir::DimId trips_there, double extent) {
  if (const auto mean = MeanTrips(facts, loop, trips_there, extent)) return std::max(1.0, *mean);
  if (const auto count = TripsOfCounts(facts, trips_there)) return std::max(1.0, *count);
  if (const auto selected = TripsOfSelected(facts, loop, extent)) return std::max(1.0, *selected);
  const std::optional<std::int64_t> usual = facts.UsualTrips(loop);
  double trips = TripsOfKind(facts, loop, extent);
  if (usual && *usual > 0) trips = std::min(trips, static_cast<double>(*usual));
  const ir::ValueId counter = CounterThatGoesOn(facts, loop);
  if (!counter.valid()) return trips;
  // All passes of the loop around have these together.
  const ir::LoopId around = facts.program().loops[loop].parent;
  const auto known = facts.store().dims().AsConst(facts.LoopFactOf(around).trips);
  const double shares = known ? static_cast<double>(*known) : AssumedTrips(facts, around, extent);
  return std::max(1.0, std::min(trips, LimitOf(facts, counter).value_or(trips)) / std::max(1.0, shares));
}

double PassesOf(const Facts& facts, ir::LoopId loop) {
  const std::optional<std::int64_t> known = facts.store().dims().AsConst(facts.LoopFactOf(loop).trips);
  return known ? static_cast<double>(*known) : AssumedTrips(facts, loop, kDefaultExtent);
}

Work WorkOf(const Facts& facts) {
  Work work;
  const ir::Program& program = facts.program();
  std::vector<Plan> plans;
  plans.reserve(program.functions.size());
  {
    Planner planner(facts, work);
    for (std::size_t f = 0; f < program.functions.size(); ++f) plans.push_back(planner.Of(ir::FunctionId(f)));
  }
  FindWorking(plans);
  for (Plan& plan : plans) {
    if (!plan.works) plan = {};
  }

  std::vector<bool> called(plans.size(), false);
  for (std::size_t f = 0; f < plans.size(); ++f) {
    for (const PlanItem& item : plans[f].items) {
      if (item.kind == PlanItem::Kind::kCall && item.callee.index() != f) called[item.callee.index()] = true;
    }
  }
  Tree tree(facts, work, plans);
  std::size_t budget = kMostSteps;
  const auto follow = [&](bool modules) {
    for (std::size_t f = 0; f < plans.size(); ++f) {
      const bool module = program.functions[ir::FunctionId(f)].kind == ir::Function::Kind::kModule;
      if (module == modules && plans[f].works && !called[f]) tree.Follow(ir::FunctionId(f), budget);
    }
  };
  follow(true);
  follow(false);
  // Functions that only call each other: the first of them is a root.
  for (std::size_t f = 0; f < plans.size(); ++f) {
    if (plans[f].works && called[f] && !tree.HasSeen(ir::FunctionId(f))) tree.Follow(ir::FunctionId(f), budget);
  }
  // It stays as long as the program, and there is much of it. Of the tasks' own table, which is large, what is not used
  // costs nothing but addresses; a second one would cost memory.
  for (WorkLoop& loop : work.loops) loop.body.shrink_to_fit();
  for (WorkRoot& root : work.roots) root.steps.shrink_to_fit();
  return work;
}

std::string_view Name(WorkKind kind) {
  constexpr std::array<std::string_view, kWorkKinds> kNames = {
      "elementwise",    "fill",      "copy",           "random",  "reduction", "axis reduction", "scan",
      "matrix product", "sort",      "gather",         "scatter", "mask read", "convolution",    "transform",
      "factorisation",  "histogram", "element access", "to host", "from host"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace cpnlint::analysis
