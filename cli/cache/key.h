#pragma once

// What a result depends on, as one number each.

#include <string>
#include <vector>

#include "analyzer/base/hash.h"
#include "cli/analyse.h"

namespace cpnlint::cli {

// Of this build of the program: another one never reads what this one wrote. 16 hexadecimal digits.
[[nodiscard]] std::string BuildKey();
// Of everything in the settings that changes what the analysis of a program says.
[[nodiscard]] Hash128 SettingsKey(const Settings& settings);
// Of a program under settings: paths and contents of its modules. All have a hash.
[[nodiscard]] Hash128 ProgramKey(Hash128 settings, const config::Configuration* files,
                                 const std::vector<Input*>& program);

}  // namespace cpnlint::cli
