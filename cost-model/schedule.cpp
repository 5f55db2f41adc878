// The recurrence of deferred execution (docs/cost-model.md, "A program").

#include "cost-model/schedule.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <utility>

namespace cpnlint::cost {
namespace {

using analysis::WorkStep;

// Loops nested deeper are followed for one pass and multiplied: each level of exact following triples the work.
constexpr std::size_t kExactDepth = 2;
// Passes of an exact loop that are followed: two tell what one more adds, the last is followed again.
constexpr double kFollowed = 3;
// Lanes that are followed together, so that the clocks of a large plan stay in the cache.
constexpr std::size_t kBlock = 32;

double Later(double a, double b) { return a < b ? b : a; }

Part PartOf(Parameter parameter) {
  switch (parameter) {
    case Parameter::kHostLatency:
    case Parameter::kHostBandwidth: return Part::kHost;
    default: return Part::kCommunication;
  }
}

// How often the body of a loop is counted, at its depth.
double PassesOf(const PlanStep& loop, std::size_t depth) {
  const double trips = std::max(1.0, loop.trips);
  return depth < kExactDepth && trips <= kFollowed ? std::round(trips) : trips;
}

// Seconds per unit of each parameter on a layout.
template <std::size_t N>
struct Units {
  Units(const Samples<N>& samples, const Profile& profile, const Layout& layout)
      : alone(samples.unit),
        together(samples.unit),
        window(std::max(1.0, profile.Value(Parameter::kWindow))),
        cores(profile.Value(Parameter::kHostCores)) {
    launch_base = Of(Parameter::kLaunchBase);
    launch_per_processor = Of(Parameter::kLaunchPerProcessor);
    if (layout.nodes > 1) {
      const Lanes<N>& factor = Of(Parameter::kRankFactor);
      for (std::size_t i = 0; i < N; ++i) {
        launch_base[i] *= factor[i];
        launch_per_processor[i] *= factor[i];
      }
    }
    // Processors that share one memory have a part of it each.
    const Lanes<N>& shared = Of(Parameter::kBandwidthShared);
    for (const Parameter rate :
         {Parameter::kBandwidth, Parameter::kFillRate, Parameter::kFirstTouch, Parameter::kReductionRate,
          Parameter::kAxisReductionRate, Parameter::kOuterReductionRate, Parameter::kScanRate, Parameter::kFftRate}) {
      Lanes<N>& unit = together[static_cast<std::size_t>(rate)];
      for (std::size_t i = 0; i < N; ++i) unit[i] = std::max(unit[i], shared[i] * PerNode(layout));
    }
    // So have those that share units of arithmetic, or a budget of power, once most of the node is at work.
    if (PerNode(layout) * 2 <= profile.machine.processors_per_node) return;
    const auto slow = [&](Parameter share, std::initializer_list<Parameter> rates) {
      const Lanes<N>& kept = Of(share);
      for (const Parameter rate : rates) {
        Lanes<N>& unit = together[static_cast<std::size_t>(rate)];
        for (std::size_t i = 0; i < N; ++i)
          if (kept[i] > 0) unit[i] /= std::min(kept[i], 1.0);
      }
    };
    slow(Parameter::kArithmeticTogether,
         {Parameter::kArithmeticRate, Parameter::kDivisionRate, Parameter::kTranscendentalRate, Parameter::kChoiceRate,
          Parameter::kWalkRate, Parameter::kWalkAxisRate, Parameter::kMaskRate, Parameter::kNormalRate});
    slow(Parameter::kProductTogether, {Parameter::kProductRate64, Parameter::kProductRate32, Parameter::kFactorRate});
    if (cores == 0 || PerNode(layout) < cores) return;
    // Where they are all the cores there are, the runtime's threads run between them.
    const Lanes<N>& queued = Of(Parameter::kQueuedFactor);
    for (std::size_t rate = 0; rate < kParameters; ++rate) {
      if (!IsRate(static_cast<Parameter>(rate))) continue;
      for (std::size_t i = 0; i < N; ++i) together[rate][i] *= std::max(queued[i], 1.0);
    }
  }

  [[nodiscard]] const Lanes<N>& Of(Parameter parameter) const { return alone[static_cast<std::size_t>(parameter)]; }

