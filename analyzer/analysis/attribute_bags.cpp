#include "analyzer/analysis/attribute_bags.h"

#include <algorithm>

namespace cpnlint::analysis {

bool TakesAnyField(const Facts::Impl& impl, ir::ClassId class_id) {
  const ir::ValueId made_by = impl.program.classes[class_id].made_by;
  if (!made_by.valid()) return false;
  return std::ranges::any_of(impl.program.Operands(made_by), [&](ir::ValueId base) {
    const ir::Op& op = impl.program.ops[base];
    return op.kind == ir::OpKind::kBuiltin && impl.program.Name(op) == "dict";
  });
}

}  // namespace cpnlint::analysis
