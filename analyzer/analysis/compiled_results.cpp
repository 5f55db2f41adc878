#include "analyzer/analysis/compiled_results.h"

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

std::optional<Value> CompiledResult(const Facts::Impl& impl, ir::ValueId call) {
  const ir::Program& program = impl.program;
  const ir::ValueId import = OriginOf(impl, program.Operand(call, 0));
  if (!IsOfCompiledModule(program, import)) return std::nullopt;
  if (!StandsInItsPackage(program, program.functions[program.FunctionOf(import)].module)) return std::nullopt;
  const std::string_view name = program.names.Text(program.imports[program.ops[import].payload].name);
  const std::size_t first = name.find_first_not_of('_');
  if (first == name.npos || (name[first] >= 'A' && name[first] <= 'Z')) return std::nullopt;  // a class
  Value array = Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), kAssumed);
  array.root = array.device_root = call;
  return array;
}

}  // namespace cpnlint::analysis
