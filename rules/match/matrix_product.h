#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

// A product of matrices, as operator or call: `@`, matmul, dot, inner, tensordot, einsum, multi_dot, matrix_power.
struct MatrixProduct {
  ir::ValueId op;
  std::vector<ir::ValueId> factors;  // the array operands, in order
  bool einsum = false;
  int rank = -1;  // the highest known rank of a factor
  analysis::EvidenceSet evidence = 0;

  explicit operator bool() const { return op.valid(); }
};

// False where the op is no such product or one of its factors is no device array.
[[nodiscard]] MatrixProduct AsMatrixProduct(const analysis::Facts& facts, ir::ValueId op);

// More than a product of vectors: work for a matrix kernel.
[[nodiscard]] bool NeedsMatrixKernel(const MatrixProduct& product);
// Every factor is known to be of an integer or boolean type, for which cuPyNumeric has no matrix kernel (R308).
[[nodiscard]] bool IsOfIntegers(const analysis::Facts& facts, const MatrixProduct& product);

}  // namespace cpnlint::rules::match
