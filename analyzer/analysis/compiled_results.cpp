#include "analyzer/analysis/compiled_results.h"

#include <string_view>

#include "analyzer/analysis/compiled_functions.h"

namespace cpnlint::analysis {
namespace {

const ir::ImportRecord* RelativeImport(const ir::Program& program, ir::ValueId id) {
  if (!id.valid() || program.ops[id].kind != ir::OpKind::kImport) return nullptr;
  const ir::ImportRecord& record = program.imports[program.ops[id].payload];
  return record.level != 0 && record.name.valid() && !record.submodule.valid() ? &record : nullptr;
}

// `from . import _draw`: a module of the package, which does not define the name in another way.
bool IsCompiledModule(const Facts::Impl& impl, const ir::ImportRecord& record, ir::ValueId import) {
  const ir::Program& program = impl.program;
  if (!record.target.valid() || !program.names.Text(record.module).empty()) return false;
  if (HasOtherNames(impl, record.target)) return false;
  const ir::CellId global = FindGlobal(impl, record.target, record.name);
  if (!global.valid()) return true;
  const auto& stores = program.cells[global].stores;  // in the package's own `__init__`
  return stores.size() == 1 && program.Operand(stores.front(), 0) == import;
}

struct CompiledFunction {
  ir::ValueId import;
  std::string_view name;
};

// `_line` of `from ._draw import _line`, and of `_draw._line`, where the program has no such module, but others that
// the same module imports so.
std::optional<CompiledFunction> FunctionOfCompiledModule(const Facts::Impl& impl, ir::ValueId callee) {
  const ir::Program& program = impl.program;
  const ir::ValueId id = OriginOf(impl, callee);
  if (!id.valid()) return std::nullopt;
  if (const ir::ImportRecord* record = RelativeImport(program, id); record && !record->target.valid())
    return CompiledFunction{id, program.names.Text(record->name)};
  if (program.ops[id].kind != ir::OpKind::kAttr) return std::nullopt;
  const ir::ValueId module = OriginOf(impl, program.Operand(id, 0));
  const ir::ImportRecord* record = RelativeImport(program, module);
  if (!record || !IsCompiledModule(impl, *record, module)) return std::nullopt;
  return CompiledFunction{module, program.Name(program.ops[id])};
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

Value HostArray(ir::ValueId root) {
  Value host = Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), 0);
  host.root = host.device_root = root;
  return host;
}

std::optional<Value> CompiledResult(const Facts::Impl& impl, ir::ValueId call) {
  const ir::Program& program = impl.program;
  const std::optional<CompiledFunction> function = FunctionOfCompiledModule(impl, program.Operand(call, 0));
  if (!function) return std::nullopt;
  if (!StandsInItsPackage(program, program.functions[program.FunctionOf(function->import)].module)) return std::nullopt;
  const std::string_view name = function->name;
  const std::size_t first = name.find_first_not_of('_');
  if (first == name.npos || (name[first] >= 'A' && name[first] <= 'Z')) return std::nullopt;  // a class
  Value array = HostArray(call);
  array.evidence = kAssumed;
  return array;
}

// NOLINTNEXTLINE(misc-no-recursion): elements nest four levels deep at most (ValueStore::Intern)
Value OnHost(ValueStore& store, const Value& returned, ir::ValueId call) {
  Value value = returned;
  if (value.kind == Kind::kArray && value.library == Library::kDevice) {
    if (Rank(store, value) == 0) return Unknown();  // `np.sum(x)` is a number of Python in compiled code
    value.library = Library::kHost;
    value.root = value.device_root = call;
    return value;
  }
  if (IsNumber(value.kind)) return Unknown();
  const auto each = [&](ElementsId of) {
    if (!of.valid()) return of;
    std::vector<Value> parts = store.Get(of);
    // NOLINTNEXTLINE(misc-no-recursion)
    for (Value& part : parts) part = OnHost(store, part, {});
    return store.Intern(parts);
  };
  value.elements = each(value.elements);
  value.item = each(value.item);
  return value;
}

// What a function that another tool compiles gives: no array of the device, whatever its body and its callers say.
Value Engine::FromCompiled(ir::ValueId call, ir::FunctionId function, const std::vector<ir::ValueId>& arguments) {
  const CompiledAs as = CompiledFor(impl_, function);
  if (as == CompiledAs::kOther || program_.functions[function].is_generator) return Unknown();
  if (as == CompiledAs::kHostCode) return OnHost(store_, ReturnedTo(function, arguments), call);
  // Of numbers alone it makes a number.
  const bool many = std::ranges::any_of(
      arguments, [&](ir::ValueId argument) { return argument.valid() && !IsNumber(Of(argument).kind); });
  Value array = HostArray(call);
  array.evidence = kAssumed;
  return many ? array : Unknown();
}

}  // namespace cpnlint::analysis