  const std::array<Lanes<N>, kParameters>& alone;
  std::array<Lanes<N>, kParameters> together;  // with all processors of a node at work
  Lanes<N> launch_base, launch_per_processor;
  double window;
  double cores;  // that Python, the runtime and the processors share; 0 where they share none
};

// Seconds of one visit of a task, on B lanes.
template <std::size_t B>
struct Visit {
  Lanes<B> python{}, dispatch{};  // what Python and the server take
  Lanes<B> before{}, busy{};      // what its data, and then the processor take
  Lanes<B> after{};               // until its result may be used
  Lanes<B> resume{};              // until the host goes on, where it waits
};

// What each part is busy for.
template <std::size_t B>
struct Load {
  std::array<Lanes<B>, kParts> parts{};
  Lanes<B> cores{};  // seconds of all cores of a node that its processors share with Python and the runtime

  Lanes<B>& operator[](Part part) { return parts[static_cast<std::size_t>(part)]; }
  const Lanes<B>& operator[](Part part) const { return parts[static_cast<std::size_t>(part)]; }
  void Add(const Load& more, double times) {
    for (std::size_t part = 0; part < kParts; ++part) {
      for (std::size_t i = 0; i < B; ++i) parts[part][i] += times * more.parts[part][i];
    }
    for (std::size_t i = 0; i < B; ++i) cores[i] += times * more.cores[i];
  }
};

// The lanes from `from` on of what parameters stand for.
template <std::size_t B, std::size_t N>
class Pricing {
 public:
  Pricing(const Units<N>& units, std::size_t from) : units_(units), from_(from) {}

  void Price(const Demand& demand, Visit<B>& visit, Load<B>& load) const {
    Add(visit.python, units_.Of(Parameter::kLaunchPython), demand.dispatches);
    load[Part::kHost] = visit.python;
    AddCopies(demand.before, visit.before, load);
    if (demand.runs) {
      if (demand.element) {
        Add(visit.dispatch, units_.Of(Parameter::kElementAccess), demand.launches);
      } else {
        Add(visit.dispatch, units_.launch_base, demand.dispatches);
        Add(visit.dispatch, units_.launch_per_processor, demand.dispatches * demand.points);
      }
      load[Part::kLaunch] = visit.dispatch;
      Run(demand, visit.busy, load);
      AddCopies(demand.exchange, visit.busy, load);
      Add(visit.after, units_.Of(Parameter::kDependentLatency), 1);
      AddCopies(demand.after, visit.after, load);
    }
    if (units_.cores > 0) WorkOfCores(demand, visit, load.cores);
    if (!demand.waits) return;
    Add(visit.resume, units_.Of(Parameter::kWait), 1);
    load[Part::kWait] = visit.resume;
    AddCopies(demand.host, visit.resume, load);
  }

  void Add(Lanes<B>& sum, const Lanes<N>& unit, double amount) const {
    for (std::size_t i = 0; i < B; ++i) sum[i] += amount * unit[from_ + i];
  }

 private:
  void AddCopies(const Terms& terms, Lanes<B>& sum, Load<B>& load) const {
    for (const Term& term : terms) {
      Add(sum, units_.Of(term.parameter), term.amount);
      Add(load[PartOf(term.parameter)], units_.Of(term.parameter), term.amount);
    }
  }

  // Python's part, the runtime's, and that of the processors of a node.
  void WorkOfCores(const Demand& demand, const Visit<B>& visit, Lanes<B>& cores) const {
    cores = visit.python;
    if (!demand.runs) return;
    Add(cores, units_.Of(Parameter::kRuntimeWork), demand.launches * demand.points);
    for (std::size_t i = 0; i < B; ++i) cores[i] += visit.busy[i] * demand.points;
  }

  // The longer of memory and arithmetic counts, on each lane.
  void Run(const Demand& demand, Lanes<B>& busy, Load<B>& load) const {
    const auto& unit = demand.together ? units_.together : units_.alone;
    for (const Term& term : demand.memory) Add(busy, unit[static_cast<std::size_t>(term.parameter)], term.amount);
    Lanes<B> compute{};
    for (const Term& term : demand.compute) Add(compute, unit[static_cast<std::size_t>(term.parameter)], term.amount);
    const Lanes<N>& floor = units_.Of(Parameter::kTaskFloor);
    for (std::size_t i = 0; i < B; ++i) {
      const bool arithmetic = compute[i] > busy[i];
      busy[i] = std::max({busy[i], compute[i], floor[from_ + i]});
      load[arithmetic ? Part::kCompute : Part::kMemory][i] = busy[i];
    }
  }

