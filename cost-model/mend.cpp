#include "cost-model/mend.h"

#include <algorithm>
#include <cmath>

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
  if (task.kind == WorkKind::kToHost || task.kind == WorkKind::kFromHost) Silence(task, nothing);
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

Mended::Mended(Work& work, ir::DimStore& dims, const Site& site, Mend mend, const LoopsOfTasks* loops_of)
    : work_(work), dims_(dims), loops_of_(loops_of) {
  if (!WhyUnpriced(mend).empty()) return;
  if (mend == Mend::kWholeArray || mend == Mend::kBatch) {
    for (const std::uint32_t loop : site.loops) CollapseLoop(loop, mend == Mend::kBatch);
    if (!site.loops.empty()) return;
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

// All tasks of a loop's body, each once with all trips' data. Elements are then operands of whole-array operations.
void Mended::CollapseLoop(std::uint32_t index, bool stack) {
  WorkLoop& loop = EditLoop(index);
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
        WorkTask& task = Edit(step.index);
        if (task.kind == WorkKind::kElementAccess) {
          Silence(task, dims_.Const(0));
          continue;
        }
        if (task.waits) KeepOnDevice(task, dims_.Const(0));
        task.elements = dims_.Mul(task.elements, times);
        task.bytes_read = dims_.Mul(task.bytes_read, times);
        task.bytes_written = dims_.Mul(task.bytes_written, times);
        task.temporary = dims_.Mul(task.temporary, times);
        if (task.batch.valid()) task.batch = dims_.Mul(task.batch, times);
        if (stack) task.one_device = false;
        task.operands.clear();  // their shapes are another's now
      }
    }
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
    case Mend::kEveryFewPasses: {
      // Nine passes of ten go without: the expected cost of the step is what is left.
      const auto is_it = [&](const WorkStep& step) {
        return step.kind == WorkStep::Kind::kTask && step.index == index;
      };
      const auto mend_loop = [&](std::uint32_t at) {
        for (WorkStep& step : EditLoop(at).body) {
          if (is_it(step)) step.share /= kPassesPerTest;
        }
      };
      if (loops_of_ != nullptr) {
        std::uint32_t last = static_cast<std::uint32_t>(work_.loops.size());
        for (const std::uint32_t at : loops_of_->Of(index)) {
          if (at != last) mend_loop(at);
          last = at;
        }
        return;
      }
      for (std::uint32_t at = 0; at < work_.loops.size(); ++at) {
        const std::vector<WorkStep>& body = work_.loops[at].body;
        if (std::any_of(body.begin(), body.end(), is_it)) mend_loop(at);
      }
      return;
    }
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
      return;
    }
    default: return;
  }
}

}  // namespace cpnlint::cost
