#pragma once

// What the configuration says of the modules of one program.

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/program.h"
#include "cli/config/configuration.h"

namespace cpnlint::cli::config {

struct ConfiguredModule {
  ir::ModuleId module;
  const FileSettings* settings;
};
// Adds the configured assumptions to the pragmas of the modules, below those that the source or the command line has.
void AddAssumptions(ir::Program& program, const std::vector<ConfiguredModule>& modules);

// Tells the analysis where the work starts. A message for each entry point whose module is this one, and which names
// nothing in it.
[[nodiscard]] std::vector<std::string> AddEntryPoints(const std::vector<EntryPoint>& entries, ir::Program& program,
                                                      ir::ModuleId module, const std::string& path);

// Whether the file or module of an entry point is this one. `path` is as shown.
[[nodiscard]] bool NamesFile(const EntryPoint& entry, std::string_view module, const std::string& path);
// The function that it names in the module, or the module's own body; None() where there is no such function.
[[nodiscard]] ir::FunctionId FunctionOf(const EntryPoint& entry, const ir::Program& program, ir::ModuleId module);

}  // namespace cpnlint::cli::config
