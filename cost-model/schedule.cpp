// The recurrence of deferred execution (docs/cost-model.md, "A program").

#include "cost-model/schedule.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace cpnlint::cost {
namespace {

using analysis::WorkStep;

// Loops nested deeper are followed for one pass and multiplied: each level of exact following triples the work.
constexpr std::size_t kExactDepth = 2;

template <std::size_t N>
void AddTo(Lanes<N>& sum, const Lanes<N>& x, double factor) {
  for (std::size_t i = 0; i < N; ++i) sum[i] += factor * x[i];
}
template <std::size_t N>
void RaiseTo(Lanes<N>& x, const Lanes<N>& least) {
  for (std::size_t i = 0; i < N; ++i) x[i] = x[i] < least[i] ? least[i] : x[i];
}
// x + share * (target - x)
template <std::size_t N>
void MoveTo(Lanes<N>& x, const Lanes<N>& target, double share) {
  if (share == 1) {
    x = target;
    return;
  }
  for (std::size_t i = 0; i < N; ++i) x[i] += share * (target[i] - x[i]);
}

Part PartOf(Parameter parameter) {
  switch (parameter) {
    case Parameter::kHostLatency:
    case Parameter::kHostBandwidth: return Part::kHost;
    default: return Part::kCommunication;
  }
}

template <std::size_t N>
struct State {
  Lanes<N> issue{};             // when Python is free to go on
  Lanes<N> map{};               // when the dispatch server is free
  Lanes<N> device{};            // when the busiest processor is free
  Lanes<N> last{};              // when the result of the last task may be used
  std::vector<Lanes<N>> ready;  // by root: when its last writer's result may be used
  std::array<Lanes<N>, kParts> parts{};
  double launches = 0;

  explicit State(std::size_t roots) : ready(roots) {}

  // Its latest clock, on a lane.
  [[nodiscard]] double End(std::size_t i) const { return std::max({issue[i], map[i], device[i], last[i]}); }
  [[nodiscard]] double Busy(std::initializer_list<Part> which, std::size_t i) const {
    double sum = 0;
    for (const Part part : which) sum += parts[static_cast<std::size_t>(part)][i];
    return sum;
  }

  // As it is `passes` passes after `b`, where `a` and `b` are one pass apart. A clock that caught up in that pass does
  // not go on as fast: none runs ahead of the end of all, unless its own work takes it there.
  void Extrapolate(const State& a, const State& b, double passes) {
    for (std::size_t i = 0; i < N; ++i) {
      const double before = a.End(i), now = b.End(i), line = now + passes * (now - before);
      const auto clock = [&](double x, double from, double to, double busy) {
        return std::min(x + passes * (to - from), std::max(line, x + passes * busy));
      };
      const auto more = [&](std::initializer_list<Part> which) { return b.Busy(which, i) - a.Busy(which, i); };
      issue[i] = clock(issue[i], a.issue[i], b.issue[i], more({Part::kHost}));
      map[i] = clock(map[i], a.map[i], b.map[i], more({Part::kLaunch}));
      device[i] = clock(device[i], a.device[i], b.device[i], more({Part::kMemory, Part::kCompute}));
      const double end = std::max({line, issue[i], map[i], device[i]});
      const auto result = [&](double x, double from, double to) {
        return std::min(x + passes * (to - from), end + std::max(0.0, to - now));
      };
      last[i] = result(last[i], a.last[i], b.last[i]);
      for (std::size_t root = 0; root < ready.size(); ++root)
        ready[root][i] = result(ready[root][i], a.ready[root][i], b.ready[root][i]);
    }
    AddWork(a, b, passes);
  }
  void AddWork(const State& a, const State& b, double factor) {
    for (std::size_t part = 0; part < kParts; ++part) {
      for (std::size_t i = 0; i < N; ++i) parts[part][i] += factor * (b.parts[part][i] - a.parts[part][i]);
    }
    launches += factor * (b.launches - a.launches);
  }

