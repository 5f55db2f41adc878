#include "cost-model/course.h"

#include <algorithm>
#include <bit>

namespace cpnlint::cost {
namespace {

using analysis::kNoCall;
using analysis::WorkStep;
using analysis::WorkTask;

std::uint64_t KeyOf(ir::ValueId op, std::uint32_t home) { return std::uint64_t{home} << 32 | op.index(); }

}  // namespace

void Course::Reached::Add(std::uint32_t step, ir::ValueId op) {
  steps_.push_back(step);
  ops_.push_back(op.index() + 1);
}

void Course::Reached::Finish() {
  width_ = std::bit_ceil(ops_.size());
  ops_.insert(ops_.begin(), width_, 0);
  ops_.resize(2 * width_, 0);
  for (std::size_t node = width_ - 1; node > 0; --node) ops_[node] = std::max(ops_[2 * node], ops_[2 * node + 1]);
}

std::uint32_t Course::Reached::Past(ir::ValueId op, std::uint32_t from, std::uint32_t none) const {
  const std::size_t least = op.index() + 1;
  const auto first = std::ranges::lower_bound(steps_, from);
  if (first == steps_.end()) return none;
  std::size_t node = width_ + static_cast<std::size_t>(first - steps_.begin());
  while (ops_[node] <= least) {  // up to the next subtree that has one
    while (node % 2 == 1) node /= 2;
    if (node == 0) return none;
    ++node;
  }
  while (node < width_) node = ops_[2 * node] > least ? 2 * node : 2 * node + 1;
  return std::min(none, steps_[node - width_]);
}

Course::Course(const analysis::Facts& facts, const analysis::Work& work, ir::FunctionId function,
               const std::vector<WorkStep>& steps)
    : facts_(facts), work_(work), function_(function) {
  Flatten(steps);
}

void Course::Flatten(const std::vector<WorkStep>& steps) {
  struct Open {
    const std::vector<WorkStep>* steps;
    std::size_t next = 0;
    std::size_t loop = 0;  // index into loops_ + 1; 0 for the root
  };
  std::vector<Open> open = {{&steps}};
  while (!open.empty()) {
    Open& at = open.back();
    const std::uint32_t now = size();
    if (at.next == at.steps->size()) {
      if (at.loop != 0) loops_[at.loop - 1].end = now;
      open.pop_back();
      continue;
    }
    const WorkStep& step = (*at.steps)[at.next++];
    if (step.kind == WorkStep::Kind::kLoop) {
      const analysis::WorkLoop& loop = work_.loops[step.index];
      loops_.push_back({loop.loop, step.index, now, now});
      open.push_back({&loop.body, 0, loops_.size()});
    } else if (step.kind == WorkStep::Kind::kTask) {
      Enter(step.call, now);
      tasks_.push_back(step.index);
      calls_.push_back(step.call);
      shares_.push_back(step.share);
    }
  }
  Enter(kNoCall, size());
}

// Ends the calls that a step has left, begins those it has entered.
void Course::Enter(std::uint32_t call, std::uint32_t step) {
  std::vector<std::uint32_t> entered;  // innermost first
  for (; call != kNoCall; call = work_.calls[call].outer) {
    const std::uint32_t depth = work_.calls[call].depth;
    if (depth <= stack_.size() && stack_[depth - 1] == call) break;
    entered.push_back(call);
  }
  const std::size_t same = call == kNoCall ? 0 : work_.calls[call].depth;
  for (; stack_.size() > same; stack_.pop_back()) spans_[stack_.back()].end = step;
  for (; !entered.empty(); entered.pop_back()) {
    const std::uint32_t one = entered.back();
    stack_.push_back(one);
    if (!spans_.emplace(one, Span{step, step}).second) continue;
    made_by_.emplace(KeyOf(work_.calls[one].call, work_.calls[one].outer), one);
    of_[work_.calls[one].function].push_back(one);
    begun_.push_back(one);
  }
}

// While a call runs, the functions around it stand at their calls.
void Course::Reach() {
  auto next = begun_.begin();
  for (std::uint32_t step = 0; step < size(); ++step) {
    for (; next != begun_.end() && SpanOf(*next).begin == step; ++next) {
      const std::uint32_t outer = work_.calls[*next].outer;
      reached_[outer == kNoCall ? function_ : work_.calls[outer].function].Add(step, work_.calls[*next].call);
    }
    const WorkTask& task = work_.tasks[tasks_[step]];
    if (task.op.valid()) reached_[facts_.program().FunctionOf(task.op)].Add(step, task.op);
  }
  for (auto& [function, reached] : reached_) reached.Finish();
}

Course::Span Course::SpanOf(std::uint32_t call) const {
  if (call == kNoCall) return {0, size()};
  const auto found = spans_.find(call);
  return found == spans_.end() ? Span{0, size()} : found->second;
}

std::optional<std::uint32_t> Course::HomeOf(ir::FunctionId function, std::uint32_t call, std::uint32_t step) const {
  for (; call != kNoCall; call = work_.calls[call].outer) {
    if (work_.calls[call].function == function) return call;
  }
  if (function == function_) return kNoCall;
  const auto found = of_.find(function);
  if (found == of_.end()) return std::nullopt;
  const std::vector<std::uint32_t>& calls = found->second;
  const auto later = std::ranges::upper_bound(calls, step, {}, [&](std::uint32_t one) { return SpanOf(one).begin; });
  // What comes later in a loop has run in the pass before.
  return later == calls.begin() ? calls.back() : *std::prev(later);
}

std::uint32_t Course::CallOf(ir::ValueId op, std::uint32_t home) const {
  const auto found = made_by_.find(KeyOf(op, home));
  return found == made_by_.end() ? kNoCall : found->second;
}

ir::ValueId Course::PlaceIn(std::uint32_t home, std::uint32_t step) const {
  const std::uint32_t inner = calls_[step];
  if (inner == home) return work_.tasks[tasks_[step]].op;
  for (std::uint32_t call = inner; call != kNoCall; call = work_.calls[call].outer) {
    if (work_.calls[call].outer == home) return work_.calls[call].call;
  }
  return {};
}

std::uint32_t Course::StepPast(ir::ValueId op, std::uint32_t from, std::uint32_t none) const {
  const auto found = reached_.find(facts_.program().FunctionOf(op));
  return found == reached_.end() ? none : found->second.Past(op, from, none);
}

const LoopSpan* Course::LoopAround(ir::ValueId op, std::uint32_t step) const {
  const ir::LoopId loop = facts_.program().blocks[facts_.program().ops[op].block].loop;
  if (!loop.valid()) return nullptr;
  for (const LoopSpan& span : loops_) {
    if (span.loop == loop && span.begin <= step && step < span.end) return &span;
  }
  return nullptr;
}

}  // namespace cpnlint::cost
