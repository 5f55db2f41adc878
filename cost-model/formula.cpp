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
constexpr double kNoticeable = 1e-3;  // of a pass: smaller terms are not told
constexpr int kHalvings = 80;         // until a break point is found

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
  double launches = 0, elements_accessed = 0, waits = 0, memory = 0, compute = 0;
  double bytes = 0;        // of the tasks that `memory` counts
  bool all_stream = true;  // those are all that move any
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
    const double bytes = passes * (plan.tasks[i]->read + plan.tasks[i]->written);
    const double memory = SecondsOf(demand.memory, profile), compute = SecondsOf(demand.compute, profile);
    if (compute > memory) {
      totals.compute += passes * compute;
      totals.all_stream = totals.all_stream && bytes == 0;
    } else {
      totals.memory += passes * memory;
      totals.bytes += bytes;
    }
  }
  return totals;
}

double LaunchOn1(const Profile& profile) {
  return profile.Value(Parameter::kLaunchBase) + profile.Value(Parameter::kLaunchPerProcessor);
}

}  // namespace

std::string Seconds(double value) {
  if (value >= 600) return SecondsText(value);
  constexpr double kRoundsUp = 0.9995;  // to one of the next unit
  if (value >= kRoundsUp) return fmt::format("{:.3g} s", value);
  if (value >= kRoundsUp * 1e-3) return fmt::format("{:.3g} ms", value * 1e3);
  return fmt::format("{:.3g} us", value * 1e6);
}

std::string FormulaOf(const Sizes& sizes, const Work& work, const Region& region, const Plan& plan,
                      const Profile& profile) {
  const Totals totals = TotalsOf(plan, profile);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "about " : " + ") + part; };
  const double launching = totals.launches * LaunchOn1(profile);
  const double accessing = totals.elements_accessed * profile.Value(Parameter::kElementAccess);
  const double waiting = totals.waits * profile.Value(Parameter::kWait);
  const double least = kNoticeable * (launching + accessing + totals.memory + totals.compute + waiting);
  if (totals.launches > 0) add(fmt::format("{}·{}", CountText(totals.launches), Seconds(LaunchOn1(profile))));
  if (totals.elements_accessed > 0)
    add(fmt::format("{}·{}", CountText(totals.elements_accessed), Seconds(profile.Value(Parameter::kElementAccess))));
  if (totals.memory > least && totals.bytes > 0) {
    const ir::DimId bytes = BytesOf(sizes.facts().store().dims(), work, region);
    const std::string symbolic = sizes.facts().DimText(bytes);
    const bool shown = totals.all_stream && !symbolic.empty() && symbolic.size() <= kLongest && !sizes.IsKnown(bytes);
    const bool sum = symbolic.find_first_of("+-") != std::string::npos;
    add((shown ? (sum ? "(" + symbolic + ")" : symbolic) + " bytes" : Scaled(totals.bytes, "B")) + " / " +
        Scaled(totals.bytes / totals.memory, "B/s"));
  }
  if (totals.compute > least) add(Seconds(totals.compute) + " of arithmetic");
  if (totals.waits > 0)
    add(fmt::format("{}·{} of waiting", CountText(totals.waits), Seconds(profile.Value(Parameter::kWait))));
  return text;
}

namespace {

// Seconds that a pass of a problem `factor` times as large computes beyond what it launches; elements of its widest
// array, and bytes of its largest one.
struct Balance {
  double surplus = 0, widest = 0, bytes = 0;
};

Balance BalanceAt(const Plan& plan, const Profile& profile, double factor) {
  const Plan grown = Grown(plan, factor);
  const Totals totals = TotalsOf(grown, profile);
  Balance balance{totals.memory + totals.compute - totals.launches * LaunchOn1(profile)};
  for (const Amounts* task : grown.tasks) {
    for (const ArrayUse& use : task->arrays) {
      balance.widest = std::max(balance.widest, use.elements);
      balance.bytes = std::max(balance.bytes, use.elements * use.item);
    }
  }
  return balance;
}

// "n = 7300" where the widest array has as many elements; empty where more names than one say how wide it is.
std::string NumberFor(const Sizes& sizes, const Plan& plan, double elements) {
  const analysis::Facts& facts = sizes.facts();
  const ir::DimStore& dims = facts.store().dims();
  const analysis::WorkOperand* widest = nullptr;
  double most = 0;
  for (const Amounts* task : plan.tasks) {
    for (const analysis::WorkOperand& operand : task->task->operands) {
      if (!operand.root_shape.valid()) continue;
      double volume = 1;
      for (const double extent : sizes.Extents(operand.root_shape)) volume *= extent;
      if (volume <= most) continue;
      most = volume;
      widest = &operand;
    }
  }
  if (widest == nullptr) return "";
  std::vector<Symbol> symbols;
  const analysis::Shape& shape = facts.store().Get(widest->root_shape);
  for (const ir::DimId extent : shape) {
    if (!extent.valid()) return "";
    for (const Symbol symbol : dims.Symbols(extent)) symbols.push_back(symbol);
  }
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  if (symbols.size() != 1) return "";
  const std::string_view name = facts.program().names.Text(symbols.front());
  if (name.empty() || name.find('?') != std::string_view::npos) return "";
  const auto volume_at = [&](double number) {
    double volume = 1;
    for (const ir::DimId extent : shape) {
      volume *= std::max(1.0, dims.Evaluate(extent, [&](Symbol, std::uint32_t) { return number; }).value_or(1));
    }
    return volume;
  };
  double low = 1, high = 1e15;
  if (volume_at(high) < elements) return "";
  for (int step = 0; step < kHalvings && high > low * 1.001; ++step) {
    const double middle = std::sqrt(low * high);
    (volume_at(middle) < elements ? low : high) = middle;
  }
  return fmt::format("{} = {}", name, CountText(high));
}

}  // namespace

std::string BreakPointOf(const Sizes& sizes, const Plan& plan, const Profile& profile, double pool) {
  constexpr double kClose = 1.0004;
  const Totals totals = TotalsOf(plan, profile);
  if (totals.launches <= 0) return "";
  double low = 1e-9, high = 1e9;  // of the problem as it is
  if (BalanceAt(plan, profile, low).surplus >= 0 || BalanceAt(plan, profile, high).surplus <= 0) return "";
  // The work grows about as the problem does: a guess or two by proportion leave little to halve.
  const double launching = totals.launches * LaunchOn1(profile);
  double guess = launching / (totals.memory + totals.compute);
  for (int step = 0; step < 3 && guess > low * kClose && guess * kClose < high; ++step) {
    double at = guess / kClose, surplus = BalanceAt(plan, profile, at).surplus;
    if (surplus < 0) {
      low = at;
      at = guess * kClose;
      surplus = BalanceAt(plan, profile, at).surplus;
    }
    (surplus < 0 ? low : high) = at;
    guess = at * launching / (surplus + launching);
  }
  for (int step = 0; step < kHalvings && high > low * 1.001; ++step) {
    const double middle = std::sqrt(low * high);
    (BalanceAt(plan, profile, middle).surplus < 0 ? low : high) = middle;
  }
  const auto [surplus, elements, bytes] = BalanceAt(plan, profile, high);
  // Short rows stay short however many there are: no size that a processor holds brings them work enough.
  if (elements <= 1 || bytes > pool) return "";
  const std::string text =
      fmt::format("launch-bound below {} elements per {}", CountText(elements), profile.machine.gpu ? "GPU" : "core");
  const std::string number = NumberFor(sizes, plan, elements);
  return number.empty() ? text : text + " (" + number + " on one)";
}

}  // namespace cpnlint::cost
