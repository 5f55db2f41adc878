// What one module of a program sees of another: imports, re-exports, star imports, `module.name`.

#include <algorithm>
#include <map>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

// Star imports and re-exports are followed this far.
constexpr std::size_t kMostHops = 32;
// Names of NumPy from which on a module is taken for an array library in disguise.
constexpr std::size_t kLeastOfBackend = 8;

ir::ModuleId Find(const std::vector<std::pair<Symbol, ir::ModuleId>>& modules, Symbol name) {
  const auto at = std::lower_bound(modules.begin(), modules.end(), name,
                                   [](const auto& entry, Symbol wanted) { return entry.first < wanted; });
  return at != modules.end() && at->first == name ? at->second : ir::ModuleId::None();
}

// The modules whose variables a name may be: the module itself, then those it imports with a star, last one first.
const std::vector<ir::ModuleId>& WithStars(const Facts::Impl& impl, ir::ModuleId module) {
  const ir::Program& program = impl.program;
  if (impl.with_stars.empty()) impl.with_stars.resize(program.modules.size());
  std::vector<ir::ModuleId>& modules = impl.with_stars[module];
  if (!modules.empty()) return modules;
  modules.push_back(module);
  for (std::size_t i = 0; i < modules.size() && i < kMostHops; ++i) {
    const std::vector<ir::ModuleId>& stars = program.modules[modules[i]].star_targets;
    for (auto star = stars.rbegin(); star != stars.rend(); ++star) {
      if (star->valid() && std::find(modules.begin(), modules.end(), *star) == modules.end()) modules.push_back(*star);
    }
  }
  return modules;
}

// What the only assignment to a variable assigns, or the first of several; None() where there is none.
ir::ValueId Assigned(const ir::Program& program, ir::CellId cell, Several several) {
  if (!cell.valid() || program.cells[cell].stores.empty()) return {};
  if (several == Several::kNone && program.cells[cell].stores.size() != 1) return {};
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
  // Most names are the module's own, and few modules have a star: for these no list is made.
  if (const ir::CellId cell = GlobalOf(impl, module, name); cell.valid()) return cell;
  if (impl.program.modules[module].star_targets.empty()) return {};
  for (const ir::ModuleId at : WithStars(impl, module)) {
    if (const ir::CellId cell = GlobalOf(impl, at, name); cell.valid()) return cell;
  }
  return {};
}

