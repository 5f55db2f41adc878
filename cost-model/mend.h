#pragma once

// What following a recipe does to the work of a program: the difference in time is the finding's price. A recipe that
// makes a statement run at all, or right, has no price.

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/analysis/work.h"

namespace cpnlint::cost {

enum class Mend : std::uint8_t {
  kNone,            // what it saves cannot be told from the source
  kRaises,          // without it the statement does not run
  kCorrectness,     // it changes results, not time
  kWholeArray,      // the loop becomes one expression over whole arrays
  kBatch,           // the loop's problems become one stacked call
  kKeepOnDevice,    // nothing crosses and nobody waits
  kEveryFewPasses,  // the same, every tenth pass
  kLeaveOut,        // the operation is gone
  kOnce,            // it runs once, in front of the loop
  kWriteOnce,       // each part is written once instead of copied with all before it
  kMask,            // masked arithmetic over the whole array instead of compaction
  kCopy,            // slices written once instead of an operation on one device
  kHalve,           // half the bytes
};
// Of a recipe by its name ("RR-loop"); kNone for one that is not known.
[[nodiscard]] Mend MendOf(std::string_view recipe);
// Why there is no price; empty for mends that have one.
[[nodiscard]] std::string_view WhyUnpriced(Mend mend);

// Where a finding stands in the work of a program.
struct Site {
  std::vector<std::uint32_t> tasks;  // of the reported ops
  std::vector<std::uint32_t> loops;  // of the reported loop, once for each way to it
  // RR-converge, RR-log: calls of functions that only what is tested or told needs; its other tasks are among `tasks`.
  std::vector<ir::ValueId> calls;
  std::vector<std::uint32_t> consumers;  // RR-mask and its like: tasks that use what a mask has selected
};

// The loops in whose bodies each task stands. Mends change what bodies cost, not what is in them.
class LoopsOfTasks {
 public:
  explicit LoopsOfTasks(const analysis::Work& work);
  [[nodiscard]] std::span<const std::uint32_t> Of(std::uint32_t task) const {
    return {loops_.data() + first_[task], first_[task + 1] - first_[task]};
  }

 private:
  std::vector<std::uint32_t> first_, loops_;  // of each task, ascending; a loop as often as the task stands in it
};

// Applies a mend for as long as it lives; then the work is what it was.
class Mended {
 public:
  // `loops_of`, if given, spares a search.
  Mended(analysis::Work& work, const analysis::Facts& facts, const Site& site, Mend mend,
         const LoopsOfTasks* loops_of = nullptr);
  ~Mended();
  Mended(const Mended&) = delete;
  Mended& operator=(const Mended&) = delete;

  [[nodiscard]] bool changed() const { return !tasks_.empty() || !loops_.empty(); }
  // The tasks that are not what they were, in the order of their indices.
  [[nodiscard]] std::vector<std::uint32_t> EditedTasks() const;

 private:
  analysis::WorkTask& Edit(std::uint32_t task);
  analysis::WorkLoop& EditLoop(std::uint32_t loop);
  // `collapsed`: tasks of loops before, which may be the same in a call from elsewhere.
  void CollapseLoop(std::uint32_t loop, bool stack, std::set<std::uint32_t>& collapsed);
  void NameSizes(analysis::WorkTask& task);
  void EditTask(std::uint32_t task, Mend mend);
  void MaskConsumers(const Site& site);
  void ThinOut(const Site& site, const LoopsOfTasks& loops_of);

  analysis::Work& work_;
  const analysis::Facts& facts_;
  ir::DimStore& dims_;
  std::vector<std::pair<std::uint32_t, analysis::WorkTask>> tasks_;  // as they were
  std::vector<std::pair<std::uint32_t, analysis::WorkLoop>> loops_;
};

}  // namespace cpnlint::cost
