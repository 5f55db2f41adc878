#include "analyzer/analysis/compiled_results.h"

#include <algorithm>

namespace cpnlint::analysis {
namespace {

// `from ._draw import _line` where the program has no such module, but others that the same module imports so.
bool IsOfCompiledModule(const ir::Program& program, ir::ValueId import) {
  if (!import.valid() || program.ops[import].kind != ir::OpKind::kImport) return false;
  const ir::ImportRecord& record = program.imports[program.ops[import].payload];
  return record.level != 0 && record.name.valid() && !record.target.valid() && !record.submodule.valid();
}

// A file that is looked at without its package finds nothing of what it imports.
bool StandsInItsPackage(const ir::Program& program, ir::ModuleId module) {
  const ir::Function& body = program.functions[program.modules[module].body];
  for (std::size_t i = body.first_op.index(); i < body.end_op.index(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind != ir::OpKind::kImport) continue;
    const ir::ImportRecord& record = program.imports[op.payload];
    if (record.level != 0 && (record.target.valid() || record.submodule.valid())) return true;
  }
  return false;
}

}  // namespace

bool ReturnsCompiled(const Facts::Impl& impl, ir::FunctionId function) {
  const ir::Program& program = impl.program;
  const std::span<const ir::ValueId> returns = program.functions[function].returns;
  const bool compiled = !returns.empty() && std::ranges::all_of(returns, [&](ir::ValueId leave) {
    const ir::ValueId call = program.Operand(leave, 0);
    return call.valid() && program.ops[call].kind == ir::OpKind::kCall &&
           IsOfCompiledModule(program, OriginOf(impl, program.Operand(call, 0)));
  });
  return compiled && StandsInItsPackage(program, program.functions[function].module);
}

}  // namespace cpnlint::analysis