bool HasOtherNames(const Facts::Impl& impl, ir::ModuleId module) {
  const Symbol getattr = impl.names.Intern("__getattr__");
  return std::ranges::any_of(WithStars(impl, module), [&](ir::ModuleId at) {
    const std::vector<ir::ModuleId>& stars = impl.program.modules[at].star_targets;
    const bool unknown_star = std::ranges::any_of(stars, [](ir::ModuleId target) { return !target.valid(); });
    return unknown_star || GlobalOf(impl, at, getattr).valid();
  });
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
      id = Assigned(program, ir::CellId(op.payload), Several::kNone);
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

ir::ValueId NextHop(const Facts::Impl& impl, ir::ValueId id, Several several) {
  const ir::Program& program = impl.program;
  const ir::Op& op = program.ops[id];
  switch (op.kind) {
    case ir::OpKind::kPhi: return several == Several::kFirst ? program.Operand(id, 0) : ir::ValueId::None();
    case ir::OpKind::kLoadCell: return Assigned(program, ir::CellId(op.payload), several);
    case ir::OpKind::kImport: {
      const ir::ImportRecord& record = program.imports[op.payload];
      if (!record.target.valid() || !record.name.valid()) return {};
      if (record.submodule.valid() && record.target == program.functions[program.FunctionOf(id)].module) return {};
      return Assigned(program, FindGlobal(impl, record.target, record.name), several);
    }
    case ir::OpKind::kStarName: {
      const ir::ModuleId module = program.functions[program.FunctionOf(id)].module;
      return Assigned(program, FindGlobal(impl, module, program.SymbolOf(op)), several);
    }
    case ir::OpKind::kAttr: {
      const ir::ModuleId module = ModuleMeant(impl, program.Operand(id, 0));
      if (!module.valid()) return {};
      return Assigned(program, FindGlobal(impl, module, program.SymbolOf(op)), several);
    }
    default: return {};
  }
}

ir::ValueId OriginOf(const Facts::Impl& impl, ir::ValueId id) {
  for (std::size_t hops = 0; hops < kMostHops && id.valid(); ++hops) {
    const ir::ValueId next = NextHop(impl, id, Several::kNone);
    if (!next.valid()) return id;
    id = next;
  }
  return id;
}

ir::ValueId DefinitionOf(const Facts::Impl& impl, ir::ValueId id) {
  const ir::Program& program = impl.program;
  id = OriginOf(impl, id);
  for (std::size_t layers = 0; layers < kMostHops && IsDecoration(program, id); ++layers) {
    id = OriginOf(impl, program.Operand(id, 1));
  }
  if (!id.valid()) return {};
  const ir::OpKind kind = program.ops[id].kind;
  return kind == ir::OpKind::kMakeFunction || kind == ir::OpKind::kMakeClass ? id : ir::ValueId::None();
}

// Libraries that look up the array library of their arguments at each call: what they make is made by the NumPy that
// they import themselves, and `like=` is a keyword of theirs.
bool IsDispatcher(std::string_view module) {
  const std::string_view package = module.substr(0, module.find('.'));
  return package == "autoray" || package == "ivy" || package == "eagerpy";
}

// A module that hands on whichever array library is switched on: the names that others take out of it and that it does
// not define are mostly NumPy's (A.3).
void SeeBackends(Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  if (program.modules.size() < 2) return;
  struct Lookups {
    std::vector<Symbol> missing;
    std::size_t of_numpy = 0;
  };
  std::map<ir::ModuleId, Lookups> lookups;
  std::unordered_set<ir::ModuleId> dispatching;
  const auto look_up = [&](ir::ModuleId module, Symbol name) {
    if (FindGlobal(impl, module, name).valid() || Find(program.modules[module].members, name).valid()) return;
    Lookups& seen = lookups[module];
    if (std::find(seen.missing.begin(), seen.missing.end(), name) != seen.missing.end()) return;
    seen.missing.push_back(name);
    if (NumpyHas("numpy." + std::string(impl.names.Text(name)))) ++seen.of_numpy;
  };
  for (const ir::ImportRecord& record : program.imports) {
    if (record.target.valid() && record.name.valid() && !record.submodule.valid()) look_up(record.target, record.name);
  }
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind == ir::OpKind::kImport && IsDispatcher(impl.names.Text(program.imports[op.payload].module)))
      dispatching.insert(program.functions[program.FunctionOf(ir::ValueId(i))].module);
    if (op.kind != ir::OpKind::kAttr) continue;
    const ir::ModuleId module = ModuleMeant(impl, program.Operand(ir::ValueId(i), 0));
    if (module.valid()) look_up(module, program.SymbolOf(op));
  }
  for (const auto& [module, seen] : lookups) {
    if (dispatching.contains(module)) continue;
    if (seen.of_numpy >= kLeastOfBackend && 3 * seen.of_numpy >= 2 * seen.missing.size()) impl.backends.insert(module);
  }
}

// nullopt where the module does not define the name, as far as we see.
std::optional<Value> Engine::ModuleAttribute(ir::ModuleId module_id, Symbol name, ir::ValueId reader) {
  for (const ir::ModuleId at : WithStars(impl_, module_id)) {
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
  if (impl_.backends.contains(module_id)) {
    const std::string canonical = "numpy." + std::string(impl_.names.Text(name));
    if (!NumpyHas(canonical)) return std::nullopt;
    Value value = ApiValue(canonical, Library::kDevice);
    value.evidence |= kNamespaceParam;
    return value;
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

// Of one of several functions what the attribute of each is.
Value Engine::ApiAttribute(ir::ValueId id, const Value& object, Symbol name) {
  Value joined;
  const std::vector<Value> several = object.elements.valid() ? store_.Get(object.elements) : std::vector<Value>{object};
  for (const Value& one : several) {
    std::string dotted(impl_.names.Text(one.name));
    if (one.kind != Kind::kApi || dotted.size() > kLongestName) return Unknown();
    dotted.append(".").append(impl_.names.Text(name));
    std::optional<Value> value = one.library == Library::kOther ? ImportedModule(id, dotted) : std::nullopt;
    if (!value) {
      value = ApiValue(dotted, one.library);
      value->evidence |= object.evidence;
    }
    joined = JoinOptional(store_, joined, *value);
  }
  return joined;
}

}  // namespace cpnlint::analysis