  // Moves to `full` by a share of the way.
  void Blend(const State& full, double share) {
    MoveTo(issue, full.issue, share);
    MoveTo(map, full.map, share);
    MoveTo(device, full.device, share);
    MoveTo(last, full.last, share);
    for (std::size_t root = 0; root < ready.size(); ++root) MoveTo(ready[root], full.ready[root], share);
    for (std::size_t part = 0; part < kParts; ++part) MoveTo(parts[part], full.parts[part], share);
    launches += share * (full.launches - launches);
  }
};

template <std::size_t N>
class Simulation {
 public:
  Simulation(const Plan& plan, const std::vector<Demand>& demands, const Samples<N>& samples, const Profile& profile,
             const Layout& layout)
      : plan_(plan), demands_(demands), unit_(samples.unit), together_(samples.unit), state_(plan.roots) {
    window_ = std::max(1.0, profile.Value(Parameter::kWindow));
    base_ = Of(Parameter::kLaunchBase);
    per_processor_ = Of(Parameter::kLaunchPerProcessor);
    if (layout.nodes > 1) {
      const Lanes<N>& factor = Of(Parameter::kRankFactor);
      for (std::size_t i = 0; i < N; ++i) {
        base_[i] *= factor[i];
        per_processor_[i] *= factor[i];
      }
    }
    // Processors that share one memory have a part of it each.
    const Lanes<N>& shared = Of(Parameter::kBandwidthShared);
    for (const Parameter rate :
         {Parameter::kBandwidth, Parameter::kFillRate, Parameter::kFirstTouch, Parameter::kReductionRate,
          Parameter::kAxisReductionRate, Parameter::kOuterReductionRate, Parameter::kScanRate, Parameter::kFftRate}) {
      Lanes<N>& unit = together_[static_cast<std::size_t>(rate)];
      for (std::size_t i = 0; i < N; ++i) unit[i] = std::max(unit[i], shared[i] * PerNode(layout));
    }
    // So have those that share units of arithmetic, or a budget of power, once most of the node is at work.
    if (PerNode(layout) * 2 <= profile.machine.processors_per_node) return;
    const auto slow = [&](Parameter share, std::initializer_list<Parameter> rates) {
      const Lanes<N>& kept = Of(share);
      for (const Parameter rate : rates) {
        Lanes<N>& unit = together_[static_cast<std::size_t>(rate)];
        for (std::size_t i = 0; i < N; ++i)
          if (kept[i] > 0) unit[i] /= std::min(kept[i], 1.0);
      }
    };
    slow(Parameter::kArithmeticTogether,
         {Parameter::kArithmeticRate, Parameter::kDivisionRate, Parameter::kTranscendentalRate, Parameter::kChoiceRate,
          Parameter::kWalkRate, Parameter::kWalkAxisRate, Parameter::kMaskRate, Parameter::kNormalRate});
    slow(Parameter::kProductTogether, {Parameter::kProductRate64, Parameter::kProductRate32, Parameter::kFactorRate});
  }

  Timing<N> Run() {
    const auto end = static_cast<std::uint32_t>(plan_.steps.size());
    Timing<N> timing;
    if (plan_.whole) {
      Steps(0, end);
      timing.time = state_.issue;
      RaiseTo(timing.time, state_.map);
      RaiseTo(timing.time, state_.device);
      timing.parts = state_.parts;
      return timing;
    }
    Steps(0, end);
    Steps(0, end);
    const State<N> before = state_;
    Steps(0, end);
    for (std::size_t i = 0; i < N; ++i) {
      timing.time[i] = std::max(
          {state_.issue[i] - before.issue[i], state_.map[i] - before.map[i], state_.device[i] - before.device[i]});
      for (std::size_t part = 0; part < kParts; ++part)
        timing.parts[part][i] = state_.parts[part][i] - before.parts[part][i];
    }
    return timing;
  }

 private:
  // A loop that is being followed.
  struct Frame {
    std::uint32_t begin, end;
    double passes;  // still to come after the first, as a count
    double share;
    bool exact;
    int pass;                     // that runs now, from 1 on
    std::vector<State<N>> marks;  // at its start, and after the passes so far
  };

  const Lanes<N>& Of(Parameter parameter) const { return unit_[static_cast<std::size_t>(parameter)]; }

