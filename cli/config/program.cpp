#include "cli/config/program.h"

#include <algorithm>
#include <filesystem>

#include "analyzer/analysis/entries.h"
#include "cli/near.h"

namespace cpnlint::cli::config {
namespace {

// "src/main.py:run", "solver.cli:run", "src/main.py"
struct Parts {
  std::string where;
  std::string function;
  bool is_file = false;
};
Parts PartsOf(const EntryPoint& entry) {
  const std::size_t colon = entry.text.rfind(':');
  Parts parts;
  parts.where = entry.text.substr(0, colon);
  if (colon != std::string::npos) parts.function = entry.text.substr(colon + 1);
  parts.is_file = parts.where.ends_with(".py") || parts.where.ends_with(".ipynb") ||
                  parts.where.find_first_of("/*") != std::string::npos;
  return parts;
}

std::vector<std::string> FunctionNames(const ir::Program& program, const ir::Module& module) {
  std::vector<std::string> names;
  for (std::size_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
    const std::string_view name = program.functions[ir::FunctionId(i)].qualified;
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

}  // namespace

void AddAssumptions(ir::Program& program, const std::vector<ConfiguredModule>& modules) {
  const auto assumes_itself = [&](const ConfiguredModule& one) {
    const std::vector<ir::Pragma>& pragmas = program.modules[one.module].pragmas;
    return std::any_of(pragmas.begin(), pragmas.end(), [](const ir::Pragma& pragma) {
      return pragma.kind == ir::Pragma::Kind::kAssume && !pragma.span.empty();
    });
  };
  // Where all modules are told the same and none knows better, a name may mean the same thing in all of them.
  const bool together = std::all_of(modules.begin(), modules.end(), [&](const ConfiguredModule& one) {
    return one.settings->assume == modules.front().settings->assume && !assumes_itself(one);
  });
  for (const ConfiguredModule& one : modules) {
    for (const std::string& text : one.settings->assume) {
      ir::Pragma pragma;
      pragma.kind = ir::Pragma::Kind::kAssume;
      // `:` in front: in this module only.
      pragma.text = together ? text : ':' + text;
      program.modules[one.module].pragmas.push_back(std::move(pragma));
    }
  }
}

std::vector<std::string> AddEntryPoints(const std::vector<EntryPoint>& entries, ir::Program& program,
                                        ir::ModuleId module, const std::string& path) {
  std::vector<std::string> missing;
  for (const EntryPoint& entry : entries) {
    if (!NamesFile(entry, program.modules[module].name, path)) continue;
    const ir::FunctionId function = FunctionOf(entry, program, module);
    if (!function.valid()) {
      missing.push_back("the entry point `" + entry.text + "` names no function in it" +
                        DidYouMean(PartsOf(entry).function, FunctionNames(program, program.modules[module])));
      continue;
    }
    ir::Pragma pragma;
    pragma.kind = ir::Pragma::Kind::kAssume;
    pragma.text = std::string(analysis::kStartsAt).append(program.functions[function].qualified);
    program.modules[module].pragmas.push_back(std::move(pragma));
  }
  return missing;
}

bool NamesFile(const EntryPoint& entry, std::string_view module, const std::string& path) {
  const Parts parts = PartsOf(entry);
  if (!parts.is_file) return module == parts.where || module.ends_with('.' + parts.where);
  const std::filesystem::path absolute = std::filesystem::absolute(path).lexically_normal();
  return PatternMeans(parts.where, entry.folder, absolute.string());
}

ir::FunctionId FunctionOf(const EntryPoint& entry, const ir::Program& program, ir::ModuleId module_id) {
  const ir::Module& module = program.modules[module_id];
  const std::string name = PartsOf(entry).function;
  if (name.empty()) return module.body;
  for (std::size_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
    if (program.functions[ir::FunctionId(i)].qualified == name) return ir::FunctionId(i);
  }
  return ir::FunctionId::None();
}

}  // namespace cpnlint::cli::config
