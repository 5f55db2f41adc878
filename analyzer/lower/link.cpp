// From import statements to the modules of the program that they mean.

#include <algorithm>

#include "analyzer/lower/lower.h"

namespace cpnlint::lower {
namespace {

using Members = std::vector<std::pair<Symbol, ir::ModuleId>>;

void SortUnique(Members& members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

// `import a.b.c` makes a, a.b and a.b.c reachable under these names.
void LinkDotted(ir::Program& program, ir::ModuleId importer, std::string_view dotted, const Resolve& resolve) {
  for (std::size_t dot = 0; dot != std::string_view::npos;) {
    dot = dotted.find('.', dot + 1);
    const std::string_view prefix = dotted.substr(0, dot);
    const ir::ModuleId found = resolve(importer, prefix);
    if (found.valid()) program.modules[importer].imported.emplace_back(program.names.Intern(prefix), found);
  }
}

void LinkImport(ir::Program& program, ir::ModuleId importer, ir::ImportRecord& record, const Resolve& resolve) {
  const std::string_view module = program.names.Text(record.module);
  if (!record.name.valid()) {
    LinkDotted(program, importer, module, resolve);
    record.target = resolve(importer, module);
    return;
  }
  std::string spelled = std::string(record.level, '.');
  spelled += module;
  record.target = resolve(importer, spelled);
  if (!module.empty()) spelled += '.';
  spelled += program.names.Text(record.name);
  record.submodule = resolve(importer, spelled);
}

}  // namespace

void Link(ir::Program& program, const Resolve& resolve, const std::vector<ir::ModuleId>& package_of) {
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind != ir::OpKind::kImport) continue;
    const ir::ModuleId importer = program.functions[program.blocks[op.block].function].module;
    LinkImport(program, importer, program.imports[op.payload], resolve);
  }
  for (std::size_t i = 0; i < program.modules.size(); ++i) {
    const ir::ModuleId id(i);
    for (const Symbol star : program.modules[id].star_imports) {
      program.modules[id].star_targets.push_back(resolve(id, program.names.Text(star)));
    }
    SortUnique(program.modules[id].imported);
    if (!package_of[i].valid()) continue;
    const std::string_view name = program.modules[id].name;
    const Symbol last = program.names.Intern(name.substr(name.rfind('.') + 1));
    program.modules[package_of[i]].members.emplace_back(last, id);
  }
  for (ir::Module& module : program.modules) SortUnique(module.members);
}

}  // namespace cpnlint::lower
