#pragma once

// What following a recipe does to the work of a program: the difference in time is the finding's price. A recipe that
// makes a statement run at all, or right, has no price.

#include <cstdint>
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
};

// Applies a mend for as long as it lives; then the work is what it was.
class Mended {
 public:
  Mended(analysis::Work& work, ir::DimStore& dims, const Site& site, Mend mend);
  ~Mended();
  Mended(const Mended&) = delete;
  Mended& operator=(const Mended&) = delete;

  [[nodiscard]] bool changed() const { return !tasks_.empty() || !loops_.empty(); }
  // The tasks that are not what they were, in the order of their indices.
  [[nodiscard]] std::vector<std::uint32_t> EditedTasks() const;

 private:
  analysis::WorkTask& Edit(std::uint32_t task);
  analysis::WorkLoop& EditLoop(std::uint32_t loop);
  void Widen(const std::vector<analysis::WorkStep>& body, ir::DimId trips);
  void CollapseLoop(std::uint32_t loop, bool stack);
  void EditTask(std::uint32_t task, Mend mend);

  analysis::Work& work_;
  ir::DimStore& dims_;
  std::vector<std::pair<std::uint32_t, analysis::WorkTask>> tasks_;  // as they were
  std::vector<std::pair<std::uint32_t, analysis::WorkLoop>> loops_;
};

}  // namespace cpnlint::cost
