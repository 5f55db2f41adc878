#pragma once

// The tasks of a root in a row, in the order in which Python reaches them, bodies of loops once, and the calls that
// lead to each. A function that is called at two places runs twice, and so has arrays of its own each time.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analyzer/analysis/work.h"

namespace cpnlint::cost {

struct LoopSpan {
  ir::LoopId loop;
  std::uint32_t work_loop = 0;
  std::uint32_t begin = 0, end = 0;  // steps
};

class Course {
 public:
  struct Span {
    std::uint32_t begin = 0, end = 0;  // steps
  };

  // Of steps that the function of a root leads to: all of the root, or those of a loop.
  Course(const analysis::Facts& facts, const analysis::Work& work, ir::FunctionId function,
         const std::vector<analysis::WorkStep>& steps);

  // Before the first StepPast.
  void Reach();

  [[nodiscard]] const std::vector<std::uint32_t>& tasks() const { return tasks_; }  // by step
  [[nodiscard]] const std::vector<LoopSpan>& loops() const { return loops_; }       // outer before inner
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(tasks_.size()); }

  // Calls are those of Work::calls; kNoCall is the function of the root itself.
  [[nodiscard]] std::uint32_t CallAt(std::uint32_t step) const { return calls_[step]; }
  // Of the passes of the innermost loop, those that come to it.
  [[nodiscard]] double ShareOf(std::uint32_t step) const { return shares_[step]; }
  // Its steps, those of the calls in it among them.
  [[nodiscard]] Span SpanOf(std::uint32_t call) const;
  // In which call of the function a value of it was made that a step of `call` uses: one around the step, or the last
  // before that handed it back. nullopt where the function does not run.
  [[nodiscard]] std::optional<std::uint32_t> HomeOf(ir::FunctionId function, std::uint32_t call,
                                                    std::uint32_t step) const;
  // The call that an op makes where its function runs in `home`; kNoCall where it is not followed.
  [[nodiscard]] std::uint32_t CallOf(ir::ValueId op, std::uint32_t home) const;
  // The op at which the function of `home` stands at one of its steps.
  [[nodiscard]] ir::ValueId PlaceIn(std::uint32_t home, std::uint32_t step) const;
  // The first step from `from` on at which the function has come past an op; `none` where it does not before.
  [[nodiscard]] std::uint32_t StepPast(ir::ValueId op, std::uint32_t from, std::uint32_t none) const;
  // The loop of its function around an op, as it runs at a step.
  [[nodiscard]] const LoopSpan* LoopAround(ir::ValueId op, std::uint32_t step) const;

 private:
  // The steps at which a function runs, and over them a tree of the largest ops: the first step past an op is found in
  // logarithmic time.
  class Reached {
   public:
    void Add(std::uint32_t step, ir::ValueId op);
    void Finish();
    [[nodiscard]] std::uint32_t Past(ir::ValueId op, std::uint32_t from, std::uint32_t none) const;

   private:
    std::vector<std::uint32_t> steps_;  // ascending
    std::vector<std::size_t> ops_;      // a complete binary tree, its leaves by step: 1 + op, 0 for none
    std::size_t width_ = 0;
  };

  void Flatten(const std::vector<analysis::WorkStep>& steps);
  void Enter(std::uint32_t call, std::uint32_t step);

  const analysis::Facts& facts_;
  const analysis::Work& work_;
  ir::FunctionId function_;           // of the root
  std::vector<std::uint32_t> tasks_;  // by step
  std::vector<std::uint32_t> calls_;  // likewise
  std::vector<double> shares_;        // likewise
  std::vector<LoopSpan> loops_;
  std::vector<std::uint32_t> stack_;                                   // calls that are entered, while flattening
  std::vector<std::uint32_t> begun_;                                   // calls in the order of their first steps
  std::unordered_map<std::uint32_t, Span> spans_;                      // by call
  std::unordered_map<std::uint64_t, std::uint32_t> made_by_;           // by home and op: the call
  std::unordered_map<ir::FunctionId, std::vector<std::uint32_t>> of_;  // calls of each function, in their order
  std::unordered_map<ir::FunctionId, Reached> reached_;
};

}  // namespace cpnlint::cost
