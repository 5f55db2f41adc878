// Where a finding stands in the work of a program, and what else its mend is about.

#include <algorithm>
#include <utility>

#include "cost-model/price.h"
#include "rules/engine/rule.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkOperand;
using analysis::WorkTask;

constexpr std::size_t kMostOps = 200;       // that one test rests on, or that use one selection
constexpr std::size_t kMostTasks = 20'000;  // of a program whose arrays are followed through
constexpr int kIteration = 103;
constexpr int kBranchOnArray = 105;
constexpr int kInvariantWork = 213;
constexpr int kMostRounds = 8;  // of arrays that are made of the ones before

template <typename T>
void SortUnique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool Has(const std::vector<ir::ValueId>& ops, ir::ValueId op) { return std::ranges::find(ops, op) != ops.end(); }

// A variable of a module that nobody reads but the module's own code.
bool IsOwnName(const ir::Program& program, ir::ValueId op) {
  if (program.ops[op].kind != ir::OpKind::kStoreCell) return false;
  const ir::Cell& cell = program.cells[ir::CellId(program.ops[op].payload)];
  return cell.kind == ir::Cell::Kind::kGlobal && cell.loads.empty();
}

}  // namespace

void Pricer::AddTasks(Span span, std::vector<std::uint32_t>& tasks) const {
  for (std::uint32_t task = heads_[HeadOf(span)]; task != kNowhere; task = next_[task]) {
    if (facts_.program().ops[work_.tasks[task].op].span == span) tasks.push_back(task);
  }
}

// `for dt in steps: u += dt * rhs(u)`: the passes stay, and the numbers come from the host.
bool Pricer::HandsOutNumbers(const rules::Finding& finding) const {
  return finding.rule->code == kIteration && finding.loop.valid() && !finding.site.valid() &&
         facts_.LoopFactOf(finding.loop).hands_out;
}

Mend Pricer::MendFor(const rules::Finding& finding) const {
  if (HandsOutNumbers(finding)) return Mend::kLeaveOut;
  const Mend mend = MendOf(finding.rule->recipe);
  if (mend != Mend::kEveryFewPasses || finding.rule->code != kBranchOnArray || !finding.site.valid()) return mend;
  // A test that does not end the loop cannot be left out in some passes: `np.where` and `np.minimum` choose on the
  // device.
  const ir::Program& program = facts_.program();
  const ir::LoopId loop = facts_.HeatOf(finding.site).loop;
  const bool ends_loop = loop.valid() && (program.loops[loop].kind == ir::Loop::Kind::kWhile ||
                                          facts_.LoopFactOf(loop).kind == analysis::LoopKind::kConvergence);
  return ends_loop && program.ops[finding.site].kind != ir::OpKind::kCall ? mend : Mend::kKeepOnDevice;
}

Site Pricer::SiteOf(const rules::Finding& finding) const {
  Site site;
  AddTasks(finding.span, site.tasks);
  if (finding.site.valid()) AddTasks(facts_.program().ops[finding.site].span, site.tasks);
  for (const Span span : finding.also) AddTasks(span, site.tasks);
  for (const rules::Label& label : finding.labels) {
    if (label.swallowed_rule != 0) AddTasks(label.span, site.tasks);
  }
  // The finding is about the loop itself where it stands on its header, else about something in it.
  if (HandsOutNumbers(finding)) {
    AddItems(finding.loop, site.tasks);
  } else if (!finding.site.valid() && finding.loop.valid()) {
    for (std::uint32_t i = 0; i < work_.loops.size(); ++i) {
      if (work_.loops[i].loop == finding.loop) site.loops.push_back(i);
    }
  }
  if (finding.rule->code == kInvariantWork) AddParts(finding.site, site);
  SortUnique(site.tasks);
  const Mend mend = MendFor(finding);
  if (mend == Mend::kEveryFewPasses) AddFeeders(site);
  if (mend == Mend::kMask) AddConsumers(site);
  if (mend == Mend::kHalve && finding.site.valid()) AddStorage(facts_.DeviceRootOf(finding.site), site);
  return site;
}

// Reads of what a loop hands out: `for y, x in centres` takes rows apart.
void Pricer::AddItems(ir::LoopId loop, std::vector<std::uint32_t>& tasks) const {
  const ir::Program& program = facts_.program();
  std::vector<ir::ValueId> parts = {program.loops[loop].item};
  for (std::size_t i = 0; i < parts.size() && parts.size() < kMostOps; ++i) {
    AddTasks(program.ops[parts[i]].span, tasks);
    for (const ir::ValueId user : facts_.UsesOf(parts[i])) {
      if (program.ops[user].kind == ir::OpKind::kUnpackItem) parts.push_back(user);
    }
  }
}

