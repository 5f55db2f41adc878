#pragma once

// Scalars that a loop picks out of arrays, or puts there, for work on whole arrays: tables and histories (rules.md
// A.5).

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

class LoopScalars {
 public:
  enum class Found : std::uint8_t { kNo, kMaybe, kYes };  // kMaybe: values of unknown kind decide

  LoopScalars(const Facts& facts, ir::LoopId loop) : facts_(facts), program_(facts.program()), id_(loop) {}

  // `h[i] = e`, e a 0-d result of work on arrays that i does not select.
  [[nodiscard]] Found IsHistory(ir::ValueId op_id) const;
  // The read of `e[k]` that its own store `e[k] += v` begins with.
  [[nodiscard]] bool IsReadToAdd(ir::ValueId read, ir::ValueId store) const;
  // `d[i]`, `d[s, i]` read only as a scalar coefficient of whole-array work.
  [[nodiscard]] Found IsTable(ir::ValueId op_id) const;
  // `for dt in steps: u = u + dt * rhs(u)`: the items of the array that the loop walks are numbers, and what is done
  // with them, or beside them from trip to trip, is work on whole arrays.
  [[nodiscard]] bool HandsOutNumbers() const;
  // `log[t] = u.mean(), drift`: numbers side by side, one of them a reduction.
  [[nodiscard]] bool StoresRow(ir::ValueId store) const;
  // `h[i] = np.sum(...)`, also as part of an expression or of a row.
  [[nodiscard]] bool StoresReduction(ir::ValueId store) const;

 private:
  [[nodiscard]] bool StoresOwnNumber(ir::ValueId store) const;
  // What a scalar meets on its way.
  struct Met {
    bool whole = false;    // arrays
    bool unknown = false;  // values of unknown kind
  };
  [[nodiscard]] bool MayWorkOnArrays(ir::ValueId call, const Callee& callee) const;
  [[nodiscard]] bool WorksOnItsOwn(ir::ValueId call, const Callee& callee) const;
  [[nodiscard]] bool FitsWhole(ir::ValueId call) const;
  [[nodiscard]] bool SelectedByMask(ir::ValueId value) const;
  [[nodiscard]] bool TakesPieces(ir::ValueId op) const;
  [[nodiscard]] bool MeetsPieces(ir::ValueId op) const;  // among its operands
  [[nodiscard]] bool TakesSlidingPieces(ir::ValueId call) const;
  [[nodiscard]] bool CarriesArrays() const;
  [[nodiscard]] bool IsCarriedArray(ir::ValueId variable) const;
  [[nodiscard]] bool ComputesOnCarried() const;
  [[nodiscard]] bool WholeArrayOperand(ir::ValueId call, const Callee& callee) const;
  [[nodiscard]] bool HasWholeOperand(ir::ValueId op) const;
  [[nodiscard]] bool MeetsWhole(ir::ValueId op) const;
  [[nodiscard]] bool IsItemChosen(ir::ValueId made) const;
  [[nodiscard]] bool IsArithmetic(ir::ValueId id) const;
  [[nodiscard]] bool HasOperandOfOwn(ir::ValueId op) const;
  [[nodiscard]] bool IsChosenByLoop(ir::ValueId subscript) const;  // some key of it
  [[nodiscard]] bool IsCoefficient(ir::ValueId user, ir::ValueId scalar) const;
  [[nodiscard]] bool ScalesReduction(ir::ValueId user, ir::ValueId scalar) const;
  [[nodiscard]] bool IsFilledIn(ir::ValueId store, ir::ValueId scalar) const;
  [[nodiscard]] bool FeedsWhole(ir::ValueId store) const;
  [[nodiscard]] bool IsWorkOn(ir::ValueId op, ir::ValueId root) const;
  [[nodiscard]] bool IsWorkOnItems(ir::ValueId op) const;
  [[nodiscard]] bool ComputesOnIn(ir::ValueId call, ir::ValueId root, int depth) const;
  [[nodiscard]] bool ComputesOn(ir::ValueId root) const;
  [[nodiscard]] bool IsProbe(ir::ValueId read) const;
  [[nodiscard]] bool IsCarriedOver(ir::ValueId array, ir::ValueId root) const;
  [[nodiscard]] bool MeetsItsOwn(ir::ValueId scalar) const;
  [[nodiscard]] bool OnlyScales(ir::ValueId scalar, Met& met) const;
  [[nodiscard]] bool OnlyScalesIn(ir::ValueId call, ir::ValueId scalar, Met& met, int depth) const;
  [[nodiscard]] bool OnlyComputes(ir::ValueId param, Met& met, int depth) const;

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId id_;
};

}  // namespace cpnlint::analysis