  const Units<N>& units_;
  std::size_t from_;
};

bool AsksNothing(const Demand& demand) {
  return !demand.runs && !demand.waits && demand.host.empty() && demand.before.empty();
}

// Follows a plan on B lanes.
template <std::size_t B>
class Walk {
 public:
  Walk(const Plan& plan, const Demands& demands, const std::vector<double>& launches, double window)
      : plan_(plan),
        demands_(demands),
        launches_(launches),
        window_(window),
        visits_(demands.kinds.size()),
        loads_(demands.kinds.size()),
        of_loops_(plan.steps.size()),
        state_(kClocks + plan.roots) {}

  template <std::size_t N>
  void Run(const Units<N>& units, std::size_t from, Timing<N>& timing) {
    const Pricing<B, N> pricing(units, from);
    for (std::size_t kind = 0; kind < visits_.size(); ++kind) {
      visits_[kind] = {};
      loads_[kind] = {};
      pricing.Price(demands_.kinds[kind], visits_[kind], loads_[kind]);
    }
    statement_ = {};
    pricing.Add(statement_, units.Of(Parameter::kStatement), 1);
    const Load<B> load = LoadOf();
    std::fill(state_.begin(), state_.end(), Lanes<B>{});
    const auto end = static_cast<std::uint32_t>(plan_.steps.size());
    std::array<Lanes<B>, kClocks> before{};
    Steps(0, end);
    if (!plan_.whole) {
      Take(plan_.pass);
      Steps(0, end);
      Take(plan_.pass);
      std::copy_n(state_.begin(), kClocks, before.begin());
      Steps(0, end);
    }
    for (std::size_t i = 0; i < B; ++i) {
      // Where cores are few, no pass is shorter than what all threads together have to do on them.
      const double shared = units.cores > 0 ? load.cores[i] / units.cores : 0;
      timing.time[from + i] = std::max({state_[kIssue][i] - before[kIssue][i], state_[kMap][i] - before[kMap][i],
                                        state_[kDevice][i] - before[kDevice][i], shared});
      for (std::size_t part = 0; part < kParts; ++part) timing.parts[part][from + i] = load.parts[part][i];
    }
  }

 private:
  // Rows of the state: when Python is free to go on, the dispatch server, the busiest processor; when the result of the
  // last task may be used; then by root, when its last writer's result may be.
  enum Clock : std::size_t { kIssue, kMap, kDevice, kLast, kClocks };
  using Rows = std::vector<Lanes<B>>;

  // A loop that is being followed.
  struct Frame {
    std::uint32_t step, begin;
    double trips;
    bool exact;
    int pass;           // that runs now, from 1 on
    std::size_t marks;  // of marks_: the state at its start, and after the passes so far
  };

  [[nodiscard]] const PlanStep& StepOf(const Frame& frame) const { return plan_.steps[frame.step]; }
  [[nodiscard]] std::size_t Size(const PlanStep& loop) const { return kClocks + loop.end_written - loop.first_written; }
  [[nodiscard]] const Lanes<B>* MarkOf(const Frame& frame, std::size_t mark) const {
    return marks_.data() + frame.marks + mark * Size(StepOf(frame));
  }
  // Of the state, what the loop changes.
  void AddMark(const PlanStep& loop) {
    marks_.insert(marks_.end(), state_.begin(), state_.begin() + kClocks);
    for (std::uint32_t i = loop.first_written; i < loop.end_written; ++i)
      marks_.push_back(state_[kClocks + plan_.written[i]]);
  }

  // What the parts are busy for in one pass of the plan; fills that of each loop's body.
  Load<B> LoadOf() {
    struct Open {
      std::uint32_t step;
      Load<B> load;
    };
    std::vector<Open> open(1);
    const auto end = static_cast<std::uint32_t>(plan_.steps.size());
    for (std::uint32_t at = 0;;) {
      while (open.size() > 1 && at == plan_.steps[open.back().step].end) {
        const PlanStep& loop = plan_.steps[open.back().step];
        Load<B>& body = of_loops_[open.back().step] = open.back().load;
        open.pop_back();
        open.back().load.Add(body, loop.share * PassesOf(loop, open.size() - 1));
      }
      if (at == end) return open.front().load;
      const std::uint32_t index = at++;
      const PlanStep& step = plan_.steps[index];
      if (step.kind == WorkStep::Kind::kPython) {
        Load<B>& load = open.back().load;
        for (std::size_t i = 0; i < B; ++i) {
          const double python = step.share * step.index * statement_[i];
          load[Part::kHost][i] += python;
          load.cores[i] += python;
        }
      } else if (step.kind == WorkStep::Kind::kTask) {
        const std::uint32_t kind = demands_.of[step.index];
        if (step.share > 0 && !AsksNothing(demands_.kinds[kind])) open.back().load.Add(loads_[kind], step.share);
      } else if (step.end <= at || step.trips <= 0) {
        at = std::max(at, step.end);
      } else {
        open.push_back({index, {}});
      }
    }
  }

