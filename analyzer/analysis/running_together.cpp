#include "analyzer/analysis/running_together.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace cpnlint::analysis {
namespace {

// What imports what, and for the modules that were asked for: all that run with them.
struct Imports {
  std::uint64_t facts = 0;  // serial
  std::vector<std::vector<ir::ModuleId>> imports;
  std::vector<std::vector<ir::ModuleId>> importers;
  std::unordered_map<ir::ModuleId, std::vector<bool>> together;
};

void Link(Imports& graph, ir::ModuleId from, ir::ModuleId to) {
  if (!to.valid() || from == to) return;
  graph.imports[from.index()].push_back(to);
  graph.importers[to.index()].push_back(from);
}

Imports ImportsOf(const Facts& facts) {
  const ir::Program& program = facts.program();
  const std::size_t count = program.modules.size();
  Imports graph{facts.serial(), {}, {}, {}};
  graph.imports.resize(count);
  graph.importers.resize(count);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind != ir::OpKind::kImport) continue;
    const ir::ModuleId importer = program.functions[program.FunctionOf(ir::ValueId(i))].module;
    Link(graph, importer, program.imports[op.payload].target);
    Link(graph, importer, program.imports[op.payload].submodule);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const ir::ModuleId importer(i);
    for (const ir::ModuleId star : program.modules[importer].star_targets) Link(graph, importer, star);
    for (const auto& [name, module] : program.modules[importer].imported) Link(graph, importer, module);
  }
  return graph;
}

// The modules that are reached from those in `work`, these included.
std::vector<ir::ModuleId> Reach(const std::vector<std::vector<ir::ModuleId>>& graph, std::vector<ir::ModuleId> work,
                                std::vector<bool>& reached) {
  for (const ir::ModuleId module : work) reached[module.index()] = true;
  for (std::size_t i = 0; i < work.size(); ++i) {
    for (const ir::ModuleId next : graph[work[i].index()]) {
      if (reached[next.index()]) continue;
      reached[next.index()] = true;
      work.push_back(next);
    }
  }
  return work;
}

// A module of a package, which any program may import.
bool IsOfPackage(const ir::Module& module) {
  return module.name.find('.') != std::string::npos && !module.path.ends_with(".ipynb");
}

}  // namespace

bool RunTogether(const Facts& facts, ir::ModuleId a, ir::ModuleId b) {
  if (a == b) return true;
  const ir::Module &first = facts.program().modules[a], &second = facts.program().modules[b];
  const auto top = [](const ir::Module& module) {
    return std::string_view(module.name).substr(0, module.name.find('.'));
  };
  if (IsOfPackage(first) && IsOfPackage(second) && top(first) == top(second)) return true;
  thread_local Imports known;
  if (known.facts != facts.serial()) known = ImportsOf(facts);
  const auto [entry, is_new] = known.together.try_emplace(a);
  if (is_new) {
    std::vector<bool> above(known.imports.size()), reached(known.imports.size());
    Reach(known.imports, Reach(known.importers, {a}, above), reached);
    entry->second = std::move(reached);
  }
  return entry->second[b.index()];
}

}  // namespace cpnlint::analysis
