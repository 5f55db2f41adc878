#pragma once

// `json.dump` of single results. In NumPy such a result is a float64, which Python's float is the base of; on the
// device it is an array of rank 0, which `json` does not know: TypeError (executed on 26.6.1). Results of other types
// raise in NumPy as well, and so do arrays.

#include <optional>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

struct Dumped {
  Span words;                          // where the result is put into what is dumped; empty where that is not seen
  analysis::EvidenceSet evidence = 0;  // for that it is one
};

// Of a call of `json.dump` or `json.dumps` that says nothing of other types (`default=`, `cls=`): a single result in
// what it is handed, as it is or in dictionaries, lists and tuples.
[[nodiscard]] std::optional<Dumped> DumpedResult(const Facts& facts, ir::ValueId call);

// `json.dump(rows, f, default=float)`
[[nodiscard]] Text WithDefaultFloat(const Facts& facts, ir::ValueId call);

}  // namespace cpnlint::rules::match