  void Steps(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t at = begin;
    while (true) {
      while (!frames_.empty() && at == StepOf(frames_.back()).end) at = EndPass();
      if (at == end && frames_.empty()) return;
      const std::uint32_t index = at++;
      const PlanStep& step = plan_.steps[index];
      switch (step.kind) {
        case WorkStep::Kind::kTask: Task(step.index, step.share); break;
        case WorkStep::Kind::kPython: Python(step); break;
        case WorkStep::Kind::kLoop:
          if (step.end <= at || step.trips <= 0) {
            at = std::max(at, step.end);
            break;
          }
          Take(Moves(step.first_move, step.first_pass_move));
          frames_.push_back({index, at, std::max(1.0, step.trips), frames_.size() < kExactDepth, 1, marks_.size()});
          AddMark(step);
          break;
      }
    }
  }

  // Decides what follows a pass; gives the next step.
  std::uint32_t EndPass() {
    Frame& frame = frames_.back();
    Take(Moves(StepOf(frame).first_pass_move, StepOf(frame).end_move));
    if (!frame.exact) {
      AddMark(StepOf(frame));
      Extrapolate(frame, 0, frame.trips - 1);
      return Leave(MarkOf(frame, 0), MarkOf(frame, 1), 1);
    }
    if (frame.pass >= kFollowed || frame.pass >= std::round(frame.trips)) {
      if (frame.trips > kFollowed) return Leave(MarkOf(frame, 1), MarkOf(frame, 2), 1);
      return Leave(MarkOf(frame, 0), state_.data(), frame.pass);
    }
    AddMark(StepOf(frame));
    ++frame.pass;
    if (frame.pass == kFollowed && frame.trips > kFollowed) Extrapolate(frame, 1, frame.trips - kFollowed);
    return frame.begin;
  }

  // `a` and `b` are `passes` passes apart.
  std::uint32_t Leave(const Lanes<B>* a, const Lanes<B>* b, double passes) {
    const Frame frame = frames_.back();
    const PlanStep& loop = StepOf(frame);
    // Python cannot be further ahead than the window allows.
    const double launches = passes * launches_[frame.step];
    if (launches > 0 && frame.trips * launches > window_) {
      for (std::size_t i = 0; i < B; ++i) {
        const double end = std::max(state_[kMap][i], state_[kDevice][i]);
        const double pass = std::max(b[kMap][i] - a[kMap][i], b[kDevice][i] - a[kDevice][i]);
        state_[kIssue][i] = std::max(state_[kIssue][i], end - window_ / launches * pass);
      }
    }
    if (loop.share < 1) {
      const Lanes<B>* start = MarkOf(frame, 0);
      ForEachRow(loop, [&](std::size_t row, std::size_t of_mark) {
        for (std::size_t i = 0; i < B; ++i)
          state_[row][i] = start[of_mark][i] + loop.share * (state_[row][i] - start[of_mark][i]);
      });
    }
    marks_.resize(frame.marks);
    frames_.pop_back();
    return loop.end;
  }

  // Rows that the loop changes: where they stand in the state, and in a mark.
  template <typename Visitor>
  void ForEachRow(const PlanStep& loop, Visitor visit) {
    for (std::size_t row = 0; row < kClocks; ++row) visit(row, row);
    for (std::uint32_t i = loop.first_written; i < loop.end_written; ++i)
      visit(kClocks + plan_.written[i], kClocks + i - loop.first_written);
  }

  static double EndOf(const Lanes<B>* rows, std::size_t i) {
    return std::max({rows[kIssue][i], rows[kMap][i], rows[kDevice][i], rows[kLast][i]});
  }

