#pragma once

// Who keeps an array beside the names of the function that has it. Names let go of it when they are bound anew.

#include <cstdint>
#include <unordered_map>

#include "analyzer/analysis/facts.h"

namespace cpnlint::cost {

enum class Hold : std::uint8_t {
  kNames,     // nobody
  kReturned,  // it is handed back to the caller, alone or in a tuple
  kKept,      // an attribute, a container, a closure, or code that is not known
};

class Holds {
 public:
  explicit Holds(const analysis::Facts& facts) : facts_(facts) {}

  // Of a value: an array, or the tuple that it is in.
  [[nodiscard]] Hold Of(ir::ValueId value, int depth = 0);
  // A header Phi whose array some variable still holds on the next pass: `u, v = v, u`, or no assignment on some path.
  [[nodiscard]] bool IsHandedOn(ir::ValueId phi) const;

 private:
  [[nodiscard]] Hold OfCall(ir::ValueId call, ir::ValueId value, int depth);
  [[nodiscard]] bool LeavesAtLoop(ir::ValueId phi, ir::ValueId value) const;

  const analysis::Facts& facts_;
  std::unordered_map<ir::ValueId, Hold> known_;
};

}  // namespace cpnlint::cost
