// A region's steps made ready: sizes in numbers, loops unfolded into a flat list, copies found.

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "analyzer/base/index_table.h"
#include "cost-model/schedule.h"

namespace cpnlint::cost {
namespace {

using analysis::Work;
using analysis::WorkStep;

constexpr std::size_t kMostSteps = 20000;  // of one region; what lies beyond is left out of the plan

struct Pending {
  const std::vector<WorkStep>* steps = nullptr;
  std::size_t next = 0;
  std::uint32_t loop = 0;  // index of its PlanStep
  double passes = 1;
};

std::uint32_t StorageIn(const Links& links, std::size_t task, ir::ValueId root) {
  for (std::uint32_t i = links.first[task]; root.valid() && i < links.first[task + 1]; ++i) {
    if (links.links[i].root == root) return links.links[i].storage;
  }
  return kNoRoot;
}

// What a variable takes over is read where the variable is, and written where its source is.
void FollowMoves(const Plan& plan, std::vector<bool>& read, std::vector<bool>& written) {
  for (bool changed = true; std::exchange(changed, false);) {
    for (const std::vector<Move>* moves : {&plan.moves, &plan.pass}) {
      for (const Move& move : *moves) {
        changed = changed || (written[move.from] && !written[move.to]) || (read[move.to] && !read[move.from]);
        if (written[move.from]) written[move.to] = true;
        if (read[move.to]) read[move.from] = true;
      }
    }
  }
}

void LinkRoots(const Links& links, Plan& plan) {
  plan.roots = links.storages;
  std::vector<double> bytes(plan.roots, 0.0);
  std::vector<bool> read(plan.roots, false), written(plan.roots, false);
  plan.first.push_back(0);
  for (std::size_t task = 0; task < plan.tasks.size(); ++task) {
    for (const ArrayUse& use : plan.tasks[task]->arrays) {
      const std::uint32_t root = StorageIn(links, task, use.root);
      plan.links.push_back({root, root != kNoRoot && use.read, root != kNoRoot && use.written});
      if (root == kNoRoot) continue;
      read[root] = read[root] || use.read;
      written[root] = written[root] || use.written;
      bytes[root] = std::max(bytes[root], use.elements * use.item);
    }
    plan.first.push_back(static_cast<std::uint32_t>(plan.links.size()));
  }
  std::size_t loop = 0;
  for (PlanStep& step : plan.steps) {
    if (step.kind != WorkStep::Kind::kLoop || loop == links.loops.size()) continue;
    const Links::Loop& moves = links.loops[loop++];
    const auto add = [&](const std::vector<Move>& some) {
      const auto begin = static_cast<std::uint32_t>(plan.moves.size());
      plan.moves.insert(plan.moves.end(), some.begin(), some.end());
      return begin;
    };
    step.first_move = add(moves.enter);
    step.first_pass_move = add(moves.pass);
    step.end_move = static_cast<std::uint32_t>(plan.moves.size());
  }
  plan.pass = links.pass;
  FollowMoves(plan, read, written);
  for (const double one : bytes) plan.working_set += one;
  for (ArrayLink& link : plan.links) {
    link.read = link.read && written[link.root];
    link.written = link.written && read[link.root];
  }
}

// What each loop changes, inner ones included.
void ListWritten(Plan& plan) {
  for (std::uint32_t at = 0; at < plan.steps.size(); ++at) {
    PlanStep& loop = plan.steps[at];
    if (loop.kind != WorkStep::Kind::kLoop) continue;
    const auto begin = static_cast<std::ptrdiff_t>(plan.written.size());
    const auto add_moves = [&](const PlanStep& of) {
      for (std::uint32_t move = of.first_move; move < of.end_move; ++move) plan.written.push_back(plan.moves[move].to);
    };
    add_moves(loop);
    for (std::uint32_t inner = at + 1; inner < loop.end; ++inner) {
      if (plan.steps[inner].kind == WorkStep::Kind::kLoop) add_moves(plan.steps[inner]);
      if (plan.steps[inner].kind != WorkStep::Kind::kTask) continue;
      const std::uint32_t task = plan.steps[inner].index;
      for (std::uint32_t link = plan.first[task]; link < plan.first[task + 1]; ++link) {
        if (plan.links[link].written) plan.written.push_back(plan.links[link].root);
      }
    }
    std::sort(plan.written.begin() + begin, plan.written.end());
    plan.written.erase(std::unique(plan.written.begin() + begin, plan.written.end()), plan.written.end());
    loop.first_written = static_cast<std::uint32_t>(begin);
    loop.end_written = static_cast<std::uint32_t>(plan.written.size());
  }
}

// `amounts_of(plan, task)` gives the amounts of a task.
template <typename AmountsFor>
Plan MakePlan(const Sizes& sizes, const Work& work, const Region& region, const Links& links, AmountsFor amounts_of) {
  Plan plan;
  const bool loop = region.work_loop != kNoLoop;
  if (loop ? region.work_loop >= work.loops.size() : region.root >= work.roots.size()) return plan;
  std::vector<Pending> stack;
  plan.whole = !loop;
  stack.push_back({&StepsOf(work, region), 0, 0, 1});
  while (!stack.empty() && plan.steps.size() < kMostSteps) {
    Pending& top = stack.back();
    if (top.next == top.steps->size()) {
      if (stack.size() > 1) plan.steps[top.loop].end = static_cast<std::uint32_t>(plan.steps.size());
      stack.pop_back();
      continue;
    }
    const WorkStep& step = (*top.steps)[top.next++];
    PlanStep made{step.kind, step.index, 0, 1, std::clamp(step.share, 0.0, 1.0)};
    if (step.kind == WorkStep::Kind::kTask) {
      made.index = static_cast<std::uint32_t>(plan.tasks.size());
      plan.tasks.push_back(amounts_of(plan, step.index));
      plan.passes.push_back(top.passes * made.share);
    } else if (step.kind == WorkStep::Kind::kLoop) {
      made.trips = sizes.TripsOf(work.loops[step.index]);
      const double passes = top.passes * made.trips * made.share;
      const auto index = static_cast<std::uint32_t>(plan.steps.size());
      plan.steps.push_back(made);
      stack.push_back({&work.loops[step.index].body, 0, index, passes});
      continue;
    }
    plan.steps.push_back(made);
  }
  for (; stack.size() > 1; stack.pop_back())
    plan.steps[stack.back().loop].end = static_cast<std::uint32_t>(plan.steps.size());
  LinkRoots(links, plan);
  ListWritten(plan);
  return plan;
}

}  // namespace

const Amounts& AmountsBook::Of(std::uint32_t task) {
  if (amounts_.size() <= task) amounts_.resize(work_.tasks.size());
  std::unique_ptr<const Amounts>& known = amounts_[task];
  if (known == nullptr) known = std::make_unique<const Amounts>(AmountsOf(work_.tasks[task], sizes_));
  return *known;
}

void AmountsBook::Forget(std::uint32_t task) {
  if (task < amounts_.size()) amounts_[task].reset();
}

const Links& AmountsBook::LinksIn(const Region& region) {
  const auto [found, is_new] = links_.try_emplace({region.root, region.work_loop});
  if (is_new) found->second = LinksOf(sizes_.facts(), work_, region);
  return found->second;
}

Plan PlanOf(const Sizes& sizes, const Work& work, const Region& region) {
  return MakePlan(sizes, work, region, LinksOf(sizes.facts(), work, region), [&](Plan& plan, std::uint32_t task) {
    return &plan.made.emplace_back(AmountsOf(work.tasks[task], sizes));
  });
}

Plan PlanOf(const Sizes& sizes, const Work& work, const Region& region, AmountsBook& book) {
  return MakePlan(sizes, work, region, book.LinksIn(region), [&](Plan&, std::uint32_t task) { return &book.Of(task); });
}

Plan Grown(const Plan& plan, double factor) {
  Plan grown;
  grown.steps = plan.steps;
  for (const Amounts* task : plan.tasks) grown.tasks.push_back(&grown.made.emplace_back(Grown(*task, factor)));
  grown.passes = plan.passes;
  grown.links = plan.links;
  grown.first = plan.first;
  grown.moves = plan.moves;
  grown.pass = plan.pass;
  grown.written = plan.written;
  grown.roots = plan.roots;
  grown.working_set = plan.working_set * factor;
  grown.whole = plan.whole;
  return grown;
}

double SecondsOf(const Terms& terms, const Profile& profile) {
  double seconds = 0;
  for (const Term& term : terms) {
    const double value = profile.Value(term.parameter);
    seconds += IsRate(term.parameter) ? (value > 0 ? term.amount / value : 0) : term.amount * value;
  }
  return seconds;
}

namespace {

// What runs once writes into fresh memory; loops use what the pass before has freed.
class FirstTouch {
 public:
  explicit FirstTouch(const Plan& plan) : plan_(plan), touched_(plan.roots, false) {}