  // From where the state is that the mark after `mark` has, `passes` passes on; the two marks are one pass apart. A
  // clock that caught up in that pass does not go on as fast: none runs ahead of the end of all, unless its own work
  // takes it there.
  void Extrapolate(const Frame& frame, std::size_t mark, double passes) {
    const PlanStep& loop = StepOf(frame);
    const Lanes<B>*a = MarkOf(frame, mark), *b = MarkOf(frame, mark + 1);
    const Load<B>& load = of_loops_[frame.step];
    Lanes<B> end, now;  // of all, after these passes and before
    for (std::size_t i = 0; i < B; ++i) {
      const double line = EndOf(b, i) + passes * (EndOf(b, i) - EndOf(a, i));
      const auto clock = [&](Clock row, double busy) {
        double& x = state_[row][i];
        x = std::min(x + passes * (b[row][i] - a[row][i]), std::max(line, x + passes * busy));
      };
      now[i] = EndOf(b, i);
      clock(kIssue, load[Part::kHost][i]);
      clock(kMap, load[Part::kLaunch][i]);
      clock(kDevice, load[Part::kMemory][i] + load[Part::kCompute][i]);
      end[i] = std::max({line, state_[kIssue][i], state_[kMap][i], state_[kDevice][i]});
    }
    ForEachRow(loop, [&](std::size_t row, std::size_t of_mark) {
      if (row < kLast) return;
      const Lanes<B>&from = a[of_mark], &to = b[of_mark];
      Lanes<B>& x = state_[row];
      for (std::size_t i = 0; i < B; ++i)
        x[i] = std::min(x[i] + passes * (to[i] - from[i]), end[i] + std::max(0.0, to[i] - now[i]));
    });
  }

  void Python(const PlanStep& step) {
    for (std::size_t i = 0; i < B; ++i) state_[kIssue][i] += step.share * step.index * statement_[i];
  }

  void Task(std::uint32_t task, double share) {
    const std::uint32_t kind = demands_.of[task];
    const Demand& demand = demands_.kinds[kind];
    if (share <= 0 || AsksNothing(demand)) return;
    const Visit<B>& visit = visits_[kind];
    Lanes<B> inputs;
    GatherInputs(task, inputs);
    if (demand.runs && share == 1) {
      RunAlways(task, visit, inputs);
    } else {
      RunSometimes(task, demand, visit, inputs, share);
    }
    if (demand.waits) Wait(visit, inputs, share);
  }

  // When what the task reads may be used.
  void GatherInputs(std::uint32_t task, Lanes<B>& inputs) const {
    bool any = false, known = false;
    for (std::uint32_t link = plan_.first[task]; link < plan_.first[task + 1]; ++link) {
      known = known || plan_.links[link].root != kNoRoot;
      if (!plan_.links[link].read) continue;
      const Lanes<B>& ready = state_[kClocks + plan_.links[link].root];
      if (std::exchange(any, true)) {
        for (std::size_t i = 0; i < B; ++i) inputs[i] = Later(inputs[i], ready[i]);
      } else {
        inputs = ready;
      }
    }
    if (any) return;
    if (known) {
      inputs = {};
    } else {
      inputs = state_[kLast];
    }
  }

  // Variables hold what others have held.
  void Take(std::span<const Move> moves) {
    taken_.clear();
    for (const Move& move : moves) taken_.push_back(state_[kClocks + move.from]);
    for (std::size_t i = 0; i < moves.size(); ++i) state_[kClocks + moves[i].to] = taken_[i];
  }
  [[nodiscard]] std::span<const Move> Moves(std::uint32_t begin, std::uint32_t end) const {
    return std::span(plan_.moves).subspan(begin, end - begin);
  }

  // A task that every pass runs. `finish` holds its inputs, and then when it ends.
  void RunAlways(std::uint32_t task, const Visit<B>& visit, Lanes<B>& finish) {
    Lanes<B>&issue = state_[kIssue], &map = state_[kMap], &device = state_[kDevice], &last = state_[kLast];
    for (std::size_t i = 0; i < B; ++i) {
      // Python submits, the server dispatches; it starts when its data is there and the processor free.
      issue[i] += visit.python[i];
      map[i] = Later(map[i], issue[i]) + visit.dispatch[i];
      device[i] = Later(Later(map[i], device[i]), finish[i] + visit.before[i]) + visit.busy[i];
      finish[i] = device[i];
      last[i] = device[i] + visit.after[i];
    }
    for (std::uint32_t link = plan_.first[task]; link < plan_.first[task + 1]; ++link) {
      if (plan_.links[link].written) state_[kClocks + plan_.links[link].root] = last;
    }
  }

