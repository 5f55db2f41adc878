#pragma once

// A task in numbers: what Work says symbolically, at the sizes of a prediction.

#include <cstdint>
#include <vector>

#include "cost-model/model.h"

namespace cpnlint::cost {

// Of an array whose size nobody knows: the widest hot array (rules.md E.1).
inline constexpr std::int64_t kUnknownElements = 40'000'000;

// One array of a task; operands of the same root are one entry.
struct ArrayUse {
  ir::ValueId root;             // None(): not known
  std::vector<double> extents;  // of the root; empty where the rank is unknown
  double elements = 0;          // of the root
  double used = 0;              // elements of the largest part that the task uses
  double item = 8;
  bool read = false, written = false, replicated = false;
  bool turned = false;  // read with its axes in another order
  // Per axis of the root: where the parts that are read start, least and most, and where the written one does.
  // Empty: the whole.
  std::vector<double> least, most, home;
};

struct Amounts {
  const analysis::WorkTask* task = nullptr;
  double elements = 0;
  double read = 0, written = 0;  // bytes of all passes
  double temporary = 0;
  double m = 0, n = 0, k = 0, batch = 1;
  double to_host = 0, from_host = 0;
  double item = 8;  // bytes per element of the widest operand
  double axes = 1;  // of the operand that has most
  std::vector<ArrayUse> arrays;
};

[[nodiscard]] Amounts AmountsOf(const analysis::WorkTask& task, const Sizes& sizes);
// The same task of a problem `factor` times as large: arrays keep their form, matrices of a product grow with it.
[[nodiscard]] Amounts Grown(const Amounts& amounts, double factor);

}  // namespace cpnlint::cost
