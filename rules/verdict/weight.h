#pragma once

// How often code runs and how heavy it is, without a cost model: passes times
// operations (rules.md E.4). The unit is the launch of one array operation.

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::verdict {

// Elements from which on an operation takes longer than its launch.
inline constexpr double kElementsPerLaunch = 1e6;
// E.1: an array of unknown size, for weights only.
inline constexpr double kDefaultElements = 4e7;
// A Python statement or the access of one element, on the host.
inline constexpr double kStatement = 1e-3;
// Additions and multiplications of a matrix product in the time in which one element streams through an operation.
inline constexpr double kFlopsPerElement = 400;

class Frequencies {
 public:
  explicit Frequencies(const analysis::Facts& facts);

  // Passes of a block, as far as it can be told; 0 where it does not run.
  [[nodiscard]] double Of(ir::BlockId block);
  [[nodiscard]] double TripsOf(ir::LoopId loop) const;
  // Independent problems that the loops around walk one by one, and that an array axis could hold: 1 where there are
  // none, infinite where nothing tells how many.
  [[nodiscard]] double ProblemsOf(ir::BlockId block);
  // `Of` rests on no default.
  [[nodiscard]] bool IsKnown(ir::BlockId block);
  // The program's own code leads there: it runs as often as `Of` says. Else who
  // calls it, and how often, is not known.
  [[nodiscard]] bool IsCalledHere(ir::FunctionId function) const { return called_[function.index()]; }

 private:
  // What the block itself says of its passes, whatever the calls of its function are.
  struct Passes {
    double local = -1;    // for each call of the function; below 0: not asked for yet
    double outside = -1;  // calls of the function where the program shows none; below 0: not asked for yet
    double problems = 1;
    bool known = true;
  };
  // The most frequent call of a function.
  struct Calls {
    double passes = 1;
    double problems = 1;
    bool known = true;
  };
  [[nodiscard]] const Passes& PassesOf(ir::BlockId block);
  [[nodiscard]] Passes Local(ir::BlockId block) const;
  [[nodiscard]] double OutsideOf(ir::BlockId block);
  [[nodiscard]] const Calls& CallsOf(ir::BlockId block) const;
  void MeasureGuards();
  void SpreadThroughCalls();
  [[nodiscard]] bool CountForCalls();
  [[nodiscard]] ir::ValueId MostFrequentCallOf(ir::FunctionId function);
  void FindCalled();

  const analysis::Facts& facts_;
  double extent_ = kDefaultElements;  // of one axis of a default array
  std::vector<ir::DimId> trips_;      // of loops, by index: as the most frequent calls ask for
  std::vector<double> guards_;        // by index: shares of the passes that get through it and all around it
  std::vector<Passes> blocks_;        // by index
  std::vector<Calls> functions_;      // by index in the program
  std::vector<bool> called_;
};

[[nodiscard]] double WeightOf(std::optional<std::int64_t> volume);
// The same for an op on arrays, `volume` being that of the largest: a product or a factorisation takes longer than its
// arrays stream.
[[nodiscard]] double WeightOf(const analysis::Facts& facts, ir::ValueId op, std::optional<std::int64_t> volume);
// The largest array that goes into an op or comes out; nullopt where a size is
// not known.
[[nodiscard]] std::optional<std::int64_t> LargestVolume(const analysis::Facts& facts, ir::ValueId op);
// ... or is by default: for weights alone (rules.md E.1).
[[nodiscard]] std::optional<std::int64_t> UsualVolume(const analysis::Facts& facts, ir::ValueId op);

}  // namespace cpnlint::verdict
