#pragma once

// `--watch`: the same run again whenever something changes that it depends on.

#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/program.h"

namespace cpnlint::cli {

// Until a signal ends it, as it would end any program; or until nobody reads the output any more (exit code 0).
int RunWatch(const std::vector<std::string>& arguments);

// From a run that is watched: the files that it reads though nobody asked for them.
void TellWatcher(const Options& options, const Plan& plan);

}  // namespace cpnlint::cli