  // The same for one that a share of the passes runs, or of which nothing runs on a processor.
  void RunSometimes(std::uint32_t task, const Demand& demand, const Visit<B>& visit, Lanes<B>& finish, double share) {
    Lanes<B>&issue = state_[kIssue], &map = state_[kMap], &device = state_[kDevice], &last = state_[kLast];
    Lanes<B> result;
    for (std::size_t i = 0; i < B; ++i) {
      issue[i] += share * visit.python[i];
      const double mapped = Later(map[i], issue[i]) + visit.dispatch[i];
      finish[i] = Later(Later(mapped, device[i]), finish[i] + visit.before[i]) + visit.busy[i];
      result[i] = finish[i] + visit.after[i];
      if (!demand.runs) continue;
      map[i] += share * (mapped - map[i]);
      device[i] += share * (finish[i] - device[i]);
      last[i] += share * (result[i] - last[i]);
    }
    for (std::uint32_t link = plan_.first[task]; demand.runs && link < plan_.first[task + 1]; ++link) {
      if (!plan_.links[link].written) continue;
      Lanes<B>& ready = state_[kClocks + plan_.links[link].root];
      for (std::size_t i = 0; i < B; ++i) ready[i] += share * (result[i] - ready[i]);
    }
  }

  // The host stands until all is done; then the pipeline fills anew.
  void Wait(const Visit<B>& visit, const Lanes<B>& finish, double share) {
    for (const Clock row : {kIssue, kMap, kDevice}) {
      Lanes<B>& clock = state_[row];
      for (std::size_t i = 0; i < B; ++i) clock[i] += share * (Later(clock[i], finish[i] + visit.resume[i]) - clock[i]);
    }
  }

  const Plan& plan_;
  const Demands& demands_;
  const std::vector<double>& launches_;  // by step: of one pass of a loop's body
  double window_;
  std::vector<Visit<B>> visits_;   // by kind
  std::vector<Load<B>> loads_;     // by kind
  std::vector<Load<B>> of_loops_;  // by step: one pass of a loop's body
  Lanes<B> statement_{};
  Rows state_, marks_, taken_;
  std::vector<Frame> frames_;
};

// By step: the operations that one pass of a loop's body submits.
std::vector<double> LaunchesOf(const Plan& plan, const Demands& demands) {
  std::vector<double> launches(plan.steps.size(), 0.0);
  struct Open {
    std::uint32_t step;
    double sum;
  };
  std::vector<Open> open;
  for (std::uint32_t at = 0; at < plan.steps.size() || !open.empty();) {
    if (!open.empty() && at == plan.steps[open.back().step].end) {
      const auto [step, sum] = open.back();
      launches[step] = sum;
      open.pop_back();
      if (!open.empty()) open.back().sum += plan.steps[step].share * PassesOf(plan.steps[step], open.size()) * sum;
      continue;
    }
    const std::uint32_t index = at++;
    const PlanStep& step = plan.steps[index];
    if (step.kind == WorkStep::Kind::kTask) {
      if (!open.empty() && step.share > 0 && !AsksNothing(demands[step.index]))
        open.back().sum += step.share * demands[step.index].launches;
    } else if (step.kind == WorkStep::Kind::kLoop) {
      if (step.end <= at || step.trips <= 0) {
        at = std::max(at, step.end);
      } else {
        open.push_back({index, 0});
      }
    }
  }
  return launches;
}

}  // namespace

template <std::size_t N>
Timing<N> Simulate(const Plan& plan, const Demands& demands, const Samples<N>& samples, const Profile& profile,
                   const Layout& layout) {
  constexpr std::size_t kWidth = std::min(N, kBlock);
  static_assert(N % kWidth == 0);
  const Units<N> units(samples, profile, layout);
  const std::vector<double> launches = LaunchesOf(plan, demands);
  Walk<kWidth> walk(plan, demands, launches, units.window);
  Timing<N> timing;
  for (std::size_t from = 0; from < N; from += kWidth) walk.Run(units, from, timing);
  return timing;
}

template Timing<1> Simulate<1>(const Plan&, const Demands&, const Samples<1>&, const Profile&, const Layout&);
template Timing<kSamples> Simulate<kSamples>(const Plan&, const Demands&, const Samples<kSamples>&, const Profile&,
                                             const Layout&);

Parts PartsOf(const Demand& demand, const Samples<1>& medians, const Profile& profile, const Layout& layout) {
  Visit<1> visit;
  Load<1> load;
  if (!AsksNothing(demand)) Pricing<1, 1>(Units<1>(medians, profile, layout), 0).Price(demand, visit, load);
  Parts parts{};
  for (std::size_t part = 0; part < kParts; ++part) parts[part] = load.parts[part][0];
  return parts;
}

}  // namespace cpnlint::cost
