#include "cost-model/mend.h"

#include <algorithm>
#include <cmath>

#include "analyzer/analysis/element_steps.h"
#include "cost-model/amounts.h"

namespace cpnlint::cost {
namespace {

using analysis::Work;
using analysis::WorkKind;
using analysis::WorkLoop;
using analysis::WorkStep;
using analysis::WorkTask;

struct Row {
  std::string_view recipe;
  Mend mend;
};
constexpr Row kMends[] = {
    {"RR-loop", Mend::kWholeArray},
    {"RR-broadcast", Mend::kWholeArray},
    {"RR-where", Mend::kWholeArray},
    {"RR-builtin", Mend::kWholeArray},
    {"RR-chunk", Mend::kWholeArray},
    {"RR-batch", Mend::kBatch},
    {"RR-sync", Mend::kKeepOnDevice},
    {"RR-range", Mend::kKeepOnDevice},
    {"RR-bounds", Mend::kKeepOnDevice},
    {"RR-runtime", Mend::kKeepOnDevice},
    {"RR-order", Mend::kKeepOnDevice},
    {"RR-host-boundary", Mend::kOnce},
    {"RR-converge", Mend::kEveryFewPasses},
    {"RR-log", Mend::kEveryFewPasses},
    {"RR-alloc", Mend::kOnce},
    {"RR-hoist", Mend::kOnce},
    {"RR-reshape", Mend::kOnce},
    {"RR-layout", Mend::kLeaveOut},
    {"RR-create", Mend::kLeaveOut},
    {"RR-stack", Mend::kWriteOnce},
    {"RR-collect", Mend::kWriteOnce},
    {"RR-mask", Mend::kMask},
    {"RR-masked-reduce", Mend::kMask},
    {"RR-masked-update", Mend::kMask},
    {"RR-shift", Mend::kCopy},
    {"RR-ufunc", Mend::kKeepOnDevice},
    {"RR-precision", Mend::kHalve},
    {"RR-slice", Mend::kRaises},
    {"RR-dtype", Mend::kRaises},
    {"RR-api", Mend::kRaises},
    {"RR-kwarg", Mend::kRaises},
    {"RR-feature", Mend::kRaises},
    {"RR-intmm", Mend::kRaises},
    {"RR-guard", Mend::kCorrectness},
    {"RR-seed", Mend::kCorrectness},
    {"RR-view", Mend::kCorrectness},
};

constexpr double kPassesPerTest = 10;  // RR-converge: the test runs every tenth pass

// The task as it is where nothing of it is left.
void Silence(WorkTask& task, ir::DimId nothing) {
  task.launches = 0;
  task.passes = 0;
  task.bytes_read = task.bytes_written = task.temporary = task.to_host = task.from_host = nothing;
  task.waits = task.all_to_all = false;
  task.operands.clear();
}

void KeepOnDevice(WorkTask& task, ir::DimId nothing) {
  task.waits = false;
  task.to_host = task.from_host = nothing;
  const bool is_step = task.name == analysis::kElementStep;
  if (is_step || task.kind == WorkKind::kToHost || task.kind == WorkKind::kFromHost) Silence(task, nothing);
}

}  // namespace

Mend MendOf(std::string_view recipe) {
  for (const Row& row : kMends) {
    if (row.recipe == recipe) return row.mend;
  }
  return Mend::kNone;
}

std::string_view WhyUnpriced(Mend mend) {
  switch (mend) {
    case Mend::kNone: return "what mending it saves cannot be told from the source";
    case Mend::kRaises: return "the statement does not run before it is mended";
    case Mend::kCorrectness: return "about results, not about time";
    default: return {};
  }
}

LoopsOfTasks::LoopsOfTasks(const Work& work) : first_(work.tasks.size() + 2, 0) {
  const auto each = [&](auto visit) {
    for (std::uint32_t loop = 0; loop < work.loops.size(); ++loop) {
      for (const WorkStep& step : work.loops[loop].body) {
        if (step.kind == WorkStep::Kind::kTask) visit(step.index, loop);
      }
    }
  };
  each([&](std::uint32_t task, std::uint32_t) { ++first_[task + 2]; });
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  loops_.resize(first_.back());
  each([&](std::uint32_t task, std::uint32_t loop) { loops_[first_[task + 1]++] = loop; });
}

Mended::Mended(Work& work, const analysis::Facts& facts, const Site& site, Mend mend, const LoopsOfTasks* loops_of)
    : work_(work), facts_(facts), dims_(facts.store().dims()) {
  if (!WhyUnpriced(mend).empty()) return;
  if (mend == Mend::kWholeArray || mend == Mend::kBatch) {
    std::set<std::uint32_t> collapsed;
    for (const std::uint32_t loop : site.loops) CollapseLoop(loop, mend == Mend::kBatch, collapsed);
    if (!site.loops.empty()) return;
  }
  if (mend == Mend::kEveryFewPasses) {
    loops_of != nullptr ? ThinOut(site, *loops_of) : ThinOut(site, LoopsOfTasks(work));
    return;
  }
  if (mend == Mend::kMask && !site.consumers.empty()) {
    MaskConsumers(site);
    return;
  }
  for (const std::uint32_t task : site.tasks) EditTask(task, mend);
}

Mended::~Mended() {
  // Backwards: what was edited twice gets its first state.
  for (auto it = tasks_.rbegin(); it != tasks_.rend(); ++it) work_.tasks[it->first] = std::move(it->second);
  for (auto it = loops_.rbegin(); it != loops_.rend(); ++it) work_.loops[it->first] = std::move(it->second);
}

std::vector<std::uint32_t> Mended::EditedTasks() const {
  std::vector<std::uint32_t> edited;
  for (const auto& [task, before] : tasks_) edited.push_back(task);
  std::ranges::sort(edited);
  edited.erase(std::unique(edited.begin(), edited.end()), edited.end());
  return edited;
}

WorkTask& Mended::Edit(std::uint32_t task) {
  tasks_.emplace_back(task, work_.tasks[task]);
  return work_.tasks[task];
}

WorkLoop& Mended::EditLoop(std::uint32_t loop) {
  loops_.emplace_back(loop, work_.loops[loop]);
  return work_.loops[loop];
}

// Elements and bytes of arrays whose size nobody knows, as AmountsOf counts them while the operands are known. What may
// be a single number counts as one.
void Mended::NameSizes(WorkTask& task) {
  if (task.elements.valid() || !task.unpriced.empty()) return;
  std::int64_t item = 1;
  ir::DimId most;
  for (const analysis::WorkOperand& operand : task.operands) {
    if (!operand.elements.valid() && !operand.shape.valid()) continue;
    const ir::DimId size = operand.elements.valid() ? operand.elements : dims_.Const(kUnknownElements);
    most = most.valid() ? dims_.Max(most, size) : size;
    item = std::max<std::int64_t>(item, operand.item);
  }
  if (!most.valid()) return;
  task.elements = most;
  const ir::DimId bytes = dims_.Mul(most, dims_.Const(item));
  if (!task.bytes_read.valid()) task.bytes_read = bytes;
  if (!task.bytes_written.valid()) task.bytes_written = bytes;
}

// All tasks of a loop's body, each once with all trips' data. Elements are then operands of whole-array operations.
void Mended::CollapseLoop(std::uint32_t index, bool stack, std::set<std::uint32_t>& collapsed) {
  WorkLoop& loop = EditLoop(index);
  const bool walks_items = loop.loop.valid() && facts_.LoopFactOf(loop.loop).kind == analysis::LoopKind::kIter;
  const ir::DimId trips =
      loop.trips.valid() ? loop.trips : dims_.Const(static_cast<std::int64_t>(std::llround(loop.assumed_trips)));
  loop.trips = dims_.Const(1);
  loop.assumed_trips = 1;
  // Loops in it are part of the same expression, but for a stack's, whose bodies stay.
  std::vector<std::pair<std::uint32_t, ir::DimId>> open = {{index, trips}};
  while (!open.empty()) {
    const auto [at, times] = open.back();
    open.pop_back();
    for (WorkStep& step : EditLoop(at).body) {
      if (step.kind == WorkStep::Kind::kPython) {
        step.index = 0;
      } else if (step.kind == WorkStep::Kind::kLoop) {
        if (stack) {
          open.emplace_back(std::uint32_t{step.index}, times);
          continue;
        }
        WorkLoop& inner = EditLoop(step.index);
        const ir::DimId all = inner.trips.valid()
                                  ? dims_.Mul(times, inner.trips)
                                  : dims_.Mul(times, dims_.Const(std::llround(std::max(1.0, inner.assumed_trips))));
        inner.trips = dims_.Const(1);
        inner.assumed_trips = 1;
        open.emplace_back(std::uint32_t{step.index}, all);
      } else {
        if (!collapsed.insert(step.index).second) continue;
        WorkTask& task = Edit(step.index);
        if (task.kind == WorkKind::kElementAccess) {
          Silence(task, dims_.Const(0));
          continue;
        }
        if (task.waits) KeepOnDevice(task, dims_.Const(0));
        // An item that is handed out is no part of the arrays that a pass works on; a row is.
        if (at == index && walks_items) NameSizes(task);
        task.elements = dims_.Mul(task.elements, times);
        task.bytes_read = dims_.Mul(task.bytes_read, times);
        task.bytes_written = dims_.Mul(task.bytes_written, times);
        task.temporary = dims_.Mul(task.temporary, times);
        if (task.batch.valid()) task.batch = dims_.Mul(task.batch, times);
        NameSizes(task);
        if (stack) task.one_device = false;
        task.operands.clear();  // their shapes are another's now
      }
    }
  }
}

// Nine passes of ten go without: the expected cost of a step is what is left.
void Mended::ThinOut(const Site& site, const LoopsOfTasks& loops_of) {
  std::vector<std::uint32_t> loops;
  for (const std::uint32_t task : site.tasks) {
    const std::span<const std::uint32_t> around = loops_of.Of(task);
    loops.insert(loops.end(), around.begin(), around.end());
  }
  const ir::Program& program = facts_.program();
  const auto loop_of = [&](ir::ValueId op) { return program.blocks[program.ops[op].block].loop; };
  for (std::uint32_t at = 0; !site.calls.empty() && at < work_.loops.size(); ++at) {
    const ir::LoopId loop = work_.loops[at].loop;
    const auto stands_in = [&](ir::ValueId call) { return loop_of(call) == loop; };
    if (loop.valid() && std::ranges::any_of(site.calls, stands_in)) loops.push_back(at);
  }
  std::ranges::sort(loops);
  loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
  const auto is_called = [&](const WorkStep& step, ir::LoopId loop) {
    for (std::uint32_t call = step.call; call != analysis::kNoCall; call = work_.calls[call].outer) {
      const ir::ValueId op = work_.calls[call].call;
      if (loop_of(op) == loop && std::ranges::find(site.calls, op) != site.calls.end()) return true;
    }
    return false;
  };
  for (const std::uint32_t at : loops) {
    WorkLoop& loop = EditLoop(at);
    for (WorkStep& step : loop.body) {
      const bool is_it =
          step.kind == WorkStep::Kind::kTask && std::ranges::binary_search(site.tasks, std::uint32_t{step.index});
      if (is_it || (!site.calls.empty() && is_called(step, loop.loop))) step.share /= kPassesPerTest;
    }
  }
}

// What was selected by a mask, or by the positions of one, is worked on as a whole: nothing is compacted, nobody waits
// for a length.
void Mended::MaskConsumers(const Site& site) {
  const ir::DimId nothing = dims_.Const(0);
  ir::DimId elements, mask_and_base;
  for (const std::uint32_t index : site.tasks) {
    if (work_.tasks[index].kind != WorkKind::kMaskRead) {
      EditTask(index, Mend::kMask);
      continue;
    }
    elements = work_.tasks[index].elements;
    mask_and_base = work_.tasks[index].bytes_read;
    Silence(Edit(index), nothing);
  }
  const auto is_write = [&](std::uint32_t index) { return work_.tasks[index].kind == WorkKind::kScatter; };
  const bool writes = std::ranges::any_of(site.consumers, is_write);
  for (const std::uint32_t index : site.consumers) {
    WorkTask& task = Edit(index);
    task.waits = task.all_to_all = false;
    if (task.kind == WorkKind::kGather && writes) {  // `a[i] = b[i]` is one operation over both
      Silence(task, nothing);
      continue;
    }
    std::int64_t item = 1;
    for (const analysis::WorkOperand& operand : task.operands) item = std::max<std::int64_t>(item, operand.item);
    const bool moves = task.kind == WorkKind::kGather || task.kind == WorkKind::kScatter;
    if (moves) {
      task.kind = WorkKind::kElementwise;
      task.launches = task.launches_divided = std::min(task.launches, 1.0);
    }
    task.temporary = nothing;
    if (!elements.valid()) continue;
    task.elements = elements;
    const ir::DimId whole = dims_.Mul(elements, dims_.Const(item));
    task.bytes_read = moves ? dims_.Add(elements, whole) : mask_and_base;
    if (task.kind == WorkKind::kElementwise) task.bytes_written = whole;
  }
}

void Mended::EditTask(std::uint32_t index, Mend mend) {
  const ir::DimId nothing = dims_.Const(0);
  switch (mend) {
    case Mend::kKeepOnDevice: KeepOnDevice(Edit(index), nothing); return;
    // A walk without a loop of its own: `sum(x)`, a comprehension's worth of calls in one.
    case Mend::kWholeArray: {
      WorkTask& task = Edit(index);
      task.launches = std::min(task.launches, 1.0);
      KeepOnDevice(task, nothing);
      return;
    }
    case Mend::kOnce:
    case Mend::kLeaveOut: Silence(Edit(index), nothing); return;
    case Mend::kWriteOnce: {
      WorkTask& task = Edit(index);
      // The part that is new is the last operand that is read.
      ir::DimId part;
      for (const analysis::WorkOperand& operand : task.operands) {
        if (!operand.written && operand.item != 0) part = dims_.Mul(operand.elements, dims_.Const(operand.item));
      }
      task.launches = std::min(task.launches, 1.0);
      task.bytes_read = task.bytes_written = part;
      task.temporary = nothing;
      task.operands.clear();
      KeepOnDevice(task, nothing);
      return;
    }
    case Mend::kMask: {
      WorkTask& task = Edit(index);
      task.kind = WorkKind::kElementwise;
      task.launches = std::min(task.launches, 1.0);
      task.all_to_all = false;
      KeepOnDevice(task, nothing);
      return;
    }
    case Mend::kCopy: {
      WorkTask& task = Edit(index);
      task.kind = WorkKind::kCopy;
      task.launches = std::min(task.launches, 1.0);
      task.passes = 1;
      task.temporary = nothing;
      task.one_device = task.all_to_all = false;
      KeepOnDevice(task, nothing);
      return;
    }
    case Mend::kHalve: {
      WorkTask& task = Edit(index);
      const ir::DimId two = dims_.Const(2);
      task.bytes_read = dims_.FloorDiv(task.bytes_read, two);
      task.bytes_written = dims_.FloorDiv(task.bytes_written, two);
      task.temporary = dims_.FloorDiv(task.temporary, two);
      for (analysis::WorkOperand& operand : task.operands) {
        if (operand.item == 8) operand.item = 4;
      }
      return;
    }
    default: return;
  }
}

}  // namespace cpnlint::cost
