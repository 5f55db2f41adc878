// Which parts of a program a prediction speaks of.

#include <algorithm>
#include <vector>

#include "analyzer/analysis/element_steps.h"
#include "cost-model/steps.h"

namespace cpnlint::cost {
namespace {

using analysis::Work;
using analysis::WorkStep;

// For every loop of the tree: has it tasks below it, and does some of them have it as the outermost hot loop.
struct LoopInfo {
  bool tasks = false, hot = false;
};

bool IsInsideCall(const Work& work, const analysis::WorkLoop& loop) {
  return std::ranges::any_of(loop.body, [&](const WorkStep& step) {
    return step.kind == WorkStep::Kind::kTask && analysis::IsElementStep(work.tasks[step.index].name);
  });
}

// Loops are appended by a walk of a tree, so a loop's body only names loops that were made after or before it; a work
// list settles either order.
std::vector<LoopInfo> Inspect(const analysis::Facts& facts, const Work& work) {
  std::vector<LoopInfo> infos(work.loops.size());
  std::vector<std::uint32_t> stack;
  std::vector<std::uint32_t> seen(work.loops.size(), 0);  // the last outer loop, and 1, from which it was
  for (std::uint32_t outer = 0; outer < work.loops.size(); ++outer) {
    const ir::LoopId id = work.loops[outer].loop;
    stack.assign(1, outer);
    for (int budget = 2000; !stack.empty() && budget > 0; --budget) {
      const std::uint32_t loop = stack.back();
      stack.pop_back();
      if (loop >= work.loops.size() || seen[loop] == outer + 1) continue;
      seen[loop] = outer + 1;
      for (const WorkStep& step : work.loops[loop].body) {
        if (step.kind == WorkStep::Kind::kLoop) stack.push_back(step.index);
        if (step.kind != WorkStep::Kind::kTask || step.index >= work.tasks.size()) continue;
        infos[outer].tasks = true;
        const ir::ValueId op = work.tasks[step.index].op;
        if (infos[outer].hot || !op.valid()) continue;
        const analysis::Heat& heat = facts.HeatOf(op);
        infos[outer].hot = heat.hot && heat.region == id;
      }
    }
    // A walk of a builtin over an array. The steps inside a call belong to what stands around the call.
    if (!id.valid()) infos[outer].hot = infos[outer].tasks && !IsInsideCall(work, work.loops[outer]);
  }
  return infos;
}

// Loops over the extents of one array have together as many passes as it has elements: 4e7 where nobody says (rules.md
// E.1; a little more, because extents are whole numbers). More than that by assumptions alone is no program's size.
constexpr double kMostAssumed = 1e8;
// Nor has anybody a program of which a single pass takes longer than this by assumptions.
constexpr double kLongestAssumed = 86400;  // seconds

void FindAssumed(const Sizes& sizes, const Work& work, Region& region) {
  double most = 1;
  std::vector<ir::DimId> assumed;
  const auto passes_of = [&](const analysis::WorkLoop& loop) {
    if (sizes.IsKnown(loop.trips)) return Times{};
    if (loop.trips.valid()) assumed.push_back(loop.trips);
    return Times{sizes.TripsOf(loop), false};
  };
  EachStep(work, region, passes_of, [&](const WorkStep& step, Times times) {
    if (step.kind == WorkStep::Kind::kTask) most = std::max(most, times.count);
  });
  region.told = most <= kMostAssumed;
  if (!region.told) region.to_name = sizes.NamesIn(assumed);
}

}  // namespace

void DoubtLength(const Sizes& sizes, const Work& work, double seconds, Region& region) {
  if (!region.told || seconds <= kLongestAssumed) return;
  Region pass = region;
  pass.passes = ir::DimId::None();  // a pass does not rest on how many there are
  std::vector<ir::DimId> dims = DimsOf(sizes, work, pass);
  std::erase_if(dims, [&](ir::DimId dim) { return dim.valid() && sizes.IsKnown(dim); });
  bool assumed = !dims.empty();
  const auto passes_of = [&](const analysis::WorkLoop& loop) {
    assumed = assumed || sizes.IsAssumed(loop);
    return Times{};
  };
  EachStep(work, region, passes_of, [](const WorkStep&, Times) {});
  if (!assumed) return;
  region.told = false;
  region.to_name = sizes.NamesIn(dims);
}

std::vector<ir::DimId> DimsOf(const Sizes& sizes, const Work& work, const Region& region) {
  std::vector<ir::DimId> dims;
  const auto add = [&](ir::DimId dim) {
    if (dim.valid()) dims.push_back(dim);
  };
  add(region.passes);
  const auto passes_of = [&](const analysis::WorkLoop& loop) {
    add(loop.trips);
    return Times{};
  };
  EachStep(work, region, passes_of, [&](const WorkStep& step, Times) {
    if (step.kind != WorkStep::Kind::kTask) return;
    const analysis::WorkTask& task = work.tasks[step.index];
    for (const ir::DimId dim : {task.elements, task.m, task.n, task.k, task.batch}) add(dim);
    for (const analysis::WorkOperand& operand : task.operands) {
      dims.push_back(operand.elements);
      if (!operand.root_shape.valid()) continue;
      const analysis::Shape& shape = sizes.facts().store().Get(operand.root_shape);
      dims.insert(dims.end(), shape.begin(), shape.end());
    }
  });
  std::ranges::sort(dims);
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  return dims;
}

const std::vector<WorkStep>& StepsOf(const Work& work, const Region& region) {
  return region.work_loop == kNoLoop ? work.roots[region.root].steps : work.loops[region.work_loop].body;
}

double PassesOf(const Sizes& sizes, const Region& region) {
  return sizes.IsKnown(region.passes) ? sizes.Of(region.passes) : region.assumed_passes;
}

// Calls of an entry point, known or assumed: a driver in another library may call it many times.
double CallsOf(const analysis::Facts& facts, ir::FunctionId function) {
  const ir::Program& program = facts.program();
  if (!function.valid() || program.functions[function].blocks.empty()) return 1;
  const auto& ops = program.blocks[program.functions[function].blocks.front()].ops;
  if (ops.empty()) return 1;
  const analysis::Heat& heat = facts.HeatOf(ops.front());
  return heat.callback.valid() ? heat.passes : 1;
}

std::vector<Region> RegionsOf(const Sizes& sizes, const Work& work) {
  std::vector<Region> regions;
  const std::vector<LoopInfo> infos = Inspect(sizes.facts(), work);
  ir::DimStore& dims = sizes.facts().store().dims();
  struct Pending {
    const std::vector<WorkStep>* steps;
    std::size_t next;
    double passes;
    ir::DimId known;  // the same as an expression
  };
  for (std::uint32_t root = 0; root < work.roots.size(); ++root) {
    const std::size_t before = regions.size();
    bool tasks = false;
    const double calls = CallsOf(sizes.facts(), work.roots[root].function);
    const ir::DimId once = calls == 1 ? dims.Const(1) : ir::DimId::None();
    std::vector<Pending> stack = {{&work.roots[root].steps, 0, calls, once}};
    while (!stack.empty()) {
      Pending& top = stack.back();
      if (top.next == top.steps->size()) {
        stack.pop_back();
        continue;
      }
      const WorkStep& step = (*top.steps)[top.next++];
      tasks = tasks || step.kind == WorkStep::Kind::kTask;
      if (step.kind != WorkStep::Kind::kLoop || step.index >= work.loops.size() || !infos[step.index].tasks) continue;
      const analysis::WorkLoop& loop = work.loops[step.index];
      tasks = true;
      const double passes = top.passes * step.share * sizes.TripsOf(loop);
      // A test in front of all loops decides whether they run at all, one in a loop in how many of its passes.
      const bool counted = stack.size() == 1 || step.share == 1;
      const ir::DimId known = counted ? dims.Mul(top.known, loop.trips) : ir::DimId::None();
      if (infos[step.index].hot || stack.size() > 200) {
        Region region;
        region.loop = loop.loop;
        region.function = work.roots[root].function;
        region.root = root;
        region.work_loop = step.index;
        region.passes = known;
        region.assumed_passes = passes;
        regions.push_back(region);
      } else {
        stack.push_back({&loop.body, 0, passes, known});
      }
    }
    if (regions.size() != before || !tasks) continue;
    Region region;
    region.function = work.roots[root].function;
    region.root = root;
    region.assumed_passes = calls;
    regions.push_back(region);
  }
  for (Region& region : regions) FindAssumed(sizes, work, region);
  return regions;
}

}  // namespace cpnlint::cost