  void Steps(std::uint32_t begin, std::uint32_t end) {
    std::vector<Frame> frames;
    std::uint32_t at = begin;
    while (true) {
      while (!frames.empty() && at == frames.back().end) at = EndPass(frames);
      if (at == end && frames.empty()) return;
      const PlanStep& step = plan_.steps[at++];
      switch (step.kind) {
        case WorkStep::Kind::kTask: Task(step.index, step.share); break;
        case WorkStep::Kind::kPython: Python(step); break;
        case WorkStep::Kind::kLoop:
          if (step.end <= at || step.trips <= 0) {
            at = std::max(at, step.end);
            break;
          }
          frames.push_back({at, step.end, std::max(1.0, step.trips), step.share, frames.size() < kExactDepth, 1, {}});
          frames.back().marks.push_back(state_);
          break;
      }
    }
  }

  // Decides what follows a pass; gives the next step.
  std::uint32_t EndPass(std::vector<Frame>& frames) {
    Frame& frame = frames.back();
    const double trips = frame.passes;
    if (!frame.exact) {
      const State<N> after = state_;
      state_.Extrapolate(frame.marks[0], after, trips - 1);
      return Leave(frames, frame.marks[0], after);
    }
    if (frame.pass >= 3 || frame.pass >= std::round(trips)) {
      const std::size_t last = frame.marks.size() - 1;
      if (last >= 1 && trips > 3) return Leave(frames, frame.marks[last - 1], frame.marks[last]);
      return Leave(frames, frame.marks[0], state_);
    }
    frame.marks.push_back(state_);
    ++frame.pass;
    // Two passes tell what one more adds; the last is followed again, so that what caught up meanwhile counts.
    if (frame.pass == 3 && trips > 3) {
      const std::size_t last = frame.marks.size() - 1;
      state_.Extrapolate(frame.marks[last - 1], frame.marks[last], trips - 3);
    }
    return frame.begin;
  }

  // `a` and `b` are one pass apart.
  std::uint32_t Leave(std::vector<Frame>& frames, const State<N>& a, const State<N>& b) {
    Frame frame = std::move(frames.back());
    // Python cannot be further ahead than the window allows.
    const double launches = b.launches - a.launches;
    if (launches > 0) {
      for (std::size_t i = 0; i < N; ++i) {
        const double end = std::max(state_.map[i], state_.device[i]);
        const double pass = std::max(b.map[i] - a.map[i], b.device[i] - a.device[i]);
        if (frame.passes * launches > window_)
          state_.issue[i] = std::max(state_.issue[i], end - window_ / launches * pass);
      }
    }
    if (frame.share < 1) {
      const State<N> full = state_;
      state_ = frame.marks[0];
      state_.Blend(full, frame.share);
    }
    frames.pop_back();
    return frame.end;
  }

  void Python(const PlanStep& step) {
    const Lanes<N>& statement = Of(Parameter::kStatement);
    AddTo(state_.issue, statement, step.share * step.index);
    AddTo(PartLanes(Part::kHost), statement, step.share * step.index);
  }

  Lanes<N>& PartLanes(Part part) { return state_.parts[static_cast<std::size_t>(part)]; }

  Lanes<N> Sum(const Terms& terms, bool together) const {
    Lanes<N> sum{};
    const auto& unit = together ? together_ : unit_;
    for (const Term& term : terms) AddTo(sum, unit[static_cast<std::size_t>(term.parameter)], term.amount);
    return sum;
  }

  void Copies(const Terms& terms, double share) {
    for (const Term& term : terms)
      AddTo(PartLanes(PartOf(term.parameter)), unit_[static_cast<std::size_t>(term.parameter)], share * term.amount);
  }

  // Time on the busiest processor; adds it to the parts.
  Lanes<N> Device(const Demand& demand, double share) {
    Lanes<N> busy = Sum(demand.memory, demand.together);
    const Lanes<N>& floor = Of(Parameter::kTaskFloor);
    if (demand.compute.empty()) {
      RaiseTo(busy, floor);
      AddTo(PartLanes(Part::kMemory), busy, share);
    } else {
      const Lanes<N> compute = Sum(demand.compute, demand.together);
      Lanes<N>& memory_part = PartLanes(Part::kMemory);
      Lanes<N>& compute_part = PartLanes(Part::kCompute);
      for (std::size_t i = 0; i < N; ++i) {
        const bool arithmetic = compute[i] > busy[i];
        busy[i] = std::max({busy[i], compute[i], floor[i]});
        (arithmetic ? compute_part : memory_part)[i] += share * busy[i];
      }
    }
    if (!demand.exchange.empty()) {
      AddTo(busy, Sum(demand.exchange, false), 1);
      Copies(demand.exchange, share);
    }
    return busy;
  }

