#pragma once

// Deferred execution: Python submits and runs ahead, one server dispatches, processors work in order, a wait drains it
// all. A recurrence of additions and maxima over the steps of a region, for all samples at once.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "cost-model/demand.h"
#include "cost-model/links.h"
#include "cost-model/uncertainty.h"

namespace cpnlint::cost {

inline constexpr std::uint32_t kNoTask = 0xffffffff;

// A region's steps, flat: what stands in a loop's body follows it.
struct PlanStep {
  analysis::WorkStep::Kind kind = analysis::WorkStep::Kind::kTask;
  std::uint32_t index = 0;  // kTask: of Plan::tasks; kPython: statements
  std::uint32_t end = 0;    // kLoop: the step behind its body
  double trips = 1;         // kLoop
  double share = 1;
  std::uint32_t first_written = 0, end_written = 0;  // kLoop: of Plan::written
  // kLoop, of Plan::moves: when it is entered [first_move, first_pass_move), after each pass [first_pass_move,
  // end_move).
  std::uint32_t first_move = 0, first_pass_move = 0, end_move = 0;
};

struct Plan {
  std::vector<PlanStep> steps;
  std::vector<const Amounts*> tasks;  // what stands several times is one
  std::vector<double> passes;         // of a task in one pass of the region
  // The storages of the tasks' arrays: of task i those in [first[i], first[i + 1]), one for each of Amounts::arrays.
  std::vector<ArrayLink> links;
  std::vector<std::uint32_t> first;
  std::vector<Move> moves;             // of its loops
  std::vector<Move> pass;              // after a pass of the region
  std::vector<std::uint32_t> written;  // roots that loops write: of each loop those of its body
  std::uint32_t roots = 0;
  double working_set = 0;    // bytes of all arrays
  bool whole = false;        // no loop: the steps run once, from an idle machine
  std::deque<Amounts> made;  // for this plan alone; of `tasks`

  Plan() = default;
  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;
};

// The amounts of the tasks of one work, each made when first asked for.
class AmountsBook {
 public:
  AmountsBook(const Sizes& sizes, const analysis::Work& work) : sizes_(sizes), work_(work) {}
  // Stays where it is until it is forgotten.
  [[nodiscard]] const Amounts& Of(std::uint32_t task);
  // The task is another than it was.
  void Forget(std::uint32_t task);
  // Mends do not change them.
  [[nodiscard]] const Links& LinksIn(const Region& region);

 private:
  const Sizes& sizes_;
  const analysis::Work& work_;
  std::vector<std::unique_ptr<const Amounts>> amounts_;             // by task
  std::map<std::pair<std::uint32_t, std::uint32_t>, Links> links_;  // by root and loop of the region
};

[[nodiscard]] Plan PlanOf(const Sizes& sizes, const analysis::Work& work, const Region& region);
// The same with amounts out of the book, which has to outlive the plan.
[[nodiscard]] Plan PlanOf(const Sizes& sizes, const analysis::Work& work, const Region& region, AmountsBook& book);
[[nodiscard]] Plan Grown(const Plan& plan, double factor);

// What each task of a plan asks for, in the order of Plan::tasks. Tasks that ask for the same share one demand.
struct Demands {
  std::vector<Demand> kinds;
  std::vector<std::uint32_t> of;  // by task

  [[nodiscard]] std::size_t size() const { return of.size(); }
  const Demand& operator[](std::size_t task) const { return kinds[of[task]]; }
};
// On one layout, copies included.
[[nodiscard]] Demands DemandsOf(const Plan& plan, const Profile& profile, const Layout& layout);

template <std::size_t N>
struct Timing {
  Lanes<N> time{};  // seconds of one pass of the region
  std::array<Lanes<N>, kParts> parts{};
};
// N is 1 or kSamples.
template <std::size_t N>
[[nodiscard]] Timing<N> Simulate(const Plan& plan, const Demands& demands, const Samples<N>& samples,
                                 const Profile& profile, const Layout& layout);

// Seconds of one task by itself.
[[nodiscard]] Parts PartsOf(const Demand& demand, const Samples<1>& medians, const Profile& profile,
                            const Layout& layout);

// Of one pass of the region, with every parameter at its median.
[[nodiscard]] double MidTime(const Plan& plan, const Samples<1>& medians, const Profile& profile, const Layout& layout);
// CostOf (model.h) with medians that are there already.
[[nodiscard]] TaskCost CostOf(const analysis::WorkTask& task, const Sizes& sizes, const Profile& profile,
                              const Layout& layout, const Samples<1>& medians);

// Seconds at the median.
[[nodiscard]] double SecondsOf(const Terms& terms, const Profile& profile);

}  // namespace cpnlint::cost
