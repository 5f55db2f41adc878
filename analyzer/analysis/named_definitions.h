#pragma once

// The function or class of the program that the text alone names, whatever is known of values by now; None() for what
// is none. Private to analyzer/analysis.

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

[[nodiscard]] inline ir::FunctionId FunctionNamed(const Facts::Impl& impl, ir::ValueId name) {
  const ir::ValueId made = DefinitionOf(impl, name);
  if (!made.valid() || impl.program.ops[made].kind != ir::OpKind::kMakeFunction) return {};
  return ir::FunctionId(impl.program.ops[made].payload);
}

[[nodiscard]] inline ir::ClassId ClassNamed(const Facts::Impl& impl, ir::ValueId name) {
  const ir::ValueId made = DefinitionOf(impl, name);
  if (!made.valid() || impl.program.ops[made].kind != ir::OpKind::kMakeClass) return {};
  return ir::ClassId(impl.program.ops[made].payload);
}

}  // namespace cpnlint::analysis
