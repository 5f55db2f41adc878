#pragma once

// Tests that find a value to be a sparse matrix of SciPy: `sparse.issparse(x)`, `isinstance(x, sparse.csr_matrix)`.

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/object_items.h"

namespace cpnlint::analysis {

// The value that is sparse where the test comes out true; None() where it asks something else.
[[nodiscard]] ir::ValueId FoundSparse(const ir::Program& program, const ValueOf& value_of, ir::ValueId test);
// The op stands where such a test has found the value to be sparse.
[[nodiscard]] bool IsSparseAt(const Facts& facts, ir::ValueId value, ir::ValueId op);

}  // namespace cpnlint::analysis
