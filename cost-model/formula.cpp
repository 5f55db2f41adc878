#include "cost-model/formula.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analyzer/base/quantity.h"

namespace cpnlint::cost {
namespace {

using analysis::Work;
using analysis::WorkStep;
using analysis::WorkTask;

constexpr std::size_t kLongest = 40;  // characters of a symbolic sum that a reader takes in

// "2.9 TB/s", "48 MB", "1.2e9" by thousands.
std::string Scaled(double value, const char* unit) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  for (; value >= 1000 && prefix + 1 < std::size(kPrefixes); ++prefix) value /= 1000;
  return fmt::format("{:.3g} {}{}", value, kPrefixes[prefix], unit);
}

// The bytes of one pass as a formula; None() where it is none, or has parts that run only sometimes.
ir::DimId BytesOf(ir::DimStore& dims, const Work& work, const Region& region) {
  struct Pending {
    const std::vector<WorkStep>* steps;
    std::size_t next;
    ir::DimId passes;
  };
  std::vector<Pending> stack = {{&StepsOf(work, region), 0, dims.Const(1)}};
  ir::DimId sum = dims.Const(0);
  for (int budget = 2000; !stack.empty(); --budget) {
    if (budget == 0) return ir::DimId::None();
    Pending& top = stack.back();
    if (top.next == top.steps->size()) {
      stack.pop_back();
      continue;
    }
    const WorkStep& step = (*top.steps)[top.next++];
    if (step.kind == WorkStep::Kind::kPython) continue;
    if (step.share != 1) return ir::DimId::None();
    if (step.kind == WorkStep::Kind::kLoop) {
      stack.push_back({&work.loops[step.index].body, 0, dims.Mul(top.passes, work.loops[step.index].trips)});
      continue;
    }
    const WorkTask& task = work.tasks[step.index];
    if (!task.unpriced.empty() || task.launches == 0) continue;
    if (task.passes != std::floor(task.passes)) return ir::DimId::None();
    const ir::DimId bytes =
        dims.Mul(dims.Add(task.bytes_read, task.bytes_written), dims.Const(static_cast<std::int64_t>(task.passes)));
    sum = dims.Add(sum, dims.Mul(bytes, top.passes));
  }
  return sum;
}

struct Totals {
  double launches = 0, elements_accessed = 0, waits = 0, bytes = 0, memory = 0, compute = 0, widest = 0;
};

Totals TotalsOf(const Plan& plan, const Profile& profile) {
  Totals totals;
  const Demands demands = DemandsOf(plan, profile, {1, 1});
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const Demand& demand = demands[i];
    const double passes = plan.passes[i];
    (demand.element ? totals.elements_accessed : totals.launches) += passes * demand.launches;
    if (demand.waits) totals.waits += passes;
    if (!demand.runs) continue;
    totals.bytes += passes * (plan.tasks[i]->read + plan.tasks[i]->written);
    const double memory = SecondsOf(demand.memory, profile), compute = SecondsOf(demand.compute, profile);
    (compute > memory ? totals.compute : totals.memory) += passes * std::max(memory, compute);
    totals.widest = std::max(totals.widest, plan.tasks[i]->elements);
  }
  return totals;
}

double LaunchOn1(const Profile& profile) {
  return profile.Value(Parameter::kLaunchBase) + profile.Value(Parameter::kLaunchPerProcessor);
}

}  // namespace

std::string Seconds(double value) {
  if (value >= 600) return SecondsText(value);
  if (value >= 1) return fmt::format("{:.3g} s", value);
  if (value >= 1e-3) return fmt::format("{:.3g} ms", value * 1e3);
  return fmt::format("{:.3g} us", value * 1e6);
}

std::string FormulaOf(const Sizes& sizes, const Work& work, const Region& region, const Plan& plan,
                      const Profile& profile) {
  const Totals totals = TotalsOf(plan, profile);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "about " : " + ") + part; };
  if (totals.launches > 0) add(fmt::format("{}·{}", CountText(totals.launches), Seconds(LaunchOn1(profile))));
  if (totals.elements_accessed > 0)
    add(fmt::format("{}·{}", CountText(totals.elements_accessed), Seconds(profile.Value(Parameter::kElementAccess))));
  if (totals.memory > 0 && totals.bytes > 0) {
    const ir::DimId bytes = BytesOf(sizes.facts().store().dims(), work, region);
    const std::string symbolic = sizes.facts().DimText(bytes);
    const bool shown = !symbolic.empty() && symbolic.size() <= kLongest && !sizes.IsKnown(bytes);
    const bool sum = symbolic.find_first_of("+-") != std::string::npos;
    add((shown ? (sum ? "(" + symbolic + ")" : symbolic) + " bytes" : Scaled(totals.bytes, "B")) + " / " +
        Scaled(totals.bytes / totals.memory, "B/s"));
  }
  if (totals.compute > 0) add(Seconds(totals.compute) + " of arithmetic");
  if (totals.waits > 0)
    add(fmt::format("{}·{} of waiting", CountText(totals.waits), Seconds(profile.Value(Parameter::kWait))));
  return text;
}

std::string BreakPointOf(const Plan& plan, const Profile& profile) {
  const Totals totals = TotalsOf(plan, profile);
  const double launch = totals.launches * LaunchOn1(profile);
  const double device = totals.memory + totals.compute;
  if (launch <= 0 || device <= 0 || totals.widest <= 1 || totals.compute > totals.memory) return "";
  return fmt::format("launch-bound below {} elements per {}", CountText(totals.widest * launch / device),
                     profile.machine.gpu ? "GPU" : "core");
}

}  // namespace cpnlint::cost
