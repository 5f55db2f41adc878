#pragma once

// How much one pass of a hot loop works on, for rules that compare it with the machine. Sizes are known numbers only.

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// One whole-array operation, as the runtime launches it.
struct Launch {
  ir::ValueId op;
  Span array;                   // the largest array of it, as written
  ir::ValueId root;             // of that array
  std::int64_t stored = 0;      // elements of that array's store
  std::int64_t touched = 0;     // of the array itself, which may be a part of its store
  std::int64_t launched = 0;    // what decides about splitting: `stored`; of a product the volume it is promoted to
  std::optional<double> bytes;  // read and written; nullopt where a type is unknown
  double flops = 0;             // of products of matrices
};

struct Workload {
  std::vector<Launch> launches;  // not empty
  analysis::EvidenceSet evidence = 0;
};

// The loop is the outermost hot one of its nest, calls included.
[[nodiscard]] bool IsHotRegion(const analysis::Facts& facts, ir::LoopId loop);

// All array operations of a pass, with those of the functions of the program that it calls. nullopt where one of them
// is of unknown size or may be, where there is none, and for loops over elements.
[[nodiscard]] std::optional<Workload> WorkloadOf(const analysis::Facts& facts, ir::LoopId loop);

// "1,048,576"
[[nodiscard]] std::string Grouped(std::int64_t number);

}  // namespace cpnlint::rules::match
