#pragma once

// Matrices that are known to have as many rows as columns, by their shape or by what they are made of.

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// `a.T @ a`, `np.dot(a, a.conj().T)`: a product of a matrix and its own transpose.
struct GramMatrix {
  bool known = false;
  bool conjugated = false;  // one of the two is: the product is Hermitian, whatever its type

  explicit operator bool() const { return known; }
};
[[nodiscard]] GramMatrix AsGramMatrix(const analysis::Facts& facts, ir::ValueId value);

// A matrix with as many rows as columns: by its shape, as such a product, or as a sum with one.
[[nodiscard]] bool IsSquare(const analysis::Facts& facts, ir::ValueId value);
// Nothing is known of its rows and columns.
[[nodiscard]] bool HasUnknownShape(const analysis::Facts& facts, ir::ValueId value);

}  // namespace cpnlint::rules::match