  // Tasks come in their order.
  void Charge(std::size_t task, const Division& division, Demand& demand) {
    std::uint32_t link = plan_.first[task];
    double fresh = 0;
    for (const ArrayUse& use : plan_.tasks[task]->arrays) {
      const std::uint32_t root = plan_.links[link++].root;
      if (root == kNoRoot) continue;
      if (use.written && !use.read && !touched_[root] && demand.runs) fresh += use.elements * use.item;
      touched_[root] = true;
    }
    fresh *= division.share;
    for (Term& term : demand.memory) {
      if (term.parameter != Parameter::kBandwidth && term.parameter != Parameter::kFillRate) continue;
      const double first = std::min(fresh, term.amount);
      term.amount -= first;
      if (first > 0) demand.memory.push_back({Parameter::kFirstTouch, first});
      break;
    }
  }

 private:
  const Plan& plan_;
  std::vector<bool> touched_;
};

// The copies that each task needs first. Loop bodies are walked twice: what the second pass finds in place, every later
// one does.
std::vector<Terms> CopiesOf(const Plan& plan, const std::vector<Division>& divisions, const Layout& layout) {
  std::vector<Terms> copies(plan.tasks.size());
  Placement placement(layout, plan.roots);
  struct Again {
    std::uint32_t begin, end;
    bool first;
    std::span<const Move> pass;  // after it
  };
  const std::span<const Move> moves = plan.moves;
  constexpr std::size_t kDeepest = 3;  // loops deeper than that are walked once: work doubles with each
  const auto end = static_cast<std::uint32_t>(plan.steps.size());
  std::vector<Again> loops = {{0, end, !plan.whole, plan.pass}};
  for (std::uint32_t at = 0; !loops.empty();) {
    if (at == loops.back().end) {
      placement.Take(loops.back().pass);
      if (std::exchange(loops.back().first, false)) {
        at = loops.back().begin;
      } else {
        loops.pop_back();
      }
      continue;
    }
    const PlanStep& step = plan.steps[at++];
    if (step.kind == WorkStep::Kind::kLoop) {
      const bool twice = loops.size() <= kDeepest && step.trips > 1;
      if (step.end <= at) continue;
      placement.Take(moves.subspan(step.first_move, step.first_pass_move - step.first_move));
      loops.push_back({at, step.end, twice, moves.subspan(step.first_pass_move, step.end_move - step.first_pass_move)});
    } else if (step.kind == WorkStep::Kind::kTask) {
      const std::span<const ArrayLink> links = plan.links;
      const std::uint32_t first = plan.first[step.index];
      copies[step.index] = placement.Run(*plan.tasks[step.index], divisions[step.index],
                                         links.subspan(first, plan.first[step.index + 1] - first));
    }
  }
  return copies;
}

// What no sample can make the longer of the two need not be sampled.
void DropShorter(const Profile& profile, Demand& demand) {
  constexpr double kFar = 6;
  const double memory = SecondsOf(demand.memory, profile), compute = SecondsOf(demand.compute, profile);
  if (compute * kFar < memory) demand.compute.clear();
  if (memory * kFar < compute) demand.memory.clear();
}

std::uint64_t HashOf(const Demand& demand) {
  std::uint64_t hash = 0;
  const auto mix = [&](std::uint64_t value) { hash = Mix(hash, value); };
  mix(std::bit_cast<std::uint64_t>(demand.launches));
  mix(std::bit_cast<std::uint64_t>(demand.dispatches));
  for (const Terms* terms :
       {&demand.memory, &demand.compute, &demand.exchange, &demand.before, &demand.after, &demand.host}) {
    for (const Term& term : *terms) {
      mix(static_cast<std::uint64_t>(term.parameter));
      mix(std::bit_cast<std::uint64_t>(term.amount));
    }
  }
  return hash;
}

}  // namespace

Demands DemandsOf(const Plan& plan, const Profile& profile, const Layout& layout) {
  std::vector<Division> divisions;
  divisions.reserve(plan.tasks.size());
  for (const Amounts* task : plan.tasks) divisions.push_back(DivisionOf(*task, profile.machine, layout));
  std::vector<Terms> copies;
  if (layout.processors > 1) copies = CopiesOf(plan, divisions, layout);
  const double cache = layout.processors * profile.Value(Parameter::kCacheSize);
  // What a mend makes of a loop has no arrays of its own, and is no smaller for that.
  const auto in_cache = [&](const Amounts& task) {
    const double moved = (task.read + task.written) / std::max(1.0, task.task->passes);
    return plan.working_set <= cache && (!task.arrays.empty() || moved <= cache);
  };
  Demands demands;
  demands.of.reserve(plan.tasks.size());
  FirstTouch touch(plan);
  IndexTable known;
  for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
    Demand demand = DemandOf(*plan.tasks[i], divisions[i], profile, layout, in_cache(*plan.tasks[i]));
    if (plan.whole) touch.Charge(i, divisions[i], demand);
    DropShorter(profile, demand);
    if (!copies.empty()) demand.before.insert(demand.before.end(), copies[i].begin(), copies[i].end());
    const std::uint64_t hash = HashOf(demand);
    std::uint32_t kind = known.Find(hash, [&](std::uint32_t index) { return demands.kinds[index] == demand; });
    if (kind == IndexTable::kFree) {
      kind = static_cast<std::uint32_t>(demands.kinds.size());
      demands.kinds.push_back(std::move(demand));
      known.Insert(hash, kind);
    }
    demands.of.push_back(kind);
  }
  return demands;
}

}  // namespace cpnlint::cost