  void Task(std::uint32_t index, double share) {
    const Demand& demand = demands_[index];
    if (share <= 0 || (!demand.runs && !demand.waits && demand.host.empty() && demand.before.empty())) return;
    // Python submits, the server dispatches.
    AddTo(state_.issue, Of(Parameter::kLaunchPython), share * demand.python);
    AddTo(PartLanes(Part::kHost), Of(Parameter::kLaunchPython), share * demand.python);
    state_.launches += share * demand.launches;
    Lanes<N> mapped = state_.map;
    RaiseTo(mapped, state_.issue);
    if (demand.runs) {
      Lanes<N> dispatch{};
      if (demand.element) {
        AddTo(dispatch, Of(Parameter::kElementAccess), demand.launches);
      } else {
        AddTo(dispatch, base_, demand.launches);
        AddTo(dispatch, per_processor_, demand.launches * demand.points);
      }
      AddTo(mapped, dispatch, 1);
      AddTo(PartLanes(Part::kLaunch), dispatch, share);
      MoveTo(state_.map, mapped, share);
    }
    // It starts when its data is there and the processor free.
    Lanes<N> start = mapped;
    RaiseTo(start, state_.device);
    Lanes<N> inputs{};
    bool reads = false;
    for (std::uint32_t link = plan_.first[index]; link < plan_.first[index + 1]; ++link) {
      if (!plan_.links[link].read) continue;
      reads = true;
      RaiseTo(inputs, state_.ready[plan_.links[link].root]);
    }
    if (!reads && plan_.first[index] == plan_.first[index + 1]) inputs = state_.last;
    if (!demand.before.empty()) {
      AddTo(inputs, Sum(demand.before, false), 1);
      Copies(demand.before, share);
    }
    RaiseTo(start, inputs);
    Lanes<N> finish = start;
    if (demand.runs) {
      AddTo(finish, Device(demand, share), 1);
      MoveTo(state_.device, finish, share);
      Publish(index, demand, finish, share);
    }
    if (demand.waits) Wait(demand, finish, share);
  }

  void Publish(std::uint32_t index, const Demand& demand, Lanes<N> result, double share) {
    AddTo(result, Of(Parameter::kDependentLatency), 1);
    if (!demand.after.empty()) {
      AddTo(result, Sum(demand.after, false), 1);
      Copies(demand.after, share);
    }
    for (std::uint32_t link = plan_.first[index]; link < plan_.first[index + 1]; ++link) {
      if (plan_.links[link].written) MoveTo(state_.ready[plan_.links[link].root], result, share);
    }
    MoveTo(state_.last, result, share);
  }

  // The host stands until all is done; then the pipeline fills anew.
  void Wait(const Demand& demand, Lanes<N> resume, double share) {
    AddTo(resume, Of(Parameter::kWait), 1);
    AddTo(PartLanes(Part::kWait), Of(Parameter::kWait), share);
    if (!demand.host.empty()) {
      AddTo(resume, Sum(demand.host, false), 1);
      Copies(demand.host, share);
    }
    for (Lanes<N>* clock : {&state_.issue, &state_.map, &state_.device}) {
      Lanes<N> delayed = *clock;
      RaiseTo(delayed, resume);
      MoveTo(*clock, delayed, share);
    }
  }

  const Plan& plan_;
  const std::vector<Demand>& demands_;
  const std::array<Lanes<N>, kParameters>& unit_;
  std::array<Lanes<N>, kParameters> together_;  // with all processors of a node at work
  Lanes<N> base_{}, per_processor_{};
  double window_ = 1024;
  State<N> state_;
};

}  // namespace

template <std::size_t N>
Timing<N> Simulate(const Plan& plan, const std::vector<Demand>& demands, const Samples<N>& samples,
                   const Profile& profile, const Layout& layout) {
  return Simulation<N>(plan, demands, samples, profile, layout).Run();
}

template Timing<1> Simulate<1>(const Plan&, const std::vector<Demand>&, const Samples<1>&, const Profile&,
                               const Layout&);
template Timing<kSamples> Simulate<kSamples>(const Plan&, const std::vector<Demand>&, const Samples<kSamples>&,
                                             const Profile&, const Layout&);

}  // namespace cpnlint::cost