// `a * b + c * d` is three operations, and where it goes, all of them go.
void Pricer::AddParts(ir::ValueId expression, Site& site) const {
  const ir::Program& program = facts_.program();
  std::vector<ir::ValueId> ops = {expression};
  for (std::size_t i = 0; i < ops.size() && ops.size() < kMostOps; ++i) {
    for (const ir::ValueId operand : program.Operands(ops[i])) {
      if (!operand.valid() || Has(ops, operand)) continue;
      const Span span = program.ops[operand].span;
      if (!program.ops[expression].span.Contains(span)) continue;
      AddTasks(span, site.tasks);
      ops.push_back(operand);
    }
  }
}

// `if np.abs(r).max() < tol`: what nobody else needs runs as seldom as the test.
void Pricer::AddFeeders(Site& site) const {
  const ir::Program& program = facts_.program();
  std::vector<ir::ValueId> ops;
  for (const std::uint32_t task : site.tasks) {
    if (!Has(ops, work_.tasks[task].op)) ops.push_back(work_.tasks[task].op);
  }
  const auto is_only_for_them = [&](ir::ValueId op) {
    const auto uses = facts_.UsesOf(op);
    return !uses.empty() &&
           std::ranges::all_of(uses, [&](ir::ValueId use) { return Has(ops, use) || IsOwnName(program, use); });
  };
  for (std::size_t before = 0; before != ops.size() && ops.size() < kMostOps;) {
    before = ops.size();
    for (std::size_t i = 0; i < before; ++i) {
      const ir::LoopId loop = program.blocks[program.ops[ops[i]].block].loop;
      for (const ir::ValueId operand : program.Operands(ops[i])) {
        if (!operand.valid() || !loop.valid() || Has(ops, operand)) continue;
        const ir::Op& record = program.ops[operand];
        const bool here = record.kind != ir::OpKind::kPhi && program.blocks[record.block].loop == loop;
        if (here && is_only_for_them(operand)) ops.push_back(operand);
      }
    }
  }
  for (const ir::ValueId op : ops) {
    const ir::Op& record = program.ops[op];
    const bool called = record.kind == ir::OpKind::kCall && facts_.CalleeOf(op).kind == analysis::Callee::Kind::kLocal;
    if (called) {
      site.calls.push_back(op);
    } else {
      AddTasks(record.span, site.tasks);
    }
  }
  SortUnique(site.tasks);
}

// What works on the selection, or takes the positions for indices.
void Pricer::AddConsumers(Site& site) const {
  const ir::Program& program = facts_.program();
  std::vector<ir::ValueId> selected;
  for (const std::uint32_t task : site.tasks) {
    if (work_.tasks[task].kind == analysis::WorkKind::kMaskRead) selected.push_back(work_.tasks[task].op);
  }
  for (std::size_t i = 0; i < selected.size() && i < kMostOps; ++i) {
    for (const ir::ValueId use : facts_.UsesOf(selected[i])) {
      const ir::Op& record = program.ops[use];
      const bool names = record.kind == ir::OpKind::kPhi || record.kind == ir::OpKind::kUnpackItem ||
                         record.kind == ir::OpKind::kAttr || record.kind == ir::OpKind::kTuple ||
                         (record.kind == ir::OpKind::kSubscript && !facts_.IsArray(program.Operand(use, 0)));
      if (!names) {
        AddTasks(record.span, site.consumers);
      } else if (!Has(selected, use)) {
        selected.push_back(use);
      }
    }
  }
  SortUnique(site.consumers);
  std::erase_if(site.consumers, [&](std::uint32_t task) { return std::ranges::binary_search(site.tasks, task); });
}

// All that works on an array of float64, or on what is made of it.
void Pricer::AddStorage(ir::ValueId array, Site& site) const {
  if (!array.valid() || work_.tasks.size() > kMostTasks) return;
  const ir::Program& program = facts_.program();
  std::vector<ir::ValueId> roots = {array};
  const auto is_of_them = [&](const WorkOperand& operand) {
    if (operand.item != 8 || !operand.root.valid()) return false;
    if (Has(roots, operand.root)) return true;
    if (operand.root.index() >= program.ops.size() || program.ops[operand.root].kind != ir::OpKind::kPhi) return false;
    return std::ranges::any_of(program.Operands(operand.root),
                               [&](ir::ValueId from) { return from.valid() && Has(roots, facts_.DeviceRootOf(from)); });
  };
  std::vector<bool> taken(work_.tasks.size(), false);
  bool more = true;
  for (int round = 0; round < kMostRounds && std::exchange(more, false); ++round) {
    for (std::uint32_t i = 0; i < work_.tasks.size(); ++i) {
      const WorkTask& task = work_.tasks[i];
      if (taken[i] || !std::ranges::any_of(task.operands, is_of_them)) continue;
      taken[i] = more = true;
      site.tasks.push_back(i);
      for (const WorkOperand& operand : task.operands) {
        const bool made = operand.written && operand.item == 8 && operand.root.valid();
        if (made && !Has(roots, operand.root)) roots.push_back(operand.root);
      }
    }
  }
  SortUnique(site.tasks);
}

}  // namespace cpnlint::cost
