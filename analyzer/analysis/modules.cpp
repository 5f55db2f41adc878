// What one module of a program sees of another: imports, re-exports, star imports, `module.name`.

#include <algorithm>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

// Star imports and re-exports are followed this far.
constexpr std::size_t kMostHops = 32;

ir::ModuleId Find(const std::vector<std::pair<Symbol, ir::ModuleId>>& modules, Symbol name) {
  const auto at = std::lower_bound(modules.begin(), modules.end(), name,
                                   [](const auto& entry, Symbol wanted) { return entry.first < wanted; });
  return at != modules.end() && at->first == name ? at->second : ir::ModuleId::None();
}

// The modules whose variables a name may be: the module itself, then those it imports with a star, last one first.
std::vector<ir::ModuleId> WithStars(const ir::Program& program, ir::ModuleId module) {
  std::vector<ir::ModuleId> modules = {module};
  for (std::size_t i = 0; i < modules.size() && i < kMostHops; ++i) {
    const std::vector<ir::ModuleId>& stars = program.modules[modules[i]].star_targets;
    for (auto star = stars.rbegin(); star != stars.rend(); ++star) {
      if (star->valid() && std::find(modules.begin(), modules.end(), *star) == modules.end()) modules.push_back(*star);
    }
  }
  return modules;
}

// What the only assignment to a variable assigns; None() where there are several or none.
ir::ValueId OnlyValue(const ir::Program& program, ir::CellId cell) {
  if (!cell.valid() || program.cells[cell].stores.size() != 1) return {};
  return program.Operand(program.cells[cell].stores[0], 0);
}

ir::CellId GlobalOf(const Facts::Impl& impl, ir::ModuleId module, Symbol name) {
  const auto found = impl.globals.find(SlotKey(impl.program.modules[module].body, name));
  return found == impl.globals.end() ? ir::CellId::None() : found->second;
}

}  // namespace

Value ModuleValue(const ir::Program& program, ir::ModuleId module) {
  Value value = Of(Kind::kModule);
  value.function = program.modules[module].body;
  return value;
}

void IndexGlobals(Facts::Impl& impl) {
  for (std::size_t i = 0; i < impl.program.cells.size(); ++i) {
    const ir::Cell& cell = impl.program.cells[ir::CellId(i)];
    if (cell.kind == ir::Cell::Kind::kGlobal) impl.globals.emplace(SlotKey(cell.owner, cell.name), ir::CellId(i));
  }
}

ir::CellId FindGlobal(const Facts::Impl& impl, ir::ModuleId module, Symbol name) {
  for (const ir::ModuleId at : WithStars(impl.program, module)) {
    if (const ir::CellId cell = GlobalOf(impl, at, name); cell.valid()) return cell;
  }
  return {};
}

ir::ModuleId ModuleMeant(const Facts::Impl& impl, ir::ValueId id) {
  const ir::Program& program = impl.program;
  std::vector<Symbol> attributes;  // of the module that is looked for, outermost first
  for (std::size_t hops = 0; hops < kMostHops && id.valid(); ++hops) {
    const ir::Op& op = program.ops[id];
    if (op.kind == ir::OpKind::kAttr) {
      attributes.push_back(program.SymbolOf(op));
      id = program.Operand(id, 0);
    } else if (op.kind == ir::OpKind::kLoadCell) {
      id = OnlyValue(program, ir::CellId(op.payload));
    } else if (op.kind == ir::OpKind::kImport) {
      const ir::ImportRecord& record = program.imports[op.payload];
      ir::ModuleId module = record.target;
      if (record.name.valid()) module = record.submodule;
      if (record.root_only) {
        const ir::ModuleId importer = program.functions[program.FunctionOf(id)].module;
        module = Find(program.modules[importer].imported, record.bound);
      }
      while (module.valid() && !attributes.empty()) {
        module = Find(program.modules[module].members, attributes.back());
        attributes.pop_back();
      }
      return module;
    } else {
      return {};
    }
  }
  return {};
}

ir::ValueId DefinitionOf(const Facts::Impl& impl, ir::ValueId id) {
  const ir::Program& program = impl.program;
  for (std::size_t hops = 0; hops < kMostHops && id.valid(); ++hops) {
    const ir::Op& op = program.ops[id];
    switch (op.kind) {
      case ir::OpKind::kMakeFunction:
      case ir::OpKind::kMakeClass: return id;
      case ir::OpKind::kCall:
        if (!IsDecoration(program, id)) return {};
        id = program.Operand(id, 1);
        break;
      case ir::OpKind::kLoadCell: id = OnlyValue(program, ir::CellId(op.payload)); break;
      case ir::OpKind::kImport: {
        const ir::ImportRecord& record = program.imports[op.payload];
        if (!record.target.valid() || !record.name.valid()) return {};
        id = OnlyValue(program, FindGlobal(impl, record.target, record.name));
        break;
      }
      case ir::OpKind::kStarName: {
        const ir::ModuleId module = program.functions[program.FunctionOf(id)].module;
        id = OnlyValue(program, FindGlobal(impl, module, program.SymbolOf(op)));
        break;
      }
      case ir::OpKind::kAttr: {
        const ir::ModuleId module = ModuleMeant(impl, program.Operand(id, 0));
        if (!module.valid()) return {};
        id = OnlyValue(program, FindGlobal(impl, module, program.SymbolOf(op)));
        break;
      }
      default: return {};
    }
  }
  return {};
}

// nullopt where the module does not define the name, as far as we see.
std::optional<Value> Engine::ModuleAttribute(ir::ModuleId module_id, Symbol name, ir::ValueId reader) {
  for (const ir::ModuleId at : WithStars(program_, module_id)) {
    const ir::Module& module = program_.modules[at];
    if (const ir::CellId cell = GlobalOf(impl_, at, name); cell.valid()) {
      Watch(cell, reader);
      return CellValue(cell, reader);
    }
    if (const ir::ModuleId member = Find(module.members, name); member.valid()) return ModuleValue(program_, member);
    for (std::size_t star = module.star_imports.size(); star-- > 0;) {
      if (std::optional<Value> value = FromStar(module, star, impl_.names.Text(name))) return value;
    }
  }
  return std::nullopt;
}

// The module that a dotted name means in the module of `id`.
std::optional<Value> Engine::ImportedModule(ir::ValueId id, std::string_view dotted) {
  const ir::Module& importer = program_.modules[program_.functions[program_.FunctionOf(id)].module];
  if (importer.imported.empty()) return std::nullopt;
  const Symbol name = impl_.names.Find(dotted);
  const ir::ModuleId module = name.valid() ? Find(importer.imported, name) : ir::ModuleId::None();
  return module.valid() ? std::optional(ModuleValue(program_, module)) : std::nullopt;
}

}  // namespace cpnlint::analysis
